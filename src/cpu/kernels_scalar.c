// The reference: plain loops over the functions of src/kernel. They are slow and short, and define what all other
// instruction sets compute.
#include "cpu/cells.h"
#include "cpu/filter_scalar.h"
#include "cpu/kernels.h"
#include "cpu/pixel.h"
#include "cpu/segment.h"

static void cover(const sj_cells *cells, stijl_irect box, int x, int y, const sj_lines *lines, size_t first,
                  size_t count) {
  for (size_t i = first; i < first + count; i++) {
    if (lines->y0[i] == lines->y1[i]) continue;
    k_edge edge = k_edge_make(lines->x0[i] - x * K_SUBPIXELS, lines->y0[i] - y * K_SUBPIXELS,
                              lines->x1[i] - x * K_SUBPIXELS, lines->y1[i] - y * K_SUBPIXELS);
    int row = edge.y0 >> 8, last = (edge.y1 - 1) >> 8;
    if (row < box.y0) row = box.y0;
    if (last >= box.y1) last = box.y1 - 1;
    for (; row <= last; row++) sj_add_row(cells, box, edge, row);
  }
}

static void sweep(const sj_cells *cells, stijl_irect box, bool evenodd, const sj_painter *painter) {
  k_winding rule = k_winding_rule(evenodd);
  for (int row = box.y0; row < box.y1; row++) {
    int32_t *sums = cells->sums + (size_t)row * cells->stride;
    int sum = 0;
    for (int column = box.x0; column < box.x1; column++) {
      sum += sums[column];
      sj_paint_pixel(painter, column, row, k_coverage(rule, sum));
    }
    memset(sums + box.x0, 0, (size_t)(box.x1 - box.x0 + 1) * sizeof *sums);
    memset(cells->touched + (size_t)row * cells->touched_stride + box.x0 / SJ_BLOCK, 0,
           (size_t)(box.x1 / SJ_BLOCK - box.x0 / SJ_BLOCK + 1));
  }
}

static void clear(uint32_t *pixels, size_t stride, stijl_irect box, uint32_t color) {
  for (int row = box.y0; row < box.y1; row++)
    for (int column = box.x0; column < box.x1; column++) pixels[(size_t)row * stride + (size_t)column] = color;
}

static void fill(stijl_irect box, const sj_painter *painter) {
  for (int row = box.y0; row < box.y1; row++)
    for (int column = box.x0; column < box.x1; column++) sj_paint_pixel(painter, column, row, 255);
}

static void over_row(const uint32_t *s, const uint32_t *d, uint32_t *out, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = k_over(d[i], s[i], 255);
}

static void composite_row(uint32_t op, const uint32_t *s, const uint32_t *d, uint32_t *out, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = k_filter_composite(op, s[i], d[i]);
}

static void arithmetic_row(k_filter_arithmetic k, const uint32_t *s, const uint32_t *d, uint32_t *out, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = k_filter_arithmetic_pixel(k, s[i], d[i]);
}

static void blend_row(uint32_t mode, const uint32_t *s, const uint32_t *d, uint32_t *out, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = k_blend(mode, d[i], s[i]);
}

static void matrix_row(const k_filter_matrix *matrix, const uint32_t *in, uint32_t *out, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = k_filter_matrix_pixel(*matrix, in[i]);
}

static void tint_row(uint32_t color, const uint32_t *in, uint32_t *out, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = k_scale(color, k_alpha(in[i]));
}

static void blur(const k_filter_blur *blur, const sj_filter_axis *axis) {
  if (blur->window) {
    blur_boxes_wide(blur, axis);
  } else {
    blur_weights(blur, axis);
  }
}

const sj_kernels sj_kernels_scalar = {
    STIJL_ISA_SCALAR, flatten_segments, sj_line_box, cover, sweep, clear, fill,
    {over_row, composite_row, arithmetic_row, blend_row, matrix_row, tint_row, blur, filter_extreme,
     filter_to_strips, filter_from_strips, filter_convolve, filter_light, filter_noise}};
