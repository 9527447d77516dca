// The tree of a document's elements, which src/svg draws and src/css matches selectors with. It is a set of flat arrays
// with one entry for each element, in document order. Elements refer to each other by index.
#ifndef SJ_DOM_DOM_H
#define SJ_DOM_DOM_H

#include "dom/atoms.h"
#include "stijl/css.h"

#define SJ_NO_NODE UINT32_MAX

typedef struct sj_node_attribute {
  sj_atom space, name;
  sj_atom value;  // an atom, or SJ_LOOSE | the index of a string in `loose`
} sj_node_attribute;

// Marks loose values. Most values of a drawing are never compared, so they are not interned when they are read.
// Matching interns them where a selector compares them.
#define SJ_LOOSE 0x80000000u

// Flags of an element.
#define SJ_NODE_TEXT 1u  // it holds character data
#define SJ_NODE_HTML 2u  // it is an HTML element of an HTML document

// A range of elements of one of the pools below.
typedef struct sj_pool_range {
  uint32_t first, count;
} sj_pool_range;

// A style sheet that a document for matching holds or names. The strings are the document's.
typedef struct sj_dom_sheet {
  char *href;     // NULL: `text` is the sheet
  char *text;     // UTF-8
  size_t bytes;   // of the text
  char *media;    // a media query list; NULL: all
  uint32_t line;  // of the document, where the text begins or the name stands
  bool applies;   // it is no alternative, and not disabled
} sj_dom_sheet;

typedef struct stijl_css_document sj_dom;

struct stijl_css_document {
  stijl_context *context;
  stijl_css_limits limits;
  sj_atoms atoms;
  SJ_ARRAY(sj_string) loose;  // loose values
  bool html, quirks;
  bool finished;        // stijl_css_document_finish has made what matching needs
  bool has_foreign;     // the document is HTML and holds elements of other namespaces
  stijl_result status;  // the first failure
  uint32_t count;       // elements
  uint32_t depth;       // open elements, while recording
  uint32_t deepest;     // the most that were open at a time
  uint32_t open;        // the innermost open element while recording

  // For each element. SJ_NO_NODE stands for none.
  SJ_ARRAY(uint32_t) parent, next, first_child;
  SJ_ARRAY(uint32_t) end;         // one past the last descendant
  SJ_ARRAY(sj_atom) space, name;  // the namespace's address, and the local name
  SJ_ARRAY(uint8_t) flags;
  SJ_ARRAY(sj_pool_range) attributes;  // in attribute_pool

  SJ_ARRAY(sj_node_attribute) attribute_pool;

  // Names that recording and matching look for.
  sj_atom html_space, xml_space, name_id, name_class, name_lang;

  // --- What only matching needs, for each element. stijl_css_document_finish makes it. ---
  SJ_ARRAY(uint32_t) previous;
  SJ_ARRAY(sj_atom) id;  // in the form that selectors compare; SJ_ATOM_NONE: it has none
  SJ_ARRAY(uint64_t) states;
  SJ_ARRAY(sj_atom) language;       // in lower case, inherited; SJ_ATOM_NONE: it is unknown
  SJ_ARRAY(sj_pool_range) classes;  // in class_pool, sorted, each class once
  // The element's position among its siblings, from 1: from the first, from the last, and the same among the siblings
  // of its type.
  SJ_ARRAY(uint32_t) index, index_last, type_index, type_index_last;

  SJ_ARRAY(sj_atom) class_pool;

  SJ_ARRAY(uint64_t) blooms;  // for each atom: a bit for each pair of neighbouring bytes in lower case (css/bloom.h)
  SJ_ARRAY(sj_atom) folded;   // for each atom: the atom of its text in lower case, if `folding`
  bool folding;               // a matcher needs `folded`

  // The elements that were changed after the document was finished, in the order of the changes. Each matcher remembers
  // how many of the changes it has taken into account.
  SJ_ARRAY(uint32_t) changes;

  SJ_ARRAY(sj_dom_sheet) sheets;  // in the order of the document (css/embedded.h)
};

void sj_dom_sheet_finish(stijl_context *context, sj_dom_sheet *sheet);

// Does what stijl_css_document_begin or stijl_css_document_attribute does, with texts that need no NUL.
void sj_dom_begin(sj_dom *d, const char *space, size_t space_length, const char *name, size_t length);
void sj_dom_attribute(sj_dom *d, const char *space, size_t space_length, const char *name, size_t length,
                      const char *value, size_t value_length);
// Does the same as sj_dom_attribute, but keeps the value as a loose one.
void sj_dom_attribute_loose(sj_dom *d, const char *space, size_t space_length, const char *name, size_t length,
                            const char *value, size_t value_length);
// Makes `result` the document's status, unless it has failed before.
void sj_dom_fail(sj_dom *d, stijl_result result);
// Frees what only matching needs. There must be no matcher any more.
void sj_dom_end_matching(sj_dom *d);

// Lists of more attributes than this are sorted by name when the document is finished.
#define SJ_UNSORTED_ATTRIBUTES 8u

// Narrows the element's attributes down to where those with this name are, whatever their namespace. The caller still
// has to compare names: only sorted lists are narrowed, others are returned whole.
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

// Returns the value of an attribute; SJ_ATOM_NONE when there is none.
static inline sj_atom sj_dom_value(const sj_dom *d, uint32_t element, sj_atom space, sj_atom name) {
  sj_pool_range range = sj_dom_named(d, element, name);
  const sj_node_attribute *a = sj_array_at(&d->attribute_pool, range.first);
  for (uint32_t i = 0; i < range.count; i++)
    if (a[i].name == name && a[i].space == space) return a[i].value;
  return SJ_ATOM_NONE;
}

// Returns the string of a value, which must not be SJ_ATOM_NONE. Its text stays where it is, but the sj_string may move
// when something is recorded or interned.
static inline const sj_string *sj_dom_string(const sj_dom *d, sj_atom value) {
  return value & SJ_LOOSE ? &d->loose.data[value & ~SJ_LOOSE] : &d->atoms.strings.data[value];
}

// Returns the value of the attribute with this name and no namespace; NULL when there is none.
const sj_string *sj_dom_get(const sj_dom *d, uint32_t element, const char *name);
// Sets or adds an attribute of a complete document; SJ_ATOM_NONE as its value removes it. Returns false when memory is
// short.
bool sj_dom_set(sj_dom *d, uint32_t element, sj_atom space, sj_atom name, sj_atom value);
// Returns the text as a loose value, without a copy: it has to stay as long as the value is used, with a NUL behind it.
sj_atom sj_dom_refer(sj_dom *d, const char *text, size_t length);

#endif
