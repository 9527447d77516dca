#version 460
// C = A B, of n rows of n floats, n a multiple of 64: the ways that textbooks begin with. blocked.comp has the fast
// one.
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
layout(constant_id = 0) const uint WAY = 0;
const uint NAIVE = 0u, TILED = 1u, WIDE = 2u;
// The pitch of a tile's rows in shared memory: 16, or 17 to spread its columns over banks.
layout(constant_id = 1) const uint PITCH = 16;
#ifndef UNROLLED
#define UNROLLED 1u  // steps of the naive product that are written out (access.comp tells why)
#endif
layout(local_size_x = 256) in;
layout(push_constant, scalar) uniform Push { uint n; };
layout(set = 0, binding = 0, scalar) restrict readonly buffer A { float a[]; };
layout(set = 0, binding = 0, scalar) restrict readonly buffer AWide { vec4 a_wide[]; };
layout(set = 0, binding = 1, scalar) restrict readonly buffer B { float b[]; };
layout(set = 0, binding = 1, scalar) restrict readonly buffer BWide { vec4 b_wide[]; };
layout(set = 0, binding = 2, scalar) restrict writeonly buffer C { float c[]; };
layout(set = 0, binding = 2, scalar) restrict writeonly buffer CWide { vec4 c_wide[]; };

// Naive and tiled: 16x16 of A, and 16x16 of B turned over. Wide: 64 rows of 4 of A, and 4 rows of 64 of B, four times.
shared float tile_a[WAY == WIDE ? 1 : 16 * PITCH], tile_b[WAY == WIDE ? 1 : 16 * PITCH];
shared vec4 wide_a[WAY == WIDE ? 256 : 1], wide_b[WAY == WIDE ? 256 : 1];

// Makes one element of C in each lane.
void one() {
  uint x = gl_LocalInvocationID.x & 15u, y = gl_LocalInvocationID.x >> 4;
  uint row = gl_WorkGroupID.y * 16u + y, column = gl_WorkGroupID.x * 16u + x;
  float sum = 0.0;
  if (WAY == NAIVE)
    for (uint k = 0u; k < n; k += UNROLLED)
      [[unroll]] for (uint i = 0u; i < UNROLLED; i++) sum += a[row * n + k + i] * b[(k + i) * n + column];
  else
    for (uint k = 0u; k < n; k += 16u) {
      tile_a[y * PITCH + x] = a[row * n + k + x];
      tile_b[x * PITCH + y] = b[(k + y) * n + column];
      barrier();
      [[unroll]] for (uint i = 0u; i < 16u; i++) sum += tile_a[y * PITCH + i] * tile_b[x * PITCH + i];
      barrier();
    }
  c[row * n + column] = sum;
}

// Makes 4x4 elements of a tile of 64x64 in each lane, from vectors.
void four() {
  uint lane = gl_LocalInvocationID.x, x = lane & 15u, y = lane >> 4;
  uint top = gl_WorkGroupID.y * 64u, left = gl_WorkGroupID.x * 64u;
  vec4 sums[4] = {vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0)};
  for (uint k = 0u; k < n; k += 16u) {
    // 64 rows of A with four vectors each, 16 rows of B with sixteen.
    wide_a[lane] = a_wide[((top + (lane >> 2)) * n + k) / 4u + (lane & 3u)];
    wide_b[lane] = b_wide[((k + y) * n + left) / 4u + x];
    barrier();
    [[unroll]] for (uint i = 0u; i < 4u; i++) {
      vec4 rows[4] = {wide_b[(i * 4u) * 16u + x], wide_b[(i * 4u + 1u) * 16u + x], wide_b[(i * 4u + 2u) * 16u + x],
                      wide_b[(i * 4u + 3u) * 16u + x]};
      [[unroll]] for (uint r = 0u; r < 4u; r++) {
        vec4 v = wide_a[(y * 4u + r) * 4u + i];
        sums[r] += v.x * rows[0];
        sums[r] += v.y * rows[1];
        sums[r] += v.z * rows[2];
        sums[r] += v.w * rows[3];
      }
    }
    barrier();
  }
  [[unroll]] for (uint r = 0u; r < 4u; r++) c_wide[((top + y * 4u + r) * n + left) / 4u + x] = sums[r];
}

void main() {
  if (WAY == WIDE) four();
  else one();
}
