// What formulas need of a font: the constants of its MATH table, and its glyphs stretched (OpenType 1.9, MATH; MathML
// Core, 5). Lengths are in pixels, of which a font unit is `scale`, but for the constants.
//
// Ink is that of the whole pixels that hold it, as in Chromium.
#ifndef SJ_TEXT_MATH_FONT_H
#define SJ_TEXT_MATH_FONT_H

#include "text/face.h"

#include <hb-ot.h>

bool sj_face_has_math(const sj_face *face);
// Returns a constant of a face with such a table, in font units; those that are percentages are as they are.
float sj_face_math_constant(const sj_face *face, hb_ot_math_constant_t constant);
// Returns the glyph of a character; 0: the face has none.
uint32_t sj_face_glyph(const sj_face *face, uint32_t character);

// The ink of a glyph, from its origin: below is positive where it reaches below the baseline.
typedef struct sj_glyph_ink {
  float left, right, above, below;
} sj_glyph_ink;
sj_glyph_ink sj_face_ink(const sj_face *face, uint32_t glyph, float scale);

#define SJ_MAX_MATH_PARTS 16

// A glyph, or an assembly of several, in place of one that is too short.
typedef struct sj_stretched {
  bool vertical;
  float scale;
  uint32_t looked_at;  // how many glyphs it took to find it
  float advance, ascent, descent, italic;
  uint32_t glyph;  // if `part_count` is 0
  uint32_t part_count;
  hb_ot_math_glyph_part_t parts[SJ_MAX_MATH_PARTS];
  uint32_t repeats;  // how often each part is there that may be repeated
  float overlap;
} sj_stretched;

// Finds what is at least `target` long, along the text or across it, or the longest there is.
void sj_face_stretch(const sj_face *face, uint32_t glyph, float scale, bool vertical, float target, sj_stretched *out);
// Returns the widest advance of what a glyph may become as it grows across the text.
float sj_face_stretched_advance(const sj_face *face, uint32_t glyph, float scale);

// A glyph of what is stretched, and where its origin is, with y upwards.
typedef struct sj_stretched_walk {
  uint32_t part, times;
  float at;
  uint32_t glyph;
  float x, y;
} sj_stretched_walk;

// Finds the next one; the walk begins as zeros. Returns false at the end.
bool sj_stretched_next(const sj_face *face, const sj_stretched *s, sj_stretched_walk *walk);

#endif
