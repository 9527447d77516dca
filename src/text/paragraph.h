// What drawing a text of text.h needs to know of it.
#ifndef SJ_TEXT_PARAGRAPH_H
#define SJ_TEXT_PARAGRAPH_H

#include "stijl/text.h"
#include "text/colr.h"
#include "text/face.h"

// A glyph as it is drawn, beside what stijl_glyph tells. Valid until the text changes.
typedef struct sj_text_glyph {
  sj_face *face;
  float scale;  // of font units
  sj_palette palette;
} sj_text_glyph;

sj_text_glyph sj_text_glyph_at(const stijl_text *text, size_t index);
stijl_context *sj_text_context(const stijl_text *text);
stijl_fonts *sj_text_fonts(const stijl_text *text);

#endif
