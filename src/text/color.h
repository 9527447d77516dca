// Colour glyphs: layers (COLR version 0), graphs of paints (COLR version 1), SVG documents (the table SVG) and bitmaps
// (CBDT, sbix). Those of COLR become scenes; the others become SVG documents, which src/svg records.
#ifndef SJ_TEXT_COLOR_H
#define SJ_TEXT_COLOR_H

#include "stijl/scene.h"
#include "text/color_document.h"

// What a glyph's picture depends on, beside the glyph: the colour of the text, and the palette.
typedef struct sj_color_uses {
  bool foreground, palette;
  bool too_large;  // there is no picture, since it would be larger than 4 MiB, or have more than 250,000 segments
} sj_color_uses;

// A glyph in its colours, in font units with y pointing down. It lies in the square from (0, 0) to (4 em, 4 em), with
// its origin at (em, 2 em).
typedef struct sj_color_picture {
  stijl_scene *scene;          // finished; NULL: it is the document
  sj_color_document document;  // whose size is that of the square
  sj_color_uses uses;
} sj_color_picture;

// Makes the picture of a glyph. A scene has the memory of `memory`, a document that of `context`; the caller frees what
// there is. `foreground`: the colour of the text, straight 0xRRGGBBAA. `palette` is for COLR and SVG. False, with
// nothing but out->uses: the glyph has no colours, is broken, or memory is short (then the library's refusals count);
// it is drawn by its outline, if it has one.
bool sj_color_glyph(sj_face *face, stijl_context *context, stijl_context *memory, uint32_t glyph, uint32_t foreground,
                    const sj_palette *palette, sj_color_picture *out);

#endif
