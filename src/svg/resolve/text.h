// Resolves text elements.
#ifndef SJ_SVG_RESOLVE_TEXT_H
#define SJ_SVG_RESOLVE_TEXT_H

#include "svg/resolve/job.h"

// Fills in a text node, with shapes below it. Returns false if it draws nothing and has no box.
bool sj_resolve_text(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t node);
// Adds all outlines of a text element in its user space. Returns false if there are none.
bool sj_text_path(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, stijl_path *path);

#endif
