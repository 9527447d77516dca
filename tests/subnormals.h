// Scalar kernels to which subnormal floats are zero, as they are to some GPUs. Pictures must not depend on it.
#ifndef SJ_SUBNORMALS_H
#define SJ_SUBNORMALS_H

#include "cpu/kernels.h"

#ifdef __SSE2__
#include <emmintrin.h>

// Zero as operands and as results.
#define WITHOUT_SUBNORMALS(call)             \
  const unsigned int control = _mm_getcsr(); \
  _mm_setcsr(control | 0x8040);              \
  call;                                      \
  _mm_setcsr(control)

#define FUNCTION_WITHOUT_SUBNORMALS(name, kernel, parameters, arguments) \
  static void name parameters { WITHOUT_SUBNORMALS(sj_kernels_for(STIJL_ISA_SCALAR)->kernel arguments); }

static bool flatten_without_subnormals(const sj_encoded *scene, const k_draw *d, sj_lines *lines) {
  bool past_right;
  WITHOUT_SUBNORMALS(past_right = sj_kernels_for(STIJL_ISA_SCALAR)->flatten(scene, d, lines));
  return past_right;
}

FUNCTION_WITHOUT_SUBNORMALS(fills_without_subnormals, flatten_fills,
                            (const sj_encoded *scene, const k_draw *draws, uint32_t count, sj_lines *lines,
                             size_t *ends),
                            (scene, draws, count, lines, ends))
FUNCTION_WITHOUT_SUBNORMALS(cover_without_subnormals, cover,
                            (const sj_cells *cells, stijl_irect box, int x, int y, const sj_lines *lines, size_t first,
                             size_t count),
                            (cells, box, x, y, lines, first, count))
FUNCTION_WITHOUT_SUBNORMALS(sweep_without_subnormals, sweep,
                            (const sj_cells *cells, stijl_irect box, bool evenodd, const sj_painter *painter),
                            (cells, box, evenodd, painter))
FUNCTION_WITHOUT_SUBNORMALS(fill_without_subnormals, fill,
                            (stijl_irect rectangle, stijl_irect box, const sj_painter *painter),
                            (rectangle, box, painter))
FUNCTION_WITHOUT_SUBNORMALS(ramp_without_subnormals, ramp, (const k_ramp_piece *pieces, size_t count, uint32_t *out),
                            (pieces, count, out))
FUNCTION_WITHOUT_SUBNORMALS(arithmetic_without_subnormals, filter.arithmetic,
                            (k_filter_arithmetic k, const uint32_t *s, const uint32_t *d, uint32_t *out, size_t n),
                            (k, s, d, out, n))
FUNCTION_WITHOUT_SUBNORMALS(blend_without_subnormals, filter.blend,
                            (uint32_t mode, const uint32_t *s, const uint32_t *d, uint32_t *out, size_t n),
                            (mode, s, d, out, n))
FUNCTION_WITHOUT_SUBNORMALS(matrix_without_subnormals, filter.matrix,
                            (const k_filter_matrix *m, const uint32_t *in, uint32_t *out, size_t n), (m, in, out, n))
FUNCTION_WITHOUT_SUBNORMALS(blur_without_subnormals, filter.blur,
                            (const k_filter_blur *blur, const sj_filter_axis *axis), (blur, axis))
FUNCTION_WITHOUT_SUBNORMALS(convolve_without_subnormals, filter.convolve,
                            (const sj_filter_convolve *c, const uint32_t *const *rows, uint32_t *out, float *sums,
                             size_t n),
                            (c, rows, out, sums, n))
FUNCTION_WITHOUT_SUBNORMALS(light_without_subnormals, filter.light,
                            (const k_filter_light *light, const uint32_t *above, const uint32_t *row,
                             const uint32_t *below, uint32_t *out, size_t n, uint32_t first, uint32_t last, int x,
                             int y),
                            (light, above, row, below, out, n, first, last, x, y))
FUNCTION_WITHOUT_SUBNORMALS(noise_without_subnormals, filter.noise,
                            (const k_filter_noise *noise, uint32_t *out, size_t n, int x, int y), (noise, out, n, x, y))

// Returns kernels without subnormals, or NULL where the processor cannot be told to.
static inline const sj_kernels *kernels_without_subnormals(void) {
  static sj_kernels kernels;
  kernels = *sj_kernels_for(STIJL_ISA_SCALAR);
  kernels.flatten = flatten_without_subnormals;
  kernels.flatten_fills = fills_without_subnormals;
  kernels.cover = cover_without_subnormals;
  kernels.sweep = sweep_without_subnormals;
  kernels.fill = fill_without_subnormals;
  kernels.ramp = ramp_without_subnormals;
  kernels.filter.arithmetic = arithmetic_without_subnormals;
  kernels.filter.blend = blend_without_subnormals;
  kernels.filter.matrix = matrix_without_subnormals;
  kernels.filter.blur = blur_without_subnormals;
  kernels.filter.convolve = convolve_without_subnormals;
  kernels.filter.light = light_without_subnormals;
  kernels.filter.noise = noise_without_subnormals;
  return &kernels;
}
#else
static inline const sj_kernels *kernels_without_subnormals(void) { return NULL; }
#endif

#endif
