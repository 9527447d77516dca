// Lets one header be C and GLSL. GLSL predefines VULKAN; everything else is C.
//
// Rules for every header in this folder (docs/architecture.md, "Arithmetic"):
// - Floats are 32 bit and see only + - *, comparisons and conversions; each local float that holds a result is a
//   `kfloat`, which GLSL makes `precise`. Without it drivers contract and reorder, and the bits differ.
// - Division, roots and trigonometry come from float.h. Integer division is exact everywhere and may be used.
// - No pointers; a function that has several results returns a struct.
//
// Names that begin with k_ or K_ (for "kernel") are shared by C and GLSL. The other prefixes, sj_, g_ and m_, are
// explained in docs/architecture.md, "Names".
#ifndef K_PLATFORM_H
#define K_PLATFORM_H

#ifdef VULKAN

#define K_FN
#define K_WRAPS
#define K_STRUCT(name) struct name
#define kfloat precise float
#define K_BITS(x) floatBitsToUint(x)
#define K_FLOAT(x) uintBitsToFloat(x)
#define k_abs(x) abs(x)
#define k_min(a, b) min(a, b)
#define k_max(a, b) max(a, b)
#define k_int(x) int(x)
#define k_uint(x) uint(x)
#define k_float(x) float(x)
#define k_fused(a, b, c) fma(a, b, c)

#else

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint32_t uint;

#define K_FN static inline
// Stands before a function whose unsigned arithmetic may wrap: clang's -fsanitize=unsigned-integer-overflow reports it
// everywhere else.
#ifdef __clang__
#define K_WRAPS __attribute__((no_sanitize("unsigned-integer-overflow")))
#else
#define K_WRAPS
#endif
#define K_STRUCT(name)      \
  typedef struct name name; \
  struct name
#define kfloat float
static inline uint K_BITS(float x) {
  uint bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
static inline float K_FLOAT(uint bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
// Macros, for any type; they evaluate their arguments more than once.
#define k_abs(x) ((x) < 0 ? -(x) : (x))
#define k_min(a, b) ((b) < (a) ? (b) : (a))
#define k_max(a, b) ((a) < (b) ? (b) : (a))
#define k_int(x) ((int)(x))
#define k_uint(x) ((uint)(x))
#define k_float(x) ((float)(x))
// a * b + c, which a GPU may compute with one rounding and C computes with two. So it is only for products where both
// give the same result.
#define k_fused(a, b, c) ((a) * (b) + (c))

#endif

K_STRUCT(k_vec) { float x, y; };

K_FN k_vec k_vec_make(float x, float y) {
  k_vec v;
  v.x = x;
  v.y = y;
  return v;
}

// Rows of a 2x3 matrix: x' = a x + c y + e, y' = b x + d y + f.
K_STRUCT(k_matrix) { float a, b, c, d, e, f; };

K_FN k_vec k_transform(k_matrix m, k_vec p) {
  kfloat x = m.a * p.x + m.c * p.y;
  kfloat y = m.b * p.x + m.d * p.y;
  x = x + m.e;
  y = y + m.f;
  return k_vec_make(x, y);
}

K_FN k_vec k_add(k_vec a, k_vec b) {
  kfloat x = a.x + b.x, y = a.y + b.y;
  return k_vec_make(x, y);
}

K_FN float k_dot(k_vec a, k_vec b) {
  kfloat r = a.x * b.x + a.y * b.y;
  return r;
}

K_FN float k_cross(k_vec a, k_vec b) {
  kfloat r = a.x * b.y - a.y * b.x;
  return r;
}

#endif
