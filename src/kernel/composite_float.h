// Compositing on pixels whose four channels are whole numbers 0..255 kept as floats: to the bit what composite.h does
// in integers. Devices have twice the lanes for floats, and no channel needs to be masked or shifted.
//
// Every product and sum here is a whole number below 2^24, so exact. A quotient x / 255 never comes nearer to a half
// than 1/510, and the product with the rounded 1/255 is off by less than 2^-15: so it rounds to the same whole number,
// whether or not a multiplication and an addition are fused. tests/kernel/composite.c looks at every x.
#ifndef K_COMPOSITE_FLOAT_H
#define K_COMPOSITE_FLOAT_H

#include "composite.h"

K_STRUCT(k_pixel) { float r, g, b, a; };

K_FN k_pixel k_pixel_unpack(uint p) {
  k_pixel f;
  f.r = k_float(p & 255u);
  f.g = k_float((p >> 8) & 255u);
  f.b = k_float((p >> 16) & 255u);
  f.a = k_float(p >> 24);
  return f;
}

K_FN uint k_pixel_pack(k_pixel f) { return k_uint(f.r) | k_uint(f.g) << 8 | k_uint(f.b) << 16 | k_uint(f.a) << 24; }

// k_div255 of a whole number 0..65152: adding 1.5 2^23 leaves no bits for a fraction.
K_FN float k_div255_float(float x) {
  kfloat q = k_fused(x, 1.0f / 255.0f, 12582912.0f);
  q = q - 12582912.0f;
  return q;
}

K_FN float k_over_channel(float d, float s, float m, float keep) {
  kfloat x = s * m;
  x = k_fused(d, keep, x);
  return k_div255_float(x);
}

// As k_over.
K_FN k_pixel k_over_float(k_pixel d, k_pixel s, float m) {
  kfloat x = s.a * m;
  kfloat keep = 255.0f - k_div255_float(x);
  d.r = k_over_channel(d.r, s.r, m, keep);
  d.g = k_over_channel(d.g, s.g, m, keep);
  d.b = k_over_channel(d.b, s.b, m, keep);
  d.a = k_over_channel(d.a, s.a, m, keep);
  return d;
}

// `keep` a 255th of the share that stays.
K_FN float k_over_channel_full(float d, float s, float keep) {
  kfloat q = k_fused(d, keep, 12582912.0f);
  q = q - 12582912.0f;
  q = q + s;
  return q;
}

// k_over for m = 255: what comes from the source is then exact.
K_FN k_pixel k_over_float_full(k_pixel d, k_pixel s) {
  kfloat keep = 255.0f - s.a;
  keep = keep * (1.0f / 255.0f);
  d.r = k_over_channel_full(d.r, s.r, keep);
  d.g = k_over_channel_full(d.g, s.g, keep);
  d.b = k_over_channel_full(d.b, s.b, keep);
  d.a = k_over_channel_full(d.a, s.a, keep);
  return d;
}

#endif
