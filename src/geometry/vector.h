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

static inline sj_vector sj_sum(sj_vector a, sj_vector b) { return (sj_vector){a.x + b.x, a.y + b.y}; }
static inline sj_vector sj_along(sj_vector v, double length) { return (sj_vector){v.x * length, v.y * length}; }

// Returns the point at t (0..1) of the way from a to b.
static inline sj_vector sj_mix(sj_vector a, sj_vector b, double t) {
  return (sj_vector){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

static inline double sj_dot(sj_vector a, sj_vector b) { return a.x * b.x + a.y * b.y; }
static inline double sj_cross(sj_vector a, sj_vector b) { return a.x * b.y - a.y * b.x; }
static inline double sj_length(sj_vector v) { return sqrt(sj_dot(v, v)); }
static inline sj_vector sj_unit(sj_vector v) { return sj_along(v, 1 / sj_length(v)); }
static inline sj_vector sj_left_of(sj_vector u) { return (sj_vector){-u.y, u.x}; }

static inline bool sj_is_point(sj_vector v) { return v.x == 0 && v.y == 0; }

// Returns whether two directions are apart by more than the angle of a cosine, which is below 0.
static inline bool sj_turns_beyond(sj_vector u, sj_vector v, double cosine) {
  double along = sj_dot(u, v);
  return along < 0 && along * along > cosine * cosine * sj_dot(u, u) * sj_dot(v, v);
}

// Returns the blossom of a cubic, of which sj_blossom(p, t, t, t) is the point at t, and the others are control points
// of its parts (Ramshaw 1987).
static inline sj_vector sj_blossom(const sj_vector p[4], double s, double t, double u) {
  sj_vector a = sj_mix(p[0], p[1], s), b = sj_mix(p[1], p[2], s), c = sj_mix(p[2], p[3], s);
  return sj_mix(sj_mix(a, b, t), sj_mix(b, c, t), u);
}

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
