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
  bool level;             // the lanes are in one row
  int size;               // texels of the image
} taps;

VEC vi texel(const taps *t, int column, int row) {
  vi index = t->rows[row] + t->columns[column];
  vi pixels = t->level ? look_up(t->texels, t->size, index) : v_gather(t->texels, index);
  return pixels & t->across[column] & t->down[row];
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

// Finds the taps of samples in the columns and rows from x and y on; false where the image has none of them.
VEC bool find_taps(const stijl_image *image, const k_paint *paint, vi x, vi y, int count, taps *t) {
  int stride = (int)(image->stride / sizeof *t->texels);
  t->texels = (const uint32_t *)(const void *)image->pixels;
  t->size = stride * (image->height - 1) + image->width;
  t->level = paint->m.b == 0.0f;
  if (!v_mask((x < 0) | (y < 0) | (x > image->width - count) | (y > image->height - count))) {
    for (int i = 0; i < count; i++) {
      t->across[i] = t->down[i] = v_set1(-1);
      t->columns[i] = x + i;
      t->rows[i] = (y + i) * stride;
    }
    return true;
  }
  wrap_taps(x, count, image->width, paint->spread_x, t->columns, t->across);
  wrap_taps(y, count, image->height, paint->spread_y, t->rows, t->down);
  vi across = t->across[0], down = t->down[0];
  for (int i = 1; i < count; i++) across |= t->across[i], down |= t->down[i];
  for (int i = 0; i < count; i++) t->rows[i] *= stride;
  return v_mask(across & down);
}

// sj_image_sample, by one kind of sampling.
VEC vi sample(const sj_painter *p, int column, int row, uint32_t sampling) {
  const k_paint *paint = p->paint;
  vf x = v_float(v_iota() + (p->x + column)) + 0.5f;
  float y = (float)(p->y + row) + 0.5f;
  kfloat row_u = paint->m.c * y + paint->m.e, row_v = paint->m.d * y + paint->m.f;
  vf far = v_set1f(4194304.0f);
  vf u = v_maxf(-far, v_minf(far, paint->m.a * x + row_u)), v = v_maxf(-far, v_minf(far, paint->m.b * x + row_v));
  taps t;
  vi zero = {0};
  if (sampling == K_SAMPLING_NEAREST)
    return find_taps(p->image, paint, v_floor(u), v_floor(v), 1, &t) ? texel(&t, 0, 0) : zero;
  vi fx = v_fixed(u) - (128 + 256 * (int)paint->fx), fy = v_fixed(v) - (128 + 256 * (int)paint->fy);
  vi ix = fx >> 8, iy = fy >> 8;
  fx &= 255;
  fy &= 255;
  if (sampling == K_SAMPLING_BICUBIC)
    return find_taps(p->image, paint, ix - 1, iy - 1, 4, &t) ? bicubic(&t, fx, fy) : zero;
  if (!find_taps(p->image, paint, ix, iy, 2, &t)) return zero;
  return bilinear(texel(&t, 0, 0), texel(&t, 1, 0), texel(&t, 0, 1), texel(&t, 1, 1), fx, fy);
}

// Not inlined, since many loops call them, and the memory they read takes the time.
static __attribute__((noinline)) vi sample_nearest(const sj_painter *p, int column, int row) {
  return sample(p, column, row, K_SAMPLING_NEAREST);
}

static __attribute__((noinline)) vi sample_bilinear(const sj_painter *p, int column, int row) {
  return sample(p, column, row, K_SAMPLING_BILINEAR);
}

static __attribute__((noinline)) vi sample_bicubic(const sj_painter *p, int column, int row) {
  return sample(p, column, row, K_SAMPLING_BICUBIC);
}

// Whether a number is so small and whole that sums of it and columns are exact.
static bool is_whole(float x) { return k_abs(x) < 1e6f && (float)(int)x == x; }

// Whether the image lies pixel upon pixel, moved by *x and *y, as surfaces of filters do: then nothing has to be looked
// up, and bilinear sampling, whose fractions are zero, gives the pixels themselves.
static bool is_upon_pixels(const k_paint *paint, int *x, int *y) {
  k_matrix m = paint->m;
  if (paint->sampling == K_SAMPLING_BICUBIC || m.a != 1.0f || m.b != 0.0f || m.c != 0.0f || m.d != 1.0f ||
      !is_whole(m.e) || !is_whole(m.f))
    return false;
  bool nearest = paint->sampling == K_SAMPLING_NEAREST;
  *x = (int)m.e - (nearest ? 0 : (int)paint->fx);
  *y = (int)m.f - (nearest ? 0 : (int)paint->fy);
  return true;
}

// LANES pixels from a column on.
VEC vi image_pixels(const sj_painter *p, int column, int row) {
  switch (p->paint->sampling) {
    case K_SAMPLING_NEAREST: return sample_nearest(p, column, row);
    case K_SAMPLING_BILINEAR: return sample_bilinear(p, column, row);
    default: return sample_bicubic(p, column, row);
  }
}
