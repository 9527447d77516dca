// Makes paths, paints and scenes.
#include "web.h"

#include <string.h>

// Matrices, points and boxes are passed as the floats that they consist of.
_Static_assert(sizeof(stijl_matrix) == 6 * sizeof(float) && sizeof(stijl_rect) == 4 * sizeof(float) &&
                   sizeof(stijl_stop) == 5 * sizeof(float) && sizeof(stijl_color) == 4 * sizeof(float) &&
                   sizeof(stijl_point) == 2 * sizeof(float),
               "structs of floats alone");

// --- paths ---

stijl_path *WEB(path_create)(void) {
  stijl_path *path = NULL;
  web_result = stijl_path_create(web_context, &path);
  web_error.text[0] = 0;
  return path;
}
void WEB(path_destroy)(stijl_path *path) { stijl_path_destroy(path); }
int WEB(path_status)(const stijl_path *path) { return (int)stijl_path_status(path); }
void WEB(path_clear)(stijl_path *path) { stijl_path_clear(path); }
void WEB(path_move_to)(stijl_path *path, float x, float y) { stijl_path_move_to(path, x, y); }
void WEB(path_line_to)(stijl_path *path, float x, float y) { stijl_path_line_to(path, x, y); }
void WEB(path_quad_to)(stijl_path *path, float x1, float y1, float x, float y) {
  stijl_path_quad_to(path, x1, y1, x, y);
}
void WEB(path_cubic_to)(stijl_path *path, float x1, float y1, float x2, float y2, float x, float y) {
  stijl_path_cubic_to(path, x1, y1, x2, y2, x, y);
}
void WEB(path_arc_to)(stijl_path *path, float rx, float ry, float rotation, int large, int sweep, float x, float y) {
  stijl_path_arc_to(path, rx, ry, rotation, large, sweep, x, y);
}
void WEB(path_close)(stijl_path *path) { stijl_path_close(path); }
void WEB(path_add_rect)(stijl_path *path, float x, float y, float width, float height) {
  stijl_path_add_rect(path, x, y, width, height);
}
void WEB(path_add_round_rect)(stijl_path *path, float x, float y, float width, float height, float rx, float ry) {
  stijl_path_add_round_rect(path, x, y, width, height, rx, ry);
}
void WEB(path_add_ellipse)(stijl_path *path, float cx, float cy, float rx, float ry) {
  stijl_path_add_ellipse(path, cx, cy, rx, ry);
}
void WEB(path_add_path)(stijl_path *path, const stijl_path *other, const stijl_matrix *matrix) {
  stijl_path_add_path(path, other, matrix);
}
// Leaves in web_scratch at which byte the data are wrong.
int WEB(path_add_svg)(stijl_path *path, const char *data, size_t length) {
  size_t offset = 0;
  stijl_result result = stijl_path_add_svg(path, data, length, &offset);
  uint32_t *out = web_scratch(sizeof *out);
  if (out) *out = (uint32_t)offset;
  return (int)result;
}
// Leaves four floats in web_scratch; returns 0 for an empty path.
int WEB(path_bounds)(const stijl_path *path) {
  stijl_rect *out = web_scratch(sizeof *out);
  return out && stijl_path_bounds(path, out);
}

// --- paints ---
// One is set up at a time, by these calls, and used by the next call that draws.

stijl_paint web_paint;

int WEB(color_parse)(const char *text) {
  stijl_color *out = web_scratch(sizeof *out);
  return (int)(out ? stijl_color_parse(text, out) : STIJL_ERROR_OUT_OF_MEMORY);
}

void WEB(paint_start)(int kind, float opacity, const stijl_matrix *transform) {
  web_paint = (stijl_paint)STIJL_PAINT_INIT;
  web_paint.kind = (stijl_paint_kind)kind;
  web_paint.opacity = opacity;
  if (transform) web_paint.transform = *transform;
}
void WEB(paint_color)(float r, float g, float b, float a) { web_paint.color = (stijl_color){r, g, b, a}; }
// Sets the stops of the paint. They have to stay until the paint has been used.
void WEB(paint_stops)(const stijl_stop *stops, size_t count, int spread) {
  web_paint.stops = stops;
  web_paint.stop_count = count;
  web_paint.spread_x = (stijl_spread)spread;
}
void WEB(paint_points)(float x0, float y0, float x1, float y1) {
  web_paint.p0 = (stijl_point){x0, y0};
  web_paint.p1 = (stijl_point){x1, y1};
}
void WEB(paint_radii)(float r0, float r1) {
  web_paint.r0 = r0;
  web_paint.r1 = r1;
}
void WEB(paint_angles)(float start, float end, double lead) {
  web_paint.start_angle = start;
  web_paint.end_angle = end;
  web_paint.lead_angle = lead;
}
void WEB(paint_image)(const stijl_image *image, int spread_x, int spread_y, int sampling) {
  web_paint.image = image;
  web_paint.spread_x = (stijl_spread)spread_x;
  web_paint.spread_y = (stijl_spread)spread_y;
  web_paint.sampling = (stijl_sampling)sampling;
}

// --- scenes ---

// Loads a saved scene, and leaves the canvas's width and height, and its background's four floats, in web_scratch.
stijl_scene *WEB(scene_load)(const void *data, size_t bytes) {
  stijl_canvas canvas = STIJL_CANVAS_INIT;
  stijl_scene *scene = NULL;
  web_result = stijl_scene_load(web_context, data, bytes, NULL, &scene, &canvas, &web_error);
  uint32_t *out = web_scratch(2 * sizeof *out + sizeof(stijl_color));
  if (!out) return scene;
  out[0] = (uint32_t)canvas.width;
  out[1] = (uint32_t)canvas.height;
  memcpy(out + 2, &canvas.background, sizeof canvas.background);
  return scene;
}
stijl_scene *WEB(scene_create)(void) {
  stijl_scene *scene = NULL;
  web_result = stijl_scene_create(web_context, NULL, &scene);
  web_error.text[0] = 0;
  return scene;
}
void WEB(scene_destroy)(stijl_scene *scene) { stijl_scene_destroy(scene); }
void WEB(scene_reset)(stijl_scene *scene) { stijl_scene_reset(scene); }
void WEB(scene_fill)(stijl_scene *scene, const stijl_path *path, int rule, const stijl_matrix *transform) {
  stijl_scene_fill(scene, path, (stijl_fill_rule)rule, transform, &web_paint);
}
void WEB(scene_stroke)(stijl_scene *scene, const stijl_path *path, const stijl_matrix *transform, float width, int cap,
                       int join, float miter_limit, const float *dashes, size_t dash_count, float dash_offset,
                       const stijl_matrix *pen) {
  stijl_stroke stroke = web_stroke(width, cap, join, miter_limit, dashes, dash_count, dash_offset, pen);
  stijl_scene_stroke(scene, path, &stroke, transform, &web_paint);
}
void WEB(scene_image)(stijl_scene *scene, const stijl_image *image, int sampling, float opacity,
                      const stijl_matrix *transform) {
  stijl_scene_image(scene, image, (stijl_sampling)sampling, opacity, transform);
}
void WEB(scene_fill_all)(stijl_scene *scene) { stijl_scene_fill_all(scene, &web_paint); }
void WEB(scene_push_layer)(stijl_scene *scene, float opacity, int blend, const stijl_path *clip, int rule,
                           const stijl_matrix *transform, const stijl_filter *filter,
                           const stijl_matrix *filter_transform) {
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.opacity = opacity;
  layer.blend = (stijl_blend)blend;
  layer.clip = clip;
  layer.clip_rule = (stijl_fill_rule)rule;
  layer.clip_transform = transform;
  layer.filter = filter;
  layer.filter_transform = filter_transform;
  stijl_scene_push_layer(scene, &layer);
}
void WEB(scene_pop_layer)(stijl_scene *scene) { stijl_scene_pop_layer(scene); }
void WEB(scene_push_mask)(stijl_scene *scene, int mask) { stijl_scene_push_mask(scene, (stijl_mask)mask); }
void WEB(scene_pop_mask)(stijl_scene *scene) { stijl_scene_pop_mask(scene); }
void WEB(scene_add_scene)(stijl_scene *scene, const stijl_scene *other, const stijl_matrix *transform) {
  stijl_scene_add_scene(scene, other, transform);
}
int WEB(scene_finish)(stijl_scene *scene) { return (int)stijl_scene_finish(scene); }
const char *WEB(scene_message)(const stijl_scene *scene) { return stijl_scene_message(scene); }
// Returns a stijl_extent, and leaves four floats in web_scratch.
int WEB(scene_bounds)(const stijl_scene *scene) {
  stijl_rect *out = web_scratch(sizeof *out);
  return out ? (int)stijl_scene_bounds(scene, out) : 0;
}
