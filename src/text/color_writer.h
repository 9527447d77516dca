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
  uint32_t paints;   // how many paints or layers have been visited
  uint32_t ids;      // how many ids have been used
  bool outlined;     // the present paint fills a glyph's outline
  uint32_t outline;  // that glyph
  bool failed;       // nothing more is written
  bool too_large;    // that is why
} sj_color_writer;

// Fails because memory is short, which counts as a refusal of the font library.
void sj_color_refused(sj_color_writer *w);

void sj_color_put_bytes(sj_color_writer *w, const char *text, size_t length);
void sj_color_put(sj_color_writer *w, const char *text);
// Writes a number with at least so many digits.
void sj_color_put_unsigned(sj_color_writer *w, uint64_t value, int digits);
// Writes a number with up to six decimals, whatever the locale.
void sj_color_put_digits(sj_color_writer *w, double value);
// Writes the same and a blank.
void sj_color_put_number(sj_color_writer *w, double value);
void sj_color_put_attribute(sj_color_writer *w, const char *name, double value);
// Writes a straight 0xRRGGBBAA as #rrggbbaa.
void sj_color_put_hex(sj_color_writer *w, uint32_t rgba);
// Writes the attributes of a fill with a colour of the palette.
void sj_color_put_fill(sj_color_writer *w, uint32_t color, double alpha);
// Writes a glyph's outline as the attribute d; y points up as in the font.
void sj_color_put_outline(sj_color_writer *w, uint32_t glyph);

// Returns a new number for an element's id.
uint32_t sj_color_begin_id(sj_color_writer *w);
// Writes such a number between two texts.
void sj_color_put_id(sj_color_writer *w, const char *before, uint32_t id, const char *behind);

// color_paint.c: Draws a glyph's graph of paints (COLR version 1). False: it has none.
bool sj_color_put_graph(sj_color_writer *w, uint32_t glyph);

#endif
