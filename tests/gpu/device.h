// The GPU that tests compare with the CPU: STIJL_TEST_DEVICE is the part of its name, its type or its index.
#ifndef SJ_TEST_DEVICE_H
#define SJ_TEST_DEVICE_H

#include <stdlib.h>
#include <string.h>

#include "stijl/stijl.h"
#include "test.h"

static inline stijl_renderer_params sj_test_gpu_params(void) {
  const char *device = getenv("STIJL_TEST_DEVICE");
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.backend = STIJL_BACKEND_VULKAN;
  params.threads = 1;
  if (device && *device >= '0' && *device <= '9')
    params.device = atoi(device);
  else
    params.device_name = device;
  return params;
}

// Makes a renderer; NULL where no device is asked for. A device that is asked for and cannot be opened ends the
// program.
static inline stijl_renderer *sj_test_gpu(void) {
  if (!getenv("STIJL_TEST_DEVICE")) return NULL;
  stijl_renderer_params params = sj_test_gpu_params();
  stijl_renderer *renderer = NULL;
  stijl_message message = {""};
  if (stijl_renderer_create(NULL, &params, &renderer, &message) != STIJL_OK) {
    fprintf(stderr, "STIJL_TEST_DEVICE: %s\n", message.text);
    exit(1);
  }
  return renderer;
}

// Returns whether the device has encoded the last frame.
static inline bool sj_test_gpu_has_encoded(const stijl_renderer *renderer) {
  stijl_render_stats stats = {.size = sizeof stats};
  stijl_renderer_stats(renderer, &stats);
  for (uint32_t i = 0; i < stats.stage_count; i++)
    if (strcmp(stats.stages[i].name, "encode") == 0) return true;
  return false;
}

#endif
