// The bytes up to the first NUL are a style sheet, those behind it a document, HTML or XML. What both engines say of
// them must be the same, before and after a change.
#include "stijl/css.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

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
    demand(stijl_css_document_set_attribute(d, elements / 2, "class", "x y") == STIJL_OK);
    demand(stijl_css_document_set_state(d, elements / 3, STIJL_CSS_STATE_HOVER, true) == STIJL_OK);
    demand(stijl_css_rematch(cpu, NULL) == STIJL_OK);
    if (stijl_css_rematch(reference, NULL) == STIJL_OK) compare(reference, cpu, elements);
  }
  stijl_css_matcher_destroy(reference);
  stijl_css_matcher_destroy(cpu);
}

// Every text that the sheet hands out lies within it, whose bytes may become three each.
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
