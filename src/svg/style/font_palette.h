// @font-palette-values rules (CSS Fonts 4, 9.2).
#ifndef SJ_SVG_STYLE_FONT_PALETTE_H
#define SJ_SVG_STYLE_FONT_PALETTE_H

#include "base/array.h"
#include "svg/parse/document.h"
#include "svg/style/font.h"

typedef struct sj_font_palette {
  sj_font_text name;          // with its dashes
  sj_font_text families;      // a list
  bool light, dark;           // the font's first for such a background; else
  uint32_t number;            // one of the font's
  SJ_ARRAY(uint32_t) colors;  // in place of the font's, as written: of each its index, and its straight 0xRRGGBBAA
} sj_font_palette;

typedef SJ_ARRAY(sj_font_palette) sj_font_palettes;

// Reads the rules of the document's sheets that have a name and families, in their order. Texts are valid as long as
// the document. False when memory is short or the budget is spent; what is there then is to be finished all the same.
bool sj_font_palettes_init(const sj_document *document, stijl_context *context, sj_font_palettes *out);
void sj_font_palettes_finish(sj_font_palettes *palettes, stijl_context *context);

#endif
