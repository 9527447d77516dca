// Samples images for LANES pixels at a time, as sj_image_sample does for one. Included once by each instruction set's
// file.
#include "cpu/pixel.h"

// table[index] for a table of `size`, faster where the indices lie close together.
VEC vi look_up(const uint32_t *table, int size, vi index) {
  if (V_WINDOW) {
    int base = k_min(v_least(index), size - V_WINDOW);
    if (base >= 0 && !v_mask(index >= base + V_WINDOW)) return v_window(table, base, index);
  }
  return v_gather(table, index);
}

// k_wrap of the columns or rows from `first` on, as many as sampling reads. They are within +-2^24, where a float holds
// them, and so the estimate of a quotient is off by one at most. `seen` is false where the image is transparent.
VEC void wrap_taps(vi first, int count, int size, uint32_t spread, vi at[4], vi seen[4]) {
  if (spread == K_SPREAD_PAD || spread == K_SPREAD_NONE) {
    for (int i = 0; i < count; i++) {
      vi tap = first + i;
      at[i] = v_max(v_set1(0), v_min(tap, v_set1(size - 1)));
      seen[i] = spread == K_SPREAD_PAD ? v_set1(-1) : at[i] == tap;
    }
    return;
  }
  int period = spread == K_SPREAD_REPEAT ? size : 2 * size;
  vi tap = first - period * v_floor(v_float(first) * (1.0f / (float)period));
  tap += (tap < 0) & period;
  tap -= (tap >= period) & period;
  for (int i = 0; i < count; i++) {
    at[i] = v_min(tap, 2 * size - 1 - tap);
    if (spread == K_SPREAD_REPEAT) at[i] = tap;
    seen[i] = v_set1(-1);
    tap += 1;
    tap &= tap != period;
  }
}

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

// The image around the samples of LANES pixels: columns, and where the rows begin.
typedef struct {
  const uint32_t *texels;
  vi columns[4], rows[4];
  vi across[4], down[4];  // which of them the image has
  bool outside;           // it lacks some
  bool level;             // the lanes are in one row
  int size;               // texels of the image
} taps;

VEC vi texel(const taps *t, int column, int row) {
  vi index = t->rows[row] + t->columns[column];
  vi pixels = t->level ? look_up(t->texels, t->size, index) : v_gather(t->texels, index);
  return t->outside ? pixels & t->across[column] & t->down[row] : pixels;
}

// sj_image_bicubic.
VEC vi bicubic(const taps *t, vi fx, vi fy) {
  vi wx[4], wy[4], sums[4] = {{0}};
  cubic_weights(fx, wx);
  cubic_weights(fy, wy);
  for (int j = 0; j < 4; j++) {
    vi row[4] = {{0}};
    for (int i = 0; i < 4; i++) {
      vi pixels = texel(t, i, j);
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
  int before = paint->sampling == K_SAMPLING_BICUBIC, after = nearest ? 0 : 1 + before;
  vi ix = (fx >> 8) - before, iy = (fy >> 8) - before;
  fx &= 255;
  fy &= 255;
  int width = image->width, height = image->height, reach = before + after, stride = (int)(image->stride / 4);
  taps t = {.texels = (const uint32_t *)(const void *)image->pixels, .level = m.b == 0.0f};
  t.size = stride * (height - 1) + width;
  t.outside = v_mask((ix < 0) | (iy < 0) | (ix >= width - reach) | (iy >= height - reach));
  if (t.outside) {
    wrap_taps(ix, reach + 1, width, paint->spread_x, t.columns, t.across);
    wrap_taps(iy, reach + 1, height, paint->spread_y, t.rows, t.down);
    vi across = t.across[0], down = t.down[0], zero = {0};
    for (int i = 1; i <= reach; i++) across |= t.across[i], down |= t.down[i];
    if (!v_mask(across & down)) return zero;
    for (int i = 0; i <= reach; i++) t.rows[i] *= stride;
  } else {
    for (int i = 0; i <= reach; i++) {
      t.columns[i] = ix + i;
      t.rows[i] = (iy + i) * stride;
    }
  }
  if (nearest) return texel(&t, 0, 0);
  if (before) return bicubic(&t, fx, fy);
  return bilinear(texel(&t, 0, 0), texel(&t, 1, 0), texel(&t, 0, 1), texel(&t, 1, 1), fx, fy);
}
