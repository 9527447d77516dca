// Blur in vectors. A lane is a channel of a pixel.
#include "cpu/filter_scalar.h"

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

#define FILTER_KERNELS                                                                                       \
  {                                                                                                          \
    filter_over, filter_composite, filter_arithmetic, filter_blend, filter_matrix, filter_tint, filter_blur, \
        filter_extreme, filter_to_strips, filter_from_strips, filter_convolve, filter_light, filter_noise    \
  }
