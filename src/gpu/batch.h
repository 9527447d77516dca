// Draws bands, batch by batch, in buffers that grow.
#ifndef SJ_GPU_BATCH_H
#define SJ_GPU_BATCH_H

#include "gpu/state.h"

// Sets the limits that depend on the band: the number of draws, whose sets bins have, and room to count the turns of
// each bin. Returns false when memory is out.
bool sj_limit_bins(sj_gpu *gpu, const sj_band *band, sj_batch_limits *limits);
// Renders a band; *split is set when it does not fit and must be cut into smaller ones.
stijl_result sj_run_band(sj_gpu *gpu, sj_band *band, sj_batch_limits *limits, bool *split, stijl_message *message);
// Renders a band whose draws the device encodes. *drawn is false where it has no room for them.
stijl_result sj_run_resident(sj_gpu *gpu, sj_band *band, const sj_batch_limits *limits, bool *drawn,
                             stijl_message *message);

#endif
