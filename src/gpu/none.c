// In place of the Vulkan backend in a build without it.
#include "gpu/gpu.h"

stijl_result sj_gpu_create(stijl_context *context, const stijl_renderer_params *params, sj_gpu **out,
                           stijl_message *message) {
  *out = NULL;
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "this build has no Vulkan backend; use the CPU");
}

void sj_gpu_destroy(sj_gpu *gpu) {}

stijl_result sj_gpu_render(sj_gpu *gpu, const sj_gpu_job *job, stijl_message *message) {
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "this build has no Vulkan backend");
}

void sj_gpu_stats(const sj_gpu *gpu, stijl_render_stats *stats) {}

const char *sj_gpu_name(const sj_gpu *gpu) { return ""; }

stijl_result sj_gpu_repeat(sj_gpu *gpu, uint32_t frames, double *us, stijl_message *message) {
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "this build has no Vulkan backend");
}

stijl_result stijl_devices(stijl_context *context, stijl_device *devices, size_t capacity, size_t *count,
                           stijl_message *message) {
  if (count) *count = 0;
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "this build has no Vulkan backend");
}
