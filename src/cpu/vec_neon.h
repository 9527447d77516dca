// AArch64 Advanced SIMD.
#define LANES 4
#include <arm_neon.h>

#include "cpu/vec_common.h"

VEC vi v_min(vi a, vi b) { return (vi)vminq_s32((int32x4_t)a, (int32x4_t)b); }
VEC vi v_max(vi a, vi b) { return (vi)vmaxq_s32((int32x4_t)a, (int32x4_t)b); }
VEC int32_t v_least(vi v) { return vminvq_s32((int32x4_t)v); }
VEC vi v_abs(vi v) { return (vi)vabsq_s32((int32x4_t)v); }
VEC vw v_minw(vw a, vw b) { return (vw)vminq_u16((uint16x8_t)a, (uint16x8_t)b); }
VEC vw v_maxw(vw a, vw b) { return (vw)vmaxq_u16((uint16x8_t)a, (uint16x8_t)b); }
// Returns a bit for each lane: its sign, as with the other sets, so that it need not be a mask.
VEC uint32_t v_mask(vi v) {
  return vaddvq_u32(vandq_u32((uint32x4_t)vshrq_n_s32((int32x4_t)v, 31), (uint32x4_t){1, 2, 4, 8}));
}
VEC vi v_prefix(vi v) {
  int32x4_t x = (int32x4_t)v, zero = vdupq_n_s32(0);
  x = vaddq_s32(x, vextq_s32(zero, x, 3));
  return (vi)vaddq_s32(x, vextq_s32(zero, x, 2));
}
VEC vi v_last(vi v) { return (vi)vdupq_laneq_s32((int32x4_t)v, 3); }
// Moves lanes up by one, and x into lane 0.
VEC vi v_shift_in(vi v, int32_t x) { return (vi)vextq_s32(vdupq_n_s32(x), (int32x4_t)v, 3); }
// Returns table[lane modulo LANES] in each lane.
VEC vi v_pick(vi table, vi lane) {
  return (vi){table[lane[0] & 3], table[lane[1] & 3], table[lane[2] & 3], table[lane[3] & 3]};
}
// Returns k_div255 of x - 128.
VEC vw v_div255_biased(vw x) {
  uint16x8_t y = (uint16x8_t)x;
  return (vw)vshrq_n_u16(vsraq_n_u16(y, y, 8), 8);
}
// Returns in each lane the sum of its words' products, signed.
VEC vi v_dot(vi a, vi b) {
  int16x8_t x = (int16x8_t)a, y = (int16x8_t)b;
  return (vi)vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)), vmull_high_s16(x, y));
}
