// The plans of filters, which frames keep and share.
#ifndef SJ_SCENE_ENCODE_PLAN_H
#define SJ_SCENE_ENCODE_PLAN_H

#include "scene/encoder.h"

// Finds the pixels of the filter's regions. Returns false if its plan cannot be shared.
bool sj_find_regions(sj_encoder *e, sj_open_filter *open);
// Begins a frame. The plans of the frame before stay, unless they are too many, or no other frame can use some of them.
void sj_begin_plans(sj_encoder *e);
// Returns a plan of the output that is to be made, which may use the memory of an older one, and sets *number to its
// number. Returns NULL when memory is short.
sj_filter_plan *sj_add_plan(sj_encoder *e, uint32_t *number);
// Finds or makes the plan of a filter that may share it, for this content and the wanted part of its result. Returns
// false when memory is short.
bool sj_find_plan(sj_encoder *e, const sj_open_filter *open, stijl_irect content, stijl_irect wanted, bool executed,
                  sj_filter_use *out);

#endif
