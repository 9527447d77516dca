// Wherever a target lies in memory, whatever its format, and whether it is painted in place, in a band of its own or
// past the cache: its pixels are the same, and nothing beside them is touched.
#include <string.h>

#include "cpu/place.h"
#include "isas.h"
#include "picture.h"
#include "render/renderer.h"

enum { MAX_WIDTH = 130, HEIGHT = 50, GAP = 24, BYTES = 64 + (MAX_WIDTH * 4 + GAP) * HEIGHT };

// Makes a scene of many large draws, for which targets whose rows lie badly are painted elsewhere, or of few.
static stijl_scene *make_scene(int draws) {
  stijl_scene *scene = NULL;
  stijl_path *path = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  for (int i = 0; i < draws; i++) {
    float f = (float)i;
    stijl_path_clear(path);
    stijl_path_add_ellipse(path, 60.0f + f, 25.0f - 2.0f * f, 70.0f - f, 30.0f);
    stijl_paint paint = stijl_paint_solid((stijl_color){0.05f * f, 0.9f, 1.0f - 0.04f * f, i % 3 ? 0.3f : 1.0f});
    stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
  }
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  stijl_path_destroy(path);
  return scene;
}

static void draw(stijl_renderer *renderer, const stijl_scene *scene, stijl_target target, bool keep) {
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.background = (stijl_color){0.2f, 0.4f, 0.1f, 0.5f};
  params.keep = keep;
  CHECK_INT(stijl_render(renderer, scene, &target, &params, NULL), STIJL_OK);
}

static void check(stijl_renderer *scalar, stijl_renderer *renderer, const stijl_scene *scene, stijl_format format,
                  int width, const char *what) {
  _Alignas(64) static uint8_t expected[BYTES], pixels[BYTES];
  static const size_t offsets[] = {0, 1, 4, 16, 60}, gaps[] = {0, 4, GAP};
  for (int i = 0; i < 10; i++) {
    size_t offset = offsets[i % 5];
    bool keep = i % 2;
    stijl_target target = STIJL_TARGET_INIT;
    target.width = width;
    target.height = HEIGHT;
    target.format = format;
    target.stride = (size_t)width * stijl_format_bytes(format) + gaps[i % 3];
    memset(expected, 0x55, sizeof expected);
    memset(pixels, 0x55, sizeof pixels);
    target.pixels = expected + offset;
    draw(scalar, scene, target, keep);
    target.pixels = pixels + offset;
    draw(renderer, scene, target, keep);
    if (memcmp(expected, pixels, sizeof expected))
      sj_test_fail(what, 0, "format %d, width %d, offset %d, stride %d%s", (int)format, width, (int)offset,
                   (int)target.stride, keep ? ", kept" : "");
  }
}

TEST(places) {
  static const int widths[] = {1, 5, 16, 47, 64, MAX_WIDTH};
  stijl_renderer *scalar = sj_test_cpu(STIJL_ISA_SCALAR, 1);
  sj_renderer_force_rows(scalar, 16);
  EACH_ISA(isa, STIJL_ISA_AUTO) {
    for (int streams = 0; streams < 2; streams++) {
      stijl_renderer *renderer = sj_test_cpu(isa, 1);
      sj_renderer_force_rows(renderer, 16);
      if (streams) sj_renderer_stream_from(renderer, 0);
      for (int draws = 3; draws <= 20; draws += 17) {
        stijl_scene *scene = make_scene(draws);
        for (int format = STIJL_FORMAT_RGBA8; format <= STIJL_FORMAT_A8; format++)
          for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
            check(scalar, renderer, scene, (stijl_format)format, widths[i], stijl_isa_name(isa));
        stijl_scene_destroy(scene);
      }
      stijl_renderer_destroy(renderer);
    }
  }
  stijl_renderer_destroy(scalar);
}

// One that is stored past the cache by itself.
TEST(large) {
  enum { WIDTH = 2900, ROWS = 2900 };
  static uint32_t expected[WIDTH * ROWS], pixels[WIDTH * ROWS + 2];
  stijl_renderer *in_place = sj_test_cpu(STIJL_ISA_AUTO, 1), *usual = sj_test_cpu(STIJL_ISA_AUTO, 2);
  sj_renderer_stream_from(in_place, SIZE_MAX);
  stijl_scene *scene = make_scene(20);
  stijl_irect all = {0, 0, WIDTH, ROWS};
  sj_test_draw(in_place, scene, WIDTH, ROWS, all, NULL, expected);
  for (int offset = 0; offset < 3; offset++) {
    stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
    params.reads = offset == 2;
    sj_test_draw(usual, scene, WIDTH, ROWS, all, &params, pixels + offset);
    CHECK(!memcmp(expected, pixels + offset, sizeof expected));
  }
  stijl_scene_destroy(scene);
  stijl_renderer_destroy(in_place);
  stijl_renderer_destroy(usual);
}
