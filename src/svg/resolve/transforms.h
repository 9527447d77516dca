// The transforms of elements.
#ifndef SJ_SVG_RESOLVE_TRANSFORMS_H
#define SJ_SVG_RESOLVE_TRANSFORMS_H

#include "svg/resolve/job.h"

// Computes the element's own transform with its origin, from the attribute of that name or the properties. Percentages
// and the origin refer to `reference`. Returns false if the result draws nothing.
bool sj_own_transform(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, sj_name name,
                      stijl_rect reference, stijl_matrix *out);
// Returns whether the element's transform is relative to its object bounding box.
bool sj_transform_needs_box(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element);
// Returns the viewport as a reference for these.
stijl_rect sj_view_reference(const sj_resolve_frame *frame);

#endif
