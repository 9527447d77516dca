// Resolves patterns.
#ifndef SJ_SVG_RESOLVE_PATTERN_H
#define SJ_SVG_RESOLVE_PATTERN_H

#include "svg/resolve/job.h"
#include "svg/resolve/paint.h"

// Resolves a pattern. `node` is that of the painted element; *depends is set where the result depends on its box.
// *source becomes the pattern whose children are drawn.
sj_server_result sj_resolve_pattern(sj_resolver *r, uint32_t pattern, const sj_resolve_frame *frame, uint32_t node,
                                    sj_tree_server *out, uint32_t *source, bool *depends);

#endif
