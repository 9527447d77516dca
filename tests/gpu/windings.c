// Every winding counts on the GPU as well: around few tiles, and in rows so wide that several workgroups add them up.
#include "../windings.h"

#include "base/trial.h"
#include "gpu/device.h"

static stijl_renderer *open_with(const char *name, const char *value) {
  if (name) sj_trial_set(name, value);
  stijl_renderer *renderer = sj_test_gpu();
  if (name) sj_trial_set(name, NULL);
  return renderer;
}

// Checks a frame twice, so that what it leaves behind shows.
static void check(stijl_renderer *gpu, const windings *w, const char *where) {
  static uint8_t pixels[WINDINGS_HEIGHT * WINDINGS_WIDTH * 4];
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  windings_draw(scene, w);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  for (int frame = 0; frame < 2; frame++) {
    windings_render(gpu, scene, WINDINGS_WIDTH, WINDINGS_HEIGHT, (stijl_irect){0}, pixels);
    windings_check(w, pixels, where);
  }
  stijl_scene_destroy(scene);
}

static const uint32_t counts[] = {16383, 16384, 32767, 32768, 65536, 65537};
enum { COUNTS = sizeof counts / sizeof *counts };

TEST(fills) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  for (int i = 0; i < COUNTS; i++)
    for (int rule = 0; rule < 2; rule++)
      for (int turn = 0; turn < WINDINGS_TURNS; turn++)
        check(gpu, &(windings){counts[i], (windings_turn)turn, false, (stijl_fill_rule)rule, false}, "GPU");
  stijl_renderer_destroy(gpu);
}

TEST(strokes) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  for (int i = 0; i < COUNTS; i++)
    check(gpu, &(windings){counts[i], WINDINGS_MIXED, true, STIJL_FILL_NONZERO, false}, "GPU");
  stijl_renderer_destroy(gpu);
}

TEST(runs) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  for (int i = 0; i < COUNTS; i++)
    for (int turn = 0; turn < WINDINGS_TURNS; turn++)
      check(gpu, &(windings){.count = counts[i], .turn = (windings_turn)turn, .run = true}, "GPU");
  stijl_renderer_destroy(gpu);
}

// Where the device cannot add 64 bits at a time.
TEST(narrow) {
  stijl_renderer *gpu = open_with("fault", "narrow");
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  for (int turn = 0; turn < WINDINGS_TURNS; turn++)
    check(gpu, &(windings){32768, (windings_turn)turn, false, STIJL_FILL_NONZERO, false}, "narrow");
  stijl_renderer_destroy(gpu);
}

// Where there is room for half of the edges at a time.
TEST(parts) {
  stijl_renderer *gpu = open_with("range", "800000");
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  check(gpu, &(windings){32768, WINDINGS_FORWARDS, true, STIJL_FILL_NONZERO, false}, "parts");
  stijl_render_stats stats = {.size = sizeof stats};
  stijl_renderer_stats(gpu, &stats);
  CHECK(stats.submits > 2);
  stijl_renderer_destroy(gpu);
}

// Rows of 44 tiles, of which windings begin and end in the first, in others, and not at all in most.
TEST(wide) {
  enum { WIDTH = 700, HEIGHT = 20, COUNT = 32768 };
  static uint8_t expected[HEIGHT * WIDTH * 4], pixels[HEIGHT * WIDTH * 4];
  stijl_renderer *gpu = sj_test_gpu(), *cpu = NULL;
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  CHECK_INT(stijl_renderer_create(NULL, NULL, &cpu, NULL), STIJL_OK);
  for (int rule = 0; rule < 2; rule++) {
    stijl_scene *scene = NULL;
    stijl_path *path = NULL;
    CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
    CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
    for (int i = 0; i < COUNT + 3; i++) {
      float from = i < COUNT ? 1.3f : 350.0f, to = i < COUNT ? 640.6f : 690.0f;
      stijl_path_add_rect(path, from, 14.2f, to - from, 3.5f);
    }
    // And backwards, but for two of them.
    for (int i = 0; i < COUNT - 2; i++) stijl_path_add_rect(path, 639.0f, 15.0f, -100.2f, 1.5f);
    stijl_paint paint = stijl_paint_solid((stijl_color){1, 0.5f, 0, 0.75f});
    stijl_scene_fill(scene, path, (stijl_fill_rule)rule, NULL, &paint);
    stijl_path_destroy(path);
    CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
    windings_render(cpu, scene, WIDTH, HEIGHT, (stijl_irect){0}, expected);
    for (int frame = 0; frame < 2; frame++) {
      windings_render(gpu, scene, WIDTH, HEIGHT, (stijl_irect){0}, pixels);
      for (int i = 0; i < WIDTH * HEIGHT; i++)
        if (memcmp(pixels + i * 4, expected + i * 4, 4) != 0) {
          sj_test_fail(__FILE__, __LINE__, "rule %d, frame %d: pixel %d, %d has %d, expected %d", rule, frame,
                       i % WIDTH, i / WIDTH, pixels[i * 4 + 3], expected[i * 4 + 3]);
          break;
        }
    }
    stijl_scene_destroy(scene);
  }
  stijl_renderer_destroy(cpu);
  stijl_renderer_destroy(gpu);
}

static uint64_t bytes_of(const stijl_renderer *gpu, const char *name) {
  stijl_render_stats stats = {.size = sizeof stats};
  stijl_renderer_stats(gpu, &stats);
  for (uint32_t i = 0; i < stats.buffer_count; i++)
    if (strcmp(stats.buffers[i].name, name) == 0) return stats.buffers[i].bytes;
  return 0;
}

// A path of so many lines that it might wind often, but whose lines are far from one another, has no long sums; once a
// transform brings them together it has, and without the first frame's pixels.
TEST(crowded) {
  enum { SIZE = 1024, COUNT = 40000 };
  stijl_renderer *gpu = sj_test_gpu(), *cpu = NULL;
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  uint8_t *expected = calloc(SIZE * SIZE, 4), *pixels = calloc(SIZE * SIZE, 4);
  CHECK(expected && pixels);
  CHECK_INT(stijl_renderer_create(NULL, NULL, &cpu, NULL), STIJL_OK);
  stijl_scene *scene = NULL;
  stijl_path *path = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  for (int i = 0; i < COUNT; i++) stijl_path_add_rect(path, (float)(i * 37 % 1000), (float)i / 40, 20.5f, 1.25f);
  stijl_paint paint = stijl_paint_solid((stijl_color){1, 0.5f, 0, 0.75f});
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
  stijl_path_destroy(path);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  const float squeezed[] = {1, 0.75f, 0.003f, 1};
  for (int i = 0; i < 4; i++) {
    stijl_target target = STIJL_TARGET_INIT;
    target.width = target.height = SIZE;
    target.stride = (size_t)SIZE * 4;
    stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
    params.transform = stijl_matrix_scale(1, squeezed[i]);
    target.pixels = expected;
    CHECK_INT(stijl_render(cpu, scene, &target, &params, NULL), STIJL_OK);
    target.pixels = pixels;
    CHECK_INT(stijl_render(gpu, scene, &target, &params, NULL), STIJL_OK);
    CHECK(memcmp(expected, pixels, (size_t)SIZE * SIZE * 4) == 0);
    if (i < 2) CHECK(bytes_of(gpu, "carries") < bytes_of(gpu, "sums") / 16);
    if (i == 2) CHECK_INT(bytes_of(gpu, "carries"), bytes_of(gpu, "sums"));
  }
  stijl_scene_destroy(scene);
  stijl_renderer_destroy(cpu);
  stijl_renderer_destroy(gpu);
  free(expected);
  free(pixels);
}
