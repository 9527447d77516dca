// Reciprocal, roots, sine, cosine, arc tangent and roundings from + - * and integer steps: the same bits in C and GLSL.
// Error bounds are relative where not said otherwise, and checked by tests/kernel/float.c.
#ifndef K_FLOAT_H
#define K_FLOAT_H

#include "platform.h"

#define K_PI 3.14159265358979f

// A colour of straight channels.
K_STRUCT(k_rgb) { float r, g, b; };

K_FN k_rgb k_rgb_make(float r, float g, float b) {
  k_rgb c;
  c.r = r;
  c.g = g;
  c.b = b;
  return c;
}

#define K_STRAIGHT K_FN
#define kreal float
#define kexact kfloat
#define kbits uint
#define kpair k_vec
#define K_PAIR k_vec_make
#define krgb k_rgb
#define K_RGB k_rgb_make
#define K_BITS_OF K_BITS
#define K_OF_BITS K_FLOAT
#define K_ABS(x) k_abs(x)
#define K_MIN(a, b) k_min(a, b)
#define K_MAX(a, b) k_max(a, b)
#define K_LESS(a, b, then, other) ((a) < (b) ? (then) : (other))
#define K_SET_LESS(r, a, b, value) \
  if ((a) < (b)) r = value
#include "straight.h"

// Returns the largest integer not above x, for |x| < 2^31.
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

// Returns v, or 0 where the condition does not hold. As a choice, compilers would make it a branch around what v takes,
// and no vectors.
K_WRAPS K_FN float k_keep(bool condition, float v) { return K_FLOAT(K_BITS(v) & (0u - k_uint(condition))); }

// Returns x^e for x in 2^-100 .. 1 and e in 0 .. 128, error < 4e-5; smaller x count as 2^-100, results below that are
// 0. The logarithm is 2 artanh((m - 1) / (m + 1)) of the mantissa; the power of two is a Taylor polynomial on +-1/2.
K_WRAPS K_FN float k_pow(float x, float e) {
  int bits = k_int(K_BITS(x));
  bits = k_max(bits, 0x0d800000);     // 2^-100
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
