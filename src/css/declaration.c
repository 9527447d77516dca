#include "css/declaration.h"

#include <string.h>

#include "css/tokens.h"

// How deep brackets may be nested within a declaration; where they are deeper, the rest of the text is skipped.
#define MAX_BLOCKS 64

// Returns what is behind the comment that begins at `at`, or NULL if none does. One that is not closed reaches to the
// end.
static const char *skip_comment(const char *at, const char *end) {
  if (end - at < 2 || at[0] != '/' || at[1] != '*') return NULL;
  for (at += 2; at < end; at++)
    if (end - at >= 2 && at[0] == '*' && at[1] == '/') return at + 2;
  return end;
}

static const char *skip_space(const char *at, const char *end) {
  for (const char *behind; at < end; at = behind) {
    behind = sj_is_css_space(*at) ? at + 1 : skip_comment(at, end);
    if (!behind) break;
  }
  return at;
}

// Returns where a declaration ends: at a semicolon that is not within strings, comments, escapes or brackets (CSS
// Syntax 3, 5.4.7), or at the end.
static const char *declaration_end(const char *at, const char *end) {
  char open[MAX_BLOCKS];
  int depth = 0;
  while (at < end) {
    char c = *at;
    const char *comment;
    if (c == ';' && depth == 0) return at;
    if (c == '/' && (comment = skip_comment(at, end))) {
      at = comment;
      continue;
    }
    if (c == '"' || c == '\'') {
      for (at++; at < end && *at != c && *at != '\n'; at++) {
        if (*at == '\\' && at + 1 < end) at++;
      }
    } else if (c == '\\' && at + 1 < end) {
      at++;
    } else if (c == '(' || c == '[' || c == '{') {
      if (depth == MAX_BLOCKS) return end;
      open[depth++] = (char)(c == '(' ? ')' : c == '[' ? ']' : '}');
    } else if (depth && c == open[depth - 1]) {
      depth--;
    }
    if (at < end) at++;
  }
  return end;
}

// Returns whether a value holds what trimming white space does not find: a comment, or an exclamation mark.
static bool is_plain(const char *text, size_t length) {
  if (memchr(text, '!', length)) return false;
  for (const char *slash = text, *end = text + length; (slash = memchr(slash, '/', (size_t)(end - slash))); slash++)
    if (end - slash >= 2 && slash[1] == '*') return false;
  return true;
}

bool sj_declaration_value(const char **value, size_t *length) {
  const char *text = *value;
  size_t start = 0, end = *length;
  while (start < end && sj_is_css_space(text[start])) start++;
  while (end > start && sj_is_css_space(text[end - 1])) end--;
  bool important = false;
  if (start < end && !is_plain(text + start, end - start)) {
    sj_tokens tokens = sj_tokens_begin(text, start, end, NULL);
    // The last tokens that are no space: where they end, and whether the one before the last is an exclamation mark.
    size_t ends[3] = {start, start, start};
    bool mark = false, first = true;
    for (sj_token t; (t = sj_tokens_next(&tokens)).kind != SJ_TOKEN_END;) {
      if (t.kind == SJ_TOKEN_SPACE) continue;
      if (first) start = ends[0] = ends[1] = ends[2] = t.start;
      first = false;
      important = mark && t.kind == SJ_TOKEN_IDENT && sj_token_is(&tokens, &t, "important");
      mark = t.kind == SJ_TOKEN_DELIM && t.delim == '!';
      ends[0] = ends[1];
      ends[1] = ends[2];
      ends[2] = t.end;
    }
    end = first ? start : important ? ends[0] : ends[2];
  }
  *value = text + start;
  *length = end - start;
  return important;
}

// Returns whether a name may have c. Escapes in names are not resolved: no property needs one.
static bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
         (unsigned char)c >= 0x80;
}

sj_declarations sj_declarations_begin(const char *text, size_t length) {
  return (sj_declarations){text, text + length};
}

bool sj_declarations_next(sj_declarations *declarations, sj_declaration *out) {
  while (declarations->cursor < declarations->end) {
    const char *name = skip_space(declarations->cursor, declarations->end);
    const char *end = declaration_end(name, declarations->end), *at = name;
    declarations->cursor = end < declarations->end ? end + 1 : end;
    while (at < end && is_name_char(*at)) at++;
    *out = (sj_declaration){.name = name, .name_length = (size_t)(at - name)};
    at = skip_space(at, end);
    if (!out->name_length || at == end || *at != ':') continue;
    out->value = at + 1;
    out->value_length = (size_t)(end - out->value);
    out->important = sj_declaration_value(&out->value, &out->value_length);
    return true;
  }
  return false;
}
