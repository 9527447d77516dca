#version 460
// Adds the edges' (area, cover) to the sums of the tiles they touch. Edges are cut into units: a row of pixels, or of flat
// edges a run of its columns.
#include "common.glsl"
#include "kernel/coverage.h"

layout(local_size_x = G_COVER_GROUP) in;

layout(set = 0, binding = G_RECORDS, scalar) readonly restrict buffer Records { uvec4 records[]; };
layout(set = 0, binding = G_CONTROL, scalar) readonly restrict buffer Control { g_control control; };
layout(set = 0, binding = G_WORDS, scalar) readonly restrict buffer Words { uvec4 words[]; };
layout(set = 0, binding = G_EDGES, scalar) readonly restrict buffer Edges { ivec4 edges[]; };
layout(set = 0, binding = G_TAGS, scalar) readonly restrict buffer Tags { uint tags[]; };
layout(set = 0, binding = G_SUMS, scalar) restrict buffer Sums { int sums[]; };

// What a draw's edges need to know of it.
struct Rows {
  uint tile0, tile1, words, word;
};

shared k_edge group_edges[G_COVER_EDGES];
shared Rows edge_rows[G_COVER_EDGES];
shared uint edge_units[G_COVER_EDGES];  // up to and with each

#define RUN 8

int runs(k_edge e) {
  int columns = min(int(min(e.xstep, 65536.0f)), abs(e.x1 - e.x0) >> 8) + 2;  // an estimate: the last run takes the rest
  return min((columns + RUN - 1) / RUN, 4096);
}

uint units(k_edge e, Rows l) {
  int rows = min((e.y1 - 1) >> 8, (high16(l.tile1) << 4) - 1) - max(e.y0 >> 8, high16(l.tile0) << 4) + 1;
  return uint(max(rows, 0) * runs(e));
}

void add(uint at, int value) {
  if (value != 0) atomicAdd(sums[at], value);
}

void unit(k_edge e, Rows l, uint number) {
  int count = runs(e), row = int(number), run = 0;
  if (count > 1) {
    row = int(number) / count;
    run = int(number) - row * count;
  }
  row += max(e.y0 >> 8, high16(l.tile0) << 4);
  k_piece piece = k_edge_piece(e, row);
  int left = low16(l.tile0) << 4, right = low16(l.tile1) << 4;
  uint y = uint(row & 15), word = l.word + uint((row >> 4) - high16(l.tile0)) * l.words;
  int first = k_piece_first(piece) + run * RUN;
  int last = run + 1 == count ? k_piece_last(piece) : min(k_piece_last(piece), first + RUN - 1);
  last = min(last, right - 1);
  if (first > last && first >= left) return;
  uint b = uint(max(first, left) - left) >> 4;
  uvec2 w = words[word + (b >> 5)].xy;  // touched, rank
  bool whole = g_row_is_whole(l.words, w.y, uint(bitCount(w.x)));
  if (first < left) {
    if (run == 0) {
      // All that lies left of the box, of every run.
      int cover = 512 * k_piece_cover_left(e, piece, left * K_SUBPIXELS);
      uint at = w.y * G_TILE_SUMS;
      add(at + g_sum_of(0u, y), cover);
      if (!whole) add(at + G_TILE_EXTRA + y, cover);
    }
    first = left;
  }
  if (first > last) return;
  uint at = (w.y + uint(bitCount(w.x & ((1u << (b & 31u)) - 1u)))) * G_TILE_SUMS;
  int before = k_piece_y(e, piece, first * K_SUBPIXELS), cover = 0, area = 0;
  for (int column = first;; column++) {
    int after = k_piece_y(e, piece, (column + 1) * K_SUBPIXELS);
    k_cell cell = k_piece_cell(e, piece, column, before, after);
    before = after;
    // The area lies left of the line, and belongs to the next column.
    add(at + g_sum_of(uint(column & 15), y), 512 * cell.cover - cell.area + area);
    area = cell.area;
    cover += cell.cover;
    bool ends = column == last;
    if (!ends && (column & 15) != 15) continue;
    if (!whole) add(at + G_TILE_EXTRA + y, 512 * cover);
    if ((column & 15) != 15) add(at + g_sum_of(uint(column & 15) + 1u, y), area);
    else if (whole) add(at + G_TILE_EXTRA + y, area);
    if (ends) break;
    cover = area = 0;
    at += G_TILE_SUMS;  // the line touches the next tile as well
  }
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint first = (gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x) * P.edges_at_once;
  // Loaded before it is known whether there is one, so as not to wait twice.
  ivec4 q = ivec4(0);
  uint tag = 0u;
  if (lane < P.edges_at_once && first + lane < P.capacity.edges) {
    q = edges[first + lane];
    tag = tags[first + lane];
  }
  if (!has_room(control.counted) || first >= control.counted.edges) return;
  if (lane < G_COVER_EDGES) {
    uint count = 0u;
    if (lane < P.edges_at_once && first + lane < control.counted.edges) {
      // Words 3, 4, 6 and 7 of the record.
      uvec4 begin = records[(tag >> 1) * 3u], end = records[(tag >> 1) * 3u + 1u];
      Rows l = Rows(begin.w, end.x, end.z, end.w);
      k_edge e = k_edge_make(q.x, q.y, q.z, q.w);
      e.winding = (tag & 1u) != 0u ? -1 : 1;
      group_edges[lane] = e;
      edge_rows[lane] = l;
      count = units(e, l);
    }
    edge_units[lane] = count;
  }
  barrier();
  [[dont_unroll]] for (uint step = 1u; step < P.edges_at_once; step *= 2u) {
    uint other = 0u;
    if (lane >= step && lane < G_COVER_EDGES) other = edge_units[lane - step];
    barrier();
    if (lane < G_COVER_EDGES) edge_units[lane] += other;
    barrier();
  }
  uint total = edge_units[P.edges_at_once - 1u];
  for (uint index = lane; index < total; index += G_COVER_GROUP) {
    uint i = 0u;
    [[dont_unroll]] for (uint step = P.edges_at_once / 2u; step > 0u; step >>= 1)
      if (edge_units[i + step - 1u] <= index) i += step;
    unit(group_edges[i], edge_rows[i], index - (i > 0u ? edge_units[i - 1u] : 0u));
  }
}
