// A document made ready for matching.
#ifndef SJ_CSS_DOCUMENT_H
#define SJ_CSS_DOCUMENT_H

#include "dom/dom.h"

// Makes blooms for all atoms. Returns false when memory is short.
bool sj_css_document_bloom(stijl_css_document *d);
// Sets the languages of an element and all below it, for one that inherits this.
void sj_css_set_languages(stijl_css_document *d, uint32_t root, sj_atom inherited);
sj_atom sj_css_inherited_language(const stijl_css_document *d, uint32_t e);
// Sets the states that the markup of a complete document tells, such as :checked. Returns false when memory is short.
bool sj_css_html_states(stijl_css_document *d);

#endif
