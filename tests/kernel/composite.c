// Compositing in floats against compositing in integers. Built twice: with and without fused multiplications.
#include "kernel/platform.h"
#include <math.h>
#ifdef FUSED
#undef k_fused
#define k_fused(a, b, c) fmaf(a, b, c)
#endif
#include "kernel/composite_float.h"
#include "test.h"

static float channel(uint n) { return k_pixel_unpack(n).r; }
static uint number(float channel) { return k_pixel_pack((k_pixel){channel, K_ONES, K_ONES, K_ONES}); }

TEST(byte) {
  for (uint i = 0; i < 4; i++)
    for (uint m = 0; m <= 255; m++) {
      uint word = m << (8 * i);
      CHECK(k_byte(word, i) == 256.0f + (float)m);
      CHECK(k_byte(word | ~(255u << (8 * i)), i) == 256.0f + (float)m);
    }
}

TEST(hidden) {
  for (uint alpha = 0; alpha <= 255; alpha++)
    for (uint m = 0; m <= 255; m++) CHECK(k_hidden(channel(alpha), (float)m) == (float)k_div255(alpha * m));
}

TEST(add_255th) {
  for (int d = 0; d <= 255; d++)
    for (int sum = 0; sum <= 65152; sum++) {
      uint got = number(k_add_255th(channel((uint)d), (float)(sum - 255 * d))), expected = k_div255((uint)sum);
      if (got != expected) sj_test_fail("add_255th", d, "%d: %u, expected %u", sum, got, expected);
    }
}

TEST(over_opaque) {
  for (uint d = 0; d <= 255; d++)
    for (uint s = 0; s <= 255; s++)
      for (uint m = 0; m <= 255; m++) {
        uint got = number(k_over_channel_opaque(channel(d), channel(s), k_part(k_byte(m, 0))));
        uint expected = k_over(d, s | 0xff000000u, m) & 255u;
        if (got != expected) sj_test_fail("over_opaque", (int)d, "%u, %u: %u, expected %u", s, m, got, expected);
      }
}

TEST(over_full) {
  for (uint d = 0; d <= 255; d++)
    for (uint alpha = 0; alpha <= 255; alpha++)
      for (uint s = 0; s <= alpha; s++) {
        uint below = d | d << 24, source = s | alpha << 24, expected = k_over(below, source, 255);
        uint got = k_pixel_pack(k_over_float_full(k_pixel_unpack(below), k_pixel_unpack(source)));
        if (got != expected) sj_test_fail("over_full", (int)d, "%u, %u: %08x, expected %08x", s, alpha, got, expected);
      }
}

static uint random_pixel(sj_random *r) {
  uint a = (uint)sj_random_int(r, 0, 256), p = a << 24;
  for (int i = 0; i < 3; i++) p |= (uint)sj_random_int(r, 0, (int)a + 1) << (8 * i);
  return p;
}

TEST(over) {
  sj_random r = sj_random_seed(1);
  for (int i = 0; i < 2000000; i++) {
    uint d = random_pixel(&r), s = random_pixel(&r), m = (uint)sj_random_int(&r, 0, 256), expected = k_over(d, s, m);
    k_pixel below = k_pixel_unpack(d), source = k_pixel_unpack(s);
    uint got = k_pixel_pack(k_over_float(below, source, k_byte(m, 0)));
    if (got != expected) sj_test_fail("over", i, "%08x over %08x, %u: %08x, expected %08x", s, d, m, got, expected);
    if (m == 255 && k_pixel_pack(k_over_float_full(below, source)) != expected)
      sj_test_fail("over_full", i, "%08x over %08x", s, d);
    s |= 0xff000000u;
    got = k_pixel_pack(k_over_float_opaque(below, k_pixel_unpack(s), k_part(k_byte(m, 0))));
    if (got != k_over(d, s, m)) sj_test_fail("over_opaque", i, "%08x over %08x, %u: %08x", s, d, m, got);
  }
}

static double light(double srgb) { return srgb <= 0.04045 ? srgb / 12.92 : pow((srgb + 0.055) / 1.055, 2.4); }

TEST(srgb_light) {
  for (uint i = 0; i < 256; i++) CHECK(k_srgb_light(i) == (uint)lround(65535.0 * light(i / 255.0)));
}

// Within a level of the formula; exactly what an opaque grey's light is.
TEST(luminance_linear) {
  sj_random r = sj_random_seed(2);
  for (int i = 0; i < 500000; i++) {
    uint p = random_pixel(&r), alpha = k_alpha(p), got = k_luminance_linear(p);
    double sum = 0.0, weights[] = {0.2125, 0.7154, 0.0721};
    for (uint c = 0; alpha && c < 3; c++) sum += weights[c] * light(round(k_channel(p, c) * 255.0 / alpha) / 255.0);
    if (fabs(sum * alpha - got) > 0.51)
      sj_test_fail("luminance_linear", i, "%08x: %u, expected %f", p, got, sum * alpha);
  }
  for (uint g = 0; g < 256; g++)
    CHECK(k_luminance_linear(g * 0x10101u | 0xff000000u) == (k_srgb_light(g) * 255 + 32767) / 65535);
}
