// Itemising and shaping: from characters to glyphs, in font units.
//
// A text is cut into items, within which direction, script, font and style are the same; HarfBuzz shapes each with the
// whole text around it in view.
#ifndef SJ_TEXT_SHAPE_H
#define SJ_TEXT_SHAPE_H

#include <hb.h>

#include "base/array.h"
#include "text/caps.h"
#include "text/fonts.h"

typedef enum sj_text_orientation { SJ_ORIENT_MIXED, SJ_ORIENT_UPRIGHT, SJ_ORIENT_SIDEWAYS } sj_text_orientation;

// What shaping needs to know of a style.
typedef struct sj_shape_style {
  sj_font_style font;
  const char *language;      // BCP 47; NULL: none
  uint32_t language_system;  // OpenType's tag, which goes before the language; 0: none
  const hb_feature_t *features;
  size_t feature_count;
  bool no_kerning, no_ligatures;
  sj_caps caps;            // beside the features
  bool no_synthesis_caps;  // where the font lacks them
  sj_text_orientation orientation;  // in vertical text
} sj_shape_style;

typedef struct sj_shape_span {
  uint32_t end;  // one past its last character; spans follow each other
  sj_shape_style style;
} sj_shape_span;

// In font units; y points up, as in the font. In vertical text the advance is downwards, y_advance < 0.
typedef struct sj_glyph {
  uint32_t id;
  uint32_t cluster;  // the first character that it stands for
  int32_t x_advance, y_advance, x_offset, y_offset;
} sj_glyph;

// Glyphs of an item are in visual order: from left to right, or from top to bottom.
typedef struct sj_item {
  uint32_t first, end;  // characters
  uint32_t span;
  uint8_t level;  // odd: from right to left
  bool upright;   // in vertical text: shaped from top to bottom, else on its side
  hb_script_t script;
  bool small;  // its capitals are SJ_SMALL_CAPS as large as the text
  sj_face *face;
  uint32_t first_glyph, glyph_count;
} sj_item;

typedef struct sj_shaped {
  stijl_context *context;
  SJ_ARRAY(sj_item) items;  // in the order of the characters
  SJ_ARRAY(sj_glyph) glyphs;
  SJ_ARRAY(uint8_t) levels;  // of characters
  uint8_t base_level;
  uint32_t missing;  // the first character that no font has; 0: none
} sj_shaped;

typedef enum sj_base_direction { SJ_BASE_LTR, SJ_BASE_RTL, SJ_BASE_AUTO } sj_base_direction;

#define SJ_MAX_TEXT 0x1000000u  // characters of one text

// `levels` are those of the characters where they are a part of a paragraph; NULL: they are one. False when memory is
// short or the context's budget is spent; what is there then is to be finished all the same. A text without any font has
// no items.
bool sj_shape(stijl_fonts *fonts, stijl_context *context, const uint32_t *text, uint32_t count,
              const sj_shape_span *spans, uint32_t span_count, sj_base_direction direction, const uint8_t *levels,
              bool vertical, sj_shaped *out);
void sj_shaped_finish(sj_shaped *shaped);

// Where lines may end behind a character (UAX 14): linebreak.h has the values. `language` may be NULL. False: memory.
bool sj_line_breaks(stijl_context *context, const uint32_t *text, uint32_t count, const char *language, char *out);

// The order in which runs of these levels stand, left to right: rule L2 of the bidirectional algorithm. out[i] is which
// one is i-th.
void sj_visual_order(const uint8_t *levels, uint32_t count, uint32_t *out);

// Whether a line has to end behind the character (UAX 14, LB4 and LB5); CR and LF end it together.
bool sj_ends_line(uint32_t character);
// Whether a character goes on a cluster that the one before it began or went on: marks, joiners, and what follows them.
bool sj_continues_cluster(const uint32_t *text, uint32_t at);
// Whether the character is drawn upright in vertical text (Unicode, UAX 50).
bool sj_is_upright(uint32_t character);
// Whether it is drawn upright where the font has a form of it for vertical text, and on its side elsewhere.
bool sj_is_transformed(uint32_t character);

// Decodes UTF-8, broken bytes becoming U+FFFD; offsets (may be NULL) takes the byte where each begins, and the end. The
// arrays are sj_alloc'ed. False: memory.
bool sj_decode_utf8(stijl_context *context, const char *text, size_t length, uint32_t **out, uint32_t **offsets,
                    uint32_t *count);

#endif
