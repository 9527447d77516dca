// Batches of a frame that are submitted together.
#ifndef SJ_GPU_CHAIN_H
#define SJ_GPU_CHAIN_H

#include "gpu/state.h"

// Begins a chain, if the frame before tells that all batches have room.
stijl_result sj_chain_open(sj_gpu *gpu, const sj_render_job *job, stijl_message *message);
// Records a batch that is submitted together with those behind it.
stijl_result sj_chain_add(sj_gpu *gpu, sj_band *band, stijl_message *message);
// Notes what the batch at work is recorded from, so that sj_gpu_repeat can record it again.
void sj_chain_note(sj_gpu *gpu);
void sj_chain_close(sj_gpu *gpu);

#endif
