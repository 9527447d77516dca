// Compositing on pixels whose four channels are floats, with exactly the results of composite.h's integers. GPUs
// compute twice as many floats as integers at a time, and no channel needs to be masked or shifted.
//
// A channel n, 0..255, is the float K_ONES + n. Floats are one apart there: the lowest byte is n, so that nothing is
// converted, and whatever is added is rounded to a whole number. Differences of channels are exact.
//
// Every result is d + x / 255 or s + x / 255 for whole numbers, with one rounding. A quotient x / 255 never comes
// nearer to a half than 1/510, so what is added may be off by less than that:
// - x / 255 is the product with the rounded 1/255: off by less than 2^-15, x being below 2^16.
// - (s - d) m / 255 is the product with k_part for m / 255, which is off by less than 2^-22: off by less than 2^-13.
// All rounds to the same whole number, whether or not a multiplication and an addition are fused.
// tests/kernel/composite.c looks at every case, both ways.
#ifndef K_COMPOSITE_FLOAT_H
#define K_COMPOSITE_FLOAT_H

#include "composite.h"

#define K_ONES 12582912.0f  // 1.5 2^23
#define K_ONES_BITS 0x4b400000u
#define K_255TH (1.0f / 255.0f)

K_STRUCT(k_pixel) { float r, g, b, a; };

K_FN k_pixel k_pixel_unpack(uint p) {
  k_pixel f;
  f.r = K_FLOAT(K_ONES_BITS | (p & 255u));
  f.g = K_FLOAT(K_ONES_BITS | ((p >> 8) & 255u));
  f.b = K_FLOAT(K_ONES_BITS | ((p >> 16) & 255u));
  f.a = K_FLOAT(K_ONES_BITS | (p >> 24));
  return f;
}

K_FN uint k_pixel_pack(k_pixel f) {
  return (K_BITS(f.r) & 255u) | (K_BITS(f.g) & 255u) << 8 | (K_BITS(f.b) & 255u) << 16 | K_BITS(f.a) << 24;
}

// Returns 256 + byte i of a word of coverage: the byte is the top of the fraction. (As the lowest byte of 2^23 + m it
// would be lost in k_part where the product is rounded.)
K_FN float k_byte(uint word, uint i) {
  uint bits = i < 2u ? word << (15u - 8u * i) : word >> (8u * i - 15u);
  return K_FLOAT(0x43800000u | (bits & 0x7f8000u));
}

// Returns m / 255 from 256 + m.
K_FN float k_part(float byte) {
  kfloat part = k_fused(byte, K_255TH, -256.0f * K_255TH);
  return part;
}

// Returns d + x / 255 for a whole number x.
K_FN float k_add_255th(float d, float x) {
  kfloat r = k_fused(x, K_255TH, d);
  return r;
}

// Returns k_div255(alpha m) as a plain number, for the channel alpha.
K_FN float k_hidden(float alpha, float m) {
  kfloat part = (alpha - K_ONES) * K_255TH;
  kfloat q = k_fused(part, m, K_ONES);
  q = q - K_ONES;
  return q;
}

K_FN float k_over_channel(float d, float s, float m, float hidden) {
  kfloat x = (s - K_ONES) * m;
  kfloat minus = K_ONES - d;
  x = k_fused(minus, hidden, x);
  return k_add_255th(d, x);
}

// Returns what k_over computes; `byte` is 256 + m.
K_FN k_pixel k_over_float(k_pixel d, k_pixel s, float byte) {
  kfloat m = byte - 256.0f;
  float hidden = k_hidden(s.a, m);
  d.r = k_over_channel(d.r, s.r, m, hidden);
  d.g = k_over_channel(d.g, s.g, m, hidden);
  d.b = k_over_channel(d.b, s.b, m, hidden);
  d.a = k_over_channel(d.a, s.a, m, hidden);
  return d;
}

// Does what k_over does to a channel at full coverage; `keep` is the share that stays.
K_FN float k_over_channel_full(float d, float s, float keep) {
  kfloat x = d - K_ONES;
  kfloat r = k_fused(x, keep, s);
  return r;
}

// Computes k_over for m = 255, where what comes from the source is exact.
K_FN k_pixel k_over_float_full(k_pixel d, k_pixel s) {
  kfloat keep = (K_ONES + 255.0f) - s.a;
  keep = keep * K_255TH;
  d.r = k_over_channel_full(d.r, s.r, keep);
  d.g = k_over_channel_full(d.g, s.g, keep);
  d.b = k_over_channel_full(d.b, s.b, keep);
  d.a = k_over_channel_full(d.a, s.a, keep);
  return d;
}

K_FN float k_over_channel_opaque(float d, float s, float part) {
  kfloat x = s - d;
  kfloat r = k_fused(x, part, d);
  return r;
}

// Computes k_over for an opaque source: a step of `part` from d to s.
K_FN k_pixel k_over_float_opaque(k_pixel d, k_pixel s, float part) {
  d.r = k_over_channel_opaque(d.r, s.r, part);
  d.g = k_over_channel_opaque(d.g, s.g, part);
  d.b = k_over_channel_opaque(d.b, s.b, part);
  d.a = k_over_channel_opaque(d.a, s.a, part);
  return d;
}

#endif
