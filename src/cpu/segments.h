// Flattens the segments of draws.
#ifndef SJ_CPU_SEGMENTS_H
#define SJ_CPU_SEGMENTS_H

#include "cpu/frame_data.h"

#define SJ_COUNT_LINES (1u << 16)  // how many lines are made, about, before it is looked whether they are too many

// Flattens a draw's segments, up to where their lines are more than `most`. Where it has many, the clock is read now
// and then. False without memory, or when the budget is spent.
bool sj_flatten_segments(const sj_frame *frame, const k_draw *draw, size_t most, sj_lines *lines, bool *past_right);

#endif
