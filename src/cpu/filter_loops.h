// Filters along rows: plain loops over the functions of src/kernel. Each instruction set's file includes them, and the
// compiler makes vectors of them; what they compute is exact or rounded operation by operation, so that all sets give
// the same bits.
#include "cpu/filter_kernels.h"

// All is inlined, since calls would keep the compiler from making vectors.
#define FILTER_LOOP static __attribute__((noinline, flatten))

// Returns the index of the strip at place i, or -1 for a transparent one.
static inline int filter_edge(int i, int count, uint32_t edge) {
  if (i >= 0 && i < count) return i;
  if (edge == K_FILTER_EDGE_NONE || !count) return -1;
  if (edge == K_FILTER_EDGE_DUPLICATE) return i < 0 ? 0 : count - 1;
  i %= count;
  return i < 0 ? i + count : i;
}

static const uint32_t filter_nothing[SJ_STRIP] __attribute__((aligned(64)));

static inline const uint32_t *filter_strip(const sj_filter_axis *axis, int i) {
  int at = filter_edge(i, axis->count, axis->edge);
  return at < 0 ? filter_nothing : axis->in + (size_t)at * SJ_STRIP;
}

FILTER_LOOP void filter_pick(bool larger, const uint32_t *a, const uint32_t *b, uint32_t *out) {
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  unsigned char *to = (unsigned char *)out;
  if (larger) {
    for (int i = 0; i < SJ_STRIP * 4; i++) to[i] = k_max(x[i], y[i]);
  } else {
    for (int i = 0; i < SJ_STRIP * 4; i++) to[i] = k_min(x[i], y[i]);
  }
}

// Finds the smallest or the largest values within a radius, by three comparisons a pixel whatever the radius is (M. van
// Herk, "A fast algorithm for local minimum and maximum filters", 1992; J. Gil and M. Werman, "Computing 2-D min,
// median, and max filters", 1993). `scratch` has room for out_count + 4 radius + 2 strips.
static void filter_extreme(bool larger, int radius, const sj_filter_axis *axis, uint32_t *scratch) {
  int window = 2 * radius + 1, start = axis->first - radius, count = axis->out_count + 2 * radius;
  uint32_t *backward = scratch;  // from each place to the end of its block of `window` strips
  for (int block = 0; block < count; block += window) {
    int end = k_min(block + window, count) - 1;
    memcpy(backward + (size_t)end * SJ_STRIP, filter_strip(axis, start + end), sizeof filter_nothing);
    for (int i = end - 1; i >= block; i--)
      filter_pick(larger, filter_strip(axis, start + i), backward + (size_t)(i + 1) * SJ_STRIP,
                  backward + (size_t)i * SJ_STRIP);
  }
  uint32_t forward[SJ_STRIP];  // from the beginning of the block
  for (int i = 0; i < count; i++) {
    const uint32_t *own = filter_strip(axis, start + i);
    if (i % window == 0) {
      memcpy(forward, own, sizeof forward);
    } else {
      filter_pick(larger, own, forward, forward);
    }
    if (i >= 2 * radius)
      filter_pick(larger, forward, backward + (size_t)(i - 2 * radius) * SJ_STRIP,
                  axis->out + (size_t)(i - 2 * radius) * SJ_STRIP);
  }
}

static void filter_to_strips(const uint32_t *const rows[SJ_STRIP], uint32_t *strips, size_t n) {
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (int r = 0; r < SJ_STRIP; r++)
      for (size_t k = 0; k < 4; k++) strips[(i + k) * SJ_STRIP + (size_t)r] = rows[r] ? rows[r][i + k] : 0;
  for (; i < n; i++)
    for (int r = 0; r < SJ_STRIP; r++) strips[i * SJ_STRIP + (size_t)r] = rows[r] ? rows[r][i] : 0;
}

static void filter_from_strips(const uint32_t *strips, uint32_t *const rows[SJ_STRIP], size_t n) {
  for (size_t i = 0; i < n; i += 16)
    for (int r = 0; r < SJ_STRIP; r++)
      if (rows[r])
        for (size_t k = i; k < k_min(i + 16, n); k++) rows[r][k] = strips[k * SJ_STRIP + (size_t)r];
}

FILTER_LOOP void filter_add_tap(float weight, const uint32_t *in, float *sums, size_t n) {
  const unsigned char *bytes = (const unsigned char *)in;
  for (size_t i = 0; i < 4 * n; i++) {
    kfloat v = weight * (float)bytes[i];
    sums[i] = sums[i] + v;
  }
}

// Does the same for straight colours.
static void filter_add_straight(float weight, const uint32_t *in, float *sums, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t p = in[i], a = p >> 24;
    for (uint32_t c = 0; c < 3; c++) {
      kfloat v = weight * (float)k_filter_straight(k_channel(p, c), a);
      sums[4 * i + c] = sums[4 * i + c] + v;
    }
  }
}

// Convolves a row. Colours get the bias times the alpha of the result (Filter Effects 1, 9.9), as in resvg and librsvg;
// Skia, so browsers, leaves the alpha out.
static void filter_convolve(const sj_filter_convolve *c, const uint32_t *const *rows, uint32_t *out, float *sums,
                            size_t n) {
  for (size_t i = 0; i < 4 * n; i++) sums[i] = 0.0f;
  for (int y = 0; y < c->rows; y++)
    for (int x = 0; x < c->columns; x++) {
      float weight = c->kernel[y * c->columns + x];
      if (weight == 0.0f) continue;
      if (c->preserve_alpha) {
        filter_add_straight(weight, rows[y] + x, sums, n);
      } else {
        filter_add_tap(weight, rows[y] + x, sums, n);
      }
    }
  const uint32_t *own = rows[c->target_y] + c->target_x;
  for (size_t i = 0; i < n; i++) {
    kfloat whole = c->bias * 255.0f;
    kfloat made = sums[4 * i + 3] + whole;
    kfloat alpha = c->preserve_alpha ? (float)(own[i] >> 24) : made;
    kfloat add = c->bias * alpha;
    uint32_t v[4];
    for (int k = 0; k < 4; k++) {
      kfloat sum = k == 3 ? alpha : sums[4 * i + (size_t)k] + add;
      sum = sum + 0.5f;
      v[k] = sum < 0.0f ? 0 : sum > 255.0f ? 255 : (uint32_t)sum;
    }
    if (c->preserve_alpha) {
      uint32_t a = own[i] >> 24;
      out[i] = k_scale(v[0] | v[1] << 8 | v[2] << 16, a) | a << 24;
    } else {
      out[i] = k_min(v[0], v[3]) | k_min(v[1], v[3]) << 8 | k_min(v[2], v[3]) << 16 | v[3] << 24;
    }
  }
}

static inline k_filter_alphas filter_alphas(const uint32_t *above, const uint32_t *row, const uint32_t *below) {
  return (k_filter_alphas){(int)(above[-1] >> 24), (int)(above[0] >> 24), (int)(above[1] >> 24),
                           (int)(row[-1] >> 24),   (int)(row[0] >> 24),   (int)(row[1] >> 24),
                           (int)(below[-1] >> 24), (int)(below[0] >> 24), (int)(below[1] >> 24)};
}

typedef void filter_light_loop(const k_filter_light *light, const uint32_t *above, const uint32_t *row,
                               const uint32_t *below, uint32_t *out, size_t from, size_t to, uint32_t missing, int x,
                               int y);

#define FILTER_LIGHT(name, KIND, SPECULAR, MISSING)                                                                    \
  FILTER_LOOP void filter_##name(const k_filter_light *given, const uint32_t *above, const uint32_t *row,              \
                                 const uint32_t *below, uint32_t *out, size_t from, size_t to, uint32_t missing,       \
                                 int x, int y) {                                                                       \
    k_filter_light light = *given;                                                                                     \
    light.kind = KIND;                                                                                                 \
    light.specular = SPECULAR;                                                                                         \
    float fy = (float)y;                                                                                               \
    for (size_t i = from; i < to; i++)                                                                                 \
      out[i] =                                                                                                         \
          k_filter_light_pixel(light, filter_alphas(above + i, row + i, below + i), MISSING, (float)(x + (int)i), fy); \
  }
// With no edge missing, and with any.
#define FILTER_LIGHTS(name, KIND, SPECULAR) \
  FILTER_LIGHT(name, KIND, SPECULAR, 0u) FILTER_LIGHT(name##_edge, KIND, SPECULAR, missing)
FILTER_LIGHTS(diffuse_distant, K_LIGHT_DISTANT, 0)
FILTER_LIGHTS(diffuse_point, K_LIGHT_POINT, 0)
FILTER_LIGHTS(diffuse_spot, K_LIGHT_SPOT, 0)
FILTER_LIGHTS(specular_distant, K_LIGHT_DISTANT, 1)
FILTER_LIGHTS(specular_point, K_LIGHT_POINT, 1)
FILTER_LIGHTS(specular_spot, K_LIGHT_SPOT, 1)

static void filter_light(const k_filter_light *light, const uint32_t *above, const uint32_t *row, const uint32_t *below,
                         uint32_t *out, size_t n, uint32_t first, uint32_t last, int x, int y) {
  static filter_light_loop *const loops[2][3][2] = {{{filter_diffuse_distant, filter_diffuse_distant_edge},
                                                     {filter_diffuse_point, filter_diffuse_point_edge},
                                                     {filter_diffuse_spot, filter_diffuse_spot_edge}},
                                                    {{filter_specular_distant, filter_specular_distant_edge},
                                                     {filter_specular_point, filter_specular_point_edge},
                                                     {filter_specular_spot, filter_specular_spot_edge}}};
  if (!n) return;
  filter_light_loop *const *loop = loops[light->specular][light->kind];
  if (n == 1) {
    loop[1](light, above, row, below, out, 0, 1, first | last, x, y);
    return;
  }
  uint32_t middle = (first | last) & ~(K_EDGE_LEFT | K_EDGE_RIGHT);
  loop[1](light, above, row, below, out, 0, 1, first, x, y);
  loop[middle != 0](light, above, row, below, out, 1, n - 1, middle, x, y);
  loop[1](light, above, row, below, out, n - 1, n, last, x, y);
}
