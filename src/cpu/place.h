// Decides where bands are painted: in the target, or in memory of their own, from which they are copied to it.
#ifndef SJ_CPU_PLACE_H
#define SJ_CPU_PLACE_H

#include "cpu/frame_data.h"

// Targets from this size on are stored past the cache: a band is painted in memory that stays in the cache, and then
// copied. Stores in place would have the processor load the target's lines first, for nothing. The tiger at 4096 px
// takes 0.73 of the time on a Sapphire Rapids core, 0.06 of them because copying a pixel also clears it; at 2048 px, 16
// MiB, it takes the same. But who encodes a PNG of it next takes a tenth longer for all: the caller tells
// (stijl_render_params).
#define SJ_STREAM_FROM (32 * 1024 * 1024)
// Decides where bands are painted: the first function as far as it is known before anything is flattened, the second
// for a batch that has been flattened.
void sj_begin_place(sj_frame *frame);
void sj_choose_place(sj_frame *frame);
// Returns how many pixels of a draw's box its lines paint, about, from the line `first` on.
uint64_t sj_painted(const sj_frame *frame, const sj_lines *lines, size_t first, stijl_irect box);

#endif
