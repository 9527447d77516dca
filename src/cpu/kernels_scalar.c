// The reference: plain loops over the functions of src/kernel. They are slow and short, and define what all other
// instruction sets compute.
#include "cpu/cells.h"
#include "cpu/filter_scalar.h"
#include "cpu/kernels.h"
#include "cpu/pixel.h"
#include "cpu/segment.h"

static void emit_corner(const sj_emitter *sink, const k_pen *pen, k_vec p, k_corner c) { emit_chords(sink, pen, p, c); }

static void flatten_fills(const sj_encoded *scene, const k_draw *draws, uint32_t count, sj_lines *lines, size_t *ends) {
  for (uint32_t i = 0; i < count; i++) {
    flatten_segments(scene, &draws[i], lines);
    ends[i] = lines->count;
  }
}

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

static void fill(stijl_irect rectangle, stijl_irect box, const sj_painter *painter) {
  for (int row = box.y0; row < box.y1; row++)
    for (int column = box.x0; column < box.x1; column++)
      sj_paint_pixel(painter, column, row, sj_rectangle_coverage(rectangle, column, row));
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

static k_vec gradient(const k_filter_noise *noise, int channel, int index) {
  const float *x = noise->gradients + 2 * channel * K_NOISE_TABLE;
  return k_vec_make(x[index], x[K_NOISE_TABLE + index]);
}

// Returns from which cell on the lattice of an octave repeats.
static int wrap(const k_filter_noise *noise, int first, int octave) {
  return noise->params.stitched ? (int)((uint32_t)first << octave) : INT32_MAX;
}

static uint32_t noise_pixel(const k_filter_noise *noise, k_vec at) {
  float sums[4] = {0.0f}, frequency = 1.0f, amplitude = 1.0f;
  for (int o = 0; o < noise->params.octaves; o++) {
    k_noise_axis x =
        k_noise_at(at.x * frequency, wrap(noise, noise->params.wrap_x, o), (int)((uint32_t)noise->params.width << o));
    k_noise_axis y =
        k_noise_at(at.y * frequency, wrap(noise, noise->params.wrap_y, o), (int)((uint32_t)noise->params.height << o));
    int i0 = noise->lattice[x.cell0], i1 = noise->lattice[x.cell1];
    int b00 = noise->lattice[i0 + y.cell0], b10 = noise->lattice[i1 + y.cell0];
    int b01 = noise->lattice[i0 + y.cell1], b11 = noise->lattice[i1 + y.cell1];
    for (int c = 0; c < 4; c++) {
      kfloat v = k_noise_mix(x, y, gradient(noise, c, b00), gradient(noise, c, b10), gradient(noise, c, b01),
                             gradient(noise, c, b11));
      v = (noise->params.fractal ? v : k_abs(v)) * amplitude;
      sums[c] = sums[c] + v;
    }
    frequency *= 2.0f;
    amplitude *= 0.5f;
  }
  for (int c = 0; c < 4; c++) {
    kfloat v = sums[c];
    if (noise->params.fractal) v = (v + 1.0f) * 0.5f;
    sums[c] = k_min(k_max(v, 0.0f), 1.0f);
  }
  return k_filter_premultiply(sums[0], sums[1], sums[2], sums[3]);
}

static void noise_row(const k_filter_noise *noise, uint32_t *out, size_t n, int x, int y) {
  for (size_t i = 0; i < n; i++) {
    k_vec at = k_transform(noise->params.to_noise, k_vec_make((float)(x + (int)i), (float)y));
    out[i] = noise_pixel(noise, k_vec_make(k_noise_limit(at.x), k_noise_limit(at.y)));
  }
}

static void blur(const k_filter_blur *blur, const sj_filter_axis *axis) {
  if (blur->window) {
    blur_boxes_wide(blur, axis);
  } else {
    blur_weights(blur, axis);
  }
}

const sj_kernels sj_kernels_scalar = {
    STIJL_ISA_SCALAR,
    sizeof(uint32_t),
    flatten_segments,
    flatten_fills,
    sj_line_box,
    cover,
    sweep,
    clear,
    NULL,
    fill,
    NULL,
    sj_ramp_entries,
    {over_row, composite_row, arithmetic_row, blend_row, matrix_row, tint_row, blur, filter_extreme, filter_to_strips,
     filter_from_strips, filter_convolve, filter_light, noise_row}};
