// Records a batch's commands.
#ifndef SJ_GPU_RECORD_H
#define SJ_GPU_RECORD_H

#include "gpu/state.h"

void sj_bind(sj_gpu *gpu, const sj_band *band, const sj_frame_layout *layout);
// Returns whether a descriptor set has the buffers that there are: none has grown since it was written.
bool sj_is_bound(const sj_gpu *gpu, uint32_t number);
// Has fine draw into the renderer's own buffer from now on, where it has drawn into the application's.
stijl_result sj_bind_own_target(sj_gpu *gpu, uint32_t number, stijl_message *message);
#define SJ_STAGE_BIT(name) (1u << SJ_STAGE_##name)
#define SJ_ALL_STAGES ((1u << SJ_STAGES) - 1)
#define SJ_ENCODE_BIT (1u << SJ_STAGES)  // before them, where the device encodes the draws
#define SJ_FRAME_STAGES (SJ_ALL_STAGES | SJ_ENCODE_BIT)
// Records a batch, with the descriptor sets and timestamps of gpu->chain.count.
void sj_record(sj_gpu *gpu, VkCommandBuffer commands, const sj_recorded *frame, uint32_t stages, bool timed);
// Begins the commands, if they have not begun, and records what has to come before a batch's stages.
stijl_result sj_record_before(sj_gpu *gpu, sj_band *band, VkCommandBuffer *out, stijl_message *message);
// Records what has to come after a batch and, where it is the `last`, after the band's. An application's target that is
// drawn over is not written here, but once its pixels are known to be right.
void sj_record_after(sj_gpu *gpu, const sj_band *band, VkCommandBuffer commands, bool last);
// Copies the control to where the host reads it, which then knows what the stages so far have counted.
void sj_record_control(sj_gpu *gpu, VkCommandBuffer commands);
// Sets the number of edges to zero, between the parts of a batch.
void sj_clear_edges(sj_gpu *gpu, VkCommandBuffer commands);
// Returns whether a buffer is "fresh": some have to be zero between frames, which the stages see to, but when they are
// new, or when a frame has not run to its end, they are cleared before the next frame.
bool sj_any_fresh(const sj_gpu *gpu);
void sj_set_fresh(sj_gpu *gpu);   // a frame has not run to its end: they may not be zero
void sj_read_times(sj_gpu *gpu);  // of the batches that were recorded last with timestamps

#endif
