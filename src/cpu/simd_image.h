// Samples images for LANES pixels at a time, as sj_image_sample does for one. Included once by each instruction set's
// file.
#include "cpu/pixel.h"

// Column or row numbers of the taps around a sample, kept within the image.
VEC vi tap(vi at, int offset, int size) { return v_max(v_set1(0), v_min(at + offset, v_set1(size - 1))); }

VEC vi channel_of(vi pixels, int c) { return (vi)((vu)pixels >> (8 * c)) & 255; }

// k_bilinear.
VEC vi bilinear(vi p00, vi p10, vi p01, vi p11, vi fx, vi fy) {
  // In the first step sums fit 16 bits, so two channels are mixed at a time.
  vi even = v_set1(0x00ff00ff), gx = 256 - fx, gy = 256 - fy, result = {0};
  for (int odd = 0; odd < 2; odd++) {
    vi a = (vi)((vu)p00 >> (8 * odd)) & even, b = (vi)((vu)p10 >> (8 * odd)) & even;
    vi c = (vi)((vu)p01 >> (8 * odd)) & even, d = (vi)((vu)p11 >> (8 * odd)) & even;
    vu top = (vu)(a * gx + b * fx), bottom = (vu)(c * gx + d * fx);
    vu low = (top & 0xffff) * (vu)gy + (bottom & 0xffff) * (vu)fy + 32768;
    vu high = (top >> 16) * (vu)gy + (bottom >> 16) * (vu)fy + 32768;
    result |= (vi)((low >> 16) | (high & 0xff0000)) << (8 * odd);
  }
  return result;
}

// k_cubic_weight of all four taps.
VEC void cubic_weights(vi f, vi w[4]) {
  vi f2 = f * f, f3 = f2 * f;
  w[0] = (-f3 + 512 * f2 - 65536 * f) >> 11;
  w[2] = (-3 * f3 + 1024 * f2 + 65536 * f) >> 11;
  w[3] = (f3 - 256 * f2) >> 11;
  w[1] = 16384 - w[0] - w[2] - w[3];
}

// sj_image_bicubic.
VEC vi bicubic(const uint32_t *texels, const vi columns[4], const vi rows[4], vi fx, vi fy) {
  vi wx[4], wy[4], sums[4] = {{0}};
  cubic_weights(fx, wx);
  cubic_weights(fy, wy);
  for (int j = 0; j < 4; j++) {
    vi row[4] = {{0}};
    for (int i = 0; i < 4; i++) {
      vi pixels = v_gather(texels, rows[j] + columns[i]);
      for (int c = 0; c < 4; c++) row[c] += wx[i] * channel_of(pixels, c);
    }
    for (int c = 0; c < 4; c++) sums[c] += wy[j] * ((row[c] + 64) >> 7);
  }
  vi channels[4];
  for (int c = 0; c < 4; c++) channels[c] = v_max(v_set1(0), v_min(v_set1(255), (sums[c] + (1 << 20)) >> 21));
  vi result = channels[3] << 24;
  for (int c = 0; c < 3; c++) result |= v_min(channels[c], channels[3]) << (8 * c);
  return result;
}

// sj_image_sample, bilinear, of an image that is transparent all around.
VEC vi bilinear_alone(const stijl_image *image, vi ix, vi iy, vi fx, vi fy) {
  const uint32_t *texels = (const uint32_t *)(const void *)image->pixels;
  int stride = (int)(image->stride / sizeof *texels);
  vi left = (ix >= 0) & (ix < image->width), right = (ix >= -1) & (ix < image->width - 1);
  vi top = (iy >= 0) & (iy < image->height), bottom = (iy >= -1) & (iy < image->height - 1);
  vi seen = (left | right) & (top | bottom), zero = {0};
  if (!v_mask(seen)) return zero;
  vi x0 = tap(ix, 0, image->width), x1 = tap(ix, 1, image->width);
  vi y0 = tap(iy, 0, image->height) * stride, y1 = tap(iy, 1, image->height) * stride;
  return bilinear(v_gather(texels, y0 + x0) & left & top, v_gather(texels, y0 + x1) & right & top,
                  v_gather(texels, y1 + x0) & left & bottom, v_gather(texels, y1 + x1) & right & bottom, fx, fy);
}

// Not inlined, since many loops call it, and the memory it reads takes the time.
static __attribute__((noinline)) vi image_pixels(const sj_painter *p, int column, int row) {
  const k_paint *paint = p->paint;
  const stijl_image *image = p->image;
  k_matrix m = paint->m;
  // Pixel upon pixel, as surfaces of filters are painted: nothing has to be looked up.
  if (paint->sampling == K_SAMPLING_NEAREST && m.a == 1.0f && m.b == 0.0f && m.c == 0.0f && m.d == 1.0f &&
      k_abs(m.e) < 1e6f && k_abs(m.f) < 1e6f && (float)(int)m.e == m.e && (float)(int)m.f == m.f) {
    int from = p->x + column + (int)m.e, at = p->y + row + (int)m.f;
    if (from >= 0 && from + LANES <= image->width && at >= 0 && at < image->height)
      return v_load(image->pixels + (size_t)at * image->stride + 4 * (size_t)from);
  }
  vf x = v_float(v_iota() + (p->x + column)) + 0.5f;
  float y = (float)(p->y + row) + 0.5f;
  kfloat row_u = paint->m.c * y + paint->m.e, row_v = paint->m.d * y + paint->m.f;
  vf far = v_set1f(4194304.0f);
  vf u = v_maxf(-far, v_minf(far, paint->m.a * x + row_u)), v = v_maxf(-far, v_minf(far, paint->m.b * x + row_v));
  bool nearest = paint->sampling == K_SAMPLING_NEAREST;
  vi fx = nearest ? v_floor(u) << 8 : v_fixed(u) - (128 + 256 * (int)paint->fx);
  vi fy = nearest ? v_floor(v) << 8 : v_fixed(v) - (128 + 256 * (int)paint->fy);
  vi ix = fx >> 8, iy = fy >> 8;
  fx &= 255;
  fy &= 255;
  int before = paint->sampling == K_SAMPLING_BICUBIC, after = nearest ? 0 : 1 + before;
  vi outside = (ix < before) | (iy < before) | (ix >= image->width - after) | (iy >= image->height - after);
  bool alone = paint->spread_x == K_SPREAD_NONE && paint->spread_y == K_SPREAD_NONE;
  if (v_mask(outside) && alone && paint->sampling == K_SAMPLING_BILINEAR) return bilinear_alone(image, ix, iy, fx, fy);
  if (v_mask(outside) && (paint->spread_x != K_SPREAD_PAD || paint->spread_y != K_SPREAD_PAD)) {
    vi result;
    for (int i = 0; i < LANES; i++) result[i] = (int32_t)sj_source_pixel(p, column + i, row);
    return result;
  }
  const uint32_t *texels = (const uint32_t *)(const void *)image->pixels;
  int stride = (int)(image->stride / sizeof *texels);
  vi columns[4], rows[4];
  for (int i = 0; i < 4; i++) {
    columns[i] = tap(ix, i - before, image->width);
    rows[i] = tap(iy, i - before, image->height) * stride;
  }
  if (nearest) return v_gather(texels, rows[0] + columns[0]);
  if (before) return bicubic(texels, columns, rows, fx, fy);
  return bilinear(v_gather(texels, rows[0] + columns[0]), v_gather(texels, rows[0] + columns[1]),
                  v_gather(texels, rows[1] + columns[0]), v_gather(texels, rows[1] + columns[1]), fx, fy);
}
