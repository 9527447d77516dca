// Small capitals, of a font or in their place.
#ifndef SJ_TEXT_CAPS_H
#define SJ_TEXT_CAPS_H

#include "libraries/harfbuzz.h"
#include "text/face.h"

// font-variant-caps, as far as other letters may stand for what a font lacks.
typedef enum sj_caps {
  SJ_CAPS_NORMAL,
  SJ_CAPS_SMALL,
  SJ_CAPS_ALL_SMALL,
  SJ_CAPS_PETITE,
  SJ_CAPS_ALL_PETITE,
  SJ_CAPS_UNICASE
} sj_caps;

#define SJ_SMALL_CAPS 0.7f  // how large capitals are that stand for small ones, as in browsers
#define SJ_MAX_CAPITALS 3

// What a font needs for them.
typedef struct sj_caps_plan {
  hb_tag_t features[2];    // beside those that the style asks for; 0: none
  bool letters, capitals;  // small letters become capitals and small, capitals become small
} sj_caps_plan;

sj_caps_plan sj_caps_of(const sj_face *face, sj_caps caps);
// The capitals of a small letter; 0: it is none.
uint32_t sj_capitals_of(uint32_t letter, uint32_t out[SJ_MAX_CAPITALS]);

#endif
