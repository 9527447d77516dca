// Adds one edge to the sums of one row: the definition of what lines add. Vector code uses it for the rows in which an
// edge crosses the left or right side of the box.
#ifndef SJ_CPU_CELLS_H
#define SJ_CPU_CELLS_H

#include "cpu/kernels.h"
#include "kernel/coverage.h"

static inline void sj_add_row(const sj_cells *cells, stijl_irect box, k_edge edge, int row) {
  k_piece piece = k_edge_piece(edge, row);
  int32_t *sums = cells->sums + (size_t)row * cells->stride;
  uint8_t *touched = cells->touched + (size_t)row * cells->touched_stride;
  int first = k_piece_first(piece), last = k_min(k_piece_last(piece), box.x1 - 1);
  if (first < box.x0) {
    sums[box.x0] += 512 * k_piece_cover_left(edge, piece, box.x0);
    touched[box.x0 / SJ_BLOCK] = 1;
    first = box.x0;
  }
  if (first > last) return;
  int y_left = k_piece_y_left(edge, piece, first);
  for (int column = first; column <= last; column++) {
    int y_right = k_piece_y_right(edge, piece, column);
    k_cell cell = k_piece_cell(edge, piece, column, y_left, y_right);
    y_left = y_right;
    sums[column] += 512 * cell.cover - cell.area;
    sums[column + 1] += cell.area;
    touched[column / SJ_BLOCK] = touched[(column + 1) / SJ_BLOCK] = 1;
  }
}

// Returns how much of the pixel at `at` lies between two coordinates, in 256ths.
static inline int sj_overlap(int from, int to, int at) {
  return k_max(k_min(to - at * K_SUBPIXELS, K_SUBPIXELS), 0) - k_max(k_min(from - at * K_SUBPIXELS, K_SUBPIXELS), 0);
}

// Returns the coverage of a pixel by an upright rectangle. It is what the rectangle's lines give, as their sum at the
// pixel is 2 * width * height.
static inline uint32_t sj_rectangle_coverage(stijl_irect r, int column, int row) {
  int width = sj_overlap(r.x0, r.x1, column), height = sj_overlap(r.y0, r.y1, row);
  return k_coverage_nonzero(2 * width * height);
}

// Adds one edge's step of one row.
static inline void sj_add_step(const sj_cells *cells, stijl_irect box, k_edge edge, int row) {
  int column = k_max(k_step_column(edge, row), box.x0);
  if (column >= box.x1) return;
  cells->sums[(size_t)row * cells->stride + (size_t)column] += K_STEP * edge.winding;
  cells->touched[(size_t)row * cells->touched_stride + (size_t)column / SJ_BLOCK] = 1;
}

#endif
