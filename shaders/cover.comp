#version 460
// Adds the lines' (area, cover) to the sums of the tiles they touch.
#include "flatten.glsl"

layout(set = 0, binding = G_CONTROL, scalar) restrict buffer Control {
  g_control control;
  int covers[];
};
layout(set = 0, binding = G_WORDS, scalar) readonly restrict buffer Words { g_word words[]; };
layout(set = 0, binding = G_SUMS, scalar) restrict buffer Sums { int sums[]; };

uint tile_index(Lines l, int x, int y) {
  uint b = uint(x - low16(l.tile0));
  g_word w = words[l.word + uint(y - high16(l.tile0)) * l.words + (b >> 5)];
  return w.rank + uint(bitCount(w.touched & ((1u << (b & 31u)) - 1u)));
}

// A unit is a row of pixels; of flat lines, a run of its columns.
#define RUN 8

int runs(k_edge e) {
  int columns = min(int(min(e.xstep, 65536.0f)), abs(e.x1 - e.x0) >> 8) + 2;  // an estimate: the last run takes the rest
  return min((columns + RUN - 1) / RUN, 4096);
}

uint units(k_edge e, Lines l) {
  if (min(e.x0, e.x1) >> 12 >= low16(l.tile1)) return 0u;
  int rows = min((e.y1 - 1) >> 8, (high16(l.tile1) << 4) - 1) - max(e.y0 >> 8, high16(l.tile0) << 4) + 1;
  return uint(max(rows, 0) * runs(e));
}

void add(uint index, int row, int column, int value) {
  if (value != 0) atomicAdd(sums[index * 256u + uint(row & 15) * 16u + uint(column & 15)], value);
}

void add_cover(uint index, int row, int cover) {
  if (cover != 0) atomicAdd(covers[index * 16u + uint(row & 15)], 512 * cover);
}

void unit(k_edge e, Lines l, uint number) {
  int count = runs(e), row = int(number) / count, run = int(number) - row * count;
  row += max(e.y0 >> 8, high16(l.tile0) << 4);
  k_piece piece = k_edge_piece(e, row);
  int left = low16(l.tile0) << 4, right = low16(l.tile1) << 4, y = row >> 4;
  int begin = k_piece_first(piece), first = begin + run * RUN;
  int last = run + 1 == count ? k_piece_last(piece) : min(k_piece_last(piece), first + RUN - 1);
  last = min(last, right - 1);
  if (first < left) {
    if (run == 0) {
      // All that lies left of the box, of every run.
      int cover = k_piece_cover_left(e, piece, left);
      uint index = tile_index(l, left >> 4, y);
      add(index, row, left, 512 * cover);
      add_cover(index, row, cover);
    }
    first = left;
  }
  int cover = 0, tile = -1, pending = 0;
  uint index = 0u;
  for (int column = first; column <= last; column++) {
    if (column >> 4 != tile) {
      if (tile >= 0) add_cover(index, row, cover);
      cover = pending = 0;
      tile = column >> 4;
      index = tile_index(l, tile, y);
    }
    k_cell cell = k_piece_cell(e, piece, column);
    add(index, row, column, 512 * cell.cover - cell.area + pending);
    pending = cell.area;
    cover += cell.cover;
    // The area belongs to the next column, which is added to next unless it is the last.
    if (column == last && (column & 15) != 15) add(index, row, column + 1, pending);
  }
  if (tile >= 0) add_cover(index, row, cover);
}

void main() {
  if (control.tiles > P.tile_capacity) return;
  flatten_group();
}
