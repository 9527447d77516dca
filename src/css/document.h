// A document made ready for matching.
#ifndef SJ_CSS_DOCUMENT_H
#define SJ_CSS_DOCUMENT_H

#include "dom/dom.h"

// False when memory is short: blooms for all atoms.
bool sj_css_document_bloom(stijl_css_document *d);
// Sets the states that the markup of a complete document tells, such as :checked. Returns false when memory is short.
bool sj_css_html_states(stijl_css_document *d);

#endif
