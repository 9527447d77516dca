#include "lab/elements.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 4096 };

typedef struct scan {
  const char *text;
  size_t bytes, at;
  uint32_t line;
} scan;

// Moves on to a place and counts lines.
static void move(scan *s, size_t to) {
  for (; s->at < to && s->at < s->bytes; s->at++) s->line += s->text[s->at] == '\n';
}

static size_t find(const scan *s, size_t from, const char *what) {
  const char *found = from < s->bytes ? memmem(s->text + from, s->bytes - from, what, strlen(what)) : NULL;
  return found ? (size_t)(found - s->text) + strlen(what) : s->bytes;
}

// Returns the place behind the '>' that ends a tag or declaration; quotes and brackets may hold others.
static size_t end_of_tag(const scan *s, size_t from) {
  char quote = 0;
  int depth = 0;
  for (size_t i = from; i < s->bytes; i++) {
    char c = s->text[i];
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '[')
      depth++;
    else if (c == ']')
      depth--;
    else if (c == '>' && depth <= 0)
      return i + 1;
  }
  return s->bytes;
}

// Returns whether elements of this name draw nothing where they stand.
static bool is_hidden(const char *name, size_t length) {
  static const char *const hidden[] = {"defs",   "style",    "title",          "desc",          "metadata",
                                       "symbol", "clipPath", "mask",           "marker",        "filter",
                                       "script", "pattern",  "linearGradient", "radialGradient"};
  for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
    if (strlen(hidden[i]) == length && memcmp(name, hidden[i], length) == 0) return true;
  return false;
}

bool sj_lab_elements_find(sj_lab_elements *out, stijl_context *context, const char *text, size_t bytes) {
  *out = (sj_lab_elements){.context = context};
  scan s = {text, bytes, 0, 1};
  int open = -1, depth = 0;
  while (s.at < bytes) {
    const char *next = memchr(text + s.at, '<', bytes - s.at);
    if (!next) break;
    size_t from = (size_t)(next - text), left = bytes - from;
    move(&s, from);
    if (left >= 4 && memcmp(next, "<!--", 4) == 0)
      move(&s, find(&s, from, "-->"));
    else if (left >= 9 && memcmp(next, "<![CDATA[", 9) == 0)
      move(&s, find(&s, from, "]]>"));
    else if (left >= 2 && next[1] == '?')
      move(&s, find(&s, from, "?>"));
    else if (left >= 2 && next[1] == '!')
      move(&s, end_of_tag(&s, from + 2));
    else if (left >= 2 && next[1] == '/') {
      move(&s, end_of_tag(&s, from + 2));
      if (open < 0) return false;
      sj_lab_element *e = &out->list.data[open];
      e->end = s.at;
      e->children = (uint32_t)(out->list.count - 1 - (size_t)open);
      open = e->parent;
      depth--;
    } else {
      size_t end = end_of_tag(&s, from + 1), length = strcspn(next + 1, " \t\r\n/>");
      bool hidden = is_hidden(next + 1, length) || (open >= 0 && !out->list.data[open].drawn);
      bool closed = end >= 2 && text[end - 2] == '/';
      sj_lab_element e = {from, end, end, s.line, 0, open, !hidden};
      if (depth >= MAX_DEPTH || !sj_array_push(context, &out->list, e)) return false;
      move(&s, end);
      if (!closed) open = (int)out->list.count - 1, depth++;
    }
  }
  return open < 0 && out->list.count > 0;
}

void sj_lab_elements_finish(sj_lab_elements *e) { sj_array_finish(e->context, &e->list); }

void sj_lab_element_name(const char *text, const sj_lab_element *e, char *out, size_t bytes) {
  const char *tag = text + e->from + 1, *end = text + e->head;
  size_t length = 0;
  while (tag + length < end && !isspace((unsigned char)tag[length]) && tag[length] != '>' && tag[length] != '/')
    length++;
  const char *id = NULL;
  for (const char *p = tag; p + 5 < end && !id; p++)
    if (isspace((unsigned char)p[0]) && memcmp(p + 1, "id=", 3) == 0) id = p + 4;
  if (!id) {
    snprintf(out, bytes, "%.*s", (int)length, tag);
    return;
  }
  const char *close = memchr(id + 1, *id, (size_t)(end - id - 1));
  snprintf(out, bytes, "%.*s #%.*s", (int)length, tag, (int)(close ? close - id - 1 : 0), id + 1);
}

bool sj_lab_element_has(const char *text, const sj_lab_element *e, const char *part) {
  return memmem(text + e->from, e->head - e->from, part, strlen(part)) != NULL;
}
