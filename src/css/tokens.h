// CSS Syntax Module Level 3, section 4: bytes to tokens. Tokens are ranges of the text, nothing is copied.
#ifndef SJ_CSS_TOKENS_H
#define SJ_CSS_TOKENS_H

#include "base/array.h"
#include "base/budget.h"

typedef enum sj_token_kind {
  SJ_TOKEN_END,
  SJ_TOKEN_IDENT,
  SJ_TOKEN_FUNCTION,    // with its parenthesis
  SJ_TOKEN_AT_KEYWORD,  // name: without @
  SJ_TOKEN_HASH,        // name: without #
  SJ_TOKEN_STRING,      // name: without quotes
  SJ_TOKEN_BAD_STRING,
  SJ_TOKEN_URL,  // name: the address
  SJ_TOKEN_BAD_URL,
  SJ_TOKEN_DELIM,
  SJ_TOKEN_NUMBER,
  SJ_TOKEN_PERCENTAGE,
  SJ_TOKEN_DIMENSION,  // name: the unit
  SJ_TOKEN_SPACE,
  SJ_TOKEN_CDO,
  SJ_TOKEN_CDC,
  SJ_TOKEN_COLON,
  SJ_TOKEN_SEMICOLON,
  SJ_TOKEN_COMMA,
  SJ_TOKEN_OPEN_BRACKET,
  SJ_TOKEN_CLOSE_BRACKET,
  SJ_TOKEN_OPEN_PAREN,
  SJ_TOKEN_CLOSE_PAREN,
  SJ_TOKEN_OPEN_BRACE,
  SJ_TOKEN_CLOSE_BRACE
} sj_token_kind;

typedef struct sj_token {
  sj_token_kind kind;
  size_t start, end;            // of the token in the text
  size_t name_start, name_end;  // of the name or value within it
  bool escaped;                 // the name holds escapes: sj_token_name resolves them
  bool identifier;              // HASH: could be an identifier
  bool integer, has_sign;       // NUMBER and DIMENSION
  char delim;
  double number;
} sj_token;

// Text from `at` to `end`. Without the other fields nothing is charged for reading it.
typedef struct sj_tokens {
  const char *text;
  size_t end, at;
  stijl_budget *budget;
  size_t spent;  // up to here the budget knows of the text
} sj_tokens;

static inline sj_tokens sj_tokens_begin(const char *text, size_t start, size_t end, stijl_budget *budget) {
  return (sj_tokens){text, end, start, budget, start};
}

// Returns the next token; a run of white space is one token, comments are none. At the end SJ_TOKEN_END for ever; when
// the budget is spent, that is the end.
sj_token sj_tokens_next(sj_tokens *tokens);
sj_token sj_tokens_next_word(sj_tokens *tokens);  // the next that is no white space

typedef SJ_ARRAY(char) sj_text_buffer;

// Returns the name of a token with escapes resolved: a range of the text itself, or of `buffer` (valid until its next
// use). Returns NULL when memory is short.
const char *sj_token_name(const sj_tokens *tokens, const sj_token *token, stijl_context *context,
                          sj_text_buffer *buffer, size_t *length);
// Returns whether a token is this name, without regard to ASCII case. Escapes count.
bool sj_token_is(const sj_tokens *tokens, const sj_token *token, const char *lower_name);
// Does the same for any of several names, with a space between each two.
bool sj_token_is_among(const sj_tokens *tokens, const sj_token *token, const char *lower_names);

// Returns the kind that closes a bracket of this one, or SJ_TOKEN_END for other kinds.
sj_token_kind sj_token_closer(sj_token_kind kind);

// Returns whether the token is the parenthesis that ends the text around; *open counts those that were opened within
// it.
bool sj_token_leaves(sj_token_kind kind, uint32_t *open);

bool sj_is_css_space(char c);

#endif
