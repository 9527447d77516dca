// Colour lines: the colours of COLR's gradients, in the form that paints need.
#ifndef SJ_TEXT_COLOR_LINE_H
#define SJ_TEXT_COLOR_LINE_H

#include "base/array.h"
#include "base/context.h"
#include "text/colr.h"

typedef struct sj_color_stop {
  double offset;
  double color[4];  // red, green, blue, alpha: 0..255
} sj_color_stop;

// Paints want offsets in 0..1, so those of the stops are scaled: 0 and 1 stand for the font's offsets `first` and
// `last`.
typedef struct sj_color_line {
  SJ_ARRAY(sj_color_stop) stops;
  double first, last;  // last > first
  uint32_t extend;     // SJ_COLR_PAD, SJ_COLR_REPEAT or SJ_COLR_REFLECT
} sj_color_line;

// Reads a paint's colour line. Without stops the gradient draws nothing. The line must be finished in any case. Returns
// false when memory is short.
bool sj_color_line_read(stijl_context *context, sj_colr *t, const sj_colr_paint *paint, sj_color_line *out);
void sj_color_line_finish(stijl_context *context, sj_color_line *line);

// Cuts a line down to the part between two offsets, lo < hi. Beyond its ends the line has the colours of the ends.
// Returns false when memory is short.
bool sj_color_line_cut(stijl_context *context, sj_color_line *line, double lo, double hi);

#endif
