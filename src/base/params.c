#include "base/params.h"

#include <string.h>

#include "stijl/stijl.h"
#include "stijl/vulkan.h"

// Every such struct begins with its size.
static size_t size_of(const void *params) {
  size_t size;
  memcpy(&size, params, sizeof size);
  return size;
}

const void *sj_params_read(const void *given, void *known, size_t bytes, const char *name, bool needed,
                           stijl_message *message) {
  if (!given && needed) sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no %s is given", name);
  if (!given) return needed ? NULL : known;
  size_t size = size_of(given);
  if (size == bytes) return given;
  if (size <= sizeof size) {
    sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "%s.size is %zu: the struct was not initialised", name, size);
    return NULL;
  }
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

void sj_params_write(void *out, const void *known, size_t bytes) {
  size_t size = size_of(out), filled = size < bytes ? size : bytes;
  if (filled < sizeof size) return;
  memcpy(out, known, filled);
  memcpy(out, &filled, sizeof filled);
}

static void init(void *out, size_t size, const void *defaults, size_t bytes) {
  if (!out || size < sizeof size) return;
  memset(out, 0, size);
  memcpy(out, &size, sizeof size);
  sj_params_write(out, defaults, bytes);
}

// The initialisers as functions, for languages that cannot use macros.
#define INITIALISER(name, INIT)                  \
  void name##_init(name *out, size_t size) {     \
    static const name defaults = INIT;           \
    init(out, size, &defaults, sizeof defaults); \
  }

INITIALISER(stijl_budget_params, STIJL_BUDGET_PARAMS_INIT)
INITIALISER(stijl_context_params, STIJL_CONTEXT_PARAMS_INIT)
INITIALISER(stijl_css_declaration, STIJL_CSS_DECLARATION_INIT)
INITIALISER(stijl_css_matcher_params, STIJL_CSS_MATCHER_PARAMS_INIT)
INITIALISER(stijl_css_params, STIJL_CSS_PARAMS_INIT)
INITIALISER(stijl_css_selector, STIJL_CSS_SELECTOR_INIT)
INITIALISER(stijl_device, STIJL_DEVICE_INIT)
INITIALISER(stijl_canvas, STIJL_CANVAS_INIT)
INITIALISER(stijl_convolution, STIJL_CONVOLUTION_INIT)
INITIALISER(stijl_filter_options, STIJL_FILTER_OPTIONS_INIT)
INITIALISER(stijl_font_use, STIJL_FONT_USE_INIT)
INITIALISER(stijl_fonts_params, STIJL_FONTS_PARAMS_INIT)
INITIALISER(stijl_glyph_run, STIJL_GLYPH_RUN_INIT)
INITIALISER(stijl_image_limits, STIJL_IMAGE_LIMITS_INIT)
INITIALISER(stijl_lab_params, STIJL_LAB_PARAMS_INIT)
INITIALISER(stijl_layer, STIJL_LAYER_INIT)
INITIALISER(stijl_light, STIJL_LIGHT_INIT)
INITIALISER(stijl_paint, STIJL_PAINT_INIT)
INITIALISER(stijl_png_params, STIJL_PNG_PARAMS_INIT)
INITIALISER(stijl_render_params, STIJL_RENDER_PARAMS_INIT)
INITIALISER(stijl_renderer_params, STIJL_RENDERER_PARAMS_INIT)
INITIALISER(stijl_scene_limits, STIJL_SCENE_LIMITS_INIT)
INITIALISER(stijl_stroke, STIJL_STROKE_INIT)
INITIALISER(stijl_svg_node, STIJL_SVG_NODE_INIT)
INITIALISER(stijl_svg_params, STIJL_SVG_PARAMS_INIT)
INITIALISER(stijl_target, STIJL_TARGET_INIT)
INITIALISER(stijl_text_params, STIJL_TEXT_PARAMS_INIT)
INITIALISER(stijl_text_style, STIJL_TEXT_STYLE_INIT)
INITIALISER(stijl_turbulence, STIJL_TURBULENCE_INIT)
void stijl_css_stats_init(stijl_css_stats *stats, size_t size) {
  init(stats, size, &(stijl_css_stats){.size = sizeof *stats}, sizeof *stats);
}
void stijl_render_stats_init(stijl_render_stats *stats, size_t size) {
  init(stats, size, &(stijl_render_stats){.size = sizeof *stats}, sizeof *stats);
}

INITIALISER(stijl_vulkan_device, STIJL_VULKAN_DEVICE_INIT)
INITIALISER(stijl_vulkan_frame, STIJL_VULKAN_FRAME_INIT)
INITIALISER(stijl_vulkan_target, STIJL_VULKAN_TARGET_INIT)
