// A document as flat arrays over its elements, in document order: what every engine reads. Indices, no pointers.
#ifndef SJ_CSS_DOCUMENT_H
#define SJ_CSS_DOCUMENT_H

#include "css/atoms.h"
#include "stijl/css.h"

#define SJ_NO_NODE UINT32_MAX

typedef struct sj_node_attribute {
  sj_atom space, name, value;
} sj_node_attribute;

// Flags of a node.
#define SJ_NODE_TEXT 1u  // holds character data
#define SJ_NODE_HTML 2u  // an HTML element of an HTML document

// A range of one of the pools below.
typedef struct sj_pool_range {
  uint32_t first, count;
} sj_pool_range;

struct stijl_css_document {
  stijl_context *context;
  stijl_css_limits limits;
  sj_atoms atoms;
  SJ_ARRAY(uint64_t) blooms;  // per atom: a bit for each pair of neighbouring bytes in lower case, see bloom.h
  SJ_ARRAY(sj_atom) folded;   // per atom: the same in lower case; only where a matcher needs them
  bool folding;
  bool html, quirks, finished;
  bool has_foreign;  // the document is HTML and holds elements of other namespaces
  stijl_result status;
  uint32_t count, depth, deepest;
  uint32_t open;  // the innermost open element while recording

  // Per element.
  SJ_ARRAY(uint32_t) parent, next, previous, first_child;
  SJ_ARRAY(uint32_t) end;             // one past the last descendant
  SJ_ARRAY(sj_atom) space, name, id;  // id: as selectors compare it; SJ_ATOM_NONE
  SJ_ARRAY(uint8_t) flags;
  SJ_ARRAY(uint64_t) states;
  SJ_ARRAY(sj_atom) language;          // in lower case, inherited; SJ_ATOM_NONE when unknown
  SJ_ARRAY(sj_pool_range) classes;     // of class_pool: sorted, each once
  SJ_ARRAY(sj_pool_range) attributes;  // of attribute_pool
  // Position among siblings, from 1, from either end, and among those of the same type.
  SJ_ARRAY(uint32_t) index, index_last, type_index, type_index_last;

  SJ_ARRAY(sj_atom) class_pool;
  SJ_ARRAY(sj_node_attribute) attribute_pool;

  // Names that recording and matching look for.
  sj_atom html_space, xml_space, name_id, name_class, name_lang;

  // Elements that were changed after the document was finished, in that order. Each matcher remembers how many of them
  // it has taken into account.
  SJ_ARRAY(uint32_t) changes;
};

// As stijl_css_document_begin and _attribute, with texts that need no NUL.
void sj_css_document_begin(stijl_css_document *d, const char *space, size_t space_length, const char *name,
                           size_t length);
void sj_css_document_attribute(stijl_css_document *d, const char *space, size_t space_length, const char *name,
                               size_t length, const char *value, size_t value_length);
void sj_css_document_fail(stijl_css_document *d, stijl_result result);

// Longer lists of attributes are sorted by name when the document is finished.
#define SJ_UNSORTED_ATTRIBUTES 8u

// Attributes of the element, among them all with that name, in whatever namespace: of a long list only these, else all.
static inline sj_pool_range sj_css_document_named(const stijl_css_document *d, uint32_t element, sj_atom name) {
  sj_pool_range range = d->attributes.data[element];
  if (range.count <= SJ_UNSORTED_ATTRIBUTES || !d->finished) return range;
  const sj_node_attribute *list = d->attribute_pool.data;
  uint32_t end = range.first + range.count;
  while (range.count) {
    uint32_t half = range.count / 2;
    if (list[range.first + half].name < name)
      range.first += half + 1, range.count -= half + 1;
    else
      range.count = half;
  }
  while (range.first + range.count < end && list[range.first + range.count].name == name) range.count++;
  return range;
}

// The value of the attribute of that name in no namespace; SJ_ATOM_NONE when there is none.
sj_atom sj_css_document_value(const stijl_css_document *d, uint32_t element, sj_atom name);
sj_atom sj_css_document_value_of(const stijl_css_document *d, uint32_t element, const char *name);
// False when memory is short: blooms for all atoms.
bool sj_css_document_bloom(stijl_css_document *d);
// Sets the states that the markup of a complete document tells, such as :checked. False when memory is short.
bool sj_css_html_states(stijl_css_document *d);

double sj_css_seconds(void);

#endif
