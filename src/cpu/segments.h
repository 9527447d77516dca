// Flattens the segments of draws.
#ifndef SJ_CPU_SEGMENTS_H
#define SJ_CPU_SEGMENTS_H

#include "cpu/frame_data.h"

#define SJ_COUNT_LINES (1u << 16)  // how many lines are made, about, before it is looked whether they are too many

// Flattens a draw's segments, until they are more than `most` lines. Where it has many, the clock is read now and then.
// Returns false when memory is out or the budget is spent.
bool sj_flatten_segments(const sj_frame *frame, const k_draw *draw, size_t most, sj_lines *lines, bool *past_right);

#endif
