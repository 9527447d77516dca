// The error bounds that kernel/float.h states, and the exactness that kernel/composite.h rests on.
#include <math.h>

#include "kernel/composite.h"
#include "kernel/float.h"
#include "kernel/paint.h"
#include "test.h"

static float positive(sj_random *r) {
  return K_FLOAT((sj_random_u32(r) % 199u + 28u) << 23 | (sj_random_u32(r) & 0x7fffffu));  // 2^-99 .. 2^100
}

static double relative(double got, double exact) { return fabs(got - exact) / fabs(exact); }

TEST(reciprocal) {
  sj_random r = sj_random_seed(1);
  double worst = 0.0;
  for (int i = 0; i < 2000000; i++) {
    float x = positive(&r);
    if (i & 1) x = -x;
    worst = fmax(worst, relative((double)k_recip(x), 1.0 / (double)x));
  }
  printf("# k_recip: largest error %.3g\n", worst);
  CHECK(worst < 2.4e-7);
}

TEST(roots) {
  sj_random r = sj_random_seed(2);
  double worst = 0.0, worst_root = 0.0, worst_fast = 0.0;
  for (int i = 0; i < 2000000; i++) {
    float x = positive(&r);
    worst = fmax(worst, relative((double)k_rsqrt(x), 1.0 / sqrt((double)x)));
    worst_root = fmax(worst_root, relative((double)k_sqrt(x), sqrt((double)x)));
    worst_fast = fmax(worst_fast, relative((double)k_root(x), sqrt((double)x)));
  }
  printf("# k_rsqrt: %.3g, k_sqrt: %.3g, k_root: %.3g\n", worst, worst_root, worst_fast);
  CHECK(worst < 2.0e-7);
  CHECK(worst_root < 2.5e-7);
  CHECK(worst_fast < 6e-7);
  CHECK(k_sqrt(0.0f) == 0.0f);
  CHECK(k_root(0.0f) == 0.0f);
}

TEST(angles) {
  sj_random r = sj_random_seed(3);
  double worst = 0.0, worst_angle = 0.0;
  for (int i = 0; i < 1000000; i++) {
    float a = sj_random_float(&r, -K_PI, K_PI);
    k_vec v = k_cos_sin(a);
    worst = fmax(worst, fmax(fabs((double)v.x - cos((double)a)), fabs((double)v.y - sin((double)a))));
    float x = sj_random_float(&r, -10.0f, 10.0f), y = sj_random_float(&r, -10.0f, 10.0f);
    worst_angle = fmax(worst_angle, fabs((double)k_atan2(y, x) - atan2((double)y, (double)x)));
  }
  printf("# k_cos_sin: %.3g, k_atan2: %.3g\n", worst, worst_angle);
  CHECK(worst < 2e-6);
  CHECK(worst_angle < 4e-6);
  CHECK(k_atan2(0.0f, 0.0f) == 0.0f);
}

TEST(turns) {
  sj_random r = sj_random_seed(8);
  double worst = 0.0;
  for (int i = 0; i < 1000000; i++) {
    float length = positive(&r), a = sj_random_float(&r, -K_PI, K_PI);
    if (length < 1e-20f || length > 1e20f) continue;
    float x = length * (float)cos((double)a), y = length * (float)sin((double)a);
    double exact = atan2((double)y, (double)x) / 6.283185307179586,
           off = fabs((double)k_turns(y, x) - (exact - floor(exact)));
    worst = fmax(worst, fmin(off, 1.0 - off));  // around the x axis 0 and 1 are the same
    CHECK(k_turns(y, x) >= 0.0f && k_turns(y, x) <= 1.0f);
  }
  printf("# k_turns: %.3g\n", worst);
  CHECK(worst < 1.1e-5);
  CHECK(k_turns(0.0f, 0.0f) == 0.0f);
  CHECK(k_turns(0.0f, 1.0f) == 0.0f);
  CHECK(k_turns(1.0f, 0.0f) == 0.25f);
  CHECK(k_turns(0.0f, -1.0f) == 0.5f);
}

TEST(rounding) {
  sj_random r = sj_random_seed(4);
  for (int i = 0; i < 1000000; i++) {
    float x = sj_random_float(&r, -40000.0f, 40000.0f);
    CHECK_INT(k_floor(x), floor((double)x));
    CHECK_INT(k_fixed(x), floor((double)(x * 256.0f + 0.5f)));
  }
}

TEST(division_by_255) {
  for (uint32_t x = 0; x <= 65152; x++) CHECK_INT(k_div255(x), (x + 127) / 255);
}

// Every pair of coverage and pixel keeps colours at or below their alpha, and full coverage of an opaque colour
// replaces.
TEST(source_over) {
  sj_random r = sj_random_seed(5);
  for (int i = 0; i < 2000000; i++) {
    uint32_t a = sj_random_u32(&r) & 255, b = sj_random_u32(&r) & 255, m = sj_random_u32(&r) & 255;
    uint32_t s = k_scale(sj_random_u32(&r) | 0xff000000u, a), d = k_scale(sj_random_u32(&r) | 0xff000000u, b);
    uint32_t o = k_over(d, s, m);
    for (uint32_t c = 0; c < 3; c++) CHECK(k_channel(o, c) <= k_alpha(o));
    CHECK(k_over(d, s, 0) == d);
    CHECK(k_over(d, s | 0xff000000u, 255) == (s | 0xff000000u));
    for (uint32_t mode = K_BLEND_MULTIPLY; mode <= K_BLEND_LAST; mode++) {
      if (mode == K_BLEND_MODES) mode = K_BLEND_MASK_ALPHA;
      uint32_t p = k_blend(mode, d, s);
      for (uint32_t c = 0; c < 3; c++)
        if (k_channel(p, c) > k_alpha(p))
          sj_test_fail(__FILE__, __LINE__, "mode %u: %08x on %08x gives %08x", mode, s, d, p);
      if (mode < K_BLEND_MODES && k_blend(mode, d, 0) != d)
        sj_test_fail(__FILE__, __LINE__, "mode %u: nothing on %08x gives %08x", mode, d, k_blend(mode, d, 0));
    }
  }
}

// Returns an opaque blend by the formulas of the specification in double precision. What draws is within a level of it
// (two for the modes that take reciprocals of small numbers).
static double separable(uint32_t mode, double cb, double cs) {
  switch (mode) {
    case K_BLEND_MULTIPLY: return cb * cs;
    case K_BLEND_SCREEN: return cb + cs - cb * cs;
    case K_BLEND_OVERLAY: return cb <= 0.5 ? 2 * cb * cs : 1 - 2 * (1 - cb) * (1 - cs);
    case K_BLEND_HARD_LIGHT: return cs <= 0.5 ? 2 * cb * cs : 1 - 2 * (1 - cb) * (1 - cs);
    case K_BLEND_DARKEN: return fmin(cb, cs);
    case K_BLEND_LIGHTEN: return fmax(cb, cs);
    case K_BLEND_DIFFERENCE: return fabs(cb - cs);
    case K_BLEND_EXCLUSION: return cb + cs - 2 * cb * cs;
    case K_BLEND_COLOR_DODGE: return cb == 0 ? 0 : cs >= 1 ? 1 : fmin(1, cb / (1 - cs));
    case K_BLEND_PLUS_LIGHTER: return fmin(1, cb + cs);
    case K_BLEND_COLOR_BURN: return cb >= 1 ? 1 : cs <= 0 ? 0 : 1 - fmin(1, (1 - cb) / cs);
    default: {
      double d = cb <= 0.25 ? ((16 * cb - 12) * cb + 4) * cb : sqrt(cb);
      return cs <= 0.5 ? cb - (1 - 2 * cs) * cb * (1 - cb) : cb + (2 * cs - 1) * (d - cb);
    }
  }
}

TEST(blend_formulas) {
  for (uint32_t mode = K_BLEND_MULTIPLY; mode < K_BLEND_MODES; mode++) {
    if (mode == K_BLEND_HUE) mode = K_BLEND_LUMINOSITY + 1;  // the others mix channels
    for (uint32_t cb = 0; cb < 256; cb++)
      for (uint32_t cs = 0; cs < 256; cs++) {
        uint32_t got = k_channel(k_blend(mode, cb | 0xff000000u, cs | 0xff000000u), 0);
        double exact = 255.0 * separable(mode, cb / 255.0, cs / 255.0);
        if (fabs(got - exact) > 1.0)
          sj_test_fail(__FILE__, __LINE__, "mode %u, backdrop %u, source %u: %u, expected %.2f", mode, cb, cs, got,
                       exact);
      }
  }
}

// Sums, of pixels of any alpha.
TEST(plus_lighter) {
  sj_random r = sj_random_seed(7);
  for (int i = 0; i < 1000000; i++) {
    uint32_t s = sj_random_u32(&r), d = sj_random_u32(&r), sum = k_blend(K_BLEND_PLUS_LIGHTER, d, s);
    for (uint32_t c = 0; c < 4; c++) CHECK_INT(k_channel(sum, c), k_min(k_channel(s, c) + k_channel(d, c), 255));
  }
}

TEST(cubic_weights_sum) {
  for (int f = 0; f < 256; f++) {
    int sum = 0;
    for (int i = 0; i < 4; i++) sum += k_cubic_weight(i, f);
    CHECK_INT(sum, 16384);
  }
  CHECK_INT(k_cubic_weight(1, 0), 16384);
}

TEST(wrapping) {
  for (int i = -50; i < 50; i++) {
    CHECK_INT(k_wrap(i, 7, K_SPREAD_REPEAT), ((i % 7) + 7) % 7);
    int m = ((i % 14) + 14) % 14;
    CHECK_INT(k_wrap(i, 7, K_SPREAD_REFLECT), m < 7 ? m : 13 - m);
    CHECK_INT(k_wrap(i, 7, K_SPREAD_PAD), i < 0 ? 0 : i > 6 ? 6 : i);
    CHECK_INT(k_wrap(i, 7, K_SPREAD_NONE), i < 0 || i > 6 ? -1 : i);
  }
}
