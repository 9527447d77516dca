#version 460
// Sums become coverage: sixteen touched tiles a workgroup, a lane for each of their pixel rows.
#include "common.glsl"
#include "bins.glsl"
#include "kernel/coverage.h"

layout(local_size_x = 256) in;

layout(set = 0, binding = G_RECORDS, scalar) readonly restrict buffer Records { g_record records[]; };
layout(set = 0, binding = G_CONTROL, scalar) readonly restrict buffer Control { g_control control; };
layout(set = 0, binding = G_WORDS, scalar) restrict buffer Words { g_word words[]; };
layout(set = 0, binding = G_TILES, scalar) restrict buffer Tiles { uint tiles[]; };
layout(set = 0, binding = G_SUMS, scalar) restrict buffer Sums { ivec4 sums[]; };
layout(set = 0, binding = G_COVERAGE, scalar) writeonly restrict buffer Coverage { uvec4 coverage[]; };

shared int covers[G_RESOLVE_TILES][16];
shared int before[G_RESOLVE_TILES][16];  // partial sums of what lies left of the workgroup's tiles
shared uint exits[G_RESOLVE_TILES * 4];
shared uint all_set[G_RESOLVE_TILES], any_set[G_RESOLVE_TILES];

uint alpha_of(int sum, bool evenodd) { return uint(evenodd ? k_alpha_evenodd(sum) : k_alpha_nonzero(sum)); }

uint kind_of(uint all, uint any, uint mixed) { return any == 0u ? G_NONE : all == 0xffffffffu ? G_FULL : mixed; }

void set_kind(uint word, uint bits, uint kind) {
  if ((kind & 1u) != 0u) atomicOr(words[word].kind0, bits);
  if ((kind & 2u) != 0u) atomicOr(words[word].kind1, bits);
}

// The 512 * cover of a touched tile's pixel row.
int cover_of(uint index, uint row) { return sums[(index * G_TILE_SUMS + G_TILE_COVERS) / 4u + (row >> 2)][row & 3u]; }

void main() {
  if (!has_room(control.counted)) return;
  uint lane = gl_LocalInvocationID.x, slot = lane >> 4, row = lane & 15u;
  uint first = (gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x) * G_RESOLVE_TILES;
  if (first >= control.counted.tiles) return;
  uint index = first + slot;
  bool present = index < control.counted.tiles;
  uint draw = 0u, row_first = first, row_word = 0u;
  int x = 0, y = 0;
  g_record r;
  ivec4 row_sums[4];
  if (present) {
    uint at = index * (G_TILE_SUMS / 4) + row * 4u;
    [[unroll]] for (uint w = 0u; w < 4u; w++) row_sums[w] = sums[at + w];
    draw = tiles[index * G_TILE_WORDS];
    x = low16(tiles[index * G_TILE_WORDS + 1u]);
    y = high16(tiles[index * G_TILE_WORDS + 1u]);
    r = records[draw];
    row_word = r.word + uint(y - high16(r.tile0)) * r.words;
    row_first = words[row_word].rank;
    covers[slot][row] = cover_of(index, row);
  }
  // The first tile's row may have begun before this workgroup.
  int part = 0;
  uint head_draw = tiles[first * G_TILE_WORDS], head_place = tiles[first * G_TILE_WORDS + 1u];
  g_record head = records[head_draw];
  uint head_first = words[head.word + uint(high16(head_place) - high16(head.tile0)) * head.words].rank;
  for (uint i = head_first + slot; i < first; i += G_RESOLVE_TILES) part += cover_of(i, row);
  before[slot][row] = part;
  if (row < 4u) exits[slot * 4u + row] = 0u;
  if (row == 4u) {
    all_set[slot] = 0xffffffffu;
    any_set[slot] = 0u;
  }
  barrier();
  if (present) {
    int sum = 0;
    if (row_first < first)
      for (uint s = 0u; s < G_RESOLVE_TILES; s++) sum += before[s][row];
    for (uint s = max(row_first, first) - first; s < slot; s++) sum += covers[s][row];
    bool evenodd = (r.info & G_EVENODD) != 0u;
    uint alpha = alpha_of(sum + covers[slot][row], evenodd);
    atomicOr(exits[slot * 4u + (row >> 2)], alpha << (8u * (row & 3u)));
    int py = y * G_TILE + int(row), px = x * G_TILE;
    bool inside = py >= high16(r.box0) && py < high16(r.box1);
    uint all = 0xffffffffu, any = 0u;
    uvec4 packed = uvec4(0u);
    [[unroll]] for (uint w = 0u; w < 4u; w++) {
      [[unroll]] for (uint i = 0u; i < 4u; i++) {
        sum += row_sums[w][i];
        int column = px + int(w * 4u + i);
        if (inside && column >= low16(r.box0) && column < low16(r.box1)) packed[w] |= alpha_of(sum, evenodd) << (8u * i);
      }
      all &= packed[w];
      any |= packed[w];
    }
    coverage[index * 16u + row] = packed;
    // Zero for the next frame; most rows of small shapes are.
    [[unroll]] for (uint w = 0u; w < 4u; w++)
      if (row_sums[w] != ivec4(0)) sums[index * (G_TILE_SUMS / 4) + row * 4u + w] = ivec4(0);
    atomicAnd(all_set[slot], all);
    atomicOr(any_set[slot], any);
  }
  barrier();
  if (present && row < 4u) tiles[index * G_TILE_WORDS + G_TILE_EXITS + row] = exits[slot * 4u + row];
  if (present && row == 4u) {
    uint all = exits[slot * 4u] & exits[slot * 4u + 1u] & exits[slot * 4u + 2u] & exits[slot * 4u + 3u];
    uint any = exits[slot * 4u] | exits[slot * 4u + 1u] | exits[slot * 4u + 2u] | exits[slot * 4u + 3u];
    uint word = row_word + (uint(x - low16(r.tile0)) >> 5), bit = uint(x - low16(r.tile0)) & 31u;
    set_kind(word, 1u << bit, kind_of(all_set[slot], any_set[slot], G_TOUCHED));
    uint kind = kind_of(all, any, G_EXIT);
    if (kind == G_NONE) return;
    // The tiles as far as the next touched one.
    uint bits = bit == 31u ? 0u : 0xffffffffu << (bit + 1u), last = row_word + r.words - 1u, next;
    for (;; word++) {
      next = words[word].touched & bits;
      if (next != 0u) bits &= (next & -next) - 1u;
      if (bits != 0u) set_kind(word, bits, kind);
      if (next != 0u || word == last) break;
      bits = 0xffffffffu;
    }
    // Right of a row's last tile there is coverage only where lines were left out beyond the box.
    if (next == 0u) note(draw, y, x, low16(r.tile1) - 1);
  }
}
