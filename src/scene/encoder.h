// What the files that encode a scene share.
#ifndef SJ_SCENE_ENCODER_H
#define SJ_SCENE_ENCODER_H

#include "base/hash.h"
#include "base/pairs.h"
#include "geometry/matrix.h"
#include "scene/encoded.h"

// A layer that is open while draws are encoded.
typedef struct sj_level {
  uint32_t push;        // its draw in the output
  stijl_irect limits;   // pixels that may be drawn in it
  stijl_irect content;  // the box of what has been drawn in it
  bool transparent;     // the output has no layer for it, because all it does is to limit what is drawn
  uint32_t depth;       // how many layers of the output are open, including this one
  bool mask;
  bool filter;   // what is drawn in it is the source of the filter that was opened last
  bool gathers;  // what is drawn in it lies below a layer whose filter reads it; it ends where that layer begins
} sj_level;

// Draws of the scene that follow one another, and that can be encoded by several threads.
typedef struct sj_draw_row {
  const sj_draw *first, *end;
} sj_draw_row;

// Recorded draws that are being encoded: those of a pass, or of a scene within it.
typedef struct sj_run {
  const sj_draw *at, *end;
  const sj_draw_row *row;  // the next one among them, or NULL
  bool placed;             // whether `place` is used
  stijl_matrix place;      // from the space of these draws to that of the pass
} sj_run;

// The part of a tile that a surface has, in pixels of the whole tile.
typedef struct sj_tile_part {
  int whole_width, whole_height;
  int x, y, width, height;
} sj_tile_part;

// A surface that some paint samples: a part of a rectangle of a scene within.
typedef struct sj_tile {
  uint32_t subscene;
  sj_tile_part part;
  stijl_point p0, p1;  // of the whole rectangle
  uint32_t reader;     // the last scene within, in the order of drawing, that samples it; SJ_ROOT: the scene itself
  // Whether it is a filter's source or result. Its pass is encoded already, its readers are still looked for, and
  // `part` has its pixels of the pass.
  bool filter;
} sj_tile;

// What encoding knows of a glyph beside its k_glyph.
typedef struct sj_known_glyph {
  stijl_rect box;     // of its control points, around its origin
  stijl_irect fixed;  // the pixels of the box and one more on each side, in 24.8 fixed point
  bool far;           // whether the box alone may leave the guard band
} sj_known_glyph;

// The last glyph that was made of an outline, and its form.
typedef struct sj_last_glyph {
  uint32_t form, glyph;
} sj_last_glyph;

// A filter whose layer is open.
typedef struct sj_open_filter {
  const sj_layer_filter *filter;
  sj_filter_target target;
  // From its user space to that of the pass; and the encoder's view, which is restored at the end.
  stijl_matrix place, view;
  // Under a rotation or a skew, filters work in pixels of their own. Their axes are those of user space, and their
  // origin is near the middle of the canvas, so that their numbers are small. The matrices go from the pixels of the
  // pass to these, and back.
  bool turned;
  stijl_matrix to_filter, to_pass;
  stijl_irect canvas;     // the encoder's, restored at the end
  stijl_irect of_canvas;  // what is wanted of the result for the whole canvas
  uint32_t depth, push;   // the encoder's depth, restored at the end; and where the filter's draws begin
  bool shared;            // whether sj_find_plan finds its plan; else it has its own:
  uint32_t plan;          // a plan that is begun, for any `target.wanted`
  stijl_irect regions[SJ_SHAPE_REGIONS];  // of a shared plan, in pixels
  uint32_t below;                         // the surface of what lies below, or SJ_FILTER_NO_STEP
} sj_open_filter;

// All that a plan follows from, relative to its corner.
typedef struct sj_plan_key {
  uint32_t shape, executed;
  float scale_x, scale_y;
  stijl_irect content, wanted, regions[SJ_SHAPE_REGIONS];
} sj_plan_key;

#define SJ_PLAN_SLOTS 4096  // a hash table of plans: each key has two slots, which the latest plans take
#define SJ_MOST_PLANS 1024  // how many plans are kept from frame to frame

// Where a pass is divided: its draws up to `end` are drawn right after the entries before `order`.
typedef struct sj_cut {
  uint32_t end, order;
} sj_cut;

// A pass, and what it is sorted by. Passes of one scene within are made in their order.
typedef struct sj_entry {
  k_pass pass;
  uint32_t subscene, order;
  bool kept;  // its draws are among `kept`
} sj_entry;

#define SJ_ROOT UINT32_MAX

typedef struct sj_encoder {
  stijl_context *context;
  const stijl_scene *scene;
  sj_encoded *out;
  bool failed;  // memory is out
  sj_spender spender;
  // The pass at work.
  stijl_matrix view;  // from the scene to its pixels
  uint32_t subscene;  // what the pass draws; SJ_ROOT: the target
  // What the target shows: a scene within, or SJ_ROOT, the scene itself; and what it begins with, which is
  // premultiplied and a draw of its own. 0: nothing, or the backend's to paint.
  uint32_t root, background;
  uint32_t depth;
  stijl_irect canvas;  // the pixels that may be wanted of it in another region
  SJ_ARRAY(sj_level) levels;
  SJ_ARRAY(sj_open_filter) filters;
  SJ_ARRAY(uint32_t) slots;    // the hash table of plans, by their numbers
  SJ_ARRAY(sj_plan_key) keys;  // one for each of the output's plans
  uint64_t plans_of;           // the scene whose filters the plans are for; 0: some are for this frame only
  SJ_ARRAY(sj_run) runs;       // the innermost comes last
  SJ_ARRAY(sj_draw_row) rows;  // the rows (encode_parts.h) of the scene `rows_of`; 0: of none
  uint64_t rows_of;
  SJ_ARRAY(struct sj_draws_part) parts;
  struct sj_picture_parts *pictures;  // or NULL (encode_pictures.c)
  // The transform and the stroke of the draw before, and what was computed from them: most draws have the same.
  const stijl_matrix *transform;
  stijl_matrix to_device;
  bool finite;
  const sj_stroke *stroke;  // NULL: no pen was computed for `transform` yet
  bool has_width;
  uint32_t pen;
  uint32_t fade;  // 0..255: how much of the colour remains of a stroke that was widened to a pixel
  // Glyphs. A form is the matrix from outlines to device pixels without its translation.
  SJ_ARRAY(stijl_matrix) forms;
  SJ_ARRAY(sj_known_glyph) known;       // one for each of the output's
  sj_pairs glyph_numbers;               // of glyphs, by outline and form
  SJ_ARRAY(sj_last_glyph) last_glyphs;  // one for each outline
  SJ_ARRAY(sj_entry) entries;
  uint32_t order;  // of the next entry
  // Whether passes are divided behind each result of a filter that they paint, because its memory is free then.
  bool divided;
  SJ_ARRAY(sj_cut) cuts;    // of the passes that are being encoded
  uint32_t target_end;      // draws of the target's pass
  sj_draw_list kept;        // draws of passes that ended while another was being encoded
  bool too_large;           // a filter needs a surface larger than images may be
  uint32_t below;           // the surface of what lies below the layer that begins; SJ_FILTER_NO_STEP
  SJ_ARRAY(sj_tile) tiles;  // by the numbers of surfaces
  sj_pairs tile_numbers;    // of surfaces, by a hash of what they show
  sj_hash_key tile_hash;
} sj_encoder;

// Does what the function of this name in kernel/place.h does, for the public structures.
static inline bool sj_is_far(stijl_rect r) { return k_is_far(sj_to_box(r)); }
static inline stijl_irect sj_pixels_of(stijl_rect r) {
  k_pixels p = k_pixels_of(sj_to_box(r));
  return (stijl_irect){p.x0, p.y0, p.x1, p.y1};
}

#endif
