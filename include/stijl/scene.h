// Scenes: recordings of draws and layers, in painting order.
//
// The calls that record return nothing. Instead the first failure sticks and later calls do nothing: stijl_scene_finish
// returns the failure, and stijl_scene_message tells what it was. A finished scene takes no further draws until it is
// reset, and several threads may render it at the same time; recording into it is a failure. A scene copies or
// references all that it is given, so that paths, images and arrays may be changed or destroyed as soon as the call
// returns.
#ifndef STIJL_SCENE_H
#define STIJL_SCENE_H

#include "stijl/image.h"
#include "stijl/path.h"

#ifdef __cplusplus
extern "C" {
#endif

// A colour in sRGB, straight (not premultiplied), with channels of 0..1. Values outside are moved to that range.
typedef struct stijl_color {
  float r, g, b, a;
} stijl_color;

// Sets *out to a colour that is written as in CSS Color 4 ("teal", "#ff8000", "rgb(0 0 0 / 50%)"); currentColor is
// none. Returns STIJL_ERROR_MALFORMED, and leaves *out as it is, for any other text.
STIJL_API stijl_result stijl_color_parse(const char *text, stijl_color *out);

// A colour of a gradient, and where it is.
typedef struct stijl_stop {
  float offset;  // from 0 to 1; values outside are moved there, and one below the stop before it to that one's offset
  stijl_color color;
} stijl_stop;

// What a paint's colours come from.
typedef enum stijl_paint_kind {
  STIJL_PAINT_SOLID,
  STIJL_PAINT_LINEAR,  // a gradient along the line from p0 (offset 0) to p1 (offset 1)
  STIJL_PAINT_RADIAL,  // a gradient from the circle p0, r0 (the focal circle, offset 0) to the circle p1, r1 (offset 1)
  // A gradient around p0, from `start_angle` (offset 0) to `end_angle` (offset 1): clockwise where y points down, and
  // counterclockwise if `end_angle` is the smaller one. The colours cover one turn from `start_angle` on; beyond
  // `end_angle` the spread continues them.
  STIJL_PAINT_SWEEP,
  STIJL_PAINT_IMAGE,  // an image, whose pixel (0, 0) covers the unit square at the origin of the paint's space
  // What a scene draws in its rectangle p0..p1, at the same place in the paint's space, repeated by `spread_x` and
  // `spread_y`. Each frame draws it once, at the resolution that the target needs, and then samples it like an image.
  STIJL_PAINT_SCENE
} stijl_paint_kind;

// A scene. One thread at a time may record it.
typedef struct stijl_scene stijl_scene;

// What a gradient, image or scene is beyond its ends.
typedef enum stijl_spread {
  STIJL_SPREAD_PAD,      // the colour of the nearest end
  STIJL_SPREAD_REPEAT,   // the same again
  STIJL_SPREAD_REFLECT,  // the same again, mirrored every other time
  STIJL_SPREAD_NONE      // transparent; only for images and scenes: gradients use STIJL_SPREAD_PAD instead
} stijl_spread;

// How an image's colour is found between its pixels' centres.
typedef enum stijl_sampling {
  STIJL_SAMPLING_NEAREST,
  STIJL_SAMPLING_BILINEAR,
  STIJL_SAMPLING_BICUBIC  // by the cubic of Catmull and Rom
} stijl_sampling;

// What a shape is filled with. Which fields count depends on the kind. A value that is not finite, or a negative
// radius, is STIJL_ERROR_INVALID_ARGUMENT.
typedef struct stijl_paint {
  size_t size;  // bytes of this struct; set by the initialiser
  stijl_paint_kind kind;
  float opacity;      // multiplies the alpha; 0..1, values outside are moved there
  stijl_color color;  // solid
  stijl_point p0, p1;
  float r0, r1;
  float start_angle, end_angle;  // degrees
  const stijl_stop *stops;  // gradients; straight colours are interpolated, as in SVG. Without stops nothing is drawn
  size_t stop_count;
  const stijl_image *image;
  stijl_spread spread_x;  // gradients use this one alone
  stijl_spread spread_y;
  stijl_sampling sampling;
  stijl_matrix transform;    // from the paint's space to that of the path
  const stijl_scene *scene;  // of STIJL_PAINT_SCENE; it must be finished, and may be destroyed once it is recorded
  // Turns anti-aliasing off: fills and strokes paint whole pixels, those whose centre lies inside. Strokes thinner than
  // a pixel are drawn one pixel wide, and fainter by as much.
  bool aliased;
  // Sweep gradients: the turn begins this many degrees before `start_angle`, and the spread gives its colours there
  // too. It is a double because a float would lie in bytes that were padding in earlier versions.
  double lead_angle;
} stijl_paint;

#define STIJL_PAINT_INIT                                                                                     \
  STIJL_INIT(stijl_paint, .kind = STIJL_PAINT_SOLID, .opacity = 1.0f, .color = {0.0f, 0.0f, 0.0f, 1.0f},     \
             .spread_x = STIJL_SPREAD_PAD, .spread_y = STIJL_SPREAD_PAD, .sampling = STIJL_SAMPLING_NEAREST, \
             .transform = STIJL_MATRIX_IDENTITY)
STIJL_API void stijl_paint_init(stijl_paint *paint, size_t size);

// The functions below return paints with the given fields, and defaults for the others. They are compiled into the
// program, so that a paint has the size that the program's header gives it.

// Returns a paint of one colour.
static inline stijl_paint stijl_paint_solid(stijl_color color) {
  stijl_paint paint = STIJL_PAINT_INIT;
  paint.color = color;
  return paint;
}

// Returns a gradient along the line from p0 to p1.
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

// Returns a gradient from the circle of the focus to the circle around `center`.
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

// Returns a gradient around `center`, between two angles in degrees.
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

// Returns a paint of an image, which lies in the paint's space with one pixel per unit.
static inline stijl_paint stijl_paint_image(const stijl_image *image, stijl_sampling sampling) {
  stijl_paint paint = STIJL_PAINT_INIT;
  paint.kind = STIJL_PAINT_IMAGE;
  paint.image = image;
  paint.sampling = sampling;
  return paint;
}

// Returns a pattern: the scene's rectangle `tile`, repeated in both directions.
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

// Which points a path that winds around them encloses, as SVG's fill-rule has it.
typedef enum stijl_fill_rule { STIJL_FILL_NONZERO, STIJL_FILL_EVENODD } stijl_fill_rule;

// How the ends of a stroke look, as SVG's stroke-linecap has it.
typedef enum stijl_cap { STIJL_CAP_BUTT, STIJL_CAP_ROUND, STIJL_CAP_SQUARE } stijl_cap;
// How the corners of a stroke look, as SVG's stroke-linejoin has it.
typedef enum stijl_join {
  STIJL_JOIN_MITER,
  STIJL_JOIN_ROUND,
  STIJL_JOIN_BEVEL,
  STIJL_JOIN_MITER_CLIP  // a miter that is cut off at the limit instead of bevelled (SVG 2's miter-clip)
} stijl_join;

// How a path is stroked. A value that is not finite is STIJL_ERROR_INVALID_ARGUMENT.
typedef struct stijl_stroke {
  size_t size;  // bytes of this struct; set by the initialiser
  float width;  // in the space of the path; nothing is drawn unless it is above 0
  stijl_cap cap;
  stijl_join join;
  float miter_limit;    // the longest miter, as a multiple of the width; 1 or more. Sharper corners are bevelled
  const float *dashes;  // lengths that are on, off, on, ...; an odd list is taken twice. NULL draws a solid stroke
  size_t dash_count;
  // Where in the dashes the path begins, as a length.
  float dash_offset;
  // The transform to the scene from the space in which the pen is a circle of `width` and dashes are measured. NULL
  // stands for the space of the path. It is for SVG's non-scaling-stroke.
  const stijl_matrix *pen;
} stijl_stroke;

#define STIJL_STROKE_INIT \
  STIJL_INIT(stijl_stroke, .width = 1.0f, .cap = STIJL_CAP_BUTT, .join = STIJL_JOIN_MITER, .miter_limit = 4.0f)
STIJL_API void stijl_stroke_init(stijl_stroke *stroke, size_t size);

// The blend modes of CSS Compositing and Blending 1 and 2.
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
  STIJL_BLEND_PLUS_LIGHTER  // the sum of both premultiplied colours, which CSS uses for cross-fading
} stijl_blend;

// A layer. It is drawn by itself on transparent pixels (isolated), and then clipped, masked, faded and blended as one
// picture.
typedef struct stijl_layer {
  size_t size;             // bytes of this struct; set by the initialiser
  float opacity;           // of the whole layer; 0..1, values outside are moved there
  stijl_blend blend;       // how the layer is blended with what lies below it
  const stijl_path *clip;  // what the layer is clipped to. NULL clips nothing, and an empty path clips everything away
  stijl_fill_rule clip_rule;
  const stijl_matrix *clip_transform;  // from the space of `clip` to the scene; NULL for the identity
  // The filter that the layer's picture goes through first (stijl/filter.h), or NULL. A filter that a layer was given
  // can not change any more. The transform takes the filter's user space to the scene; NULL stands for the identity.
  const struct stijl_filter *filter;
  const stijl_matrix *filter_transform;
} stijl_layer;

// A filter: see stijl/filter.h.
typedef struct stijl_filter stijl_filter;

#define STIJL_LAYER_INIT \
  STIJL_INIT(stijl_layer, .opacity = 1.0f, .blend = STIJL_BLEND_NORMAL, .clip_rule = STIJL_FILL_NONZERO)
STIJL_API void stijl_layer_init(stijl_layer *layer, size_t size);

// What of a mask's picture tells how much of the layer remains.
typedef enum stijl_mask {
  STIJL_MASK_ALPHA,
  STIJL_MASK_LUMINANCE,        // luminance of SVG's masks: 0.2125 red + 0.7154 green + 0.0721 blue of sRGB, times alpha
  STIJL_MASK_LUMINANCE_LINEAR  // the same of linear colours, as SVG's color-interpolation: linearRGB asks for
} stijl_mask;

// Bounds on what a scene may hold. Reaching one is STIJL_ERROR_LIMIT.
typedef struct stijl_scene_limits {
  size_t size;  // bytes of this struct; set by the initialiser
  // Path segments of the whole scene, including dashes; a scene within it counts once. Default 2^26, at most 2^31 - 1.
  // A stroke that would have more dashes than this is drawn solid, with a warning.
  uint64_t max_segments;
  uint32_t max_draws;   // draws and layers; those of a scene within it count each time that it is drawn; default 2^24
  uint32_t max_layers;  // how deep layers and masks are nested; default 65536
} stijl_scene_limits;

#define STIJL_SCENE_LIMITS_INIT \
  STIJL_INIT(stijl_scene_limits, .max_segments = (uint64_t)1 << 26, .max_draws = 1u << 24, .max_layers = 65536)
STIJL_API void stijl_scene_limits_init(stijl_scene_limits *limits, size_t size);

// Creates an empty scene, which the caller destroys. If `limits` is NULL, the defaults apply.
STIJL_API stijl_result stijl_scene_create(stijl_context *context, const stijl_scene_limits *limits, stijl_scene **out);
// Frees the scene. Scenes that it was added to keep what they need of it. Nobody may be drawing it. NULL is allowed.
STIJL_API void stijl_scene_destroy(stijl_scene *scene);
// Empties the scene, so that it can be recorded anew under the same limits, and forgets a failure. The scene keeps its
// memory, so that an application which records every frame allocates it once. Nobody may be drawing the scene.
STIJL_API void stijl_scene_reset(stijl_scene *scene);

// Fills a path. `transform` takes the path, and the paint with it, to the space of the scene; NULL stands for the
// identity. Contours that lie beside one another may be turned to run in one direction, so that there is no seam where
// they meet; by either rule the same points are inside.
STIJL_API void stijl_scene_fill(stijl_scene *scene, const stijl_path *path, stijl_fill_rule rule,
                                const stijl_matrix *transform, const stijl_paint *paint);
// Fills `count` paths as one shape, such as the polygons of one class of a map or the triangles of a mesh. The rule
// counts the windings of all paths together, and each path counts as if it ran in the same direction as the others. By
// the non-zero rule the shape is thus all that any of the paths contains. So there is no seam where paths meet; filled
// one after the other, both would only cover a part of the pixels between them. The paths stay the caller's. A NULL
// among them is a failure.
STIJL_API void stijl_scene_fill_paths(stijl_scene *scene, const stijl_path *const *paths, size_t count,
                                      stijl_fill_rule rule, const stijl_matrix *transform, const stijl_paint *paint);
// Strokes a path. `transform` takes the path, its stroke and the paint to the space of the scene; NULL stands for the
// identity.
STIJL_API void stijl_scene_stroke(stijl_scene *scene, const stijl_path *path, const stijl_stroke *stroke,
                                  const stijl_matrix *transform, const stijl_paint *paint);

// --- Glyph runs ---
//
// Outlines that are drawn at many places, as those of a font's glyphs are, are stored in a scene once, and runs refer
// to them.

// Adds an outline, in units of its own such as those of a font. Returns its number, which runs of this scene may use
// until it is reset. The first number is 0, which is also returned when the scene has failed.
STIJL_API uint32_t stijl_scene_add_outline(stijl_scene *scene, const stijl_path *outline);

// An outline of a run, and where it is drawn.
typedef struct stijl_instance {
  uint32_t outline;  // the number that stijl_scene_add_outline returned
  uint32_t matrix;   // the index of one of the run's matrices
  float x, y;        // of the outline's origin, in the space of the run
} stijl_instance;

// Outlines that are filled together.
typedef struct stijl_glyph_run {
  size_t size;  // bytes of this struct; set by the initialiser
  const stijl_instance *instances;
  size_t instance_count;
  // Transforms from an outline's units to the space of the run, around the outline's origin. NULL stands for the
  // identity.
  const stijl_matrix *matrices;
  size_t matrix_count;
} stijl_glyph_run;

#define STIJL_GLYPH_RUN_INIT STIJL_INIT(stijl_glyph_run, .instances = NULL)
STIJL_API void stijl_glyph_run_init(stijl_glyph_run *run, size_t size);

// Fills all outlines of a run as one path by the non-zero rule, so that pixels where they overlap are painted once.
// `transform` takes the run's space to that of the scene; NULL stands for the identity. Each outline is placed on a
// grid of 1/256 pixel.
STIJL_API void stijl_scene_fill_glyphs(stijl_scene *scene, const stijl_glyph_run *run, const stijl_matrix *transform,
                                       const stijl_paint *paint);

// Draws an image with its top left corner at the origin, one pixel per unit. `transform` takes it to the scene; NULL
// stands for the identity.
STIJL_API void stijl_scene_image(stijl_scene *scene, const stijl_image *image, stijl_sampling sampling, float opacity,
                                 const stijl_matrix *transform);
// Paints everything up to the borders of the target, or of the clip of the layers around. The paint's space is the
// scene's.
STIJL_API void stijl_scene_fill_all(stijl_scene *scene, const stijl_paint *paint);

// Begins a layer, or ends the one that was begun last. What is drawn between the two calls is in the layer. Every layer
// must be ended before the scene is finished.
STIJL_API void stijl_scene_push_layer(stijl_scene *scene, const stijl_layer *layer);
STIJL_API void stijl_scene_pop_layer(stijl_scene *scene);
// Begins or ends the mask of the layer around. What is drawn between the two calls masks everything that was drawn in
// that layer before: where the mask draws nothing, nothing of the layer remains.
STIJL_API void stijl_scene_push_mask(stijl_scene *scene, stijl_mask mask);
STIJL_API void stijl_scene_pop_mask(stijl_scene *scene);

// Draws all of another scene, which must be finished, within this one. `transform` takes it to this scene; NULL stands
// for the identity. The draws and paths of the other are stored once, however often it is added or painted with.
STIJL_API void stijl_scene_add_scene(stijl_scene *scene, const stijl_scene *other, const stijl_matrix *transform);

// Returns the bytes of memory that the recording takes, without its images and filters.
STIJL_API uint64_t stijl_scene_bytes(const stijl_scene *scene);

// Ends the recording. Returns the first failure, or STIJL_OK. A scene that has failed cannot be rendered, saved or
// added to another.
STIJL_API stijl_result stijl_scene_finish(stijl_scene *scene);
// Returns in one line what the failure was, or "" if there was none. The text is valid until the scene is destroyed or
// reset.
STIJL_API const char *stijl_scene_message(const stijl_scene *scene);

// --- Changing a scene ---
//
// What moves in a finished scene need not be recorded anew: draws are changed by their numbers. All else stays as it
// is, and so do scenes that it was added to. A frame then costs what has changed: paths are not uploaded again, and
// where a GPU encodes the draws, only those that were changed. Nobody may be drawing the scene meanwhile; frames in
// flight (stijl/vulkan.h) show it as it was.
//
// The calls return STIJL_OK or, with a message in *message (NULL is allowed), what was wrong; then nothing has changed.
// STIJL_ERROR_INVALID_STATE: the scene is not finished, or has failed. STIJL_ERROR_INVALID_ARGUMENT: there is no such
// draw, it has no such property, or a value is not finite.

// Returns how many draws and layers the scene has recorded: the number of the next one. The end of a layer counts too.
// Draws that show nothing whatever the target, as of an empty path or with a transparent paint, are not recorded and
// have no number.
STIJL_API uint32_t stijl_scene_draw_count(const stijl_scene *scene);
// Changes where a draw is: its transform to the scene; NULL stands for the identity. That of a layer is its clip's
// alone; that of an added scene moves all that it shows. What a shape covers where it overlaps itself was found for the
// size at which it was recorded.
STIJL_API stijl_result stijl_scene_set_transform(stijl_scene *scene, uint32_t draw, const stijl_matrix *transform,
                                                 stijl_message *message);
// Changes the paint of a fill, a stroke or a glyph run. It may be a colour or a gradient; STIJL_ERROR_UNSUPPORTED for
// an image or a scene. Whether the draw is anti-aliased stays as it was recorded.
STIJL_API stijl_result stijl_scene_set_paint(stijl_scene *scene, uint32_t draw, const stijl_paint *paint,
                                             stijl_message *message);
// Changes the opacity of a layer or an image. That of other draws is a part of their paint.
STIJL_API stijl_result stijl_scene_set_opacity(stijl_scene *scene, uint32_t draw, float opacity,
                                               stijl_message *message);
// Leaves a draw out, or shows it again. A layer is left out with all that is in it.
STIJL_API stijl_result stijl_scene_set_hidden(stijl_scene *scene, uint32_t draw, bool hidden, stijl_message *message);

// How far a scene reaches.
typedef enum stijl_extent {
  STIJL_EXTENT_EMPTY,    // nothing is drawn
  STIJL_EXTENT_BOUNDED,  // all that is drawn lies within a box
  STIJL_EXTENT_INFINITE  // the scene may reach the borders of any target, as one with a filter may
} stijl_extent;

// Returns how far the scene reaches. For a bounded scene *out becomes a box that holds everything it can touch; else it
// becomes all zero.
STIJL_API stijl_extent stijl_scene_bounds(const stijl_scene *scene, stijl_rect *out);

// --- Saved scenes ---
//
// A scene as a file, for bug reports, for tests and to draw it elsewhere. The file holds the recording with its images.
// It does not depend on a target, so it can be drawn at any size. Later versions of the library can read it.

// The canvas that a saved scene is meant for.
typedef struct stijl_canvas {
  size_t size;        // bytes of this struct; set by the initialiser
  int width, height;  // pixels, 1..32767
  // Drawn below the scene; default transparent.
  stijl_color background;
} stijl_canvas;

#define STIJL_CANVAS_INIT STIJL_INIT(stijl_canvas, .width = 1, .height = 1)
STIJL_API void stijl_canvas_init(stijl_canvas *canvas, size_t size);

// Saves a scene, which must be finished and without failure. `write` receives the file piece by piece and returns false
// to stop; the result is then STIJL_ERROR_IO. If `canvas` is NULL, the default one is saved.
STIJL_API stijl_result stijl_scene_save(const stijl_scene *scene, const stijl_canvas *canvas,
                                        bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                        stijl_message *message);
// Returns whether data begins as a saved scene does.
STIJL_API bool stijl_scene_is_saved(const void *data, size_t bytes);
// Loads a saved scene, which is then finished. Every field of the file is checked: the call returns
// STIJL_ERROR_MALFORMED for a damaged file and STIJL_ERROR_UNSUPPORTED for one of a later version. The limits apply as
// they do to recording; if `limits` is NULL, the defaults. *canvas (NULL is allowed) is set to the saved one; the
// caller's initialiser has set its size.
STIJL_API stijl_result stijl_scene_load(stijl_context *context, const void *data, size_t bytes,
                                        const stijl_scene_limits *limits, stijl_scene **out, stijl_canvas *canvas,
                                        stijl_message *message);

#ifdef __cplusplus
}
#endif
#endif
