// A recorded scene: what the application drew, in its own coordinates, ready to be encoded for any target.
#ifndef SJ_SCENE_SCENE_H
#define SJ_SCENE_SCENE_H

#include "base/pairs.h"
#include "base/params.h"
#include "kernel/paint.h"
#include "kernel/scene.h"
#include "scene/ramp.h"
#include "scene/outlines.h"

#define SJ_CURVE_LINES 24  // how many lines a curve of any size is guessed to become

// A path in a scene: segments that follow one another, and the box of their points.
typedef struct sj_path_range {
  uint32_t segment, segment_count;
  uint32_t lines;  // how many lines they are guessed to become when flattened
  stijl_rect box;  // of all control points; x0 > x1 when there are none
} sj_path_range;

// Operations of recorded draws alone, which encoding replaces. This one draws all draws of the scene within that
// `paint` is the index of, under the draw's transform.
#define SJ_DRAW_SCENE 8u
// This one fills the glyph run that `run` is the index of.
#define SJ_DRAW_GLYPHS 9u

// A recorded draw, or the begin (push) or end (pop) of a layer.
typedef struct sj_draw {
  uint32_t op;         // K_DRAW_* or SJ_DRAW_*
  uint32_t flags;      // K_DRAW_EVENODD, K_DRAW_CLIP, K_DRAW_SOLID, K_DRAW_ALIASED, K_DRAW_HIDDEN
  sj_path_range path;  // of glyph runs only the box
  stijl_matrix transform;
  union {
    uint32_t stroke;  // strokes: index
    uint32_t run;     // glyph runs: index
  };
  uint32_t paint;  // index; with K_DRAW_SOLID the premultiplied colour
  uint32_t blend, opacity;
  bool clip_is_rect;    // pushes: the clip path is an axis-aligned rectangle in its own space
  bool holds_mask;      // pushes: a mask acts on the layer
  bool holds_blend;     // pushes: a layer directly inside this one has a blend mode other than normal
  bool holds_backdrop;  // pushes: the filter of a layer directly inside this one reads what is below it
  uint32_t filter;      // pushes: 0, or 1 + index
} sj_draw;

// Outlines that are drawn together. Their instances follow one another in the scene's array, and so do their matrices.
typedef struct sj_glyph_run {
  uint32_t instance, instance_count;
  uint32_t matrix, matrix_count;
  uint32_t segments;  // of all instances together
} sj_glyph_run;

// The filter of a layer.
typedef struct sj_layer_filter {
  stijl_filter *filter;
  stijl_matrix transform;  // from its user space, as it is seen from the origin
  double x, y;             // that origin: 0, or for a block of a large canvas a place in it (block.h)
  uint32_t scenes;         // the first of `filter_scenes`: the scenes within that it draws, in the order of its nodes
  // What is found when the scene is finished. `shape` is the first filter of the scene that differs in nothing but its
  // regions, which may be this one, or SJ_NO_SHAPE where plans are not shared. The regions are in the order of the
  // nodes, each once.
  uint32_t shape;
  uint32_t regions, region_count;  // of `filter_regions`
  uint32_t result_region;          // 1 + the region of the result; 0: it has none
} sj_layer_filter;

#define SJ_NO_SHAPE UINT32_MAX
#define SJ_SHAPE_REGIONS 4  // the most that a filter with a shape has

// A scene within this one, which draws and paints show. Its draws are among `inner`, and what they refer to is in the
// arrays of this scene. Scenes within it come before it in the array.
typedef struct sj_subscene {
  uint64_t serial;        // of the scene that was embedded
  uint32_t first, count;  // of `inner`
  uint32_t depth;         // how deep layers are nested, including those of scenes within it
  uint32_t nesting;       // how deep scenes are nested; 1: no scene is within it
  uint64_t drawn;         // draws, with those of scenes within it, each time that they are shown
  bool blends;            // an outermost layer has a blend mode other than normal
  bool backdrops;         // the filter of an outermost layer reads what is below it
  uint32_t extent;        // what stijl_scene_bounds returns
  stijl_rect box;
} sj_subscene;

// A stroke as recorded.
typedef struct sj_stroke {
  float half_width, miter_limit;
  uint32_t cap, join;
  bool aliased;      // no thinner than a pixel
  bool own_pen;      // `pen` is used; else the draw's transform applies to the pen as well
  stijl_matrix pen;  // from the pen's space to the scene's
} sj_stroke;

// Returns how far a miter may reach, in half widths. Whether it is within its limit follows from 1 + the cosine of the
// turn, which is rounded, so that the sharpest come out longer than that. A miter that is cut off at the limit has two
// corners there, each at most a half width beside its middle: sqrt(limit^2 + 1) <= limit + 1 / (2 limit).
static inline float sj_miter_reach(float limit, bool clipped) {
  float excess = limit * limit * 0x1p-22f;
  float reach = limit * (1.0f + (excess < 0.5f ? excess : 0.5f));
  return clipped ? reach + 0.5f / limit : reach;
}

// Returns the limit that is used. No miter is longer than 1415 half widths, because joins that turn back further are
// bevels (`one_plus` in kernel/stroke.h). Kernels get the square, which must not be infinite, because GPUs need not
// have infinities.
static inline float sj_miter_limit(const sj_stroke *stroke) {
  const float most = 2048.0f;
  return stroke->miter_limit < most ? stroke->miter_limit : most;
}

// Returns how far from its path a stroke may reach, in half widths.
static inline float sj_stroke_reach(const sj_stroke *stroke) {
  bool mitered = stroke->join == STIJL_JOIN_MITER || stroke->join == STIJL_JOIN_MITER_CLIP;
  float square_caps = 1.4142136f;
  if (!mitered) return square_caps;
  float reach = sj_miter_reach(sj_miter_limit(stroke), stroke->join == STIJL_JOIN_MITER_CLIP);
  return reach > square_caps ? reach : square_caps;
}

// The glyph that an outline was made of.
typedef struct sj_outline_glyph {
  sj_glyph_name name;  // font 0: the outline is of no glyph
  sj_glyph_size size;
} sj_outline_glyph;

// A gradient, an image or a scene as recorded; the stops have become a ramp.
typedef struct sj_paint {
  uint32_t kind;    // stijl_paint_kind
  uint32_t color;   // as k_paint.color
  uint32_t source;  // ramp, image or scene within
  uint32_t spread_x, spread_y, sampling;
  bool opaque;
  stijl_point p0, p1;
  float r0, r1, start_angle, end_angle, lead_angle;
  stijl_matrix transform;
} sj_paint;

// Returns whether an image paints every pixel opaque, as sj_paint.opaque tells.
bool sj_image_paint_is_opaque(const sj_paint *paint, stijl_image *image);

// How many steps of 10 to 20 ns all unions of a scene may take: a quarter of a second.
#define SJ_UNION_STEPS ((uint64_t)1 << 24)

struct stijl_scene {
  stijl_context *context;
  stijl_scene_limits limits;
  stijl_result status;
  stijl_message message;
  bool finished;
  uint64_t input_bytes;  // of the document that it was made from; 0: the application recorded it
  uint64_t union_steps;  // that unions have taken, of SJ_UNION_STEPS
  uint64_t serial;       // of the finished scene as it is; no other scene of this process has the same, and none has 0
  uint64_t arrays;       // the serial of its points, segments, ramps and images, which most changes leave as they are
  // The numbers of draws that were changed since, in that order, behind `changes_before` earlier ones.
  SJ_ARRAY(uint32_t) changes;
  uint64_t changes_before;
  SJ_ARRAY(uint32_t) free_paints;  // those of draws that have become one colour since
  size_t ramps_added;              // since ramps that no paint has were given up
  SJ_ARRAY(k_vec) points;
  SJ_ARRAY(k_segment) segments;
  SJ_ARRAY(sj_draw) draws;
  SJ_ARRAY(sj_draw) inner;
  SJ_ARRAY(sj_subscene) subscenes;
  sj_pairs embedded;  // the index of each scene within, by its serial
  uint64_t drawn;     // as in sj_subscene
  uint32_t nesting;   // how deep scenes are within scenes
  bool blends, backdrops;
  SJ_ARRAY(sj_stroke) strokes;
  SJ_ARRAY(sj_path_range) outlines;
  sj_pairs names;  // the outlines of glyphs, by font and glyph
  // What exported files need to know of glyphs: `outline_glyphs` belong to the outlines, and `texts` to the instances.
  // Both may be shorter than these; what is beyond their ends is the glyph of nothing, and stands for no text.
  SJ_ARRAY(sj_outline_glyph) outline_glyphs;
  SJ_ARRAY(sj_glyph_text) texts;
  SJ_ARRAY(char) utf8;  // what `texts` are ranges of
  SJ_ARRAY(stijl_instance) instances;
  SJ_ARRAY(stijl_matrix) matrices;  // of outlines
  SJ_ARRAY(sj_glyph_run) runs;
  SJ_ARRAY(sj_paint) paints;
  SJ_ARRAY(sj_ramp) ramps;  // draws with the same gradient mostly share one
  SJ_ARRAY(k_ramp_piece) ramp_pieces;
  SJ_ARRAY(stijl_image *) images;
  SJ_ARRAY(sj_layer_filter) filters;
  SJ_ARRAY(uint32_t) filter_scenes;
  SJ_ARRAY(stijl_rect) filter_regions;
  SJ_ARRAY(uint32_t) open;  // the draws that pushed the open layers
  uint32_t depth;           // the deepest nesting
};

// Makes the scene fail, if it has not failed before.
__attribute__((format(printf, 3, 4))) void sj_scene_fail(stijl_scene *scene, stijl_result result, const char *format,
                                                         ...);

// Makes the scene fail because of a call's parameters; scene->message tells why already.
static inline void sj_scene_refuse(stijl_scene *scene) { scene->status = STIJL_ERROR_INVALID_ARGUMENT; }

// Converts a path to segments. Fills close every subpath. Strokes mark caps and joins, and leave out pieces without
// length, and lines that repeat one of the last; `width` is theirs, in the path's units. `unfolds` says that caps look
// as joins do where a stroke turns back; then lines there and back are one line with caps. Returns false when the scene
// has failed.
bool sj_scene_add_fill_path(stijl_scene *scene, const stijl_path *path, sj_path_range *out);
bool sj_scene_add_stroke_path(stijl_scene *scene, const stijl_path *path, float width, bool unfolds,
                              sj_path_range *out);

// An outline.
typedef struct sj_outline {
  const stijl_path *path;
  stijl_path *own;  // NULL: it belongs to the path that it is made of
} sj_outline;

// Finds the outline of what the fill or stroke of a path covers. Returns false where the path does not overlap itself,
// or so much that a union would take too long; then it is drawn as it is. `unfolds` is as above, and `flags` are those
// of the draw. `transform` tells how large it is; where it is NULL, that is not known.
bool sj_unite_fill(stijl_scene *scene, const stijl_path *path, uint32_t flags, const stijl_matrix *transform,
                   sj_outline *out);
bool sj_unite_stroke(stijl_scene *scene, const stijl_path *path, const stijl_stroke *stroke, bool unfolds,
                     const stijl_matrix *transform, sj_outline *out);
// Finds the outline of a stroke whose sides do not overlap inside of corners. Returns false where there is none, as a
// curve bends tighter than the pen.
bool sj_cut_corners(stijl_scene *scene, const stijl_path *path, const stijl_stroke *stroke,
                    const stijl_matrix *transform, sj_outline *out);

// Returns whether a stroke may overlap itself where that is seen.
bool sj_scene_stroke_overlaps(stijl_scene *scene, const stijl_path *path, const stijl_stroke *stroke, bool unfolds);
// Returns whether it has corners whose sides overlap so much that it is seen.
bool sj_scene_stroke_has_spikes(const stijl_scene *scene, const stijl_path *path, const stijl_stroke *stroke);
// Does what sj_scene_add_fill_path does, but contours that overlap become the outline of what is inside, and those that
// lie beside one another run in one direction. Returns false when the scene has failed.
bool sj_scene_add_shape(stijl_scene *scene, const stijl_path *path, uint32_t flags, const stijl_matrix *transform,
                        sj_path_range *out);
// Returns whether a fill may have contours to turn: there are some of both directions, and none is around all others,
// as the outline of a letter is around its holes.
bool sj_scene_may_orient(const stijl_scene *scene, const sj_path_range *path);
// Lets contours that lie beside one another run in one direction. Returns false when the scene has failed.
bool sj_scene_orient(stijl_scene *scene, const sj_path_range *path);
// Turns all contours of a fill if most of its area is wound backwards.
void sj_scene_turn_forwards(stijl_scene *scene, const sj_path_range *path);

// Finds how far a run reaches and how many segments it has. Returns false if one of its numbers is out of range.
bool sj_scene_measure_run(const stijl_scene *scene, sj_glyph_run *run, stijl_rect *box);
// Notes which glyph an outline is of; the second function notes which ranges of `utf8` the instances from `first` on
// stand for. Returns false when memory is short.
bool sj_scene_name_outline(stijl_scene *scene, uint32_t outline, const sj_outline_glyph *glyph);
bool sj_scene_note_text(stijl_scene *scene, uint32_t first, const sj_glyph_text *texts, uint32_t count,
                        const char *utf8);
// Returns whether draws may be recorded. If the scene is finished, it fails.
bool sj_scene_recording(stijl_scene *scene);
// Adds a draw. Returns false when the scene has failed.
bool sj_scene_add_draw(stijl_scene *scene, const sj_draw *draw);

// Returns the end of a layer, which comes behind its begin in the same list.
static inline const sj_draw *sj_layer_end(const sj_draw *push) {
  const sj_draw *draw = push;
  for (uint32_t depth = 1; depth;) {
    draw++;
    depth += draw->op == K_DRAW_PUSH;
    depth -= draw->op == K_DRAW_POP;
  }
  return draw;
}

// Returns a point as scenes store it. Subnormal coordinates are zero to some GPUs, and matrices of 2^100 and more would
// make the difference visible.
static inline k_vec sj_without_subnormals(k_vec p) {
  return k_vec_make(k_keep(k_abs(p.x) >= 0x1p-126f, p.x), k_keep(k_abs(p.y) >= 0x1p-126f, p.y));
}

// Finds how far a path reaches, and about how many lines it becomes. Its segments are those of the range.
void sj_scene_measure_path(const stijl_scene *scene, sj_path_range *path);
// Finds the box of what a draw can touch. Returns STIJL_EXTENT_EMPTY for what only arranges other draws.
stijl_extent sj_scene_draw_extent(const stijl_scene *scene, const sj_draw *draw, stijl_rect *box);
// Does what stijl_scene_bounds does, for some of the draws.
stijl_extent sj_scene_extent(const stijl_scene *scene, const sj_draw *draws, size_t count, stijl_rect *out);
// Finds the shapes of the scene's filters.
void sj_scene_find_shapes(stijl_scene *scene);
// Returns a number that no scene of this process has.
uint64_t sj_scene_next_serial(void);
// Returns how often the scene was changed.
static inline uint64_t sj_scene_changes(const stijl_scene *scene) {
  return scene->changes_before + scene->changes.count;
}
// Returns whether the changes from number `seen` on are known, of a scene whose arrays have had this serial then.
static inline bool sj_scene_knows_changes(const stijl_scene *scene, uint64_t arrays, uint64_t seen) {
  return scene->arrays == arrays && seen >= scene->changes_before && seen <= sj_scene_changes(scene);
}

// Keeps another scene within this one, and sets *out to its index. Returns false when the scene has failed.
bool sj_scene_embed(stijl_scene *scene, const stijl_scene *other, uint32_t *out);

// Returns whether a paint, which has the size of this version's struct, has valid values. If not, the scene fails.
bool sj_scene_check_paint(stijl_scene *scene, const stijl_paint *paint);
// Lets the end circle of a radial gradient reach a focus that lies outside of it by what rounding may have moved it:
// else a gradient whose focus was meant to lie on the circle becomes a cone, which leaves half of the plane unpainted.
void sj_paint_meet_focus(stijl_paint *paint);
// Gives the draw its colour, or records its paint. Returns false when the scene has failed or the paint draws nothing.
bool sj_scene_add_paint(stijl_scene *scene, const stijl_paint *paint, sj_draw *draw);

#endif
