#version 460
// Adds the edges' (area, cover) to the sums of the tiles they touch. Edges are cut into units: a row of pixels, or of flat
// edges a run of its columns. Lanes take units from a list, whosever they are.
#ifdef WIDE
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#endif
#include "common.glsl"
#include "kernel/coverage.h"

layout(local_size_x = G_COVER_GROUP) in;
layout(constant_id = 1) const bool LONG_SUMS = false;  // some draws have long sums

layout(set = 0, binding = G_RECORDS, scalar) readonly restrict buffer Records { uvec4 records[]; };
layout(set = 0, binding = G_CONTROL, scalar) readonly restrict buffer Control { g_control control; };
layout(set = 0, binding = G_WORDS, scalar) readonly restrict buffer Words { uvec4 words[]; };
layout(set = 0, binding = G_EDGES, scalar) readonly restrict buffer Edges { ivec4 edges[]; };
layout(set = 0, binding = G_TAGS, scalar) readonly restrict buffer Tags { uint tags[]; };
layout(set = 0, binding = G_SUMS, scalar) buffer Sums { int sums[]; };
layout(set = 0, binding = G_CARRIES, scalar) buffer Carries { int carries[]; };
#ifdef WIDE
layout(set = 0, binding = G_SUMS, scalar) buffer Pairs { uint64_t pairs[]; };
#endif

shared ivec4 edge_ends[G_COVER_EDGES];
shared uvec4 edge_steps[G_COVER_EDGES];  // xstep, ystep, runs << 2 | long sums << 1 | whether it ran upwards, its first row
shared uvec3 edge_rows[G_COVER_EDGES];   // its draw's left and right tile, the first row's first word, words a row
// The list: units before those of an edge << 7 | the edge.
shared uint entries[G_COVER_EDGES];
shared uint listed;  // edges << 24 | units

#define RUN 8

// `width`: of the draw's tiles, in pixels.
int runs(k_edge e, int width) {
  // An estimate: the last run takes the rest.
  int columns = min(min(int(min(e.xstep, 65536.0f)), abs(e.x1 - e.x0) >> 8), width) + 2;
  return min((columns + RUN - 1) / RUN, 4096);
}

bool long_sums;  // of the edge's draw

void add(uint at, int value) {
  if (value == 0) return;
  if (!LONG_SUMS || !long_sums) {
    atomicAdd(sums[at], value);
    return;
  }
  // In whatever order they come, carries are those of the whole sum.
  k_long before = k_long_of(0);
  before.low = uint(atomicAdd(sums[at], value));
  int carry = k_long_add(before, k_long_of(value)).high;
  if (carry != 0) atomicAdd(carries[at], carry);
}

// To the sum of a tile's pixel; x goes up from call to call, and end_sums comes after the last.
#ifdef WIDE
int even = 0;  // what is added to an even column goes with its neighbour

void add_pair(uint at, int value, int next) {
  // As one number of 64 bits: the second gets what the first one carries. Resolve takes it back.
  if ((value | next) != 0) atomicAdd(pairs[at / 2u], packUint2x32(uvec2(uint(value), uint(next + (value >> 31)))));
}

void add_sum(uint tile, uint x, uint y, int value) {
  if (LONG_SUMS && long_sums) {
    add(tile + g_sum_of(x, y), value);
    return;
  }
  if ((x & 1u) != 0u) add_pair(tile + g_sum_of(x & 14u, y), even, value);
  even = (x & 1u) != 0u ? 0 : value;
}

void end_sums(uint tile, uint x, uint y) {
  if ((x & 1u) == 0u) add_pair(tile + g_sum_of(x, y), even, 0);
  even = 0;
}
#else
void add_sum(uint tile, uint x, uint y, int value) { add(tile + g_sum_of(x, y), value); }
void end_sums(uint tile, uint x, uint y) {}
#endif

void unit(uint k, uint number) {
  ivec4 q = edge_ends[k];
  uvec4 steps = edge_steps[k];
  uvec3 rows = edge_rows[k];
  k_edge e;
  e.x0 = q.x;
  e.y0 = q.y;
  e.x1 = q.z;
  e.y1 = q.w;
  e.winding = (steps.z & 1u) != 0u ? -1 : 1;
  e.xstep = uintBitsToFloat(steps.x);
  e.ystep = uintBitsToFloat(steps.y);
  long_sums = (steps.z & 2u) != 0u;
  int count = int(steps.z >> 2), row = int(number), run = 0, first_row = int(steps.w);
  if (count > 1) {
    row = int(number) / count;
    run = int(number) - row * count;
  }
  row += first_row;
  k_piece piece = k_edge_piece(e, row);
  int left = low16(rows.x) << 4, right = high16(rows.x) << 4;
  uint y = uint(row & 15);
  int piece_first = k_piece_first(piece), first = max(piece_first, left) + run * RUN;
  bool from_left = piece_first < left && run == 0;
  int last = run + 1 == count ? k_piece_last(piece) : min(k_piece_last(piece), first + RUN - 1);
  last = min(last, right - 1);
  if (first > last && !from_left) return;
  uint b = uint(first - left) >> 4;
  uvec2 w = words[rows.y + uint((row >> 4) - (first_row >> 4)) * rows.z + (b >> 5)].xy;  // touched, rank
  bool whole = g_row_is_whole(rows.z, w.y, uint(bitCount(w.x)));
  // What the column before adds to the next, and all that is added to the row.
  int area = 0, cover = 0;
  if (from_left) {
    // All that lies left of the box.
    cover = k_piece_cover_left(e, piece, left);
    area = 512 * cover;
  }
  uint tile = (w.y + uint(bitCount(w.x & ((1u << (b & 31u)) - 1u)))) * G_TILE_SUMS;
  if (first > last) {
    add_sum(tile, 0u, y, area);
    end_sums(tile, 0u, y);
    if (!whole) add(tile + G_TILE_EXTRA + y, area);
    return;
  }
  int y_left = k_piece_y_left(e, piece, first);
  for (int column = first;; column++) {
    int y_right = k_piece_y_right(e, piece, column);
    k_cell cell = k_piece_cell(e, piece, column, y_left, y_right);
    y_left = y_right;
    uint x = uint(column & 15);
    add_sum(tile, x, y, 512 * cell.cover - cell.area + area);
    area = cell.area;
    cover += cell.cover;
    bool ends = column == last;
    if (!ends && x != 15u) continue;
    if (x != 15u) {
      add_sum(tile, x + 1u, y, area);
      end_sums(tile, x + 1u, y);
    }
    if (!whole) add(tile + G_TILE_EXTRA + y, 512 * cover);
    else if (x == 15u) add(tile + G_TILE_EXTRA + y, area);
    if (ends) break;
    cover = area = 0;
    tile += G_TILE_SUMS;  // the line touches the next tile as well
  }
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  // The last edges first: they are still in the cache, and then the sums of the first tiles are, with which resolve begins.
  uint group = group_number();
  uint first = (gl_NumWorkGroups.x * gl_NumWorkGroups.y - 1u - group) * P.edges_at_once;
  // Loaded before it is known whether there is one, so as not to wait twice.
  ivec4 q = ivec4(0);
  uint tag = 0u;
  if (lane < P.edges_at_once && first + lane < P.capacity.edges) {
    q = edges[first + lane];
    tag = tags[first + lane];
  }
  if (lane == 0u) listed = 0u;
  if (!has_room(control.counted) || first >= control.counted.edges) return;
  barrier();
  if (lane < P.edges_at_once && first + lane < control.counted.edges) {
    // Words 0, 3, 4, 6 and 7 of the record.
    uvec4 begin = records[(tag >> 1) * 3u], end = records[(tag >> 1) * 3u + 1u];
    k_edge e = k_edge_make(q.x, q.y, q.z, q.w);
    int top = high16(begin.w), bottom = high16(end.x), row = max(e.y0 >> 8, top << 4);
    int rows = min((e.y1 - 1) >> 8, (bottom << 4) - 1) - row + 1, count = runs(e, (low16(end.x) - low16(begin.w)) << 4);
    if (rows > 0) {
      uint before = atomicAdd(listed, 1u << 24 | uint(rows * count));
      entries[before >> 24] = (before & 0xffffffu) << 7 | lane;
      edge_ends[lane] = q;
      edge_steps[lane] = uvec4(floatBitsToUint(e.xstep), floatBitsToUint(e.ystep), uint(count) << 2 | ((begin.x & G_LONG_SUMS) != 0u ? 2u : 0u) | (tag & 1u), row);
      edge_rows[lane] = uvec3((begin.w & 0xffffu) | end.x << 16, end.w + uint((row >> 4) - top) * end.z, end.z);
    }
  }
  barrier();
  uint total = listed & 0xffffffu, count = listed >> 24;
  for (uint index = lane; index < total; index += G_COVER_GROUP) {
    uint i = 0u, key = index << 7 | 127u;
    [[dont_unroll]] for (uint step = P.edges_at_once / 2u; step > 0u; step >>= 1)
      if (i + step < count && entries[i + step] <= key) i += step;
    unit(entries[i] & 127u, index - (entries[i] >> 7));
  }
}
