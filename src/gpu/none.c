// In place of the Vulkan backend in a build without it.
#include "gpu/gpu.h"

static stijl_result unsupported(stijl_message *message) {
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "this build has no Vulkan backend; use the CPU");
}

stijl_result sj_gpu_create(stijl_context *context, const stijl_renderer_params *params,
                           const stijl_vulkan_device *device, const sj_pipelines_change *change, sj_pool *threads,
                           sj_gpu **out, stijl_message *message) {
  *out = NULL;
  return unsupported(message);
}

void sj_gpu_destroy(sj_gpu *gpu) {}

bool sj_gpu_draws_surfaces(sj_gpu *gpu, const sj_encoded *scene) { return false; }

bool sj_gpu_encodes(sj_gpu *gpu, stijl_context *context, const stijl_scene *scene, stijl_matrix view,
                    stijl_irect region, sj_encoded *out) {
  return false;
}

stijl_result sj_gpu_render(sj_gpu *gpu, const sj_render_job *job, stijl_message *message) {
  return unsupported(message);
}

stijl_result sj_gpu_finish(sj_gpu *gpu, bool *painted, stijl_message *message) { return unsupported(message); }

void sj_gpu_stats(const sj_gpu *gpu, stijl_render_stats *stats) {}

const char *sj_gpu_name(const sj_gpu *gpu) { return ""; }

stijl_result sj_gpu_repeat(sj_gpu *gpu, uint32_t frames, double *us, stijl_message *message) {
  return unsupported(message);
}

stijl_result stijl_devices(stijl_context *context, stijl_device *devices, size_t capacity, size_t *count,
                           stijl_message *message) {
  if (count) *count = 0;
  return unsupported(message);
}

stijl_result stijl_vulkan_check(PFN_vkGetInstanceProcAddr get, VkInstance instance, VkPhysicalDevice device,
                                stijl_message *message) {
  return unsupported(message);
}

stijl_result stijl_vulkan_enable(void *features, stijl_message *message) { return unsupported(message); }
