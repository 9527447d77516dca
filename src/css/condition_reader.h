// Reads the tokens of a condition; media.c and supports.c share it.
#ifndef SJ_CSS_CONDITION_READER_H
#define SJ_CSS_CONDITION_READER_H

#include "css/condition.h"

// Parentheses may be nested this deep; what stands deeper is unknown in @media and false in @supports.
#define MAX_DEPTH 32

typedef struct reader {
  const stijl_css_medium *medium;     // of media queries
  sj_css_selector_parser *selectors;  // of @supports
  sj_tokens tokens;
  sj_token token;
} reader;

static inline void advance(reader *r) { r->token = sj_tokens_next(&r->tokens); }

static inline void skip_space(reader *r) {
  while (r->token.kind == SJ_TOKEN_SPACE) advance(r);
}

static inline bool is_word(const reader *r, const char *word) {
  return r->token.kind == SJ_TOKEN_IDENT && sj_token_is(&r->tokens, &r->token, word);
}

// Advances to the parenthesis that closes the open one, or to the end.
static inline void skip_to_close(reader *r) {
  uint32_t open = 0;
  for (;; advance(r)) {
    sj_token_kind kind = r->token.kind;
    if (kind == SJ_TOKEN_END) return;
    if (sj_token_leaves(kind, &open)) return;
  }
}

#endif
