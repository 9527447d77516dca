// The custom properties that use elements hand to elements of other files (SVG 2, 5.6.3).
#ifndef SJ_SVG_STYLE_HANDED_H
#define SJ_SVG_STYLE_HANDED_H

#include "svg/style/cascade_data.h"

// Returns whether an element is a use element that shows one of another file.
static inline bool sj_shows_file(const sj_document *document, uint32_t element) {
  if (document->nodes.data[element].element != SJ_ELEMENT_USE) return false;
  const sj_string *href = sj_document_attribute(document, element, SJ_ATTRIBUTE_HREF);
  return href && href->length && *href->text != '#';
}
// Notes what such an element hands over, where it stands in a copy (SJ_NO_COPY: in the document) and sees this scope.
// *any is set if that is something, else cleared.
stijl_result sj_hand_over(sj_gatherer *gatherer, uint32_t copy, uint32_t use, uint32_t scope, bool *any);
// Makes what the document was given that which its elements inherit. Returns false when memory is short.
bool sj_take_given(sj_gatherer *gatherer);

#endif
