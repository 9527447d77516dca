// Definitions that several elements refer to: each is resolved once, behind the picture.
#ifndef SJ_SVG_RESOLVE_DEFINITIONS_H
#define SJ_SVG_RESOLVE_DEFINITIONS_H

#include "svg/resolve/job.h"

// Finds what is known of an element for that viewport. If nothing is, makes an entry whose index is SJ_NONE and sets
// *made. Returns NULL on failure; the entry is valid until the next call.
sj_known *sj_know(sj_resolver *r, uint32_t element, float width, float height, bool *made);
// Removes the newest entry.
void sj_forget(sj_resolver *r);
// Begins the definition of an element, whose content is resolved later. Returns false on failure.
bool sj_define(sj_resolver *r, sj_content_kind kind, uint32_t element, uint32_t index, float width, float height,
               sj_definition *out);
// Resolves the content of all definitions, which may add more.
void sj_resolve_contents(sj_resolver *r);

#endif
