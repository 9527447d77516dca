#version 460
// Adds the lines' (area, cover) to the sums of the tiles they touch.
#include "flatten.glsl"

layout(set = 0, binding = G_CONTROL, scalar) readonly restrict buffer Control { g_control control; };
layout(set = 0, binding = G_WORDS, scalar) readonly restrict buffer Words { g_word words[]; };
layout(set = 0, binding = G_TILES, scalar) restrict buffer Tiles { g_tile tiles[]; };
layout(set = 0, binding = G_SUMS, scalar) restrict buffer Sums { int sums[]; };

uint tile_index(g_record r, int x, int y) {
  uint b = uint(x - low16(r.tile0));
  g_word w = words[r.word + uint(y - high16(r.tile0)) * r.words + (b >> 5)];
  return w.rank + uint(bitCount(w.touched & ((1u << (b & 31u)) - 1u)));
}

// The tile that this lane adds to.
int near_x, near_y;
uint near_index;

uint near_tile(g_record r, int x, int y) {
  if (x != near_x || y != near_y) {
    near_x = x;
    near_y = y;
    near_index = tile_index(r, x, y);
  }
  return near_index;
}

void add_cover(uint index, int row, int cover) {
  if (cover != 0) atomicAdd(tiles[index].covers[row & 15], 512 * cover);
}

// The columns left .. right - 1 of one pixel row; `all_left`: and everything left of them.
void cover_row(k_edge e, g_record r, int row, int left, int right, bool all_left) {
  k_piece piece = k_edge_piece(e, row);
  int first = k_piece_first(piece), last = min(k_piece_last(piece), right - 1);
  int y = row >> G_TILE_SHIFT;
  if (first < left) {
    if (all_left) {
      int cover = k_piece_cover_left(e, piece, left);
      uint index = near_tile(r, left >> G_TILE_SHIFT, y);
      if (cover != 0) atomicAdd(sums[index * 256u + uint(row & 15) * 16u], 512 * cover);
      add_cover(index, row, cover);
    }
    first = left;
  }
  int cover = 0, tile = -1;
  uint index = 0u;
  for (int column = first; column <= last; column++) {
    if (column >> G_TILE_SHIFT != tile) {
      if (tile >= 0) add_cover(index, row, cover);
      cover = 0;
      tile = column >> G_TILE_SHIFT;
      index = near_tile(r, tile, y);
    }
    k_cell cell = k_piece_cell(e, piece, column);
    uint at = index * 256u + uint(row & 15) * 16u + uint(column & 15);
    int here = 512 * cell.cover - cell.area;
    if (here != 0) atomicAdd(sums[at], here);
    if ((column & 15) != 15 && cell.area != 0) atomicAdd(sums[at + 1u], cell.area);
    cover += cell.cover;
  }
  if (tile >= 0) add_cover(index, row, cover);
}

void line(k_edge e, uint draw, uint slice, uint slices) {
  g_record r = records[draw];
  int top = high16(r.tile0) << G_TILE_SHIFT, bottom = high16(r.tile1) << G_TILE_SHIFT;
  int left = low16(r.tile0) << G_TILE_SHIFT, right = low16(r.tile1) << G_TILE_SHIFT;
  int lo = max(e.y0 >> 8, top), hi = min((e.y1 - 1) >> 8, bottom - 1);
  if (lo > hi) return;
  near_x = -1;
  near_y = -1;
  bool all_left = true;
  if (slices > 1u && e.y1 - e.y0 < abs(e.x1 - e.x0)) {
    // A flat line is cut into runs of columns. Which rows a run crosses is estimated one row too wide on both sides.
    int begin = max(min(e.x0, e.x1) >> 8, left), end = min((max(e.x0, e.x1) >> 8) + 1, right);
    int count = max(end - begin, 0);
    bool first = slice == 0u, last = slice + 1u == slices;
    int from = begin + count * int(slice) / int(slices), to = begin + count * int(slice + 1u) / int(slices);
    all_left = first;
    if (!first) left = max(left, from);
    if (!last) right = min(right, to);
    if (!first && left >= right) return;
    int x0 = clamp(left * 256, min(e.x0, e.x1), max(e.x0, e.x1));
    int x1 = clamp(right * 256, min(e.x0, e.x1), max(e.x0, e.x1));
    if (first) x0 = min(e.x0, e.x1);
    int ya = k_edge_y(e, x0), yb = k_edge_y(e, x1);
    lo = max(lo, (min(ya, yb) >> 8) - 1);
    hi = min(hi, (max(ya, yb) >> 8) + 1);
  } else {
    int count = hi - lo + 1, first = lo;
    lo = first + count * int(slice) / int(slices);
    hi = first + count * int(slice + 1u) / int(slices) - 1;
  }
  for (int row = lo; row <= hi; row++) cover_row(e, r, row, left, right, all_left);
}

void main() {
  if (control.tiles > P.tile_capacity) return;
  flatten_group();
}
