#version 460
// Adds the (area, cover) of all edges to the sums of the tiles they touch (kernel/coverage.h has the arithmetic).
//
// Long and short edges should not make lanes wait for each other. So edges are cut into units: what an edge adds to one
// row of pixels or, where it is so flat that it crosses many columns there, to a run of those. A workgroup puts the
// units of its edges into one list, from which each lane takes the next, whichever edge it belongs to.
#ifdef WIDE
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#endif
#include "common.glsl"
#include "kernel/coverage.h"

layout(local_size_x = G_COVER_GROUP) in;
layout(constant_id = 1) const bool LONG_SUMS = false;  // some draws have long sums
layout(constant_id = 2) const bool ALIASED = true;     // and some are drawn without anti-aliasing
// The draws that have long sums elsewhere have not: the lines that cross each of their strips of pixel rows
// are counted instead, to tell whether they need them.
#ifndef WEBGPU
layout(constant_id = 3) const bool CROSSINGS = false;
#define READ_CONTROL
#else
// There all of these have long sums: what tells a dispatch its workgroups may not be written by it.
const bool CROSSINGS = false;
#define READ_CONTROL readonly
#endif

layout(set = 0, binding = G_RECORDS, scalar) readonly restrict buffer Records { uvec4 records[]; };
layout(set = 0, binding = G_CONTROL, scalar) READ_CONTROL restrict buffer Control { g_control control; };
layout(set = 0, binding = G_WORDS, scalar) readonly restrict buffer Words { uvec4 words[]; };
layout(set = 0, binding = G_EDGES, scalar) readonly restrict buffer Edges { ivec4 edges[]; };
layout(set = 0, binding = G_TAGS, scalar) readonly restrict buffer Tags { uint tags[]; };
layout(set = 0, binding = G_SUMS, scalar) buffer Sums { int sums[]; };
layout(set = 0, binding = G_CARRIES, scalar) buffer Carries { int carries[]; };
#ifdef WIDE
layout(set = 0, binding = G_SUMS, scalar) buffer Pairs { uint64_t pairs[]; };
#endif

shared ivec4 edge_ends[G_COVER_EDGES];
// Of each edge: xstep, ystep, runs << 3 | aliased << 2 | long sums << 1 | whether it ran upwards, and its first pixel
// row.
shared uvec4 edge_steps[G_COVER_EDGES];
// Of each edge: its draw's left and right tile as a pair, the index of its first tile row's first g_word, and how many
// of them the draw has in each tile row.
shared uvec3 edge_rows[G_COVER_EDGES];
// The list of units has an entry for each edge: how many units come before its own, << 7 | the edge.
shared uint entries[G_COVER_EDGES];
shared uint listed;  // how many edges are in the list << 24 | how many units they have

// How many of the workgroup's edges cross each strip of pixel rows, from number `first_counted` on, four to a word: a
// byte has room for all edges of a workgroup. Beyond these strips they are counted in memory one by one. That has to be
// rare: with room for 64 strips, a path of 400,000 segments took 155 us here on an H200, and 77 with room for 1024 (72
// when nothing is counted), as a workgroup's edges are from several places of the path.
const uint COUNTED = 1024u;
shared uint crossings[CROSSINGS ? COUNTED / 4u : 1u];
shared uint first_counted;

#define RUN 8  // columns of a unit

// Returns how many units an edge has in each of its rows. `width` is that of the draw's tiles, in pixels.
int runs(k_edge e, int width) {
  // An estimate: the last run takes the rest.
  int columns = min(min(int(min(e.xstep, 65536.0f)), abs(e.x1 - e.x0) >> 8), width) + 2;
  return min((columns + RUN - 1) / RUN, 4096);
}

void count_crossings(uint strip, uint count) {
#ifndef WEBGPU
  if ((uint(atomicAdd(carries[strip], int(count))) + count) >> 31 != 0u) atomicMax(control.counted.crowded, 1u);
#endif
}

bool long_sums;  // whether the draw of the lane's edge has sums of 64 bits

void add_long(uint at, int value) {
  // atomicAdd tells what was there before, and so whether this addition carries into the upper 32 bits. The carries add
  // up to the right upper half in whatever order the lanes come.
  k_long before = k_long_of(0);
  before.low = uint(atomicAdd(sums[at], value));
  int carry = k_long_add(before, k_long_of(value)).high;
  if (carry != 0) atomicAdd(carries[at], carry);
}

void add(uint at, int value) {
  if (LONG_SUMS && long_sums) add_long(at, value);
  else if (value != 0) atomicAdd(sums[at], value);
}

// Adds to the sum of a pixel of a tile. In a unit x increases from call to call, and end_sums comes after the last.
#ifdef WIDE
int even = 0;  // what goes to an even column waits here, to be added together with its right neighbour's

void add_pair(uint at, int value, int next) {
  // Two sums side by side are added as one number of 64 bits. So the second also gets what the first one carries;
  // resolve subtracts that again.
  if ((value | next) != 0) atomicAdd(pairs[at / 2u], packUint2x32(uvec2(uint(value), uint(next + (value >> 31)))));
}

void add_sum(uint tile, uint x, uint y, int value) {
  uint sums_of = tile * G_TILE_SUMS;
  if (LONG_SUMS && long_sums) {
    add_long(sums_of + g_sum_of(x, y), value);
  } else {
    if ((x & 1u) != 0u) add_pair(sums_of + g_sum_of(x & 14u, y), even, value);
    even = (x & 1u) != 0u ? 0 : value;
  }
}

void end_sums(uint tile, uint x, uint y) {
  if ((x & 1u) == 0u) add_pair(tile * G_TILE_SUMS + g_sum_of(x, y), even, 0);
  even = 0;
}
#else
void add_sum(uint tile, uint x, uint y, int value) { add(tile * G_TILE_SUMS + g_sum_of(x, y), value); }
void end_sums(uint tile, uint x, uint y) {}
#endif

// Adds the edge's step of a row, in a draw without anti-aliasing; `word` is the first g_word of the row of tiles, which
// has `words` of them.
void step_of_row(k_edge e, int row, int left, int right, uint word, uint words_in_row) {
  if (row < k_beyond(e.y0) || row >= k_beyond(e.y1)) return;
  int column = max(k_step_column(e, row), left);
  if (column >= right) return;
  uint b = uint(column - left) >> 4, x = uint(column & 15), y = uint(row & 15);
  g_word w = g_word_at(word + (b >> 5));
  uint tile = w.rank + uint(bitCount(w.touched & ((1u << (b & 31u)) - 1u)));
  add_sum(tile, x, y, K_STEP * e.winding);
  end_sums(tile, x, y);
  if (!g_row_is_whole(words_in_row, w.rank, uint(bitCount(w.touched))))
    add(extras_of(tile) + y, K_STEP * e.winding);
}

// Adds one unit: number `number` of edge k of the workgroup.
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
  int count = int(steps.z >> 3), row = int(number), run = 0, first_row = int(steps.w);
  if (count > 1) {
    row = int(number) / count;
    run = int(number) - row * count;
  }
  row += first_row;
  int left = g_x(rows.x) << G_TILE_SHIFT, right = g_y(rows.x) << G_TILE_SHIFT;
  uint y = uint(row & 15);
  if (ALIASED && (steps.z & 4u) != 0u) {
    step_of_row(e, row, left, right, rows.y + uint((row >> 4) - (first_row >> 4)) * rows.z, rows.z);
    return;
  }
  k_piece piece = k_edge_piece(e, row);
  int piece_first = k_piece_first(piece), first = max(piece_first, left) + run * RUN;
  bool from_left = piece_first < left && run == 0;
  int last = run + 1 == count ? k_piece_last(piece) : min(k_piece_last(piece), first + RUN - 1);
  last = min(last, right - 1);
  if (first > last && !from_left) return;
  uint b = uint(first - left) >> 4;
  g_word w = g_word_at(rows.y + uint((row >> 4) - (first_row >> 4)) * rows.z + (b >> 5));
  bool whole = g_row_is_whole(rows.z, w.rank, uint(bitCount(w.touched)));
  // `area`: what the column before adds to this one. `cover`: the sum of all covers so far, in this tile's row of
  // pixels.
  int area = 0, cover = 0;
  if (from_left) {
    // All of the edge that lies left of the box counts in the box's first column.
    cover = k_piece_cover_left(e, piece, left);
    area = 512 * cover;
  }
  uint tile = w.rank + uint(bitCount(w.touched & ((1u << (b & 31u)) - 1u)));
  if (first > last) {
    add_sum(tile, 0u, y, area);
    end_sums(tile, 0u, y);
    if (!whole) add(extras_of(tile) + y, area);
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
    if (!whole) add(extras_of(tile) + y, 512 * cover);
    else if (x == 15u) add(extras_of(tile) + y, area);
    if (ends) break;
    cover = area = 0;
    tile++;  // the edge goes on into the tile to the right, which is touched and so has the next rank
  }
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  // Begin with the edges that were written last, since they are still in the cache. At the end the sums of the first
  // tiles are in it, which resolve reads first.
  uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
  uint first = uniform_of((groups - 1u - group_number()) * P.edges_at_once);
  // The edge is loaded before `control` tells whether there is one, so that both loads are waited for together.
  ivec4 q = ivec4(0);
  uint tag = 0u;
  if (lane < P.edges_at_once && first + lane < P.capacity.edges) {
    q = edges[first + lane];
    tag = tags[first + lane];
  }
  if (lane == 0u) listed = 0u;
  if (CROSSINGS)
    for (uint i = lane; i < COUNTED / 4u; i += G_COVER_GROUP) crossings[i] = 0u;
  if (CROSSINGS && lane == 0u) first_counted = 0xffffffffu;
  if (!has_room(control.counted) || first >= control.counted.edges) return;
  barrier();
  uint strip_counted = 0u, strips_counted = 0u;
  if (lane < P.edges_at_once && first + lane < control.counted.edges) {
    g_record record = g_record_at(g_tag_draw(tag));
    k_edge e = k_edge_make(q.x, q.y, q.z, q.w);
    int top = g_y(record.tile0), bottom = g_y(record.tile1), row = max(e.y0 >> 8, top << 4);
    int left = g_x(record.tile0), right = g_x(record.tile1);
    bool aliased = ALIASED && (record.info & G_ALIASED) != 0u;
    int rows = min((e.y1 - 1) >> 8, (bottom << 4) - 1) - row + 1;
    int count = aliased ? 1 : runs(e, (right - left) << G_TILE_SHIFT);
    if (rows > 0) {
      uint before = atomicAdd(listed, 1u << 24 | uint(rows * count));
      entries[before >> 24] = (before & 0xffffffu) << 7 | lane;
      edge_ends[lane] = q;
      uint flags = (aliased ? 4u : 0u) | ((record.info & G_LONG_SUMS) != 0u ? 2u : 0u) | uint(g_tag_is_up(tag));
      edge_steps[lane] = uvec4(floatBitsToUint(e.xstep), floatBitsToUint(e.ystep), uint(count) << 3 | flags, row);
      edge_rows[lane] = uvec3(g_pair(left, right), record.word + uint((row >> 4) - top) * record.words, record.words);
      if (CROSSINGS && (record.info & G_LONG_SUMS) != 0u) {
        strip_counted = record.row * G_STRIPS + uint((row >> G_STRIP_SHIFT) - top * int(G_STRIPS));
        strips_counted = uint(((row + rows - 1) >> G_STRIP_SHIFT) - (row >> G_STRIP_SHIFT)) + 1u;
        atomicMin(first_counted, strip_counted);
      }
    }
  }
  barrier();
  if (CROSSINGS) {
    for (uint i = 0u; i < strips_counted; i++) {
      uint k = strip_counted + i - first_counted;
      if (k < COUNTED) atomicAdd(crossings[k / 4u], 1u << k % 4u * 8u);
      else count_crossings(strip_counted + i, 1u);
    }
    barrier();
    for (uint k = lane; k < COUNTED; k += G_COVER_GROUP) {
      uint count = crossings[k / 4u] >> k % 4u * 8u & 255u;
      if (count != 0u) count_crossings(first_counted + k, count);
    }
  }
  uint total = listed & 0xffffffu, count = listed >> 24;
  for (uint index = lane; index < total; index += G_COVER_GROUP) {
    uint i = 0u, key = index << 7 | 127u;
    [[dont_unroll]] for (uint step = P.edges_at_once / 2u; step > 0u; step >>= 1)
      if (i + step < count && entries[i + step] <= key) i += step;
    unit(entries[i] & 127u, index - (entries[i] >> 7));
  }
}
