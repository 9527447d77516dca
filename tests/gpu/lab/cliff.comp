#version 460
// A planted cliff: the branch is never taken, but what it stores might be read by the loop.
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 64) in;
layout(push_constant, scalar) uniform Push { uint turns, mask, never; };
layout(set = 0, binding = 0, scalar) buffer Data { uint data[]; };
layout(set = 0, binding = 1, scalar) buffer Sums { uint sums[]; };

void main() {
  uint lane = gl_GlobalInvocationID.x;
  uint sum = 0u;
  for (uint t = 0u; t < turns; t++) {
    uint at = lane + t * 4096u;
    sum += data[at & mask] * data[0] + data[(at + 64u) & mask] * data[1];
    sum += data[(at + 128u) & mask] * data[2];
    if (t == never) data[lane] = sum;
  }
  sums[lane] = sum;
}
