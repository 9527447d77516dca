// The tree of a document's elements as flat arrays over them, in document order: what src/svg draws and what src/css
// matches. Indices, no pointers.
#ifndef SJ_DOM_DOM_H
#define SJ_DOM_DOM_H

#include "dom/atoms.h"
#include "stijl/css.h"

#define SJ_NO_NODE UINT32_MAX

typedef struct sj_node_attribute {
  sj_atom space, name;
  sj_atom value;  // an atom, or with SJ_LOOSE a string of `loose`, which matching interns where a selector compares it
} sj_node_attribute;

#define SJ_LOOSE 0x80000000u

// Flags of a node.
#define SJ_NODE_TEXT 1u  // holds character data
#define SJ_NODE_HTML 2u  // an HTML element of an HTML document

// A range of one of the pools below.
typedef struct sj_pool_range {
  uint32_t first, count;
} sj_pool_range;

typedef struct stijl_css_document sj_dom;

struct stijl_css_document {
  stijl_context *context;
  stijl_css_limits limits;
  sj_atoms atoms;
  SJ_ARRAY(sj_string) loose;
  bool html, quirks, finished;
  bool has_foreign;  // the document is HTML and holds elements of other namespaces
  stijl_result status;
  uint32_t count, depth, deepest;
  uint32_t open;  // the innermost open element while recording

  // Per element.
  SJ_ARRAY(uint32_t) parent, next, first_child;
  SJ_ARRAY(uint32_t) end;  // one past the last descendant
  SJ_ARRAY(sj_atom) space, name;
  SJ_ARRAY(uint8_t) flags;
  SJ_ARRAY(sj_pool_range) attributes;  // of attribute_pool

  SJ_ARRAY(sj_node_attribute) attribute_pool;

  // Names that recording and matching look for.
  sj_atom html_space, xml_space, name_id, name_class, name_lang;

  // --- What matching needs besides, per element: stijl_css_document_finish makes it. ---
  SJ_ARRAY(uint32_t) previous;
  SJ_ARRAY(sj_atom) id;  // as selectors compare it; SJ_ATOM_NONE
  SJ_ARRAY(uint64_t) states;
  SJ_ARRAY(sj_atom) language;       // in lower case, inherited; SJ_ATOM_NONE when unknown
  SJ_ARRAY(sj_pool_range) classes;  // of class_pool: sorted, each once
  // Position among siblings, from 1, from either end, and among those of the same type.
  SJ_ARRAY(uint32_t) index, index_last, type_index, type_index_last;

  SJ_ARRAY(sj_atom) class_pool;

  SJ_ARRAY(uint64_t) blooms;  // per atom: a bit for each pair of neighbouring bytes in lower case, see bloom.h
  SJ_ARRAY(sj_atom) folded;   // per atom: the same in lower case; only where a matcher needs them
  bool folding;

  // Elements that were changed after the document was finished, in that order. Each matcher remembers how many of them
  // it has taken into account.
  SJ_ARRAY(uint32_t) changes;
};

// As stijl_css_document_begin and _attribute, with texts that need no NUL.
void sj_dom_begin(sj_dom *d, const char *space, size_t space_length, const char *name, size_t length);
void sj_dom_attribute(sj_dom *d, const char *space, size_t space_length, const char *name, size_t length,
                      const char *value, size_t value_length);
// As sj_dom_attribute, but the value is loose: for documents most of whose values no selector will compare.
void sj_dom_attribute_loose(sj_dom *d, const char *space, size_t space_length, const char *name, size_t length,
                            const char *value, size_t value_length);
void sj_dom_fail(sj_dom *d, stijl_result result);
// Frees what matching needs besides. No matcher may be left.
void sj_dom_end_matching(sj_dom *d);

// Longer lists of attributes are sorted by name when the document is finished.
#define SJ_UNSORTED_ATTRIBUTES 8u

// Attributes of the element, among them all with that name, in whatever namespace: of a long list only these, else all.
static inline sj_pool_range sj_dom_named(const sj_dom *d, uint32_t element, sj_atom name) {
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

// The value of an attribute; SJ_ATOM_NONE when there is none.
static inline sj_atom sj_dom_value(const sj_dom *d, uint32_t element, sj_atom space, sj_atom name) {
  sj_pool_range range = sj_dom_named(d, element, name);
  const sj_node_attribute *a = sj_array_at(&d->attribute_pool, range.first);
  for (uint32_t i = 0; i < range.count; i++)
    if (a[i].name == name && a[i].space == space) return a[i].value;
  return SJ_ATOM_NONE;
}

// The text of a value, other than SJ_ATOM_NONE. It stays where it is; the sj_string only until more is recorded or
// interned.
static inline const sj_string *sj_dom_string(const sj_dom *d, sj_atom value) {
  return value & SJ_LOOSE ? &d->loose.data[value & ~SJ_LOOSE] : &d->atoms.strings.data[value];
}

// The value of the attribute of that name in no namespace; NULL when there is none.
const sj_string *sj_dom_get(const sj_dom *d, uint32_t element, const char *name);
// Sets or adds an attribute of a complete document, or removes it: value SJ_ATOM_NONE. False when memory is short.
bool sj_dom_set(sj_dom *d, uint32_t element, sj_atom space, sj_atom name, sj_atom value);
// A copy of the text as a loose value; SJ_ATOM_NONE when memory is short.
sj_atom sj_dom_keep(sj_dom *d, const char *text, size_t length);

#endif
