// WebAssembly's 128-bit vectors. None of the relaxed ones: what they give is the machine's choice.
#define LANES 4
#include <wasm_simd128.h>

#include "cpu/vec_common.h"

VEC vi v_min(vi a, vi b) { return (vi)wasm_i32x4_min((v128_t)a, (v128_t)b); }
VEC vi v_max(vi a, vi b) { return (vi)wasm_i32x4_max((v128_t)a, (v128_t)b); }
VEC int32_t v_least(vi v) { return k_min(k_min(v[0], v[1]), k_min(v[2], v[3])); }
VEC vi v_abs(vi v) { return (vi)wasm_i32x4_abs((v128_t)v); }
VEC vw v_minw(vw a, vw b) { return (vw)wasm_u16x8_min((v128_t)a, (v128_t)b); }
VEC vw v_maxw(vw a, vw b) { return (vw)wasm_u16x8_max((v128_t)a, (v128_t)b); }
VEC uint32_t v_mask(vi v) { return (uint32_t)wasm_i32x4_bitmask((v128_t)v); }
VEC vi v_prefix(vi v) {
  vi zero = {0};
  v += __builtin_shufflevector(zero, v, 3, 4, 5, 6);
  return v + __builtin_shufflevector(zero, v, 2, 3, 4, 5);
}
VEC vi v_last(vi v) { return __builtin_shufflevector(v, v, 3, 3, 3, 3); }
// Moves lanes up by one, and x into lane 0.
VEC vi v_shift_in(vi v, int32_t x) { return __builtin_shufflevector(v_set1(x), v, 3, 4, 5, 6); }
// Returns table[lane modulo LANES] in each lane.
VEC vi v_pick(vi table, vi lane) {
  // Bytes 4 n .. 4 n + 3 of the table for lane n.
  vi bytes = (lane & 3) * 0x04040404 + 0x03020100;
  return (vi)wasm_i8x16_swizzle((v128_t)table, (v128_t)bytes);
}
// Returns k_div255 of x - 128.
VEC vw v_div255_biased(vw x) { return (x + (x >> 8)) >> 8; }
// Returns in each lane the sum of its words' products, signed.
VEC vi v_dot(vi a, vi b) { return (vi)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b); }
