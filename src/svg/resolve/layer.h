// Resolves what an element is drawn in a layer for.
#ifndef SJ_SVG_RESOLVE_LAYER_H
#define SJ_SVG_RESOLVE_LAYER_H

#include "svg/resolve/job.h"

// Gives the node its element's opacity, and the layer that blending, filter, clip path and mask ask for. `single` tells
// that it draws one draw or one node, which can take over the opacity.
void sj_resolve_layer(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node, bool single);
// Gives the node a layer for its clip path alone.
void sj_resolve_clip_layer(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node);

#endif
