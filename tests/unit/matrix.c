// Matrices, and the trigonometry under them.
#include <math.h>

#include "geometry/trig.h"
#include "stijl/geometry.h"
#include "test.h"

static bool same(stijl_matrix m, float a, float b, float c, float d, float e, float f) {
  return m.a == a && m.b == b && m.c == c && m.d == d && m.e == e && m.f == f;
}

TEST(rotate_is_exact_at_quarter_turns) {
  CHECK(same(stijl_matrix_rotate(0), 1, 0, 0, 1, 0, 0));
  CHECK(same(stijl_matrix_rotate(90), 0, 1, -1, 0, 0, 0));
  CHECK(same(stijl_matrix_rotate(180), -1, 0, 0, -1, 0, 0));
  CHECK(same(stijl_matrix_rotate(-90), 0, -1, 1, 0, 0, 0));
  CHECK(same(stijl_matrix_rotate(3600090), 0, 1, -1, 0, 0, 0));
  CHECK(!stijl_matrix_is_finite(stijl_matrix_rotate(INFINITY)));
}

TEST(skew) {
  CHECK(same(stijl_matrix_skew(45, 0), 1, 0, 1, 1, 0, 0));
  CHECK(same(stijl_matrix_skew(0, -45), 1, -1, 0, 1, 0, 0));
  CHECK(!stijl_matrix_is_finite(stijl_matrix_skew(90, 0)));
}

// The C library's functions are good to an ulp or so everywhere; the point here is that ours are close to the truth.
TEST(sine_and_cosine) {
  for (uint64_t n = 0; sj_test_cases(&n, 20000); n++) {
    sj_random r = sj_random_seed(n);
    double degrees = (double)sj_random_float(&r, -2000.0f, 2000.0f), s, c;
    sj_sincos_degrees(degrees, &s, &c);
    // Reduced before it is turned to radians, as otherwise the conversion's rounding would show.
    double radians = fmod(degrees, 360.0) * (3.14159265358979323846 / 180.0);
    CHECK_NEAR(s, sin(radians), 2e-15);
    CHECK_NEAR(c, cos(radians), 2e-15);
  }
}

TEST(multiply_applies_the_inner_first) {
  stijl_matrix m = stijl_matrix_multiply(stijl_matrix_translate(10, 20), stijl_matrix_scale(2, 3));
  stijl_point p = stijl_matrix_apply(m, (stijl_point){1, 1});
  CHECK(p.x == 12 && p.y == 23);
}

TEST(invert) {
  for (uint64_t n = 0; sj_test_cases(&n, 2000); n++) {
    sj_random r = sj_random_seed(n);
    stijl_matrix m = {sj_random_float(&r, -9, 9), sj_random_float(&r, -9, 9), sj_random_float(&r, -9, 9),
                      sj_random_float(&r, -9, 9), sj_random_float(&r, -9, 9), sj_random_float(&r, -9, 9)};
    double determinant = (double)m.a * (double)m.d - (double)m.b * (double)m.c;
    stijl_matrix inverse;
    if (fabs(determinant) < 0.1) continue;
    CHECK(stijl_matrix_invert(m, &inverse));
    stijl_point p = stijl_matrix_apply(inverse, stijl_matrix_apply(m, (stijl_point){3, -4}));
    CHECK_NEAR(p.x, 3, 2e-3);
    CHECK_NEAR(p.y, -4, 2e-3);
  }
  stijl_matrix untouched = {1, 2, 3, 4, 5, 6};
  CHECK(!stijl_matrix_invert((stijl_matrix){1, 2, 2, 4, 0, 0}, &untouched));
  CHECK(!stijl_matrix_invert((stijl_matrix){1e-40f, 0, 0, 1, 0, 0}, &untouched));
  CHECK(!stijl_matrix_invert((stijl_matrix){NAN, 0, 0, 1, 0, 0}, &untouched));
  CHECK(!stijl_matrix_invert((stijl_matrix){INFINITY, 0, 0, 1, 0, 0}, &untouched));
  CHECK(same(untouched, 1, 2, 3, 4, 5, 6));
}

TEST(apply_rect) {
  stijl_rect r = stijl_matrix_apply_rect(stijl_matrix_rotate(90), (stijl_rect){1, 2, 3, 5});
  CHECK(r.x0 == -5 && r.y0 == 1 && r.x1 == -2 && r.y1 == 3);
}
