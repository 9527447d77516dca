// Paints one pixel at a time: the definition of what a painter paints. Vector code uses it for rare cases.
#ifndef SJ_CPU_PIXEL_H
#define SJ_CPU_PIXEL_H

#include "cpu/kernels.h"
#include "image/image.h"
#include "kernel/composite.h"
#include "kernel/paint.h"

static inline uint32_t sj_image_pixel(const stijl_image *image, int x, int y, const k_paint *paint) {
  x = k_wrap(x, image->width, paint->spread_x);
  y = k_wrap(y, image->height, paint->spread_y);
  if (x < 0 || y < 0) return 0;
  const unsigned char *row = image->pixels + (size_t)y * image->stride;
  if (image->palette) return image->palette[row[x]];
  if (image->format == STIJL_FORMAT_A8) return (uint32_t)row[x] << 24;
  uint32_t pixel;
  memcpy(&pixel, row + (size_t)x * 4, sizeof pixel);
  return pixel;
}

static inline uint32_t sj_image_bicubic(const stijl_image *image, int x, int y, int fx, int fy, const k_paint *paint) {
  uint32_t taps[4][4];
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < 4; i++) taps[j][i] = sj_image_pixel(image, x - 1 + i, y - 1 + j, paint);
  int channel[4];
  for (uint32_t c = 0; c < 4; c++) {
    int rows[4];
    for (int j = 0; j < 4; j++) rows[j] = k_cubic_row(taps[j][0], taps[j][1], taps[j][2], taps[j][3], 8 * c, fx);
    channel[c] = k_cubic_column(rows[0], rows[1], rows[2], rows[3], fy);
  }
  uint32_t r = (uint32_t)channel[3] << 24;  // overshoot must not leave a colour above its alpha
  for (int c = 0; c < 3; c++) r |= (uint32_t)k_min(channel[c], channel[3]) << (8 * c);
  return r;
}

// Returns the image's colour at paint coordinates (u, v).
static inline uint32_t sj_image_sample(const stijl_image *image, const k_paint *paint, float u, float v) {
  if (paint->sampling == K_SAMPLING_NEAREST)
    return sj_image_pixel(image, k_floor(k_image_clamp(u)), k_floor(k_image_clamp(v)), paint);
  int fx = k_image_fixed(u, paint->fx), fy = k_image_fixed(v, paint->fy);
  int x = fx >> 8, y = fy >> 8;
  fx &= 255;
  fy &= 255;
  if (paint->sampling == K_SAMPLING_BICUBIC) return sj_image_bicubic(image, x, y, fx, fy, paint);
  return k_bilinear(sj_image_pixel(image, x, y, paint), sj_image_pixel(image, x + 1, y, paint),
                    sj_image_pixel(image, x, y + 1, paint), sj_image_pixel(image, x + 1, y + 1, paint), (uint32_t)fx,
                    (uint32_t)fy);
}

// Returns the source colour at a column and row of the band.
static inline uint32_t sj_source_pixel(const sj_painter *p, int column, int row) {
  if (p->layer) return p->layer[(size_t)row * p->layer_stride + (size_t)column];
  if (!p->paint) return p->color;
  float x = (float)(p->x + column) + 0.5f, y = (float)(p->y + row) + 0.5f;
  if (p->paint->kind == K_PAINT_IMAGE)
    return sj_image_sample(p->image, p->paint, k_paint_u(p->paint->m, x, y), k_paint_v(p->paint->m, x, y));
  k_parameter r = k_gradient(*p->paint, x, y);
  return r.drawn ? p->ramp[k_ramp_index(r.t, p->paint->spread_x)] : 0;
}

static inline uint32_t sj_composite_pixel(const sj_painter *p, uint32_t below, uint32_t source, uint32_t alpha) {
  uint32_t m = k_div255(alpha * p->opacity);
  return p->blend == K_BLEND_NORMAL ? k_over(below, source, m) : k_blend(p->blend, below, k_scale(source, m));
}

static inline void sj_paint_pixel(const sj_painter *p, int column, int row, uint32_t alpha) {
  if (alpha == 0) return;
  uint32_t *pixel = p->pixels + (size_t)row * p->stride + (size_t)column;
  *pixel = sj_composite_pixel(p, *pixel, sj_source_pixel(p, column, row), alpha);
}

#endif
