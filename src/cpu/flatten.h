// Makes the lines of a batch's draws, in chunks that threads share, and sorts them by band.
#ifndef SJ_CPU_FLATTEN_H
#define SJ_CPU_FLATTEN_H

#include "cpu/frame_data.h"

// A batch of draws ends once its draws are guessed to make this many lines of 16 bytes: at the next draw where no layer
// is open; or, if there is none before the lines are twice as many, where the fewest layers are open.
// A draw that has more lines than this itself is painted in rounds (rounds.c).
#define SJ_BATCH_LINES (1u << 21)
// Returns how many lines a draw may have that is painted at once.
size_t sj_most_lines(const sj_frame *frame);
// Returns how many lines a draw makes, about.
uint32_t sj_guess_lines(const k_draw *draw);
// Returns what a draw takes to flatten, in units of about 8 ns.
size_t sj_draw_weight(const k_draw *draw);
// Cuts the batch into chunks of about equal work: several for each thread, so that all threads end at about the same
// time; a single thread gets one. Returns false when memory is out.
bool sj_make_chunks(sj_frame *frame);
// Flattens the draws of a chunk, a task (user: the frame). Where memory is out, or the budget is spent, the chunk's
// lines have failed; where there are too many for a batch, frame->overflow is set.
void sj_flatten_chunk(void *user, uint32_t chunk, int thread);
// Sorts a draw's lines, the last of the chunk's, by band. Returns false when memory is out or the budget is spent.
bool sj_sort_lines(sj_frame *frame, sj_chunk *chunk, sj_shape *shape, const sj_band_range *bands, sj_lines *sorted);
bool sj_reserve_chunks(sj_frame *frame, size_t count);

#endif
