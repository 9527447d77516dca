// The parsed document: elements in document order, their attributes, declarations and text. Read-only once parsed.
//
// The shape is that of a flat tree: an element is an index, ancestors come before descendants, and a subtree is the
// range [element, end of element). A style engine can match selectors on it and hand in further declarations.
#ifndef SJ_SVG_DOCUMENT_H
#define SJ_SVG_DOCUMENT_H

#include <stdint.h>

#include "base/array.h"
#include "stijl/css.h"
#include "stijl/svg.h"
#include "svg/arena.h"
#include "svg/names.h"

#define SJ_NO_ELEMENT UINT32_MAX
// max_depth is never taken for more than this: the walk through a document uses the thread's stack.
#define SJ_MAX_DEPTH 1024

typedef enum sj_namespace {
  SJ_NAMESPACE_NONE,
  SJ_NAMESPACE_SVG,
  SJ_NAMESPACE_XLINK,
  SJ_NAMESPACE_XML,
  SJ_NAMESPACE_OTHER
} sj_namespace;

typedef struct sj_attribute {
  uint16_t name;        // sj_name; SJ_NAME_UNKNOWN unless in no namespace, or href of XLink
  uint16_t namespace_;  // sj_namespace
  const char *local;    // the local name
  const char *value;    // NUL-terminated
  size_t length;
} sj_attribute;

// What sets a property of an element. The order of an element's declarations is that of the cascade, a later one wins:
// presentation attributes, then the rules of style sheets, then the style attribute; then what is important, in the
// same order.
typedef struct sj_declared {
  uint16_t name;  // sj_name: a property or a geometry property
  bool important;
  const char *value;
  size_t length;
} sj_declared;

typedef struct sj_node {
  uint32_t parent, first_child, next_sibling;  // SJ_NO_ELEMENT: none
  uint32_t end;                                // one past the last descendant
  uint32_t first_attribute, attribute_count;
  uint32_t first_declared, declared_count;
  uint32_t presentation_count;  // how many of them, the first, are presentation attributes
  uint16_t element;     // sj_element
  uint16_t namespace_;  // sj_namespace
  bool preserve_space;  // xml:space
  const char *local;    // the local name
} sj_node;

// A piece of character data: the child of `parent` that stands before the element `before` (which may lie outside the
// parent, or be one past the last element of the document).
typedef struct sj_text {
  uint32_t parent, before;
  const char *data;
  size_t length;
} sj_text;

typedef struct sj_id {
  const char *text;
  uint32_t length, element;
} sj_id;

typedef struct sj_document {
  stijl_context *context;
  sj_arena arena;
  SJ_ARRAY(sj_node) nodes;  // document order; 0 is the root, an SVG svg element
  SJ_ARRAY(sj_attribute) attributes;
  SJ_ARRAY(sj_declared) declared;
  SJ_ARRAY(sj_text) texts;  // document order
  struct stijl_css *css;  // style sheets that declarations point into; may be NULL
  sj_id *ids;               // sorted: no choice of ids makes the search slow
  size_t id_count;
  bool has_blend;  // some element has a blend mode: isolation can show
} sj_document;

// Parses SVG or gzipped SVG. On failure the document is as after sj_document_finish.
stijl_result sj_document_parse(sj_document *document, stijl_context *context, const void *data, size_t bytes,
                               const stijl_svg_limits *limits, stijl_message *message);
void sj_document_finish(sj_document *document);

// NULL when absent.
const sj_attribute *sj_document_attribute(const sj_document *document, uint32_t element, sj_name name);
// The value that the cascade gives a geometry property: from the style attribute, or else the attribute of that name.
// False when neither is there.
bool sj_document_geometry(const sj_document *document, uint32_t element, sj_name name, const char **text,
                          size_t *length);
// The first element with this id, or SJ_NO_ELEMENT.
uint32_t sj_document_by_id(const sj_document *document, const char *id, size_t length);
// The element that a reference within the document ("#id") names, or SJ_NO_ELEMENT.
uint32_t sj_document_by_url(const sj_document *document, const char *url, size_t length);
// By href, SVG's own before XLink's; SJ_NO_ELEMENT when absent or not within the document.
uint32_t sj_document_by_href(const sj_document *document, uint32_t element);
bool sj_document_is_ancestor_or_self(const sj_document *document, uint32_t ancestor, uint32_t element);

// Part of parsing: makes sj_document_by_id work. False when memory is short.
bool sj_document_index_ids(sj_document *document);

// Seconds from some fixed moment, for the time limits.
double sj_seconds(void);

#endif
