// Resolves markers.
#ifndef SJ_SVG_RESOLVE_MARKER_H
#define SJ_SVG_RESOLVE_MARKER_H

#include "svg/resolve/job.h"

bool sj_has_markers(const sj_resolver *r, const sj_style *style, uint32_t element);
// Adds the markers of a shape to tree->marks.
void sj_resolve_markers(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t geometry,
                        sj_range *out);
void sj_marker_content(sj_resolver *r, const sj_content *content, const sj_resolve_frame *frame);

#endif
