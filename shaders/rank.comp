#version 460
// Numbers the touched tiles, those of a draw's tile row one after the other, and notes for each bin of tiles which draws
// it has to look at.
#include "common.glsl"
#include "bins.glsl"

layout(local_size_x = G_RANK_GROUP) in;

layout(set = 0, binding = G_RECORDS, scalar) readonly restrict buffer Records { g_record records[]; };
layout(set = 0, binding = G_BLOCKS, scalar) readonly restrict buffer Blocks { uint blocks[]; };
layout(set = 0, binding = G_CONTROL, scalar) restrict buffer Control { g_control control; };
layout(set = 0, binding = G_WORDS, scalar) restrict buffer Words { g_word words[]; };
layout(set = 0, binding = G_TILES, scalar) writeonly restrict buffer Tiles { uvec4 tiles[]; };

shared uint ends[G_RANK_GROUP];  // touched tiles of the rows up to and with each
shared uint draw_of[G_RANK_GROUP];
shared uint base;

uint find_draw(uint group, uint row) {
  uint lo = blocks[P.rank_block + group], hi = min(blocks[P.rank_block + group + 1u], P.draws - 1u);
  while (lo < hi) {
    uint middle = (lo + hi + 1u) >> 1;
    if (records[middle].row <= row) lo = middle;
    else hi = middle - 1u;
  }
  return lo;
}

// The place of the n-th bit that is set.
uint nth_bit(uint v, uint n) {
  uint at = 0u;
  [[unroll]] for (uint width = 16u; width > 0u; width >>= 1) {
    uint count = uint(bitCount(bitfieldExtract(v, int(at), int(width))));
    if (n >= count) {
      n -= count;
      at += width;
    }
  }
  return at;
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint group = group_number();
  uint row = group * P.rows_at_once + lane;
  bool present = lane < P.rows_at_once && row < P.rows;
  uint count = 0u, draw = 0u;
  int y = 0;
  if (present) {
    draw = find_draw(group, row);
    g_record r = records[draw];
    y = high16(r.tile0) + int(row - r.row);
    int x0 = low16(r.tile0);
    if ((r.info & G_PATH) == 0u || (r.info & 7u) == K_DRAW_POP) note(draw, y, x0, low16(r.tile1) - 1);
    int first = -1, last = -1;
    uint word = r.word + (row - r.row) * r.words;
    for (uint w = 0u; w < r.words; w++) {
      uint touched = words[word + w].touched;
      if (touched == 0u) continue;
      if (first < 0) first = int(w) * 32 + findLSB(touched);
      last = int(w) * 32 + findMSB(touched);
      count += uint(bitCount(touched));
    }
    if (first >= 0) note(draw, y, x0 + first, x0 + last);
  }
  ends[lane] = count;
  draw_of[lane] = draw;
  barrier();
  for (uint step = 1u; step < P.rows_at_once; step *= 2u) {
    uint other = lane >= step ? ends[lane - step] : 0u;
    barrier();
    ends[lane] += other;
    barrier();
  }
  uint total = ends[P.rows_at_once - 1u];
  if (lane == 0u && total != 0u) {
    base = atomicAdd(control.counted.tiles, total);
    uvec2 groups = groups_xy((base + total + G_RESOLVE_TILES - 1u) / G_RESOLVE_TILES);
    atomicMax(control.resolve_x, groups.x);
    atomicMax(control.resolve_y, groups.y);
    atomicMax(control.resolve_z, 1u);
  }
  barrier();
  if (present) {
    g_record r = records[draw];
    uint rank = base + ends[lane] - count, word = r.word + (row - r.row) * r.words;
    for (uint w = 0u; w < r.words; w++) {
      words[word + w].rank = rank;
      rank += uint(bitCount(words[word + w].touched));
    }
  }
  // All lanes write the tiles of all rows.
  uint limit = base < P.capacity.tiles ? min(total, P.capacity.tiles - base) : 0u;
  for (uint i = lane; i < limit; i += G_RANK_GROUP) {
    uint slot = 0u;
    for (uint step = P.rows_at_once / 2u; step > 0u; step >>= 1)
      if (ends[slot + step - 1u] <= i) slot += step;
    uint before = slot > 0u ? ends[slot - 1u] : 0u, left = i - before;
    g_record r = records[draw_of[slot]];
    uint of_draw = group * P.rows_at_once + slot - r.row, word = r.word + of_draw * r.words, w = 0u;
    uint touched = words[word].touched;
    while (left >= uint(bitCount(touched))) {
      left -= uint(bitCount(touched));
      touched = words[word + ++w].touched;
    }
    uint x = uint(low16(r.tile0)) + w * 32u + nth_bit(touched, left);
    uint place = x | (uint(high16(r.tile0)) + of_draw) << 16;
    tiles[(base + i) * 2u] = uvec4(draw_of[slot], place, base + before, ends[slot] - before);
  }
}
