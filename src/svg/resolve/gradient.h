// Resolves gradients.
#ifndef SJ_SVG_RESOLVE_GRADIENT_H
#define SJ_SVG_RESOLVE_GRADIENT_H

#include "svg/resolve/job.h"
#include "svg/resolve/paint.h"

// Resolves a gradient as the paint of an element, whose frame is `frame`.
sj_server_result sj_resolve_gradient(sj_resolver *r, uint32_t gradient, const sj_resolve_frame *frame,
                                     sj_tree_server *out);

#endif
