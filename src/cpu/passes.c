// Draws the surfaces that a scene's last pass samples, directly or through others.
#include "cpu/frame.h"
#include "image/image.h"

static void release(sj_encoded *encoded, uint32_t surface) {
  stijl_image **image = &encoded->all_images.data[encoded->scene_image_count + surface];
  stijl_image_destroy(*image);
  *image = NULL;
}

void sj_surfaces_finish(sj_encoded *encoded) {
  for (size_t i = 0; i < encoded->surfaces.count && encoded->all_images.count; i++) release(encoded, (uint32_t)i);
}

stijl_result sj_draw_surfaces(sj_frame *frame, sj_encoded *encoded, stijl_message *message) {
  frame->scene = encoded;
  frame->background = 0;
  frame->keep = false;
  stijl_result result = STIJL_OK;
  size_t released = 0;
  for (size_t i = 0; i + 1 < encoded->passes.count && result == STIJL_OK; i++) {
    const k_pass *pass = &encoded->passes.data[i];
    const k_surface *surface = &encoded->surfaces.data[pass->surface];
    stijl_image *image = sj_image_create_blank(frame->context, surface->width, surface->height, STIJL_FORMAT_RGBA8);
    if (!image) return sj_fail_memory(message);
    encoded->all_images.data[encoded->scene_image_count + pass->surface] = image;
    frame->pass = pass;
    frame->region = (stijl_irect){0, 0, surface->width, surface->height};
    frame->target = (stijl_target){.size = sizeof frame->target,
                                   .width = surface->width,
                                   .height = surface->height,
                                   .region = frame->region,
                                   .format = STIJL_FORMAT_RGBA8,
                                   .pixels = image->pixels,
                                   .stride = image->stride};
    result = sj_frame_render(frame, message);
    for (; released < encoded->released.count; released++) {
      uint32_t next = encoded->released.data[released];
      if (encoded->surfaces.data[next].last > i) break;
      release(encoded, next);
    }
  }
  return result;
}
