// Flattened lines in 24.8 fixed point, with an array for each coordinate, so that a vector loads that of several lines.
#ifndef SJ_CPU_LINES_H
#define SJ_CPU_LINES_H

#include <stdint.h>

#include "base/context.h"
#include "stijl/geometry.h"

// Vector code writes and reads whole vectors: this many lines beyond the count are always allocated.
#define SJ_LINES_PAD 32

typedef struct sj_lines {
  stijl_context *context;
  int32_t *x0, *y0, *x1, *y1;
  void *memory;  // that holds them
  size_t count, capacity;
  bool failed;  // memory ran out; the lines are incomplete
} sj_lines;

bool sj_lines_grow(sj_lines *lines, size_t extra);
void sj_lines_finish(sj_lines *lines);

// Makes room for `extra` more lines and the padding. Returns false, and sets `failed`, when memory is out.
static inline bool sj_lines_reserve(sj_lines *lines, size_t extra) {
  return lines->capacity - lines->count >= extra + SJ_LINES_PAD || sj_lines_grow(lines, extra);
}

// Returns the box of lines[first..count) in 24.8, whose x0 is above x1 when there are none.
stijl_irect sj_line_box(const sj_lines *lines, size_t first);

static inline void sj_lines_push(sj_lines *lines, int x0, int y0, int x1, int y1) {
  if (y0 == y1 || !sj_lines_reserve(lines, 1)) return;  // a horizontal line covers nothing
  size_t i = lines->count++;
  lines->x0[i] = x0;
  lines->y0[i] = y0;
  lines->x1[i] = x1;
  lines->y1[i] = y1;
}

#endif
