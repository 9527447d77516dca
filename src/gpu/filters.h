// Draws a frame's filters.
#ifndef SJ_GPU_FILTERS_H
#define SJ_GPU_FILTERS_H

#include "gpu/state.h"

// Makes ready for the frame's filters: pipelines, items, bindings.
stijl_result sj_gpu_filters_begin(sj_gpu *gpu, stijl_message *message);
// Records the filters of a level, to be submitted before the next batch.
stijl_result sj_gpu_filters_record(sj_gpu *gpu, uint64_t level, stijl_message *message);
// Records some runs of filters, with barriers around.
void sj_gpu_filters_record_runs(sj_gpu *gpu, VkCommandBuffer commands, size_t first, size_t end);
// Ends what is recorded of filters, if anything.
void sj_gpu_filters_end(sj_gpu *gpu, VkCommandBuffer commands);
// Adds what the last submission's took, which has been waited for.
void sj_gpu_filters_read_time(sj_gpu *gpu);
void sj_gpu_filters_finish(sj_gpu *gpu);

#endif
