// Plans a batch, and writes what its stages read.
#ifndef SJ_GPU_PREPARE_H
#define SJ_GPU_PREPARE_H

#include "gpu/state.h"

// Plans what a batch is recorded from; it cannot be drawn where layers->fits is false.
stijl_result sj_plan_batch(sj_gpu *gpu, const sj_band *band, const sj_batch *batch, sj_layer_plan *layers,
                           stijl_message *message);
// Gets its memory and pipelines, and writes its arrays.
stijl_result sj_prepare_batch(sj_gpu *gpu, const sj_band *band, const sj_batch *batch, const sj_layer_plan *layers,
                              stijl_message *message);
// Writes what the stages read of a batch, or of a part of it.
stijl_result sj_write_batch(sj_gpu *gpu, const sj_band *band, const sj_batch *batch, stijl_message *message);

#endif
