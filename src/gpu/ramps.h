// Ramps of gradients that the device makes of their pieces: 16 KiB each need not be uploaded.
#ifndef SJ_GPU_RAMPS_H
#define SJ_GPU_RAMPS_H

#include "gpu/state.h"

extern const sj_vk_shader sj_ramp_shader;

void sj_ramps_init(sj_gpu *gpu);
// Returns whether the scene's ramps are better made by the device.
bool sj_ramps_are_many(const sj_gpu *gpu, const sj_encoded *scene);
// Writes the pieces of all ramps, to be made in SJ_RAMPS before the next commands: SJ_UPLOAD_RAMPS.
stijl_result sj_ramps_upload(sj_gpu *gpu, const sj_encoded *scene, stijl_message *message);
// Records the copy of what was written, where it takes one; and the dispatch.
void sj_ramps_record_copy(sj_gpu *gpu, VkCommandBuffer commands);
void sj_ramps_record(sj_gpu *gpu, VkCommandBuffer commands);
void sj_ramps_finish(sj_gpu *gpu);

#endif
