// Boxes of whole pixels. x1 and y1 are the first column and row that are no longer in the box.
#ifndef SJ_BASE_IRECT_H
#define SJ_BASE_IRECT_H

#include <math.h>
#include <stdbool.h>

#include "stijl/geometry.h"

static inline bool sj_irect_is_empty(stijl_irect r) { return r.x0 >= r.x1 || r.y0 >= r.y1; }

static inline bool sj_irect_equal(stijl_irect a, stijl_irect b) {
  return a.x0 == b.x0 && a.y0 == b.y0 && a.x1 == b.x1 && a.y1 == b.y1;
}

// Returns the pixels that both boxes have. The result is all zero where there are none.
static inline stijl_irect sj_irect_intersect(stijl_irect a, stijl_irect b) {
  stijl_irect r = {a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0, a.x1 < b.x1 ? a.x1 : b.x1,
                   a.y1 < b.y1 ? a.y1 : b.y1};
  return sj_irect_is_empty(r) ? (stijl_irect){0, 0, 0, 0} : r;
}

// Clamps a coordinate, or a box, to +-1e8: far outside of all canvases, and small enough to convert to int.
static inline float sj_tame(float x) {
  x = x < 1e8f ? x : 1e8f;
  return x > -1e8f ? x : -1e8f;
}

static inline stijl_rect sj_rect_tame(stijl_rect r) {
  return (stijl_rect){sj_tame(r.x0), sj_tame(r.y0), sj_tame(r.x1), sj_tame(r.y1)};
}

static inline stijl_rect sj_rect_unite(stijl_rect a, stijl_rect b) {
  return (stijl_rect){fminf(a.x0, b.x0), fminf(a.y0, b.y0), fmaxf(a.x1, b.x1), fmaxf(a.y1, b.y1)};
}

static inline stijl_rect sj_rect_intersect(stijl_rect a, stijl_rect b) {
  return (stijl_rect){fmaxf(a.x0, b.x0), fmaxf(a.y0, b.y0), fminf(a.x1, b.x1), fminf(a.y1, b.y1)};
}

// Returns the smallest box with the pixels of both.
static inline stijl_irect sj_irect_unite(stijl_irect a, stijl_irect b) {
  if (sj_irect_is_empty(a)) return b;
  if (sj_irect_is_empty(b)) return a;
  return (stijl_irect){a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0, a.x1 > b.x1 ? a.x1 : b.x1,
                       a.y1 > b.y1 ? a.y1 : b.y1};
}

#endif
