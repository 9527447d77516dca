// Writes the glyphs that are SVG documents (the table SVG) or bitmaps (CBDT, sbix) as documents.
#ifndef SJ_TEXT_COLOR_DOCUMENT_H
#define SJ_TEXT_COLOR_DOCUMENT_H

#include "base/array.h"
#include "text/colr.h"
#include "text/face.h"

typedef SJ_ARRAY(char) sj_color_document;

// Writes a glyph's document, with the memory of `context`. Returns false if the glyph has neither. The document is
// empty if it has, but is broken, memory is short (then the library's refusals count), or it is too large (then
// *too_large is set).
bool sj_color_write(sj_face *face, stijl_context *context, sj_colr *tables, uint32_t glyph, sj_color_document *out,
                    bool *too_large);

#endif
