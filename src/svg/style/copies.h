// The styles in the copies that use elements show (SVG 2, 5.6.3).
#ifndef SJ_SVG_STYLE_COPIES_H
#define SJ_SVG_STYLE_COPIES_H

#include "svg/style/cascade_data.h"

// Finds what matches in the copies of the elements that use elements show. The document's matcher has matched, and what
// only matching needs is still there.
stijl_result sj_match_copies(sj_document *document, stijl_message *message);
// Gathers the declarations in the copies whose styles differ from those of the originals, which are complete. Use
// elements with equal custom properties share the copy of an element.
stijl_result sj_gather_copies(sj_gatherer *gatherer, const stijl_css_matcher *matcher, uint32_t max_elements);

#endif
