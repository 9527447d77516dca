// The public function that parses a colour.
#include <string.h>

#include "stijl/scene.h"
#include "svg/parse/values.h"

stijl_result stijl_color_parse(const char *text, stijl_color *out) {
  if (!text || !out) return STIJL_ERROR_INVALID_ARGUMENT;
  sj_color_kind kind;
  stijl_color color;
  if (!sj_parse_color(text, strlen(text), NULL, &kind, &color) || kind != SJ_COLOR_RGBA) return STIJL_ERROR_MALFORMED;
  *out = color;
  return STIJL_OK;
}
