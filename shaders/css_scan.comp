#version 460
// Where each unit's matches go: sums of the counts before it, within blocks, then over blocks (P.sums: how many).
#include "css_common.glsl"

layout(local_size_x = M_SCAN_GROUP) in;

layout(set = 0, binding = M_CONTROL, scalar) restrict buffer Control { m_control control; uint sums[]; };
layout(set = 0, binding = M_UNITS, scalar) restrict buffer Units { m_unit units[]; };

shared uint partial[M_SCAN_GROUP];

// Returns the sum over the lanes before this one; the last element of partial[] then is the sum over all lanes.
uint scan(uint mine) {
  uint lane = gl_LocalInvocationIndex;
  partial[lane] = mine;
  barrier();
  for (uint step = 1u; step < M_SCAN_GROUP; step <<= 1) {
    uint more = lane >= step ? partial[lane - step] : 0u;
    barrier();
    partial[lane] += more;
    barrier();
  }
  return partial[lane] - mine;
}

void main() {
  const uint EACH = M_BLOCK / M_SCAN_GROUP;
  uint lane = gl_LocalInvocationIndex;
  if (P.sums == 0u) {
    uint block = group_number(), from = block * M_BLOCK + lane * EACH;
    if (block * M_BLOCK >= P.units) return;
    uint mine = 0u;
    for (uint i = from; i < min(from + EACH, P.units); i++) mine += units[i].count;
    uint before = scan(mine);
    for (uint i = from; i < min(from + EACH, P.units); i++) {
      units[i].offset = before;
      before += units[i].count;
    }
    if (lane == 0u) sums[block] = partial[M_SCAN_GROUP - 1u];
    return;
  }
  uint carry = 0u;
  for (uint at = 0u; at < P.sums; at += M_SCAN_GROUP) {
    uint mine = at + lane < P.sums ? sums[at + lane] : 0u, before = scan(mine);
    if (at + lane < P.sums) sums[at + lane] = carry + before;
    carry += partial[M_SCAN_GROUP - 1u];
    barrier();
  }
}
