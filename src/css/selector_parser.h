// What the files share that parse selectors: selector.c from compounds to lists, selector_simple.c and
// selector_pseudo.c the simple selectors of a compound.
#ifndef SJ_CSS_SELECTOR_PARSER_H
#define SJ_CSS_SELECTOR_PARSER_H

#include "css/selector.h"

static inline void sj_selector_advance(sj_css_selector_parser *p) { p->token = sj_tokens_next(&p->tokens); }

static inline sj_css_verdict sj_selector_no_memory(sj_css_selector_parser *p) {
  p->failure = STIJL_ERROR_OUT_OF_MEMORY;
  return SJ_CSS_FAILED;
}

// Rejects a selector that is valid but beyond a limit. CSS treats what an implementation does not support as invalid.
static inline sj_css_verdict sj_selector_unsupported(sj_css_selector_parser *p, const char *why) {
  p->unsupported = why;
  return SJ_CSS_INVALID;
}

static inline sj_css_verdict sj_selector_limit(sj_css_selector_parser *p, const char *what, uint32_t value) {
  p->failure = STIJL_ERROR_LIMIT;
  p->limit = what;
  p->limit_value = value;
  return SJ_CSS_FAILED;
}

static inline bool sj_selector_skip_space(sj_css_selector_parser *p) {
  bool any = false;
  for (; p->token.kind == SJ_TOKEN_SPACE; sj_selector_advance(p)) any = true;
  return any;
}

static inline bool sj_selector_is_delim(const sj_css_selector_parser *p, char c) {
  return p->token.kind == SJ_TOKEN_DELIM && p->token.delim == c;
}
static inline bool sj_selector_text_at(const sj_css_selector_parser *p, size_t at, char c) {
  return at < p->tokens.end && p->tokens.text[at] == c;
}

// A specificity has three fields of 10 bits, for ids, classes and types. Each stays at its highest value.
#define SJ_SELECTOR_ID (1u << 20)
#define SJ_SELECTOR_CLASS (1u << 10)
#define SJ_SELECTOR_TYPE 1u

static inline uint32_t sj_selector_add_specificity(uint32_t x, uint32_t y) {
  uint32_t sum = 0;
  for (int shift = 0; shift < 30; shift += 10) {
    uint32_t field = (x >> shift & 1023) + (y >> shift & 1023);
    sum |= (field > 1023 ? 1023 : field) << shift;
  }
  return sum;
}

static inline uint32_t sj_selector_list_specificity(const sj_css_selector_parser *p, uint32_t list) {
  return p->program->lists.data[list].specificity;
}

// --- selector_simple.c ---

// Adds a simple selector to the compound that is being parsed.
sj_css_verdict sj_selector_add(sj_css_selector_parser *parser, sj_css_simple simple);
// Interns the name of a token, and with `lower` also its form in lower case.
sj_css_verdict sj_selector_intern(sj_css_selector_parser *parser, const sj_token *token, sj_atom *atom, sj_atom *lower);
// Parses a type selector or an asterisk, with its namespace.
sj_css_verdict sj_selector_parse_type(sj_css_selector_parser *parser, uint32_t *specificity, bool *qualified);
// Parses an attribute selector from its bracket on.
sj_css_verdict sj_selector_parse_attribute(sj_css_selector_parser *parser);

// --- selector_pseudo.c ---

// Parses a pseudo-class or, with `elements`, a pseudo-element from its colon on. *part tells whether a pseudo-element
// came before, after which few pseudo-classes may stand.
sj_css_verdict sj_selector_parse_pseudo(sj_css_selector_parser *parser, bool elements, uint32_t depth,
                                        uint32_t *specificity, sj_css_part *part);

// --- selector.c ---

typedef enum sj_selector_list {
  SJ_SELECTOR_OUTER,
  SJ_SELECTOR_FORGIVING,  // :is(), :where(): invalid selectors are left out
  SJ_SELECTOR_STRICT,     // :not(), of S: all have to be valid
  SJ_SELECTOR_RELATIVE    // :has()
} sj_selector_list;

// Parses a list up to the end of the text, or to the parenthesis that closes the function around it.
sj_css_verdict sj_selector_parse_list(sj_css_selector_parser *parser, sj_selector_list kind, uint32_t depth,
                                      uint32_t *list);

#endif
