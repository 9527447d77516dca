// The outline of what lines wind around.
#ifndef SJ_GEOMETRY_UNION_H
#define SJ_GEOMETRY_UNION_H

#include "base/array.h"
#include "stijl/path.h"

// A directed line.
typedef struct sj_union_line {
  int32_t x0, y0, x1, y1;
} sj_union_line;

typedef SJ_ARRAY(sj_union_line) sj_union_lines;

// Appends to `out` the outline of where the winding number of `lines`, which are closed, is not zero. It is closed,
// runs around that area once, and its points are on integers. Coordinates are within +-2^24. Takes as many steps as the
// lines have crossings and ends, times how many lines are beside one another at each. Returns false when memory is
// short or there are more than `max_steps`; *steps becomes how many there were.
bool sj_union(stijl_context *context, const sj_union_lines *lines, uint64_t max_steps, sj_union_lines *out,
              uint64_t *steps);

// Appends closed lines to a path as subpaths, each point multiplied by `scale`. Sorts them. Returns false when memory
// is short.
bool sj_union_contours(stijl_context *context, sj_union_lines *lines, double scale, stijl_path *path);

#endif
