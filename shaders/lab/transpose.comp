#version 460
// out[x][y] = in[y][x], of n rows of n words, n a multiple of 64; in the ways that textbooks show. A workgroup of 256
// lanes takes a tile.
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
layout(constant_id = 0) const uint WAY = 0;
const uint COPY = 0u, READ_ROWS = 1u, WRITE_ROWS = 2u, SAME_LANES = 3u, TILED = 4u, PADDED = 5u, SWIZZLED = 6u,
           WIDE = 7u, VECTORS = 8u;
// The tile's width, and that of its rows in shared memory.
layout(constant_id = 1) const uint TILE = 32;
layout(constant_id = 2) const uint PITCH = 32;
layout(constant_id = 3) const bool SQUARES = false;  // workgroups go through squares of 8x8 tiles, one after the other
layout(local_size_x = 256) in;
layout(push_constant, scalar) uniform Push { uint n; };
layout(set = 0, binding = 0, scalar) restrict readonly buffer In { uint from[]; };
layout(set = 0, binding = 0, scalar) restrict readonly buffer InWide { uvec4 from_wide[]; };
layout(set = 0, binding = 1, scalar) restrict writeonly buffer Out { uint to[]; };
layout(set = 0, binding = 1, scalar) restrict writeonly buffer OutWide { uvec4 to_wide[]; };

shared uint tile[WAY == VECTORS ? 1 : TILE * PITCH];
shared uvec4 vectors[WAY == VECTORS ? 1024 : 1];  // 64 rows of 16

// Where the tile keeps the word of a row and a column: swizzled, each column of a tile of 32 is spread over all banks.
uint at(uint row, uint column) { return row * PITCH + (WAY == SWIZZLED ? column ^ (row & 31u) : column); }

// Tiles of 32 words: a lane takes a word of every eighth row.
void narrow() {
  uvec2 corner = gl_WorkGroupID.xy * 32u;
  uint x = gl_LocalInvocationID.x & 31u, y = gl_LocalInvocationID.x >> 5;
  if (WAY <= WRITE_ROWS) {
    [[unroll]] for (uint r = 0u; r < 32u; r += 8u) {
      uint row = corner.y + y + r, column = corner.x + x;
      if (WAY == COPY) to[row * n + column] = from[row * n + column];
      else if (WAY == READ_ROWS) to[column * n + row] = from[row * n + column];
      else to[row * n + column] = from[column * n + row];
    }
    return;
  }
  [[unroll]] for (uint r = 0u; r < 32u; r += 8u)
    tile[at(y + r, x)] = from[(corner.y + y + r) * n + corner.x + x];
  barrier();
  [[unroll]] for (uint r = 0u; r < 32u; r += 8u) {
    // As published: each lane stores the word that it has loaded, to where that belongs. Lanes side by side then store
    // words that are n apart, which is what the tile was to avoid.
    if (WAY == SAME_LANES) to[(corner.x + x) * n + corner.y + y + r] = tile[at(y + r, x)];
    else to[(corner.x + y + r) * n + corner.y + x] = tile[at(x, y + r)];
  }
}

uvec2 tile_of_64() {
  uvec2 at = gl_WorkGroupID.xy;
  uint across = gl_NumWorkGroups.x / 8u;
  if (SQUARES && gl_NumWorkGroups.x % 8u == 0u) {
    uint i = at.y * gl_NumWorkGroups.x + at.x, square = i >> 6;
    at = uvec2(square % across * 8u + (i & 7u), square / across * 8u + (i >> 3 & 7u));
  }
  return at * 64u;
}

// Tiles of 64 words, kept as the vectors that they come in. A row's vectors are permuted by a number that grows every
// four rows, so that lanes which read a column, each from four rows of its own, meet different banks.
void whole_vectors() {
  uvec2 corner = tile_of_64();
  uint x = gl_LocalInvocationID.x & 15u, y = gl_LocalInvocationID.x >> 4;
  uvec4 a = from_wide[(corner.y + y) * (n / 4u) + corner.x / 4u + x];
  uvec4 b = from_wide[(corner.y + y + 16u) * (n / 4u) + corner.x / 4u + x];
  uvec4 c = from_wide[(corner.y + y + 32u) * (n / 4u) + corner.x / 4u + x];
  uvec4 d = from_wide[(corner.y + y + 48u) * (n / 4u) + corner.x / 4u + x];
  vectors[y * 16u + (x ^ y >> 2)] = a;
  vectors[(y + 16u) * 16u + (x ^ y + 16u >> 2)] = b;
  vectors[(y + 32u) * 16u + (x ^ y + 32u >> 2)] = c;
  vectors[(y + 48u) * 16u + (x ^ y + 48u >> 2)] = d;
  barrier();
  [[unroll]] for (uint r = 0u; r < 4u; r++) {
    uint column = y + r * 16u, at = x * 64u + (column >> 2 ^ x), part = column & 3u;
    to_wide[(corner.x + column) * (n / 4u) + corner.y / 4u + x] =
        uvec4(vectors[at][part], vectors[at + 16u][part], vectors[at + 32u][part], vectors[at + 48u][part]);
  }
}

// Tiles of 64 words, four of them at a time: a lane takes four words of every sixteenth row.
void wide() {
  uvec2 corner = tile_of_64();
  uint x = (gl_LocalInvocationID.x & 15u) * 4u, y = gl_LocalInvocationID.x >> 4;
  uvec4 four[4];
  [[unroll]] for (uint r = 0u; r < 4u; r++) four[r] = from_wide[((corner.y + y + r * 16u) * n + corner.x + x) / 4u];
  [[unroll]] for (uint r = 0u; r < 4u; r++)
    [[unroll]] for (uint k = 0u; k < 4u; k++) tile[(y + r * 16u) * PITCH + x + k] = four[r][k];
  barrier();
  [[unroll]] for (uint r = 0u; r < 4u; r++) {
    uint column = y + r * 16u;
    to_wide[((corner.x + column) * n + corner.y + x) / 4u] =
        uvec4(tile[x * PITCH + column], tile[(x + 1u) * PITCH + column], tile[(x + 2u) * PITCH + column],
              tile[(x + 3u) * PITCH + column]);
  }
}

void main() {
  if (WAY == VECTORS) whole_vectors();
  else if (WAY == WIDE) wide();
  else narrow();
}
