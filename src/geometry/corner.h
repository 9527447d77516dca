// The corners of joins.
#ifndef SJ_GEOMETRY_CORNER_H
#define SJ_GEOMETRY_CORNER_H

#include "geometry/vector.h"
#include "stijl/scene.h"

#define SJ_CORNER_STRAIGHT 0.9998  // the cosine of a turn that needs no join, about a degree
#define SJ_CORNER_BACK (-0.999999)

// Finds the corners that a join which is not round has between those of its segments, a and b: unit normals of the
// directions u and v on the outside of the turn. They are offsets from the path's point in half widths. Returns how
// many there are, at most two.
static inline int sj_corner_of(const stijl_stroke *stroke, sj_vector u, sj_vector v, sj_vector a, sj_vector b,
                               sj_vector out[2]) {
  double cosine = sj_dot(u, v);
  if (cosine > SJ_CORNER_STRAIGHT || cosine <= SJ_CORNER_BACK) return 0;
  // Miter length / width = 1 / sin(half the angle between the lines); its square is 2 / (1 + cosine).
  double limit = fmax((double)stroke->miter_limit, 1);
  bool mitered = stroke->join == STIJL_JOIN_MITER || stroke->join == STIJL_JOIN_MITER_CLIP;
  sj_vector tip = sj_along(sj_sum(a, b), 1 / (1 + cosine));
  if (mitered && limit * limit * (1 + cosine) >= 2) {
    out[0] = tip;
    return 1;
  }
  if (stroke->join != STIJL_JOIN_MITER_CLIP) return 0;
  // It is cut off at the limit. In half widths the sides end at the cosine of half the turn, and the tip at its
  // inverse.
  double half = sqrt(0.5 * (1 + cosine)), t = fmax(0, fmin(1, (limit - half) / (1 / half - half)));
  out[0] = sj_sum(a, sj_along(sj_difference(tip, a), t));
  out[1] = sj_sum(b, sj_along(sj_difference(tip, b), t));
  return 2;
}

#endif
