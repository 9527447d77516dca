// Draws bands, batch by batch, in buffers that grow.
#ifndef SJ_GPU_BATCH_H
#define SJ_GPU_BATCH_H

#include "gpu/state.h"

// Makes the first buffers, and grows them for what a frame needs, as far as the device's ranges allow.
stijl_result sj_grow_first(sj_gpu *gpu, stijl_message *message);
stijl_result sj_grow_to(sj_gpu *gpu, g_needs needed, stijl_message *message);
// Sets the limits that depend on the band: the number of draws, whose sets bins have, and room to count the turns of
// each bin. False: memory is out.
bool sj_limit_bins(sj_gpu *gpu, const sj_band *band, sj_batch_limits *limits);
// Renders a band; *split is set when it does not fit and must be cut into smaller ones.
stijl_result sj_run_band(sj_gpu *gpu, sj_band *band, sj_batch_limits *limits, bool *split, stijl_message *message);

#endif
