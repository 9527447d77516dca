// Draws whose lines are too many for a batch are painted in rounds: each flattens a part of the segments and adds their
// lines to sums of all bands, which are painted when no segments are left. So memory does not grow with the path, and
// each line is made once. Of high regions some bands are done after the others, since their sums take 8 bytes a pixel.
#ifndef SJ_CPU_ROUNDS_H
#define SJ_CPU_ROUNDS_H

#include "cpu/frame_data.h"

// Paints all bands with a batch of one draw whose lines are too many at a time. Returns false when memory is out or the
// budget is spent.
bool sj_paint_in_rounds(sj_frame *frame);

#endif
