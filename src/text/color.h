// Colour glyphs: layers (COLR version 0), graphs of paints (COLR version 1), SVG documents (the table SVG) and bitmaps
// (CBDT, sbix). Each becomes an SVG document, so that one renderer draws all of them.
#ifndef SJ_TEXT_COLOR_H
#define SJ_TEXT_COLOR_H

#include "base/array.h"
#include "text/colr.h"
#include "text/face.h"

typedef SJ_ARRAY(char) sj_color_document;

// What a glyph's document depends on, beside the glyph: the colour of the text, and the palette.
typedef struct sj_color_uses {
  bool foreground, palette;
  bool too_large;  // there is no document, since it would be larger than 4 MiB
} sj_color_uses;

// Makes the document of a glyph. Its units are font units with y pointing down, its viewBox is from (-em, -2 em) to (3
// em, 2 em), so that the glyph's origin lies at (em, 2 em) of a picture that is 4 em wide and high. `foreground`: the
// colour of the text, straight 0xRRGGBBAA. `palette` is for COLR and SVG. *uses is set in any case. False: the glyph
// has no colours, is broken, or memory is short (then the library's refusals count); it is drawn by its outline, if it
// has one.
bool sj_color_glyph(sj_face *face, stijl_context *context, uint32_t glyph, uint32_t foreground,
                    const sj_palette *palette, sj_color_document *out, sj_color_uses *uses);

#endif
