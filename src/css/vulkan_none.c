// In place of the engine for Vulkan in a build without it.
#include "css/engine.h"

stijl_result sj_css_vulkan_create(const sj_css_job *job, sj_pool *pool, int device, const char *name,
                                  sj_css_device_list *devices, sj_css_vulkan **out) {
  *out = NULL;
  return sj_fail(job->message, STIJL_ERROR_UNSUPPORTED, "this build has no Vulkan backend; use the CPU");
}

void sj_css_devices_close(sj_css_device_list *devices) {}

void sj_css_vulkan_destroy(sj_css_vulkan *vulkan) {}

stijl_result sj_css_vulkan_match(sj_css_vulkan *vulkan, const sj_css_job *job, const uint32_t *changes,
                                 size_t change_count, sj_css_result *result, stijl_css_stats *stats) {
  return sj_fail(job->message, STIJL_ERROR_UNSUPPORTED, "this build has no Vulkan backend");
}
