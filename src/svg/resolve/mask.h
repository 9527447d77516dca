// Resolves masks.
#ifndef SJ_SVG_RESOLVE_MASK_H
#define SJ_SVG_RESOLVE_MASK_H

#include "svg/resolve/job.h"

// Returns the mask in tree->masks that an element asks for; SJ_NONE for none. `node` is its node, or SJ_NONE where only
// a mask element can be meant.
uint32_t sj_resolve_mask(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node, const sj_mask_values *values);
// Returns whether the URL of a mask is that of a picture, rather than of a mask in some document.
bool sj_mask_is_picture(const char *url, size_t length);
// Returns the mask that a mask element is; SJ_NONE where the url names none, or on failure.
uint32_t sj_resolve_mask_element(sj_resolver *r, const sj_resolve_frame *frame, const char *url, size_t length);

#endif
