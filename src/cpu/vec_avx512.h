// AVX-512 F, BW, DQ, VL.
#define LANES 16
#include <immintrin.h>

#include "cpu/vec_common.h"

VEC vi v_min(vi a, vi b) { return (vi)_mm512_min_epi32((__m512i)a, (__m512i)b); }
VEC vi v_max(vi a, vi b) { return (vi)_mm512_max_epi32((__m512i)a, (__m512i)b); }
VEC vi v_abs(vi v) { return (vi)_mm512_abs_epi32((__m512i)v); }
VEC uint32_t v_mask(vi v) { return _mm512_movepi32_mask((__m512i)v); }
VEC vi v_prefix(vi v) {
  __m512i x = (__m512i)v, zero = _mm512_setzero_si512();
  x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 15));
  x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 14));
  x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 12));
  return (vi)_mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 8));
}
VEC vi v_last(vi v) { return (vi)_mm512_permutexvar_epi32(_mm512_set1_epi32(15), (__m512i)v); }
// Lanes moved up by one, x in lane 0.
VEC vi v_shift_in(vi v, int32_t x) { return (vi)_mm512_alignr_epi32((__m512i)v, _mm512_set1_epi32(x), 15); }
VEC vw2 v_unpack(vi p) {
  __m512i zero = _mm512_setzero_si512();
  return (vw2){(vw)_mm512_unpacklo_epi8((__m512i)p, zero), (vw)_mm512_unpackhi_epi8((__m512i)p, zero)};
}
VEC vi v_pack(vw2 w) { return (vi)_mm512_packus_epi16((__m512i)w.lo, (__m512i)w.hi); }
VEC vw2 v_spread(vi m) {
  __m512i t = (__m512i)(m | m << 16);
  return (vw2){(vw)_mm512_unpacklo_epi32(t, t), (vw)_mm512_unpackhi_epi32(t, t)};
}
VEC vw v_div255(vw x) { return (vw)_mm512_mulhi_epu16((__m512i)(x + 128), _mm512_set1_epi16(257)); }
// table[index] for indices that lie close together when the first and last do: four vectors of the table in registers
// take the place of a gather, which costs three times as much on Zen 5.
VEC vi v_gather(const uint32_t *table, int size, vi index) {
  int base = index[0] < index[15] ? index[0] : index[15];
  base = base < size - 64 ? base : size - 64;
  __m512i at = (__m512i)(index - base);
  if (_mm512_cmplt_epu32_mask(at, _mm512_set1_epi32(64)) != 0xffff)
    return (vi)_mm512_i32gather_epi32((__m512i)index, table, 4);
  const uint32_t *t = table + base;
  __m512i low = _mm512_permutex2var_epi32(_mm512_loadu_si512(t), at, _mm512_loadu_si512(t + 16));
  __m512i high = _mm512_permutex2var_epi32(_mm512_loadu_si512(t + 32), at, _mm512_loadu_si512(t + 48));
  return (vi)_mm512_mask_blend_epi32(_mm512_test_epi32_mask(at, _mm512_set1_epi32(32)), low, high);
}
