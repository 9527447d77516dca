// Resolves hatches: strips of lines, as Inkscape writes them.
#ifndef SJ_SVG_RESOLVE_HATCH_H
#define SJ_SVG_RESOLVE_HATCH_H

#include "svg/resolve/job.h"
#include "svg/resolve/paint.h"

// Resolves a hatch to a pattern, whose tile is a piece of one strip. As sj_resolve_pattern.
sj_server_result sj_resolve_hatch(sj_resolver *r, uint32_t hatch, const sj_resolve_frame *frame, uint32_t node,
                                  sj_tree_server *out, uint32_t *source, bool *depends);
// Resolves what is in the tile.
void sj_hatch_content(sj_resolver *r, const sj_content *content, const sj_resolve_frame *frame);

#endif
