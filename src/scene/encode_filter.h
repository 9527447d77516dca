// Encodes the filters of layers.
#ifndef SJ_SCENE_ENCODE_FILTER_H
#define SJ_SCENE_ENCODE_FILTER_H

#include "scene/encoder.h"

// Begins or ends a filter. What is drawn between the two becomes a pass of its own, the filter's source. `run` encodes
// runs of draws until no more than `runs` are left.
bool sj_begin_filter(sj_encoder *e, const sj_draw *push);
bool sj_end_filter(sj_encoder *e, bool (*run)(sj_encoder *e, size_t runs));
// Begins a level with layers whose filters read what is below them, which it looks for in the innermost run. Everything
// that is drawn before such a layer becomes a pass. The filter reads the surface of that pass, and the surface is
// painted where those draws would be, so that everything is drawn once.
bool sj_begin_gathering(sj_encoder *e);
// Ends that pass, where such a layer begins.
bool sj_end_gathering(sj_encoder *e);
// Turns the draws from `first` on into a surface, which is painted in their place. Layers that are open there thus do
// not have to wait for other passes.
bool sj_divide_level(sj_encoder *e, uint32_t first, uint32_t flags);

#endif
