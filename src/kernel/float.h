// Reciprocal, roots, sine, cosine, arc tangent and roundings from + - * and integer steps: the same bits in C and GLSL.
// Error bounds are relative where not said otherwise, and checked by tests/kernel/float.c.
#ifndef K_FLOAT_H
#define K_FLOAT_H

#include "platform.h"

#define K_PI 3.14159265358979f

// A step of Newton's towards 1 / x, and one towards 1 / sqrt(2 half_x). Loops of them would keep C compilers from
// making vectors of what is around.
K_FN float k_recip_step(float x, float y) {
  kfloat e = x * y;
  e = 2.0f - e;
  e = y * e;
  return e;
}

K_FN float k_rsqrt_step(float half_x, float y) {
  kfloat e = half_x * y;
  e = e * y;
  e = 1.5f - e;
  e = y * e;
  return e;
}

// 1 / x for |x| in 2^-100 .. 2^100, error < 2.4e-7. The first estimate subtracts the exponent (error 0.12), each
// Newton step squares the error: 1.5e-2, 2.2e-4, 4.8e-8.
K_FN float k_recip(float x) {
  uint bits = K_BITS(x);
  float positive = K_FLOAT(bits & 0x7fffffffu);
  float y = K_FLOAT(0x7EF311C7u - (bits & 0x7fffffffu));
  y = k_recip_step(positive, k_recip_step(positive, k_recip_step(positive, y)));
  return K_FLOAT(K_BITS(y) | (bits & 0x80000000u));
}

// 1 / sqrt(x) for x in 2^-100 .. 2^100, error < 2.0e-7. The estimate is off by 0.035; steps: 1.8e-3, 4.7e-6, 3.3e-11.
K_FN float k_rsqrt(float x) {
  float y = K_FLOAT(0x5F3759DFu - (K_BITS(x) >> 1));
  kfloat half_x = 0.5f * x;
  return k_rsqrt_step(half_x, k_rsqrt_step(half_x, k_rsqrt_step(half_x, y)));
}

// sqrt(x), error < 2.5e-7; 0 below 2^-100, where it counts as zero.
K_FN float k_sqrt(float x) {
  kfloat r = x * k_rsqrt(k_max(x, 7.9e-31f));
  return x < 7.9e-31f ? 0.0f : r;
}

// The largest integer not above x, for |x| < 2^31.
K_FN int k_floor(float x) {
#ifdef VULKAN
  return int(floor(x));  // one instruction
#else
  int t = k_int(x);
  return t - (k_float(t) > x ? 1 : 0);
#endif
}

// Converts to 24.8 fixed point, rounding halves up, for |x| < 2^22.
K_FN int k_fixed(float x) {
  kfloat v = x * 256.0f;
  v = v + 0.5f;
  return k_floor(v);
}

// (cos, sin) of an angle within +-pi, absolute error < 2e-6. Taylor polynomials at half the angle (at most pi/2), then
// the doubling formulas.
K_FN k_vec k_cos_sin(float angle) {
  kfloat h = 0.5f * angle;
  kfloat z = h * h;
  kfloat s = -2.50521084e-8f * z;
  s = (s + 2.75573192e-6f) * z;
  s = (s - 1.98412698e-4f) * z;
  s = (s + 8.33333333e-3f) * z;
  s = (s - 1.66666667e-1f) * z;
  s = s * h;
  s = s + h;
  kfloat c = -2.75573192e-7f * z;
  c = (c + 2.48015873e-5f) * z;
  c = (c - 1.38888889e-3f) * z;
  c = (c + 4.16666667e-2f) * z;
  c = (c - 0.5f) * z;
  c = c + 1.0f;
  kfloat cosine = c * c - s * s;
  kfloat sine = s * c;
  sine = sine + sine;
  return k_vec_make(cosine, sine);
}

// The angle of (x, y) within +-pi, absolute error < 4e-6; 0 for the origin. Polynomial of arctan on 0..1 after
// Abramowitz & Stegun 4.4.49.
K_FN float k_atan2(float y, float x) {
  float ax = k_abs(x), ay = k_abs(y);
  float lo = k_min(ax, ay), hi = k_max(ax, ay);
  kfloat q = lo * k_recip(k_max(hi, 1e-30f));
  kfloat z = q * q;
  kfloat r = 0.0028662257f * z;
  r = (r - 0.0161657367f) * z;
  r = (r + 0.0429096138f) * z;
  r = (r - 0.0752896400f) * z;
  r = (r + 0.1065626393f) * z;
  r = (r - 0.1420889944f) * z;
  r = (r + 0.1999355085f) * z;
  r = (r - 0.3333314528f) * z;
  r = (r + 1.0f) * q;
  if (ay > ax) r = 1.57079632f - r;
  if (x < 0.0f) r = K_PI - r;
  return y < 0.0f ? -r : r;
}

// For gradients, of which every pixel takes one: less exact, in fewer steps.

// sqrt(x) for x in 2^-100 .. 2^100, error < 6e-7, and for smaller ones some number below 2^-50; 0 for 0. With Newton's own
// constants errors all have one sign; these are chosen together with the estimate so that they have either: 6e-4 after the
// first step, 3.2e-7 after the second, and rounding.
#define K_ROOT_ESTIMATE 0x5F600000
#define K_ROOT_SCALE 0.296306417f
#define K_ROOT_FIRST 1.41589733f
#define K_ROOT_SECOND 1.25993566f
K_FN float k_root(float x) {
  kfloat y = K_FLOAT(k_uint(K_ROOT_ESTIMATE) - (K_BITS(x) >> 1));
  kfloat scaled = K_ROOT_SCALE * x;
  kfloat e = scaled * y;
  e = e * y;
  e = K_ROOT_FIRST - e;
  y = y * e;
  e = scaled * y;
  e = e * y;
  e = K_ROOT_SECOND - e;
  y = y * e;
  y = x * y;
  return y;
}

// The angle of (x, y) in turns, 0 .. 1: absolute error < 1.1e-5; 0 for the origin. One step of Newton's, with constants as
// above, gives 0.515 / hi, off by at most 1.2e-4 of it; the polynomial of arctan on 0..1 (minimax, 1.9e-6) is scaled to fit.
#define K_TURNS_ESTIMATE 0x7EB50000
#define K_TURNS_STEP 1.43552017f
K_FN float k_turns(float y, float x) {
  float ax = k_abs(x), ay = k_abs(y);
  float lo = k_min(ax, ay), hi = k_max(k_max(ax, ay), 1e-30f);
  float inverse = K_FLOAT(k_uint(K_TURNS_ESTIMATE) - K_BITS(hi));
  kfloat e = hi * inverse;
  e = K_TURNS_STEP - e;
  kfloat q = lo * inverse;
  q = q * e;
  kfloat z = q * q;
  kfloat r = 1.29907320f * z;
  r = (r - 1.40820721f) * z;
  r = (r + 0.790544585f) * z;
  r = (r - 0.384595976f) * z;
  r = (r + 0.308924241f) * q;
  if (ay > ax) r = 0.25f - r;
  if (x < 0.0f) r = 0.5f - r;
  if (y < 0.0f) r = 1.0f - r;
  return r;
}

// v, or 0 where the condition does not hold. As a choice, compilers would make it a branch around what v takes, and no
// vectors.
K_WRAPS K_FN float k_keep(bool condition, float v) { return K_FLOAT(K_BITS(v) & (0u - k_uint(condition))); }

// x^e for x in 2^-100 .. 1 and e in 0 .. 128, error < 4e-5; smaller x count as 2^-100, results below that are 0. The
// logarithm is 2 artanh((m - 1) / (m + 1)) of the mantissa; the power of two is a Taylor polynomial on +-1/2.
K_WRAPS K_FN float k_pow(float x, float e) {
  int bits = k_int(K_BITS(x));
  bits = k_max(bits, 0x0d800000);  // 2^-100
  int n = (bits - 0x3f3504f3) >> 23;  // x = m 2^n, m in sqrt(1/2) .. sqrt(2)
  float m = K_FLOAT(k_uint(bits) - (k_uint(n) << 23));
  kfloat z = (m - 1.0f) * k_recip(m + 1.0f);
  kfloat w = z * z;
  kfloat y = 0.412198583f * w;
  y = (y + 0.577078016f) * w;
  y = (y + 0.961796694f) * w;
  y = (y + 2.88539008f) * z;
  y = y + k_float(n);
  y = y * e;
  int whole = k_floor(y + 0.5f);
  kfloat f = y - k_float(whole);
  kfloat r = 1.54035304e-4f * f;
  r = (r + 1.33335581e-3f) * f;
  r = (r + 9.61812911e-3f) * f;
  r = (r + 5.55041087e-2f) * f;
  r = (r + 2.40226507e-1f) * f;
  r = (r + 6.93147181e-1f) * f;
  r = (r + 1.0f) * K_FLOAT(k_uint(whole + 127) << 23);
  return k_keep(y >= -100.0f, r);  // else the exponent may have left its bits
}

#endif
