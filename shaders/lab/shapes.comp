#version 460
// The sums of 3x3 words of a picture that wraps around, by workgroups of X times Y lanes. COUNT: counts workgroups as
// occupancy.comp does.
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
layout(constant_id = 0) const uint X = 16;
layout(constant_id = 1) const uint Y = 16;
layout(constant_id = 2) const bool COUNT = false;
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(push_constant, scalar) uniform Push { uint mask; };  // of a row and of a column
layout(set = 0, binding = 0, scalar) restrict readonly buffer In { uint from[]; };
layout(set = 0, binding = 1, scalar) restrict writeonly buffer Out { uint to[]; };
layout(set = 0, binding = 2, scalar) buffer Counters { uint live, peak; };

void main() {
  bool counts = COUNT && gl_LocalInvocationIndex == 0u;
  if (counts) atomicMax(peak, atomicAdd(live, 1u) + 1u);
  uint x = gl_GlobalInvocationID.x, y = gl_GlobalInvocationID.y, sum = 0u;
  [[unroll]] for (uint j = 0u; j < 3u; j++)
    [[unroll]] for (uint i = 0u; i < 3u; i++) sum += from[(y + j - 1u & mask) * (mask + 1u) + (x + i - 1u & mask)];
  to[y * (mask + 1u) + x] = sum;
  if (COUNT) barrier();
  if (counts) atomicAdd(live, ~0u);
}
