// Scenes: a recording of draws and layers, in painting order.
//
// Recording calls return nothing: the first failure sticks and stijl_scene_finish reports it, with a message. After
// finish a scene never changes, until it is reset, and may be rendered by several threads at a time. Everything passed
// in is copied or referenced by the scene; paths, images and stop arrays may be changed or destroyed as soon as the
// call returns.
#ifndef STIJL_SCENE_H
#define STIJL_SCENE_H

#include "stijl/image.h"
#include "stijl/path.h"

#ifdef __cplusplus
extern "C" {
#endif

// Straight (not premultiplied) sRGB, 0..1; values outside are clamped.
typedef struct stijl_color {
  float r, g, b, a;
} stijl_color;

// A colour as CSS Color 4 writes it ("teal", "#ff8000", "rgb(0 0 0 / 50%)"), but not currentColor.
// STIJL_ERROR_MALFORMED, with *out untouched, for other text.
STIJL_API stijl_result stijl_color_parse(const char *text, stijl_color *out);

typedef struct stijl_stop {
  float offset;  // 0..1, clamped, and never less than the offset before it
  stijl_color color;
} stijl_stop;

typedef enum stijl_paint_kind {
  STIJL_PAINT_SOLID,
  STIJL_PAINT_LINEAR,  // from p0 (offset 0) to p1 (offset 1)
  STIJL_PAINT_RADIAL,  // from the circle p0, r0 (the focal point) to the circle p1, r1
  // Around p0, from `start_angle` (offset 0) to `end_angle` (offset 1): clockwise where y points down, counterclockwise
  // where `end_angle` is the smaller one. It turns once, from `start_angle` on; beyond `end_angle` its spread goes on.
  STIJL_PAINT_SWEEP,
  STIJL_PAINT_IMAGE,  // pixel (0, 0) of the image covers the unit square at the origin of the paint's space
  // What a scene draws in its rectangle p0..p1, at the same place in the paint's space, repeated by `spread_x` and
  // `spread_y`. It is drawn for each frame with the pixels that the target asks for, and then sampled like an image.
  STIJL_PAINT_SCENE
} stijl_paint_kind;

typedef struct stijl_scene stijl_scene;

typedef enum stijl_spread {
  STIJL_SPREAD_PAD,
  STIJL_SPREAD_REPEAT,
  STIJL_SPREAD_REFLECT,
  STIJL_SPREAD_NONE  // images and scenes only: transparent outside
} stijl_spread;

typedef enum stijl_sampling {
  STIJL_SAMPLING_NEAREST,
  STIJL_SAMPLING_BILINEAR,
  STIJL_SAMPLING_BICUBIC  // Catmull-Rom
} stijl_sampling;

typedef struct stijl_paint {
  size_t size;  // bytes of this struct; set by the initialiser
  stijl_paint_kind kind;
  float opacity;      // multiplies everything, 0..1
  stijl_color color;  // solid
  stijl_point p0, p1;
  float r0, r1;
  float start_angle, end_angle;  // degrees
  const stijl_stop *stops;       // gradients; colours are interpolated straight, as SVG does. None: draws nothing
  size_t stop_count;
  const stijl_image *image;
  stijl_spread spread_x;  // gradients use this one
  stijl_spread spread_y;
  stijl_sampling sampling;
  stijl_matrix transform;    // from the paint's space to the space the path is given in
  const stijl_scene *scene;  // finished; what is recorded keeps what it needs of it
  // No anti-aliasing: fills and strokes paint whole pixels, those whose centre lies inside. Strokes thinner than a
  // pixel are one pixel wide, and fainter in turn.
  bool aliased;
  // Sweeps: the turn begins this many degrees before `start_angle`, which the spread has, too. A double, since a float
  // would lie in what was padding.
  double lead_angle;
} stijl_paint;

#define STIJL_PAINT_INIT                                                                                              \
  {                                                                                                                   \
    sizeof(stijl_paint), STIJL_PAINT_SOLID, 1.0f, {0.0f, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f}, {0.0f, 0.0f}, 0.0f, 0.0f,   \
        0.0f, 0.0f, NULL, 0, NULL, STIJL_SPREAD_PAD, STIJL_SPREAD_PAD, STIJL_SAMPLING_NEAREST, STIJL_MATRIX_IDENTITY, \
        NULL, false, 0.0                                                                                              \
  }
STIJL_API void stijl_paint_init(stijl_paint *paint, size_t size);

// Compiled into the program, so that a paint has the size of the program's header.
static inline stijl_paint stijl_paint_solid(stijl_color color) {
  stijl_paint paint = STIJL_PAINT_INIT;
  paint.color = color;
  return paint;
}

static inline stijl_paint stijl_paint_linear(stijl_point p0, stijl_point p1, const stijl_stop *stops,
                                             size_t stop_count) {
  stijl_paint paint = STIJL_PAINT_INIT;
  paint.kind = STIJL_PAINT_LINEAR;
  paint.p0 = p0;
  paint.p1 = p1;
  paint.stops = stops;
  paint.stop_count = stop_count;
  return paint;
}

static inline stijl_paint stijl_paint_radial(stijl_point center, float radius, stijl_point focus, float focus_radius,
                                             const stijl_stop *stops, size_t stop_count) {
  stijl_paint paint = STIJL_PAINT_INIT;
  paint.kind = STIJL_PAINT_RADIAL;
  paint.p0 = focus;
  paint.r0 = focus_radius;
  paint.p1 = center;
  paint.r1 = radius;
  paint.stops = stops;
  paint.stop_count = stop_count;
  return paint;
}

static inline stijl_paint stijl_paint_sweep(stijl_point center, float start_angle, float end_angle,
                                            const stijl_stop *stops, size_t stop_count) {
  stijl_paint paint = STIJL_PAINT_INIT;
  paint.kind = STIJL_PAINT_SWEEP;
  paint.p0 = center;
  paint.start_angle = start_angle;
  paint.end_angle = end_angle;
  paint.stops = stops;
  paint.stop_count = stop_count;
  return paint;
}

static inline stijl_paint stijl_paint_image(const stijl_image *image, stijl_sampling sampling) {
  stijl_paint paint = STIJL_PAINT_INIT;
  paint.kind = STIJL_PAINT_IMAGE;
  paint.image = image;
  paint.sampling = sampling;
  return paint;
}

// A pattern: the scene's rectangle `tile`, repeated in both directions.
static inline stijl_paint stijl_paint_scene(const stijl_scene *scene, stijl_rect tile) {
  stijl_paint paint = STIJL_PAINT_INIT;
  paint.kind = STIJL_PAINT_SCENE;
  paint.scene = scene;
  paint.p0.x = tile.x0;
  paint.p0.y = tile.y0;
  paint.p1.x = tile.x1;
  paint.p1.y = tile.y1;
  paint.spread_x = paint.spread_y = STIJL_SPREAD_REPEAT;
  paint.sampling = STIJL_SAMPLING_BILINEAR;
  return paint;
}

typedef enum stijl_fill_rule { STIJL_FILL_NONZERO, STIJL_FILL_EVENODD } stijl_fill_rule;

typedef enum stijl_cap { STIJL_CAP_BUTT, STIJL_CAP_ROUND, STIJL_CAP_SQUARE } stijl_cap;
typedef enum stijl_join {
  STIJL_JOIN_MITER,
  STIJL_JOIN_ROUND,
  STIJL_JOIN_BEVEL,
  STIJL_JOIN_MITER_CLIP  // a miter that is cut off at the limit instead of bevelled (SVG 2)
} stijl_join;

typedef struct stijl_stroke {
  size_t size;  // bytes of this struct; set by the initialiser
  float width;  // in the space of the path; > 0, or nothing is drawn
  stijl_cap cap;
  stijl_join join;
  float miter_limit;    // ratio of miter length to width, >= 1; sharper corners are bevelled
  const float *dashes;  // on, off, on, ...; an odd count is repeated to an even one; NULL: solid
  size_t dash_count;
  float dash_offset;
  // The space in which the pen is a circle of `width` and dashes are measured, as the transform from that space to
  // the scene. NULL: the space of the path. For SVG's non-scaling-stroke.
  const stijl_matrix *pen;
} stijl_stroke;

#define STIJL_STROKE_INIT \
  { sizeof(stijl_stroke), 1.0f, STIJL_CAP_BUTT, STIJL_JOIN_MITER, 4.0f, NULL, 0, 0.0f, NULL }
STIJL_API void stijl_stroke_init(stijl_stroke *stroke, size_t size);

typedef enum stijl_blend {
  STIJL_BLEND_NORMAL,
  STIJL_BLEND_MULTIPLY,
  STIJL_BLEND_SCREEN,
  STIJL_BLEND_OVERLAY,
  STIJL_BLEND_DARKEN,
  STIJL_BLEND_LIGHTEN,
  STIJL_BLEND_COLOR_DODGE,
  STIJL_BLEND_COLOR_BURN,
  STIJL_BLEND_HARD_LIGHT,
  STIJL_BLEND_SOFT_LIGHT,
  STIJL_BLEND_DIFFERENCE,
  STIJL_BLEND_EXCLUSION,
  STIJL_BLEND_HUE,
  STIJL_BLEND_SATURATION,
  STIJL_BLEND_COLOR,
  STIJL_BLEND_LUMINOSITY,
  STIJL_BLEND_PLUS_LIGHTER  // the sum of both, as CSS has it for cross-fading
} stijl_blend;

// A layer is drawn by itself on transparent pixels (isolated), then clipped, masked, faded and blended as one picture.
typedef struct stijl_layer {
  size_t size;             // bytes of this struct; set by the initialiser
  float opacity;           // 0..1
  stijl_blend blend;       // with what lies below the layer
  const stijl_path *clip;  // NULL: not clipped. An empty path clips everything away
  stijl_fill_rule clip_rule;
  const stijl_matrix *clip_transform;  // NULL: identity
  // What the layer's picture goes through first (stijl/filter.h); NULL: none. The filter does not change any more
  // afterwards. The transform takes the filter's user space to the scene; NULL: identity.
  const struct stijl_filter *filter;
  const stijl_matrix *filter_transform;
} stijl_layer;

typedef struct stijl_filter stijl_filter;

#define STIJL_LAYER_INIT \
  { sizeof(stijl_layer), 1.0f, STIJL_BLEND_NORMAL, NULL, STIJL_FILL_NONZERO, NULL, NULL, NULL }
STIJL_API void stijl_layer_init(stijl_layer *layer, size_t size);

typedef enum stijl_mask {
  STIJL_MASK_ALPHA,
  STIJL_MASK_LUMINANCE,        // that of SVG's masks: sRGB coefficients 0.2125, 0.7154, 0.0721 times alpha
  STIJL_MASK_LUMINANCE_LINEAR  // the same of linear colours: SVG's color-interpolation: linearRGB
} stijl_mask;

typedef struct stijl_scene_limits {
  size_t size;            // bytes of this struct; set by the initialiser
  uint64_t max_segments;  // path segments of the whole scene, dashes counted, those of scenes within once; default
                          // 2^26. A stroke that would have more dashes is drawn solid, with a warning
  uint32_t max_draws;     // draws and layers, those of scenes within counted each time they are shown; default 2^24
  uint32_t max_layers;    // nesting; default 65536
} stijl_scene_limits;

#define STIJL_SCENE_LIMITS_INIT \
  { sizeof(stijl_scene_limits), (uint64_t)1 << 26, 1u << 24, 65536 }
STIJL_API void stijl_scene_limits_init(stijl_scene_limits *limits, size_t size);

// `limits` NULL: the defaults.
STIJL_API stijl_result stijl_scene_create(stijl_context *context, const stijl_scene_limits *limits, stijl_scene **out);
STIJL_API void stijl_scene_destroy(stijl_scene *scene);
// Back to an empty scene that records anew, under the same limits; an error is forgotten. The memory is kept, so that
// an application which records every frame pays for it once. As with destroy, nobody may be drawing the scene.
STIJL_API void stijl_scene_reset(stijl_scene *scene);

// `transform` (NULL: identity) takes the path, and the paint with it, to the space of the scene. Contours that lie
// beside one another may be turned to one direction, which neither rule can tell, so that there is no seam where they
// meet.
STIJL_API void stijl_scene_fill(stijl_scene *scene, const stijl_path *path, stijl_fill_rule rule,
                                const stijl_matrix *transform, const stijl_paint *paint);
// Fills `count` paths as one shape: the polygons of one class of a map, the triangles of a mesh. The rule counts the
// windings of all of them, and each path counts as if it ran in the same direction as the others: by the non-zero rule
// what is filled is what any of them contains. So there is no seam where they meet, as there is between paths that are
// filled one after the other, each over half of the pixels between them. The paths are the caller's; a NULL among them
// is an error.
STIJL_API void stijl_scene_fill_paths(stijl_scene *scene, const stijl_path *const *paths, size_t count,
                                      stijl_fill_rule rule, const stijl_matrix *transform, const stijl_paint *paint);
STIJL_API void stijl_scene_stroke(stijl_scene *scene, const stijl_path *path, const stijl_stroke *stroke,
                                  const stijl_matrix *transform, const stijl_paint *paint);

// --- Glyph runs ---
//
// Outlines that are drawn at many places, as those of a font's glyphs are, are in a scene once; runs refer to them.

// An outline in units of its own, such as those of a font. Its number is for runs of this scene, until it is reset; 0
// where the scene has failed.
STIJL_API uint32_t stijl_scene_add_outline(stijl_scene *scene, const stijl_path *outline);

// An outline at some place.
typedef struct stijl_instance {
  uint32_t outline;  // what stijl_scene_add_outline told
  uint32_t matrix;   // which of the run's
  float x, y;        // where its origin is, in the space of the run
} stijl_instance;

typedef struct stijl_glyph_run {
  size_t size;  // bytes of this struct; set by the initialiser
  const stijl_instance *instances;
  size_t instance_count;
  const stijl_matrix
      *matrices;  // from an outline's units to the space of the run, around its origin. NULL: the identity
  size_t matrix_count;
} stijl_glyph_run;

#define STIJL_GLYPH_RUN_INIT \
  { sizeof(stijl_glyph_run), NULL, 0, NULL, 0 }
STIJL_API void stijl_glyph_run_init(stijl_glyph_run *run, size_t size);

// Fills all outlines of a run as one path, by the non-zero rule: where they overlap they are painted once. The run's
// space is what stijl_scene_fill calls that of the path. Outlines are placed on a grid of 1/256 pixel.
STIJL_API void stijl_scene_fill_glyphs(stijl_scene *scene, const stijl_glyph_run *run, const stijl_matrix *transform,
                                       const stijl_paint *paint);

// The image with its top left corner at the origin, one pixel a unit.
STIJL_API void stijl_scene_image(stijl_scene *scene, const stijl_image *image, stijl_sampling sampling, float opacity,
                                 const stijl_matrix *transform);
// Everything, to the borders of the target.
STIJL_API void stijl_scene_fill_all(stijl_scene *scene, const stijl_paint *paint);

// Begins a layer, and ends the one that was begun last: what is drawn between the two is in it. Every layer has
// to be ended before the scene is finished.
STIJL_API void stijl_scene_push_layer(stijl_scene *scene, const stijl_layer *layer);
STIJL_API void stijl_scene_pop_layer(stijl_scene *scene);
// What is drawn between these two becomes the mask of the layer around it, of everything that was drawn in that layer
// before. Where nothing is drawn, nothing of the layer remains.
STIJL_API void stijl_scene_push_mask(stijl_scene *scene, stijl_mask mask);
STIJL_API void stijl_scene_pop_mask(stijl_scene *scene);

// Draws all of a finished scene within this one. Its draws and paths are kept once, however often it is added or
// painted with.
STIJL_API void stijl_scene_add_scene(stijl_scene *scene, const stijl_scene *other, const stijl_matrix *transform);

// The memory that the recording takes, images and filters apart.
STIJL_API uint64_t stijl_scene_bytes(const stijl_scene *scene);

// Ends the recording; reports the first failure, if any (the scene then draws nothing).
STIJL_API stijl_result stijl_scene_finish(stijl_scene *scene);
// What the sticky error was, in one line; "" when there is none. Valid until the scene is destroyed.
STIJL_API const char *stijl_scene_message(const stijl_scene *scene);

typedef enum stijl_extent {
  STIJL_EXTENT_EMPTY,    // nothing is drawn
  STIJL_EXTENT_BOUNDED,  // all that is drawn lies within a box
  STIJL_EXTENT_INFINITE  // drawn to the borders of any target
} stijl_extent;

// How far the scene reaches. *out: a box that holds everything it can touch where it is bounded, else zeroed.
STIJL_API stijl_extent stijl_scene_bounds(const stijl_scene *scene, stijl_rect *out);

// --- Saved scenes ---
//
// A scene as a file: for bug reports, for tests, and to draw it elsewhere. It holds the recording, not what was made of
// it for some target, and so fits every size; everything is in it, images too. Later versions of the library read it.

// What a saved scene was going to be drawn on.
typedef struct stijl_canvas {
  size_t size;        // bytes of this struct; set by the initialiser
  int width, height;  // pixels, 1..32767
  stijl_color background;
} stijl_canvas;

#define STIJL_CANVAS_INIT                                  \
  {                                                        \
    sizeof(stijl_canvas), 1, 1, { 0.0f, 0.0f, 0.0f, 0.0f } \
  }
STIJL_API void stijl_canvas_init(stijl_canvas *canvas, size_t size);

// `write` gets the file piece by piece, and returns false to stop (STIJL_ERROR_IO). The scene is finished and without
// error; `canvas` NULL: the default.
STIJL_API stijl_result stijl_scene_save(const stijl_scene *scene, const stijl_canvas *canvas,
                                        bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                        stijl_message *message);
// Whether the first bytes of a file are those of a saved scene.
STIJL_API bool stijl_scene_is_saved(const void *data, size_t bytes);
// The finished scene. Every field is checked: STIJL_ERROR_MALFORMED for a damaged file, STIJL_ERROR_UNSUPPORTED for one
// of a later version. `limits` (NULL: the defaults) apply as they do to recording. *canvas (may be NULL) is set; its
// size was set by the caller.
STIJL_API stijl_result stijl_scene_load(stijl_context *context, const void *data, size_t bytes,
                                        const stijl_scene_limits *limits, stijl_scene **out, stijl_canvas *canvas,
                                        stijl_message *message);

#ifdef __cplusplus
}
#endif
#endif
