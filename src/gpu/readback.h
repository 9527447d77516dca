// Brings a band's pixels into the target's memory.
#ifndef SJ_GPU_READBACK_H
#define SJ_GPU_READBACK_H

#include "gpu/state.h"

stijl_result sj_readback_init(sj_vk *vk, sj_readback *readback, stijl_message *message);
void sj_readback_finish(sj_vk *vk, sj_readback *readback);
// Records the copies of a band's pixels: the first piece behind the frame's stages.
stijl_result sj_readback_record(sj_gpu *gpu, const sj_band *band, VkCommandBuffer frame, stijl_message *message);
// Submits the frame and then the copies, and waits; when the frame had room, its pixels are in the caller's memory.
stijl_result sj_readback_run(sj_gpu *gpu, const sj_band *band, stijl_message *message);

#endif
