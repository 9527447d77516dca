// The declarations of every element, in the order of the cascade: those of its attributes, and of the rules that apply
// to it, which all elements that they apply to share.
#ifndef SJ_SVG_STYLE_CASCADE_H
#define SJ_SVG_STYLE_CASCADE_H

#include "svg/parse/document.h"

// Gathers the declarations of the document's elements: their presentation attributes and style attributes and, among them,
// the rules of `css`, as matched by `matcher` with each rule's selectors counting once; and replaces var(). Values go on
// pointing into the texts of `css`. Both may be NULL, where the document has neither rules nor var().
stijl_result sj_document_cascade(sj_document *document, const stijl_css *css, const stijl_css_matcher *matcher,
                                 stijl_message *message);

#endif
