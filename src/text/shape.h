// Itemising and shaping: from characters to glyphs, in font units.
//
// A text is cut into items, within which direction, script, font and style are the same. HarfBuzz shapes each item, and
// sees the text around it.
#ifndef SJ_TEXT_SHAPE_H
#define SJ_TEXT_SHAPE_H

#include <hb.h>

#include "base/array.h"
#include "text/bidi.h"
#include "text/caps.h"
#include "text/characters.h"
#include "text/fonts.h"

typedef enum sj_text_orientation { SJ_ORIENT_MIXED, SJ_ORIENT_UPRIGHT, SJ_ORIENT_SIDEWAYS } sj_text_orientation;

// What shaping needs to know of a style.
typedef struct sj_shape_style {
  sj_font_style font;
  const char *language;      // BCP 47; NULL: none
  uint32_t language_system;  // OpenType's tag, which overrules the language; 0: none
  const hb_feature_t *features;
  size_t feature_count;
  bool no_kerning, no_ligatures;
  sj_caps caps;            // the features of small capitals are among `features`; this is for what a font lacks
  bool no_synthesis_caps;  // nothing stands for what a font lacks
  sj_text_orientation orientation;  // in vertical text
  sj_emoji_variant emoji;
} sj_shape_style;

typedef struct sj_shape_span {
  uint32_t end;  // one past its last character; spans follow each other
  sj_shape_style style;
} sj_shape_span;

// A glyph in font units; y points up. Upright glyphs of vertical text advance downwards: y_advance < 0.
typedef struct sj_glyph {
  uint32_t id;
  uint32_t cluster;  // the first character of its cluster
  int32_t x_advance, y_advance, x_offset, y_offset;
} sj_glyph;

// An item's glyphs are in visual order: from left to right, or from top to bottom.
typedef struct sj_item {
  uint32_t first, end;  // its characters
  uint32_t span;
  uint8_t level;  // odd: from right to left
  bool upright;   // in vertical text: it is shaped from top to bottom; otherwise it lies on its side
  hb_script_t script;
  bool small;  // its letters are drawn as capitals, SJ_SMALL_CAPS as large as the text
  sj_face *face;
  uint32_t first_glyph, glyph_count;
} sj_item;

typedef struct sj_shaped {
  stijl_context *context;
  SJ_ARRAY(sj_item) items;  // in the order of the characters
  SJ_ARRAY(sj_glyph) glyphs;
  SJ_ARRAY(uint8_t) levels;  // of the characters (bidi.h)
  uint8_t base_level;        // of the paragraph
  uint32_t missing;          // the first character that no font has; 0: none
} sj_shaped;

#define SJ_MAX_TEXT 0x1000000u  // the most characters of a text

// Shapes a text. `levels` are those of its characters if it is a part of a paragraph; NULL: it is a paragraph. `out`
// must be finished in any case. Where there is no font at all it has no items. Returns false when memory is short, or
// the context's budget is spent.
bool sj_shape(stijl_fonts *fonts, stijl_context *context, const uint32_t *text, uint32_t count,
              const sj_shape_span *spans, uint32_t span_count, sj_base_direction direction, const uint8_t *levels,
              bool vertical, sj_shaped *out);
void sj_shaped_finish(sj_shaped *shaped);

#endif
