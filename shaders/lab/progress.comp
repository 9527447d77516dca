#version 460
// Forward progress: each workgroup waits, for so many turns at most, until the one before it has said that it is there.
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 32) in;
layout(push_constant, scalar) uniform Push { uint turns, backward; };
layout(set = 0, binding = 0, scalar) coherent buffer Flags { uint flags[]; };
layout(set = 0, binding = 1, scalar) writeonly buffer Results { uint results[]; };

void main() {
  uint group = gl_WorkGroupID.x, groups = gl_NumWorkGroups.x;
  uint before = backward != 0u ? min(group + 1u, groups - 1u) : uint(max(int(group) - 1, 0));
  if (gl_LocalInvocationID.x != 0u) return;
  atomicExchange(flags[group], 1u);
  uint seen = 0u;
  for (uint t = 0u; t < turns && seen == 0u; t++) seen = atomicAdd(flags[before], 0u);
  results[group] = seen;
}
