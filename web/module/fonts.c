// Adds fonts, from memory.
#include <string.h>

#include "web.h"

// Limits of 0 stand for the defaults.
stijl_fonts *WEB(fonts_create)(double max_bytes, uint32_t max_faces, double max_memory) {
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  params.system = false;
  if (max_bytes > 0) params.max_bytes = (uint64_t)max_bytes;
  if (max_faces) params.max_faces = max_faces;
  if (max_memory > 0) params.max_memory = (uint64_t)max_memory;
  stijl_fonts *fonts = NULL;
  web_result = stijl_fonts_create(web_context, &params, &fonts, &web_error);
  return fonts;
}
void WEB(fonts_destroy)(stijl_fonts *fonts) { stijl_fonts_destroy(fonts); }
// Returns whether a file begins as one of the formats does that the library reads. The rest is read once text needs it.
static bool begins_as_font(const void *data, size_t bytes) {
  static const char heads[][5] = {"\0\1\0\0", "true", "OTTO", "ttcf", "wOFF", "wOF2"};
  for (size_t i = 0; bytes >= 12 && i < sizeof heads / sizeof *heads; i++)
    if (memcmp(data, heads[i], 4) == 0) return true;
  return false;
}

int WEB(fonts_add)(stijl_fonts *fonts, const void *data, size_t bytes) {
  if (!begins_as_font(data, bytes)) {
    strcpy(web_error.text, "this is no font: TrueType, OpenType, a collection, WOFF or WOFF2 is wanted");
    return (int)STIJL_ERROR_UNSUPPORTED;
  }
  return (int)stijl_fonts_add_memory(fonts, data, bytes, &web_error);
}
int WEB(fonts_set_family)(stijl_fonts *fonts, int generic, const char *family) {
  web_error.text[0] = 0;
  return (int)stijl_fonts_set_family(fonts, (stijl_generic_family)generic, family);
}
// Returns the family of a face, or NULL beyond the last.
const char *WEB(fonts_family)(stijl_fonts *fonts, size_t index) {
  stijl_font_face face = STIJL_FONT_FACE_INIT;
  return stijl_fonts_get_face(fonts, index, &face) == STIJL_OK ? face.family : NULL;
}
// Leaves in web_scratch: addresses of the list of families and of the family, how; the weight, a float.
int WEB(fonts_use)(const stijl_fonts *fonts, size_t index) {
  stijl_font_use use = STIJL_FONT_USE_INIT;
  stijl_result result = stijl_fonts_get_use(fonts, index, &use);
  uint32_t *out = web_scratch(4 * sizeof *out);
  if (!out) return (int)STIJL_ERROR_OUT_OF_MEMORY;
  out[0] = (uint32_t)(uintptr_t)use.families;
  out[1] = (uint32_t)(uintptr_t)use.family;
  out[2] = (uint32_t)use.how;
  memcpy(out + 3, &use.weight, sizeof use.weight);
  return (int)result;
}
