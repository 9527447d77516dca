// Reads font-variant and its longhands (CSS Fonts 4, 6), and tells which features of a font they ask for.
#ifndef SJ_SVG_STYLE_FONT_VARIANT_H
#define SJ_SVG_STYLE_FONT_VARIANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "svg/parse/names.h"

// Bits for each longhand (`values` of font_variant.c); 0 is normal.
typedef struct sj_font_variant {
  uint32_t alternates, caps, east_asian, emoji, ligatures, numeric, position;
} sj_font_variant;

// Sets a longhand, or all of them by the shorthand. Returns false, with nothing changed, where the value is not valid.
bool sj_font_variant_apply(sj_name name, const char *text, size_t length, sj_font_variant *out);
// Calls `each` for each feature that is asked for, by its tag as a number. It stops and returns false once `each` does.
bool sj_font_variant_features(const sj_font_variant *variant, bool (*each)(void *user, uint32_t tag, uint32_t value),
                              void *user);

#endif
