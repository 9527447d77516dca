// Every winding counts on the GPU as well: around few tiles, and in rows so wide that several workgroups add them up.
#include "../windings.h"

#include "gpu/device.h"

static stijl_renderer *open_with(const char *name, const char *value) {
  if (name) setenv(name, value, 1);
  stijl_renderer *renderer = sj_test_gpu();
  if (name) unsetenv(name);
  return renderer;
}

// Twice, so that what a frame leaves behind shows.
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
  for (int i = 0; i < COUNTS; i++) check(gpu, &(windings){counts[i], WINDINGS_MIXED, true, STIJL_FILL_NONZERO, false}, "GPU");
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
  stijl_renderer *gpu = open_with("STIJL_VULKAN_FAULT", "narrow");
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  for (int turn = 0; turn < WINDINGS_TURNS; turn++)
    check(gpu, &(windings){32768, (windings_turn)turn, false, STIJL_FILL_NONZERO, false}, "narrow");
  stijl_renderer_destroy(gpu);
}

// Where there is room for half of the edges at a time.
TEST(parts) {
  stijl_renderer *gpu = open_with("STIJL_VULKAN_RANGE", "600000");
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
