// Lines to sums, with slopes computed LANES lines at a time. Included once by each instruction set's file.
#include "kernel/coverage.h"

// Edges as kernel/coverage.h makes them, LANES at a time.
typedef struct {
  int32_t x0[LANES], y0[LANES], x1[LANES], y1[LANES], winding[LANES];
  float xstep[LANES], ystep[LANES];
} edges;

// What a row's pieces are added to.
typedef struct {
  int32_t *sums;
  uint8_t *touched;
} cell_row;

VEC cell_row row_of(const sj_cells *cells, int row) {
  return (cell_row){cells->sums + (size_t)row * cells->stride, cells->touched + (size_t)row * cells->touched_stride};
}

// A piece that crosses more than one column border; leftwards and rightwards pieces are told apart by x0 and x1.
static void add_long_piece(k_edge edge, k_piece piece, cell_row to) {
  int first = k_piece_first(piece), last = k_piece_last(piece);
  bool rightwards = piece.x0 <= piece.x1;
  // Walk the columns from left to right; the heights come in the order of the walk.
  int y = rightwards ? piece.y0 : piece.y1;
  int sign = rightwards ? edge.winding : -edge.winding;
  int x = rightwards ? piece.x0 : piece.x1, end_x = rightwards ? piece.x1 : piece.x0;
  int end_y = rightwards ? piece.y1 : piece.y0;
  int carry = 0;
  for (int column = first; column <= last; column++) {
    int border = (column + 1) * K_SUBPIXELS;
    int next_y = column < last ? k_max(piece.y0, k_min(piece.y1, k_edge_y(edge, border))) : end_y;
    int next_x = column < last ? border : end_x;
    int cover = (next_y - y) * sign;
    int area = cover * ((x - border) + (next_x - border) + 2 * K_SUBPIXELS);
    to.sums[column] += carry + 512 * cover - area;
    carry = area;
    y = next_y;
    x = next_x;
  }
  to.sums[last + 1] += carry;
  for (int block = first / SJ_BLOCK; block <= (last + 1) / SJ_BLOCK; block++) to.touched[block] = 1;
}

// A piece within the box's columns, of which it may touch the two after its last with nothing. Most touch one or two columns, told apart without a branch.
VEC void add_piece(const edges *e, int i, k_edge *edge, int x0, int y0, int x1, int y1, cell_row to) {
  int lo = k_min(x0, x1), hi = k_max(x0, x1);
  int column = lo >> 8, border = (column + 1) * K_SUBPIXELS;
  if (__builtin_expect(hi > border + K_SUBPIXELS, 0)) {
    *edge = (k_edge){e->x0[i], e->y0[i], e->x1[i], e->y1[i], e->winding[i], e->xstep[i], e->ystep[i]};
    add_long_piece(*edge, (k_piece){x0, y0, x1, y1}, to);
    return;
  }
  int winding = e->winding[i];
  int total = y1 - y0;
  // The height left of the border.
  float s = (float)k_abs(border - e->x0[i]) * e->ystep[i];
  s = s + 0.5f;
  int y = e->y0[i] + (int)k_min(s, 1e9f);  // beyond any line when the border is, and then not used
  y = k_max(y0, k_min(y1, y));
  int left = x0 <= x1 ? y - y0 : y1 - y;
  left = hi > border ? left : total;
  int right = total - left;
  left *= winding;
  right *= winding;
  int base = border - K_SUBPIXELS;
  int left_area = left * ((lo - base) + (k_min(hi, border) - base));
  int right_area = right * (hi - border);
  to.sums[column] += 512 * left - left_area;
  to.sums[column + 1] += left_area + 512 * right - right_area;
  to.sums[column + 2] += right_area;
  to.touched[column / SJ_BLOCK] = 1;
  to.touched[(column + 2) / SJ_BLOCK] = 1;
}

// Lines that leave the box's columns: the general form, as the reference has it.
static void add_clipped(const sj_cells *cells, stijl_irect box, k_edge edge) {
  int row = k_max(edge.y0 >> 8, box.y0), last_row = k_min((edge.y1 - 1) >> 8, box.y1 - 1);
  for (; row <= last_row; row++) {
    k_piece piece = k_edge_piece(edge, row);
    cell_row to = row_of(cells, row);
    int first = k_piece_first(piece), last = k_piece_last(piece);
    if (first < box.x0) {
      to.sums[box.x0] += 512 * k_piece_cover_left(edge, piece, box.x0);
      to.touched[box.x0 / SJ_BLOCK] = 1;
      first = box.x0;
    }
    if (last >= box.x1) last = box.x1 - 1;
    if (first > last) continue;
    for (int column = first; column <= last; column++) {
      k_cell cell = k_piece_cell(edge, piece, column);
      to.sums[column] += 512 * cell.cover - cell.area;
      to.sums[column + 1] += cell.area;
    }
    for (int block = first / SJ_BLOCK; block <= (last + 1) / SJ_BLOCK; block++) to.touched[block] = 1;
  }
}

VEC void add_edge(const sj_cells *cells, stijl_irect box, const edges *e, int i) {
  int y = e->y0[i], y1 = e->y1[i], x = e->x0[i], x1 = e->x1[i];
  int row = y >> 8, last = (y1 - 1) >> 8;
  int start_x = x, start_y = y;
  int span = k_abs(x1 - x);
  float xstep = e->xstep[i];
  k_edge edge;
  if (row < box.y0) {
    row = box.y0;
    y = row * K_SUBPIXELS;
    float s = (float)(y - start_y) * xstep;
    s = s + 0.5f;
    int d = k_min((int)s, span);
    x = x1 < start_x ? start_x - d : start_x + d;
  }
  int end = k_min(last, box.y1 - 1);
  for (; row <= end; row++) {
    int next_y = (row + 1) * K_SUBPIXELS, next_x = x1;
    if (next_y < y1) {
      float s = (float)(next_y - start_y) * xstep;
      s = s + 0.5f;
      int d = k_min((int)s, span);
      next_x = x1 < start_x ? start_x - d : start_x + d;
    } else {
      next_y = y1;
    }
    add_piece(e, i, &edge, x, y, next_x, next_y, row_of(cells, row));
    x = next_x;
    y = next_y;
  }
}

static void accumulate(const sj_cells *cells, stijl_irect box, int x, int y, const sj_lines *lines, size_t first,
                       size_t count) {
  edges e;
  vi lanes = v_iota();
  for (size_t i = 0; i < count; i += LANES) {
    size_t at = first + i;
    vi ax = v_load(lines->x0 + at) - x * K_SUBPIXELS, ay = v_load(lines->y0 + at) - y * K_SUBPIXELS;
    vi bx = v_load(lines->x1 + at) - x * K_SUBPIXELS, by = v_load(lines->y1 + at) - y * K_SUBPIXELS;
    vi down = ay < by;
    vi x0 = v_select(down, ax, bx), y0 = v_select(down, ay, by), x1 = v_select(down, bx, ax), y1 = v_select(down, by, ay);
    // Only lines that touch the box's rows count; those past its right side change nothing.
    vi wanted = (y0 != y1) & (y1 > box.y0 * K_SUBPIXELS) & (y0 < box.y1 * K_SUBPIXELS) & (lanes < (int32_t)k_min(count - i, LANES));
    vi left = v_min(x0, x1), right = v_max(x0, x1);
    wanted &= left < box.x1 * K_SUBPIXELS;
    vi inside = (left >= box.x0 * K_SUBPIXELS) & (right < box.x1 * K_SUBPIXELS);
    v_store(e.x0, x0);
    v_store(e.y0, y0);
    v_store(e.x1, x1);
    v_store(e.y1, y1);
    vf dx = v_float(v_abs(x1 - x0)), dy = v_float(y1 - y0);
    vf xstep = dx * v_recip(dy), ystep = dy * v_recip(v_maxf(dx, v_set1f(1.0f)));
    memcpy(e.xstep, &xstep, sizeof xstep);
    memcpy(e.ystep, &ystep, sizeof ystep);
    v_store(e.winding, (down & 2) - 1);
    uint32_t direct = v_mask(wanted & inside), clipped = v_mask(wanted & ~inside);
    for (; direct; direct &= direct - 1) add_edge(cells, box, &e, __builtin_ctz(direct));
    for (; clipped; clipped &= clipped - 1) {
      int k = __builtin_ctz(clipped);
      add_clipped(cells, box, (k_edge){e.x0[k], e.y0[k], e.x1[k], e.y1[k], e.winding[k], e.xstep[k], e.ystep[k]});
    }
  }
}
