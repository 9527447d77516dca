// The plans of filters, which frames keep and share.
#ifndef SJ_SCENE_ENCODE_PLAN_H
#define SJ_SCENE_ENCODE_PLAN_H

#include "scene/encoder.h"

// Finds the pixels of the filter's regions. Returns false where its plan cannot be shared.
bool sj_find_regions(sj_encoder *e, sj_open_filter *open);
// Begins a frame: plans of the one before stay, unless they are too many, or some of them no other frame can have.
void sj_begin_plans(sj_encoder *e);
// Returns a plan of the output that is to be made, whose memory may be used again; its number. Returns NULL when memory
// is out.
sj_filter_plan *sj_add_plan(sj_encoder *e, uint32_t *number);
// Finds or makes the plan of a filter that shares it, for a content and what is wanted of its result. Returns false
// when memory is out.
bool sj_find_plan(sj_encoder *e, const sj_open_filter *open, stijl_irect content, stijl_irect wanted, bool executed,
                  sj_filter_use *out);

#endif
