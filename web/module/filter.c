// Builds filters. Each function returns the number of its result.
#include "web.h"

stijl_filter *WEB(filter_create)(void) {
  stijl_filter *filter = NULL;
  web_result = stijl_filter_create(web_context, &filter);
  web_error.text[0] = 0;
  return filter;
}
void WEB(filter_destroy)(stijl_filter *filter) { stijl_filter_destroy(filter); }
int WEB(filter_status)(const stijl_filter *filter) { return (int)stijl_filter_status(filter); }
const char *WEB(filter_message)(const stijl_filter *filter) { return stijl_filter_message(filter); }

// The options of the next call, until which their region has to stay.
static stijl_filter_options options = STIJL_FILTER_OPTIONS_INIT;

void WEB(filter_options)(int linear, const stijl_rect *region) {
  options.linear = linear;
  options.region = region;
}

int WEB(filter_blur)(stijl_filter *filter, int in, float x, float y, int edge) {
  return stijl_filter_blur(filter, &options, in, x, y, (stijl_filter_edge)edge);
}
int WEB(filter_offset)(stijl_filter *filter, int in, float dx, float dy) {
  return stijl_filter_offset(filter, &options, in, dx, dy);
}
int WEB(filter_alpha)(stijl_filter *filter, int in) { return stijl_filter_alpha(filter, &options, in); }
int WEB(filter_flood)(stijl_filter *filter, float r, float g, float b, float a) {
  return stijl_filter_flood(filter, &options, (stijl_color){r, g, b, a});
}
int WEB(filter_color_matrix)(stijl_filter *filter, int in, const float *matrix) {
  return stijl_filter_color_matrix(filter, &options, in, matrix);
}

// The four functions of the next filter_transfer, until which their values have to stay.
static stijl_transfer functions[4];

void WEB(filter_transfer_function)(int index, int kind, const float *values, size_t count, float a, float b,
                                   float exponent) {
  functions[index & 3] = (stijl_transfer){(stijl_transfer_kind)kind, values, count, a, b, exponent};
}
int WEB(filter_transfer)(stijl_filter *filter, int in) {
  return stijl_filter_transfer(filter, &options, in, functions);
}

int WEB(filter_composite)(stijl_filter *filter, int in, int in2, int op) {
  return stijl_filter_composite(filter, &options, in, in2, (stijl_filter_operator)op);
}
int WEB(filter_arithmetic)(stijl_filter *filter, int in, int in2, float k1, float k2, float k3, float k4) {
  return stijl_filter_arithmetic(filter, &options, in, in2, (float[]){k1, k2, k3, k4});
}
int WEB(filter_blend)(stijl_filter *filter, int in, int in2, int mode) {
  return stijl_filter_blend(filter, &options, in, in2, (stijl_blend)mode);
}
// Adds a merge, whose inputs come as floats, since all lists do.
int WEB(filter_merge)(stijl_filter *filter, size_t count, const float *inputs) {
  int *numbers = web_scratch((count + 1) * sizeof *numbers);
  if (!numbers) return STIJL_FILTER_NOTHING;
  for (size_t i = 0; i < count; i++) numbers[i] = (int)inputs[i];
  return stijl_filter_merge(filter, &options, numbers, count);
}
int WEB(filter_drop_shadow)(stijl_filter *filter, int in, float dx, float dy, float x, float y, float r, float g,
                            float b, float a) {
  return stijl_filter_drop_shadow(filter, &options, in, dx, dy, x, y, (stijl_color){r, g, b, a});
}
int WEB(filter_morphology)(stijl_filter *filter, int in, int dilate, float x, float y) {
  return stijl_filter_morphology(filter, &options, in, dilate, x, y);
}
int WEB(filter_convolve)(stijl_filter *filter, int in, int columns, int rows, float divisor, float bias, int target_x,
                         int target_y, int edge, int preserve_alpha, const float *kernel) {
  stijl_convolution c = STIJL_CONVOLUTION_INIT;
  c.columns = columns;
  c.rows = rows;
  c.kernel = kernel;
  c.divisor = divisor;
  c.bias = bias;
  c.target_x = target_x;
  c.target_y = target_y;
  c.edge = (stijl_filter_edge)edge;
  c.preserve_alpha = preserve_alpha;
  return stijl_filter_convolve(filter, &options, in, &c);
}
int WEB(filter_displace)(stijl_filter *filter, int in, int map, float scale, int x, int y) {
  return stijl_filter_displace(filter, &options, in, map, scale, (stijl_channel)x, (stijl_channel)y);
}
int WEB(filter_tile)(stijl_filter *filter, int in, const stijl_rect *tile) {
  return stijl_filter_tile(filter, &options, in, *tile);
}
int WEB(filter_turbulence)(stijl_filter *filter, float x, float y, int octaves, int seed, int fractal,
                           const stijl_rect *stitch) {
  stijl_turbulence t = STIJL_TURBULENCE_INIT;
  t.frequency_x = x;
  t.frequency_y = y;
  t.octaves = octaves;
  t.seed = seed;
  t.fractal = fractal;
  t.stitch = stitch;
  return stijl_filter_turbulence(filter, &options, &t);
}
// Adds a light. `v` has: colour (4), azimuth, elevation, position (3), where a spot points (3), focus, cone, surface
// scale, constant, exponent.
int WEB(filter_light)(stijl_filter *filter, int in, int specular, int kind, const float *v) {
  stijl_light light = STIJL_LIGHT_INIT;
  light.kind = (stijl_light_kind)kind;
  light.color = (stijl_color){v[0], v[1], v[2], v[3]};
  light.azimuth = v[4], light.elevation = v[5];
  light.x = v[6], light.y = v[7], light.z = v[8];
  light.at_x = v[9], light.at_y = v[10], light.at_z = v[11];
  light.focus = v[12], light.cone = v[13];
  light.surface_scale = v[14], light.constant = v[15], light.exponent = v[16];
  return specular ? stijl_filter_specular_light(filter, &options, in, &light)
                  : stijl_filter_diffuse_light(filter, &options, in, &light);
}
int WEB(filter_scene)(stijl_filter *filter, const stijl_scene *scene, const stijl_matrix *transform) {
  return stijl_filter_scene(filter, &options, scene, transform);
}
// Adds a filter function of CSS. The numbers of the functions are in the order of filter.js.
int WEB(filter_function)(stijl_filter *filter, int in, int function, float amount) {
  int (*const all[])(stijl_filter *, int, float) = {
      stijl_filter_brightness, stijl_filter_contrast, stijl_filter_grayscale, stijl_filter_hue_rotate,
      stijl_filter_invert,     stijl_filter_opacity,  stijl_filter_saturate,  stijl_filter_sepia};
  return all[function & 7](filter, in, amount);
}
