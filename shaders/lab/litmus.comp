#version 460
// Litmus tests of the memory model, many at a time: each lane is the first thread of one test and the second of
// another, by a permutation, so that the two meet in every way (Levine et al., "MC Mutants", ASPLOS 2023). MODE:
// relaxed atomics, acquire and release, or coherent memory with barriers and no memory model.
#extension GL_EXT_scalar_block_layout : require
#if MODE < 2
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#endif
layout(constant_id = 0) const uint TEST = 0;
const uint MESSAGE = 0u, STORES = 1u, LOADS = 2u, SAME = 3u;
layout(local_size_x = 64) in;
// Tests - 1; how they are permuted, and the second location; words between tests.
layout(push_constant, scalar) uniform Push { uint mask, factor, term, other, stride; };
#if MODE == 2
layout(set = 0, binding = 0, scalar) coherent buffer Memory { uint memory[]; };
#define STORE(i) memory[i] = 1u
#define STORE_LAST(i) memory[i] = 1u
#define LOAD(i) memory[i]
#define LOAD_FIRST(i) memory[i]
#define FENCE memoryBarrierBuffer()
#else
layout(set = 0, binding = 0, scalar) buffer Memory { uint memory[]; };
#if MODE == 1
#define LAST gl_SemanticsRelease
#define FIRST gl_SemanticsAcquire
#define KIND gl_StorageSemanticsBuffer
#else
#define LAST gl_SemanticsRelaxed
#define FIRST gl_SemanticsRelaxed
#define KIND 0
#endif
#define STORE(i) atomicStore(memory[i], 1u, gl_ScopeDevice, 0, gl_SemanticsRelaxed)
#define STORE_LAST(i) atomicStore(memory[i], 1u, gl_ScopeDevice, KIND, LAST)
#define LOAD(i) atomicLoad(memory[i], gl_ScopeDevice, 0, gl_SemanticsRelaxed)
#define LOAD_FIRST(i) atomicLoad(memory[i], gl_ScopeDevice, KIND, FIRST)
#define FENCE
#endif
layout(set = 0, binding = 1, scalar) writeonly buffer Results { uint results[]; };  // two for each test

void main() {
  uint a = gl_GlobalInvocationID.x, b = (a * factor + term) & mask, tests = mask + 1u;
  uint x_a = a * stride, y_a = (tests + (a * other & mask)) * stride;
  uint x_b = b * stride, y_b = (tests + (b * other & mask)) * stride;
  uint first = 0u, second = 0u;
  switch (TEST) {
    case MESSAGE:  // x = 1, y = 1 | r0 = y, r1 = x
      STORE(x_a);
      FENCE;
      STORE_LAST(y_a);
      first = LOAD_FIRST(y_b);
      FENCE;
      second = LOAD(x_b);
      results[2u * b] = first;
      results[2u * b + 1u] = second;
      break;
    case STORES:  // x = 1, r0 = y | y = 1, r1 = x
      STORE_LAST(x_a);
      FENCE;
      first = LOAD_FIRST(y_a);
      STORE_LAST(y_b);
      FENCE;
      second = LOAD_FIRST(x_b);
      results[2u * a] = first;
      results[2u * b + 1u] = second;
      break;
    case LOADS:  // r0 = x, y = 1 | r1 = y, x = 1
      first = LOAD_FIRST(x_a);
      FENCE;
      STORE_LAST(y_a);
      second = LOAD_FIRST(y_b);
      FENCE;
      STORE_LAST(x_b);
      results[2u * a] = first;
      results[2u * b + 1u] = second;
      break;
    default:  // x = 1 | r0 = x, r1 = x
      STORE(x_a);
      first = LOAD(x_b);
      second = LOAD(x_b);
      results[2u * b] = first;
      results[2u * b + 1u] = second;
      break;
  }
}
