// What is compiled into loops over many draws.
#ifndef SJ_GEOMETRY_MATRIX_H
#define SJ_GEOMETRY_MATRIX_H

#include "stijl/geometry.h"

static inline float sj_matrix_least(float a, float b) { return a < b ? a : b; }
static inline float sj_matrix_most(float a, float b) { return a > b ? a : b; }

// Returns the box of what stijl_matrix_apply gives for the four corners. It needs no corners, because rounding keeps
// order: the least of their sums is the sum of the least terms.
static inline stijl_rect sj_matrix_apply_rect(stijl_matrix m, stijl_rect r) {
  float ax0 = m.a * r.x0, ax1 = m.a * r.x1, cy0 = m.c * r.y0, cy1 = m.c * r.y1;
  float bx0 = m.b * r.x0, bx1 = m.b * r.x1, dy0 = m.d * r.y0, dy1 = m.d * r.y1;
  return (stijl_rect){sj_matrix_least(ax0, ax1) + sj_matrix_least(cy0, cy1) + m.e,
                      sj_matrix_least(bx0, bx1) + sj_matrix_least(dy0, dy1) + m.f,
                      sj_matrix_most(ax0, ax1) + sj_matrix_most(cy0, cy1) + m.e,
                      sj_matrix_most(bx0, bx1) + sj_matrix_most(dy0, dy1) + m.f};
}

#endif
