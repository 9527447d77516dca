// Renders pictures during the conversion: what a scene cannot record is drawn at once, and recorded as an image.

#include "svg/convert.h"

// How large all pattern tiles and masks may be together that a scene holds as pictures.
#define MAX_RASTER_BYTES ((uint64_t)1 << 28)

bool sj_count_raster(sj_convert *c, uint64_t bytes) {
  c->raster_bytes += bytes;
  if (c->raster_bytes <= MAX_RASTER_BYTES) return true;
  sj_convert_fail(c, STIJL_ERROR_LIMIT, "pattern tiles and masks take more than %llu bytes",
                  (unsigned long long)MAX_RASTER_BYTES);
  return false;
}

unsigned char *sj_rasterise(sj_convert *c, const stijl_scene *scene, int width, int height,
                            const stijl_matrix *transform) {
  if (!c->renderer) {
    stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
    params.threads = 1;
    params.backend = STIJL_BACKEND_CPU;
    stijl_result result = stijl_renderer_create(c->context, &params, &c->renderer, c->message);
    if (result != STIJL_OK) {
      c->result = result;
      return NULL;
    }
  }
  size_t stride = (size_t)width * 4;
  unsigned char *pixels = sj_alloc_array(c->context, (size_t)height, stride);
  if (!pixels) {
    sj_convert_fail_memory(c);
    return NULL;
  }
  stijl_target target = {.size = sizeof target,
                         .width = width,
                         .height = height,
                         .format = STIJL_FORMAT_RGBA8,
                         .pixels = pixels,
                         .stride = stride};
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  if (transform) params.transform = *transform;
  stijl_result result = stijl_render(c->renderer, scene, &target, &params, c->message);
  if (result == STIJL_OK) return pixels;
  c->result = result;
  sj_free(c->context, pixels);
  return NULL;
}

bool sj_scene_begin(sj_convert *c, stijl_scene **outer) {
  stijl_scene *scene;
  if (!sj_convert_check(c, stijl_scene_create(c->context, NULL, &scene))) return false;
  *outer = c->scene;
  c->scene = scene;
  return true;
}

stijl_scene *sj_scene_end(sj_convert *c, stijl_scene *outer) {
  stijl_scene *scene = c->scene;
  c->scene = outer;
  stijl_result result = stijl_scene_finish(scene);
  if (c->result == STIJL_OK && result != STIJL_OK) sj_convert_fail(c, result, "%s", stijl_scene_message(scene));
  if (c->result == STIJL_OK) return scene;
  stijl_scene_destroy(scene);
  return NULL;
}
