#version 460
// C = A B, of n rows of n floats, n a multiple of 128. A workgroup of 256 lanes makes 128x128 elements, each lane 8x8
// of them in registers: per step of k it loads 16 floats from shared memory for 64 multiply-adds. While it computes
// with DEPTH columns of A and rows of B, the next ones are on their way from memory, into the other half of shared
// memory. (The structure is that of MAGMA and CUTLASS: Nath, Tomov, Dongarra, "An Improved MAGMA GEMM for Fermi",
// 2010.)
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
layout(constant_id = 0) const uint DEPTH = 16;  // 8 where there are 16 KiB of shared memory, else 16
layout(local_size_x = 256) in;
layout(push_constant, scalar) uniform Push { uint n; };
layout(set = 0, binding = 0, scalar) restrict readonly buffer A { vec4 a[]; };
layout(set = 0, binding = 1, scalar) restrict readonly buffer B { vec4 b[]; };
layout(set = 0, binding = 2, scalar) restrict writeonly buffer C { vec4 c[]; };

const uint ROW = 32u;              // vectors of 128 floats
const uint QUADS = DEPTH / 4u;     // of columns of A
const uint LOADERS = DEPTH * 8u;   // lanes that load A, four vectors each, and as many that load B
shared vec4 tile_a[2u * DEPTH * ROW];  // [half][k][row / 4], turned over
shared vec4 tile_b[2u * DEPTH * ROW];  // [half][k][column / 4]

// Returns the place of a vector in the turned tile. Rows are permuted, so that lanes which store vectors of several k
// meet different banks.
uint place_a(uint k, uint quad) { return k * ROW + (quad ^ ((k >> 2) * 2u)); }

vec4 coming[4];

void fetch(uint k) {
  uint lane = gl_LocalInvocationID.x, stride = n / 4u;
  if (lane < LOADERS) {
    // Four rows and four columns of A.
    uint first = (gl_WorkGroupID.y * 128u + lane / QUADS * 4u) * stride + k / 4u + lane % QUADS;
    [[unroll]] for (uint i = 0u; i < 4u; i++) coming[i] = a[first + i * stride];
  } else if (lane < 2u * LOADERS) {
    uint j = lane - LOADERS;
    [[unroll]] for (uint i = 0u; i < 4u; i++) {
      uint at = j + i * LOADERS;
      coming[i] = b[(k + at / ROW) * stride + gl_WorkGroupID.x * ROW + at % ROW];
    }
  }
}

void keep(uint half_at) {
  uint lane = gl_LocalInvocationID.x, half_base = half_at * DEPTH * ROW;
  if (lane < LOADERS) {
    uint quad = lane / QUADS, k = lane % QUADS * 4u;
    [[unroll]] for (uint i = 0u; i < 4u; i++)
      tile_a[half_base + place_a(k + i, quad)] = vec4(coming[0][i], coming[1][i], coming[2][i], coming[3][i]);
  } else if (lane < 2u * LOADERS) {
    uint j = lane - LOADERS;
    [[unroll]] for (uint i = 0u; i < 4u; i++) tile_b[half_base + j + i * LOADERS] = coming[i];
  }
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  // 32 lanes side by side make 8x4 blocks, so that they load 8 and 4 different vectors at a time.
  uint x = (lane & 7u) + (lane >> 5 & 1u) * 8u, y = (lane >> 3 & 3u) + (lane >> 6) * 4u;
  vec4 sums[8][2];
  [[unroll]] for (uint r = 0u; r < 8u; r++) sums[r][0] = sums[r][1] = vec4(0.0);

  fetch(0u);
  keep(0u);
  barrier();
  uint now = 0u;
  for (uint k = DEPTH; k <= n; k += DEPTH) {
    if (k < n) fetch(k);
    uint half_base = now * DEPTH * ROW;
    [[unroll]] for (uint i = 0u; i < DEPTH; i++) {
      vec4 top = tile_a[half_base + place_a(i, y)], bottom = tile_a[half_base + place_a(i, y + 16u)];
      vec4 left = tile_b[half_base + i * ROW + x], right = tile_b[half_base + i * ROW + x + 16u];
      [[unroll]] for (uint r = 0u; r < 4u; r++) {
        sums[r][0] += top[r] * left;
        sums[r][1] += top[r] * right;
        sums[r + 4u][0] += bottom[r] * left;
        sums[r + 4u][1] += bottom[r] * right;
      }
    }
    now ^= 1u;
    if (k < n) keep(now);
    barrier();
  }

  uint stride = n / 4u, first = (gl_WorkGroupID.y * 128u + y * 4u) * stride + gl_WorkGroupID.x * ROW + x;
  [[unroll]] for (uint r = 0u; r < 4u; r++) {
    c[first + r * stride] = sums[r][0];
    c[first + r * stride + 16u] = sums[r][1];
    c[first + (r + 64u) * stride] = sums[r + 4u][0];
    c[first + (r + 64u) * stride + 16u] = sums[r + 4u][1];
  }
}
