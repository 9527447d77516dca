// Filters in vectors, where compilers do not make good ones of filter_loops.h.
#include "cpu/filter_scalar.h"
#include "cpu/simd_blend.h"
#include "cpu/simd_noise.h"

// --- Points ----------------------------------------------------------------------------------------------------------

PIXEL_ROW(filter_in, composite(K_FILTER_IN, a, b))
PIXEL_ROW(filter_out, composite(K_FILTER_OUT, a, b))
PIXEL_ROW(filter_atop, composite(K_FILTER_ATOP, a, b))
PIXEL_ROW(filter_xor, composite(K_FILTER_XOR, a, b))

static void filter_composite(uint32_t op, const uint32_t *s, const uint32_t *d, uint32_t *out, size_t n) {
  static pixel_row *const rows[] = {blend_normal, filter_in, filter_out, filter_atop, filter_xor, blend_plus_lighter};
  rows[op](s, d, out, n);
}

static void filter_blend(uint32_t mode, const uint32_t *s, const uint32_t *d, uint32_t *out, size_t n) {
  blend_rows[mode](s, d, out, n);
}

// k_filter_arithmetic_pixel.
VEC vi arithmetic(k_filter_arithmetic k, vi s, vi d) {
  vi channels[4];
  for (int c = 0; c < 4; c++) {
    vf a = channel_float(s, c), b = channel_float(d, c);
    vf r = k.k1 * a * b + k.k2 * a;
    r = r + k.k3 * b;
    channels[c] = byte_of(r + k.k4);
  }
  vi result = channels[3] << 24;
  for (int c = 0; c < 3; c++) result |= v_min(channels[c], channels[3]) << (8 * c);
  return result;
}

static void filter_arithmetic(k_filter_arithmetic k, const uint32_t *s, const uint32_t *d, uint32_t *out, size_t n) {
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) v_store(out + i, arithmetic(k, v_load(s + i), v_load(d + i)));
  for (; i < n; i++) out[i] = k_filter_arithmetic_pixel(k, s[i], d[i]);
}

// k_filter_matrix_row.
VEC vf matrix_channel(k_filter_row m, vf r, vf g, vf b, vf a) {
  vf v = m.r * r + m.g * g;
  v = v + m.b * b;
  v = v + m.a * a;
  v = v + m.one;
  return v_minf(v_maxf(v, (vf){0}), v_set1f(1.0f));
}

// k_filter_matrix_pixel.
VEC vi matrix_pixels(const k_filter_matrix *m, vi p) {
  vf alpha = channel_float(p, 3);
  vf by = v_recip(v_maxf(alpha, v_set1f(1.0f))), a = alpha * (1.0f / 255.0f);
  vf r = channel_float(p, 0) * by, g = channel_float(p, 1) * by, b = channel_float(p, 2) * by;
  vf share = matrix_channel(m->a, r, g, b, a);
  vi result = byte_of(share) << 24;
  result |= byte_of(matrix_channel(m->r, r, g, b, a) * share);
  result |= byte_of(matrix_channel(m->g, r, g, b, a) * share) << 8;
  return result | byte_of(matrix_channel(m->b, r, g, b, a) * share) << 16;
}

static void filter_matrix(const k_filter_matrix *matrix, const uint32_t *in, uint32_t *out, size_t n) {
  k_filter_matrix m = *matrix;
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) v_store(out + i, matrix_pixels(&m, v_load(in + i)));
  for (; i < n; i++) out[i] = k_filter_matrix_pixel(m, in[i]);
}

static void filter_tint(uint32_t color, const uint32_t *in, uint32_t *out, size_t n) {
  vw channels = v_set1_channels(color);
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    vw2 m = v_spread(alpha_of(v_load(in + i)));
    v_store(out + i, v_pack((vw2){v_div255(channels * m.lo), v_div255(channels * m.hi)}));
  }
  for (; i < n; i++) out[i] = k_scale(color, k_alpha(in[i]));
}

// --- Blur. A lane is a channel of a pixel. ---------------------------------------------------------------------------

#define LANE_PIXELS (LANES / 4)

typedef uint8_t vb __attribute__((vector_size(LANES)));

VEC vi v_channels(const uint32_t *pixels) {
  vb bytes;
  memcpy(&bytes, pixels, sizeof bytes);
  return __builtin_convertvector(bytes, vi);
}

VEC void v_store_channels(uint32_t *pixels, vi v) {
  vb bytes = __builtin_convertvector(v, vb);
  memcpy(pixels, &bytes, sizeof bytes);
}

static void filter_weights(const k_filter_blur *blur, const sj_filter_axis *axis) {
  for (int i = 0; i < axis->out_count; i++) {
    const uint32_t *in[2 * K_FILTER_WEIGHTS - 1];
    for (int k = -blur->reach; k <= blur->reach; k++) in[k + blur->reach] = filter_strip(axis, axis->first + i + k);
    const uint32_t *const *middle = in + blur->reach;
    uint32_t *out = axis->out + (size_t)i * SJ_STRIP;
    for (int p = 0; p < SJ_STRIP; p += LANE_PIXELS) {
      vi sum = v_channels(middle[0] + p) * blur->weights[0] + (1 << (K_FILTER_WEIGHT_SHIFT - 1));
      for (int k = 1; k <= blur->reach; k++)
        sum += (v_channels(middle[-k] + p) + v_channels(middle[k] + p)) * blur->weights[k];
      v_store_channels(out + p, sum >> K_FILTER_WEIGHT_SHIFT);
    }
  }
}

// Two vectors of a strip at a time, so that their sums stay in registers.
#define BOX_PIXELS (2 * LANE_PIXELS)

VEC void filter_boxes(const k_filter_blur *blur, const sj_filter_axis *axis, bool odd, int p) {
  int w = blur->window, start = box_start(blur, axis), end = axis->first + axis->out_count + blur->reach;
  vi s1[2] = {{0}}, s2[2] = {{0}}, s3[2] = {{0}};
  for (int i = start; i < end; i++) {
#define TAP(at) ((i - (at) < start ? filter_nothing : filter_strip(axis, i - (at))) + p)
    const uint32_t *a = TAP(0), *b = TAP(w), *c = TAP(2 * w), *d = odd ? TAP(3 * w) : TAP(w + 1);
    const uint32_t *e = odd ? a : TAP(2 * w + 1), *f = odd ? a : TAP(3 * w + 1);
#undef TAP
    int to = i - blur->reach - axis->first;
    for (int k = 0; k < 2; k++) {
      int at = k * LANE_PIXELS;
      vi x;
      if (odd) {
        vi middle = v_channels(c + at) - v_channels(b + at);
        x = v_channels(a + at) - v_channels(d + at) + middle + (middle + middle);
      } else {
        vi middle = v_channels(e + at) - v_channels(b + at);
        x = v_channels(a + at) + v_channels(c + at) - v_channels(d + at) - v_channels(f + at) + (middle + middle);
      }
      s1[k] += x;
      s2[k] += s1[k];
      s3[k] += s2[k];
      if (to >= 0)
        v_store_channels(axis->out + (size_t)to * SJ_STRIP + p + at, v_trunc(v_float(s3[k]) * blur->scale + 0.5f));
    }
  }
}

static __attribute__((noinline)) void filter_boxes_odd(const k_filter_blur *blur, const sj_filter_axis *axis, int p) {
  filter_boxes(blur, axis, true, p);
}
static __attribute__((noinline)) void filter_boxes_even(const k_filter_blur *blur, const sj_filter_axis *axis, int p) {
  filter_boxes(blur, axis, false, p);
}

static void filter_blur(const k_filter_blur *blur, const sj_filter_axis *axis) {
  if (!blur->window) {
    filter_weights(blur, axis);
  } else if (blur->window > K_FILTER_WINDOW_32) {
    blur_boxes_wide(blur, axis);
  } else {
    int start = box_start(blur, axis);
    for (int i = 0; i < axis->out_count && axis->first + i + blur->reach < start; i++)
      memset(axis->out + (size_t)i * SJ_STRIP, 0, sizeof filter_nothing);
    for (int p = 0; p < SJ_STRIP; p += BOX_PIXELS) {
      if (blur->window & 1) {
        filter_boxes_odd(blur, axis, p);
      } else {
        filter_boxes_even(blur, axis, p);
      }
    }
  }
}

#define FILTER_KERNELS                                                                                        \
  {                                                                                                           \
    blend_normal, filter_composite, filter_arithmetic, filter_blend, filter_matrix, filter_tint, filter_blur, \
        filter_extreme, filter_to_strips, filter_from_strips, filter_convolve, filter_light, filter_noise     \
  }
