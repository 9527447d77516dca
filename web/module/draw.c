// Loads documents, and draws pixels.
#include <stdlib.h>
#include <string.h>

#include "web.h"

// --- documents ---

// Asks JavaScript for a file of the document whose number this is. Returns a stijl_result; found[0] is where the file
// is, in memory that has to be freed, and found[1] how long.
__attribute__((import_module("stijl"), import_name("read"))) int web_read(uint32_t reader, const char *url,
                                                                          size_t length, uint32_t *found);

static void *given;  // the last such file

static stijl_result read_file(void *user, const char *url, const void **data, size_t *bytes) {
  uint32_t found[2] = {0, 0};
  int result = web_read((uint32_t)(uintptr_t)user, url, strlen(url), found);
  free(given);
  *data = given = (void *)(uintptr_t)found[0];
  *bytes = found[1];
  return (stijl_result)result;
}

// Loads a document. `language` and `sheet` are NUL-terminated, or NULL. Limits of 0 stand for the defaults. `reader` is
// the number of what gives the document's files; 0: nothing.
stijl_svg *WEB(svg_load)(const void *data, size_t bytes, float dpi, const char *language, const char *sheet,
                         uint32_t max_elements, uint32_t max_depth, double max_pixels, stijl_budget *budget,
                         stijl_fonts *fonts, float font_size, double time, uint32_t reader) {
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.dpi = dpi;
  if (language) params.language = language;
  params.style_sheet = sheet;
  if (max_elements) params.limits.max_elements = max_elements;
  if (max_depth) params.limits.max_depth = max_depth;
  if (max_pixels > 0) params.image_limits.max_pixels = (uint64_t)max_pixels;
  params.budget = budget;
  params.fonts = fonts;
  if (font_size > 0) params.font_size = font_size;
  params.time = time;
  if (reader) params.read = read_file;
  params.read_user = (void *)(uintptr_t)reader;
  stijl_svg *svg = NULL;
  web_result = stijl_svg_load(web_context, data, bytes, &params, &svg, &web_error);
  free(given);
  given = NULL;
  return svg;
}
void WEB(svg_destroy)(stijl_svg *svg) { stijl_svg_destroy(svg); }
float WEB(svg_width)(const stijl_svg *svg) {
  float width, height;
  stijl_svg_size(svg, &width, &height);
  return width;
}
float WEB(svg_height)(const stijl_svg *svg) {
  float width, height;
  stijl_svg_size(svg, &width, &height);
  return height;
}
// Leaves doubles in web_scratch: the exact width and height, and those in whole pixels.
int WEB(svg_fit)(double width, double height, double box_width, double box_height, double zoom) {
  stijl_svg_fitted fitted = stijl_svg_fit(width, height, box_width, box_height, zoom);
  double *out = web_scratch(4 * sizeof *out);
  if (!out) return (int)STIJL_ERROR_OUT_OF_MEMORY;
  const double values[4] = {(double)fitted.width, (double)fitted.height, fitted.pixel_width, fitted.pixel_height};
  for (int i = 0; i < 4; i++) out[i] = values[i];
  return (int)STIJL_OK;
}
stijl_scene *WEB(svg_scene)(const stijl_svg *svg, float width, float height) {
  stijl_scene *scene = NULL;
  web_result = stijl_svg_scene(svg, width, height, &scene, &web_error);
  return scene;
}

// --- pixels ---

stijl_renderer *WEB(renderer_create)(int isa, int threads, double max_layer_bytes) {
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.backend = STIJL_BACKEND_CPU;
  params.isa = (stijl_isa)isa;
  params.threads = threads;
  if (max_layer_bytes > 0) params.max_layer_bytes = (uint64_t)max_layer_bytes;
  stijl_renderer *renderer = NULL;
  web_result = stijl_renderer_create(web_context, &params, &renderer, &web_error);
  return renderer;
}
void WEB(renderer_destroy)(stijl_renderer *renderer) { stijl_renderer_destroy(renderer); }
int WEB(renderer_isa)(const stijl_renderer *renderer) { return (int)stijl_renderer_isa(renderer); }
int WEB(renderer_threads)(const stijl_renderer *renderer) { return stijl_renderer_threads(renderer); }

int WEB(render)(stijl_renderer *renderer, const stijl_scene *scene, int width, int height, int x0, int y0, int x1,
                int y1, int format, void *pixels, size_t stride, const stijl_matrix *transform, float r, float g,
                float b, float a, int keep, stijl_budget *budget) {
  stijl_target target = STIJL_TARGET_INIT;
  target.width = width;
  target.height = height;
  target.region = (stijl_irect){x0, y0, x1, y1};
  target.format = (stijl_format)format;
  target.pixels = pixels;
  target.stride = stride;
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  if (transform) params.transform = *transform;
  params.background = (stijl_color){r, g, b, a};
  params.keep = keep;
  params.budget = budget;
  return (int)stijl_render(renderer, scene, &target, &params, &web_error);
}

// Leaves doubles in web_scratch: encode_ms, render_ms, flatten_ms, lines, draws, bands, scratch_bytes.
void WEB(renderer_stats)(const stijl_renderer *renderer) {
  stijl_render_stats stats = {.size = sizeof stats};
  stijl_renderer_stats(renderer, &stats);
  double *out = web_scratch(7 * sizeof *out);
  if (!out) return;
  const double values[7] = {stats.encode_ms,     stats.render_ms,     stats.flatten_ms,           (double)stats.lines,
                            (double)stats.draws, (double)stats.bands, (double)stats.scratch_bytes};
  for (int i = 0; i < 7; i++) out[i] = values[i];
}
