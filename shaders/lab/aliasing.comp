#version 460
// Four coefficients and many numbers from one buffer, and a store that never happens: what the compiler may assume
// about that store decides whether the coefficients stay in registers and how the loads are made. WAY: how the buffers
// are declared.
#extension GL_EXT_scalar_block_layout : require
#if WAY == 6
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#endif
layout(local_size_x = 256) in;
layout(push_constant, scalar) uniform Push { uint turns, count, mask, never; };
#if WAY == 0  // read here, written elsewhere, and said so
layout(set = 0, binding = 0, scalar) restrict readonly buffer In { uint data[]; };
layout(set = 0, binding = 1, scalar) restrict writeonly buffer Out { uint sums[]; };
#define STORE(i, v) sums[i] = v
#elif WAY == 1  // the same, without saying so
layout(set = 0, binding = 0, scalar) buffer In { uint data[]; };
layout(set = 0, binding = 1, scalar) buffer Out { uint sums[]; };
#define STORE(i, v) sums[i] = v
#elif WAY == 3  // two bindings of the same buffer
layout(set = 0, binding = 0, scalar) buffer In { uint data[]; };
layout(set = 0, binding = 1, scalar) buffer Out { uint sums[]; };
layout(set = 0, binding = 2, scalar) buffer Again { uint again[]; };
#define STORE(i, v) again[i] = v
#else  // read and written by the same binding
#if WAY == 4
layout(set = 0, binding = 0, scalar) coherent buffer In { uint data[]; };
#elif WAY == 5
layout(set = 0, binding = 0, scalar) volatile buffer In { uint data[]; };
#else
layout(set = 0, binding = 0, scalar) buffer In { uint data[]; };
#endif
layout(set = 0, binding = 1, scalar) buffer Out { uint sums[]; };
#define STORE(i, v) data[i] = v
#endif
#if WAY == 6  // each load by itself is made at the scope of the device
uint load(uint i) { return atomicLoad(data[i], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed); }
#else
uint load(uint i) { return data[i]; }
#endif

void main() {
  uint lane = gl_GlobalInvocationID.x, sum = 0u;
  for (uint t = 0u; t < turns; t++) {
    uint at = lane + t * count;
    sum += load(at & mask) * load(0u) + load(at + 64u & mask) * load(1u) + load(at + 128u & mask) * load(2u) +
           load(at + 192u & mask) * load(3u);
    if (t == never) STORE(lane, sum);
  }
  sums[lane] = sum;
}
