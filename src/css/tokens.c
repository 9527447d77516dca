#include "css/tokens.h"

#include <string.h>

#include "dom/atoms.h"

#define REPLACEMENT 0xfffdu
#define BYTES_PER_CHECK 4096

static bool is_newline(char c) { return c == '\n' || c == '\r' || c == '\f'; }
bool sj_is_css_space(char c) { return c == ' ' || c == '\t' || is_newline(c); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  c = sj_lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}
// Returns whether a name may begin with c. NUL stands for U+FFFD, which may be part of a name.
static bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80 || c == 0;
}
static bool is_name(char c) { return is_name_start(c) || is_digit(c) || c == '-'; }

static bool has(const sj_tokens *t, size_t at, char c) { return at < t->end && t->text[at] == c; }

static bool is_escape(const sj_tokens *t, size_t at) {
  return has(t, at, '\\') && at + 1 < t->end && !is_newline(t->text[at + 1]);
}

static bool starts_name(const sj_tokens *t, size_t at) {
  if (at >= t->end) return false;
  if (t->text[at] == '-')
    return (at + 1 < t->end && (is_name_start(t->text[at + 1]) || t->text[at + 1] == '-')) || is_escape(t, at + 1);
  return is_name_start(t->text[at]) || is_escape(t, at);
}

static bool starts_number(const sj_tokens *t, size_t at) {
  if (has(t, at, '+') || has(t, at, '-')) at++;
  if (at < t->end && is_digit(t->text[at])) return true;
  return has(t, at, '.') && at + 1 < t->end && is_digit(t->text[at + 1]);
}

// Returns what is behind the escape at `at`.
static size_t skip_escape(const sj_tokens *t, size_t at) {
  at++;
  if (at >= t->end) return at;
  if (hex_value(t->text[at]) < 0) return at + 1;  // of a longer UTF-8 sequence the rest is made of name bytes
  for (int i = 0; i < 6 && at < t->end && hex_value(t->text[at]) >= 0; i++) at++;
  if (at < t->end && sj_is_css_space(t->text[at])) {
    if (t->text[at] == '\r' && has(t, at + 1, '\n')) at++;
    at++;
  }
  return at;
}

static size_t skip_name(const sj_tokens *t, size_t at, bool *escaped) {
  while (at < t->end) {
    if (is_name(t->text[at])) {
      *escaped |= t->text[at] == 0;
      at++;
    } else if (is_escape(t, at)) {
      *escaped = true;
      at = skip_escape(t, at);
    } else {
      break;
    }
  }
  return at;
}

static double power_of_ten(int exponent) {
  double result = 1, base = 10;
  for (int n = exponent < 0 ? -exponent : exponent; n; n >>= 1, base *= base)
    if (n & 1) result *= base;
  return exponent < 0 ? 1 / result : result;
}

static void scan_number(sj_tokens *t, sj_token *token) {
  double value = 0;
  int scale = 0;
  bool negative = has(t, t->at, '-');
  token->has_sign = negative || has(t, t->at, '+');
  if (token->has_sign) t->at++;
  token->integer = true;
  for (; t->at < t->end && is_digit(t->text[t->at]); t->at++) {
    if (value < 1e17)
      value = value * 10 + (t->text[t->at] - '0');
    else if (scale < 400)
      scale++;
  }
  if (has(t, t->at, '.') && t->at + 1 < t->end && is_digit(t->text[t->at + 1])) {
    token->integer = false;
    for (t->at++; t->at < t->end && is_digit(t->text[t->at]); t->at++) {
      if (value >= 1e17 || scale < -300) continue;
      value = value * 10 + (t->text[t->at] - '0');
      scale--;
    }
  }
  size_t e = t->at + 1;
  if ((has(t, t->at, 'e') || has(t, t->at, 'E')) && e < t->end) {
    bool down = t->text[e] == '-';
    if (down || t->text[e] == '+') e++;
    if (e < t->end && is_digit(t->text[e])) {
      token->integer = false;
      int exponent = 0;
      for (; e < t->end && is_digit(t->text[e]); e++)
        if (exponent < 1000) exponent = exponent * 10 + (t->text[e] - '0');
      scale += down ? -exponent : exponent;
      t->at = e;
    }
  }
  if (scale > 400) scale = 400;
  if (scale < -400) scale = -400;
  if (value > 0)
    value = scale < -300 ? value * power_of_ten(-300) * power_of_ten(scale + 300) : value * power_of_ten(scale);
  token->number = negative ? -value : value;
}

static void scan_numeric(sj_tokens *t, sj_token *token) {
  scan_number(t, token);
  if (starts_name(t, t->at)) {
    token->kind = SJ_TOKEN_DIMENSION;
    token->name_start = t->at;
    t->at = token->name_end = skip_name(t, t->at, &token->escaped);
  } else if (has(t, t->at, '%')) {
    token->kind = SJ_TOKEN_PERCENTAGE;
    t->at++;
  } else {
    token->kind = SJ_TOKEN_NUMBER;
  }
}

static void scan_string(sj_tokens *t, sj_token *token) {
  char quote = t->text[t->at++];
  token->kind = SJ_TOKEN_STRING;
  token->name_start = t->at;
  while (t->at < t->end && t->text[t->at] != quote) {
    char c = t->text[t->at];
    if (is_newline(c)) {
      token->kind = SJ_TOKEN_BAD_STRING;
      token->name_end = t->at;
      return;
    }
    if (c == '\\') {
      token->escaped = true;
      if (t->at + 1 < t->end && is_newline(t->text[t->at + 1])) {
        t->at += t->text[t->at + 1] == '\r' && has(t, t->at + 2, '\n') ? 3 : 2;
        continue;
      }
      t->at = skip_escape(t, t->at);
      continue;
    }
    token->escaped |= c == 0;
    t->at++;
  }
  token->name_end = t->at;
  if (t->at < t->end) t->at++;
}

static void scan_bad_url(sj_tokens *t, sj_token *token) {
  token->kind = SJ_TOKEN_BAD_URL;
  while (t->at < t->end) {
    if (t->text[t->at] == ')') {
      t->at++;
      return;
    }
    t->at = is_escape(t, t->at) ? skip_escape(t, t->at) : t->at + 1;
  }
}

// Scans what is behind "url(" and white space, where no quote follows.
static void scan_url(sj_tokens *t, sj_token *token) {
  token->kind = SJ_TOKEN_URL;
  token->name_start = t->at;
  while (t->at < t->end) {
    char c = t->text[t->at];
    if (c == ')' || sj_is_css_space(c)) {
      token->name_end = t->at;
      while (t->at < t->end && sj_is_css_space(t->text[t->at])) t->at++;
      if (t->at >= t->end) return;
      if (t->text[t->at] != ')') {
        scan_bad_url(t, token);
        return;
      }
      t->at++;
      return;
    }
    bool control = (unsigned char)c < 0x20 || c == 0x7f;
    if (c == '"' || c == '\'' || c == '(' || (control && c != 0)) {
      scan_bad_url(t, token);
      return;
    }
    if (c == '\\') {
      if (!is_escape(t, t->at)) {
        scan_bad_url(t, token);
        return;
      }
      token->escaped = true;
      t->at = skip_escape(t, t->at);
      continue;
    }
    token->escaped |= c == 0;
    t->at++;
  }
  token->name_end = t->at;
}

static void scan_name_like(sj_tokens *t, sj_token *token) {
  token->name_start = t->at;
  t->at = token->name_end = skip_name(t, t->at, &token->escaped);
  token->kind = SJ_TOKEN_IDENT;
  if (!has(t, t->at, '(')) return;
  token->kind = SJ_TOKEN_FUNCTION;
  t->at++;
  if (!sj_token_is(t, token, "url")) return;
  size_t at = t->at;
  while (at < t->end && sj_is_css_space(t->text[at])) at++;
  if (has(t, at, '"') || has(t, at, '\'')) return;
  t->at = at;
  token->escaped = false;
  scan_url(t, token);
}

static void skip_comments(sj_tokens *t) {
  while (has(t, t->at, '/') && has(t, t->at + 1, '*')) {
    size_t at = t->at + 2;
    for (;;) {
      const char *star = at < t->end ? memchr(t->text + at, '*', t->end - at) : NULL;
      if (!star) {
        t->at = t->end;
        return;
      }
      at = (size_t)(star - t->text) + 1;
      if (has(t, at, '/')) break;
    }
    t->at = at + 1;
  }
}

static sj_token_kind punctuation(char c) {
  switch (c) {
    case ':': return SJ_TOKEN_COLON;
    case ';': return SJ_TOKEN_SEMICOLON;
    case ',': return SJ_TOKEN_COMMA;
    case '[': return SJ_TOKEN_OPEN_BRACKET;
    case ']': return SJ_TOKEN_CLOSE_BRACKET;
    case '(': return SJ_TOKEN_OPEN_PAREN;
    case ')': return SJ_TOKEN_CLOSE_PAREN;
    case '{': return SJ_TOKEN_OPEN_BRACE;
    case '}': return SJ_TOKEN_CLOSE_BRACE;
    default: return SJ_TOKEN_DELIM;
  }
}

static void scan(sj_tokens *t, sj_token *token) {
  char c = t->text[t->at];
  if (sj_is_css_space(c)) {
    token->kind = SJ_TOKEN_SPACE;
    while (t->at < t->end && sj_is_css_space(t->text[t->at])) t->at++;
  } else if (c == '"' || c == '\'') {
    scan_string(t, token);
  } else if (starts_number(t, t->at)) {
    scan_numeric(t, token);
  } else if (c == '-' && has(t, t->at + 1, '-') && has(t, t->at + 2, '>')) {
    token->kind = SJ_TOKEN_CDC;
    t->at += 3;
  } else if (starts_name(t, t->at)) {
    scan_name_like(t, token);
  } else if (c == '#' && t->at + 1 < t->end && (is_name(t->text[t->at + 1]) || is_escape(t, t->at + 1))) {
    token->kind = SJ_TOKEN_HASH;
    token->identifier = starts_name(t, t->at + 1);
    token->name_start = t->at + 1;
    t->at = token->name_end = skip_name(t, t->at + 1, &token->escaped);
  } else if (c == '@' && starts_name(t, t->at + 1)) {
    token->kind = SJ_TOKEN_AT_KEYWORD;
    token->name_start = t->at + 1;
    t->at = token->name_end = skip_name(t, t->at + 1, &token->escaped);
  } else if (c == '<' && has(t, t->at + 1, '!') && has(t, t->at + 2, '-') && has(t, t->at + 3, '-')) {
    token->kind = SJ_TOKEN_CDO;
    t->at += 4;
  } else {
    token->kind = punctuation(c);
    token->delim = c;
    t->at++;
  }
}

// Charges the budget for what was read since the last time. Who reads a place again pays again.
static void spend(sj_tokens *t) {
  size_t bytes = t->at > t->spent ? t->at - t->spent : 0;
  if (!sj_budget_check(t->budget, bytes * SJ_WORK_BYTE)) t->end = t->at;
  t->spent = t->at;
}

sj_token sj_tokens_next(sj_tokens *tokens) {
  bool again = tokens->at < tokens->spent;
  if (tokens->budget && (again || tokens->at - tokens->spent >= BYTES_PER_CHECK)) spend(tokens);
  skip_comments(tokens);
  sj_token token = {.kind = SJ_TOKEN_END, .start = tokens->at};
  if (tokens->at < tokens->end) scan(tokens, &token);
  token.end = tokens->at;
  return token;
}

static size_t put_utf8(uint32_t c, char *out) {
  if (c < 0x80) {
    out[0] = (char)c;
    return 1;
  }
  if (c < 0x800) {
    out[0] = (char)(0xc0 | c >> 6);
    out[1] = (char)(0x80 | (c & 63));
    return 2;
  }
  if (c < 0x10000) {
    out[0] = (char)(0xe0 | c >> 12);
    out[1] = (char)(0x80 | (c >> 6 & 63));
    out[2] = (char)(0x80 | (c & 63));
    return 3;
  }
  out[0] = (char)(0xf0 | c >> 18);
  out[1] = (char)(0x80 | (c >> 12 & 63));
  out[2] = (char)(0x80 | (c >> 6 & 63));
  out[3] = (char)(0x80 | (c & 63));
  return 4;
}

// Returns the next piece of an escaped name, at most 4 bytes; advances *at.
static size_t next_piece(const sj_tokens *t, size_t *at, size_t end, char out[4]) {
  char c = t->text[*at];
  if (c == 0) {
    ++*at;
    return put_utf8(REPLACEMENT, out);
  }
  if (c != '\\' || *at + 1 >= end) {
    if (c == '\\') {
      ++*at;
      return t->end == end && *at >= t->end ? put_utf8(REPLACEMENT, out) : 0;
    }
    out[0] = c;
    ++*at;
    return 1;
  }
  char next = t->text[*at + 1];
  if (is_newline(next)) {  // a continued string
    *at += next == '\r' && *at + 2 < end && t->text[*at + 2] == '\n' ? 3 : 2;
    return 0;
  }
  if (hex_value(next) < 0) {
    out[0] = next;
    *at += 2;
    return next == 0 ? put_utf8(REPLACEMENT, out) : 1;
  }
  uint32_t value = 0;
  for (size_t i = *at + 1, digits = 0; digits < 6 && i < end && hex_value(t->text[i]) >= 0; i++, digits++)
    value = value * 16 + (uint32_t)hex_value(t->text[i]);
  *at = skip_escape(t, *at);
  if (*at > end) *at = end;
  if (value == 0 || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) value = REPLACEMENT;
  return put_utf8(value, out);
}

const char *sj_token_name(const sj_tokens *tokens, const sj_token *token, stijl_context *context,
                          sj_text_buffer *buffer, size_t *length) {
  *length = token->name_end - token->name_start;
  if (!token->escaped) return tokens->text + token->name_start;
  buffer->count = 0;
  // A piece never has more bytes than 3 for each of the text (a NUL that becomes U+FFFD).
  if (!sj_array_reserve(context, buffer, *length * 3 + 4)) return NULL;
  for (size_t at = token->name_start; at < token->name_end;)
    buffer->count += next_piece(tokens, &at, token->name_end, buffer->data + buffer->count);
  *length = buffer->count;
  return buffer->data;
}

bool sj_token_is(const sj_tokens *tokens, const sj_token *token, const char *lower_name) {
  size_t at = token->name_start;
  while (at < token->name_end) {
    char piece[4];
    size_t count = next_piece(tokens, &at, token->name_end, piece);
    for (size_t i = 0; i < count; i++)
      if (*lower_name == 0 || *lower_name == ' ' || sj_lower(piece[i]) != *lower_name++) return false;
  }
  return *lower_name == 0 || *lower_name == ' ';
}

bool sj_token_is_among(const sj_tokens *tokens, const sj_token *token, const char *lower_names) {
  bool found = sj_token_is(tokens, token, lower_names);
  while (!found && (lower_names = strchr(lower_names, ' '))) found = sj_token_is(tokens, token, ++lower_names);
  return found;
}

sj_token_kind sj_token_closer(sj_token_kind kind) {
  switch (kind) {
    case SJ_TOKEN_FUNCTION:
    case SJ_TOKEN_OPEN_PAREN: return SJ_TOKEN_CLOSE_PAREN;
    case SJ_TOKEN_OPEN_BRACKET: return SJ_TOKEN_CLOSE_BRACKET;
    case SJ_TOKEN_OPEN_BRACE: return SJ_TOKEN_CLOSE_BRACE;
    default: return SJ_TOKEN_END;
  }
}

bool sj_token_leaves(sj_token_kind kind, uint32_t *open) {
  if (kind == SJ_TOKEN_CLOSE_PAREN && *open == 0) return true;
  if (kind == SJ_TOKEN_CLOSE_PAREN) --*open;
  if (sj_token_closer(kind) == SJ_TOKEN_CLOSE_PAREN) ++*open;
  return false;
}

sj_token sj_tokens_next_word(sj_tokens *tokens) {
  sj_token token = sj_tokens_next(tokens);
  while (token.kind == SJ_TOKEN_SPACE) token = sj_tokens_next(tokens);
  return token;
}
