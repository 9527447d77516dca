// Adds draws and passes to the output.
#ifndef SJ_SCENE_ENCODE_PASSES_H
#define SJ_SCENE_ENCODE_PASSES_H

#include "scene/encoder.h"

// The work of a draw without any pixels. The approximate work of drawing is charged before drawing begins, so that
// every machine refuses the same scenes.
#define SJ_WORK_DRAW 64
// And of its segments and pixels.
#define SJ_WORK_SEGMENT 16
#define SJ_WORK_STROKE_SEGMENT 64
#define SJ_PIXELS_A_STEP 8

// Returns the place behind the draws of the pass; NULL when memory is out. What is made there is one of them when it is
// counted, without a copy.
k_draw *sj_next_draw(sj_encoder *e, uint32_t op);
bool sj_count_draw(sj_encoder *e);
// Puts a draw behind the others of the pass.
bool sj_push_draw(sj_encoder *e, const k_draw *draw);
// Adds one pass.
bool sj_add_entry(sj_encoder *e, k_pass pass, uint32_t order, bool kept);
// Adds the passes that draw out->draws from `first` on: one, or several where it is divided. `draws_at` is where these
// draws will be.
bool sj_add_passes(sj_encoder *e, uint32_t first, uint32_t draws_at, k_pass pass, bool kept);
// Removes the draws from `count` on.
void sj_drop_draws(sj_encoder *e, size_t count);
// Divides the pass here, if passes are divided. Returns false when memory is short.
bool sj_cut_here(sj_encoder *e);
// Returns whether the pass is divided among the draws from `first` on.
bool sj_is_divided(const sj_encoder *e, uint32_t first);

#endif
