// Paints a band: goes through all draws that touch its rows, in painting order, on pixels that stay in the cache.
#ifndef SJ_CPU_BAND_H
#define SJ_CPU_BAND_H

#include "cpu/frame_data.h"

// Paints a band through the batch's draws. Returns false when memory is out or the budget is spent.
bool sj_paint_band(sj_frame *frame, uint32_t band, sj_worker *worker);
// Adds the chunks' lines to the sums of a band. Returns false when memory is out or the budget is spent.
bool sj_gather_band(sj_frame *frame, uint32_t band, sj_worker *worker);
size_t sj_cell_stride(size_t width);
size_t sj_touched_stride(size_t stride);
void sj_worker_finish(sj_worker *worker);

#endif
