// Coverage: exact integer (area, cover) sums of lines over pixels.
//
// Lines are in 24.8 fixed point. Where one crosses the border of a pixel row or column is a pure function of the line
// and that border, so any tile, band, lane or thread that asks gets the same answer. A line adds (column, value) pairs
// to a row, which are summed as integers, in any order. The prefix sum over the row's columns then is, for each pixel,
// twice the signed area of it that lies inside, in units of 1/65536 pixel: 131072 is one full winding. FreeType's and
// font-rs's rasterisers work in this way.
#ifndef K_COVERAGE_H
#define K_COVERAGE_H

#include "float.h"

#define K_SUBPIXELS 256     // of a pixel's side
#define K_FULL_AREA 131072  // 2 * 256 * 256

// The number of lines in a row for which 32 bits are enough. A line adds at most K_FULL_AREA to a row, all with one
// sign: so do its single pairs and any sum of them. So no sum of this many lines overflows, nor any partial sum in any
// order. Where more lines may touch a row its sums are k_long, so that every winding counts.
#define K_SUM_LINES 16383

// A line turned so that it runs downwards. xstep and ystep are its slopes, both >= 0.
K_STRUCT(k_edge) {
  int x0, y0, x1, y1;  // y0 < y1
  int winding;         // +1 when the line ran downwards, else -1
  float xstep;         // |x1 - x0| / (y1 - y0)
  float ystep;         // (y1 - y0) / |x1 - x0|
};

// Returns the edge of a line with y0 != y1 and |coordinates| <= 2^23 (the guard band), so that differences are exact as
// floats.
K_FN k_edge k_edge_make(int x0, int y0, int x1, int y1) {
  k_edge e;
  bool down = y0 < y1;
  e.x0 = down ? x0 : x1;
  e.y0 = down ? y0 : y1;
  e.x1 = down ? x1 : x0;
  e.y1 = down ? y1 : y0;
  e.winding = down ? 1 : -1;
  kfloat dx = k_float(k_abs(e.x1 - e.x0));
  kfloat dy = k_float(e.y1 - e.y0);
  kfloat xstep = dx * k_recip(dy);
  kfloat ystep = dy * k_recip(k_max(dx, 1.0f));
  e.xstep = xstep;
  e.ystep = ystep;
  return e;
}

// Returns where the edge crosses the horizontal y, for e.y0 <= y <= e.y1.
K_FN int k_edge_x(k_edge e, int y) {
  kfloat s = k_float(y - e.y0) * e.xstep;
  s = s + 0.5f;
  int d = k_min(k_int(s), k_abs(e.x1 - e.x0));
  int x = e.x1 < e.x0 ? e.x0 - d : e.x0 + d;
  return y == e.y1 ? e.x1 : x;
}

// Returns where the edge crosses the vertical x, for x between e.x0 and e.x1.
K_FN int k_edge_y(k_edge e, int x) {
  kfloat s = k_float(k_abs(x - e.x0)) * e.ystep;
  s = s + 0.5f;
  return e.y0 + k_min(k_int(s), e.y1 - e.y0);
}

// The part of an edge within one pixel row.
K_STRUCT(k_piece) { int x0, y0, x1, y1; };

// Returns the edge's piece in a row that it touches: e.y0 < 256 (row + 1) and e.y1 > 256 row.
K_FN k_piece k_edge_piece(k_edge e, int row) {
  k_piece p;
  p.y0 = k_max(e.y0, row * K_SUBPIXELS);
  p.y1 = k_min(e.y1, row * K_SUBPIXELS + K_SUBPIXELS);
  p.x0 = k_edge_x(e, p.y0);
  p.x1 = k_edge_x(e, p.y1);
  return p;
}

// Returns the first or the last column that a piece touches. A border that is only reached is not crossed.
K_FN int k_piece_first(k_piece p) { return k_min(p.x0, p.x1) >> 8; }
K_FN int k_piece_last(k_piece p) { return k_max(k_min(p.x0, p.x1), k_max(p.x0, p.x1) - 1) >> 8; }

// Returns where a piece crosses the left or the right border of a column that it touches, or ends before.
K_FN int k_piece_y_left(k_edge e, k_piece p, int column) {
  int x = column * K_SUBPIXELS;
  if (x <= k_min(p.x0, p.x1)) return p.x0 <= p.x1 ? p.y0 : p.y1;
  return k_max(p.y0, k_min(p.y1, k_edge_y(e, x)));
}

K_FN int k_piece_y_right(k_edge e, k_piece p, int column) {
  int x = column * K_SUBPIXELS + K_SUBPIXELS;
  if (x >= k_max(p.x0, p.x1)) return p.x0 <= p.x1 ? p.y1 : p.y0;
  return k_max(p.y0, k_min(p.y1, k_edge_y(e, x)));
}

// Returns the edge's winding as its piece is followed from left to right, where y may rise or fall.
K_FN int k_piece_winding(k_edge e, k_piece p) { return p.x0 <= p.x1 ? e.winding : -e.winding; }

// What a piece adds to one pixel column: `cover` is its height there (signed by winding), `area` the part of
// 512 * cover that lies left of the line. The column's sum grows by 512 * cover - area, its right neighbour's by area.
K_STRUCT(k_cell) { int cover, area; };

// Returns the cell of a column that the piece touches; y_left and y_right are its k_piece_y_left and k_piece_y_right.
K_FN k_cell k_piece_cell(k_edge e, k_piece p, int column, int y_left, int y_right) {
  int left = column * K_SUBPIXELS;
  k_cell cell;
  cell.cover = (y_right - y_left) * k_piece_winding(e, p);
  cell.area = cell.cover * (k_max(k_min(p.x0, p.x1) - left, 0) + k_min(k_max(p.x0, p.x1) - left, K_SUBPIXELS));
  return cell;
}

// Returns the sum of the covers of all columns left of `column`, some of which the piece touches. Since each column
// ends where the next begins, it is the height between the first and the last border.
K_FN int k_piece_cover_left(k_edge e, k_piece p, int column) {
  return (k_piece_y_right(e, p, column - 1) - (p.x0 <= p.x1 ? p.y0 : p.y1)) * k_piece_winding(e, p);
}

// Draws without anti-aliasing: a pixel is inside where its centre is. In each row whose centres it crosses, an edge
// counts as a step as high as the row, on the left border of the first pixel whose centre lies right of the crossing;
// sums of steps are whole windings, and so coverage is 0 or 255. A centre on the left or upper side of a shape is
// outside, and one on the right or lower side inside, so that what is one pixel wide always covers one pixel.
#define K_STEP K_FULL_AREA

// Returns the first row or column whose centres lie beyond a coordinate.
K_FN int k_beyond(int x) { return (x + K_SUBPIXELS / 2) >> 8; }

// Returns the column of the edge's step in a row from k_beyond(e.y0) to k_beyond(e.y1) - 1.
K_FN int k_step_column(k_edge e, int row) { return k_beyond(k_edge_x(e, row * K_SUBPIXELS + K_SUBPIXELS / 2)); }

// A fill rule, as numbers with which k_coverage needs no branch. By the even-odd rule, areas are taken modulo two
// windings (wrap), and above one winding coverage falls again (turn). By the non-zero rule neither changes anything.
K_STRUCT(k_winding) { uint wrap, turn; };

K_FN k_winding k_winding_rule(bool evenodd) {
  k_winding w;
  w.wrap = evenodd ? 2u * K_FULL_AREA - 1u : 0xffffffffu;
  w.turn = evenodd ? 2u * K_FULL_AREA : 0xffffffffu;
  return w;
}

// Returns eight bits of coverage from the prefix sum.
K_FN uint k_coverage(k_winding rule, int sum) {
  uint area = k_uint(k_abs(sum)) & rule.wrap;
  area = k_min(area, rule.turn - area);
  return k_min(area >> 9, 255u);
}

// Computes k_coverage for the non-zero rule, in half the operations.
K_FN uint k_coverage_nonzero(int sum) { return k_min(k_uint(k_abs(sum)) >> 9, 255u); }

// A sum of 64 bits, high * 2^32 + low. It is a structure because not every device has integers of 64 bits.
K_STRUCT(k_long) {
  uint low;
  int high;
};

K_FN k_long k_long_of(int value) {
  k_long r;
  r.low = k_uint(value);
  r.high = value < 0 ? -1 : 0;
  return r;
}

K_WRAPS K_FN k_long k_long_add(k_long a, k_long b) {
  k_long r;
  r.low = a.low + b.low;
  r.high = a.high + b.high + (r.low < a.low ? 1 : 0);
  return r;
}

// Returns a prefix sum of 32 bits with the same coverage: by the non-zero rule all beyond one winding is full, and by
// the even-odd rule two windings are as good as none.
K_FN int k_long_shorten(k_long sum, bool evenodd) {
  if (evenodd) return k_int(sum.low & (2u * K_FULL_AREA - 1u));
  bool fits = sum.high == (sum.low >> 31 != 0u ? -1 : 0);
  if (!fits) return sum.high < 0 ? -K_FULL_AREA : K_FULL_AREA;
  return k_max(-K_FULL_AREA, k_min(K_FULL_AREA, k_int(sum.low)));
}

#endif
