// Layers with filters, through the public interface: pictures are the same to the bit whole and in regions, on every
// instruction set, with 1 and 3 threads; nested, under every transform, with clips, masks, opacity and blend modes.
#include <stdlib.h>

#include "random_layer.h"
#include "test.h"

#define SIZE 90

static uint32_t expected[SIZE * SIZE], got[SIZE * SIZE];

static bool draw(const stijl_scene *scene, stijl_renderer *renderer, stijl_irect region, uint32_t *out) {
  stijl_target target = STIJL_TARGET_INIT;
  target.width = target.height = SIZE;
  target.region = region;
  target.pixels = out + region.y0 * SIZE + region.x0;
  target.stride = SIZE * 4;
  stijl_message message;
  stijl_result result = stijl_render(renderer, scene, &target, NULL, &message);
  if (result != STIJL_OK) sj_test_fail(__FILE__, __LINE__, "%s", message.text);
  return result == STIJL_OK;
}

static stijl_renderer *renderer_of(stijl_isa isa, int threads) {
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.isa = isa;
  params.threads = threads;
  stijl_renderer *renderer;
  return stijl_renderer_create(NULL, &params, &renderer, NULL) == STIJL_OK ? renderer : NULL;
}

static bool same(uint64_t n, const char *what) { return sj_test_same_pixels(n, what, got, expected, SIZE, SIZE); }

TEST(same_bits) {
  stijl_renderer *scalar = renderer_of(STIJL_ISA_SCALAR, 1), *best = renderer_of(STIJL_ISA_AUTO, 3);
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
