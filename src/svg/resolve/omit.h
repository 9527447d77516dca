// Warns of what a picture lacks of what its document asks for.
#ifndef SJ_SVG_RESOLVE_OMIT_H
#define SJ_SVG_RESOLVE_OMIT_H

#include "svg/resolve/job.h"

// What a picture can lack of what its document asks for.
typedef enum sj_omission {
  SJ_OMIT_TEXT,
  SJ_OMIT_GLYPH,
  SJ_OMIT_FAMILY,  // replaced by another: a notice
  SJ_OMIT_FILTER,
  SJ_OMIT_FOREIGN_OBJECT,
  SJ_OMIT_HTML,  // in a foreignObject
  SJ_OMIT_ANIMATION,
  SJ_OMIT_SCRIPT,
  SJ_OMIT_VALUE,
  SJ_OMIT_UNKNOWN_ELEMENT,
  SJ_OMIT_EXTERNAL,  // a reference to another document
  SJ_OMIT_ABSENT,    // an element that another document, which was read, lacks
  SJ_OMIT_PROPERTY,
  SJ_OMIT_TRANSFORM,
  SJ_OMIT_CLIP_PATH,
  SJ_OMIT_ATTRIBUTE,
  SJ_OMIT_PATH,
  SJ_OMIT_FILTER_INPUT,
  SJ_OMIT_COLOR_GLYPH,
  SJ_OMIT_MASK,  // that of a mask element, with more than a reference
  SJ_OMISSION_COUNT
} sj_omission;

// Logs a warning, once for each kind. `detail` is the name or value to tell; it may be empty.
void sj_omit(const sj_resolver *r, sj_omission what, const char *detail, size_t length);
// Logs a warning, once for each name.
void sj_omit_named(const sj_resolver *r, sj_omission what, const char *name, const char *detail, size_t length);
// Warns of the value of an attribute that is not understood, unless it asks for nothing.
void sj_omit_value(const sj_resolver *r, const char *name, const char *text, size_t length);
// Warns of the attribute if it is there and not `valid`, which is returned.
bool sj_understood(const sj_resolver *r, sj_name name, const sj_string *attribute, bool valid);
// Warns of an element that stijl does not draw, if it would be seen. `outer` is the frame that sj_resolve_element gets.
void sj_omit_element(sj_resolver *r, const sj_resolve_frame *outer, uint32_t element);
// Returns whether there are characters other than white space in the element.
bool sj_has_characters(const sj_document *document, uint32_t element);
// Warns of an element that a fill or stroke refers to, if stijl does not know such a paint server.
void sj_omit_paint(sj_resolver *r, uint32_t server);
// Warns of what counts wherever it is in the document, such as scripts.
void sj_omit_document(sj_resolver *r);
// Finds an element as sj_document_by_url or sj_document_by_href does, and warns of a reference to another document.
uint32_t sj_find_url(sj_resolver *r, const char *url, size_t length);
uint32_t sj_find_href(sj_resolver *r, uint32_t element);

#endif
