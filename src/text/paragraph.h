// What drawing a stijl_text needs to know, which src/typeset/text.c does.
#ifndef SJ_TEXT_PARAGRAPH_H
#define SJ_TEXT_PARAGRAPH_H

#include "stijl/text.h"
#include "text/colr.h"
#include "text/face.h"

// What it takes to draw a glyph, beside its stijl_glyph. It is valid until the text changes.
typedef struct sj_text_glyph {
  sj_face *face;
  float scale;  // from font units to those of the text
  sj_palette palette;
} sj_text_glyph;

sj_text_glyph sj_text_glyph_at(const stijl_text *text, size_t index);
stijl_context *sj_text_context(const stijl_text *text);
stijl_fonts *sj_text_fonts(const stijl_text *text);

#endif
