#version 460
// Turns the sums of touched tiles into coverage, a byte a pixel, and tells what covers each tile of a draw: nothing,
// all, those bytes, or the exit of a touched tile further left. The exit of a tile is the coverage that holds right of
// it, one value for each pixel row, as far as no edge changes it.
//
// A workgroup takes sixteen touched tiles, a lane one of their pixel rows.
#include "common.glsl"
#include "bins.glsl"
#include "kernel/coverage.h"

layout(local_size_x = G_RESOLVE_TILES * G_TILE) in;
layout(constant_id = 0) const bool WIDE = false;  // cover has added two sums as one number of 64 bits
layout(constant_id = 1) const bool LONG_SUMS = false;  // some draws have long sums

layout(set = 0, binding = G_RECORDS, scalar) readonly restrict buffer Records { uvec4 records[]; };
layout(set = 0, binding = G_CONTROL, scalar) readonly restrict buffer Control { g_control control; };
layout(set = 0, binding = G_WORDS, scalar) restrict buffer Words { g_word words[]; };
layout(set = 0, binding = G_TILES, scalar) restrict buffer Tiles { uvec4 tiles[]; };
layout(set = 0, binding = G_SUMS, scalar) restrict buffer Sums { ivec4 sums[]; };
layout(set = 0, binding = G_CARRIES, scalar) readonly restrict buffer Carries { ivec4 carries[]; };
layout(set = 0, binding = G_COVERAGE, scalar) writeonly restrict buffer Coverage { uvec4 coverage[]; };

shared int covers[G_RESOLVE_TILES][16];  // what all edges of a tile add to a pixel row
// What the tiles of the same row add that earlier workgroups have: the tiles are shared among the lanes, whose partial
// sums these are.
shared int before[G_RESOLVE_TILES][16];
const int LONG_TILES = LONG_SUMS ? G_RESOLVE_TILES : 1;
shared int covers_high[LONG_TILES][16], before_high[LONG_TILES][16];
shared uint state[G_RESOLVE_TILES * 16];  // of each pixel row: the bits below, and from bit 8 on its exit

// All 16 pixels are covered fully; any is covered; the exit is full coverage; the exit is not zero.
const uint ALL = 1u, ANY = 2u, EXIT_ALL = 4u, EXIT_ANY = 8u;

int extra_of(uint index, uint row) { return sums[extras_of(index) / 4u + (row >> 2)][row & 3u]; }

// Returns a sum of 64 bits from the 32 bits in memory and, where the draw has long sums, their carries.
k_long long_sum(int low, int high, bool is_long) {
  k_long r = k_long_of(low);
  if (is_long) r.high = high;
  return r;
}

bool has_long_sums(uint draw) { return LONG_SUMS && (g_record_at(draw).info & G_LONG_SUMS) != 0u; }

k_long long_extra_of(uint index, uint row, bool is_long) {
  int high = is_long ? carries[extras_of(index) / 4u + (row >> 2)][row & 3u] : 0;
  return long_sum(extra_of(index, row), high, is_long);
}

k_long long_cover(uint slot, uint row) {
  k_long r;
  r.low = uint(covers[slot][row]);
  r.high = covers_high[slot][row];
  return r;
}

void set_kind(uint word, uint bits, uint kind) {
  if ((kind & 1u) != 0u) atomicOr(words[word].kind0, bits);
  if ((kind & 2u) != 0u) atomicOr(words[word].kind1, bits);
}

// Sets what covers a touched tile, and the tiles to its right as far as the next touched one.
void set_kinds(uint slot, uint index, g_tile tile) {
  g_record record = g_record_at(tile.draw);
  int x = g_place_x(tile.place), y = g_place_y(tile.place);
  uint all = 0xffffffffu, any = 0u;
  uvec4 exits;
  [[dont_unroll]] for (uint i = 0u; i < 4u; i++) {
    uint word = 0u;
    [[unroll]] for (uint k = 0u; k < 4u; k++) {
      uint s = state[slot * 16u + i * 4u + k];
      all &= s;
      any |= s;
      word |= s >> 8 << (8u * k);
    }
    exits = uvec4(exits.yzw, word);
  }
  uint column = uint(x - g_x(record.tile0)), bit = column & 31u;
  uint row_word = record.word + uint(y - g_y(record.tile0)) * record.words, word = row_word + (column >> 5);
  set_kind(word, 1u << bit, (all & ALL) != 0u ? G_FULL : (any & ANY) != 0u ? G_TOUCHED : G_NONE);
  uint kind = (all & EXIT_ALL) != 0u ? G_FULL : (any & EXIT_ANY) != 0u ? G_EXIT : G_NONE;
  if (kind == G_NONE) return;
  if (kind == G_EXIT) g_exits_at(index) = exits;
  uint bits = bit == 31u ? 0u : 0xffffffffu << (bit + 1u), last = row_word + record.words - 1u, next;
  for (;; word++) {
    next = words[word].touched & bits;
    if (next != 0u) bits &= (next & ~next + 1u) - 1u;
    if (bits != 0u) set_kind(word, bits, kind);
    if (next != 0u || word == last) break;
    bits = 0xffffffffu;
  }
  // Rank has noted the draw in bins up to the row's last touched tile. Something is covered right of it only where
  // lines beyond the box's right side were left out; then the bins as far as there must know the draw too.
  if (next == 0u) note(tile.draw, y, x, g_x(record.tile1) - 1);
}

void main() {
  uint lane = gl_LocalInvocationID.x, slot = lane >> 4, row = lane & 15u;
  uint first = uniform_of(group_number()) * G_RESOLVE_TILES;
  uint index = first + slot;
  // The tile is loaded before `control` tells whether there is one, so that both loads are waited for together. Sums of
  // strips that no edge crosses are zero and are not read: 45 % of the pixel rows of 100 tigers, 33 % of those of
  // 68,000 strokes.
  g_tile tile = g_tile_of(uvec4(0u), uvec4(0u)), head = tile;
  g_record record;
  ivec4 row_sums[4] = ivec4[](ivec4(0), ivec4(0), ivec4(0), ivec4(0));
  int extra = 0;
  bool crossed = false;
  uint at = (index * G_TILE_SUMS + g_sum_of(0u, row)) / 4u, step = g_sum_of(4u, 0u) / 4u;
  if (first < P.capacity.tiles) head = g_tile_at(first);
  if (index < P.capacity.tiles) {
    tile = g_tile_at(index);
    crossed = (g_place_strips(tile.place) >> (row >> G_STRIP_SHIFT) & 1u) != 0u;
    if (crossed) {
      [[unroll]] for (uint b = 0u; b < 4u; b++) row_sums[b] = sums[at + b * step];
      extra = extra_of(index, row);
    }
  }
  if (!has_room(control.counted) || first >= control.counted.tiles) return;
  bool present = index < control.counted.tiles;
  ivec4 row_carries[4] = ivec4[](ivec4(0), ivec4(0), ivec4(0), ivec4(0));
  bool is_long = false;
  if (present) {
    record = g_record_at(tile.draw);
    is_long = LONG_SUMS && (record.info & G_LONG_SUMS) != 0u;
    // Cover has added pairs of sums as 64 bits: take away what the first of two carried into the second.
    if (WIDE && !is_long)
      [[unroll]] for (uint b = 0u; b < 4u; b++) row_sums[b].yw -= row_sums[b].xz >> 31;
    bool whole = g_row_is_whole(record.words, tile.row_first, tile.row_count);
    if (LONG_SUMS) {
      k_long cover = k_long_of(0);
      if (crossed) cover = long_extra_of(index, row, is_long);
      if (crossed && is_long)
        [[unroll]] for (uint b = 0u; b < 4u; b++) row_carries[b] = carries[at + b * step];
      if (whole)
        [[unroll]] for (uint i = 0u; i < 16u; i++)
          cover = k_long_add(cover, long_sum(row_sums[i / 4u][i % 4u], row_carries[i / 4u][i % 4u], is_long));
      extra = int(cover.low);
      covers_high[slot][row] = cover.high;
    } else if (whole) {
      [[unroll]] for (uint b = 0u; b < 4u; b++) extra += row_sums[b].x + row_sums[b].y + row_sums[b].z + row_sums[b].w;
    }
    covers[slot][row] = extra;
  }
  // The first tile's row may have begun before this workgroup.
  if (LONG_SUMS) {
    k_long part = k_long_of(0);
    bool head_long = has_long_sums(head.draw);
    for (uint i = head.row_first + slot; i < first; i += G_RESOLVE_TILES)
      part = k_long_add(part, long_extra_of(i, row, head_long));
    before[slot][row] = int(part.low);
    before_high[slot][row] = part.high;
  } else {
    int part = 0;
    for (uint i = head.row_first + slot; i < first; i += G_RESOLVE_TILES) part += extra_of(i, row);
    before[slot][row] = part;
  }
  barrier();
  if (present) {
    bool evenodd = (record.info & G_EVENODD) != 0u;
    k_winding rule = k_winding_rule(evenodd);
    uvec4 bytes = uvec4(0u);
    uint leaves;
    if (LONG_SUMS) {
      k_long sum = k_long_of(0);
      if (tile.row_first < first)
        for (uint s = 0u; s < G_RESOLVE_TILES; s++) {
          k_long part;
          part.low = uint(before[s][row]);
          part.high = before_high[s][row];
          sum = k_long_add(sum, part);
        }
      for (uint s = max(tile.row_first, first) - first; s < slot; s++) sum = k_long_add(sum, long_cover(s, row));
      leaves = k_coverage(rule, k_long_shorten(k_long_add(sum, long_cover(slot, row)), evenodd));
      [[unroll]] for (uint i = 0u; i < 16u; i++) {
        sum = k_long_add(sum, long_sum(row_sums[i / 4u][i % 4u], row_carries[i / 4u][i % 4u], is_long));
        bytes[i / 4u] |= k_coverage(rule, k_long_shorten(sum, evenodd)) << (8u * (i % 4u));
      }
    } else {
      int sum = 0;
      if (tile.row_first < first)
        for (uint s = 0u; s < G_RESOLVE_TILES; s++) sum += before[s][row];
      for (uint s = max(tile.row_first, first) - first; s < slot; s++) sum += covers[s][row];
      leaves = k_coverage(rule, sum + covers[slot][row]);
      if (!evenodd) {
        [[unroll]] for (uint i = 0u; i < 16u; i++) {
          sum += row_sums[i / 4u][i % 4u];
          bytes[i / 4u] |= k_coverage_nonzero(sum) << (8u * (i % 4u));
        }
      } else {
        [[unroll]] for (uint i = 0u; i < 16u; i++) {
          sum += row_sums[i / 4u][i % 4u];
          bytes[i / 4u] |= k_coverage(rule, sum) << (8u * (i % 4u));
        }
      }
    }
    // Only the pixels inside the box.
    int py = g_place_y(tile.place) * G_TILE + int(row), px = g_place_x(tile.place) * G_TILE;
    int from = py >= g_y(record.box0) && py < g_y(record.box1) ? g_x(record.box0) - px : 16, to = g_x(record.box1) - px;
    if (from > 0 || to < 16)
      [[unroll]] for (int w = 0; w < 4; w++) {
        int skip = clamp(from - 4 * w, 0, 4), keep = clamp(to - 4 * w, 0, 4);
        // Shifts by 32 are not defined.
        uint mask = (skip == 4 ? 0u : 0xffffffffu << (8 * skip)) & (keep == 0 ? 0u : 0xffffffffu >> (32 - 8 * keep));
        bytes[w] &= mask;
      }
    coverage[index * 16u + row] = bytes;
    uint all = bytes.x & bytes.y & bytes.z & bytes.w, any = bytes.x | bytes.y | bytes.z | bytes.w;
    state[lane] = (all == 0xffffffffu ? ALL : 0u) | (any != 0u ? ANY : 0u) | (leaves == 255u ? EXIT_ALL : 0u) |
                  (leaves != 0u ? EXIT_ANY : 0u) | leaves << 8;
    // Sums have to be zero when the next frame begins. Most rows of small shapes are already.
    [[unroll]] for (uint b = 0u; b < 4u; b++)
      if (row_sums[b] != ivec4(0)) sums[at + b * step] = ivec4(0);
  }
  barrier();
  if (lane < G_RESOLVE_TILES && first + lane < control.counted.tiles)
    set_kinds(lane, first + lane, g_tile_at(first + lane));
}
