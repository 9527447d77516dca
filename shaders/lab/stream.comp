#version 460
// Copies, fills or reads memory, 16 bytes at a time: each lane ITEMS of them, a workgroup's width apart. `passes` goes
// over the buffer several times, each time from another place, so that small buffers, which caches hold, outweigh the
// launch.
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
layout(constant_id = 0) const uint GROUP = 256;
layout(constant_id = 1) const uint MODE = 0;  // 0: copy, 1: fill, 2: read
layout(constant_id = 2) const uint ITEMS = 4;
layout(local_size_x_id = 0) in;
layout(push_constant, scalar) uniform Push { uint mask, passes, step, never; };  // mask: the number of items - 1
layout(set = 0, binding = 0, scalar) restrict readonly buffer In { uvec4 from[]; };
layout(set = 0, binding = 1, scalar) restrict writeonly buffer Out { uvec4 to[]; };

void main() {
  uint group = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  uint first = group * GROUP * ITEMS + gl_LocalInvocationID.x;
  uvec4 sum = uvec4(0u), items[8];
  for (uint p = 0u; p < passes; p++) {
    uint at = first + p * step;
    [[unroll]] for (uint k = 0u; k < 8u; k++)
      if (k < ITEMS) items[k] = MODE == 1u ? uvec4((at + k * GROUP) & mask) : from[(at + k * GROUP) & mask];
    [[unroll]] for (uint k = 0u; k < 8u; k++)
      if (k < ITEMS) {
        if (MODE == 2u) sum ^= items[k];
        else to[(at + k * GROUP) & mask] = items[k];
      }
  }
  // What is read has to be used; it never comes to this, which no compiler knows.
  if (MODE == 2u && sum.x == never && sum.y == ~never) to[first & mask] = sum;
}
