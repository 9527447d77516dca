// The table of the functions of filters that exist once for each instruction set, as a part of kernels.h. Pixels are
// premultiplied RGBA8. Rows may be written over what they were computed from.
#ifndef SJ_CPU_FILTER_KERNELS_H
#define SJ_CPU_FILTER_KERNELS_H

#include <stddef.h>

#include "kernel/filter.h"
#include "kernel/filter_blur.h"
#include "kernel/filter_light.h"
#include "kernel/filter_noise.h"

// What goes along an axis does so for 16 rows or columns at a time: pixel i of the axis is 16 pixels of memory, one of
// each row, a cache line.
#define SJ_STRIP 16

typedef struct sj_filter_axis {
  const uint32_t *in;  // strips; NULL where nothing is drawn
  int count;           // of them
  uint32_t *out;
  int first, out_count;  // the first result belongs to this place of the input, which may lie outside of it
  uint32_t edge;         // K_FILTER_EDGE_*
} sj_filter_axis;

typedef struct sj_filter_convolve {
  int columns, rows;  // of the kernel
  int target_x, target_y;
  const float *kernel;  // turned by 180 degrees, divided by the divisor
  float bias;           // 0..255
  bool preserve_alpha;
} sj_filter_convolve;

typedef struct sj_filter_kernels {
  void (*over)(const uint32_t *s, const uint32_t *d, uint32_t *out, size_t n);
  void (*composite)(uint32_t op, const uint32_t *s, const uint32_t *d, uint32_t *out, size_t n);
  void (*arithmetic)(k_filter_arithmetic k, const uint32_t *s, const uint32_t *d, uint32_t *out, size_t n);
  void (*blend)(uint32_t mode, const uint32_t *s, const uint32_t *d, uint32_t *out, size_t n);
  void (*matrix)(const k_filter_matrix *m, const uint32_t *in, uint32_t *out, size_t n);
  // The alphas, in a colour.
  void (*tint)(uint32_t color, const uint32_t *in, uint32_t *out, size_t n);
  // Blur, and the smallest or largest within a radius, along an axis.
  void (*blur)(const k_filter_blur *blur, const sj_filter_axis *axis);
  void (*extreme)(bool larger, int radius, const sj_filter_axis *axis, uint32_t *scratch);
  // 16 rows, each of n pixels, to strips and back. Rows that are NULL are transparent, or not wanted.
  void (*to_strips)(const uint32_t *const rows[SJ_STRIP], uint32_t *strips, size_t n);
  void (*from_strips)(const uint32_t *strips, uint32_t *const rows[SJ_STRIP], size_t n);
  // A row of n pixels; rows[i] begins target_x pixels to the left of it and has columns - 1 + n pixels. `sums` has room
  // for 4 n floats.
  void (*convolve)(const sj_filter_convolve *c, const uint32_t *const *rows, uint32_t *out, float *sums, size_t n);
  // A row of n lit pixels with the pixel (x, y) first. The rows have one pixel more on each side, before the pointers;
  // `first` and `last` are the edges (K_EDGE_*) of the first and of the last pixel.
  void (*light)(const k_filter_light *light, const uint32_t *above, const uint32_t *row, const uint32_t *below,
                uint32_t *out, size_t n, uint32_t first, uint32_t last, int x, int y);
  void (*noise)(const k_filter_noise *noise, uint32_t *out, size_t n, int x, int y);
} sj_filter_kernels;

#endif
