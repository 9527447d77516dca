// Style sheets as flat arrays of plain values: what every engine reads. Indices, no pointers.
//
// list (comma separated) -> complexes -> compounds (left to right) -> simples. Lists of functional pseudo-classes lie
// in the same arrays; strings are atoms of the program's own table until a document is known (link.h).
#ifndef SJ_CSS_PROGRAM_H
#define SJ_CSS_PROGRAM_H

#include "dom/atoms.h"
#include "stijl/css.h"

#define SJ_CSS_NONE UINT32_MAX

typedef enum sj_css_simple_kind {
  SJ_CSS_ALWAYS,
  SJ_CSS_NEVER,
  SJ_CSS_TYPE,       // a: name, b: the name in lower case, for HTML
  SJ_CSS_NAMESPACE,  // a: address, SJ_ATOM_EMPTY for none
  SJ_CSS_ID,         // a: id, b: in lower case, for quirks mode
  SJ_CSS_CLASS,      // likewise
  SJ_CSS_ATTRIBUTE,  // op: sj_css_operator, a: name, b: in lower case, c: value, d: namespace; flags
  SJ_CSS_STATE,      // a: number of the bit; flags
  SJ_CSS_ROOT,
  SJ_CSS_EMPTY,
  SJ_CSS_NTH,    // op: SJ_CSS_NTH_*, a, b: of an+b (int32_t), c: list of "of S" or SJ_CSS_NONE
  SJ_CSS_LANG,   // a: first of `ranges`, b: count
  SJ_CSS_IS,     // a: list; also :where() and &
  SJ_CSS_NOT,    // a: list
  SJ_CSS_HAS,    // a: list of relative selectors
  SJ_CSS_SCOPE,  // within @scope: below an element of list a with none of list b (SJ_CSS_NONE: no such list) from there
                 // to the element itself; op 1: or an element of list a
  SJ_CSS_PSEUDO_ELEMENT
} sj_css_simple_kind;

typedef enum sj_css_operator {
  SJ_CSS_EXISTS,
  SJ_CSS_EQUALS,
  SJ_CSS_INCLUDES,  // ~=
  SJ_CSS_DASH,      // |=
  SJ_CSS_PREFIX,    // ^=
  SJ_CSS_SUFFIX,    // $=
  SJ_CSS_SUBSTRING  // *=
} sj_css_operator;

// NTH, op
#define SJ_CSS_NTH_LAST 1u
#define SJ_CSS_NTH_OF_TYPE 2u
// ATTRIBUTE, flags
#define SJ_CSS_IGNORE_CASE 1u    // the flag i
#define SJ_CSS_KEEP_CASE 2u      // the flag s
#define SJ_CSS_ANY_NAMESPACE 4u  // *|name
#define SJ_CSS_HTML_CASE 8u      // without regard to case on HTML elements of HTML documents
// STATE, PSEUDO_ELEMENT, flags
#define SJ_CSS_DYNAMIC 1u  // no document tells it
#define SJ_CSS_NEGATED 2u  // within an odd number of :not()

typedef struct sj_css_simple {
  uint8_t kind, op, flags, unused;
  uint32_t a, b, c, d;
} sj_css_simple;

// Returns the list of selectors that the simple selector names, or SJ_CSS_NONE. SCOPE may name a second one, in `b`.
static inline uint32_t sj_css_simple_list(const sj_css_simple *s) {
  bool list = s->kind == SJ_CSS_IS || s->kind == SJ_CSS_NOT || s->kind == SJ_CSS_HAS || s->kind == SJ_CSS_SCOPE;
  return list ? s->a : s->kind == SJ_CSS_NTH ? s->c : SJ_CSS_NONE;
}

typedef enum sj_css_combinator {
  SJ_CSS_LEFTMOST,
  SJ_CSS_DESCENDANT,
  SJ_CSS_CHILD,
  SJ_CSS_NEXT,       // +
  SJ_CSS_SUBSEQUENT  // ~
} sj_css_combinator;

typedef struct sj_css_compound {
  uint32_t first_simple;
  uint32_t simple_count : 28;
  uint32_t combinator : 4;  // sj_css_combinator: how it hangs on the compound before, or on the anchor of :has()
} sj_css_compound;

typedef struct sj_css_complex {
  uint32_t first_compound, compound_count;
  uint32_t specificity;
} sj_css_complex;

typedef struct sj_css_list {
  uint32_t first_complex, complex_count;
  uint32_t depth;        // 1 + that of the deepest list within it
  uint32_t specificity;  // the highest of its complexes'
} sj_css_list;

#define SJ_CSS_SELECTOR_CONTINUATION 1u

// The pseudo-element that a selector is of.
typedef enum sj_css_part {
  SJ_CSS_PART_NONE,
  SJ_CSS_PART_BEFORE,
  SJ_CSS_PART_AFTER,
  SJ_CSS_PART_MARKER,
  SJ_CSS_PART_FIRST_LETTER,
  SJ_CSS_PART_FIRST_LINE,
  SJ_CSS_PART_OTHER  // also one of these in a state, or a part of it
} sj_css_part;

// A complex selector of a style rule.
typedef struct sj_css_selector {
  uint32_t complex, rule;
  uint32_t start, length;  // in the text of the source
  uint32_t line;
  uint16_t flags;
  uint16_t part;  // sj_css_part
} sj_css_selector;

typedef struct sj_css_rule {
  uint32_t first_selector, selector_count;
  uint32_t first_declaration, declaration_count;
  uint32_t source, layer;
  bool active;
} sj_css_rule;

typedef struct sj_css_declaration {
  uint32_t name_start, name_length, value_start, value_length;  // in the text of the rule's source
  bool important;
} sj_css_declaration;

// A rule with a name whose conditions hold: @keyframes, @font-palette-values, @property, @counter-style.
typedef struct sj_css_named_rule {
  uint32_t source;
  uint32_t name_start, name_length;  // in the text of the source, without quotes
  uint32_t start, length;            // between the braces
} sj_css_named_rule;

typedef SJ_ARRAY(sj_css_named_rule) sj_css_named_rules;

// The block of an @font-face rule whose conditions hold: its descriptors, as they stand there.
typedef struct sj_css_font_face {
  uint32_t source;
  uint32_t start, length;  // between the braces
} sj_css_font_face;

// A cascade layer. 0 is outside of all layers. Layers are ranked when all sheets are known.
typedef struct sj_css_layer {
  uint32_t parent, name;       // name: atom, SJ_ATOM_NONE for an anonymous one
  uint32_t first_child, next;  // in the order of their first appearance
  uint32_t last_child;
} sj_css_layer;

typedef struct sj_css_source {
  char *name, *text;
  char *root;  // the file whose folder it may read from: that of the sheet or document that names it, or its own name
  size_t bytes;
  uint32_t importer;  // a source, or SJ_CSS_NONE
  uint32_t line;      // of the file, where the text begins
  uint8_t origin;
  bool embedded;  // the text is that of an element of the document `name`
  bool recoded;   // the file was not UTF-8, or began with a byte order mark
} sj_css_source;

typedef struct sj_css_program {
  stijl_context *context;
  sj_atoms strings;
  SJ_ARRAY(sj_css_simple) simples;
  SJ_ARRAY(sj_css_compound) compounds;
  SJ_ARRAY(sj_css_complex) complexes;
  SJ_ARRAY(sj_css_list) lists;
  SJ_ARRAY(uint32_t) ranges;  // language ranges of :lang()
  SJ_ARRAY(sj_css_selector) selectors;
  SJ_ARRAY(sj_css_rule) rules;
  SJ_ARRAY(sj_css_declaration) declarations;
  sj_css_named_rules keyframes;
  SJ_ARRAY(sj_css_font_face) font_faces;
  sj_css_named_rules font_palettes, properties, counter_styles;
  SJ_ARRAY(sj_css_layer) layers;
  sj_atoms layer_names;             // the bytes of parent and name of each named layer
  SJ_ARRAY(uint32_t) named_layers;  // those layers, in the order of their atoms
  SJ_ARRAY(sj_css_source) sources;
} sj_css_program;

bool sj_css_program_init(sj_css_program *program, stijl_context *context);
void sj_css_program_finish(sj_css_program *program);

// Sorts selectors from the one that the cascade ranks lowest to the highest; `out` has room for all. Returns false when
// memory is short.
bool sj_css_cascade_order(const sj_css_program *program, uint32_t *out);

#endif
