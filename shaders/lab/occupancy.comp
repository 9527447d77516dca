#version 460
// Counts how many workgroups are at work at the same time: each adds itself to a counter when it begins, keeps busy for
// a while, and takes itself away when it ends. Lanes hold VALUES numbers all the while, and the workgroup WORDS words
// of shared memory.
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
layout(constant_id = 0) const uint GROUP = 64;
layout(constant_id = 1) const uint WORDS = 1;
layout(constant_id = 2) const uint VALUES = 4;
layout(local_size_x_id = 0) in;
layout(push_constant, scalar) uniform Push { uint turns, never; };
layout(set = 0, binding = 0, scalar) buffer Out { uint live, peak, done, result; };
shared uint pool[WORDS];

void main() {
  uint lane = gl_LocalInvocationID.x;
  if (lane == 0u) atomicMax(peak, atomicAdd(live, 1u) + 1u);
  barrier();
  uint values[128];
  [[unroll]] for (uint i = 0u; i < 128u; i++) if (i < VALUES) values[i] = lane * 3u + i;
  // Each value comes to depend on all others, so all of them have to be kept.
  for (uint t = 0u; t < turns; t++)
    [[unroll]] for (uint i = 0u; i < 128u; i++)
      if (i < VALUES) values[i] = values[i] * 1664525u + values[(i + 1u) % VALUES];
  uint sum = 0u;
  [[unroll]] for (uint i = 0u; i < 128u; i++) if (i < VALUES) sum ^= values[i];
  if (sum == never) pool[lane % WORDS] = sum;
  barrier();
  if (sum == never) result = pool[(lane + 1u) % WORDS];
  if (lane == 0u) {
    atomicAdd(live, ~0u);
    atomicAdd(done, 1u);
  }
}
