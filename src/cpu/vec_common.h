// Vectors of LANES 32-bit values in the compiler's own notation (+ - * & | ^ << >> and comparisons work on them). What
// it lacks comes from the vec_NAME.h of each instruction set, which includes this with LANES defined.
//
// Pixels are one 32-bit lane each. Unpacked to 16 bits a channel they fill two vectors: red and blue, green and alpha.
// Each pixel stays in its lane, so that one vector of masks serves both, and no instruction set has to shuffle.
#ifndef SJ_CPU_VEC_COMMON_H
#define SJ_CPU_VEC_COMMON_H

#include <stdint.h>
#include <string.h>

#include "kernel/float.h"

typedef float vf __attribute__((vector_size(4 * LANES)));
typedef int32_t vi __attribute__((vector_size(4 * LANES)));
typedef uint32_t vu __attribute__((vector_size(4 * LANES)));
typedef uint16_t vw __attribute__((vector_size(4 * LANES)));
typedef int16_t vh __attribute__((vector_size(4 * LANES)));

typedef struct vw2 {
  vw rb, ga;
} vw2;

#ifdef __OPTIMIZE__
#define VEC static inline __attribute__((always_inline))
#else  // without optimisation the temporaries of all that is inlined have a place on the stack each: 3 MB in a sweep
#define VEC static inline
#endif

VEC vi v_load(const void *p) {
  vi v;
  memcpy(&v, p, sizeof v);
  return v;
}
VEC void v_store(void *p, vi v) { memcpy(p, &v, sizeof v); }
VEC vf v_loadf(const void *p) {
  vf v;
  memcpy(&v, p, sizeof v);
  return v;
}
VEC void v_storef(void *p, vf v) { memcpy(p, &v, sizeof v); }
VEC vi v_set1(int32_t x) { return x - (vi){0}; }
VEC vf v_set1f(float x) { return x - (vf){0}; }
VEC vw v_set1w(uint16_t x) { return x - (vw){0}; }
VEC vw2 v_unpack(vi p) { return (vw2){(vw)(p & 0x00ff00ff), (vw)p >> 8}; }
// Packs channels, which are at most 255.
VEC vi v_pack(vw2 w) { return (vi)(w.rb | w.ga << 8); }
// Returns a pixel's mask, at most 255, once for each of its channels.
VEC vw v_spread(vi m) { return (vw)(m | m << 16); }
VEC vi v_iota(void) {
  vi v;
  for (int i = 0; i < LANES; i++) v[i] = i;
  return v;
}
// GCC before 12 has a name of its own for it.
#if __has_builtin(__builtin_shufflevector)
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (vi){__VA_ARGS__})
#endif
// Every second lane of a, then of b, from lane 0 or 1 on.
#if LANES == 4
VEC vi v_firsts(vi a, vi b) { return SHUFFLE(a, b, 0, 2, 4, 6); }
VEC vi v_seconds(vi a, vi b) { return SHUFFLE(a, b, 1, 3, 5, 7); }
#elif LANES == 8
VEC vi v_firsts(vi a, vi b) { return SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14); }
VEC vi v_seconds(vi a, vi b) { return SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15); }
#else
VEC vi v_firsts(vi a, vi b) { return SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30); }
VEC vi v_seconds(vi a, vi b) { return SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31); }
#endif
VEC vf v_float(vi v) { return __builtin_convertvector(v, vf); }
VEC vi v_trunc(vf v) { return __builtin_convertvector(v, vi); }
// Selects by a mask, which is all ones or all zeros in each lane.
VEC vi v_select(vi mask, vi a, vi b) { return (mask & a) | (~mask & b); }
VEC vf v_selectf(vi mask, vf a, vf b) { return (vf)v_select(mask, (vi)a, (vi)b); }
VEC vi v_min_generic(vi a, vi b) { return v_select(b < a, b, a); }
VEC vi v_max_generic(vi a, vi b) { return v_select(a < b, b, a); }
VEC vi v_abs_generic(vi v) { return (v ^ (v >> 31)) - (v >> 31); }
// As k_min and k_max, also for values that are not numbers. The x86 instructions give their second operand then, and
// for zeros of either sign.
#if defined(__AVX512F__) && LANES == 16
// Returns `then` where a < b, else `other`.
VEC vf v_less(vf a, vf b, vf then, vf other) {
  return (vf)_mm512_mask_blend_ps(_mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ), (__m512)other, (__m512)then);
}
VEC vf v_minf(vf a, vf b) { return (vf)_mm512_min_ps((__m512)b, (__m512)a); }
VEC vf v_maxf(vf a, vf b) { return (vf)_mm512_max_ps((__m512)b, (__m512)a); }
#elif defined(__AVX2__) && LANES == 8
VEC vf v_minf(vf a, vf b) { return (vf)_mm256_min_ps((__m256)b, (__m256)a); }
VEC vf v_maxf(vf a, vf b) { return (vf)_mm256_max_ps((__m256)b, (__m256)a); }
#elif defined(__SSE2__)
VEC vf v_minf(vf a, vf b) { return (vf)_mm_min_ps((__m128)b, (__m128)a); }
VEC vf v_maxf(vf a, vf b) { return (vf)_mm_max_ps((__m128)b, (__m128)a); }
#else
VEC vf v_minf(vf a, vf b) { return v_selectf(b < a, b, a); }
VEC vf v_maxf(vf a, vf b) { return v_selectf(a < b, b, a); }
#endif
#if LANES != 16
VEC vf v_less(vf a, vf b, vf then, vf other) { return v_selectf(a < b, then, other); }
#endif
VEC vf v_absf(vf v) { return (vf)((vi)v & 0x7fffffff); }

// kernel/straight.h, lane by lane, with v_ for k_.
typedef struct v_pair {
  vf x, y;
} v_pair;
typedef struct {
  vf r, g, b;
} v_rgb;
#define K_STRAIGHT VEC
#define kreal vf
#define kexact vf
#define kbits vu
#define kpair v_pair
#define K_PAIR(cosine, sine) ((v_pair){cosine, sine})
#define krgb v_rgb
#define K_RGB(r, g, b) ((v_rgb){r, g, b})
#define K_BITS_OF(x) ((vu)(x))
#define K_OF_BITS(bits) ((vf)(bits))
#define K_EACH(x) ((x) - (vf){0})  // a number for all lanes; vectors stay as they are
#define K_ABS(x) v_absf(x)
#define K_MIN(a, b) v_minf(a, b)
#define K_MAX(a, b) v_maxf(a, K_EACH(b))
#define K_LESS(a, b, then, other) v_less(K_EACH(a), K_EACH(b), K_EACH(then), K_EACH(other))
#define K_SET_LESS(r, a, b, value) r = K_LESS(a, b, value, r)
#define k_recip_step v_recip_step
#define k_rsqrt_step v_rsqrt_step
#define k_recip v_recip
#define k_rsqrt v_rsqrt
#define k_sqrt v_sqrt
#define k_cos_sin v_cos_sin
#define k_atan2 v_atan2
#define k_root v_root
#define k_turns v_turns
#define k_srgb_curve v_srgb_curve
#define k_soft_light v_soft_light
#define k_rgb_lum v_rgb_lum
#define k_rgb_sat v_rgb_sat
#define k_clip_channel v_clip_channel
#define k_set_lum v_set_lum
#define k_set_sat v_set_sat
#include "kernel/straight.h"
#undef k_recip_step
#undef k_rsqrt_step
#undef k_recip
#undef k_rsqrt
#undef k_sqrt
#undef k_cos_sin
#undef k_atan2
#undef k_root
#undef k_turns
#undef k_srgb_curve
#undef k_soft_light
#undef k_rgb_lum
#undef k_rgb_sat
#undef k_clip_channel
#undef k_set_lum
#undef k_set_sat
#undef K_EACH
#if defined(__AVX512F__) && LANES == 16
VEC vi v_floor(vf x) { return v_trunc((vf)_mm512_roundscale_ps((__m512)x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)); }
#elif defined(__AVX2__) && LANES == 8
VEC vi v_floor(vf x) { return v_trunc((vf)_mm256_floor_ps((__m256)x)); }
#else
VEC vi v_floor(vf x) {
  vi t = v_trunc(x);
  return t + (v_float(t) > x);
}
#endif
VEC vi v_fixed(vf x) {
  vf v = x * 256.0f;
  v = v + 0.5f;
  return v_floor(v);
}

#if LANES == 4
// Returns table[index]. Sets of four lanes have no instruction for it, and no faster way for indices that lie close
// together.
#define V_WINDOW 0
VEC vi v_gather(const uint32_t *table, vi index) {
  return (vi){(int32_t)table[index[0]], (int32_t)table[index[1]], (int32_t)table[index[2]], (int32_t)table[index[3]]};
}
VEC bool v_all_below(vi v, int limit) {
  (void)v, (void)limit;
  return false;
}
// Finds table[index] and table[index + 1].
VEC void v_pairs(const uint32_t *table, vi index, vi out[2]) {
  uint32_t pairs[4][2];
  for (int i = 0; i < 4; i++) memcpy(pairs[i], table + index[i], sizeof pairs[i]);
  for (int i = 0; i < 2; i++)
    out[i] = (vi){(int32_t)pairs[0][i], (int32_t)pairs[1][i], (int32_t)pairs[2][i], (int32_t)pairs[3][i]};
}
VEC vi v_window(const uint32_t *table, int base, vi index) {
  (void)base;
  return v_gather(table, index);
}
#endif

#endif
