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

// Computes k_filter_arithmetic_pixel.
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

// Computes k_filter_matrix_row.
VEC vf matrix_channel(k_filter_row m, vf r, vf g, vf b, vf a) {
  vf v = m.r * r + m.g * g;
  v = v + m.b * b;
  v = v + m.a * a;
  v = v + m.one;
  return v_minf(v_maxf(v, (vf){0}), v_set1f(1.0f));
}

// Computes k_filter_matrix_pixel.
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
  vw2 channels = v_unpack(v_set1((int32_t)color));
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    vw m = v_spread(alpha_of(v_load(in + i)));
    v_store(out + i, v_pack((vw2){v_div255(channels.rb * m), v_div255(channels.ga * m)}));
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

// Two channels share 32 bits in the differences, and in the first sums as long as the window has no more strips than
// this: the sums are at most 510 times that, which 16 bits hold.
#define BOX_NARROW 64
#define WORD_PIXELS (LANES / 2)
#define BOX_UNITS 2  // of WORD_PIXELS pixels of the strip, at a time, so that their sums stay in registers
#define BOX_PIXELS (BOX_UNITS * WORD_PIXELS)

typedef uint8_t vb2 __attribute__((vector_size(2 * LANES)));

VEC vh v_words(const uint32_t *pixels) {
  vb2 bytes;
  memcpy(&bytes, pixels, sizeof bytes);
  return __builtin_convertvector(bytes, vh);
}
VEC vi v_even(vh v) { return (vi)v << 16 >> 16; }
VEC vi v_odd(vh v) { return (vi)v >> 16; }

// The running sums of a unit: those of even channels, then those of odd ones.
typedef struct {
  vh narrow;
  vi s1[2], s2[2], s3[2];
} box_sums;

// Where the six differences are read; four for odd windows.
typedef struct {
  const uint32_t *a, *b, *c, *d, *e, *f;
} box_places;

VEC void box_step(box_sums sums[BOX_UNITS], box_places at, bool odd, bool narrow, float scale, uint32_t *out) {
  for (int k = 0; k < BOX_UNITS; k++) {
    int p = k * WORD_PIXELS;
    box_sums *s = &sums[k];
    vh x;
    if (odd) {
      vh middle = v_words(at.c + p) - v_words(at.b + p);
      x = v_words(at.a + p) - v_words(at.d + p) + middle + (middle + middle);
    } else {
      vh middle = v_words(at.e + p) - v_words(at.b + p);
      x = v_words(at.a + p) + v_words(at.c + p) - v_words(at.d + p) - v_words(at.f + p) + (middle + middle);
    }
    if (narrow) x = s->narrow += x;
    vi half[2] = {v_even(x), v_odd(x)};
    for (int h = 0; h < 2; h++) {
      if (!narrow) half[h] = s->s1[h] += half[h];
      s->s2[h] += half[h];
      s->s3[h] += s->s2[h];
    }
    if (!out) continue;
    vi even = v_trunc(v_float(s->s3[0]) * scale + 0.5f), other = v_trunc(v_float(s->s3[1]) * scale + 0.5f);
    vb2 bytes = __builtin_convertvector((vw)(even | other << 16), vb2);
    memcpy(out + p, &bytes, sizeof bytes);
  }
}

VEC void filter_boxes(const k_filter_blur *blur, const sj_filter_axis *axis, bool odd, bool narrow, int p) {
  int w = blur->window, start = box_start(blur, axis), end = axis->first + axis->out_count + blur->reach;
  int furthest = odd ? 3 * w : 3 * w + 1, inner = furthest + k_max(start, 0);
  uint32_t *out = axis->out + p;
  box_sums sums[BOX_UNITS] = {{{0}, {{0}}, {{0}}, {{0}}}};
  for (int i = start; i < end; i++) {
    box_places at;
    if (i >= inner && i < axis->count) {  // all of them are within the input
      const uint32_t *a = axis->in + (size_t)i * SJ_STRIP + p;
      size_t one = (size_t)w * SJ_STRIP;
      const uint32_t *more = a - one - SJ_STRIP;
      at = odd ? (box_places){a, a - one, a - 2 * one, a - 3 * one, a, a}
               : (box_places){a, a - one, a - 2 * one, more, more - one, more - 2 * one};
    } else {
#define AT(place) ((i - (place) < start ? filter_nothing : filter_strip(axis, i - (place))) + p)
      at = odd ? (box_places){AT(0), AT(w), AT(2 * w), AT(3 * w), filter_nothing, filter_nothing}
               : (box_places){AT(0), AT(w), AT(2 * w), AT(w + 1), AT(2 * w + 1), AT(3 * w + 1)};
#undef AT
    }
    int to = i - blur->reach - axis->first;
    box_step(sums, at, odd, narrow, blur->scale, to >= 0 ? out + (size_t)to * SJ_STRIP : NULL);
  }
}

#define FILTER_BOXES(name, odd, narrow)                                                                            \
  static __attribute__((noinline)) void filter_boxes_##name(const k_filter_blur *blur, const sj_filter_axis *axis, \
                                                            int p) {                                               \
    filter_boxes(blur, axis, odd, narrow, p);                                                                      \
  }
FILTER_BOXES(even, false, false)
FILTER_BOXES(even_narrow, false, true)
FILTER_BOXES(odd, true, false)
FILTER_BOXES(odd_narrow, true, true)

static void filter_blur(const k_filter_blur *blur, const sj_filter_axis *axis) {
  if (!blur->window) {
    filter_weights(blur, axis);
  } else if (blur->window > K_FILTER_WINDOW_32) {
    blur_boxes_wide(blur, axis);
  } else {
    int start = box_start(blur, axis);
    for (int i = 0; i < axis->out_count && axis->first + i + blur->reach < start; i++)
      memset(axis->out + (size_t)i * SJ_STRIP, 0, sizeof filter_nothing);
    static void (*const loops[2][2])(const k_filter_blur *, const sj_filter_axis *, int) = {
        {filter_boxes_even, filter_boxes_even_narrow}, {filter_boxes_odd, filter_boxes_odd_narrow}};
    for (int p = 0; p < SJ_STRIP; p += BOX_PIXELS) loops[blur->window & 1][blur->window <= BOX_NARROW](blur, axis, p);
  }
}

#define FILTER_KERNELS                                                                                        \
  {                                                                                                           \
    blend_normal, filter_composite, filter_arithmetic, filter_blend, filter_matrix, filter_tint, filter_blur, \
        filter_extreme, filter_to_strips, filter_from_strips, filter_convolve, filter_light, filter_noise     \
  }
