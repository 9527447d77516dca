#include "lab/frames.h"

#include <math.h>
#include <string.h>

#include "render/renderer.h"

enum { MOST = 16, ROUNDS = 15, SLOW = 50 };  // a renderer that is SLOW times as slow as the first is not waited for

stijl_result sj_lab_renderer_create(sj_lab *lab, const sj_pipelines_change *change, stijl_renderer **out,
                                    stijl_message *message) {
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.backend = STIJL_BACKEND_VULKAN;
  params.threads = 1;
  params.device = lab->index;
  params.device_name = lab->params->device_name;
  return sj_renderer_create_changed(lab->context, &params, change, out, message);
}

stijl_result sj_lab_canvas_init(sj_lab *lab, int size, sj_lab_canvas *out) {
  size_t bytes = (size_t)size * (size_t)size * 4;
  stijl_budget_params hour = STIJL_BUDGET_PARAMS_INIT;
  hour.max_seconds = 3600;
  hour.max_work = UINT64_MAX;  // all frames share it
  *out = (sj_lab_canvas){.size = size};
  out->expected = sj_alloc(lab->context, bytes);
  out->pixels = sj_alloc(lab->context, bytes);
  if (!out->expected || !out->pixels) return sj_fail_memory(lab->message);
  return stijl_budget_create(lab->context, &hour, &out->budget);
}

void sj_lab_canvas_finish(sj_lab *lab, sj_lab_canvas *canvas) {
  stijl_budget_destroy(canvas->budget);
  sj_free(lab->context, canvas->expected);
  sj_free(lab->context, canvas->pixels);
  *canvas = (sj_lab_canvas){0};
}

stijl_result sj_lab_draw(sj_lab_canvas *canvas, stijl_renderer *renderer, const stijl_scene *scene, bool expected,
                         bool *same, stijl_message *message) {
  stijl_target target = STIJL_TARGET_INIT;
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  target.width = target.height = canvas->size;
  target.stride = (size_t)canvas->size * 4;
  target.pixels = expected ? canvas->expected : canvas->pixels;
  params.background = (stijl_color){1, 1, 1, 1};
  params.budget = canvas->budget;
  stijl_result result = stijl_render(renderer, scene, &target, &params, message);
  *same = result == STIJL_OK && memcmp(canvas->expected, target.pixels, target.stride * (size_t)canvas->size) == 0;
  return result;
}

stijl_result sj_lab_time_frames(sj_lab *lab, stijl_renderer *const *renderers, uint32_t count, sj_lab_estimate *out) {
  double times[MOST][ROUNDS];
  bool failed[MOST] = {false};
  double usual = 0;
  uint32_t rounds = lab->quick ? 5 : ROUNDS;
  if (count > MOST) return sj_fail(lab->message, STIJL_ERROR_LIMIT, "more than %d renderers at a time", MOST);
  stijl_result result = sj_lab_warm(lab);
  for (uint32_t n = 0; n < rounds; n++)
    for (uint32_t k = 0; k < count && result == STIJL_OK; k++) {
      stijl_message failure;
      uint32_t i = (n + k) % count;  // the first of a round takes turns, since it may run at another clock
      if (failed[i]) continue;
      // The first round begins with the first renderer, whose time the others are held against.
      double one = 0;
      if (!n) result = stijl_renderer_repeat(renderers[i], 1, &one, &failure);
      if (!n && !k) usual = one;
      if (result == STIJL_OK && i && one > SLOW * usual) failed[i] = true;
      if (failed[i]) continue;
      if (result == STIJL_OK) result = stijl_renderer_repeat(renderers[i], lab->quick ? 1 : 20, &times[i][n], &failure);
      failed[i] = i && result == STIJL_ERROR_DEVICE;
      if (failed[i]) result = STIJL_OK;
      if (result != STIJL_OK) *lab->message = failure;
    }
  for (uint32_t i = 0; i < count && result == STIJL_OK; i++) {
    const double none = (double)NAN;
    out[i] = (sj_lab_estimate){none, none, none};
    if (!failed[i]) sj_lab_median(times[i], rounds, &out[i].us, &out[i].low, &out[i].high);
  }
  return result;
}
