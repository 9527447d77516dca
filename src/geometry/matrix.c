#include "geometry/matrix.h"

#include <math.h>

#include "geometry/trig.h"

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

// Returns the tangent of an angle. At 90 degrees it is infinite, so that stijl_matrix_is_finite finds the matrix.
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
  return sj_from_k(k_multiply(sj_to_k(outer), sj_to_k(inner)));
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
  k_vec v = k_transform(sj_to_k(m), k_vec_make(p.x, p.y));
  return (stijl_point){v.x, v.y};
}

stijl_rect stijl_matrix_apply_rect(stijl_matrix m, stijl_rect r) {
  k_box box = k_box_of(sj_to_k(m), sj_to_box(r));
  return (stijl_rect){box.x0, box.y0, box.x1, box.y1};
}
