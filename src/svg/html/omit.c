// Tells what of HTML is not drawn, or otherwise than in browsers.
#include "svg/resolve/omit.h"

#include <stdio.h>
#include <string.h>

#include "svg/html/html.h"

void sj_html_omit(const sj_html *h, const char *what, const char *value, size_t length) {
  char detail[80];
  int count = snprintf(detail, sizeof detail, "%s%s%.*s", what, length ? ": " : "", length < 40 ? (int)length : 40,
                       length ? value : "");
  sj_omit_named(h->r, SJ_OMIT_HTML, what, detail, (size_t)count);
}

static bool is_one_of(const char *name, const char *const *names) {
  for (; *names; names++)
    if (strcmp(name, *names) == 0) return true;
  return false;
}

// What browsers draw and stijl does not.
static const char *const undrawn[] = {"audio",  "button",   "canvas", "embed",    "iframe", "input", "meter",
                                      "object", "progress", "select", "textarea", "video",  NULL};

// What browsers draw with marks, frames or an order of their own, and stijl as any other element.
static const char *const plain[] = {"details", "dialog",   "fieldset", "legend", "marquee",
                                    "option",  "optgroup", "ruby",     NULL};

// Attributes that browsers draw by and stijl does not.
static const struct {
  const char *element, *name;
} ignored[] = {{"table", "frame"}, {"table", "rules"},   {"col", "width"},
               {"ol", "reversed"}, {"td", "background"}, {"caption", "align"}};

void sj_html_omit_element(const sj_html *h, uint32_t element) {
  char shown[24];
  snprintf(shown, sizeof shown, "<%.12s>", sj_document_local(h->r->document, element));
  sj_html_omit(h, shown, NULL, 0);
}

bool sj_html_omit_parts(const sj_html *h, uint32_t element) {
  const char *name = sj_document_local(h->r->document, element);
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) {
    if (strcmp(name, ignored[i].element) != 0 || !sj_dom_get(h->r->document->dom, element, ignored[i].name)) continue;
    char shown[40];
    snprintf(shown, sizeof shown, "<%s %s>", name, ignored[i].name);
    sj_html_omit(h, shown, NULL, 0);
  }
  bool draws = !is_one_of(name, undrawn);
  if (!draws || is_one_of(name, plain)) sj_html_omit_element(h, element);
  return draws;
}
