// Filters from the calls that build them to pixels: random graphs on every instruction set, with 1 and 3 threads, whole
// and in parts, come out the same to the bit; and single primitives do what the specification says.
#include <stdlib.h>

#include "cpu/filter.h"
#include "isas.h"
#include "random_filter.h"
#include "subnormals.h"
#include "test.h"

#define SIZE 70

static uint32_t picture[SIZE * SIZE];

static void draw_picture(sj_random *r) {
  memset(picture, 0, sizeof picture);
  for (int i = 0; i < 6; i++) {
    uint32_t a = (uint32_t)sj_random_int(r, 100, 256), p = a << 24;
    for (int c = 0; c < 3; c++) p |= (uint32_t)sj_random_int(r, 0, (int)a + 1) << (8 * c);
    int x0 = sj_random_int(r, 0, SIZE), y0 = sj_random_int(r, 0, SIZE);
    for (int y = y0; y < k_min(SIZE, y0 + 20); y++)
      for (int x = x0; x < k_min(SIZE, x0 + 25); x++) picture[y * SIZE + x] = p;
  }
}

// Runs the filter for a part of the target, into an array of the whole.
static stijl_result filtered(const stijl_filter *f, float scale, const sj_kernels *kernels, sj_pool *pool,
                             stijl_irect wanted, uint32_t *out) {
  sj_filter_target target = {scale, scale, 3.0f, 5.0f, {0, 0, SIZE, SIZE}, wanted, 0.0, 0.0};
  sj_filter_plan plan;
  if (!sj_filter_plan_make(sj_context(NULL), f, &target, &plan)) return STIJL_ERROR_OUT_OF_MEMORY;
  sj_surfaces surfaces = {.context = sj_context(NULL), .max_bytes = 1 << 26};
  sj_surface *steps = calloc(plan.steps.count, sizeof *steps), result = {0};
  if (plan.result != SJ_FILTER_NO_STEP) sj_surface_create(&surfaces, plan.steps.data[plan.result].box, &result);
  sj_surface_create(&surfaces, plan.source, &steps[0]);
  for (int y = plan.source.y0; y < plan.source.y1; y++)
    memcpy(sj_surface_at(&steps[0], plan.source.x0, y), &picture[y * SIZE + plan.source.x0],
           (size_t)(plan.source.x1 - plan.source.x0) * 4);
  sj_filter_job job = {&plan, kernels, pool, &surfaces, NULL, steps, result};
  stijl_message message;
  stijl_result status = sj_filter_execute(&job, &message);
  if (status != STIJL_OK) sj_test_fail(__FILE__, __LINE__, "%s", message.text);
  for (int y = wanted.y0; y < wanted.y1; y++)
    for (int x = wanted.x0; x < wanted.x1; x++) {
      bool inside = result.pixels && x >= result.box.x0 && x < result.box.x1 && y >= result.box.y0 && y < result.box.y1;
      out[y * SIZE + x] = inside ? *sj_surface_at(&result, x, y) : 0;
    }
  sj_surface_destroy(&surfaces, &result);
  CHECK_INT(surfaces.busy_bytes, 0);
  sj_surfaces_trim(&surfaces);
  CHECK_INT(surfaces.blocks.count, 0);
  free(steps);
  sj_filter_plan_finish(sj_context(NULL), &plan);
  return status;
}

static bool compare(const char *what, uint64_t n, const uint32_t *got, const uint32_t *expected) {
  return sj_test_same_pixels(n, what, got, expected, SIZE, SIZE);
}

TEST(same_bits) {
  static uint32_t expected[SIZE * SIZE], got[SIZE * SIZE];
  sj_pool *one = sj_pool_create(sj_context(NULL), 1), *three = sj_pool_create(sj_context(NULL), 3);
  int drawn = 0;
  for (uint64_t n = 0; sj_test_cases(&n, 1000); n++) {
    sj_random r = sj_random_seed(n);
    stijl_filter *f;
    CHECK(stijl_filter_create(NULL, &f) == STIJL_OK);
    int count = sj_random_int(&r, 1, 9);
    for (int i = 0; i < count; i++) add_random_primitive(f, &r, (int)f->nodes.count);
    CHECK_STR(stijl_filter_message(f), "");
    draw_picture(&r);
    float scale = sj_random_float(&r, 0.3f, 2.0f);
    stijl_irect all = {0, 0, SIZE, SIZE};
    CHECK(filtered(f, scale, sj_kernels_for(STIJL_ISA_SCALAR), one, all, expected) == STIJL_OK);
    for (int i = 0; i < SIZE * SIZE; i++)
      for (uint32_t c = 0; c < 3; c++) CHECK(k_channel(expected[i], c) <= expected[i] >> 24);
    bool ok = true;
    for (int i = 1; i < SIZE * SIZE; i++)
      if (expected[i] != expected[0]) {
        drawn++;
        break;
      }
    EACH_ISA(isa, STIJL_ISA_SSE) {
      if (!ok) break;
      CHECK(filtered(f, scale, sj_kernels_for(isa), three, all, got) == STIJL_OK);
      ok = compare(stijl_isa_name(isa), n, got, expected);
    }
    if (ok && kernels_without_subnormals()) {
      CHECK(filtered(f, scale, kernels_without_subnormals(), one, all, got) == STIJL_OK);
      ok = compare("without subnormals", n, got, expected);
    }
    // In four parts.
    int x = sj_random_int(&r, 1, SIZE), y = sj_random_int(&r, 1, SIZE);
    const stijl_irect parts[4] = {{0, 0, x, y}, {x, 0, SIZE, y}, {0, y, x, SIZE}, {x, y, SIZE, SIZE}};
    for (int i = 0; i < 4; i++)
      CHECK(filtered(f, scale, sj_kernels_for(STIJL_ISA_AUTO), one, parts[i], got) == STIJL_OK);
    if (ok) compare("in parts", n, got, expected);
    stijl_filter_destroy(f);
    if (sj_test_failed()) break;
  }
  printf("# %d filters draw something\n", drawn);
  sj_pool_destroy(one);
  sj_pool_destroy(three);
}

// Numbers as large as floats have: every instruction set makes the same bytes of them.
TEST(large_numbers) {
  static const float huge = 3e38f, arithmetic[] = {huge, -huge, huge, -huge};
  static const float kernel[] = {huge, -huge, huge, -huge, huge, huge, -huge, huge, -huge};
  static uint32_t expected[SIZE * SIZE], got[SIZE * SIZE];
  sj_pool *pool = sj_pool_create(sj_context(NULL), 1);
  sj_random r = sj_random_seed(1);
  draw_picture(&r);
  for (int n = 0; n < 8; n++) {
    stijl_filter *f;
    CHECK(stijl_filter_create(NULL, &f) == STIJL_OK);
    stijl_light light = STIJL_LIGHT_INIT;
    light.kind = (stijl_light_kind)(n / 2);
    light.surface_scale = light.constant = light.focus = huge;
    light.x = light.at_y = -huge;
    light.y = light.z = light.at_x = light.at_z = huge;
    light.azimuth = light.elevation = 40.0f;
    stijl_convolution convolution = STIJL_CONVOLUTION_INIT;
    convolution.columns = convolution.rows = 3;
    convolution.kernel = kernel;
    convolution.divisor = 1.0f;
    convolution.bias = -huge;
    if (n == 6)
      stijl_filter_arithmetic(f, NULL, STIJL_FILTER_SOURCE, STIJL_FILTER_SOURCE_ALPHA, arithmetic);
    else if (n == 7)
      stijl_filter_convolve(f, NULL, STIJL_FILTER_SOURCE, &convolution);
    else if (n % 2)
      stijl_filter_specular_light(f, NULL, STIJL_FILTER_SOURCE, &light);
    else
      stijl_filter_diffuse_light(f, NULL, STIJL_FILTER_SOURCE, &light);
    CHECK_STR(stijl_filter_message(f), "");
    stijl_irect all = {0, 0, SIZE, SIZE};
    CHECK(filtered(f, 1.0f, sj_kernels_for(STIJL_ISA_SCALAR), pool, all, expected) == STIJL_OK);
    EACH_ISA(isa, STIJL_ISA_SSE) {
      CHECK(filtered(f, 1.0f, sj_kernels_for(isa), pool, all, got) == STIJL_OK);
      compare(stijl_isa_name(isa), (uint64_t)n, got, expected);
    }
    stijl_filter_destroy(f);
  }
  sj_pool_destroy(pool);
}

// Numbers so small that what kernels compute with them would be subnormal, which is zero to some GPUs.
TEST(small_numbers) {
  static uint32_t expected[SIZE * SIZE], got[SIZE * SIZE];
  const sj_kernels *without = kernels_without_subnormals();
  if (!without) return;
  sj_pool *pool = sj_pool_create(sj_context(NULL), 1);
  sj_random r = sj_random_seed(3);
  draw_picture(&r);
  static const float small[] = {0x1p-149f, 0x1p-140f, 0x1p-127f, 0x1p-120f, 0x1p-70f, 0x1p-63f, 0x1p-45f, 0x1p-30f};
  enum { COUNT = sizeof small / sizeof *small };
  for (int n = 0; n < 4 * COUNT; n++) {
    float tiny = small[n / 4];
    stijl_filter *f;
    CHECK(stijl_filter_create(NULL, &f) == STIJL_OK);
    stijl_turbulence noise = STIJL_TURBULENCE_INIT;
    noise.frequency_x = tiny;
    noise.frequency_y = n & 2 ? 0.05f : tiny;
    noise.octaves = 3;
    noise.seed = n;
    noise.fractal = n & 1;
    // A spot in the plane of the picture that points along it but for a trace.
    stijl_light light = STIJL_LIGHT_INIT;
    light.kind = STIJL_LIGHT_SPOT;
    light.x = light.y = 30.0f;
    light.z = tiny;
    light.at_x = 60.0f;
    light.at_y = 30.0f;
    light.at_z = n & 2 ? -tiny : 0.0f;
    light.surface_scale = n & 1 ? tiny : 5.0f;
    light.focus = 0x1p-12f;
    stijl_filter_turbulence(f, NULL, &noise);
    stijl_filter_diffuse_light(f, NULL, STIJL_FILTER_SOURCE, &light);
    stijl_filter_composite(f, NULL, 0, 1, STIJL_FILTER_LIGHTER);
    CHECK_STR(stijl_filter_message(f), "");
    stijl_irect all = {0, 0, SIZE, SIZE};
    CHECK(filtered(f, 1.0f, sj_kernels_for(STIJL_ISA_SCALAR), pool, all, expected) == STIJL_OK);
    CHECK(filtered(f, 1.0f, without, pool, all, got) == STIJL_OK);
    compare("without subnormals", (uint64_t)n, got, expected);
    stijl_filter_destroy(f);
  }
  sj_pool_destroy(pool);
}

// A transfer of what is known to be black is that of pixels whose colours a matrix has made black.
TEST(black_transfers) {
  static const float black[20] = {[18] = 1.0f}, table[] = {0.2f, 0.9f, 0.4f};
  static uint32_t expected[SIZE * SIZE], got[SIZE * SIZE];
  sj_pool *pool = sj_pool_create(sj_context(NULL), 1);
  sj_random r = sj_random_seed(2);
  draw_picture(&r);
  for (int n = 0; n < 4; n++) {
    stijl_transfer t[4] = {{STIJL_TRANSFER_LINEAR, NULL, 0, 1.0f, n & 1 ? 0.3f : 0.0f, 0},
                           {STIJL_TRANSFER_IDENTITY, NULL, 0, 0, 0, 0},
                           {n & 2 ? STIJL_TRANSFER_TABLE : STIJL_TRANSFER_IDENTITY, table, 3, 0, 0, 0},
                           {STIJL_TRANSFER_LINEAR, NULL, 0, 2.0f, -0.1f, 0}};
    for (int known = 0; known < 2; known++) {
      stijl_filter *f;
      CHECK(stijl_filter_create(NULL, &f) == STIJL_OK);
      int in = known ? STIJL_FILTER_SOURCE_ALPHA : stijl_filter_color_matrix(f, NULL, STIJL_FILTER_SOURCE, black);
      stijl_filter_transfer(f, NULL, in, t);
      CHECK_STR(stijl_filter_message(f), "");
      CHECK(filtered(f, 1.0f, sj_kernels_for(STIJL_ISA_AUTO), pool, (stijl_irect){0, 0, SIZE, SIZE},
                     known ? got : expected) == STIJL_OK);
      stijl_filter_destroy(f);
    }
    compare("black", (uint64_t)n, got, expected);
  }
  sj_pool_destroy(pool);
}
