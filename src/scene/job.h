// What a backend draws: a region of a frame.
#ifndef SJ_SCENE_JOB_H
#define SJ_SCENE_JOB_H

#include "scene/encode.h"
#include "stijl/render.h"
#include "stijl/vulkan.h"

typedef struct sj_render_job {
  const sj_encoded *scene;  // encoded for `region`; its surfaces have been drawn, unless the device draws them
  stijl_target target;      // memory to draw into, unless the application's Vulkan target is given:
  const stijl_vulkan_target *vulkan_target;
  const stijl_vulkan_frame *frame;  // how the frame is submitted; NULL: the call waits for it
  stijl_irect region;               // of the target, filled in
  uint32_t background;              // premultiplied
  bool keep;
  bool clamp;  // whether what the target holds is clamped first (sj_clamp_row), because the scene blends with it
  stijl_budget *budget;
  // Encodes `scene`, whose draws the device was to encode, after all; called with `user`.
  stijl_result (*encode)(void *user, stijl_message *message);
  void *user;
} sj_render_job;

#endif
