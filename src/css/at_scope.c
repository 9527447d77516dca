// @scope.
#include "css/parser.h"

// Takes a list in parentheses at the place *at, which is moved behind it. Returns false if there is none.
static bool take_parentheses(const sj_css_parser *s, size_t *at, size_t end, size_t *inner, size_t *close) {
  sj_tokens tokens = sj_tokens_begin(s->tokens.text, *at, end, s->tokens.budget);
  sj_token token = sj_tokens_next_word(&tokens);
  if (token.kind != SJ_TOKEN_OPEN_PAREN) return false;
  *inner = token.end;
  uint32_t open = 0;
  for (token = sj_tokens_next(&tokens); token.kind != SJ_TOKEN_END; token = sj_tokens_next(&tokens)) {
    if (sj_token_leaves(token.kind, &open)) break;
  }
  *close = token.start;
  *at = token.end;
  return token.kind == SJ_TOKEN_CLOSE_PAREN;
}

// Takes the word "to". Returns whether it is there, and nothing else.
static bool take_word(const sj_css_parser *s, size_t *at, size_t end, const char *word) {
  sj_tokens tokens = sj_tokens_begin(s->tokens.text, *at, end, s->tokens.budget);
  sj_token token = sj_tokens_next_word(&tokens);
  if (!word) return token.kind == SJ_TOKEN_END;
  if (token.kind != SJ_TOKEN_IDENT || !sj_token_is(&tokens, &token, word)) return false;
  *at = token.end;
  return true;
}

static sj_css_verdict parse_scope_list(sj_css_parser *s, size_t start, size_t end, uint32_t *list) {
  sj_css_verdict verdict = sj_css_parse_selectors(&s->selectors, s->tokens.text, start, end, list);
  for (size_t i = 0; verdict == SJ_CSS_VALID && i < s->selectors.extents.count; i++)
    if (s->selectors.extents.data[i].part) verdict = SJ_CSS_INVALID;
  return verdict;
}

stijl_result sj_css_parse_scope(sj_css_parser *s, sj_css_surroundings *around, size_t at, size_t start, size_t end) {
  size_t place = start, from, to;
  sj_css_surroundings inside = *around;
  inside.limits = SJ_CSS_NONE;
  bool rooted = take_parentheses(s, &place, end, &from, &to);
  sj_css_verdict verdict = SJ_CSS_VALID;
  if (rooted) {
    sj_css_set_surroundings(s, around);
    verdict = parse_scope_list(s, from, to, &inside.list);
    if (verdict == SJ_CSS_FAILED) return sj_css_selector_failure(s);
    inside.roots = inside.list;
    inside.weightless = true;
    inside.rule = SJ_CSS_NONE;
    while (from < to && sj_is_css_space(s->tokens.text[from])) from++;
    while (to > from && sj_is_css_space(s->tokens.text[to - 1])) to--;
    inside.roots_start = (uint32_t)from;
    inside.roots_length = (uint32_t)(to - from);
  }
  if (verdict == SJ_CSS_VALID && take_word(s, &place, end, "to")) {
    bool good = take_parentheses(s, &place, end, &from, &to);
    sj_css_set_surroundings(s, &inside);
    if (good && rooted) verdict = parse_scope_list(s, from, to, &inside.limits);
    if (verdict == SJ_CSS_FAILED) return sj_css_selector_failure(s);
    if (!good) verdict = SJ_CSS_INVALID;
  }
  if (verdict == SJ_CSS_INVALID || !take_word(s, &place, end, NULL)) {
    sj_css_warn(s, at, end, "@scope left out, its selectors are not valid");
    return sj_css_skip_component(s);
  }
  if (!rooted) {
    sj_css_warn(s, at, end, "@scope without a root is not evaluated, its rules do not apply");
    return sj_css_parse_block(s, around, around->layer, false);
  }
  inside.roots_line = sj_css_line_of(s, inside.roots_start);
  stijl_result result = sj_css_parse_block(s, &inside, around->layer, around->active);
  around->open = SJ_CSS_NONE;
  return result;
}
