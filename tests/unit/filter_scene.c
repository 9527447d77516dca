// Layers with filters, through the public interface: pictures are the same to the bit whole and in regions, on every
// instruction set, with 1 and 3 threads; nested, under every transform, with clips, masks, opacity and blend modes.
#include <stdlib.h>

#include "isas.h"
#include "picture.h"
#include "primitive.h"
#include "random_layer.h"
#include "scene/encode.h"

#define SIZE 90

static uint32_t expected[SIZE * SIZE], got[SIZE * SIZE];

static bool draw(const stijl_scene *scene, stijl_renderer *renderer, stijl_irect region, uint32_t *out) {
  return sj_test_draw(renderer, scene, SIZE, SIZE, region, NULL, out);
}

static bool same(uint64_t n, const char *what) { return sj_test_same_pixels(n, what, got, expected, SIZE, SIZE); }

TEST(same_bits) {
  stijl_renderer *scalar = sj_test_cpu(STIJL_ISA_SCALAR, 1), *best = sj_test_cpu(STIJL_ISA_AUTO, 3);
  int drawn = 0;
  for (uint64_t n = 0; sj_test_cases(&n, 400); n++) {
    sj_random r = sj_random_seed(n);
    stijl_scene *scene;
    CHECK(stijl_scene_create(NULL, NULL, &scene) == STIJL_OK);
    random_shape(&r, scene);
    random_layer(&r, scene, 2);
    CHECK(stijl_scene_finish(scene) == STIJL_OK);
    stijl_irect all = {0, 0, SIZE, SIZE};
    bool ok = draw(scene, scalar, all, expected) && draw(scene, best, all, got) && same(n, "vectors");
    for (int i = 0; i < SIZE * SIZE; i++)
      if (expected[i] != expected[0]) {
        drawn++;
        break;
      }
    int x = sj_random_int(&r, 1, SIZE), y = sj_random_int(&r, 1, SIZE);
    const stijl_irect parts[4] = {{0, 0, x, y}, {x, 0, SIZE, y}, {0, y, x, SIZE}, {x, y, SIZE, SIZE}};
    for (int i = 0; ok && i < 4; i++) ok = draw(scene, best, parts[i], got);
    if (ok) same(n, "regions");
    stijl_scene_destroy(scene);
    if (sj_test_failed()) break;
  }
  printf("# %d pictures show something\n", drawn);
  stijl_renderer_destroy(scalar);
  stijl_renderer_destroy(best);
}

// Each primitive on canvases of odd sizes and of one pixel, upright and turned, on every instruction set and in parts.
TEST(primitives) {
  static const int sizes[][2] = {{1, 1}, {33, 1}, {1, 67}, {17, 15}, {61, 47}};
  stijl_renderer *renderers[MOST_ISAS] = {NULL};
  EACH_ISA(isa, STIJL_ISA_AUTO)
  renderers[isa] = sj_test_cpu(isa, isa == STIJL_ISA_SCALAR ? 1 : 2);
  stijl_matrix turn = stijl_matrix_multiply(stijl_matrix_rotate(33), stijl_matrix_skew(20, 0));
  for (int i = 0; i < 2 * PRIMITIVES * (int)(sizeof sizes / sizeof *sizes); i++) {
    int width = sizes[i / 2 / PRIMITIVES][0], height = sizes[i / 2 / PRIMITIVES][1], which = i / 2 % PRIMITIVES;
    stijl_filter *f = NULL;
    CHECK_INT(stijl_filter_create(NULL, &f), STIJL_OK);
    add_primitive(f, which, (which + i / 2 / PRIMITIVES) & 1);
    stijl_scene *scene = filtered_under(f, i & 1 ? &turn : NULL, width, height);
    stijl_irect all = {0, 0, width, height};
    sj_test_draw(renderers[STIJL_ISA_SCALAR], scene, width, height, all, NULL, expected);
    bool ok = true;
    EACH_ISA(isa, STIJL_ISA_SSE) {
      if (!ok) break;
      sj_test_draw(renderers[isa], scene, width, height, all, NULL, got);
      ok = sj_test_same_pixels((uint64_t)which, stijl_isa_name(isa), got, expected, width, height);
    }
    memset(got, 0xcc, sizeof got);
    for (int y = 0; y < height; y += 5)
      for (int x = 0; x < width; x += 23)
        sj_test_draw(renderers[STIJL_ISA_AUTO], scene, width, height,
                     (stijl_irect){x, y, x + 23 < width ? x + 23 : width, y + 5 < height ? y + 5 : height}, NULL, got);
    if (ok) sj_test_same_pixels((uint64_t)which, "in parts", got, expected, width, height);
    stijl_scene_destroy(scene);
    stijl_filter_destroy(f);
  }
  EACH_ISA(isa, STIJL_ISA_AUTO) stijl_renderer_destroy(renderers[isa]);
}

static stijl_renderer *small_renderer(uint64_t layer_bytes) {
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.max_layer_bytes = layer_bytes;
  stijl_renderer *renderer = NULL;
  CHECK(stijl_renderer_create(NULL, &params, &renderer, NULL) == STIJL_OK);
  return renderer;
}

static stijl_result draw_on(const stijl_scene *scene, stijl_renderer *renderer, uint32_t *out) {
  stijl_target target = STIJL_TARGET_INIT;
  target.width = target.height = SIZE;
  target.pixels = out;
  target.stride = SIZE * 4;
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.background = (stijl_color){0.3f, 0.5f, 0.7f, 0.4f};
  return stijl_render(renderer, scene, &target, &params, NULL);
}

// However many filters a pass paints, their results are not in memory all at a time: 60 as large as the canvas, plain
// and within layers with opacities, blend modes and masks, where there is room for twelve surfaces.
TEST(many_results) {
  stijl_renderer *scalar = sj_test_cpu(STIJL_ISA_SCALAR, 1), *small = small_renderer(12 * SIZE * (SIZE + 32) * 4);
  stijl_filter *f = NULL;
  stijl_filter_create(NULL, &f);
  stijl_filter_blur(f, NULL, STIJL_FILTER_SOURCE, 2, 3, STIJL_FILTER_EDGE_NONE);
  for (int kind = 0; kind < 4; kind++) {
    sj_random r = sj_random_seed((uint64_t)kind);
    stijl_scene *scene;
    CHECK(stijl_scene_create(NULL, NULL, &scene) == STIJL_OK);
    stijl_layer group = STIJL_LAYER_INIT, layer = STIJL_LAYER_INIT;
    group.opacity = 0.9f;
    group.blend = STIJL_BLEND_MULTIPLY;
    layer.filter = f;
    layer.opacity = kind ? 1.0f : 0.7f;
    if (kind == 1) group.filter = f;
    if (kind) stijl_scene_push_layer(scene, &group);
    for (int i = 0; i < 60; i++) {
      group.filter = NULL;
      if (kind == 2 && i % 5 == 0) stijl_scene_push_layer(scene, &group);
      if (kind == 3 && i == 40) stijl_scene_push_mask(scene, STIJL_MASK_LUMINANCE);
      random_shape(&r, scene);
      stijl_scene_push_layer(scene, &layer);
      stijl_paint paint = stijl_paint_solid((stijl_color){0.9f, 0.2f, 0.1f, 0.01f});
      stijl_scene_fill_all(scene, &paint);
      random_shape(&r, scene);
      stijl_scene_pop_layer(scene);
      if (kind == 2 && i % 5 == 4) stijl_scene_pop_layer(scene);
    }
    if (kind == 3) stijl_scene_pop_mask(scene);
    if (kind) stijl_scene_pop_layer(scene);
    CHECK(stijl_scene_finish(scene) == STIJL_OK);
    CHECK_INT(draw_on(scene, scalar, expected), STIJL_OK);
    CHECK_INT(draw_on(scene, small, got), STIJL_OK);
    same((uint64_t)kind, "little memory");
    stijl_scene_destroy(scene);
  }
  stijl_filter_destroy(f);
  stijl_renderer_destroy(scalar);
  stijl_renderer_destroy(small);
}

// Random layers where there is little room: mostly they are drawn, and then they are the same.
TEST(little_memory) {
  stijl_renderer *scalar = sj_test_cpu(STIJL_ISA_SCALAR, 1), *small = small_renderer(24 * SIZE * (SIZE + 32) * 4);
  int drawn = 0, count = 0;
  for (uint64_t n = 0; sj_test_cases(&n, 12); n++) {
    sj_random r = sj_random_seed(n);
    stijl_scene *scene;
    CHECK(stijl_scene_create(NULL, NULL, &scene) == STIJL_OK);
    for (int i = 0; i < 30; i++) random_layer(&r, scene, 1);
    CHECK(stijl_scene_finish(scene) == STIJL_OK);
    CHECK_INT(draw_on(scene, scalar, expected), STIJL_OK);
    count++;
    bool ok = draw_on(scene, small, got) == STIJL_OK;
    drawn += ok;
    if (ok) same(n, "little memory");
    stijl_scene_destroy(scene);
    if (sj_test_failed()) break;
  }
  printf("# %d of %d drawn\n", drawn, count);
  CHECK(drawn * 2 >= count);
  stijl_renderer_destroy(scalar);
  stijl_renderer_destroy(small);
}

// Makes a scene of some layers on a canvas of 300 x 260, whose surfaces are as large.
static stijl_scene *large_scene(void) {
  stijl_scene *scene = begin_scene();
  stijl_matrix turn = stijl_matrix_rotate(33);
  for (int i = 0; i < 4; i++) {
    stijl_filter *f = NULL;
    stijl_filter_create(NULL, &f);
    int in = i == 2 ? stijl_filter_backdrop(f, NULL) : STIJL_FILTER_SOURCE;
    in = stijl_filter_blur(f, NULL, in, 5, 3, STIJL_FILTER_EDGE_NONE);
    stijl_filter_offset(f, NULL, in, 4, -7);
    stijl_layer layer = STIJL_LAYER_INIT;
    layer.filter = f;
    layer.filter_transform = i & 1 ? &turn : NULL;
    stijl_scene_push_layer(scene, &layer);
    add_ellipse(scene, 150, 130, 140, 100 - 20 * (float)i, (stijl_color){0.9f, 0.2f * (float)i, 0.1f, 0.7f});
    add_ellipse(scene, 30.0f * (float)i, 60, 30, 190, (stijl_color){0.1f, 0.7f, 0.2f * (float)i, 1.0f});
    stijl_scene_pop_layer(scene);
    stijl_filter_destroy(f);
  }
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  return scene;
}

enum { LARGE_WIDTH = 300, LARGE_HEIGHT = 260 };

static stijl_result draw_large(const stijl_scene *scene, stijl_renderer *renderer, stijl_format format,
                               stijl_budget *budget, bool keep, unsigned char *out) {
  stijl_target target = STIJL_TARGET_INIT;
  target.width = LARGE_WIDTH;
  target.height = LARGE_HEIGHT;
  target.region = (stijl_irect){1, 3, LARGE_WIDTH, LARGE_HEIGHT};
  target.format = format;
  target.stride = (size_t)LARGE_WIDTH * stijl_format_bytes(format);
  target.pixels = out + 3 * target.stride + stijl_format_bytes(format);
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.background = (stijl_color){0.3f, 0.5f, 0.7f, 0.4f};
  params.budget = budget;
  params.keep = keep;
  return stijl_render(renderer, scene, &target, &params, NULL);
}

// Where all surfaces of a canvas take too much memory it is drawn in parts.
TEST(parts) {
  enum { BYTES = LARGE_WIDTH * LARGE_HEIGHT * 4 };
  static unsigned char whole[BYTES], parts[BYTES];
  stijl_scene *scene = large_scene();
  stijl_renderer *enough = sj_test_cpu(STIJL_ISA_AUTO, 1), *small = small_renderer(150 << 10);
  static const stijl_format formats[] = {STIJL_FORMAT_RGBA8, STIJL_FORMAT_BGRA8_STRAIGHT, STIJL_FORMAT_A8};
  for (int i = 0; i < 6; i++) {
    memset(whole, 0x40, sizeof whole);
    memset(parts, 0x40, sizeof parts);
    CHECK_INT(draw_large(scene, enough, formats[i / 2], NULL, i & 1, whole), STIJL_OK);
    CHECK_INT(draw_large(scene, small, formats[i / 2], NULL, i & 1, parts), STIJL_OK);
    CHECK(memcmp(whole, parts, sizeof whole) == 0);
  }
  // By a budget.
  stijl_budget_params limits = STIJL_BUDGET_PARAMS_INIT;
  stijl_budget *budget = NULL;
  limits.max_memory = 3 << 20;
  CHECK_INT(stijl_budget_create(NULL, &limits, &budget), STIJL_OK);
  stijl_renderer *other = sj_test_cpu(STIJL_ISA_AUTO, 1);
  memset(parts, 0x40, sizeof parts);
  memset(whole, 0x40, sizeof whole);
  CHECK_INT(draw_large(scene, enough, STIJL_FORMAT_RGBA8, NULL, true, whole), STIJL_OK);
  CHECK_INT(draw_large(scene, other, STIJL_FORMAT_RGBA8, budget, true, parts), STIJL_OK);
  CHECK(memcmp(whole, parts, sizeof whole) == 0);
  stijl_budget_destroy(budget);
  stijl_scene_destroy(scene);
  stijl_renderer_destroy(enough);
  stijl_renderer_destroy(small);
  stijl_renderer_destroy(other);
}

// Filters that share a plan draw what each of them draws alone.
TEST(same_filters) {
  enum { LAYERS = 24 };
  stijl_renderer *renderer = sj_test_cpu(STIJL_ISA_AUTO, 1);
  stijl_render_params keep = STIJL_RENDER_PARAMS_INIT;
  keep.keep = true;
  stijl_irect whole = {0, 0, SIZE, SIZE};
  for (int which = 0; which < SAME_LAYERS && !sj_test_failed(); which++) {
    stijl_scene *all = begin_scene();
    memset(expected, 0, sizeof expected);
    for (int n = 0; n < LAYERS; n++) {
      stijl_scene *alone = begin_scene();
      add_same_layer(all, which, n);
      add_same_layer(alone, which, n);
      CHECK_INT(stijl_scene_finish(alone), STIJL_OK);
      sj_test_draw(renderer, alone, SIZE, SIZE, whole, &keep, expected);
      stijl_scene_destroy(alone);
    }
    CHECK_INT(stijl_scene_finish(all), STIJL_OK);
    if (draw(all, renderer, whole, got)) same((uint64_t)which, "together");
    stijl_scene_destroy(all);
  }
  stijl_renderer_destroy(renderer);
}

// A hundred filters that are the same but for their regions are planned a few times.
TEST(shared_plans) {
  stijl_scene *scene = begin_scene();
  for (int n = 0; n < 100; n++) add_same_layer(scene, PRIMITIVES, n);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  stijl_irect region = {-100, -100, 500, 500};
  sj_encoded encoded = {0};
  CHECK_INT(sj_encode(sj_context(NULL), scene, stijl_matrix_identity(), region, &encoded, NULL), STIJL_OK);
  CHECK_INT(encoded.filters.count, 100);
  CHECK(encoded.plans.count <= 20);
  printf("# %zu plans\n", encoded.plans.count);
  sj_encoded_finish(sj_context(NULL), &encoded);
  stijl_scene_destroy(scene);
}
