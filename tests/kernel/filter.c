// The filters' kernels: every instruction set against the scalar reference on random pixels, to the bit, and the
// reference against what the specification says. With STIJL_BENCH set the same input is timed.
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "cpu/kernels.h"
#include "isas.h"
#include "scene/filter_plan.h"
#include "test.h"

#define MOST 600  // pixels of a row

static const sj_filter_kernels *reference(void) { return &sj_kernels_for(STIJL_ISA_SCALAR)->filter; }

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#define BENCH(name, isa, pixels, body)                                                                     \
  if (getenv("STIJL_BENCH")) {                                                                             \
    double start = now_ns(), end = start;                                                                  \
    int runs = 0;                                                                                          \
    for (; end - start < 5e7; runs++, end = now_ns()) body;                                                \
    printf("# %-12s %-7s %8.3f ns a pixel\n", name, stijl_isa_name(isa), (end - start) / runs / (pixels)); \
  }

#define EACH_SET(isa, k)          \
  EACH_ISA(isa, STIJL_ISA_SCALAR) \
  for (const sj_filter_kernels *k = &sj_kernels_for(isa)->filter; k; k = NULL)

// Makes pixels that are often transparent, opaque or the same as their neighbours, as pictures are.
static void random_pixels(sj_random *r, uint32_t *pixels, size_t n) {
  uint32_t p = 0;
  for (size_t i = 0; i < n; i++) {
    int kind = sj_random_int(r, 0, 8);
    if (kind < 5) {
      uint32_t a = kind == 0 ? 0 : kind == 1 ? 255 : (uint32_t)sj_random_int(r, 0, 256);
      p = a << 24;
      for (int c = 0; c < 3; c++) p |= (uint32_t)sj_random_int(r, 0, (int)a + 1) << (8 * c);
    }
    pixels[i] = p;
  }
}

static void same(const char *what, uint64_t n, stijl_isa isa, const uint32_t *got, const uint32_t *expected,
                 size_t count) {
  for (size_t i = 0; i < count; i++)
    if (got[i] != expected[i]) {
      sj_test_fail(__FILE__, __LINE__, "%s, case %llu, %s, pixel %zu: %08x, expected %08x", what, (unsigned long long)n,
                   stijl_isa_name(isa), i, got[i], expected[i]);
      return;
    }
}

static void premultiplied(const char *what, uint64_t n, const uint32_t *pixels, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (uint32_t c = 0; c < 3; c++)
      if (k_channel(pixels[i], c) > pixels[i] >> 24) {
        sj_test_fail(__FILE__, __LINE__, "%s, case %llu: %08x has a colour above its alpha", what,
                     (unsigned long long)n, pixels[i]);
        return;
      }
}

typedef struct {
  uint32_t s[MOST], d[MOST];
  size_t count;
  k_filter_arithmetic arithmetic;
  k_filter_matrix matrix;
} points;

static points make_points(sj_random *r) {
  points p;
  p.count = (size_t)sj_random_int(r, 0, 4) ? (size_t)sj_random_int(r, 0, 70) : MOST;
  random_pixels(r, p.s, MOST);
  random_pixels(r, p.d, MOST);
  float scale = sj_random_int(r, 0, 8) ? 2.0f : 1e30f;
  float *k = &p.arithmetic.k1;
  for (int i = 0; i < 4; i++) k[i] = sj_random_float(r, -scale, scale);
  float *m = &p.matrix.r.r;
  for (int i = 0; i < 20; i++) m[i] = sj_random_float(r, -scale, scale);
  return p;
}

// Operation `op`: composites, arithmetic, blends, matrix, tint.
#define OPERATIONS 26
static void apply(const sj_filter_kernels *k, int op, const points *p, uint32_t *out) {
  if (op < 6) {
    k->composite((uint32_t)op, p->s, p->d, out, p->count);
  } else if (op == 6) {
    k->arithmetic(p->arithmetic, p->s, p->d, out, p->count);
  } else if (op < 24) {
    k->blend((uint32_t)op - 7, p->s, p->d, out, p->count);
  } else if (op == 24) {
    k->matrix(&p->matrix, p->s, out, p->count);
  } else {
    k->tint(p->s[0], p->d, out, p->count);
  }
}

TEST(points) {
  for (uint64_t n = 0; sj_test_cases(&n, 600); n++) {
    sj_random r = sj_random_seed(n);
    points p = make_points(&r);
    int op = (int)(n % OPERATIONS);
    uint32_t expected[MOST + 1], got[MOST + 1];
    apply(reference(), op, &p, expected);
    char name[32];
    snprintf(name, sizeof name, "operation %d", op);
    premultiplied(name, n, expected, p.count);
    EACH_SET(isa, k) {
      got[p.count] = 0x12345678;
      apply(k, op, &p, got);
      CHECK_INT(got[p.count], 0x12345678);
      same(name, n, isa, got, expected, p.count);
      if (n < OPERATIONS) {
        points all = p;
        all.count = MOST;
        BENCH(name, isa, MOST, apply(k, op, &all, got))
      }
    }
    if (sj_test_failed()) break;
  }
}

// --- Along an axis ---------------------------------------------------------------------------------------------------

typedef struct {
  sj_filter_axis axis;
  uint32_t *in, *out;
} axis_case;

static axis_case make_axis(sj_random *r, int reach) {
  axis_case a = {0};
  static const int counts[] = {1, 2, 3, 7, 50, 300};
  a.axis.count = counts[sj_random_int(r, 0, 6)];
  a.axis.edge = (uint32_t)sj_random_int(r, 0, 3);
  int all = a.axis.count + 2 * reach;
  a.axis.first = sj_random_int(r, -reach - 3, a.axis.count + reach + 3);
  a.axis.out_count = sj_random_int(r, 1, all < 700 ? all + 2 : 700);
  a.in = malloc((size_t)a.axis.count * SJ_STRIP * 4);
  a.out = malloc(((size_t)a.axis.out_count + 1) * SJ_STRIP * 4);
  random_pixels(r, a.in, (size_t)a.axis.count * SJ_STRIP);
  if (!sj_random_int(r, 0, 5)) memset(a.in, 255, (size_t)a.axis.count * SJ_STRIP * 4);
  a.axis.in = a.in;
  a.axis.out = a.out;
  return a;
}

static uint32_t *guarded(axis_case *a) {
  memset(a->out, 0x5a, ((size_t)a->axis.out_count + 1) * SJ_STRIP * 4);
  return a->out + (size_t)a->axis.out_count * SJ_STRIP;
}

static void axis_end(axis_case *a) {
  free(a->in);
  free(a->out);
}

// Returns a pixel of the strip of an axis in a lane, by the plainest of rules.
static uint32_t pixel_at(const sj_filter_axis *axis, long long i, int lane) {
  long long n = axis->count;
  if (i < 0 || i >= n) {
    if (axis->edge == K_FILTER_EDGE_NONE) return 0;
    i = axis->edge == K_FILTER_EDGE_DUPLICATE ? (i < 0 ? 0 : n - 1) : ((i % n) + n) % n;
  }
  return axis->in[i * SJ_STRIP + lane];
}

// Returns the result of three boxes, one after another, without running sums.
static double boxed(const sj_filter_axis *axis, int window, long long at, int lane, uint32_t channel, int boxes) {
  if (!boxes) return (double)k_channel(pixel_at(axis, at, lane), channel);
  bool odd = window & 1;
  int size = odd || boxes > 1 ? window : window + 1;
  long long from = at - size / 2 + (!odd && boxes == 2 ? 1 : 0);
  double sum = 0.0;
  for (int i = 0; i < size; i++) sum += boxed(axis, window, from + i, lane, channel, boxes - 1);
  return sum;
}

TEST(boxes_are_three_means) {
  for (uint64_t n = 0; sj_test_cases(&n, 60); n++) {
    sj_random r = sj_random_seed(n);
    int window = sj_random_int(&r, 1, 9);
    double product = (double)window * window * (window & 1 ? window : window + 1);
    k_filter_blur blur = {.window = window, .reach = k_filter_reach(window), .scale = (float)(1.0 / product)};
    axis_case a = make_axis(&r, blur.reach);
    reference()->blur(&blur, &a.axis);
    for (int i = 0; i < a.axis.out_count && i < 9; i++)
      for (uint32_t c = 0; c < 4; c++) {
        double exact = boxed(&a.axis, window, a.axis.first + i, 3, c, 3) / product;
        double got = k_channel(a.out[(size_t)i * SJ_STRIP + 3], c);
        if (!(fabs(got - exact) <= 0.5001))
          sj_test_fail(__FILE__, __LINE__, "case %llu, window %d, strip %d: %g, expected %g", (unsigned long long)n,
                       window, i, got, exact);
      }
    axis_end(&a);
    if (sj_test_failed()) break;
  }
}

static k_filter_blur random_blur(sj_random *r) {
  k_filter_blur blur = {0};
  if (sj_random_int(r, 0, 3)) {
    static const int windows[] = {1, 2, 3, 4, 9, 50, 63, 64, 65, K_FILTER_WINDOW_32, K_FILTER_WINDOW_32 + 1, 15401};
    blur.window = windows[sj_random_int(r, 0, 12)];
    blur.reach = k_filter_reach(blur.window);
    double w = blur.window, last = blur.window & 1 ? w : w + 1.0;
    blur.scale = (float)(1.0 / (w * w * last));
  } else {
    blur.reach = sj_random_int(r, 0, K_FILTER_WEIGHTS);
    int left = 1 << (K_FILTER_WEIGHT_SHIFT - 1);
    for (int i = blur.reach; i > 0; i--) left -= blur.weights[i] = sj_random_int(r, 0, left / 2 + 1);
    blur.weights[0] = 2 * left;
  }
  return blur;
}

TEST(blur) {
  for (uint64_t n = 0; sj_test_cases(&n, 400); n++) {
    sj_random r = sj_random_seed(n);
    k_filter_blur blur = random_blur(&r);
    axis_case a = make_axis(&r, blur.reach < 800 ? blur.reach : 800);
    size_t count = (size_t)a.axis.out_count * SJ_STRIP;
    uint32_t *expected = malloc(count * 4);
    guarded(&a);
    reference()->blur(&blur, &a.axis);
    memcpy(expected, a.out, count * 4);
    premultiplied("blur", n, expected, count);
    EACH_SET(isa, k) {
      uint32_t *guard = guarded(&a);
      k->blur(&blur, &a.axis);
      CHECK_INT(guard[0], 0x5a5a5a5a);
      same("blur", n, isa, a.out, expected, count);
    }
    free(expected);
    axis_end(&a);
    if (sj_test_failed()) break;
  }
}

TEST(extreme) {
  for (uint64_t n = 0; sj_test_cases(&n, 200); n++) {
    sj_random r = sj_random_seed(n);
    int radius = sj_random_int(&r, 0, 4) ? sj_random_int(&r, 0, 8) : sj_random_int(&r, 0, 400);
    bool larger = sj_random_int(&r, 0, 2);
    axis_case a = make_axis(&r, radius);
    size_t count = (size_t)a.axis.out_count * SJ_STRIP;
    uint32_t *scratch = malloc(((size_t)a.axis.out_count + 4 * (size_t)radius + 2) * SJ_STRIP * 4);
    EACH_SET(isa, k) {
      uint32_t *guard = guarded(&a);
      k->extreme(larger, radius, &a.axis, scratch);
      CHECK_INT(guard[0], 0x5a5a5a5a);
      for (size_t i = 0; i < count; i += 1 + count / 200) {
        uint32_t best = larger ? 0 : UINT32_MAX;
        for (int step = -radius; step <= radius; step++) {
          long long at = a.axis.first + (long long)(i / SJ_STRIP) + step;
          best = k_filter_extreme(larger, best, pixel_at(&a.axis, at, (int)(i % SJ_STRIP)));
        }
        same("extreme", n, isa, a.out + i, &best, 1);
      }
    }
    free(scratch);
    axis_end(&a);
    if (sj_test_failed()) break;
  }
}

TEST(strips) {
  uint32_t rows[SJ_STRIP][37], back[SJ_STRIP][37], strips[37 * SJ_STRIP];
  const uint32_t *in[SJ_STRIP];
  uint32_t *out[SJ_STRIP];
  sj_random r = sj_random_seed(1);
  EACH_SET(isa, k) {
    for (size_t n = 0; n <= 37; n++) {
      for (int i = 0; i < SJ_STRIP; i++) {
        random_pixels(&r, rows[i], 37);
        in[i] = i == 5 ? NULL : rows[i];
        out[i] = i == 7 ? NULL : back[i];
      }
      memset(back, 1, sizeof back);
      k->to_strips(in, strips, n);
      k->from_strips(strips, out, n);
      for (int i = 0; i < SJ_STRIP; i++)
        for (size_t x = 0; x < 37; x++) CHECK_INT(back[i][x], x >= n || i == 7 ? 0x01010101 : i == 5 ? 0 : rows[i][x]);
    }
  }
}

// --- The rest --------------------------------------------------------------------------------------------------------

TEST(convolve) {
  for (uint64_t n = 0; sj_test_cases(&n, 150); n++) {
    sj_random r = sj_random_seed(n);
    sj_filter_convolve c = {.columns = sj_random_int(&r, 1, 8), .rows = sj_random_int(&r, 1, 8)};
    c.target_x = sj_random_int(&r, 0, c.columns);
    c.target_y = sj_random_int(&r, 0, c.rows);
    c.preserve_alpha = sj_random_int(&r, 0, 2);
    c.bias = sj_random_float(&r, -0.5f, 0.5f);
    float kernel[64], sums[4 * 70];
    for (int i = 0; i < 64; i++) kernel[i] = sj_random_float(&r, -0.5f, 0.5f);
    c.kernel = kernel;
    uint32_t pixels[8][80], expected[70], got[70];
    const uint32_t *rows[8];
    for (int i = 0; i < 8; i++) random_pixels(&r, pixels[i], 80), rows[i] = pixels[i];
    size_t count = (size_t)sj_random_int(&r, 1, 71);
    reference()->convolve(&c, rows, expected, sums, count);
    premultiplied("convolve", n, expected, count);
    EACH_SET(isa, k) {
      k->convolve(&c, rows, got, sums, count);
      same("convolve", n, isa, got, expected, count);
    }
    if (sj_test_failed()) break;
  }
}

static k_vec3 random_unit(sj_random *r) {
  float x = sj_random_float(r, -1.0f, 1.0f), y = sj_random_float(r, -1.0f, 1.0f);
  return k_vec3_unit(k_vec3_make(x, y, sj_random_float(r, -1.0f, 1.0f)));
}

TEST(light) {
  for (uint64_t n = 0; sj_test_cases(&n, 200); n++) {
    sj_random r = sj_random_seed(n);
    k_filter_light light = {.kind = (uint)sj_random_int(&r, 0, 3), .specular = (uint)sj_random_int(&r, 0, 2)};
    light.surface = sj_random_float(&r, -10.0f, 10.0f) / 255.0f;
    light.constant = sj_random_float(&r, 0.0f, 3.0f);
    light.exponent = sj_random_float(&r, 0.0f, 128.0f);
    light.r = sj_random_float(&r, 0.0f, 1.0f);
    light.g = sj_random_float(&r, 0.0f, 1.0f);
    light.b = 1.0f;
    light.position =
        light.kind == K_LIGHT_DISTANT ? random_unit(&r) : k_vec3_make(sj_random_float(&r, -9.0f, 99.0f), 3.0f, 20.0f);
    light.axis = random_unit(&r);
    light.focus = sj_random_float(&r, 0.0f, 9.0f);
    light.cone = sj_random_float(&r, -1.0f, 1.0f);
    uint32_t pixels[3][80], expected[78], got[78];
    for (int i = 0; i < 3; i++) random_pixels(&r, pixels[i], 80);
    size_t count = (size_t)sj_random_int(&r, 1, 79);
    uint32_t rows = (uint32_t)sj_random_int(&r, 0, 4) << 2;
    reference()->light(&light, pixels[0] + 1, pixels[1] + 1, pixels[2] + 1, expected, count, K_EDGE_LEFT | rows,
                       K_EDGE_RIGHT | rows, 3, -5);
    premultiplied("light", n, expected, count);
    EACH_SET(isa, k) {
      k->light(&light, pixels[0] + 1, pixels[1] + 1, pixels[2] + 1, got, count, K_EDGE_LEFT | rows, K_EDGE_RIGHT | rows,
               3, -5);
      same("light", n, isa, got, expected, count);
      if (n < 8)
        BENCH(light.specular ? "specular" : "diffuse", isa, 78,
              k->light(&light, pixels[0] + 1, pixels[1] + 1, pixels[2] + 1, got, 78, rows, rows, 3, -5))
    }
    if (sj_test_failed()) break;
  }
}

static k_filter_noise noise;

TEST(noise) {
  uint32_t expected[600], got[600];
  for (uint64_t n = 0; sj_test_cases(&n, 100); n++) {
    sj_random r = sj_random_seed(n);
    sj_filter_noise_tables(sj_random_int(&r, -5, 1000), &noise);
    float scale = n % 5 ? 0.2f : 1e6f;
    noise.params.to_noise =
        (k_matrix){sj_random_float(&r, 0, scale), 0.0f, 0.0f, sj_random_float(&r, 0, scale), 0.3f, -7.0f};
    noise.params.octaves = sj_random_int(&r, 0, K_NOISE_OCTAVES + 1);
    noise.params.fractal = (uint)sj_random_int(&r, 0, 2);
    noise.params.stitched = (uint)sj_random_int(&r, 0, 2);
    noise.params.width = noise.params.wrap_x = sj_random_int(&r, 1, 20);
    noise.params.height = noise.params.wrap_y = sj_random_int(&r, 1, 20);
    size_t count = (size_t)sj_random_int(&r, 1, n % 4 ? 201 : 601);
    int x = sj_random_int(&r, -1000, 1000), y = sj_random_int(&r, -1000, 1000);
    reference()->noise(&noise, expected, count, x, y);
    premultiplied("noise", n, expected, count);
    EACH_SET(isa, k) {
      k->noise(&noise, got, count, x, y);
      same("noise", n, isa, got, expected, count);
      noise.params.octaves = n < 2 ? 4 : noise.params.octaves;
      if (n < 2) BENCH("noise, 4", isa, 200, k->noise(&noise, got, 200, x, y))
      if (n < 2) reference()->noise(&noise, expected, count, x, y);
    }
    if (sj_test_failed()) break;
  }
}

TEST(power) {
  sj_random r = sj_random_seed(4);
  double worst = 0.0;
  for (int i = 0; i < 300000; i++) {
    float x = sj_random_float(&r, 0.0f, 1.0f), e = sj_random_float(&r, 0.0f, 128.0f);
    if (i & 1) x = 1.0f - x * 0.01f;
    double exact = pow((double)x, (double)e);
    if (exact > 1e-30) worst = fmax(worst, fabs((double)k_pow(x, e) - exact) / exact);
  }
  printf("# k_pow: largest error %.3g\n", worst);
  CHECK(worst < 4e-5);
  CHECK(k_pow(1.0f, 128.0f) == 1.0f);
  CHECK(k_pow(0.0f, 1.0f) < 1e-30f);
  CHECK(k_pow(0.0f, 0.0f) == 1.0f);
}

TEST(straight) {
  for (uint32_t a = 1; a < 256; a++)
    for (uint32_t c = 0; c <= a; c++) CHECK_INT(k_filter_straight(c, a), (int)floor(255.0 * c / a + 0.5));
}
