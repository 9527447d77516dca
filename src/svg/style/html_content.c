#include "svg/style/html_content.h"

#include <math.h>

#include "css/tokens.h"

static bool keep(sj_arena *arena, const sj_tokens *tokens, const sj_token *token, sj_value_text *out) {
  *out = (sj_value_text){tokens->text + token->name_start, token->name_end - token->name_start};
  if (!token->escaped || !arena) return true;
  sj_text_buffer buffer = {0};
  const char *name = sj_token_name(tokens, token, arena->context, &buffer, &out->length);
  out->text = name ? sj_arena_text(arena, name, out->length) : NULL;
  sj_array_finish(arena->context, &buffer);
  return out->text != NULL;
}

static bool ends(const sj_token *token) { return token->kind == SJ_TOKEN_CLOSE_PAREN || token->kind == SJ_TOKEN_END; }

// Reads what stands behind "attr(", "counter(", "counters(" or "url(", up to the parenthesis.
static bool read_function(sj_arena *arena, sj_tokens *tokens, sj_content_item *item) {
  bool url = item->kind == SJ_PIECE_IMAGE;
  sj_token token = sj_tokens_next_word(tokens);
  if (token.kind != (url ? SJ_TOKEN_STRING : SJ_TOKEN_IDENT)) return false;
  if (!keep(arena, tokens, &token, url ? &item->text : &item->name)) return false;
  token = sj_tokens_next_word(tokens);
  // The type of an attribute: a string is what it is.
  if (item->kind == SJ_PIECE_ATTRIBUTE && token.kind == SJ_TOKEN_IDENT) {
    if (!sj_token_is(tokens, &token, "string") && !sj_token_is(tokens, &token, "raw-string")) return false;
    token = sj_tokens_next_word(tokens);
  }
  bool needs_text = item->kind == SJ_PIECE_COUNTERS;
  if (token.kind == SJ_TOKEN_COMMA && (needs_text || item->kind == SJ_PIECE_ATTRIBUTE)) {
    token = sj_tokens_next_word(tokens);
    if (token.kind != SJ_TOKEN_STRING || !keep(arena, tokens, &token, &item->text)) return false;
    token = sj_tokens_next_word(tokens);
    needs_text = false;
  }
  bool counter = item->kind == SJ_PIECE_COUNTER || item->kind == SJ_PIECE_COUNTERS;
  if (token.kind == SJ_TOKEN_COMMA && counter && !needs_text) {
    token = sj_tokens_next_word(tokens);
    if (token.kind != SJ_TOKEN_IDENT || !keep(arena, tokens, &token, &item->style)) return false;
    token = sj_tokens_next_word(tokens);
  }
  return !needs_text && ends(&token);
}

sj_content_item sj_content_next(sj_arena *arena, sj_value_text *left) {
  static const struct {
    const char *name;
    sj_token_kind token;
    sj_piece_kind kind;
  } words[] = {{"open-quote", SJ_TOKEN_IDENT, SJ_PIECE_OPEN_QUOTE},
               {"close-quote", SJ_TOKEN_IDENT, SJ_PIECE_CLOSE_QUOTE},
               {"no-open-quote", SJ_TOKEN_IDENT, SJ_PIECE_NO_OPEN_QUOTE},
               {"no-close-quote", SJ_TOKEN_IDENT, SJ_PIECE_NO_CLOSE_QUOTE},
               {"attr", SJ_TOKEN_FUNCTION, SJ_PIECE_ATTRIBUTE},
               {"counter", SJ_TOKEN_FUNCTION, SJ_PIECE_COUNTER},
               {"counters", SJ_TOKEN_FUNCTION, SJ_PIECE_COUNTERS},
               {"url", SJ_TOKEN_FUNCTION, SJ_PIECE_IMAGE}};
  sj_tokens tokens = sj_tokens_begin(left->text, 0, left->length, arena ? sj_budget_of(arena->context) : NULL);
  sj_token token = sj_tokens_next_word(&tokens);
  sj_content_item item = {.kind = SJ_PIECE_INVALID};
  bool good = true;
  // What stands behind a slash is for those who listen.
  if (token.kind == SJ_TOKEN_END || (token.kind == SJ_TOKEN_DELIM && token.delim == '/')) {
    item.kind = SJ_PIECE_END;
  } else if (token.kind == SJ_TOKEN_STRING || token.kind == SJ_TOKEN_URL) {
    item.kind = token.kind == SJ_TOKEN_URL ? SJ_PIECE_IMAGE : SJ_PIECE_STRING;
    good = keep(arena, &tokens, &token, &item.text);
  } else if (token.kind == SJ_TOKEN_IDENT || token.kind == SJ_TOKEN_FUNCTION) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (words[i].token == token.kind && sj_token_is(&tokens, &token, words[i].name)) item.kind = words[i].kind;
    good = item.kind != SJ_PIECE_INVALID && (token.kind == SJ_TOKEN_IDENT || read_function(arena, &tokens, &item));
  }
  if (!good) item.kind = SJ_PIECE_INVALID;
  left->text += tokens.at;
  left->length -= tokens.at;
  return item;
}

bool sj_content_is_valid(sj_value_text value) {
  sj_content_item item = sj_content_next(NULL, &value);
  if (item.kind == SJ_PIECE_END) return false;
  while (item.kind < SJ_PIECE_END) item = sj_content_next(NULL, &value);
  return item.kind == SJ_PIECE_END;
}

bool sj_counter_next(sj_value_text *left, int32_t otherwise, sj_value_text *name, int32_t *number, bool *valid) {
  sj_tokens tokens = sj_tokens_begin(left->text, 0, left->length, NULL);
  sj_token token = sj_tokens_next_word(&tokens);
  if (token.kind == SJ_TOKEN_END) return false;
  *valid = *valid && token.kind == SJ_TOKEN_IDENT;
  *name = (sj_value_text){tokens.text + token.name_start, token.name_end - token.name_start};
  *number = otherwise;
  sj_tokens ahead = tokens;
  token = sj_tokens_next_word(&ahead);
  if (token.kind == SJ_TOKEN_NUMBER && token.integer) {
    *number = (int32_t)fmax(INT32_MIN, fmin(INT32_MAX, token.number));
    tokens = ahead;
  }
  left->text += tokens.at;
  left->length -= tokens.at;
  return *valid;
}
