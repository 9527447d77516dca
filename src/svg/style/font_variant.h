// font-variant and its longhands (CSS Fonts 4, 6): which features of a font they ask for.
#ifndef SJ_SVG_STYLE_FONT_VARIANT_H
#define SJ_SVG_STYLE_FONT_VARIANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "svg/parse/names.h"

// Bits of each longhand; 0 is normal.
typedef struct sj_font_variant {
  uint32_t alternates, caps, east_asian, ligatures, numeric, position;
} sj_font_variant;

// Sets a longhand, or all by the shorthand. False, with nothing changed: the value is not valid.
bool sj_font_variant_apply(sj_name name, const char *text, size_t length, sj_font_variant *out);
// Calls for each feature that is asked for, by its tag as a number. False ends it.
bool sj_font_variant_features(const sj_font_variant *variant, bool (*each)(void *user, uint32_t tag, uint32_t value),
                              void *user);

#endif
