#include "css/variables.h"

#include <string.h>

// Of variables in variables: a cycle ends here.
#define MAX_DEPTH 32
// Against values that grow or take time exponentially.
#define MAX_BYTES ((size_t)1 << 16)
#define MAX_STEPS 4096

typedef struct substitution {
  stijl_context *context;
  sj_css_lookup lookup;
  void *user;
  sj_text_buffer *out;
  uint32_t steps;
} substitution;

bool sj_css_has_variables(const char *value, size_t length) {
  for (size_t i = 0; i + 4 <= length; i++)
    if (value[i + 3] == '(' && (value[i] | 32) == 'v' && (value[i + 1] | 32) == 'a' && (value[i + 2] | 32) == 'r')
      return true;
  return false;
}

static sj_css_substitution append(substitution *s, const char *text, size_t length) {
  if (length > MAX_BYTES || s->out->count + length > MAX_BYTES) return SJ_CSS_INVALID_VALUE;
  if (length == 0) return SJ_CSS_SUBSTITUTED;
  if (!sj_array_reserve(s->context, s->out, length)) return SJ_CSS_NO_MEMORY;
  memcpy(s->out->data + s->out->count, text, length);
  s->out->count += length;
  return SJ_CSS_SUBSTITUTED;
}

static sj_css_substitution substitute(substitution *s, uint32_t element, const char *value, size_t length, int depth);

// Behind "var(": the name, and the fallback if there is one.
static sj_css_substitution read_variable(substitution *s, sj_tokens *tokens, uint32_t element, int depth) {
  sj_token name = sj_tokens_next(tokens);
  while (name.kind == SJ_TOKEN_SPACE) name = sj_tokens_next(tokens);
  bool custom = name.kind == SJ_TOKEN_IDENT && name.name_end - name.name_start > 2 &&
                memcmp(tokens->text + name.name_start, "--", 2) == 0;
  if (!custom) return SJ_CSS_INVALID_VALUE;
  sj_token next = sj_tokens_next(tokens);
  while (next.kind == SJ_TOKEN_SPACE) next = sj_tokens_next(tokens);
  bool fallback = next.kind == SJ_TOKEN_COMMA;
  size_t start = next.end, end = next.start;
  if (fallback) {
    uint32_t open = 0;
    for (next = sj_tokens_next(tokens);; next = sj_tokens_next(tokens)) {
      if (next.kind == SJ_TOKEN_END || (next.kind == SJ_TOKEN_CLOSE_PAREN && open-- == 0)) break;
      if (sj_token_closer(next.kind) == SJ_TOKEN_CLOSE_PAREN) open++;
    }
    end = next.start;
  }
  if (next.kind != SJ_TOKEN_CLOSE_PAREN && next.kind != SJ_TOKEN_END) return SJ_CSS_INVALID_VALUE;
  const char *found;
  size_t found_length, before = s->out->count;
  uint32_t owner;
  if (s->lookup(s->user, element, tokens->text + name.name_start, name.name_end - name.name_start, &found,
                &found_length, &owner)) {
    sj_css_substitution result = substitute(s, owner, found, found_length, depth + 1);
    if (result != SJ_CSS_INVALID_VALUE) return result;
    s->out->count = before;
  }
  if (!fallback) return SJ_CSS_INVALID_VALUE;
  return substitute(s, element, tokens->text + start, end - start, depth + 1);
}

static sj_css_substitution substitute(substitution *s, uint32_t element, const char *value, size_t length, int depth) {
  if (depth > MAX_DEPTH || ++s->steps > MAX_STEPS) return SJ_CSS_INVALID_VALUE;
  sj_tokens tokens = {value, length, 0};
  size_t copied = 0;
  for (;;) {
    sj_token token = sj_tokens_next(&tokens);
    if (token.kind == SJ_TOKEN_END) break;
    if (token.kind != SJ_TOKEN_FUNCTION || !sj_token_is(&tokens, &token, "var")) continue;
    sj_css_substitution result = append(s, value + copied, token.start - copied);
    if (!result) result = read_variable(s, &tokens, element, depth);
    if (result) return result;
    copied = tokens.at;
  }
  return append(s, value + copied, length - copied);
}

sj_css_substitution sj_css_substitute(stijl_context *context, sj_css_lookup lookup, void *user, uint32_t element,
                                      const char *value, size_t length, sj_text_buffer *out) {
  substitution s = {context, lookup, user, out, 0};
  return substitute(&s, element, value, length, 0);
}
