// Compositing in floats against compositing in integers.
#include "kernel/composite_float.h"
#include "test.h"

TEST(div255) {
  for (uint x = 0; x <= 65152; x++)
    if (k_div255_float((float)x) != (float)k_div255(x)) sj_test_fail("div255", (int)x, "differs");
}

TEST(over_full) {
  for (uint d = 0; d <= 255; d++)
    for (uint alpha = 0; alpha <= 255; alpha++) {
      uint s = alpha << 24, below = d << 24 | d << 16 | d << 8 | d;
      uint got = k_pixel_pack(k_over_float_full(k_pixel_unpack(below), k_pixel_unpack(s)));
      uint expected = k_over(below, s, 255);
      if (got != expected) sj_test_fail("over_full", (int)(d * 256 + alpha), "%08x, expected %08x", got, expected);
    }
}

static uint random_pixel(sj_random *r) {
  uint a = (uint)sj_random_int(r, 0, 255), p = a << 24;
  for (int i = 0; i < 3; i++) p |= (uint)sj_random_int(r, 0, (int)a) << (8 * i);
  return p;
}

TEST(over) {
  sj_random r = sj_random_seed(1);
  for (int i = 0; i < 2000000; i++) {
    uint d = random_pixel(&r), s = random_pixel(&r), m = (uint)sj_random_int(&r, 0, 255);
    uint got = k_pixel_pack(k_over_float(k_pixel_unpack(d), k_pixel_unpack(s), (float)m)), expected = k_over(d, s, m);
    if (got != expected) sj_test_fail("over", i, "%08x over %08x, %u: %08x, expected %08x", s, d, m, got, expected);
    if (m == 255 && k_pixel_pack(k_over_float_full(k_pixel_unpack(d), k_pixel_unpack(s))) != expected)
      sj_test_fail("over_full", i, "%08x over %08x", s, d);
  }
}
