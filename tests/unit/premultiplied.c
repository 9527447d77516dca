// Pixels whose colour is above their alpha, which premultiplied ones never have: an image's are lowered to it where it
// is made, and a target's where it is kept and blended with. Every instruction set and the GPU draw the same bits.
#include <stdlib.h>

#include "gpu/device.h"
#include "isas.h"
#include "picture.h"
#include "random_layer.h"

enum { SIZE = 90, CASES = 200 };

static uint32_t expected[SIZE * SIZE], got[SIZE * SIZE], before[SIZE * SIZE];

// Returns any bytes; half of the alphas are the ends of the range.
static uint32_t random_pixel(sj_random *r) {
  uint32_t pixel = sj_random_u32(r), kind = sj_random_u32(r) % 4;
  return kind == 0 ? pixel | 0xff000000 : kind == 1 ? pixel & 0x00ffffff : pixel;
}

static stijl_image *random_image(sj_random *r, stijl_format format) {
  uint32_t pixels[16 * 16];
  int width = sj_random_int(r, 1, 17), height = sj_random_int(r, 1, 17);
  for (int i = 0; i < 16 * 16; i++) pixels[i] = random_pixel(r);
  stijl_image *image = NULL;
  CHECK_INT(stijl_image_create(NULL, width, height, format, pixels, 64, &image), STIJL_OK);
  return image;
}

static void random_fill(sj_random *r, stijl_scene *scene, const stijl_image *image) {
  stijl_path *path = NULL;
  stijl_path_create(NULL, &path);
  stijl_path_add_ellipse(path, 45, 45, random_number(r, 5, 60), random_number(r, 5, 60));
  stijl_paint paint = stijl_paint_image(image, (stijl_sampling)sj_random_int(r, 0, 3));
  paint.transform = random_matrix(r);
  paint.spread_x = (stijl_spread)sj_random_int(r, 0, 4);
  paint.spread_y = (stijl_spread)sj_random_int(r, 0, 4);
  if (!sj_random_int(r, 0, 3)) paint.opacity = random_number(r, 0, 1);
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
  stijl_path_destroy(path);
}

// Makes a scene of images, and layers of every blend mode and with filters, some of which read what lies below them.
static stijl_scene *random_scene(sj_random *r) {
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  for (int i = 0, count = sj_random_int(r, 1, 5); i < count; i++) {
    stijl_image *image = random_image(r, sj_random_int(r, 0, 2) ? STIJL_FORMAT_RGBA8 : STIJL_FORMAT_BGRA8);
    stijl_layer layer = STIJL_LAYER_INIT;
    layer.blend = (stijl_blend)sj_random_int(r, 0, STIJL_BLEND_PLUS_LIGHTER + 1);
    bool within = sj_random_int(r, 0, 3);
    if (within) stijl_scene_push_layer(scene, &layer);
    random_fill(r, scene, image);
    if (!sj_random_int(r, 0, 3)) random_layer(r, scene, 1);
    if (within) stijl_scene_pop_layer(scene);
    stijl_image_destroy(image);
  }
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  return scene;
}

static bool draw(stijl_renderer *renderer, const stijl_scene *scene, stijl_format format, bool keep, uint32_t *out) {
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.keep = keep;
  stijl_target target = STIJL_TARGET_INIT;
  target.width = target.height = SIZE;
  target.format = format;
  target.pixels = out;
  target.stride = SIZE * 4;
  memcpy(out, before, sizeof before);
  stijl_message message = {""};
  stijl_result result = stijl_render(renderer, scene, &target, &params, &message);
  if (result != STIJL_OK) sj_test_fail(__FILE__, __LINE__, "%s", message.text);
  return result == STIJL_OK;
}

static void compare(const char *name, stijl_renderer *renderer, uint64_t count) {
  stijl_renderer *scalar = sj_test_cpu(STIJL_ISA_SCALAR, 1);
  for (uint64_t n = 0; sj_test_cases(&n, count); n++) {
    sj_random r = sj_random_seed(n);
    stijl_scene *scene = random_scene(&r);
    for (int i = 0; i < SIZE * SIZE; i++) before[i] = random_pixel(&r);
    stijl_format format = n % 2 ? STIJL_FORMAT_BGRA8 : STIJL_FORMAT_RGBA8;
    bool keep = n / 2 % 2;
    if (draw(scalar, scene, format, keep, expected) && draw(renderer, scene, format, keep, got))
      sj_test_same_pixels(n, name, got, expected, SIZE, SIZE);
    stijl_scene_destroy(scene);
  }
  stijl_renderer_destroy(scalar);
}

TEST(sets) {
  EACH_ISA(isa, STIJL_ISA_SSE) {
    stijl_renderer *renderer = sj_test_cpu(isa, 2);
    compare(stijl_isa_name(isa), renderer, CASES);
    stijl_renderer_destroy(renderer);
  }
}

TEST(gpu) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  compare("gpu", gpu, CASES);
  stijl_renderer_destroy(gpu);
}
