// The bytes up to the first NUL are a style sheet, those behind it a document, HTML or XML. The sheet may import parts
// of itself, @import "12" what begins at its 12th byte. What both engines say of them must be the same, before and
// after a change; then custom properties of the rules that match are replaced in the values of the others.
#include "stijl/css.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "css/variables.h"
#include "fuzz.h"

typedef struct whole_sheet {
  const char *text;
  size_t bytes;
} whole_sheet;

uint64_t fuzz_complete;

static void demand(bool condition) {
  if (!condition) abort();
}

static stijl_css_matcher *match(const stijl_css *css, stijl_css_document *d, stijl_css_engine engine, int threads) {
  stijl_css_matcher_params params = STIJL_CSS_MATCHER_PARAMS_INIT;
  params.engine = engine;
  params.threads = threads;
  stijl_css_matcher *m = NULL;
  demand(stijl_css_matcher_create(css, d, &params, &m, NULL) == STIJL_OK);
  if (stijl_css_match(m, NULL) == STIJL_OK) return m;
  // The reference may run out of steps.
  stijl_css_matcher_destroy(m);
  return NULL;
}

static void compare(const stijl_css_matcher *a, const stijl_css_matcher *b, uint32_t elements) {
  const uint32_t *offsets[2], *selectors[2];
  size_t pairs = stijl_css_matches_all(a, &offsets[0], &selectors[0]);
  demand(pairs == stijl_css_matches_all(b, &offsets[1], &selectors[1]));
  demand(memcmp(offsets[0], offsets[1], (elements + 1) * sizeof(uint32_t)) == 0);
  demand(pairs == 0 || memcmp(selectors[0], selectors[1], pairs * sizeof(uint32_t)) == 0);
}

static stijl_result import_part(void *user, const char *importer, const char *url, char **name, char **text,
                                size_t *bytes) {
  const whole_sheet *whole = user;
  char *end;
  unsigned long at = strtoul(url, &end, 10);
  demand(importer != NULL);
  if (end == url || at >= whole->bytes) return STIJL_ERROR_IO;
  *bytes = whole->bytes - at;
  *name = strdup(url);
  *text = malloc(*bytes);
  demand(*name && *text);
  memcpy(*text, whole->text + at, *bytes);
  return STIJL_OK;
}

static void free_block(void *user, void *block) {
  (void)user;
  free(block);
}

// Adds a set of custom properties for each rule that matches an element, and a scope for the element.
static bool add_scope(sj_css_variables *v, const stijl_css *css, const uint32_t *selectors, size_t count,
                      uint32_t parent, uint32_t *scope) {
  enum { MAX_SETS = 64 };
  uint32_t sets[MAX_SETS], set_count = 0;
  for (size_t i = 0; i < count && set_count < MAX_SETS; i++) {
    sets[set_count++] = sj_css_variables_begin(v);
    for (size_t k = 0; k < stijl_css_declaration_count(css, selectors[i]); k++) {
      stijl_css_declaration d = STIJL_CSS_DECLARATION_INIT;
      stijl_css_declaration_get(css, selectors[i], k, &d);
      bool custom = d.name_length > 2 && d.name[0] == '-' && d.name[1] == '-';
      if (custom && !sj_css_variables_add(v, d.name, d.name_length, d.value, d.value_length)) return false;
    }
  }
  return sj_css_variables_scope(v, parent, sets, set_count, scope);
}

static void replace_variables(const stijl_css *css, const stijl_css_matcher *m, uint32_t elements) {
  enum { MAX_ELEMENTS = 64 };
  static uint32_t scopes[MAX_ELEMENTS];
  if (elements > MAX_ELEMENTS) elements = MAX_ELEMENTS;
  sj_css_variables v;
  bool good = sj_css_variables_init(&v, sj_context(NULL));
  for (uint32_t e = 0; e < elements && good; e++) {
    const uint32_t *selectors;
    size_t count = stijl_css_matches(m, e, &selectors);
    good = add_scope(&v, css, selectors, count, e ? scopes[e / 2] : SJ_CSS_NO_SCOPE, &scopes[e]);
    for (size_t i = 0; i < count && good; i++) {
      stijl_css_declaration d = STIJL_CSS_DECLARATION_INIT;
      stijl_css_declaration_get(css, selectors[i], 0, &d);
      const char *out = NULL;
      size_t length = 0;
      if (!sj_css_has_variables(d.value, d.value_length)) continue;
      sj_css_substitution done = sj_css_substitute(&v, scopes[e], d.value, d.value_length, &out, &length);
      good = done != SJ_CSS_NO_MEMORY && done != SJ_CSS_TOO_MUCH;
      if (done == SJ_CSS_SUBSTITUTED) demand(length == 0 || memchr(out, 0, length) == NULL);
    }
  }
  sj_css_variables_finish(&v);
}

static void try_document(const stijl_css *css, stijl_css_document *d) {
  uint32_t elements = stijl_css_document_elements(d);
  // The reference takes the product of both.
  if ((uint64_t)elements * stijl_css_selector_count(css) > 20000) return;
  stijl_css_matcher *reference = match(css, d, STIJL_CSS_ENGINE_REFERENCE, 1),
                    *cpu = match(css, d, STIJL_CSS_ENGINE_CPU, 1);
  demand(cpu != NULL);
  if (reference) {
    compare(reference, cpu, elements);
    fuzz_complete++;
    replace_variables(css, cpu, elements);
    demand(stijl_css_document_set_attribute(d, elements / 2, "class", "x y") == STIJL_OK);
    demand(stijl_css_document_set_state(d, elements / 3, STIJL_CSS_STATE_HOVER, true) == STIJL_OK);
    demand(stijl_css_rematch(cpu, NULL) == STIJL_OK);
    if (stijl_css_rematch(reference, NULL) == STIJL_OK) compare(reference, cpu, elements);
  }
  stijl_css_matcher_destroy(reference);
  stijl_css_matcher_destroy(cpu);
}

// Checks that every text that the sheet hands out lies within it, whose bytes may become three each.
static void check_selectors(const stijl_css *css, size_t bytes) {
  bytes *= 3;
  for (size_t i = 0; i < stijl_css_selector_count(css); i++) {
    stijl_css_selector s = STIJL_CSS_SELECTOR_INIT;
    stijl_css_selector_get(css, i, &s);
    demand(s.length <= bytes && s.line >= 1 && s.line <= bytes + 1);
    demand(s.length == 0 || memchr(s.text, 0, s.length) == NULL);
    for (size_t k = 0; k < stijl_css_declaration_count(css, i); k++) {
      stijl_css_declaration d = STIJL_CSS_DECLARATION_INIT;
      stijl_css_declaration_get(css, i, k, &d);
      demand(d.name_length <= bytes && d.value_length <= bytes);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = (const char *)data;
  const char *nul = size ? memchr(text, 0, size) : NULL;
  size_t sheet = nul ? (size_t)(nul - text) : size, rest = nul ? size - sheet - 1 : 0;
  stijl_css_params params = STIJL_CSS_PARAMS_INIT;
  params.all_media = sheet % 2;
  params.may_match = sheet % 3 == 0;
  params.limits.max_selectors = 4096;
  params.limits.max_seconds = 5;
  params.limits.max_imports = 20;
  whole_sheet whole = {text, sheet};
  params.import = import_part;
  params.free_text = free_block;
  params.user = &whole;
  stijl_css *css = NULL;
  demand(stijl_css_create(NULL, &params, &css) == STIJL_OK);
  stijl_result result = stijl_css_add(css, text, sheet, "fuzz", STIJL_CSS_ORIGIN_AUTHOR, NULL);
  demand(result == STIJL_OK || result == STIJL_ERROR_LIMIT);
  if (result == STIJL_OK) {
    check_selectors(css, sheet);
    stijl_css_document *d = NULL;
    const char *document = nul ? nul + 1 : "<a class=x><b id=i></b></a>";
    if (!nul) rest = strlen(document);
    if (stijl_css_document_parse_html(NULL, document, rest, NULL, &d, NULL) == STIJL_OK) try_document(css, d);
    stijl_css_document_destroy(d);
    d = NULL;
    if (stijl_css_document_parse_xml(NULL, document, rest, NULL, &d, NULL) == STIJL_OK) try_document(css, d);
    stijl_css_document_destroy(d);
  }
  stijl_css_destroy(css);
  return 0;
}
