// Points of Bezier curves.
#ifndef SJ_GEOMETRY_CURVE_H
#define SJ_GEOMETRY_CURVE_H

#include "stijl/geometry.h"

// Returns the point at t (0..1) of the way from a to b.
static inline stijl_point sj_between(stijl_point a, stijl_point b, float t) {
  return (stijl_point){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

// Returns the point of a cubic at t, by Bernstein's polynomials.
static inline stijl_point sj_cubic_at(stijl_point a, stijl_point b, stijl_point c, stijl_point d, float t) {
  float s = 1.0f - t, w0 = s * s * s, w1 = 3.0f * s * s * t, w2 = 3.0f * s * t * t, w3 = t * t * t;
  return (stijl_point){w0 * a.x + w1 * b.x + w2 * c.x + w3 * d.x, w0 * a.y + w1 * b.y + w2 * c.y + w3 * d.y};
}

// Returns the point of a curve of degree 1 to 3 at t, by de Casteljau's steps.
static inline stijl_point sj_curve_at(const stijl_point *p, int degree, float t) {
  stijl_point q[4];
  for (int k = 0; k <= degree; k++) q[k] = p[k];
  for (int left = degree; left > 0; left--)
    for (int k = 0; k < left; k++) q[k] = sj_between(q[k], q[k + 1], t);
  return q[0];
}

#endif
