// AVX-512 F, BW, DQ, VL.
#define LANES 16
#include <immintrin.h>

#include "cpu/vec_common.h"

// Stores past the cache, at a multiple of the vector's size.
#define V_STREAM
VEC void v_stream(void *p, vi v) { _mm512_stream_si512((__m512i *)p, (__m512i)v); }
VEC vi v_min(vi a, vi b) { return (vi)_mm512_min_epi32((__m512i)a, (__m512i)b); }
VEC vi v_max(vi a, vi b) { return (vi)_mm512_max_epi32((__m512i)a, (__m512i)b); }
VEC int32_t v_least(vi v) { return _mm512_reduce_min_epi32((__m512i)v); }
VEC vi v_abs(vi v) { return (vi)_mm512_abs_epi32((__m512i)v); }
VEC vw v_minw(vw a, vw b) { return (vw)_mm512_min_epu16((__m512i)a, (__m512i)b); }
VEC vw v_maxw(vw a, vw b) { return (vw)_mm512_max_epu16((__m512i)a, (__m512i)b); }
VEC uint32_t v_mask(vi v) { return _mm512_movepi32_mask((__m512i)v); }
VEC vi v_prefix(vi v) {
  __m512i x = (__m512i)v, zero = _mm512_setzero_si512();
  x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 15));
  x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 14));
  x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 12));
  return (vi)_mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 8));
}
VEC vi v_last(vi v) { return (vi)_mm512_permutexvar_epi32(_mm512_set1_epi32(15), (__m512i)v); }
// Moves lanes up by one, and x into lane 0.
VEC vi v_shift_in(vi v, int32_t x) { return (vi)_mm512_alignr_epi32((__m512i)v, _mm512_set1_epi32(x), 15); }
// Returns table[lane modulo LANES] in each lane.
VEC vi v_pick(vi table, vi lane) { return (vi)_mm512_permutexvar_epi32((__m512i)lane, (__m512i)table); }
// Returns whether all lanes are 0 .. limit - 1.
VEC bool v_all_below(vi v, int limit) {
  return _mm512_cmplt_epu32_mask((__m512i)v, _mm512_set1_epi32(limit)) == 0xffff;
}
// The lanes whose bits are set, one after the other from lane 0 on.
#define V_COMPRESS
VEC vi v_compress(vi v, uint32_t lanes) { return (vi)_mm512_maskz_compress_epi32((__mmask16)lanes, (__m512i)v); }
// Returns k_div255 of x - 128.
VEC vw v_div255_biased(vw x) { return (vw)_mm512_mulhi_epu16((__m512i)x, _mm512_set1_epi16(257)); }
VEC vi v_gather(const uint32_t *table, vi index) { return (vi)_mm512_i32gather_epi32((__m512i)index, table, 4); }
// Finds table[index] and table[index + 1], since a gather takes its time by the lane.
VEC void v_pairs(const uint32_t *table, vi index, vi out[2]) {
  __m512i i = (__m512i)index;
  __m512i low = _mm512_i32gather_epi64(_mm512_castsi512_si256(i), table, 4);
  __m512i high = _mm512_i32gather_epi64(_mm512_extracti64x4_epi64(i, 1), table, 4);
  vi first = 2 * v_iota();
  out[0] = (vi)_mm512_permutex2var_epi32(low, (__m512i)first, high);
  out[1] = (vi)_mm512_permutex2var_epi32(low, (__m512i)(first + 1), high);
}
// Returns table[index] where all indices lie within V_WINDOW of the smallest, which is lane 0's or the last's, and base
// + 32 is within the table. Two vectors of the table in registers take the place of a gather, which costs over three
// times as much on Zen 5.
#define V_WINDOW 32
VEC vi v_window(const uint32_t *table, int base, vi index) {
  const uint32_t *t = table + base;
  return (vi)_mm512_permutex2var_epi32(_mm512_loadu_si512(t), (__m512i)(index - base), _mm512_loadu_si512(t + 16));
}
// Returns in each word the sum of its bytes' products: those of a are unsigned, those of b signed. The sum has to fit
// 16 bits.
#define V_BYTES
VEC vw v_dot_bytes(vi a, vi b) { return (vw)_mm512_maddubs_epi16((__m512i)a, (__m512i)b); }
// Returns a lane's lowest byte in all four of its bytes.
VEC vi v_spread_byte(vi v) {
  return (vi)_mm512_shuffle_epi8(
      (__m512i)v, _mm512_broadcast_i32x4(_mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12)));
}
// Does what v_pack does with one operation less, for runs of a solid colour: 100 large translucent stars take 0.97 of
// the time on Zen 5. It does not take v_pack's place, since with it everywhere the tiger takes 1.03 of the time and
// clips40 1.02.
VEC vi v_merge(vw2 w) {
  const __m512i up = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14));
  return (vi)_mm512_mask_shuffle_epi8((__m512i)w.rb, 0xaaaaaaaaaaaaaaaa, (__m512i)w.ga, up);
}
// Returns in each lane the sum of its words' products, signed.
VEC vi v_dot(vi a, vi b) { return (vi)_mm512_madd_epi16((__m512i)a, (__m512i)b); }
