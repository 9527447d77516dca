#version 460
// Arithmetic without memory: CHAINS independent chains of multiply-adds in each lane. Many chains: how much a device
// computes; one: how long an instruction takes. INTEGER: of integers.
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#ifdef CLOCK
#extension GL_ARB_shader_clock : require
#extension GL_ARB_gpu_shader_int64 : require
#endif
layout(constant_id = 0) const uint GROUP = 256;
layout(constant_id = 1) const uint CHAINS = 8;
layout(constant_id = 2) const bool INTEGER = false;
layout(local_size_x_id = 0) in;
layout(push_constant, scalar) uniform Push { uint turns, factor, term, never; };  // factor and term: floats or integers
layout(set = 0, binding = 0, scalar) writeonly buffer Out { uint result[]; };

#ifndef STEPS
#define STEPS 16u  // a chain's multiply-adds in a turn
#endif

void main() {
#ifdef CLOCK
  uint64_t begin = clockARB();
#endif
  float f[8];
  uint u[8];
  [[unroll]] for (uint c = 0u; c < 8u; c++) {
    f[c] = float(gl_LocalInvocationID.x + c);
    u[c] = gl_LocalInvocationID.x + c;
  }
  float factor_float = uintBitsToFloat(factor), term_float = uintBitsToFloat(term);
  for (uint t = 0u; t < turns; t++)
    [[unroll]] for (uint s = 0u; s < STEPS; s++)
      [[unroll]] for (uint c = 0u; c < 8u; c++)
        if (c < CHAINS) {
          if (INTEGER) u[c] = u[c] * factor + term;
          else f[c] = fma(f[c], factor_float, term_float);
        }
  uint sum = 0u;
  [[unroll]] for (uint c = 0u; c < 8u; c++) if (c < CHAINS) sum ^= INTEGER ? u[c] : floatBitsToUint(f[c]);
#ifdef CLOCK
  if (gl_GlobalInvocationID.x == 0u) {
    uint64_t took = clockARB() - begin;
    result[1] = uint(took);
    result[2] = uint(took >> 32);
  }
#endif
  if (sum == never) result[0] = sum;
}
