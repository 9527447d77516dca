// Glyph runs: a glyph is flattened once, and its instances are copies of its lines, moved.
#ifndef SJ_CPU_GLYPHS_H
#define SJ_CPU_GLYPHS_H

#include "cpu/frame_data.h"

// Appends the lines of a glyph run's instances, until they are more than `most`, and sets *box to their box in 24.8.
// Returns false when memory is out or the budget is spent.
bool sj_flatten_glyphs(const sj_frame *frame, sj_worker *worker, const k_run *run, bool far, size_t most,
                       sj_lines *lines, stijl_irect *box);
// Forgets the lines of glyphs.
void sj_forget_glyphs(sj_worker *worker);

#endif
