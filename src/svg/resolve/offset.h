// Places elements along an offset-path.
#ifndef SJ_SVG_RESOLVE_OFFSET_H
#define SJ_SVG_RESOLVE_OFFSET_H

#include "svg/resolve/job.h"

// Computes what offset-path and its kin add to the transform, which is about `origin`; percentages of offset-anchor are
// of `reference`. Returns false when there is nothing to add.
bool sj_offset_transform(sj_resolver *r, const sj_resolve_frame *frame, stijl_rect reference, stijl_point origin,
                         stijl_matrix *out);

#endif
