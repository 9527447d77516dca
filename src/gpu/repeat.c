// The last frame again, back to back, for measurements.
#include <string.h>

#include "gpu/filters.h"
#include "gpu/flight.h"
#include "gpu/record.h"
#include "gpu/state.h"
#include "gpu/submit.h"

// Records a frame again: all its batches, with the filters before them.
static void record_links(sj_gpu *gpu, VkCommandBuffer commands, uint32_t links, bool timed) {
  sj_chain *chain = &gpu->chain;
  for (uint32_t i = 0; i <= links; i++) {
    chain->count = i;
    sj_select_sets(gpu, i);
    const sj_link *link = &chain->links[i];
    if (links && timed && link->filters < link->filters_end)
      sj_vk_timer_begin(&gpu->vk, commands, &gpu->filters.timers[i]);
    if (links) sj_gpu_filters_record_runs(gpu, commands, link->filters, link->filters_end);
    if (links && timed && link->filters < link->filters_end) {
      sj_vk_stamp(&gpu->vk, commands, &gpu->filters.timers[i], 1);
      gpu->filters.timed[i] = true;
    }
    sj_record(gpu, commands, links ? &link->recorded : &gpu->recorded, SJ_ALL_STAGES, timed);
  }
  chain->count = 0;
  sj_select_sets(gpu, 0);
}

stijl_result sj_gpu_repeat(sj_gpu *gpu, uint32_t frames, double *us, stijl_message *message) {
  uint32_t links = gpu->chain.whole ? gpu->links : 0;
  if (gpu->batches != 1 + links)
    return sj_fail(message, STIJL_ERROR_INVALID_STATE, "the last frame took %u submissions, not one", gpu->batches);
  if (frames == 0) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no frames to repeat");
  stijl_result result = sj_flight_land(gpu, message);
  if (result == STIJL_OK && (gpu->crowded || !sj_is_bound(gpu, links)))
    result = sj_fail(message, STIJL_ERROR_INVALID_STATE, "the last frame had too little room: draw it again");
  // The application's buffer is its own again, and may be gone.
  if (result == STIJL_OK && gpu->recorded.direct) result = sj_bind_own_target(gpu, links, message);
  if (result != STIJL_OK) return result;
  VkCommandBuffer *list = sj_alloc_array(gpu->context, frames, sizeof *list);
  if (!list) return sj_fail_memory(message);
  uint32_t dispatches = gpu->dispatches;
  double before = gpu->latency_us;
  // Timestamps take some microseconds themselves, so one more frame is drawn for them.
  for (int timed = 0; timed < 2 && result == STIJL_OK; timed++) {
    VkCommandBuffer frame = gpu->commands.buffers[SJ_FRAME_COMMANDS];
    result = sj_vk_begin(&gpu->vk, frame, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, message);
    if (result != STIJL_OK) break;
    record_links(gpu, frame, links, timed);
    result = sj_vk_end(&gpu->vk, frame, message);
    for (uint32_t i = 0; i < frames; i++) list[i] = frame;
    double start = gpu->latency_us;
    if (result == STIJL_OK) result = sj_submit_list(gpu, list, timed ? 1 : frames, NULL, message);
    if (!timed) *us = (gpu->latency_us - start) / frames;
    gpu->submits--;
  }
  sj_free(gpu->context, list);
  gpu->latency_us = before;
  gpu->dispatches = dispatches;
  if (result != STIJL_OK) {
    sj_flight_reset(gpu);
    return result;
  }
  memset(gpu->stage_us, 0, sizeof gpu->stage_us);
  gpu->filters.us = gpu->encode_us = 0.0;
  sj_read_times(gpu);
  sj_gpu_filters_read_time(gpu);
  return STIJL_OK;
}
