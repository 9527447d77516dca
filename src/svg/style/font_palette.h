// Reads @font-palette-values rules (CSS Fonts 4, 9.2).
#ifndef SJ_SVG_STYLE_FONT_PALETTE_H
#define SJ_SVG_STYLE_FONT_PALETTE_H

#include "base/array.h"
#include "svg/parse/document.h"
#include "svg/style/font.h"

typedef struct sj_font_palette {
  sj_value_text name;         // with its two dashes
  sj_value_text families;     // a list
  bool light, dark;           // the font's first palette for such a background; else `number`
  uint32_t number;            // which of the font's palettes
  SJ_ARRAY(uint32_t) colors;  // replace the font's: for each its index, and straight 0xRRGGBBAA
} sj_font_palette;

typedef SJ_ARRAY(sj_font_palette) sj_font_palettes;

// Reads the rules of the document's sheets that have a name and families, in their order. Texts are valid as long as
// the document. Returns false when memory is short or the budget is spent; what has been read has to be finished in
// either case.
bool sj_font_palettes_init(const sj_document *document, stijl_context *context, sj_font_palettes *out);
void sj_font_palettes_finish(sj_font_palettes *palettes, stijl_context *context);

#endif
