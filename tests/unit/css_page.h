// A document from canonical HTML, as browsers serialise it: for builds that read no HTML, on other architectures.
#ifndef SJ_TEST_CSS_PAGE_H
#define SJ_TEST_CSS_PAGE_H

#include <stdlib.h>
#include <string.h>

#include "stijl/css.h"

static inline bool sj_page_is_void(const char *name) {
  static const char *const names[] = {"area",  "base", "br",   "col",   "embed",  "hr",    "img",
                                      "input", "link", "meta", "param", "source", "track", "wbr"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

// Character references, in place; serialising writes these only.
static inline void sj_page_decode(char *text) {
  static const struct {
    const char *name, *value;
  } references[] = {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&nbsp;", "\xc2\xa0"}};
  char *to = text;
  for (const char *from = text; *from;) {
    size_t i = 0, count = sizeof references / sizeof *references;
    while (i < count && strncmp(from, references[i].name, strlen(references[i].name)) != 0) i++;
    if (i == count) {
      *to++ = *from++;
      continue;
    }
    for (const char *c = references[i].value; *c; c++) *to++ = *c;
    from += strlen(references[i].name);
  }
  *to = 0;
}

// From behind the name to behind the tag.
static inline char *sj_page_attributes(stijl_css_document *d, char *at) {
  while (*at == ' ') {
    char *name = at + 1, *equals = strstr(name, "=\""), *quote = equals ? strchr(equals + 2, '"') : NULL;
    if (!quote) break;
    *equals = *quote = 0;
    sj_page_decode(equals + 2);
    stijl_css_document_attribute(d, NULL, name, equals + 2);
    at = quote + 1;
  }
  return *at ? at + 1 : at;
}

static inline stijl_result sj_page_parse(const char *html, stijl_css_document **out) {
  char *text = strdup(html), *at = text ? strchr(text, '>') : NULL;  // behind the document type
  stijl_result result = stijl_css_document_create(NULL, true, NULL, out);
  if (result || !at) {
    free(text);
    return result ? result : STIJL_ERROR_OUT_OF_MEMORY;
  }
  for (at++; *at;) {
    if (*at != '<') {
      stijl_css_document_text(*out);
      at += strcspn(at, "<");
    } else if (at[1] == '/') {
      stijl_css_document_end(*out);
      at += strcspn(at, ">");
      at += *at != 0;
    } else {
      char *name = at + 1, *end = name + strcspn(name, " >"), behind = *end;
      *end = 0;
      stijl_css_document_begin(*out, "http://www.w3.org/1999/xhtml", name);
      bool closed = sj_page_is_void(name);
      *end = behind;
      at = sj_page_attributes(*out, end);
      if (closed) stijl_css_document_end(*out);
    }
  }
  free(text);
  result = stijl_css_document_finish(*out, NULL);
  if (result) stijl_css_document_destroy(*out);
  return result;
}

#endif
