// Colour lines: the colours of COLR 1's gradients, as SVG's gradients can have them.
#ifndef SJ_TEXT_COLOR_LINE_H
#define SJ_TEXT_COLOR_LINE_H

#include "base/array.h"
#include "base/context.h"
#include "text/colr.h"

typedef struct sj_color_stop {
  double offset;
  double color[4];  // red, green, blue, alpha: 0..255
} sj_color_stop;

// The stops have offsets in 0..1, which stand for `first`..`last` of the font's.
typedef struct sj_color_line {
  SJ_ARRAY(sj_color_stop) stops;
  double first, last;  // last > first
  uint32_t extend;     // SJ_COLR_PAD, ...
} sj_color_line;

// Reads a paint's colour line, which has no stops where the gradient draws nothing. False: memory is short.
bool sj_color_line_read(stijl_context *context, sj_colr *t, const sj_colr_paint *paint, sj_color_line *out);
void sj_color_line_finish(stijl_context *context, sj_color_line *line);

// Makes the part of the line between two offsets, lo < hi, its whole; beyond its ends the line has their colours. False:
// memory is short.
bool sj_color_line_cut(stijl_context *context, sj_color_line *line, double lo, double hi);

#endif
