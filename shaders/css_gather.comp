#version 460
// Copies the matches from the pool into document order, and writes the offsets. A workgroup copies those of
// P.units_at_once units.
#include "css_common.glsl"

layout(local_size_x = M_SCAN_GROUP) in;

layout(set = 0, binding = M_CONTROL, scalar) readonly restrict buffer Control { m_control control; uint sums[]; };
layout(set = 0, binding = M_UNITS, scalar) readonly restrict buffer Units { m_unit units[]; };
layout(set = 0, binding = M_POOL, scalar) readonly restrict buffer Pool { uint pool[]; };
layout(set = 0, binding = M_OUT, scalar) writeonly restrict buffer Out { uint outputs[]; };

shared uint offsets[M_SCAN_GROUP + 1];
shared uint starts[M_SCAN_GROUP];

void main() {
  uint lane = gl_LocalInvocationIndex, from = group_number() * P.units_at_once;
  if (from >= P.units) return;
  // There are more matches than the pool has room for: the host enlarges it and runs everything again.
  if (control.total_high != 0u || control.total_low > P.capacity || control.exhausted != 0u) return;
  uint unit = from + lane, some = min(P.units - from, P.units_at_once);
  if (lane < some) {
    uint offset = sums[unit / M_BLOCK] + units[unit].offset;
    offsets[lane] = offset;
    starts[lane] = units[unit].start;
    outputs[unit] = offset;
    if (lane == some - 1u) {
      offsets[some] = offset + units[unit].count;
      if (unit == P.units - 1u) outputs[P.units] = offset + units[unit].count;
    }
  }
  barrier();
  for (uint i = offsets[0] + lane; i < offsets[some]; i += M_SCAN_GROUP) {
    uint lo = 0u, hi = some - 1u;
    while (lo < hi) {
      uint middle = (lo + hi + 1u) >> 1;
      if (offsets[middle] <= i) lo = middle;
      else hi = middle - 1u;
    }
    outputs[P.out_first + i] = pool[starts[lo] + i - offsets[lo]];
  }
}
