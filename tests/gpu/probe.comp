#version 460
// For toolkit.c: one thing of each kind that the toolkit reads from SPIR-V.
#extension GL_EXT_scalar_block_layout : require

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint FACTOR = 1u;
layout(constant_id = 2) const uint WORDS = 4u;
layout(push_constant, scalar) uniform Push { uint count, last; };
layout(set = 0, binding = 0, scalar) readonly buffer In { uint numbers[]; };
layout(set = 0, binding = 5, scalar) writeonly buffer Out { uint results[]; };

shared uint words[2u * WORDS + 1u];
shared uvec3 points[5];
shared bool flag;

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (gl_LocalInvocationID.x == 0u) {
    flag = gl_WorkGroupID.x == last;
    words[0] = FACTOR;
    points[4] = uvec3(1u);
  }
  barrier();
  if (i < count) results[i] = numbers[i] * words[0] + (flag ? points[4].x : 0u);
}
