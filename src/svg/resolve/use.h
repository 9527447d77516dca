// Resolves use elements, symbols and nested viewports.
#ifndef SJ_SVG_RESOLVE_USE_H
#define SJ_SVG_RESOLVE_USE_H

#include "svg/resolve/job.h"
#include "svg/resolve/resolve.h"

void sj_resolve_use(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element);
// Returns the copy of `target` that a use element shows; `frame` is the use element's own.
uint32_t sj_shown_copy(const sj_resolver *r, const sj_resolve_frame *frame, uint32_t use, uint32_t target);
// Resolves the content of an svg or symbol element in its viewport.
void sj_resolve_in_viewport(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element,
                            const sj_viewport *viewport);
// Applies x and y of a use element, which move what it shows. Returns false if the result is not finite.
bool sj_translate_use(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, stijl_matrix *matrix);

#endif
