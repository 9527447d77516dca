#include "lab/assembly.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

typedef struct line {
  const char *at, *end;
  uint32_t place;  // the number of the block that it begins (RADV), or its address (nvdisasm); NOWHERE for neither
  int loops;       // how many loops it is in
  bool loads;
} line;
#define NOWHERE UINT32_MAX

typedef struct listing {
  SJ_ARRAY(line) lines;
} listing;

static const char *find(const line *l, const char *word) {
  size_t length = strlen(word);
  for (const char *p = l->at; (size_t)(l->end - p) >= length; p++)
    if (memcmp(p, word, length) == 0) return p;
  return NULL;
}

static bool is_load(const line *l) {
  static const char *const names[] = {"buffer_load_", "global_load_", "LDG."};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *at = find(l, names[i]);
    if (at && (at == l->at || strchr(" \t", at[-1]))) return true;
  }
  return false;
}

// Reads a place from "BB3:" or "/*01a0*/".
static uint32_t place_of(const line *l) {
  if (l->end - l->at > 3 && memcmp(l->at, "BB", 2) == 0 && l->end[-1] == ':')
    return (uint32_t)strtoul(l->at + 2, NULL, 10);
  const char *address = find(l, "/*");
  return address ? (uint32_t)strtoul(address + 2, NULL, 16) : NOWHERE;
}

// Reads where a branch goes, as in "s_cbranch_scc0 BB3" or "BRA 0x1a0".
static uint32_t target_of(const line *l) {
  const char *at = find(l, "branch");
  if (at) {
    line rest = {.at = at, .end = l->end};
    at = find(&rest, "BB");
    return at ? (uint32_t)strtoul(at + 2, NULL, 10) : NOWHERE;
  }
  at = find(l, "BRA 0x");
  return at ? (uint32_t)strtoul(at + 6, NULL, 16) : NOWHERE;
}

// Splits the text into lines and finds loops: a branch backwards makes a loop of all lines from its target to itself.
static bool read(stijl_context *context, const char *assembly, listing *out) {
  for (const char *at = assembly; *at;) {
    const char *end = at + strcspn(at, "\n");
    line l = {.at = at, .end = end};
    l.place = place_of(&l);
    l.loads = is_load(&l);
    if (!sj_array_push(context, &out->lines, l)) return false;
    at = *end ? end + 1 : end;
  }
  line *all = out->lines.data;
  for (size_t i = 0; i < out->lines.count; i++) {
    uint32_t target = target_of(&all[i]);
    size_t k = i;
    while (target != NOWHERE && k > 0 && all[k].place != target) k--;
    if (target == NOWHERE || k == i || all[k].place != target) continue;
    for (; k <= i; k++) all[k].loops++;
  }
  return true;
}

bool sj_lab_find_loads(stijl_context *context, const char *assembly, sj_lab_loads *out) {
  listing l = {0};
  *out = (sj_lab_loads){0, 0};
  bool good = read(context, assembly, &l);
  for (size_t i = 0; i < l.lines.count; i++) {
    const line *one = &l.lines.data[i];
    if (one->loads) (one->loops ? &out->in_loops : &out->outside)[0]++;
  }
  sj_array_finish(context, &l.lines);
  return good;
}

static bool write_listing(sj_lab_page *page, const char *assembly) {
  listing l = {0};
  bool good = read(page->context, assembly, &l);
  for (size_t i = 0; i < l.lines.count && good; i++) {
    const line *one = &l.lines.data[i];
    char text[160];
    size_t length = (size_t)(one->end - one->at);
    if (length > sizeof text - 1) length = sizeof text - 1;
    memcpy(text, one->at, length);
    text[length] = 0;
    sj_lab_add_all(&page->html, one->loops ? "| " : "  ");
    if (one->loads) sj_lab_add_all(&page->html, "<mark>");
    sj_lab_add_xml(&page->html, text);
    sj_lab_add_all(&page->html, one->loads ? "</mark>\n" : "\n");
  }
  sj_array_finish(page->context, &l.lines);
  return good;
}

bool sj_lab_write_assemblies(sj_lab_page *page, const char *key, const char *title, const char *const names[2],
                             const char *const assemblies[2]) {
  bool good = true;
  sj_lab_heading(page, title);
  sj_lab_add_all(&page->html, "<p>Loads are marked, and lines of loops have a bar.</p>\n<div class=\"pair\">\n");
  for (int i = 0; i < 2 && good; i++) {
    sj_lab_add(&page->json, ",\n\"%s_%d\": ", key, i);
    sj_lab_add_json(&page->json, assemblies[i]);
    sj_lab_add_all(&page->html, "<pre><b>");
    sj_lab_add_xml(&page->html, names[i]);
    sj_lab_add_all(&page->html, "</b>\n");
    good = write_listing(page, assemblies[i]);
    sj_lab_add_all(&page->html, "</pre>\n");
  }
  sj_lab_add_all(&page->html, "</div>\n");
  return good;
}
