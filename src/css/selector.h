// Parses selectors (Selectors Level 4) into lists of the program.
#ifndef SJ_CSS_SELECTOR_H
#define SJ_CSS_SELECTOR_H

#include "css/program.h"
#include "css/tokens.h"

// Compounds of a complex selector: the reference engine recurses along them. A longer one is unsupported.
#define SJ_CSS_MAX_COMPOUNDS 256
// Language ranges of a :lang(), which are tried one by one. A longer one is unsupported.
#define SJ_CSS_MAX_RANGES 256

// @namespace rules of one sheet. Addresses: SJ_ATOM_EMPTY is no namespace.
typedef struct sj_css_namespaces {
  sj_atoms prefixes;            // the bytes of each prefix's atom; without a context until there is one
  SJ_ARRAY(sj_atom) addresses;  // of the prefixes, in the order of their atoms
  sj_atom fallback;             // for names without a prefix; SJ_ATOM_NONE: any namespace
} sj_css_namespaces;

// Sets the address of a prefix, also if it has one already. Returns false when memory is short.
bool sj_css_namespace_set(sj_css_namespaces *namespaces, stijl_context *context, sj_atom prefix, sj_atom address);
// Returns the address, or SJ_ATOM_NONE if the prefix is unknown.
sj_atom sj_css_namespace_get(const sj_css_namespaces *namespaces, sj_atom prefix);
void sj_css_namespaces_finish(sj_css_namespaces *namespaces, stijl_context *context);

// Where a complex selector of the outermost list stands in the text.
typedef struct sj_css_extent {
  uint32_t start, length;
  sj_css_part part;
} sj_css_extent;

typedef struct sj_css_selector_parser {
  sj_css_program *program;
  const sj_css_namespaces *namespaces;
  uint32_t max_nesting, max_selectors;
  uint32_t parent;  // list that & stands for; SJ_CSS_NONE outside of other rules
  bool nested;      // inside of another rule: selectors are relative to it
  bool weightless;  // & adds no specificity: it stands for the root of a scope
  uint32_t roots;   // list that :scope stands for; SJ_CSS_NONE outside of @scope
  uint32_t limits;  // list where the scope ends, or SJ_CSS_NONE
  SJ_ARRAY(sj_css_extent) extents;
  const char *unsupported;  // why some selector, valid in itself, was left out; NULL when none was
  // The rest is the parser's own.
  sj_tokens tokens;
  sj_token token;
  stijl_result failure;  // out of memory, or a limit
  const char *limit;     // which, in words, and its value
  uint32_t limit_value;
  SJ_ARRAY(sj_css_simple) simples;
  SJ_ARRAY(sj_css_compound) compounds;
  SJ_ARRAY(sj_css_complex) complexes;
  sj_text_buffer buffer;
  bool in_has, negated, saw_parent, saw_scope;
} sj_css_selector_parser;

typedef enum sj_css_verdict {
  SJ_CSS_VALID,
  SJ_CSS_INVALID,
  SJ_CSS_FAILED  // parser->failure tells why
} sj_css_verdict;

// Parses the list of selectors in text[start, end) into the program; *list becomes its number. After SJ_CSS_INVALID the
// program is as it was before.
sj_css_verdict sj_css_parse_selectors(sj_css_selector_parser *parser, const char *text, size_t start, size_t end,
                                      uint32_t *list);
void sj_css_selector_parser_finish(sj_css_selector_parser *parser);

// Reads An+B from *at on and moves *at behind it; false when there is none.
bool sj_css_parse_nth(const char *text, size_t end, size_t *at, int32_t *a, int32_t *b);

#endif
