// SSE2.
#define LANES 4
#include <emmintrin.h>

#include "cpu/vec_common.h"

// Stores past the cache, at a multiple of the vector's size.
#define V_STREAM
VEC void v_stream(void *p, vi v) { _mm_stream_si128((__m128i *)p, (__m128i)v); }
VEC vi v_min(vi a, vi b) { return v_min_generic(a, b); }
VEC vi v_max(vi a, vi b) { return v_max_generic(a, b); }
VEC int32_t v_least(vi v) { return k_min(k_min(v[0], v[1]), k_min(v[2], v[3])); }
VEC vi v_abs(vi v) { return v_abs_generic(v); }
VEC vw v_minw(vw a, vw b) { return a - (vw)_mm_subs_epu16((__m128i)a, (__m128i)b); }
VEC vw v_maxw(vw a, vw b) { return b + (vw)_mm_subs_epu16((__m128i)a, (__m128i)b); }
VEC uint32_t v_mask(vi v) { return (uint32_t)_mm_movemask_ps((__m128)v); }
VEC vi v_prefix(vi v) {
  __m128i x = (__m128i)v;
  x = _mm_add_epi32(x, _mm_slli_si128(x, 4));
  return (vi)_mm_add_epi32(x, _mm_slli_si128(x, 8));
}
VEC vi v_last(vi v) { return (vi)_mm_shuffle_epi32((__m128i)v, 0xff); }
// Moves lanes up by one, and x into lane 0.
VEC vi v_shift_in(vi v, int32_t x) { return (vi)_mm_or_si128(_mm_slli_si128((__m128i)v, 4), _mm_cvtsi32_si128(x)); }
// Returns table[lane modulo LANES] in each lane.
VEC vi v_pick(vi table, vi lane) {
  return (vi){table[lane[0] & 3], table[lane[1] & 3], table[lane[2] & 3], table[lane[3] & 3]};
}
// Returns k_div255 of x - 128.
VEC vw v_div255_biased(vw x) { return (vw)_mm_mulhi_epu16((__m128i)x, _mm_set1_epi16(257)); }
// Returns in each lane the sum of its words' products, signed.
VEC vi v_dot(vi a, vi b) { return (vi)_mm_madd_epi16((__m128i)a, (__m128i)b); }
