// What `stijl match` does: the bytes up to the first NUL are a document, HTML or XML, those behind it style sheets,
// with NULs between, of which the first may import the others by number: @import "1". Every engine and thread count
// must find the same, before and after changes, and all that is said of sheets and document must hold together.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "stijl/css.h"

uint64_t fuzz_complete;

enum { MAX_SHEETS = 8 };

typedef struct input {
  const char *text[MAX_SHEETS];
  size_t bytes[MAX_SHEETS];
  size_t count, handed_out;
} input;

#define demand(condition) ((condition) ? (void)0 : broken(__LINE__, #condition))

static void broken(int line, const char *condition) {
  fprintf(stderr, "match.c:%d: %s does not hold\n", line, condition);
  abort();
}

static char *copy(const char *text, size_t bytes) {
  char *block = malloc(bytes + 1);
  if (!block) abort();
  if (bytes) memcpy(block, text, bytes);
  block[bytes] = 0;
  return block;
}

static stijl_result import_sheet(void *user, const char *importer, const char *url, char **name, char **text,
                                 size_t *bytes) {
  input *in = user;
  demand(importer && url);
  size_t index = (size_t)(*url - '0');
  if (*url == 0 || url[1] || index >= in->count) return STIJL_ERROR_IO;
  *name = copy(url, 1);
  *text = copy(in->text[index], in->bytes[index]);
  *bytes = in->bytes[index];
  in->handed_out += 2;
  return STIJL_OK;
}

static void free_text(void *user, void *block) {
  ((input *)user)->handed_out--;
  free(block);
}

static stijl_css_matcher *match(const stijl_css *css, stijl_css_document *d, stijl_css_engine engine, int threads) {
  stijl_css_matcher_params params = STIJL_CSS_MATCHER_PARAMS_INIT;
  params.engine = engine;
  params.threads = threads;
  params.min_parallel = 1;
  stijl_css_matcher *m = NULL;
  demand(stijl_css_matcher_create(css, d, &params, &m, NULL) == STIJL_OK);
  stijl_result result = stijl_css_match(m, NULL);
  demand(result == STIJL_OK || result == STIJL_ERROR_LIMIT);
  if (result == STIJL_OK) return m;
  stijl_css_matcher_destroy(m);
  return NULL;
}

static void compare(const stijl_css_matcher *a, const stijl_css_matcher *b, uint32_t elements) {
  if (!a || !b) return;
  const uint32_t *offsets[2], *selectors[2];
  size_t pairs = stijl_css_matches_all(a, &offsets[0], &selectors[0]);
  demand(pairs == stijl_css_matches_all(b, &offsets[1], &selectors[1]));
  demand(memcmp(offsets[0], offsets[1], (elements + 1) * sizeof(uint32_t)) == 0);
  demand(pairs == 0 || memcmp(selectors[0], selectors[1], pairs * sizeof(uint32_t)) == 0);
  for (uint32_t e = 0, at = 0; e < elements; e++) {
    const uint32_t *own;
    size_t count = stijl_css_matches(a, e, &own);
    demand(offsets[0][e] == at && (count == 0 || memcmp(own, selectors[0] + at, count * sizeof *own) == 0));
    at += (uint32_t)count;
  }
  fuzz_complete++;
}

static void check_document(const stijl_css_document *d) {
  uint32_t elements = stijl_css_document_elements(d);
  for (uint32_t e = 0; e < elements; e++) {
    uint32_t parent = stijl_css_document_parent(d, e);
    demand(e == 0 ? parent == STIJL_CSS_NO_ELEMENT : parent < e);
    demand(stijl_css_document_name(d, e)[0] != 0);
    const char *class = stijl_css_document_get_attribute(d, e, "class");
    demand(!class || strlen(class) < SIZE_MAX);
  }
}

static void check_sheets(const stijl_css *css, const input *in) {
  size_t longest = 0;
  for (size_t i = 0; i < in->count; i++) longest = 3 * in->bytes[i] > longest ? 3 * in->bytes[i] : longest;
  for (size_t i = 0, count = stijl_css_selector_count(css); i <= count; i++) {
    stijl_css_selector s = STIJL_CSS_SELECTOR_INIT;
    stijl_css_selector_get(css, i, &s);
    demand(s.sheet && s.text && s.length <= longest && (s.line >= 1) == (i < count));
    for (size_t k = 0; k <= stijl_css_declaration_count(css, i); k++) {
      stijl_css_declaration d = STIJL_CSS_DECLARATION_INIT;
      stijl_css_declaration_get(css, i, k, &d);
      demand(d.name && d.value && d.name_length <= longest && d.value_length <= longest);
    }
  }
}

typedef struct written {
  char *text;
  size_t bytes;
} written;

static bool append(void *user, const void *data, size_t bytes) {
  written *w = user;
  char *larger = realloc(w->text, w->bytes + bytes + 1);
  if (!larger) abort();
  memcpy(larger + w->bytes, data, bytes);
  w->text = larger;
  w->bytes += bytes;
  return true;
}

// Returns whether the selectors of sheet `sheet` of `a`, of those with `keep` (NULL: all) the kept ones, are all among
// those of sheet `other` of `b`, in the same order.
static bool are_among(const stijl_css *a, size_t sheet, const unsigned char *keep, const stijl_css *b, size_t other) {
  stijl_css_selector one = STIJL_CSS_SELECTOR_INIT, two = STIJL_CSS_SELECTOR_INIT;
  size_t at = 0, count = stijl_css_selector_count(b);
  for (size_t i = 0; i < stijl_css_selector_count(a); i++) {
    stijl_css_selector_get(a, i, &one);
    if (one.continuation || one.sheet_index != sheet || (keep && !keep[i])) continue;
    for (bool found = false; !found; at++) {
      if (at == count) return false;
      stijl_css_selector_get(b, at, &two);
      found = !two.continuation && two.sheet_index == other && one.length == two.length &&
              memcmp(one.text, two.text, one.length) == 0;
    }
  }
  return true;
}

// Checks that, of a sheet without some of its selectors, all that is kept is there, in its order, and nothing that was
// not.
static void check_pruned(const stijl_css *css, size_t sheet, const unsigned char *keep) {
  written w = {0};
  demand(stijl_css_prune(css, sheet, keep, append, &w, NULL) == STIJL_OK);
  stijl_css_params params = STIJL_CSS_PARAMS_INIT;
  params.limits.max_imports = 0;
  stijl_css *pruned = NULL;
  demand(stijl_css_create(NULL, &params, &pruned) == STIJL_OK);
  if (stijl_css_add(pruned, w.text ? w.text : "", w.bytes, "p", STIJL_CSS_ORIGIN_AUTHOR, NULL) == STIJL_OK) {
    demand(are_among(css, sheet, keep, pruned, 0));
    demand(are_among(pruned, 0, NULL, css, sheet));
  }
  stijl_css_destroy(pruned);
  free(w.text);
}

static void prune(const stijl_css *css) {
  size_t count = stijl_css_selector_count(css);
  unsigned char *keep = calloc(count + 1, 1);
  if (!keep) abort();
  for (size_t i = 0; i < count; i++) keep[i] = (i * 2654435761u >> 7) % 3 == 0;
  for (size_t i = 0; i < stijl_css_sheet_count(css) && i < 20; i++) check_pruned(css, i, keep);
  free(keep);
}

static void try_document(const stijl_css *css, stijl_css_document *d) {
  uint32_t elements = stijl_css_document_elements(d);
  check_document(d);
  // The reference takes the product of both.
  if ((uint64_t)elements * stijl_css_selector_count(css) > 20000) return;
  stijl_css_matcher *reference = match(css, d, STIJL_CSS_ENGINE_REFERENCE, 1),
                    *one = match(css, d, STIJL_CSS_ENGINE_CPU, 1), *three = match(css, d, STIJL_CSS_ENGINE_CPU, 3);
  compare(reference, one, elements);
  compare(one, three, elements);
  for (uint32_t step = 0; step < 3 && reference && one && three; step++) {
    uint32_t e = elements * step / 3;
    demand(stijl_css_document_set_attribute(d, e, step == 1 ? "id" : "class", step == 2 ? NULL : "a b") == STIJL_OK);
    demand(stijl_css_document_set_state(d, elements - 1 - e, STIJL_CSS_STATE_HOVER | STIJL_CSS_STATE_FOCUS,
                                        step != 1) == STIJL_OK);
    stijl_result results[3] = {stijl_css_rematch(reference, NULL), stijl_css_rematch(one, NULL),
                               stijl_css_rematch(three, NULL)};
    if (results[0] || results[1] || results[2]) break;
    compare(reference, one, elements);
    compare(one, three, elements);
  }
  stijl_css_matcher_destroy(reference);
  stijl_css_matcher_destroy(one);
  stijl_css_matcher_destroy(three);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *document = (const char *)data, *end = document + size;
  const char *nul = size ? memchr(document, 0, size) : NULL;
  size_t bytes = nul ? (size_t)(nul - document) : size;
  input in = {0};
  for (const char *at = nul ? nul + 1 : end; in.count < MAX_SHEETS && (in.count == 0 || at < end); in.count++) {
    nul = at < end && in.count + 1 < MAX_SHEETS ? memchr(at, 0, (size_t)(end - at)) : NULL;
    in.text[in.count] = at;
    in.bytes[in.count] = (size_t)((nul ? nul : end) - at);
    at = nul ? nul + 1 : end;
  }
  stijl_css_params params = STIJL_CSS_PARAMS_INIT;
  params.all_media = size % 2;
  params.may_match = size % 3 == 0;
  params.import = import_sheet;
  params.free_text = free_text;
  params.user = &in;
  params.limits.max_selectors = 4096;
  params.limits.max_imports = 20;
  params.limits.max_elements = 2000;
  params.limits.max_depth = 200;
  params.limits.max_seconds = 5;
  stijl_css *css = NULL;
  demand(stijl_css_create(NULL, &params, &css) == STIJL_OK);
  stijl_message message;
  stijl_result result = stijl_css_add(css, in.text[0], in.bytes[0], "0", (stijl_css_origin)(size / 2 % 3), &message);
  demand(result == STIJL_OK || result == STIJL_ERROR_LIMIT);
  demand((result == STIJL_OK) == !message.text[0]);
  if (result == STIJL_OK) {
    check_sheets(css, &in);
    prune(css);
    stijl_css_document *d = NULL;
    bool xml = bytes > 1 && document[0] == '<' && (document[1] == '?' || document[1] == 's');
    result = xml ? stijl_css_document_parse_xml(NULL, document, bytes, &params.limits, &d, &message)
                 : stijl_css_document_parse_html(NULL, document, bytes, &params.limits, &d, &message);
    demand((result == STIJL_OK) == (d != NULL) && (result == STIJL_OK) == !message.text[0]);
    if (d) {
      stijl_css *own = NULL;
      demand(stijl_css_create(NULL, &params, &own) == STIJL_OK);
      result = stijl_css_add_document_sheets(own, d, "page", NULL);
      demand(result == STIJL_OK || result == STIJL_ERROR_LIMIT);
      stijl_css_destroy(own);
      try_document(css, d);
    }
    stijl_css_document_destroy(d);
  }
  stijl_css_destroy(css);
  demand(in.handed_out == 0);
  return 0;
}
