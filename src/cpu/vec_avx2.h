// AVX2.
#define LANES 8
#include <immintrin.h>

#include "cpu/vec_common.h"

// Stores past the cache, at a multiple of the vector's size.
#define V_STREAM
VEC void v_stream(void *p, vi v) { _mm256_stream_si256((__m256i *)p, (__m256i)v); }
VEC vi v_min(vi a, vi b) { return (vi)_mm256_min_epi32((__m256i)a, (__m256i)b); }
VEC vi v_max(vi a, vi b) { return (vi)_mm256_max_epi32((__m256i)a, (__m256i)b); }
VEC int32_t v_least(vi v) {
  __m128i x = _mm_min_epi32(_mm256_castsi256_si128((__m256i)v), _mm256_extracti128_si256((__m256i)v, 1));
  x = _mm_min_epi32(x, _mm_shuffle_epi32(x, 0x4e));
  return _mm_cvtsi128_si32(_mm_min_epi32(x, _mm_shuffle_epi32(x, 0xb1)));
}
VEC vi v_abs(vi v) { return (vi)_mm256_abs_epi32((__m256i)v); }
VEC vw v_minw(vw a, vw b) { return (vw)_mm256_min_epu16((__m256i)a, (__m256i)b); }
VEC vw v_maxw(vw a, vw b) { return (vw)_mm256_max_epu16((__m256i)a, (__m256i)b); }
VEC uint32_t v_mask(vi v) { return (uint32_t)_mm256_movemask_ps((__m256)v); }
VEC vi v_prefix(vi v) {
  __m256i x = (__m256i)v;
  x = _mm256_add_epi32(x, _mm256_slli_si256(x, 4));
  x = _mm256_add_epi32(x, _mm256_slli_si256(x, 8));
  __m256i low = _mm256_permute2x128_si256(x, x, 0x08);  // zero, low half
  return (vi)_mm256_add_epi32(x, _mm256_shuffle_epi32(low, 0xff));
}
VEC vi v_last(vi v) { return (vi)_mm256_permutevar8x32_epi32((__m256i)v, _mm256_set1_epi32(7)); }
// Moves lanes up by one, and x into lane 0.
VEC vi v_shift_in(vi v, int32_t x) {
  __m256i up = _mm256_permutevar8x32_epi32((__m256i)v, _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6));
  return (vi)_mm256_blend_epi32(up, _mm256_castsi128_si256(_mm_cvtsi32_si128(x)), 1);
}
// Returns table[lane modulo LANES] in each lane.
VEC vi v_pick(vi table, vi lane) { return (vi)_mm256_permutevar8x32_epi32((__m256i)table, (__m256i)lane); }
// Returns whether all lanes are 0 .. limit - 1.
VEC bool v_all_below(vi v, int limit) { return !v_mask((vi)((vu)v >= (uint32_t)limit)); }
// Returns k_div255 of x - 128.
VEC vw v_div255_biased(vw x) { return (vw)_mm256_mulhi_epu16((__m256i)x, _mm256_set1_epi16(257)); }
VEC vi v_gather(const uint32_t *table, vi index) {
  return (vi)_mm256_i32gather_epi32((const int *)(const void *)table, (__m256i)index, 4);
}
// Finds table[index] and table[index + 1], since a gather takes its time by the lane.
VEC void v_pairs(const uint32_t *table, vi index, vi out[2]) {
  const long long *t = (const long long *)(const void *)table;
  __m256i i = (__m256i)index;
  __m256 low = (__m256)_mm256_i32gather_epi64(t, _mm256_castsi256_si128(i), 4);
  __m256 high = (__m256)_mm256_i32gather_epi64(t, _mm256_extracti128_si256(i, 1), 4);
  out[0] = (vi)_mm256_permute4x64_epi64((__m256i)_mm256_shuffle_ps(low, high, 0x88), 0xd8);
  out[1] = (vi)_mm256_permute4x64_epi64((__m256i)_mm256_shuffle_ps(low, high, 0xdd), 0xd8);
}
// Returns table[index] where all indices lie within V_WINDOW of the smallest, which is lane 0's or the last's.
#define V_WINDOW 16
VEC vi v_window(const uint32_t *table, int base, vi index) {
  const __m256i *t = (const __m256i *)(const void *)(table + base);
  __m256i at = (__m256i)(index - base);
  __m256i low = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(t), at);
  __m256i high = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(t + 1), at);
  return (vi)_mm256_blendv_epi8(low, high, _mm256_cmpgt_epi32(at, _mm256_set1_epi32(7)));
}
// Returns in each word the sum of its bytes' products: those of a are unsigned, those of b signed. The sum has to fit
// 16 bits.
#define V_BYTES
VEC vw v_dot_bytes(vi a, vi b) { return (vw)_mm256_maddubs_epi16((__m256i)a, (__m256i)b); }
// Returns a lane's lowest byte in all four of its bytes.
VEC vi v_spread_byte(vi v) {
  return (vi)_mm256_shuffle_epi8(
      (__m256i)v, _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12)));
}
// Does what v_pack does; vec_avx512.h has a faster way.
VEC vi v_merge(vw2 w) { return v_pack(w); }
// Returns in each lane the sum of its words' products, signed.
VEC vi v_dot(vi a, vi b) { return (vi)_mm256_madd_epi16((__m256i)a, (__m256i)b); }
