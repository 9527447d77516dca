// Filters while draws are encoded.
#ifndef SJ_SCENE_ENCODE_FILTER_H
#define SJ_SCENE_ENCODE_FILTER_H

#include "scene/encoder.h"

// These begin and end a filter. What is drawn between the two becomes a pass of its own, the filter's source. `run`
// encodes runs of draws until no more than `runs` are left.
bool sj_begin_filter(sj_encoder *e, const sj_draw *push);
bool sj_end_filter(sj_encoder *e, bool (*run)(sj_encoder *e, size_t runs));
// Where a level begins whose layers' filters read what is below them: all up to each of these layers becomes a pass,
// whose surface the filter reads, and which is painted where its draws would be. So everything is drawn once. Looks for
// these layers in the innermost run.
bool sj_begin_gathering(sj_encoder *e);
// Where such a layer begins.
bool sj_end_gathering(sj_encoder *e);
// The draws from `first` on become a surface, which is painted in their place; layers that are open there do not have
// to wait for other passes so.
bool sj_divide_level(sj_encoder *e, uint32_t first, uint32_t flags);

#endif
