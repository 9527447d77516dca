// Small capitals: which a font has, and what stands for those that it lacks (CSS Fonts 4, 6.5).
#ifndef SJ_TEXT_CAPS_H
#define SJ_TEXT_CAPS_H

#include "libraries/harfbuzz.h"
#include "text/face.h"

// The values of font-variant-caps for which other letters may stand. (For titling-caps none do.)
typedef enum sj_caps {
  SJ_CAPS_NORMAL,
  SJ_CAPS_SMALL,
  SJ_CAPS_ALL_SMALL,
  SJ_CAPS_PETITE,
  SJ_CAPS_ALL_PETITE,
  SJ_CAPS_UNICASE
} sj_caps;

#define SJ_SMALL_CAPS 0.7f  // the size of capitals that stand for small ones, in font sizes, as in browsers
#define SJ_MAX_CAPITALS 3   // of one letter

// How a font draws them.
typedef struct sj_caps_plan {
  hb_tag_t features[2];  // are needed beside those that the style asks for; 0: none
  bool letters;          // small letters are drawn as capitals, and small
  bool capitals;         // capitals are drawn small
} sj_caps_plan;

sj_caps_plan sj_caps_of(const sj_face *face, sj_caps caps);
// Finds the capitals of a small letter, and returns how many they are; 0: it is no small letter.
uint32_t sj_capitals_of(uint32_t letter, uint32_t out[SJ_MAX_CAPITALS]);
// Does the same for the first letter of a word, of which only the first becomes a capital.
uint32_t sj_title_of(uint32_t letter, uint32_t out[SJ_MAX_CAPITALS]);
// Returns the small letter of a capital; other characters as they are. (That of U+0130 is two, an i and a dot.)
uint32_t sj_small_of(uint32_t letter);

#endif
