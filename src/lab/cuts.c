#include <ctype.h>
#include <string.h>

#include "lab/ablate.h"

enum { MAX_NAMES = 64, NAME = 40 };

typedef struct names {
  char all[MAX_NAMES][NAME];
  uint32_t count;
} names;

typedef struct span {
  const char *at, *end;
} span;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// The next identifier, or an empty span; moves *at behind it.
static span next_name(const char **at, const char *end) {
  const char *p = *at;
  while (p < end && !(isalpha((unsigned char)*p) || *p == '_')) {
    if (isdigit((unsigned char)*p))
      while (p < end && is_word(*p)) p++;
    else
      p++;
  }
  span s = {p, p};
  while (s.end < end && is_word(*s.end)) s.end++;
  *at = s.end;
  return s;
}

static bool is(span s, const char *word) {
  return (size_t)(s.end - s.at) == strlen(word) && memcmp(s.at, word, strlen(word)) == 0;
}

static bool has(const names *n, span s) {
  for (uint32_t i = 0; i < n->count; i++)
    if (is(s, n->all[i])) return true;
  return false;
}

// The names in the heads of loops.
static void collect(const char *text, size_t bytes, names *out) {
  const char *at = text, *end = text + bytes;
  while (at < end) {
    span word = next_name(&at, end);
    if (!is(word, "for") && !is(word, "while")) continue;
    int depth = 0;
    const char *close = at;
    for (; close < end; close++) {
      depth += *close == '(';
      if (*close == ')' && --depth == 0) break;
    }
    while (at < close && out->count < MAX_NAMES) {
      span name = next_name(&at, close);
      size_t length = (size_t)(name.end - name.at);
      if (!length || length >= NAME || has(out, name)) continue;
      memcpy(out->all[out->count], name.at, length);
      out->all[out->count++][length] = 0;
    }
  }
}

// Whether leaving this out might keep a loop from ending.
static bool is_risky(span s, const names *loops) {
  const char *at = s.at;
  span first = next_name(&at, s.end);
  bool whole_loop = is(first, "for") || is(first, "while") || is(first, "do");
  if (whole_loop) return false;
  for (at = s.at; at < s.end;) {
    span word = next_name(&at, s.end);
    if (is(word, "break") || is(word, "return") || is(word, "continue") || is(word, "discard")) return true;
    if (word.at < word.end && has(loops, word)) {
      const char *p = at;
      while (p < s.end && (isspace((unsigned char)*p) || *p == '.' || *p == '[' || *p == ']' || is_word(*p))) p++;
      bool assigned =
          p < s.end && ((*p == '=' && p[1] != '=') || (strchr("+-*/%&|^", *p) && (p[1] == '=' || p[1] == *p)) ||
                        (strchr("<>", *p) && p[1] == *p && p[2] == '='));
      bool before = word.at - s.at >= 2 && (memcmp(word.at - 2, "++", 2) == 0 || memcmp(word.at - 2, "--", 2) == 0);
      if (assigned || before) return true;
    }
  }
  return false;
}

// Brackets that open less those that close.
static int balance(span s, char open, char close) {
  int n = 0;
  for (const char *p = s.at; p < s.end; p++) n += (*p == open) - (*p == close);
  return n;
}

static span trim(span s) {
  const char *comment = NULL;
  for (const char *p = s.at; p + 1 < s.end && !comment; p++)
    if (p[0] == '/' && p[1] == '/') comment = p;
  if (comment) s.end = comment;
  while (s.at < s.end && isspace((unsigned char)*s.at)) s.at++;
  while (s.end > s.at && isspace((unsigned char)s.end[-1])) s.end--;
  return s;
}

static span line_at(const char *at, const char *end) {
  const char *stop = memchr(at, '\n', (size_t)(end - at));
  return (span){at, stop ? stop : end};
}

uint32_t sj_lab_find_cuts(const char *text, size_t bytes, sj_lab_cut *out, uint32_t most) {
  names loops = {.count = 0};
  collect(text, bytes, &loops);
  const char *end = text + bytes;
  uint32_t count = 0, number = 1;
  int depth = 0;
  for (const char *at = text; at < end && count < most; number++) {
    span whole = line_at(at, end), line = trim(whole);
    at = whole.end < end ? whole.end + 1 : end;
    int before = depth;
    depth += balance(line, '{', '}');
    if (before < 1 || line.at == line.end || *line.at == '#' || *line.at == '}' || *line.at == '{') continue;
    span unit = line;
    uint32_t last = number;
    int braces = balance(line, '{', '}'), round = balance(line, '(', ')');
    const char *p = at;
    // On to the end of the statement or of its block.
    while ((braces > 0 || round > 0 || (unit.end > unit.at && unit.end[-1] != ';' && unit.end[-1] != '}')) && p < end &&
           last < number + 200) {
      span next = line_at(p, end), cut = trim(next);
      braces += balance(cut, '{', '}');
      round += balance(cut, '(', ')');
      if (cut.end > cut.at) unit.end = cut.end;
      p = next.end < end ? next.end + 1 : end;
      last++;
    }
    if (braces || round || is_risky(unit, &loops)) continue;
    out[count++] = (sj_lab_cut){number, last};
  }
  return count;
}

void sj_lab_cut_out(char *text, size_t bytes, sj_lab_cut cut) {
  uint32_t number = 1;
  for (size_t i = 0; i < bytes && number <= cut.last; i++) {
    if (text[i] == '\n')
      number++;
    else if (number >= cut.first)
      text[i] = ' ';
  }
}
