// In place of all of text in a build without it.
#include "base/context.h"
#include "stijl/fonts.h"

static stijl_result unsupported(stijl_message *message) {
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED,
                 "this build has no text (HarfBuzz, FreeType, FriBidi, fontconfig, libunibreak)");
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

stijl_result stijl_fonts_set_family(stijl_fonts *fonts, stijl_generic_family generic, const char *family) {
  return STIJL_ERROR_UNSUPPORTED;
}
