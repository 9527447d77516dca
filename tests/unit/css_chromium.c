// Real sheets on real pages: for each selector the elements are those that Chromium finds (shared/css). With
// STIJL_TEST_DEVICE (see gpu/device.h) that device looks for them, and with STIJL_TEST_REPEAT so many times.
#include <stdlib.h>

#include "base/wraps.h"
#include "css_repeat.h"
#include "gpu/device.h"
#include "stijl/css.h"
#include "test.h"

static char *unpacked(const char *name, size_t *bytes) {
  char command[1024];
  snprintf(command, sizeof command, "xz -dc '%s/css/data/%s.xz'", sj_test_shared(), name);
  FILE *pipe = popen(command, "r");
  size_t room = 1 << 16;
  char *text = malloc(room);
  *bytes = 0;
  while (pipe && text) {
    size_t got = fread(text + *bytes, 1, room - *bytes - 1, pipe);
    if (got == 0) break;
    *bytes += got;
    if (*bytes + 1 < room) continue;
    char *more = realloc(text, room *= 2);
    if (!more) break;
    text = more;
  }
  if (text) text[*bytes] = 0;
  if (pipe && pclose(pipe) != 0) *bytes = 0;
  return text;
}

SJ_WRAPS static uint32_t hash(uint32_t h, uint32_t value) {
  for (int i = 0; i < 4; i++) h = (h ^ (value >> (8 * i) & 255)) * 0x01000193u;
  return h;
}

typedef struct verdict {
  uint32_t count, hash;
} verdict;

static bool match(const char *html, size_t html_bytes, const stijl_css *css, verdict *verdicts) {
  stijl_css_document *d = NULL;
  stijl_css_matcher *m = NULL;
  stijl_renderer_params device = sj_test_gpu_params();
  stijl_css_matcher_params params = STIJL_CSS_MATCHER_PARAMS_INIT;
  params.device = device.device;
  params.device_name = device.device_name;
  if (getenv("STIJL_TEST_DEVICE")) params.engine = STIJL_CSS_ENGINE_VULKAN;
  params.threads = 3;
  params.min_parallel = 1;
  stijl_result read = stijl_css_document_parse_html(NULL, html, html_bytes, NULL, &d, NULL);
  bool good = read == STIJL_OK && stijl_css_matcher_create(css, d, &params, &m, NULL) == STIJL_OK &&
              stijl_css_match(m, NULL) == STIJL_OK;
  if (good) sj_test_match_again(m, stijl_css_document_elements(d), sj_test_repeats(1) - 1);
  for (size_t s = 0; s < stijl_css_selector_count(css); s++) verdicts[s].hash = 0x811c9dc5u;
  for (uint32_t e = 0; good && e < stijl_css_document_elements(d); e++) {
    const uint32_t *selectors;
    size_t count = stijl_css_matches(m, e, &selectors);
    for (size_t i = 0; i < count; i++) {
      verdict *v = &verdicts[selectors[i]];
      v->count++;
      v->hash = hash(v->hash, e);
    }
  }
  stijl_css_matcher_destroy(m);
  stijl_css_document_destroy(d);
  return good;
}

// Compares line by line: index, rule, active, flags, count, hash, selector.
static void compare(const char *table, const stijl_css *css, const verdict *verdicts) {
  size_t row = 0, tested = 0, different = 0, count = stijl_css_selector_count(css);
  for (const char *line = strchr(table, '\n'); line && line[1]; line = strchr(line + 1, '\n'), row++) {
    const char *field[7] = {line + 1};
    for (int i = 1; i < 7; i++) field[i] = strchr(field[i - 1], '\t') + 1;
    if (row >= count) continue;
    stijl_css_selector s = STIJL_CSS_SELECTOR_INIT;
    stijl_css_selector_get(css, row, &s);
    if (s.active != (*field[2] == '1')) sj_test_fail(__FILE__, __LINE__, "active: %.*s", (int)s.length, s.text);
    if (*field[4] == 's' || *field[4] == 'i') continue;
    tested++;
    if (strtoul(field[4], NULL, 10) == verdicts[row].count && strtoul(field[5], NULL, 16) == verdicts[row].hash)
      continue;
    different++;
    sj_test_fail(__FILE__, __LINE__, "%.*s matches %u, Chromium says %.5s", (int)s.length, s.text, verdicts[row].count,
                 field[4]);
  }
  CHECK_INT(row, count);
  CHECK_INT(different, 0);
  CHECK(tested > 1000);
}

static bool reads_html(void) {
  stijl_css_document *d = NULL;
  stijl_result result = stijl_css_document_parse_html(NULL, "<p>", 3, NULL, &d, NULL);
  stijl_css_document_destroy(d);
  return result != STIJL_ERROR_UNSUPPORTED;
}

static void check(const char *page, const char *sheet) {
  if (!reads_html()) SKIP("built without HTML (gumbo)");
  if (!sj_test_shared()) SKIP("no shared test data");
  char name[128];
  size_t html_bytes, css_bytes, table_bytes;
  snprintf(name, sizeof name, "%s.html", page);
  char *html = unpacked(name, &html_bytes);
  snprintf(name, sizeof name, "%s.css", sheet);
  char *text = unpacked(name, &css_bytes);
  snprintf(name, sizeof name, "%s_%s.selectors.tsv", page, sheet);
  char *table = unpacked(name, &table_bytes);
  stijl_css_params params = STIJL_CSS_PARAMS_INIT;
  params.all_media = true;
  params.limits.max_seconds = 600;  // a software driver takes a dozen for the largest sheet
  stijl_css *css = NULL;
  if (!html_bytes || !css_bytes || !table_bytes) {
    sj_test_skip("shared/css cannot be unpacked (no data, or no xz)");
  } else {
    CHECK(stijl_css_create(NULL, &params, &css) == STIJL_OK);
    CHECK(stijl_css_add(css, text, css_bytes, sheet, STIJL_CSS_ORIGIN_AUTHOR, NULL) == STIJL_OK);
    verdict *verdicts = calloc(stijl_css_selector_count(css) + 1, sizeof *verdicts);
    CHECK(match(html, html_bytes, css, verdicts));
    compare(table, css, verdicts);
    free(verdicts);
  }
  stijl_css_destroy(css);
  free(html);
  free(text);
  free(table);
}

TEST(bs5docs_bootstrap) { check("bs5docs", "bootstrap"); }
TEST(bs5docs_tailwind) { check("bs5docs", "tailwind"); }
TEST(huge_bootstrap) { check("huge", "bootstrap"); }
TEST(huge_semantic) { check("huge", "semantic"); }
TEST(huge_tailwind) { check("huge", "tailwind"); }
