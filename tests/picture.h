// Renderers and pictures, for tests that draw.
#ifndef SJ_TEST_PICTURE_H
#define SJ_TEST_PICTURE_H

#include "stijl/stijl.h"
#include "test.h"

// Makes a renderer on the CPU; NULL where this machine or this build lacks the instruction set.
static inline stijl_renderer *sj_test_cpu(stijl_isa isa, int threads) {
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.isa = isa;
  params.threads = threads;
  stijl_renderer *renderer = NULL;
  if (stijl_isa_available(isa)) CHECK_INT(stijl_renderer_create(NULL, &params, &renderer, NULL), STIJL_OK);
  return renderer;
}

// Draws a region of a picture of width x height pixels of 4 bytes (RGBA8), all of which `pixels` has room for; what
// lies outside of the region stays. `params` NULL: the defaults. Where drawing fails the test has failed, and this is
// false.
static inline bool sj_test_draw(stijl_renderer *renderer, const stijl_scene *scene, int width, int height,
                                stijl_irect region, const stijl_render_params *params, void *pixels) {
  stijl_target target = STIJL_TARGET_INIT;
  target.width = width;
  target.height = height;
  target.region = region;
  target.pixels = (unsigned char *)pixels + ((ptrdiff_t)region.y0 * width + region.x0) * 4;
  target.stride = (size_t)width * 4;
  stijl_message message = {""};
  stijl_result result = stijl_render(renderer, scene, &target, params, &message);
  if (result != STIJL_OK) sj_test_fail(__FILE__, __LINE__, "%s", message.text);
  return result == STIJL_OK;
}

#endif
