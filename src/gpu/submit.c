// A submission: its commands, and the application's semaphores around them.
#include "gpu/submit.h"

#include "base/clock.h"
#include "gpu/ramps.h"

stijl_result sj_commands_begin(sj_gpu *gpu, VkCommandBuffer *out, stijl_message *message) {
  sj_vk *vk = &gpu->vk;
  *out = gpu->commands.buffers[SJ_FRAME_COMMANDS];
  if (!gpu->recording) {
    stijl_result result = sj_vk_begin(vk, *out, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, message);
    if (result != STIJL_OK) return result;
    gpu->recording = true;
  }
  if (gpu->upload) {
    sj_vk_barrier(vk, *out, SJ_VK_COMPUTE, SJ_VK_COPY);
    for (int i = 0; i < SJ_BUFFERS; i++)
      if (gpu->upload >> i & 1) sj_buffer_copy_staged(vk, *out, &gpu->buffers[i], gpu->buffers[i].bytes);
    if (gpu->upload & SJ_UPLOAD_RAMPS) sj_ramps_record_copy(gpu, *out);
    sj_vk_barrier(vk, *out, SJ_VK_COPY, SJ_VK_COMPUTE | SJ_VK_COPY);
    if (gpu->upload & SJ_UPLOAD_RAMPS) sj_ramps_record(gpu, *out);
    gpu->upload = 0;
  }
  return STIJL_OK;
}

stijl_result sj_commands_end(sj_gpu *gpu, stijl_message *message) {
  gpu->recording = false;
  return sj_vk_end(&gpu->vk, gpu->commands.buffers[SJ_FRAME_COMMANDS], message);
}

static void add_semaphores(const stijl_vulkan_semaphore *list, uint32_t count, VkSemaphore *semaphores,
                           uint64_t *values) {
  for (uint32_t i = 0; i < count; i++) {
    semaphores[i] = list[i].semaphore;
    values[i] = list[i].value;
  }
}

// Submits commands that wait for the semaphores that have yet to be waited for, and signal those of `frame`, if any.
VkResult sj_submit_with(sj_gpu *gpu, const VkCommandBuffer *commands, uint32_t count, const stijl_vulkan_frame *frame,
                        VkFence fence) {
  VkSemaphore waits[STIJL_VULKAN_MAX_SEMAPHORES], signals[STIJL_VULKAN_MAX_SEMAPHORES];
  uint64_t wait_values[STIJL_VULKAN_MAX_SEMAPHORES], signal_values[STIJL_VULKAN_MAX_SEMAPHORES];
  VkPipelineStageFlags stages[STIJL_VULKAN_MAX_SEMAPHORES];
  for (int i = 0; i < STIJL_VULKAN_MAX_SEMAPHORES; i++) stages[i] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  // Vulkan ignores the values of binary semaphores.
  VkTimelineSemaphoreSubmitInfo timelines = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                             .waitSemaphoreValueCount = gpu->wait ? gpu->wait->wait_count : 0,
                                             .pWaitSemaphoreValues = wait_values,
                                             .signalSemaphoreValueCount = frame ? frame->signal_count : 0,
                                             .pSignalSemaphoreValues = signal_values};
  VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                       .pNext = &timelines,
                       .waitSemaphoreCount = timelines.waitSemaphoreValueCount,
                       .pWaitSemaphores = waits,
                       .pWaitDstStageMask = stages,
                       .commandBufferCount = count,
                       .pCommandBuffers = commands,
                       .signalSemaphoreCount = timelines.signalSemaphoreValueCount,
                       .pSignalSemaphores = signals};
  if (gpu->wait) add_semaphores(gpu->wait->wait, gpu->wait->wait_count, waits, wait_values);
  if (frame) add_semaphores(frame->signal, frame->signal_count, signals, signal_values);
  VkResult result = sj_vk_submit(&gpu->vk, &info, fence);
  if (result == VK_SUCCESS) gpu->wait = NULL;
  return result;
}

VkResult sj_submit_wait(sj_gpu *gpu) {
  VkResult result = sj_vk_wait(&gpu->vk, gpu->commands.fence);
  gpu->in_flight = result == VK_TIMEOUT;
  return result;
}

stijl_result sj_submit_list(sj_gpu *gpu, const VkCommandBuffer *commands, uint32_t count,
                            const stijl_vulkan_frame *frame, stijl_message *message) {
  double start = sj_now_us();
  VkResult result = gpu->vk.ResetFences(gpu->vk.device, 1, &gpu->commands.fence);
  if (result == VK_SUCCESS) result = sj_submit_with(gpu, commands, count, frame, gpu->commands.fence);
  if (result == VK_SUCCESS && !frame)
    result = sj_submit_wait(gpu);
  else if (result == VK_SUCCESS)
    gpu->in_flight = true;
  if (!frame) gpu->latency_us += sj_now_us() - start;
  gpu->submits++;
  return result == VK_SUCCESS ? STIJL_OK : sj_vk_fail(message, result, "running a frame");
}

stijl_result sj_submit(sj_gpu *gpu, const stijl_vulkan_frame *frame, stijl_message *message) {
  stijl_result result = sj_commands_end(gpu, message);
  if (result != STIJL_OK) return result;
  return sj_submit_list(gpu, &gpu->commands.buffers[SJ_FRAME_COMMANDS], 1, frame, message);
}

VkResult sj_submit_signal(sj_gpu *gpu, const stijl_vulkan_frame *frame) {
  return sj_submit_with(gpu, NULL, 0, frame, VK_NULL_HANDLE);
}
