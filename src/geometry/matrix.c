#include <math.h>

#include "geometry/trig.h"
#include "stijl/geometry.h"

stijl_matrix stijl_matrix_identity(void) { return (stijl_matrix)STIJL_MATRIX_IDENTITY; }

stijl_matrix stijl_matrix_translate(float x, float y) { return (stijl_matrix){1.0f, 0.0f, 0.0f, 1.0f, x, y}; }

stijl_matrix stijl_matrix_scale(float x, float y) { return (stijl_matrix){x, 0.0f, 0.0f, y, 0.0f, 0.0f}; }

stijl_matrix stijl_matrix_rotate(float degrees) {
  if (!isfinite(degrees)) return (stijl_matrix){NAN, NAN, NAN, NAN, 0.0f, 0.0f};
  double sine, cosine;
  sj_sincos_degrees((double)degrees, &sine, &cosine);
  float s = (float)sine, c = (float)cosine;
  return (stijl_matrix){c, s, 0.0f - s, c, 0.0f, 0.0f};
}

// At 90 degrees this is infinite, so that stijl_matrix_is_finite finds the matrix.
static float tangent(float degrees) {
  if (!isfinite(degrees)) return NAN;
  double sine, cosine;
  sj_sincos_degrees((double)degrees, &sine, &cosine);
  if (cosine == 0.0) return INFINITY;
  return (float)(sine / cosine);
}

stijl_matrix stijl_matrix_skew(float x_degrees, float y_degrees) {
  return (stijl_matrix){1.0f, tangent(y_degrees), tangent(x_degrees), 1.0f, 0.0f, 0.0f};
}

stijl_matrix stijl_matrix_multiply(stijl_matrix outer, stijl_matrix inner) {
  return (stijl_matrix){
      outer.a * inner.a + outer.c * inner.b,           outer.b * inner.a + outer.d * inner.b,
      outer.a * inner.c + outer.c * inner.d,           outer.b * inner.c + outer.d * inner.d,
      outer.a * inner.e + outer.c * inner.f + outer.e, outer.b * inner.e + outer.d * inner.f + outer.f,
  };
}

bool stijl_matrix_invert(stijl_matrix m, stijl_matrix *out) {
  // The product of two floats is exact in double, so only the subtraction rounds the determinant.
  double a = (double)m.a, b = (double)m.b, c = (double)m.c, d = (double)m.d, e = (double)m.e, f = (double)m.f;
  double determinant = a * d - b * c;
  if (determinant == 0.0 || !isfinite(determinant)) return false;
  stijl_matrix inverse = {
      (float)(d / determinant),
      (float)(-b / determinant),
      (float)(-c / determinant),
      (float)(a / determinant),
      (float)((c * f - d * e) / determinant),
      (float)((b * e - a * f) / determinant),
  };
  if (!stijl_matrix_is_finite(inverse)) return false;
  *out = inverse;
  return true;
}

bool stijl_matrix_is_finite(stijl_matrix m) {
  return isfinite(m.a) && isfinite(m.b) && isfinite(m.c) && isfinite(m.d) && isfinite(m.e) && isfinite(m.f);
}

stijl_point stijl_matrix_apply(stijl_matrix m, stijl_point p) {
  return (stijl_point){m.a * p.x + m.c * p.y + m.e, m.b * p.x + m.d * p.y + m.f};
}

static float least(float a, float b) { return a < b ? a : b; }
static float most(float a, float b) { return a > b ? a : b; }

// Returns the box of what stijl_matrix_apply gives for the four corners. It needs no corners, because rounding keeps
// order: the least of their sums is the sum of the least terms.
stijl_rect stijl_matrix_apply_rect(stijl_matrix m, stijl_rect r) {
  float ax0 = m.a * r.x0, ax1 = m.a * r.x1, cy0 = m.c * r.y0, cy1 = m.c * r.y1;
  float bx0 = m.b * r.x0, bx1 = m.b * r.x1, dy0 = m.d * r.y0, dy1 = m.d * r.y1;
  return (stijl_rect){least(ax0, ax1) + least(cy0, cy1) + m.e, least(bx0, bx1) + least(dy0, dy1) + m.f,
                      most(ax0, ax1) + most(cy0, cy1) + m.e, most(bx0, bx1) + most(dy0, dy1) + m.f};
}
