// Matrices of doubles, for what is inverted and composed. They only use + - * /, which give the same bits on every
// machine.
#ifndef SJ_SCENE_MATRIX64_H
#define SJ_SCENE_MATRIX64_H

#include <math.h>

#include "stijl/geometry.h"

typedef struct sj_matrix64 {
  double a, b, c, d, e, f;
} sj_matrix64;

static inline sj_matrix64 sj_to64(stijl_matrix m) {
  return (sj_matrix64){(double)m.a, (double)m.b, (double)m.c, (double)m.d, (double)m.e, (double)m.f};
}

static inline stijl_matrix sj_from64(sj_matrix64 m) {
  return (stijl_matrix){(float)m.a, (float)m.b, (float)m.c, (float)m.d, (float)m.e, (float)m.f};
}

static inline sj_matrix64 sj_multiply64(sj_matrix64 o, sj_matrix64 i) {
  return (sj_matrix64){o.a * i.a + o.c * i.b, o.b * i.a + o.d * i.b,       o.a * i.c + o.c * i.d,
                       o.b * i.c + o.d * i.d, o.a * i.e + o.c * i.f + o.e, o.b * i.e + o.d * i.f + o.f};
}

// Sets *out to the inverse. Returns false if the matrix flattens everything, or nearly so.
static inline bool sj_invert64(sj_matrix64 m, sj_matrix64 *out) {
  double det = m.a * m.d - m.b * m.c;
  double scale = fabs(m.a * m.d) + fabs(m.b * m.c);
  if (!(fabs(det) > scale * 1e-12) || !(fabs(det) < 1e300)) return false;
  double r = 1.0 / det;
  *out = (sj_matrix64){m.d * r, -m.b * r, -m.c * r, m.a * r, (m.c * m.f - m.d * m.e) * r, (m.b * m.e - m.a * m.f) * r};
  return r - r == 0.0;
}

// Returns whether kernels can transform pixels by the matrix, because none of its numbers is too large for them.
static inline bool sj_fits_kernels(sj_matrix64 m) {
  return fabs(m.a) < 1e9 && fabs(m.b) < 1e9 && fabs(m.c) < 1e9 && fabs(m.d) < 1e9 && fabs(m.e) < 1e12 &&
         fabs(m.f) < 1e12;
}

#endif
