// The inside of stijl_text, which its files share: paragraph.c has the text and what is asked about its layout, and
// paragraph_layout.c makes the layout.
#ifndef SJ_TEXT_PARAGRAPH_DATA_H
#define SJ_TEXT_PARAGRAPH_DATA_H

#include "stijl/text.h"
#include "text/colr.h"
#include "text/shape.h"

// The characters of one call of stijl_text_append, and their style.
typedef struct sj_text_piece {
  uint32_t end;  // one past its last character; pieces follow each other
  float font_size, letter_spacing, word_spacing, line_height;
  char *families, *language;
  SJ_ARRAY(hb_feature_t) features;
  SJ_ARRAY(sj_axis_value) axes;
  float weight, stretch;
  sj_slant slant;
  sj_palette_base palette_base;
  uint32_t palette_number;
  SJ_ARRAY(uint32_t) colors;  // in the form of sj_palette
} sj_text_piece;

// Characters that are placed as one, between which a caret may stand.
typedef struct sj_text_cell {
  uint32_t first, end;  // the characters
  float x, width;
  uint32_t line;
  uint8_t level;  // odd: from right to left
} sj_text_cell;

// What it takes to draw a glyph.
typedef struct sj_drawn_glyph {
  sj_face *face;
  float scale;     // from font units to those of the text
  uint32_t piece;  // the number of the piece that it is in
} sj_drawn_glyph;

struct stijl_text {
  stijl_context *context;
  stijl_fonts *fonts;
  SJ_ARRAY(uint32_t) characters;
  SJ_ARRAY(uint32_t) offsets;  // where each character begins in the UTF-8 that was appended
  size_t bytes;                // the length of that
  SJ_ARRAY(sj_text_piece) pieces;
  // The layout.
  SJ_ARRAY(stijl_text_line) lines;
  SJ_ARRAY(stijl_glyph) glyphs;
  SJ_ARRAY(sj_drawn_glyph) drawn;  // for each glyph
  SJ_ARRAY(sj_text_cell) cells;    // line by line, in visual order
  SJ_ARRAY(sj_face *) faces;       // stijl_glyph.font is an index of these
  float width, height;
  uint32_t missing;  // the first character that no font has; 0: none
};

// Forgets the layout, which a changed text no longer has.
void sj_text_clear_layout(stijl_text *text);

#endif
