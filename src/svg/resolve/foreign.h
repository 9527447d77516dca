// Resolves HTML in a foreignObject; src/svg/html does so.
#ifndef SJ_SVG_RESOLVE_FOREIGN_H
#define SJ_SVG_RESOLVE_FOREIGN_H

#include "svg/resolve/job.h"
#include "svg/resolve/resolve.h"

// Adds the nodes of what a foreignObject element holds; frame->style is its own.
void sj_resolve_foreign(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element);

// Draws the box around the document's root: what is below its content, which is to stand in *viewport, or (`above`) its
// outline. The frame is that of the root, and as large as the canvas.
void sj_resolve_root_box(sj_resolver *r, const sj_resolve_frame *frame, sj_viewport *viewport, bool above);

#endif
