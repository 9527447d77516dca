// Gathers the declarations of every element in the order of the cascade: those of its attributes, and those of the
// rules that apply to it, which are stored once for all their elements.
#ifndef SJ_SVG_STYLE_CASCADE_H
#define SJ_SVG_STYLE_CASCADE_H

#include "svg/style/animation.h"

// Gathers the declarations of the document's elements, and of the copies that its use elements show, as far as they
// differ: their presentation attributes, the rules of `css` that `matcher` has found for them (a rule counts once,
// however many of its selectors match), and their style attributes; and replaces var(). `line` is the time that CSS
// animations are looked at, and learns their end. Values go on pointing into the texts of `css`. Both may be NULL where
// the document has neither rules nor var(). Copies of more than `max_elements` elements are an error.
stijl_result sj_document_cascade(sj_document *document, const stijl_css *css, const stijl_css_matcher *matcher,
                                 sj_timeline *line, uint32_t max_elements, stijl_message *message);

#endif
