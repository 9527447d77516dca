// Selectors Level 4: text to lists of the program.
#ifndef SJ_CSS_SELECTOR_H
#define SJ_CSS_SELECTOR_H

#include "css/program.h"
#include "css/tokens.h"

// Compounds of a complex selector: the reference engine recurses along them.
#define SJ_CSS_MAX_COMPOUNDS 256
// Of a :lang(): they are tried one by one.
#define SJ_CSS_MAX_RANGES 256

typedef struct sj_css_prefix {
  sj_atom prefix, address;  // SJ_ATOM_EMPTY: no namespace
} sj_css_prefix;

// @namespace rules of one sheet.
typedef struct sj_css_namespaces {
  SJ_ARRAY(sj_css_prefix) prefixes;
  sj_atom fallback;  // for names without a prefix; SJ_ATOM_NONE: any namespace
} sj_css_namespaces;

// Where a complex selector of the outermost list stands in the text.
typedef struct sj_css_extent {
  uint32_t start, length;
  bool pseudo_element;
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

// The list in text[start, end); *list is its number. On SJ_CSS_INVALID the program is as before.
sj_css_verdict sj_css_parse_selectors(sj_css_selector_parser *parser, const char *text, size_t start, size_t end,
                                      uint32_t *list);
void sj_css_selector_parser_finish(sj_css_selector_parser *parser);

// Highest of the list.
uint32_t sj_css_list_specificity(const sj_css_program *program, uint32_t list);

// An+B: from *at; false when there is none.
bool sj_css_parse_nth(const char *text, size_t end, size_t *at, int32_t *a, int32_t *b);

#endif
