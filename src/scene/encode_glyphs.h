// Encodes glyph runs.
#ifndef SJ_SCENE_ENCODE_GLYPHS_H
#define SJ_SCENE_ENCODE_GLYPHS_H

#include "scene/encoder.h"

// Gives a draw the instances of a run that can be seen within the limits. Their box becomes that of the draw, and is
// empty if there are none. `to_device` is the draw's transform. Returns false when memory is short or the budget is
// spent.
bool sj_encode_run(sj_encoder *e, const sj_glyph_run *run, stijl_matrix to_device, stijl_irect *limits, k_draw *out);
void sj_encode_glyphs_finish(sj_encoder *e);

#endif
