// Stands in for all of src/text in a build without it.
#include "base/context.h"
#include "stijl/text.h"

static stijl_result unsupported(stijl_message *message) {
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "this build has no text (HarfBuzz, FreeType, FriBidi, libunibreak)");
}

stijl_result stijl_fonts_create(stijl_context *context, const stijl_fonts_params *params, stijl_fonts **out,
                                stijl_message *message) {
  if (out) *out = NULL;
  return unsupported(message);
}

void stijl_fonts_destroy(stijl_fonts *fonts) {}

stijl_result stijl_fonts_add_file(stijl_fonts *fonts, const char *path, stijl_message *message) {
  return unsupported(message);
}

stijl_result stijl_fonts_add_folder(stijl_fonts *fonts, const char *path, stijl_message *message) {
  return unsupported(message);
}

stijl_result stijl_fonts_add_memory(stijl_fonts *fonts, const void *data, size_t bytes, stijl_message *message) {
  return unsupported(message);
}

stijl_result stijl_fonts_get_face(stijl_fonts *fonts, size_t index, stijl_font_face *out) {
  return STIJL_ERROR_UNSUPPORTED;
}

stijl_result stijl_fonts_get_use(const stijl_fonts *fonts, size_t index, stijl_font_use *out) {
  return STIJL_ERROR_UNSUPPORTED;
}

stijl_result stijl_fonts_set_family(stijl_fonts *fonts, stijl_generic_family generic, const char *family) {
  return STIJL_ERROR_UNSUPPORTED;
}

stijl_result stijl_text_create(stijl_context *context, stijl_fonts *fonts, stijl_text **out) {
  if (out) *out = NULL;
  return STIJL_ERROR_UNSUPPORTED;
}

void stijl_text_destroy(stijl_text *text) {}

stijl_result stijl_text_append(stijl_text *text, const char *utf8, size_t length, const stijl_text_style *style) {
  return STIJL_ERROR_UNSUPPORTED;
}

stijl_result stijl_text_layout(stijl_text *text, const stijl_text_params *params, stijl_message *message) {
  return unsupported(message);
}

size_t stijl_text_lines(const stijl_text *text, const stijl_text_line **out) {
  if (out) *out = NULL;
  return 0;
}

size_t stijl_text_glyphs(const stijl_text *text, const stijl_glyph **out) {
  if (out) *out = NULL;
  return 0;
}

const char *stijl_text_font_family(const stijl_text *text, uint32_t font) { return ""; }

void stijl_text_size(const stijl_text *text, float *width, float *height) {
  if (width) *width = 0.0f;
  if (height) *height = 0.0f;
}

uint32_t stijl_text_missing(const stijl_text *text) { return 0; }

bool stijl_text_caret(const stijl_text *text, size_t offset, stijl_caret *out) { return false; }

size_t stijl_text_hit(const stijl_text *text, float x, float y) { return 0; }

stijl_result stijl_text_outline(const stijl_text *text, const stijl_matrix *matrix, stijl_path *path) {
  return STIJL_ERROR_UNSUPPORTED;
}

void stijl_scene_text(stijl_scene *scene, const stijl_text *text, const stijl_matrix *matrix,
                      const stijl_paint *paint) {}

void stijl_scene_text_stroke(stijl_scene *scene, const stijl_text *text, const stijl_stroke *stroke,
                             const stijl_matrix *matrix, const stijl_paint *paint) {}
