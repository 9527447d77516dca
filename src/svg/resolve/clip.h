// Resolves clip paths.
#ifndef SJ_SVG_RESOLVE_CLIP_H
#define SJ_SVG_RESOLVE_CLIP_H

#include "svg/resolve/job.h"

// Adds what a clip-path value asks for to tree->clip_uses. Sets *needs_box if that depends on the node's box.
void sj_resolve_clip(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node, const sj_value_text *value,
                     bool *needs_box);
void sj_clip_content(sj_resolver *r, const sj_content *content, const sj_resolve_frame *frame);

#endif
