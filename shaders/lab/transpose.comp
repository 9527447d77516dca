#version 460
// out[x][y] = in[y][x], of n rows of n words, n a multiple of 64; in the ways that textbooks show, and in two that keep
// more loads under way. A workgroup takes a tile.
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
layout(constant_id = 0) const uint WAY = 0;
const uint COPY = 0u, READ_ROWS = 1u, WRITE_ROWS = 2u, SAME_LANES = 3u, TILED = 4u, PADDED = 5u, SWIZZLED = 6u,
           WIDE = 7u, REGISTERS = 8u;
// The tile's height and the width of its rows in shared memory.
layout(constant_id = 1) const uint TILE = 32;
layout(constant_id = 2) const uint PITCH = 32;
layout(constant_id = 3) const uint GROUP = 256;  // lanes: 512 for WIDE, else 256
layout(local_size_x_id = 3) in;
layout(push_constant, scalar) uniform Push { uint n; };
layout(set = 0, binding = 0, scalar) restrict readonly buffer In { uint from[]; };
layout(set = 0, binding = 0, scalar) restrict readonly buffer InWide { uvec4 from_wide[]; };
layout(set = 0, binding = 1, scalar) restrict writeonly buffer Out { uint to[]; };
layout(set = 0, binding = 1, scalar) restrict writeonly buffer OutWide { uvec4 to_wide[]; };

shared uint tile[TILE * PITCH];

// Returns where the tile keeps the word of a row and a column: swizzled, each column of a tile of 32 is spread over all
// banks.
uint at(uint row, uint column) { return row * PITCH + (WAY == SWIZZLED ? column ^ (row & 31u) : column); }

// Turns tiles of 32 words: a lane takes a word of every eighth row, or however many the lanes cover.
void narrow() {
  const uint DOWN = GROUP / 32u;
  uvec2 corner = gl_WorkGroupID.xy * 32u;
  uint x = gl_LocalInvocationID.x & 31u, y = gl_LocalInvocationID.x >> 5;
  if (WAY <= WRITE_ROWS) {
    [[unroll]] for (uint r = 0u; r < 32u; r += DOWN) {
      uint row = corner.y + y + r, column = corner.x + x;
      if (WAY == COPY) to[row * n + column] = from[row * n + column];
      else if (WAY == READ_ROWS) to[column * n + row] = from[row * n + column];
      else to[row * n + column] = from[column * n + row];
    }
    return;
  }
  [[unroll]] for (uint r = 0u; r < 32u; r += DOWN)
    tile[at(y + r, x)] = from[(corner.y + y + r) * n + corner.x + x];
  barrier();
  [[unroll]] for (uint r = 0u; r < 32u; r += DOWN) {
    // As published: each lane stores the word that it has loaded, to where that belongs. Lanes side by side then store
    // words that are n apart, which is what the tile was to avoid.
    if (WAY == SAME_LANES) to[(corner.x + x) * n + corner.y + y + r] = tile[at(y + r, x)];
    else to[(corner.x + y + r) * n + corner.y + x] = tile[at(x, y + r)];
  }
}

// Puts a vector into the tile, and takes one out of its column.
void put(uint row, uint x, uvec4 four) {
  [[unroll]] for (uint k = 0u; k < 4u; k++) tile[at(row, x * 4u + k)] = four[k];
}
uvec4 take(uint column, uint x) {
  return uvec4(tile[at(x * 4u, column)], tile[at(x * 4u + 1u, column)], tile[at(x * 4u + 2u, column)],
               tile[at(x * 4u + 3u, column)]);
}

// Turns 64 rows of 64 words, of which a lane loads two vectors of four, one from each half of a row. The halves go
// through the tile one after the other: it takes half of the shared memory, so twice as many workgroups have their
// loads under way.
void wide() {
  uvec2 corner = gl_WorkGroupID.xy * 64u;
  uint lane = gl_LocalInvocationID.x, row = lane >> 3, x = lane & 7u, column = lane >> 4, y = lane & 15u;
  uint from_at = (corner.y + row) * (n / 4u) + corner.x / 4u + x;
  uint to_at = (corner.x + column) * (n / 4u) + corner.y / 4u + y;
  uvec4 left = from_wide[from_at], right = from_wide[from_at + 8u];
  put(row, x, left);
  barrier();
  to_wide[to_at] = take(column, y);
  barrier();
  put(row, x, right);
  barrier();
  to_wide[to_at + 32u * (n / 4u)] = take(column, y);
}

// Turns 4x4 words in the registers of each lane: it loads and stores a vector of each of four rows, beside lanes which
// together load whole lines of 128 bytes, and store halves of them. Workgroups go down the columns, so that those which
// are at work at the same time store to rows side by side.
void registers() {
  uint i = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uvec2 corner = uvec2(i / gl_NumWorkGroups.y, i % gl_NumWorkGroups.y) * 64u;
  uint lane = gl_LocalInvocationID.x, part = lane >> 5;
  uint x = (part & 1u) * 8u + (lane & 7u), y = (part >> 1) * 4u + (lane >> 3 & 3u);
  uint from_at = (corner.y + y * 4u) * (n / 4u) + corner.x / 4u + x;
  uint to_at = (corner.x + x * 4u) * (n / 4u) + corner.y / 4u + y;
  uvec4 v[4];
  [[unroll]] for (uint k = 0u; k < 4u; k++) v[k] = from_wide[from_at + k * (n / 4u)];
  [[unroll]] for (uint k = 0u; k < 4u; k++) to_wide[to_at + k * (n / 4u)] = uvec4(v[0][k], v[1][k], v[2][k], v[3][k]);
}

void main() {
  if (WAY == REGISTERS) registers();
  else if (WAY == WIDE) wide();
  else narrow();
}
