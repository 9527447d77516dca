#include "css/condition_reader.h"

static bool is_foreign(const reader *r) {
  static const struct {
    const char *text;
    size_t length;
  } prefixes[] = {{"-moz-", 5}, {"-ms-", 4}, {"-o-", 3}, {"-khtml-", 7}, {"-apple-", 7}};
  size_t length = r->token.name_end - r->token.name_start;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (length > prefixes[i].length &&
        sj_equal_ignoring_case(r->tokens.text + r->token.name_start, prefixes[i].text, prefixes[i].length))
      return true;
  return false;
}

// Reads a declaration from its property on, up to the closing parenthesis.
static bool read_declaration(reader *r) {
  bool supported = !is_foreign(r), any = false;
  bool custom = r->token.name_end - r->token.name_start > 2 && r->tokens.text[r->token.name_start] == '-' &&
                r->tokens.text[r->token.name_start + 1] == '-';
  advance(r);
  skip_space(r);
  if (r->token.kind != SJ_TOKEN_COLON) return false;
  advance(r);
  for (uint32_t open = 0; r->token.kind != SJ_TOKEN_END; advance(r)) {
    if (sj_token_leaves(r->token.kind, &open)) break;
    any |= r->token.kind != SJ_TOKEN_SPACE;
    if ((r->token.kind == SJ_TOKEN_IDENT || r->token.kind == SJ_TOKEN_FUNCTION) && is_foreign(r)) supported = false;
  }
  return custom || (supported && any);
}

static bool read_condition(reader *r, int depth);

static bool read_in_parens(reader *r, int depth) {
  bool result = false;
  if (r->token.kind == SJ_TOKEN_FUNCTION) {
    bool selector = sj_token_is(&r->tokens, &r->token, "selector");
    size_t start = r->token.end;
    advance(r);
    skip_to_close(r);
    uint32_t list;
    if (selector)
      result = sj_css_parse_selectors(r->selectors, r->tokens.text, start, r->token.start, &list) == SJ_CSS_VALID;
  } else if (r->token.kind == SJ_TOKEN_OPEN_PAREN) {
    advance(r);
    skip_space(r);
    bool nested = r->token.kind == SJ_TOKEN_OPEN_PAREN || r->token.kind == SJ_TOKEN_FUNCTION || is_word(r, "not");
    if (depth < MAX_DEPTH) {
      if (nested)
        result = read_condition(r, depth + 1);
      else if (r->token.kind == SJ_TOKEN_IDENT)
        result = read_declaration(r);
      skip_space(r);
      if (r->token.kind != SJ_TOKEN_CLOSE_PAREN && r->token.kind != SJ_TOKEN_END) result = false;
    }
    skip_to_close(r);
  }
  advance(r);
  skip_space(r);
  return result;
}

static bool read_condition(reader *r, int depth) {
  if (is_word(r, "not")) {
    advance(r);
    skip_space(r);
    return !read_in_parens(r, depth);
  }
  bool result = read_in_parens(r, depth);
  const char *joint = is_word(r, "and") ? "and" : is_word(r, "or") ? "or" : NULL;
  while (joint && is_word(r, joint)) {
    advance(r);
    skip_space(r);
    bool other = read_in_parens(r, depth);
    result = joint[0] == 'a' ? result && other : result || other;
  }
  return result;
}

bool sj_css_supports(sj_css_selector_parser *parser, const char *text, size_t start, size_t end) {
  reader r = {.selectors = parser, .tokens = sj_tokens_begin(text, start, end, sj_budget_of(parser->program->context))};
  advance(&r);
  skip_space(&r);
  bool result = read_condition(&r, 0);
  return result && r.token.kind == SJ_TOKEN_END;
}
