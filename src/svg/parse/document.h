// The parsed document: the tree of its elements and their attributes (dom/dom.h), what they are to SVG, their
// declarations, and text. Read-only once styled.
//
// The tree is flat: an element is an index, ancestors come before descendants, and a subtree is the range
// [element, end of element). Selectors are matched on the same tree.
#ifndef SJ_SVG_PARSE_DOCUMENT_H
#define SJ_SVG_PARSE_DOCUMENT_H

#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"
#include "dom/dom.h"
#include "stijl/svg.h"
#include "svg/parse/names.h"

#define SJ_NO_ELEMENT SJ_NO_NODE
// The most that max_depth can be, because the walk through a document uses the thread's stack.
#define SJ_MAX_DEPTH 1024

// What sets a property of an element. The order of an element's declarations is that of the cascade, a later one wins:
// presentation attributes, then the rules of style sheets, then the style attribute; then what is important, in the
// same order.
typedef struct sj_declared {
  uint16_t name;  // sj_name: a property or a geometry property
  bool important;
  const char *value;
  size_t length;
} sj_declared;

// Consecutive declarations: those of an element's attributes, or those of a rule, which many elements may share.
typedef struct sj_declared_run {
  uint32_t first, count;
} sj_declared_run;

// What SVG knows of an element besides the tree.
typedef struct sj_node {
  uint16_t element;               // sj_element
  bool is_svg;                    // in SVG's namespace
  bool preserve_space;            // xml:space
  uint32_t first_run, run_count;  // of `cascade`: the element's declarations; none before sj_document_cascade
  uint32_t work;                  // steps of the budget that looking at its attributes takes, roughly
} sj_node;

// A piece of character data: the child of `parent` that stands before the element `before` (which may lie outside the
// parent, or be one past the last element of the document).
typedef struct sj_text {
  uint32_t parent, before;
  const char *data;
  size_t length;
} sj_text;

// What stands in <?xml-stylesheet ...?> before the root.
typedef struct sj_sheet_link {
  const char *text;
  size_t length;
} sj_sheet_link;

typedef struct sj_id {
  const char *text;
  uint32_t length, element;
} sj_id;

typedef struct sj_document {
  stijl_context *context;
  sj_arena arena;
  sj_dom *dom;
  SJ_ARRAY(sj_node) nodes;  // per element; 0 is the root, an SVG svg element
  sj_atom svg_space, xlink_space;
  sj_atom atoms[SJ_NAME_COUNT];        // of attributes' names; SJ_ATOM_NONE: no element has such an attribute
  SJ_ARRAY(uint16_t) attribute_names;  // per atom: one more than its sj_name as an attribute; 0: none has it
  SJ_ARRAY(sj_declared) declared;
  SJ_ARRAY(sj_declared_run) runs;
  SJ_ARRAY(uint32_t) cascade;  // runs, element after element; elements that the same rules apply to share theirs
  SJ_ARRAY(sj_text) texts;  // document order
  SJ_ARRAY(sj_sheet_link) sheet_links;
  struct stijl_css *css;  // style sheets that declarations point into; may be NULL
  sj_id *ids;               // sorted: no choice of ids makes the search slow
  size_t id_count;
  bool has_blend;  // some element has a blend mode: isolation can show
  bool has_animation, has_script;  // elements of these kinds, or properties
  bool has_linear;                 // some element has the color-interpolation linearRGB
  uint64_t bytes;                  // of the document, unpacked
  const char *missing_property;    // the first one that is declared and not supported; NULL: none
  size_t invalid_count;            // of declarations whose value is not understood,
  size_t first_invalid;            // and the first of them
} sj_document;

// Parses SVG or gzipped SVG. On failure the document is as after sj_document_finish.
stijl_result sj_document_parse(sj_document *document, stijl_context *context, const void *data, size_t bytes,
                               const stijl_svg_limits *limits, stijl_message *message);
void sj_document_finish(sj_document *document);

// The declarations of an element, in the order of the cascade:
//   sj_cascade c = sj_cascade_of(document, node);
//   for (const sj_declared *d; (d = sj_cascade_next(&c));) ...
typedef struct sj_cascade {
  const sj_document *document;
  const uint32_t *run, *last_run;
  const sj_declared *next, *end;
} sj_cascade;

static inline sj_cascade sj_cascade_of(const sj_document *document, const sj_node *node) {
  sj_cascade c = {.document = document};
  if (!node->run_count) return c;
  c.run = sj_array_at(&document->cascade, node->first_run);
  c.last_run = c.run + node->run_count;
  return c;
}

static inline const sj_declared *sj_cascade_next(sj_cascade *c) {
  while (c->next == c->end) {
    if (c->run == c->last_run) return NULL;
    sj_declared_run run = c->document->runs.data[*c->run++];
    if (!run.count) continue;
    c->next = sj_array_at(&c->document->declared, run.first);
    c->end = c->next + run.count;
  }
  return c->next++;
}

// Puts a run of the declarations from `first` on behind those of the element that are not important, once its runs are
// complete. False when memory is short.
bool sj_document_insert_run(sj_document *document, sj_node *node, size_t first);

// Looks up which sj_name an attribute's local name is, once for each. False when memory is short.
bool sj_document_learn_name(sj_document *document, sj_atom local);
// The sj_name of an attribute: SJ_NAME_UNKNOWN unless in no namespace, or the href of XLink.
sj_name sj_document_attribute_name(const sj_document *document, const sj_node_attribute *attribute);
// The local name of an element.
static inline const char *sj_document_local(const sj_document *document, uint32_t element) {
  return sj_atoms_text(&document->dom->atoms, document->dom->name.data[element]);
}
// The value of an attribute; NULL when absent.
const sj_string *sj_document_attribute(const sj_document *document, uint32_t element, sj_name name);
// Sets or adds the attribute of that local name. False when memory is short.
bool sj_document_set_attribute(sj_document *document, uint32_t element, sj_atom local, const char *text, size_t length);
// The first text, by number, that stands behind the beginning of an element.
size_t sj_document_first_text(const sj_document *document, uint32_t element);
// The value that the cascade gives a geometry property: from the style attribute, or else the attribute of that name.
// False when neither is there.
bool sj_document_geometry(const sj_document *document, uint32_t element, sj_name name, const char **text,
                          size_t *length);
// The first element with this id, or SJ_NO_ELEMENT.
uint32_t sj_document_by_id(const sj_document *document, const char *id, size_t length);
// The element that a reference within the document ("#id", also with %XX) names, or SJ_NO_ELEMENT.
uint32_t sj_document_by_url(const sj_document *document, const char *url, size_t length);
// The element that the href of an element names, SVG's own before XLink's; SJ_NO_ELEMENT when there is none, or when it
// is not within the document.
uint32_t sj_document_by_href(const sj_document *document, uint32_t element);
bool sj_document_is_ancestor_or_self(const sj_document *document, uint32_t ancestor, uint32_t element);

// Notes what a declaration tells of the whole document, such as that it has blend modes, or a property
// that is not supported. `name` may be unknown.
void sj_document_note(sj_document *document, sj_name known, const char *name, size_t name_length, const char *value,
                      size_t length);
// Part of parsing: makes sj_document_by_id work. False when memory is short.
bool sj_document_index_ids(sj_document *document);

#endif
