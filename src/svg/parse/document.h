// The parsed document: the tree of its elements and their attributes (dom/dom.h), the kinds of elements, their
// declarations, and text. It is read-only once it is styled.
#ifndef SJ_SVG_PARSE_DOCUMENT_H
#define SJ_SVG_PARSE_DOCUMENT_H

#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/pairs.h"
#include "dom/dom.h"
#include "stijl/svg.h"
#include "svg/parse/names.h"

#define SJ_NO_ELEMENT SJ_NO_NODE
// The largest max_depth, because walking through a document uses the thread's stack.
#define SJ_MAX_DEPTH 1024

// A declaration: the value that something sets for a property of an element. The declarations of an element are in the
// order of the cascade, where a later one wins: first presentation attributes, then the rules of style sheets, then the
// style attribute; then what is important, in the same order.
typedef struct sj_declared {
  uint16_t name;  // sj_name: a property or a geometry property
  bool important;
  const char *value;
  size_t length;
} sj_declared;

// A run of consecutive declarations: those of an element's attributes, or those of a rule, which many elements may
// share.
typedef struct sj_declared_run {
  uint32_t first, count;
} sj_declared_run;

// What SVG needs to know of an element besides the tree.
typedef struct sj_node {
  uint16_t element;               // sj_element
  bool is_svg : 1;                // in SVG's namespace
  bool is_html : 1;               // an element of HTML or MathML in a foreignObject
  bool is_math : 1;               // of MathML
  bool preserve_space;            // xml:space
  bool moves;                     // an animation has changed it at some time
  uint32_t first_run, run_count;  // entries of `cascade`; none before sj_document_cascade
  uint32_t copy;                  // of a use element: the copy that it shows; of what holds HTML: see sj_part_copy
  uint32_t work;                  // steps of the budget for reading its attributes, roughly
  uint32_t offset;                // the byte of the document, as it was unpacked, where its tag begins
} sj_node;

// The copy of an element that use elements show, with all below it: a tree of its own, which inherits from the use
// element, and outside of which selectors see nothing. It is made where styles in it differ from those of the original.
// The pseudo-elements of an HTML element or a foreignObject are copies, too: of it alone.
typedef struct sj_copy {
  uint32_t target;             // the original
  uint32_t first_node, count;  // of `copy_nodes`: those of the original and of all below it
} sj_copy;

#define SJ_NO_COPY 0u  // the elements have the styles that they have where they stand in the document

// The pseudo-elements of HTML elements, and of foreignObject, that are drawn.
typedef enum sj_part { SJ_PART_BEFORE, SJ_PART_AFTER, SJ_PART_MARKER, SJ_PART_FIRST_LETTER, SJ_PARTS } sj_part;

// A piece of character data: the child of `parent` that stands before the element `before` (which may lie outside the
// parent, or be one past the last element of the document).
typedef struct sj_text {
  uint32_t parent, before;
  const char *data;
  size_t length;
} sj_text;

// The text in <?xml-stylesheet ...?> before the root.
typedef struct sj_sheet_link {
  const char *text;
  size_t length;
} sj_sheet_link;

typedef struct sj_id {
  const char *text;
  uint32_t length, element;
} sj_id;

// An attribute as it was before an animation set it.
typedef struct sj_attribute_change {
  uint32_t element;
  sj_pool_range range;  // of the element's attributes
  uint32_t place;       // of the attribute in the pool; SJ_NO_ELEMENT: there was none
  sj_atom value;
} sj_attribute_change;

// The declarations of an element as they were before an animation added some. Numbers from the count of `nodes` on are
// those of `copy_nodes`.
typedef struct sj_run_change {
  uint32_t element, first_run, run_count;
} sj_run_change;

// What a document was before its animations, for those that are looked at at several times: before it was styled, or
// behind that where style sheets have no animations.
typedef struct sj_unmoved {
  bool known;
  bool styled;
  sj_arena_mark arena;
  size_t loose, attributes;        // of the pools
  size_t declared, runs, cascade;  // of the arrays
  bool has_blend, has_animation;
  uint64_t missing_properties;
  size_t invalid_count, first_invalid;
  SJ_ARRAY(sj_attribute_change) attribute_changes;
  SJ_ARRAY(sj_run_change) run_changes;
} sj_unmoved;

typedef struct sj_document {
  stijl_context *context;
  sj_arena arena;
  sj_dom *dom;
  SJ_ARRAY(sj_node) nodes;  // per element; number 0 is the root, an svg element of SVG
  sj_atom svg_space, xlink_space;
  sj_atom atoms[SJ_NAME_COUNT];        // the atom of each attribute's name; SJ_ATOM_NONE: no element has it
  SJ_ARRAY(uint16_t) attribute_names;  // per atom: 1 + its sj_name as an attribute; 0: not looked up
  SJ_ARRAY(sj_declared) declared;
  SJ_ARRAY(sj_declared_run) runs;
  SJ_ARRAY(uint32_t) cascade;  // runs, element after element; elements with the same rules share theirs
  SJ_ARRAY(sj_copy) copies;    // number 0 is none
  SJ_ARRAY(sj_node) copy_nodes;
  SJ_ARRAY(sj_text) texts;  // document order
  SJ_ARRAY(sj_sheet_link) sheet_links;
  struct stijl_css *css;              // style sheets that declarations point into; may be NULL
  struct stijl_css_matcher *matcher;  // what it found is needed again at other times; may be NULL
  // What it found for copies, as sj_css_copies has it. `copy_matches` has the first offset of an original and a
  // language, whose copies match something else than itself. `copy_languages` has the language of what a use element
  // shows in the copy of an original and a language; 0: that which what it shows inherits itself.
  sj_pairs copy_matches, copy_languages;
  SJ_ARRAY(uint32_t) copy_offsets, copy_selectors;
  // What use elements hand to elements of other files: their custom properties, names and values in turn, each with a
  // zero behind it. `handers` has the index by the copy and the element; those that hand over nothing are not in it.
  SJ_ARRAY(sj_string) handed;
  sj_pairs handers;
  sj_string given;       // what such an element of another document handed to this one,
  bool given_to_parts;   // of which elements below the root are shown
  bool moves_variables;  // animations change custom properties, and so what any element has
  sj_unmoved unmoved;
  SJ_ARRAY(sj_id) ids;             // sorted, so that no choice of ids makes searching slow
  bool has_blend;                  // some element has a blend mode: isolation can show
  bool has_animation, has_script;  // there are such elements, or animation properties
  bool has_html;                   // some foreignObject holds HTML elements
  bool has_first_line;             // sheets give some of them such a pseudo-element
  uint64_t bytes;                  // of the document when unpacked
  uint64_t missing_properties;     // those that are declared and not supported: a bit for each, see names.h
  size_t invalid_count;            // declarations whose value is not understood,
  size_t first_invalid;            // and the first of them
} sj_document;

// Parses SVG or gzipped SVG. On failure the document is as after sj_document_finish.
stijl_result sj_document_parse(sj_document *document, stijl_context *context, const void *data, size_t bytes,
                               const stijl_svg_limits *limits, stijl_message *message);
void sj_document_finish(sj_document *document);
// Notes that the document is without animations, to come back to that state (rewind.c).
void sj_document_mark(sj_document *document, bool styled);
// Brings the document back to that state: what animations have set is gone.
void sj_document_rewind(sj_document *document);
// Notes an attribute that is about to be set, or declarations that are about to be added. Returns false when memory is
// short.
bool sj_document_note_attribute(sj_document *document, uint32_t element, sj_atom space, sj_atom name);
bool sj_document_note_runs(sj_document *document, const sj_node *node);
// Returns whether the text of an attribute was made by an animation.
bool sj_document_is_moving(const sj_document *document, const char *text);

// Returns the node of an element in a copy. Elements that are not in the copy have their own.
static inline const sj_node *sj_document_node(const sj_document *document, uint32_t copy, uint32_t element) {
  if (copy != SJ_NO_COPY) {
    sj_copy c = document->copies.data[copy];
    if (element >= c.target && element - c.target < c.count)
      return &document->copy_nodes.data[c.first_node + (element - c.target)];
  }
  return &document->nodes.data[element];
}

// Returns the copy that is a pseudo-element of an HTML element or a foreignObject; SJ_NO_COPY: no rule is of it.
static inline uint32_t sj_part_copy(const sj_document *document, uint32_t copy, uint32_t element, sj_part part) {
  uint32_t first = sj_document_node(document, copy, element)->copy;
  return first == SJ_NO_COPY ? SJ_NO_COPY : first + (uint32_t)part;
}

// Goes through the declarations of an element in the order of the cascade:
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

// Makes a run of the declarations from `first` on, and puts it behind those of the element that are not important. The
// element's other runs have to be complete. Returns false when memory is short.
bool sj_document_insert_run(sj_document *document, sj_node *node, size_t first);

// Looks up which sj_name the local name of an attribute is, once for each name. Returns false when memory is short.
bool sj_document_learn_name(sj_document *document, sj_atom local);
// Returns the sj_name of an attribute. It is SJ_NAME_UNKNOWN in a namespace, except for the href of XLink.
sj_name sj_document_attribute_name(const sj_document *document, const sj_node_attribute *attribute);
// Returns the local name of an element.
static inline const char *sj_document_local(const sj_document *document, uint32_t element) {
  return sj_atoms_text(&document->dom->atoms, document->dom->name.data[element]);
}
// Returns the value of an attribute; NULL when it is absent.
const sj_string *sj_document_attribute(const sj_document *document, uint32_t element, sj_name name);
// Sets or adds the attribute of that local name. Returns false when memory is short.
bool sj_document_set_attribute(sj_document *document, uint32_t element, sj_atom local, const char *text, size_t length);
// Returns the number of the first text that stands behind the start tag of an element.
size_t sj_document_first_text(const sj_document *document, uint32_t element);
// Finds the value that the cascade gives a geometry property of an element in a copy: that of a style declaration, or
// else of the attribute of its name. Returns false when there is neither.
bool sj_document_geometry(const sj_document *document, uint32_t copy, uint32_t element, sj_name name, const char **text,
                          size_t *length);
// Returns the first element with this id, or SJ_NO_ELEMENT.
uint32_t sj_document_by_id(const sj_document *document, const char *id, size_t length);
// Returns the element that a reference within the document ("#id", also with %XX) names, or SJ_NO_ELEMENT.
uint32_t sj_document_by_url(const sj_document *document, const char *url, size_t length);
// Returns the element that the href of an element names, SVG's own before XLink's; SJ_NO_ELEMENT when there is none in
// the document.
uint32_t sj_document_by_href(const sj_document *document, uint32_t element);
bool sj_document_is_ancestor_or_self(const sj_document *document, uint32_t ancestor, uint32_t element);

// Notes what a declaration tells about the whole document, such as that it has blend modes, or a property that is not
// supported. `name` may be unknown; `at_root`: it is of the root element.
void sj_document_note(sj_document *document, sj_name known, const char *name, size_t name_length, const char *value,
                      size_t length, bool at_root);
// Sorts the ids, for sj_document_by_id; it is part of parsing. Returns false when memory is short.
bool sj_document_index_ids(sj_document *document);

#endif
