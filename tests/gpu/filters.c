// Filters of a GPU's frame, against scalar code: the same bits for every primitive, size and part of the canvas.
#include "gpu/device.h"
#include "base/trial.h"
#include "picture.h"
#include "primitive.h"
#include "random_layer.h"

enum { MOST = 700 };
static uint32_t expected[MOST * MOST], got[MOST * MOST];

static stijl_renderer *scalar_renderer(void) { return sj_test_cpu(STIJL_ISA_SCALAR, 1); }

static bool draw(stijl_renderer *renderer, const stijl_scene *scene, int width, int height, stijl_irect region,
                 uint32_t *out) {
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.background = (stijl_color){0.3f, 0.5f, 0.7f, 0.4f};
  return sj_test_draw(renderer, scene, width, height, region, &params, out);
}

static bool same(const char *what, int number, int width, int height) {
  return sj_test_same_pixels((uint64_t)number, what, got, expected, width, height);
}

// Draws the scene with both, whole and in four parts.
static bool compare(stijl_renderer *cpu, stijl_renderer *gpu, const stijl_scene *scene, int width, int height,
                    const char *what, int number) {
  stijl_irect all = {0, 0, width, height};
  memset(got, 0xcc, sizeof got);
  if (!draw(cpu, scene, width, height, all, expected) || !draw(gpu, scene, width, height, all, got) ||
      !same(what, number, width, height))
    return false;
  int x = width / 3, y = height - height / 3;
  if (x < 1 || y < 1 || y >= height) return true;
  const stijl_irect parts[] = {{0, 0, x, y}, {x, 0, width, y}, {0, y, x, height}, {x, y, width, height}};
  memset(got, 0xcc, sizeof got);
  for (int i = 0; i < 4; i++)
    if (!draw(gpu, scene, width, height, parts[i], got)) return false;
  return same(what, number, width, height);
}

// Returns whether the device has drawn surfaces itself, besides the target.
static bool drew_surfaces(const stijl_renderer *gpu) {
  stijl_render_stats stats = {.size = sizeof stats};
  stijl_renderer_stats(gpu, &stats);
  return stats.bands > 1;
}

// --- Single primitives ---

TEST(primitives) {
  static const int sizes[][2] = {{1, 1}, {33, 1}, {1, 67}, {61, 47}, {130, 75}};
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_renderer *cpu = scalar_renderer();
  stijl_matrix turn = stijl_matrix_multiply(stijl_matrix_rotate(33), stijl_matrix_skew(20, 0));
  for (int i = 0; i < PRIMITIVES; i++) {
    for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++) {
      stijl_filter *f = NULL;
      CHECK_INT(stijl_filter_create(NULL, &f), STIJL_OK);
      add_primitive(f, i, (i + s) & 1);
      stijl_scene *scene = filtered_under(f, s & 2 ? &turn : NULL, sizes[s][0], sizes[s][1]);
      compare(cpu, gpu, scene, sizes[s][0], sizes[s][1], "primitive", i);
      if (sizes[s][0] > 60 && !drew_surfaces(gpu)) sj_test_fail("primitive", i, "the CPU has drawn it");
      stijl_scene_destroy(scene);
      stijl_filter_destroy(f);
    }
  }
  stijl_renderer_destroy(gpu);
  stijl_renderer_destroy(cpu);
}

// Filters that are the same but for where they are, whose items are copied from those of the first.
TEST(same_filters) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_renderer *cpu = scalar_renderer();
  for (int first = 0; first < SAME_LAYERS && !sj_test_failed(); first += 8) {
    stijl_scene *scene = begin_scene();
    for (int i = 0; i < 64; i++) add_same_layer(scene, first + i / 8 < SAME_LAYERS ? first + i / 8 : 0, 6 + i % 8);
    CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
    stijl_irect all = {0, 0, 90, 90};
    if (draw(cpu, scene, 90, 90, all, expected) && draw(gpu, scene, 90, 90, all, got))
      same("same filters", first, 90, 90);
    if (!drew_surfaces(gpu)) sj_test_fail("same filters", first, "the CPU has drawn them");
    stijl_scene_destroy(scene);
  }
  stijl_renderer_destroy(gpu);
  stijl_renderer_destroy(cpu);
}

// Lines that several lanes share, by windows of both kinds, sums of both widths, and every edge.
TEST(long_blurs) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_renderer *cpu = scalar_renderer();
  static const float deviations[] = {2.0f, 19.4f, 20.0f, 34.5f, 100.0f, 130.0f};
  for (int i = 0; i < 12; i++) {
    stijl_filter *f = NULL;
    CHECK_INT(stijl_filter_create(NULL, &f), STIJL_OK);
    float deviation = deviations[i % 6];
    stijl_filter_blur(f, NULL, STIJL_FILTER_SOURCE, i & 1 ? 0 : deviation, i & 1 ? deviation : 0,
                      (stijl_filter_edge)(i < 6 ? STIJL_FILTER_EDGE_NONE : i % 3));
    int width = i & 1 ? 35 : MOST, height = i & 1 ? MOST : 35;
    stijl_scene *scene = filtered_scene(f, width, height);
    compare(cpu, gpu, scene, width, height, "long blur", i);
    stijl_scene_destroy(scene);
    stijl_filter_destroy(f);
  }
  stijl_renderer_destroy(gpu);
  stijl_renderer_destroy(cpu);
}

// Pictures that one workgroup blurs along both axes: weights, boxes of both kinds, one axis alone, black pictures,
// pictures too large for that, and what reads a moved and cut copy of its source.
TEST(small_blurs) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_renderer *cpu = scalar_renderer();
  static const float deviations[][2] = {{1.9f, 0.3f}, {2.0f, 2.0f}, {6, 6},  {2.6f, 0}, {0, 7.3f},
                                        {22, 1},      {23, 23},     {30, 5}, {0.1f, 30}};
  static const int sizes[][2] = {{1, 1}, {17, 16}, {40, 3}, {5, 90}, {75, 75}};
  for (int i = 0; i < 9 * 5; i++) {
    const float *d = deviations[i % 9];
    const int *size = sizes[i / 9];
    stijl_filter *f = NULL;
    CHECK_INT(stijl_filter_create(NULL, &f), STIJL_OK);
    stijl_filter_options o = STIJL_FILTER_OPTIONS_INIT;
    o.linear = i % 4 == 3;
    int source = STIJL_FILTER_SOURCE;
    if (i % 3 == 1) source = STIJL_FILTER_SOURCE_ALPHA;
    if (i % 3 == 2) source = stijl_filter_offset(f, NULL, source, 2, -1);
    int blurred = stijl_filter_blur(f, &o, source, d[0], d[1], STIJL_FILTER_EDGE_NONE);
    if (i & 1) stijl_filter_merge(f, NULL, (int[]){blurred, source}, 2);
    stijl_scene *scene = filtered_scene(f, size[0], size[1]);
    compare(cpu, gpu, scene, size[0], size[1], "small blur", i);
    stijl_scene_destroy(scene);
    stijl_filter_destroy(f);
  }
  stijl_renderer_destroy(gpu);
  stijl_renderer_destroy(cpu);
}

static stijl_scene *glowing_dots(int count, float size, bool twice) {
  stijl_scene *scene = begin_scene();
  for (int i = 0; i < count; i++) {
    stijl_filter *f = NULL;
    CHECK_INT(stijl_filter_create(NULL, &f), STIJL_OK);
    int soft = stijl_filter_blur(f, NULL, STIJL_FILTER_SOURCE_ALPHA, 3, 3, STIJL_FILTER_EDGE_NONE);
    stijl_filter_merge(f, NULL, (int[]){soft, STIJL_FILTER_SOURCE}, 2);
    stijl_layer layer = STIJL_LAYER_INIT;
    layer.filter = f;
    stijl_scene_push_layer(scene, &layer);
    if (twice) stijl_scene_push_layer(scene, &layer);
    add_ellipse(scene, (float)(i % 8) * 25 + 10, (float)(i / 8) * 25 + 10, size, size,
                (stijl_color){0.9f, 0.4f, 0.1f, 1});
    if (twice) stijl_scene_pop_layer(scene);
    stijl_scene_pop_layer(scene);
    stijl_filter_destroy(f);
  }
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  return scene;
}

// A frame with surfaces is one submission once there is room, and is repeated then; one that needs more is drawn batch
// by batch first.
TEST(one_submission) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_renderer *cpu = scalar_renderer();
  stijl_scene *scenes[] = {glowing_dots(3, 4, false), glowing_dots(64, 9, false), glowing_dots(64, 20, true)};
  for (int i = 0; i < 9; i++) {
    const stijl_scene *scene = scenes[i % 3];
    for (int again = 0; again < 2; again++) {
      memset(got, 0xcc, sizeof got);
      stijl_irect all = {0, 0, 200, 200};
      if (!draw(cpu, scene, 200, 200, all, expected) || !draw(gpu, scene, 200, 200, all, got)) break;
      same("scene", i, 200, 200);
    }
    stijl_render_stats stats = {.size = sizeof stats};
    stijl_renderer_stats(gpu, &stats);
    CHECK_INT(stats.submits, 1);
    CHECK_INT(stats.retries, 0);
    double us = 0;
    stijl_message message = {""};
    if (stijl_renderer_repeat(gpu, 3, &us, &message) != STIJL_OK) sj_test_fail("scene", i, "%s", message.text);
    stijl_renderer_stats(gpu, &stats);
    CHECK(us > 0 && stats.submits == 1);
  }
  for (int i = 0; i < 3; i++) stijl_scene_destroy(scenes[i]);
  stijl_renderer_destroy(gpu);
  stijl_renderer_destroy(cpu);
}

static void compare_random_layers(stijl_renderer *gpu, uint64_t count) {
  stijl_renderer *cpu = scalar_renderer();
  for (uint64_t n = 0; sj_test_cases(&n, count); n++) {
    sj_random r = sj_random_seed(n);
    stijl_scene *scene = begin_scene();
    random_shape(&r, scene);
    random_layer(&r, scene, 2);
    CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
    bool ok = compare(cpu, gpu, scene, 90, 90, "random layer", (int)n);
    stijl_scene_destroy(scene);
    if (!ok) break;
  }
  stijl_renderer_destroy(gpu);
  stijl_renderer_destroy(cpu);
}

TEST(random_layers) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  compare_random_layers(gpu, 160);
}

// Where what a frame needs at a time does not fit, passes go one after the other; where they do not fit either, the CPU
// draws.
TEST(little_room) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  static const char *const ranges[] = {"262144", "524288"};
  for (int i = 0; i < 2; i++) {
    sj_trial_set("range", ranges[i]);
    stijl_renderer *gpu = sj_test_gpu();
    sj_trial_set("range", NULL);
    compare_random_layers(gpu, 64);
  }
}

// A filter's source whose layers are deeper than the target's, and go through several batches.
TEST(deep_source) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  sj_trial_set("turns", "300");
  stijl_renderer *gpu = sj_test_gpu(), *cpu = scalar_renderer();
  sj_trial_set("turns", NULL);
  enum { DEPTH = 7, SIZE = 100 };
  stijl_filter *f = NULL;
  CHECK_INT(stijl_filter_create(NULL, &f), STIJL_OK);
  stijl_filter_blur(f, NULL, STIJL_FILTER_SOURCE, 2, 3, STIJL_FILTER_EDGE_NONE);
  stijl_scene *scene = begin_scene();
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.filter = f;
  stijl_scene_push_layer(scene, &layer);
  layer.filter = NULL;
  layer.opacity = 0.9f;
  sj_random r = sj_random_seed(7);
  for (int i = 0; i < DEPTH; i++) {
    stijl_scene_push_layer(scene, &layer);
    for (int k = 0; k < 90; k++)
      add_ellipse(scene, random_number(&r, 0, SIZE), random_number(&r, 0, SIZE), 9, 14, random_color(&r));
  }
  for (int i = 0; i < DEPTH; i++) {
    add_ellipse(scene, random_number(&r, 0, SIZE), random_number(&r, 0, SIZE), 20, 20, random_color(&r));
    stijl_scene_pop_layer(scene);
  }
  stijl_scene_pop_layer(scene);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  compare(cpu, gpu, scene, SIZE, SIZE, "deep source", 0);
  stijl_scene_destroy(scene);
  stijl_filter_destroy(f);
  stijl_renderer_destroy(gpu);
  stijl_renderer_destroy(cpu);
}

static stijl_filter *convolution(int size) {
  static float kernel[200 * 200];
  stijl_filter *f = NULL;
  stijl_filter_create(NULL, &f);
  for (int i = 0; i < size * size; i++) kernel[i] = i % 50 ? 0.0f : (float)(i % 7 - 2) * 0.01f;
  stijl_convolution c = STIJL_CONVOLUTION_INIT;
  c.kernel = kernel;
  c.columns = c.rows = size;
  stijl_filter_convolve(f, NULL, STIJL_FILTER_SOURCE, &c);
  return f;
}

static stijl_filter *merge_of(int count) {
  static int inputs[4000];
  stijl_filter *f = NULL;
  stijl_filter_create(NULL, &f);
  for (int i = 0; i < count; i++) inputs[i] = i % 2 ? STIJL_FILTER_SOURCE : STIJL_FILTER_SOURCE_ALPHA;
  stijl_filter_merge(f, NULL, inputs, (size_t)count);
  return f;
}

// The largest that a shader's loops can do, and what is beyond, which the CPU draws.
TEST(loops) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_renderer *cpu = scalar_renderer();
  stijl_filter *filters[] = {convolution(117), convolution(119), merge_of(1900), merge_of(2100)};
  for (int i = 0; i < 4; i++) {
    stijl_scene *scene = filtered_scene(filters[i], 20, 13);
    compare(cpu, gpu, scene, 20, 13, "loops", i);
    CHECK_INT(drew_surfaces(gpu), i % 2 == 0);
    stijl_scene_destroy(scene);
    stijl_filter_destroy(filters[i]);
  }
  stijl_renderer_destroy(gpu);
  stijl_renderer_destroy(cpu);
}

// Each command buffer's begin and end fails once: an error, and the next frames, with a filter and without, are right.
TEST(failing_commands) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  enum { SIZE = 40 };
  stijl_renderer *cpu = scalar_renderer();
  stijl_filter *f = NULL;
  CHECK_INT(stijl_filter_create(NULL, &f), STIJL_OK);
  // It does not read the source, so the filter is the first thing that is recorded. Commands begin and end once.
  stijl_rect region = {9, 9, 30, 25};
  stijl_filter_options options = STIJL_FILTER_OPTIONS_INIT;
  options.region = &region;
  int flood = stijl_filter_flood(f, &options, (stijl_color){0.8f, 0.1f, 0.3f, 0.7f});
  stijl_filter_blur(f, NULL, flood, 2, 3, STIJL_FILTER_EDGE_NONE);
  stijl_scene *scene = filtered_scene(f, SIZE, SIZE), *plain = begin_scene();
  add_ellipse(plain, 20, 20, 15, 9, (stijl_color){0.2f, 0.8f, 0.3f, 0.7f});
  CHECK_INT(stijl_scene_finish(plain), STIJL_OK);
  int number = 1;
  for (bool failed = true; failed && number < 40; number++) {
    char fault[32];
    snprintf(fault, sizeof fault, "recording%d", number);
    sj_trial_set("fault", fault);
    stijl_renderer *gpu = sj_test_gpu();
    sj_trial_set("fault", NULL);
    stijl_target target = STIJL_TARGET_INIT;
    target.width = target.height = SIZE;
    target.pixels = got;
    target.stride = SIZE * 4;
    failed = stijl_render(gpu, scene, &target, NULL, NULL) != STIJL_OK;
    if (failed) compare(cpu, gpu, plain, SIZE, SIZE, "after a failure", number);
    if (failed) compare(cpu, gpu, scene, SIZE, SIZE, "a filter after a failure", number);
    stijl_renderer_destroy(gpu);
  }
  CHECK(number > 3);
  stijl_scene_destroy(scene);
  stijl_scene_destroy(plain);
  stijl_filter_destroy(f);
  stijl_renderer_destroy(cpu);
}

// Many small shapes, each with a shadow: their sources are drawn together, and so are their filters.
TEST(many_small) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_renderer *cpu = scalar_renderer();
  enum { SIZE = 250, COUNT = 150 };
  stijl_filter *f = NULL;
  CHECK_INT(stijl_filter_create(NULL, &f), STIJL_OK);
  stijl_filter_drop_shadow(f, NULL, STIJL_FILTER_SOURCE, 1, 2, 2.5f, 2.5f, (stijl_color){0.1f, 0.2f, 0.6f, 0.8f});
  stijl_scene *scene = begin_scene();
  stijl_path *path = NULL, *clip = NULL;
  stijl_path_create(NULL, &path);
  stijl_path_create(NULL, &clip);
  sj_random r = sj_random_seed(11);
  for (int i = 0; i < COUNT; i++) {
    float x = random_number(&r, -10, SIZE), y = random_number(&r, -10, SIZE), size = random_number(&r, 3, 30);
    stijl_paint paint = stijl_paint_solid(random_color(&r));
    stijl_stop stops[2] = {{0.0f, random_color(&r)}, {1.0f, random_color(&r)}};
    if (i % 3) paint = stijl_paint_linear((stijl_point){x, y}, (stijl_point){x + size, y + size}, stops, 2);
    stijl_layer layer = STIJL_LAYER_INIT;
    layer.filter = f;
    stijl_scene_push_layer(scene, &layer);
    stijl_layer inner = STIJL_LAYER_INIT;
    inner.opacity = 0.8f;
    stijl_path_clear(clip);
    stijl_path_add_ellipse(clip, x + size / 2, y + size / 2, size / 2, size);
    if (i % 5 == 0) inner.clip = clip;
    if (i % 2) stijl_scene_push_layer(scene, &inner);
    stijl_path_clear(path);
    if (i % 4)
      stijl_path_add_rect(path, x, y, size, size * 0.7f);
    else
      stijl_path_add_ellipse(path, x, y, size, size / 3);
    stijl_matrix turned = stijl_matrix_rotate((float)(i % 7));
    if (i % 6) {
      stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, i % 11 ? NULL : &turned, &paint);
    } else {
      stijl_stroke stroke = STIJL_STROKE_INIT;
      stroke.width = size / 4;
      stijl_scene_stroke(scene, path, &stroke, NULL, &paint);
    }
    if (i % 2) stijl_scene_pop_layer(scene);
    stijl_scene_pop_layer(scene);
  }
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  compare(cpu, gpu, scene, SIZE, SIZE, "many small", 0);
  stijl_irect all = {0, 0, SIZE, SIZE};
  draw(gpu, scene, SIZE, SIZE, all, got);
  stijl_render_stats stats = {.size = sizeof stats};
  stijl_renderer_stats(gpu, &stats);
  CHECK_INT(stats.submits, 1);
  CHECK(stats.dispatches < 40);
  stijl_scene_destroy(scene);
  stijl_path_destroy(path);
  stijl_path_destroy(clip);
  stijl_filter_destroy(f);
  stijl_renderer_destroy(gpu);
  stijl_renderer_destroy(cpu);
}

// Surfaces of any size that need nothing of one another are drawn together.
TEST(many_large) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_renderer *cpu = scalar_renderer();
  enum { WIDTH = 700, HEIGHT = 80 };
  stijl_filter *f = NULL;
  CHECK_INT(stijl_filter_create(NULL, &f), STIJL_OK);
  stijl_filter_blur(f, NULL, STIJL_FILTER_SOURCE, 3, 2, STIJL_FILTER_EDGE_NONE);
  stijl_scene *scene = begin_scene();
  sj_random r = sj_random_seed(12);
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.filter = f;
  for (int i = 0; i < 9; i++) {
    stijl_scene_push_layer(scene, &layer);
    add_ellipse(scene, WIDTH / 2, (float)(9 * i), i % 3 ? WIDTH / 2 : 20, (float)(3 + i), random_color(&r));
    stijl_scene_pop_layer(scene);
  }
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  compare(cpu, gpu, scene, WIDTH, HEIGHT, "many large", 0);
  stijl_irect all = {0, 0, WIDTH, HEIGHT};
  draw(gpu, scene, WIDTH, HEIGHT, all, got);
  stijl_render_stats stats = {.size = sizeof stats};
  stijl_renderer_stats(gpu, &stats);
  CHECK_INT(stats.submits, 1);
  stijl_scene_destroy(scene);
  stijl_filter_destroy(f);
  stijl_renderer_destroy(gpu);
  stijl_renderer_destroy(cpu);
}

// Where the results of a pass' filters are too many for memory, each is painted before the next is made.
TEST(many_results) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  enum { WIDTH = 120, HEIGHT = 90 };
  stijl_renderer_params params = sj_test_gpu_params();
  params.max_layer_bytes = 8 * 128 * 112 * 4;
  stijl_renderer *gpu = NULL, *cpu = scalar_renderer();
  CHECK_INT(stijl_renderer_create(NULL, &params, &gpu, NULL), STIJL_OK);
  stijl_filter *f = NULL;
  CHECK_INT(stijl_filter_create(NULL, &f), STIJL_OK);
  stijl_filter_blur(f, NULL, STIJL_FILTER_SOURCE, 3, 2, STIJL_FILTER_EDGE_NONE);
  stijl_scene *scene = begin_scene();
  sj_random r = sj_random_seed(13);
  stijl_layer layer = STIJL_LAYER_INIT, group = STIJL_LAYER_INIT;
  layer.filter = f;
  group.opacity = 0.8f;
  group.blend = STIJL_BLEND_SCREEN;
  for (int i = 0; i < 14; i++) {
    if (i == 5) stijl_scene_push_layer(scene, &group);
    add_ellipse(scene, 60, (float)(7 * i), 30, 9, random_color(&r));
    stijl_scene_push_layer(scene, &layer);
    add_ellipse(scene, 60, 45, 70, 60, (stijl_color){0.1f, 0.7f, 0.4f, 0.05f});
    add_ellipse(scene, 50, (float)(9 * i), 40, (float)(3 + i), random_color(&r));
    stijl_scene_pop_layer(scene);
    if (i == 11) stijl_scene_pop_layer(scene);
  }
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  compare(cpu, gpu, scene, WIDTH, HEIGHT, "many results", 0);
  stijl_irect all = {0, 0, WIDTH, HEIGHT};
  draw(gpu, scene, WIDTH, HEIGHT, all, got);
  stijl_render_stats stats = {.size = sizeof stats};
  stijl_renderer_stats(gpu, &stats);
  CHECK(stats.submits > 14);
  stijl_scene_destroy(scene);
  stijl_filter_destroy(f);
  stijl_renderer_destroy(gpu);
  stijl_renderer_destroy(cpu);
}
