// Submits commands, and waits.
#ifndef SJ_GPU_SUBMIT_H
#define SJ_GPU_SUBMIT_H

#include "gpu/state.h"

// Begins the commands of the next submission, with uploads of the scene where there are any.
stijl_result sj_commands_begin(sj_gpu *gpu, VkCommandBuffer *out, stijl_message *message);
stijl_result sj_commands_end(sj_gpu *gpu, stijl_message *message);
// Ends the commands and submits them. Without `frame` the call waits for the submission; with it, the submission is
// left in flight and signals the frame's semaphores.
stijl_result sj_submit(sj_gpu *gpu, const stijl_vulkan_frame *frame, stijl_message *message);
// Submits these.
stijl_result sj_submit_list(sj_gpu *gpu, const VkCommandBuffer *commands, uint32_t count,
                            const stijl_vulkan_frame *frame, stijl_message *message);
// Does the same without waiting: the caller waits for the fence.
VkResult sj_submit_with(sj_gpu *gpu, const VkCommandBuffer *commands, uint32_t count, const stijl_vulkan_frame *frame,
                        VkFence fence);
VkResult sj_submit_wait(sj_gpu *gpu);
// Submits nothing but the signals of the frame's semaphores.
VkResult sj_submit_signal(sj_gpu *gpu, const stijl_vulkan_frame *frame);

#endif
