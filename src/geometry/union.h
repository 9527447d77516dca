// The outline of what lines wind around.
#ifndef SJ_GEOMETRY_UNION_H
#define SJ_GEOMETRY_UNION_H

#include "base/array.h"

// A directed line.
typedef struct sj_union_line {
  int32_t x0, y0, x1, y1;
  uint32_t source;  // of an outline: 1 + the index of the line that it is a part of, 0 where it is of none
  uint32_t next;    // of an outline: the index of the line that begins where it ends
} sj_union_line;

typedef SJ_ARRAY(sj_union_line) sj_union_lines;

// A union takes so many steps of 10 to 20 ns at most, which is 16 to 40 ms. The star {97/40}, of 20,000 crossings,
// takes a fifth of that.
#define SJ_UNION_MOST ((uint64_t)1 << 21)

typedef struct sj_union_result {
  sj_union_lines outline;
  uint64_t steps;
  bool too_many;  // there were more than may be taken, or seemed to become more than SJ_UNION_MOST
  bool simple;    // the lines wind around all that they wind around once and in one direction
} sj_union_result;

// Appends to the outline that of where a fill rule calls inside what `lines`, which are closed, wind around. It is
// closed, runs around that area once, and its points are on integers. Coordinates are within +-2^24. Takes as many
// steps as the lines have crossings and ends, times how many lines are beside one another at each. Returns false when
// memory is short or there are too many steps: more than `max_steps`, or judged by the first ones more than a union
// takes.
bool sj_union(stijl_context *context, const sj_union_lines *lines, bool evenodd, uint64_t max_steps,
              sj_union_result *out);

// Brings the lines of an outline into the order of contours: each begins where the one before it ends, but for a
// contour's first. Those of no length are left out, and `next` is not kept. Returns false when memory is short.
bool sj_union_order(stijl_context *context, sj_union_lines *lines);

// How coordinates become those of a union, in which there are 23 bits from the middle of a box to its sides.
typedef struct sj_union_grid {
  double x, y, scale;
} sj_union_grid;

sj_union_grid sj_union_grid_of(double x0, double y0, double x1, double y1);

#endif
