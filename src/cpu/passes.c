#include "cpu/passes.h"

#include "cpu/frame.h"
#include "image/image.h"
#include "scene/watch.h"

static void release(sj_encoded *encoded, uint32_t surface) {
  stijl_image **image = &encoded->all_images.data[encoded->scene_image_count + surface];
  stijl_image_destroy(*image);
  *image = NULL;
}

void sj_surfaces_finish(sj_encoded *encoded) {
  for (size_t i = 0; i < encoded->surfaces.count && encoded->all_images.count; i++) release(encoded, (uint32_t)i);
}

static stijl_irect box_of(const k_surface *s) { return (stijl_irect){s->x, s->y, s->x + s->width, s->y + s->height}; }

static sj_surface surface_of(const sj_encoded *encoded, uint32_t number) {
  const stijl_image *image = encoded->all_images.data[encoded->scene_image_count + number];
  return (sj_surface){(uint32_t *)(void *)image->pixels, image->stride / sizeof(uint32_t),
                      box_of(&encoded->surfaces.data[number])};
}

static stijl_result run_filter(sj_frame *frame, const sj_encoded *encoded, const k_pass *pass, stijl_message *message) {
  sj_filter_plan plan;
  sj_filter_steps placed = {0};
  bool found = sj_encoded_plan(frame->context, encoded, pass, &placed, &plan);
  sj_surface *steps = found ? sj_alloc_zero(frame->context, plan.steps.count * sizeof *steps) : NULL;
  if (!steps) {
    sj_array_finish(frame->context, &placed);
    return sj_fail_memory(message);
  }
  for (size_t i = 0; i < plan.steps.count; i++) {
    const sj_filter_step *step = &plan.steps.data[i];
    if (step->kind == SJ_FILTER_SOURCE && step->item != SJ_FILTER_NO_STEP) steps[i] = surface_of(encoded, step->item);
  }
  frame->surfaces.max_bytes = frame->max_layer_bytes;
  frame->surfaces.limited = false;
  sj_filter_job job = {.plan = &plan,
                       .kernels = frame->kernels,
                       .pool = frame->pool,
                       .surfaces = &frame->surfaces,
                       .budget = encoded->budget,
                       .steps = steps,
                       .result = surface_of(encoded, pass->surface)};
  stijl_result result = sj_filter_execute(&job, message);
  sj_free(frame->context, steps);
  sj_array_finish(frame->context, &placed);
  return result;
}

static stijl_result draw_pass(sj_frame *frame, const k_surface *surface, const stijl_image *image,
                              stijl_message *message) {
  frame->region = box_of(surface);
  frame->target = (stijl_target){.size = sizeof frame->target,
                                 .width = surface->width,
                                 .height = surface->height,
                                 .region = frame->region,
                                 .format = STIJL_FORMAT_RGBA8,
                                 .pixels = image->pixels,
                                 .stride = image->stride};
  return sj_frame_render(frame, message);
}

stijl_result sj_draw_surfaces(sj_frame *frame, sj_encoded *encoded, uint32_t background, stijl_message *message) {
  frame->scene = encoded;
  stijl_result result = STIJL_OK;
  size_t released = 0;
  sj_watch_passes(encoded, NULL, 0, 0);
  for (size_t i = 0; i + 1 < encoded->passes.count && result == STIJL_OK; i++) {
    const k_pass *pass = &encoded->passes.data[i];
    const k_surface *surface = &encoded->surfaces.data[pass->surface];
    stijl_image **image = &encoded->all_images.data[encoded->scene_image_count + pass->surface];
    if (!*image) *image = sj_image_create_blank(frame->context, surface->width, surface->height, STIJL_FORMAT_RGBA8);
    if (!*image) return sj_fail_memory(message);
    frame->pass = pass;
    frame->background = pass->flags & K_PASS_BACKGROUND ? background : 0;
    frame->keep = pass->flags & K_PASS_CONTINUES;
    frame->clamp = false;
    result = pass->filter_use ? run_filter(frame, encoded, pass, message) : draw_pass(frame, surface, *image, message);
    sj_watch_passes(encoded, &(uint32_t){(uint32_t)i}, 1, 0);
    for (; released < encoded->released.count; released++) {
      uint32_t next = encoded->released.data[released];
      if (encoded->surfaces.data[next].last > i) break;
      release(encoded, next);
    }
  }
  return result;
}
