// Draws by WebGPU: makes a frame's programs, which webgpu.js carries out. Only these functions use more than the
// library's public interface, which does not have what a GPU's stages read.
#include <stdlib.h>
#include <string.h>

#include "gpu/web.h"
#include "render/renderer.h"
#include "web.h"

typedef struct {
  stijl_renderer *renderer;  // it encodes the scenes
  sj_web *web;
  bool begun;
  sj_render_job job;
} web_gpu;

web_gpu *WEB(gpu_create)(stijl_renderer *renderer, double max_range, double max_layer_bytes, uint32_t first_tiles) {
  stijl_renderer_params defaults = STIJL_RENDERER_PARAMS_INIT;
  uint64_t layers = max_layer_bytes > 0 ? (uint64_t)max_layer_bytes : defaults.max_layer_bytes;
  web_gpu *gpu = calloc(1, sizeof *gpu);
  web_result = STIJL_ERROR_OUT_OF_MEMORY;
  if (gpu) web_result = sj_web_create(web_context, (uint64_t)max_range, layers, first_tiles, &gpu->web, &web_error);
  if (web_result == STIJL_OK) {
    gpu->renderer = renderer;
    return gpu;
  }
  free(gpu);
  return NULL;
}

int WEB(gpu_end)(web_gpu *gpu, int result) {
  if (!gpu->begun) return result;
  gpu->begun = false;
  if (result != STIJL_OK) sj_web_forget(gpu->web);
  return (int)sj_renderer_end(gpu->renderer, &gpu->job, (stijl_result)result, &web_error);
}

void WEB(gpu_destroy)(web_gpu *gpu) {
  if (!gpu) return;
  web_gpu_end(gpu, STIJL_OK);
  sj_web_destroy(gpu->web);
  free(gpu);
}

// Begins a frame, which gpu_end ends with its result.
int WEB(gpu_begin)(web_gpu *gpu, const stijl_scene *scene, int width, int height, int x0, int y0, int x1, int y1,
                   const stijl_matrix *transform, float r, float g, float b, float a, stijl_budget *budget) {
  stijl_target target = STIJL_TARGET_INIT;
  target.width = width;
  target.height = height;
  target.region = (stijl_irect){x0, y0, x1, y1};
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  if (transform) params.transform = *transform;
  params.background = (stijl_color){r, g, b, a};
  params.budget = budget;
  web_error.text[0] = 0;
  stijl_result result = sj_renderer_begin(gpu->renderer, scene, &target, &params, &gpu->job, &web_error);
  if (result != STIJL_OK) return (int)result;
  gpu->begun = true;
  if (!sj_web_draws_surfaces(gpu->web, gpu->job.scene))
    result = sj_renderer_surfaces(gpu->renderer, &gpu->job, &web_error);
  if (result == STIJL_OK) result = sj_web_begin(gpu->web, &gpu->job, &web_error);
  return result == STIJL_OK ? STIJL_OK : web_gpu_end(gpu, (int)result);
}

// Returns the next program; NULL on failure.
const sj_web_program *WEB(gpu_next)(web_gpu *gpu) {
  const sj_web_program *program = NULL;
  web_result = sj_web_next(gpu->web, &program, &web_error);
  return web_result == STIJL_OK ? program : NULL;
}

// Takes the words of g_needs that the device has counted. Returns 1 if there is another program, 0 if not, -1 if the
// frame has failed.
int WEB(gpu_told)(web_gpu *gpu, const uint32_t *needed) {
  g_needs needs;
  memcpy(&needs, needed, sizeof needs);
  bool again = false;
  web_result = sj_web_told(gpu->web, &needs, &again, &web_error);
  return web_result == STIJL_OK ? again : -1;
}

void WEB(gpu_pixels)(const web_gpu *gpu, const uint32_t *pixels, int format, void *out, size_t stride) {
  stijl_target target = STIJL_TARGET_INIT;
  target.format = (stijl_format)format;
  target.pixels = out;
  target.stride = stride;
  sj_web_pixels(gpu->web, pixels, &target);
}

void WEB(gpu_forget)(web_gpu *gpu) { sj_web_forget(gpu->web); }

// Leaves doubles in web_scratch: encode_ms, draws, batches, retries, surfaces.
void WEB(gpu_stats)(const web_gpu *gpu) {
  double *out = web_scratch(5 * sizeof *out);
  if (!out) return;
  stijl_render_stats encoding = {.size = sizeof encoding};
  stijl_renderer_stats(gpu->renderer, &encoding);
  sj_web_stats stats = sj_web_last_stats(gpu->web);
  out[0] = encoding.encode_ms;
  out[1] = stats.draws;
  out[2] = stats.batches;
  out[3] = stats.retries;
  out[4] = stats.surfaces;
}
