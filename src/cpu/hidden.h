// Finds what later opaque draws hide in a band before the band is painted, so that it need not be: of 200 large opaque
// rectangles over one another a thirtieth is seen.
//
// The band is divided into tiles, and its draws are looked at from the last to the first. Of each level of layers it is
// known which tiles are hidden: those that a draw behind has filled, in the same layer or below it. A draw is cut to
// the parts that are seen. So are the clearing and the painting of layers, and the clear of the band.
#ifndef SJ_CPU_HIDDEN_H
#define SJ_CPU_HIDDEN_H

#include "cpu/frame_data.h"

// Finds the parts of a band's draws that later ones hide. Returns false when memory is out.
bool sj_find_hidden(const sj_frame *frame, sj_worker *worker, uint32_t index, stijl_irect band);

#endif
