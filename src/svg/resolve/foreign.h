// Resolves HTML in a foreignObject; src/svg/html does so.
#ifndef SJ_SVG_RESOLVE_FOREIGN_H
#define SJ_SVG_RESOLVE_FOREIGN_H

#include "svg/resolve/job.h"

// Adds the nodes of what a foreignObject element holds; frame->style is its own.
void sj_resolve_foreign(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element);

#endif
