// Differences of a path's points, in doubles, and by how much their directions turn.
#ifndef SJ_GEOMETRY_VECTOR_H
#define SJ_GEOMETRY_VECTOR_H

#include <math.h>

#include "stijl/geometry.h"

typedef struct sj_vector {
  double x, y;
} sj_vector;

static inline sj_vector sj_vector_of(stijl_point p) { return (sj_vector){(double)p.x, (double)p.y}; }

static inline sj_vector sj_difference(sj_vector a, sj_vector b) { return (sj_vector){a.x - b.x, a.y - b.y}; }

static inline bool sj_is_point(sj_vector v) { return v.x == 0 && v.y == 0; }

// Returns how far the middle one of three control points is from the middle of the others, twice.
static inline double sj_bend(sj_vector a, sj_vector b, sj_vector c) {
  double x = a.x - 2 * b.x + c.x, y = a.y - 2 * b.y + c.y;
  return sqrt(x * x + y * y);
}

// Returns the quarter of the plane that a direction lies in, counted from +x to +y.
static inline int sj_quarter(sj_vector v) { return v.x > 0 && v.y >= 0 ? 0 : v.y > 0 ? 1 : v.x < 0 ? 2 : 3; }

// Returns by how many quarters the direction turns from a to b.
static inline int sj_turn(sj_vector a, sj_vector b) {
  int quarters = (sj_quarter(b) - sj_quarter(a)) & 3;
  if (quarters == 2) return a.x * b.y - a.y * b.x >= 0 ? 2 : -2;
  return quarters == 3 ? -1 : quarters;
}

#endif
