// Writes the SVG documents of colour glyphs (color.h).
#ifndef SJ_TEXT_COLOR_WRITER_H
#define SJ_TEXT_COLOR_WRITER_H

#include "text/color.h"
#include "text/colr.h"

typedef struct sj_color_writer {
  sj_face *face;
  stijl_context *context;
  sj_color_document *out;
  sj_colr tables;
  uint32_t paints, ids;
  bool outlined;     // the paint at work fills a glyph's outline
  uint32_t outline;  // that glyph
  bool failed;  // nothing more is written
} sj_color_writer;

// Memory is short: the library's refusals count.
void sj_color_refused(sj_color_writer *w);

void sj_color_put_bytes(sj_color_writer *w, const char *text, size_t length);
void sj_color_put(sj_color_writer *w, const char *text);
void sj_color_put_unsigned(sj_color_writer *w, uint64_t value, int digits);
// With six decimals and whatever the locale; and with a blank behind it.
void sj_color_put_digits(sj_color_writer *w, double value);
void sj_color_put_number(sj_color_writer *w, double value);
void sj_color_put_attribute(sj_color_writer *w, const char *name, double value);
// #rrggbbaa, of a straight 0xRRGGBBAA.
void sj_color_put_hex(sj_color_writer *w, uint32_t rgba);
// The attributes of a fill with a colour of the palette.
void sj_color_put_fill(sj_color_writer *w, uint32_t color, double alpha);
// The outline as the attribute d, y pointing up as in the font.
void sj_color_put_outline(sj_color_writer *w, uint32_t glyph);

// The number of a new element that is referred to, and its id, or a reference to it, between two texts.
uint32_t sj_color_begin_id(sj_color_writer *w);
void sj_color_put_id(sj_color_writer *w, const char *before, uint32_t id, const char *behind);

// color_paint.c: what a glyph's graph of paints draws (COLR 1). False: it has none.
bool sj_color_put_graph(sj_color_writer *w, uint32_t glyph);

#endif
