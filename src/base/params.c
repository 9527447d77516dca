#include "base/params.h"

#include <string.h>

#include "stijl/stijl.h"
#include "stijl/vulkan.h"

// A newer library's struct may be larger than this one's by this much. Beyond it the size is no size: what lies there
// must not even be looked at.
#define MOST_UNKNOWN_BYTES 1024

// The size of a struct whose last field is this one.
#define UP_TO(type, field) \
  ((offsetof(type, field) + sizeof((type *)0)->field + _Alignof(type) - 1) / _Alignof(type) * _Alignof(type))

// The sizes that structs had before fields were added to them. Whoever adds fields adds the size without them here.
static const struct {
  const char *name;
  size_t sizes[6];
} earlier[] = {
    {"stijl_budget_params", {UP_TO(stijl_budget_params, max_work)}},
    {"stijl_css_matcher_params",
     {UP_TO(stijl_css_matcher_params, threads), UP_TO(stijl_css_matcher_params, device_name)}},
    {"stijl_css_params", {UP_TO(stijl_css_params, limits), UP_TO(stijl_css_params, files)}},
    {"stijl_css_stats", {UP_TO(stijl_css_stats, rematched)}},
    {"stijl_image_writer_params", {UP_TO(stijl_image_writer_params, opaque)}},
    {"stijl_lab_params", {UP_TO(stijl_lab_params, file)}},
    {"stijl_layer", {UP_TO(stijl_layer, clip_transform)}},
    {"stijl_paint", {UP_TO(stijl_paint, transform), UP_TO(stijl_paint, scene), UP_TO(stijl_paint, aliased)}},
    {"stijl_png_params", {UP_TO(stijl_png_params, level)}},
    {"stijl_render_params", {UP_TO(stijl_render_params, keep), UP_TO(stijl_render_params, budget)}},
    {"stijl_render_stats", {UP_TO(stijl_render_stats, scratch_bytes)}},
    {"stijl_renderer_params", {UP_TO(stijl_renderer_params, max_layer_bytes)}},
    {"stijl_svg_node", {UP_TO(stijl_svg_node, to_canvas)}},
    {"stijl_svg_params",
     {UP_TO(stijl_svg_params, image_limits), UP_TO(stijl_svg_params, style_sheet), UP_TO(stijl_svg_params, budget),
      UP_TO(stijl_svg_params, font_size), UP_TO(stijl_svg_params, time), UP_TO(stijl_svg_params, read_user)}},
    {"stijl_text_style", {UP_TO(stijl_text_style, variations)}},
};

// Returns the size of a struct of parameters, with which every such struct begins.
static size_t size_of(const void *params) {
  size_t size;
  memcpy(&size, params, sizeof size);
  return size;
}

bool sj_params_has_size(const void *given, size_t bytes, const char *name, stijl_message *message) {
  size_t size = size_of(given);
  if (size == bytes) return true;
  // A struct that begins with a size_t is aligned like one, and its size is a multiple of that.
  if (size > bytes && size - bytes <= MOST_UNKNOWN_BYTES && size % sizeof size == 0) return true;
  for (size_t i = 0; i < sizeof earlier / sizeof *earlier; i++) {
    if (strcmp(earlier[i].name, name) != 0) continue;
    for (size_t k = 0; k < sizeof earlier[i].sizes / sizeof *earlier[i].sizes; k++)
      if (size && size == earlier[i].sizes[k]) return true;
  }
  sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "%s.size is %zu: the struct was not initialised", name, size);
  return false;
}

const void *sj_params_read(const void *given, void *known, size_t bytes, const char *name, bool needed,
                           stijl_message *message) {
  if (!given && needed) sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no %s is given", name);
  if (!given) return needed ? NULL : known;
  size_t size = size_of(given);
  if (size == bytes) return given;
  if (!sj_params_has_size(given, bytes, name, message)) return NULL;
  const unsigned char *from = given;
  for (size_t i = bytes; i < size; i++)
    if (from[i]) {
      sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "%s has a field set that version %s of the library does not know",
              name, stijl_version());
      return NULL;
    }
  memcpy(known, given, size < bytes ? size : bytes);
  memcpy(known, &bytes, sizeof bytes);
  return known;
}

static void fill(void *out, size_t size, const void *known, size_t bytes) {
  size_t filled = size < bytes ? size : bytes;
  memcpy(out, known, filled);
  memcpy(out, &filled, sizeof filled);
}

bool sj_params_write(void *out, const void *known, size_t bytes, const char *name) {
  if (!sj_params_has_size(out, bytes, name, NULL)) return false;
  fill(out, size_of(out), known, bytes);
  return true;
}

void sj_params_init(void *out, size_t size, const void *defaults, size_t bytes) {
  if (!out || size < sizeof size) return;
  memset(out, 0, size);
  fill(out, size, defaults, bytes);
}

// The initialisers as functions, for languages that cannot use macros.
#define INITIALISER(name, INIT)                            \
  void name##_init(name *out, size_t size) {               \
    static const name defaults = INIT;                     \
    sj_params_init(out, size, &defaults, sizeof defaults); \
  }

INITIALISER(stijl_budget_params, STIJL_BUDGET_PARAMS_INIT)
INITIALISER(stijl_context_params, STIJL_CONTEXT_PARAMS_INIT)
INITIALISER(stijl_css_declaration, STIJL_CSS_DECLARATION_INIT)
INITIALISER(stijl_css_matcher_params, STIJL_CSS_MATCHER_PARAMS_INIT)
INITIALISER(stijl_css_params, STIJL_CSS_PARAMS_INIT)
INITIALISER(stijl_css_selector, STIJL_CSS_SELECTOR_INIT)
INITIALISER(stijl_css_sheet, STIJL_CSS_SHEET_INIT)
INITIALISER(stijl_device, STIJL_DEVICE_INIT)
INITIALISER(stijl_canvas, STIJL_CANVAS_INIT)
INITIALISER(stijl_convolution, STIJL_CONVOLUTION_INIT)
INITIALISER(stijl_filter_options, STIJL_FILTER_OPTIONS_INIT)
INITIALISER(stijl_font_face, STIJL_FONT_FACE_INIT)
INITIALISER(stijl_font_use, STIJL_FONT_USE_INIT)
INITIALISER(stijl_fonts_params, STIJL_FONTS_PARAMS_INIT)
INITIALISER(stijl_glyph_run, STIJL_GLYPH_RUN_INIT)
INITIALISER(stijl_image_limits, STIJL_IMAGE_LIMITS_INIT)
INITIALISER(stijl_image_writer_params, STIJL_IMAGE_WRITER_PARAMS_INIT)
INITIALISER(stijl_layer, STIJL_LAYER_INIT)
INITIALISER(stijl_light, STIJL_LIGHT_INIT)
INITIALISER(stijl_page, STIJL_PAGE_INIT)
INITIALISER(stijl_paint, STIJL_PAINT_INIT)
INITIALISER(stijl_pdf_params, STIJL_PDF_PARAMS_INIT)
INITIALISER(stijl_picture, STIJL_PICTURE_INIT)
INITIALISER(stijl_png_params, STIJL_PNG_PARAMS_INIT)
INITIALISER(stijl_render_params, STIJL_RENDER_PARAMS_INIT)
INITIALISER(stijl_renderer_params, STIJL_RENDERER_PARAMS_INIT)
INITIALISER(stijl_scene_limits, STIJL_SCENE_LIMITS_INIT)
INITIALISER(stijl_stroke, STIJL_STROKE_INIT)
INITIALISER(stijl_svg_node, STIJL_SVG_NODE_INIT)
INITIALISER(stijl_svg_timing, STIJL_SVG_TIMING_INIT)
INITIALISER(stijl_webp_animation_params, STIJL_WEBP_ANIMATION_PARAMS_INIT)
INITIALISER(stijl_svg_params, STIJL_SVG_PARAMS_INIT)
INITIALISER(stijl_target, STIJL_TARGET_INIT)
INITIALISER(stijl_text_params, STIJL_TEXT_PARAMS_INIT)
INITIALISER(stijl_text_style, STIJL_TEXT_STYLE_INIT)
INITIALISER(stijl_turbulence, STIJL_TURBULENCE_INIT)
void stijl_css_stats_init(stijl_css_stats *stats, size_t size) {
  sj_params_init(stats, size, &(stijl_css_stats){.size = sizeof *stats}, sizeof *stats);
}
void stijl_render_stats_init(stijl_render_stats *stats, size_t size) {
  sj_params_init(stats, size, &(stijl_render_stats){.size = sizeof *stats}, sizeof *stats);
}

INITIALISER(stijl_vulkan_device, STIJL_VULKAN_DEVICE_INIT)
INITIALISER(stijl_vulkan_frame, STIJL_VULKAN_FRAME_INIT)
INITIALISER(stijl_vulkan_target, STIJL_VULKAN_TARGET_INIT)
