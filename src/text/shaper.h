// HarfBuzz's face and font for shaping.
//
// HarfBuzz makes a plan for each combination of script, language and features, and keeps all of them as long as its
// face is open; hb_shape alone limits how far a text may grow, so plans cannot be kept elsewhere. So shaping has a face
// of HarfBuzz's of its own, which is closed, and opened anew, after so many plans.
#ifndef SJ_TEXT_SHAPER_H
#define SJ_TEXT_SHAPER_H

#include "text/face.h"

// Shapes the buffer, whose segment properties are set. The work of a new plan is charged to the context. Any thread may
// call this. Returns false when memory is short, which counts as a refusal of the font library, or the budget is spent.
bool sj_shaper_shape(sj_face *face, stijl_context *context, hb_buffer_t *buffer, uint32_t characters,
                     const hb_feature_t *features, unsigned feature_count);

// Frees what shaping with the face has kept. No thread may be shaping with it.
void sj_shaper_finish(sj_face *face);

#endif
