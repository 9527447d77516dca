// Hostile sheets and documents: bounded time and memory, and an error that names what was reached. What no limit stops
// ends soon by itself.
#include <stdlib.h>

#include "css/clock.h"
#include "processor.h"
#include "stijl/css.h"
#include "test.h"

// More than anything here may take, even with sanitizers on a busy machine.
#define MAX_SECONDS 60

typedef struct text {
  char *data;
  size_t length, room;
} text;

static void put(text *t, const char *s) {
  size_t length = strlen(s);
  if (t->length + length >= t->room) {
    t->room = 2 * (t->length + length + 64);
    t->data = realloc(t->data, t->room);
  }
  memcpy(t->data + t->length, s, length + 1);
  t->length += length;
}

// Puts a text so many times. Each %d in `part` is the number of the repetition.
static void put_times(text *t, const char *part, int times) {
  char one[256], *pattern = strdup(part);
  for (char *at = pattern; (at = strstr(at, "%d"));) memcpy(at, "\1\1", 2);
  for (int i = 0; i < times; i++) {
    size_t length = 0;
    for (const char *c = pattern; *c; c++) {
      if (*c == 1 && c[1] == 1)
        length += (size_t)snprintf(one + length, sizeof one - length, "%d", i), c++;
      else
        one[length++] = *c;
    }
    one[length] = 0;
    put(t, one);
  }
  free(pattern);
}

static text repeated(const char *before, const char *part, int times, const char *behind) {
  text t = {0};
  put(&t, before);
  put_times(&t, part, times);
  put(&t, behind);
  return t;
}

// Makes f(f(f(... base ...))), each f holding its argument once or twice.
static text nested(const char *before, const char *between, const char *behind, int times, const char *base) {
  text t = {0};
  put(&t, base);
  for (int i = 0; i < times; i++) {
    text outer = {0};
    put(&outer, before);
    put(&outer, t.data);
    if (between) {
      put(&outer, between);
      put(&outer, t.data);
    }
    put(&outer, behind);
    free(t.data);
    t = outer;
  }
  put(&t, " {}");
  return t;
}

static stijl_css_document *wide(int elements) {
  static const char space[] = "http://www.w3.org/1999/xhtml";
  stijl_css_document *d;
  CHECK(stijl_css_document_create(NULL, true, NULL, &d) == STIJL_OK);
  stijl_css_document_begin(d, space, "html");
  int depth = 1;
  for (int i = 1; i < elements; i++) {
    stijl_css_document_begin(d, space, i % 3 ? "a" : "b");
    stijl_css_document_attribute(d, NULL, "class", i % 2 ? "x y" : "z");
    stijl_css_document_attribute(d, NULL, "lang", "de-CH");
    depth++;
    // Some stay open, until all are closed.
    for (int close = i % 40 == 0 ? depth - 1 : i % 5 != 0; close > 0; close--, depth--) stijl_css_document_end(d);
  }
  while (depth-- > 0) stijl_css_document_end(d);
  if (stijl_css_document_finish(d, NULL) == STIJL_OK) return d;
  stijl_css_document_destroy(d);
  return NULL;
}

// Runs a sheet against limits. `expected`: NULL, or what the message must hold.
static void run(text sheet, int elements, const stijl_css_limits *limits, stijl_css_engine engine, int threads,
                const char *expected) {
  double start = sj_test_processor_seconds();
  stijl_css_params params = STIJL_CSS_PARAMS_INIT;
  if (limits) params.limits = *limits;
  stijl_css *css = NULL;
  stijl_css_matcher *m = NULL;
  stijl_css_document *d = wide(elements);
  stijl_message message = {""};
  CHECK(d);
  CHECK(stijl_css_create(NULL, &params, &css) == STIJL_OK);
  stijl_result result = stijl_css_add(css, sheet.data, sheet.length, "hostile", STIJL_CSS_ORIGIN_AUTHOR, &message);
  stijl_css_matcher_params how = STIJL_CSS_MATCHER_PARAMS_INIT;
  how.engine = engine;
  how.threads = threads;
  how.min_parallel = 1;
  if (!result) result = stijl_css_matcher_create(css, d, &how, &m, &message);
  if (!result) result = stijl_css_match(m, &message);
  CHECK_INT(result, expected ? STIJL_ERROR_LIMIT : STIJL_OK);
  if (expected && !strstr(message.text, expected))
    sj_test_fail(__FILE__, __LINE__, "\"%s\" does not say \"%s\"", message.text, expected);
  if (!expected) CHECK_STR(message.text, "");
  stijl_css_matcher_destroy(m);
  stijl_css_destroy(css);
  stijl_css_document_destroy(d);
  free(sheet.data);
  CHECK(sj_test_processor_seconds() - start < MAX_SECONDS);
}

#define CPU STIJL_CSS_ENGINE_CPU

TEST(many_selectors) {
  stijl_css_limits limits = STIJL_CSS_LIMITS_INIT;
  limits.max_selectors = 5000;
  run(repeated("", ".a%d{}", 5000, ""), 100, &limits, CPU, 2, NULL);
  run(repeated("", ".a%d{}", 5001, ""), 100, &limits, CPU, 2, "hostile:1: more selectors than max_selectors (5000)");
  run(repeated("", "\n.a, .b%d{}", 2501, ""), 100, &limits, CPU, 2, "hostile:2502: more selectors");
  run(repeated("a:is(b", ", b", 5000, ") {}"), 100, &limits, CPU, 2, "more selectors than max_selectors");
  // Declarations behind nested rules multiply the selectors.
  text t = repeated("a", ", .a%d", 100, "{");
  put_times(&t, "b {} top: 0;", 60);
  run(t, 100, &limits, CPU, 1, "more selectors than max_selectors");
  limits.max_bytes = 1000;
  run(repeated("/*", "x", 1000, ""), 10, &limits, CPU, 1, "hostile: larger than max_bytes (1000)");
}

TEST(many_matches) {
  stijl_css_limits limits = STIJL_CSS_LIMITS_INIT;
  limits.max_matches = 300000;
  run(repeated("", "*{}", 100, ""), 2000, &limits, CPU, 2, NULL);
  for (int threads = 1; threads < 4; threads++)
    run(repeated("", "*{}", 1000, ""), 20000, &limits, CPU, threads, "more matches than max_matches (300000)");
  run(repeated("*", ",*", 1000, "{}"), 20000, &limits, STIJL_CSS_ENGINE_REFERENCE, 1, "more matches than max_matches");
}

TEST(memory) {
  stijl_css_limits limits = STIJL_CSS_LIMITS_INIT;
  limits.max_memory = 1 << 20;
  // Each element opens the gates of all.
  run(repeated("", ":not(.a%d) > b {}", 1000, ""), 20000, &limits, CPU, 2, "max_memory (1048576 bytes)");
  run(repeated("", "a:has(.x ~ :not(.k%d)) {}", 1000, ""), 20000, &limits, CPU, 2, "more than max_memory (1048576)");
}

TEST(nesting) {
  run(nested("a {", NULL, "}", 10000, "b {}"), 10, NULL, CPU, 1, "nested deeper than max_nesting (64)");
  run(nested("@media all {", NULL, "}", 10000, "b {}"), 10, NULL, CPU, 1, "rules nested deeper than max_nesting (64)");
  run(nested(":is(", NULL, ")", 10000, "b"), 10, NULL, CPU, 1, "selectors nested deeper than max_nesting (64)");
  run(nested(":nth-child(n of ", NULL, ")", 65, "b"), 10, NULL, CPU, 1, "nested deeper than max_nesting (64)");
  run(nested(":nth-child(n of ", NULL, ")", 63, "b"), 100, NULL, CPU, 1, NULL);
  run(repeated("a { b: ", "(", 100000, ""), 10, NULL, CPU, 1, NULL);
}

// What took the square of its size, or more, to parse: each a second's work then, at the least.
TEST(parsing_is_linear) {
  double start = sj_test_processor_seconds();
  // Line numbers of declarations between rules within @scope.
  text t = repeated("", "\n", 400000, "@scope (a) {");
  put_times(&t, "b{}\ntop:0;", 40000);
  run(t, 10, NULL, CPU, 1, NULL);
  // Layers and prefixes found by their names.
  t = repeated("", "@layer l%d;", 30000, "");
  put_times(&t, "@layer l%d{}@layer l29999{}", 30000);
  run(t, 10, NULL, CPU, 1, NULL);
  t = repeated("", "@namespace p%d 'u';", 20000, "");
  put_times(&t, "p%d|a,p19999|b{}", 20000);
  run(t, 10, NULL, CPU, 1, NULL);
  // The specificity of &, which is that of its whole list.
  t = repeated("a", ",b%d", 20000, "{");
  put_times(&t, "&.c%d{}", 20000);
  put(&t, "}");
  run(t, 10, NULL, CPU, 1, NULL);
  CHECK(sj_test_processor_seconds() - start < MAX_SECONDS / 4);
}

// The same of making ready and matching.
TEST(indexing_is_linear) {
  double start = sj_test_processor_seconds();
  // Rules nested in one with a long list, or with a long selector.
  text t = repeated("a", ",.b%d", 20000, "{");
  put_times(&t, "&.c%d{}", 20000);
  put(&t, "}");
  run(t, 10, NULL, CPU, 1, NULL);
  t = repeated("", ".b%d", 10000, "{");
  put_times(&t, "&.c%d{}", 10000);
  put(&t, "}");
  run(t, 10, NULL, CPU, 1, NULL);
  t = repeated("x:is(", ".b%d", 10000, ")");
  put_times(&t, ".c%d", 30000);
  put(&t, "{}");
  run(t, 10, NULL, CPU, 1, NULL);
  CHECK(sj_test_processor_seconds() - start < MAX_SECONDS / 4);
}

// One element with many attributes, and values that are searched.
TEST(attributes_are_linear) {
  double start = sj_test_processor_seconds();
  stijl_css_document *d;
  CHECK(stijl_css_document_create(NULL, false, NULL, &d) == STIJL_OK);
  stijl_css_document_begin(d, NULL, "a");
  text value = repeated("", "A", 400000, ""), sheet = repeated("[t*='", "a", 200000, "b' i] {}");
  stijl_css_document_attribute(d, NULL, "t", value.data);
  char name[24];
  for (int i = 0; i < 60000; i++) {
    snprintf(name, sizeof name, "n%d", i);
    stijl_css_document_attribute(d, i % 2 ? "urn:x" : NULL, name, "v");
  }
  stijl_css_document_end(d);
  CHECK(stijl_css_document_finish(d, NULL) == STIJL_OK);
  put_times(&sheet, "[n%d='v']{} :not([n%d]){}", 60000);
  stijl_css *css;
  stijl_css_matcher *m = NULL;
  CHECK(stijl_css_create(NULL, NULL, &css) == STIJL_OK);
  CHECK(stijl_css_add(css, sheet.data, sheet.length, "hostile", STIJL_CSS_ORIGIN_AUTHOR, NULL) == STIJL_OK);
  CHECK(stijl_css_matcher_create(css, d, NULL, &m, NULL) == STIJL_OK && stijl_css_match(m, NULL) == STIJL_OK);
  const uint32_t *selectors;
  CHECK_INT(stijl_css_matches(m, 0, &selectors), 60000);
  stijl_css_matcher_destroy(m);
  stijl_css_destroy(css);
  stijl_css_document_destroy(d);
  free(value.data);
  free(sheet.data);
  CHECK(sj_test_processor_seconds() - start < MAX_SECONDS / 4);
}

// A single look at the clock per element is too few when each test takes long.
TEST(long_values_end_by_the_clock) {
  double start = sj_test_processor_seconds();
  stijl_css_limits limits = STIJL_CSS_LIMITS_INIT;
  limits.max_seconds = 0.05;
  for (int engine = 0; engine < 2; engine++) {
    stijl_css_document *d;
    CHECK(stijl_css_document_create(NULL, false, NULL, &d) == STIJL_OK);
    text value = repeated("", "ab", 300000, ""), sheet = repeated("", "[t*='ba%d']{}", 30000, "");
    stijl_css_document_begin(d, NULL, "a");
    stijl_css_document_attribute(d, NULL, "t", value.data);
    stijl_css_document_end(d);
    CHECK(stijl_css_document_finish(d, NULL) == STIJL_OK);
    stijl_css *css;
    stijl_css_params params = STIJL_CSS_PARAMS_INIT;
    params.limits = limits;
    stijl_css_matcher_params how = STIJL_CSS_MATCHER_PARAMS_INIT;
    how.engine = (stijl_css_engine)engine;
    stijl_css_matcher *m = NULL;
    stijl_message message = {""};
    CHECK(stijl_css_create(NULL, &params, &css) == STIJL_OK);
    CHECK(stijl_css_add(css, sheet.data, sheet.length, "hostile", STIJL_CSS_ORIGIN_AUTHOR, NULL) == STIJL_OK);
    CHECK(stijl_css_matcher_create(css, d, &how, &m, NULL) == STIJL_OK);
    CHECK_INT(stijl_css_match(m, &message), STIJL_ERROR_LIMIT);
    CHECK_STR(message.text, "matching took longer than max_seconds (0.05)");
    stijl_css_matcher_destroy(m);
    stijl_css_destroy(css);
    stijl_css_document_destroy(d);
    free(value.data);
    free(sheet.data);
  }
  CHECK(sj_test_processor_seconds() - start < 10);
}

// What naive matching takes exponential time for.
TEST(exponential) {
  run(nested(":is(", ", ", ")", 12, "a b"), 2000, NULL, CPU, 2, NULL);
  run(nested(":not(", ") ", " + *", 10, "a"), 2000, NULL, CPU, 2, NULL);
  run(nested(":nth-child(2n of :nth-last-child(n of ", ", ", "))", 9, "a > b"), 2000, NULL, CPU, 2, NULL);
  run(repeated("", ":has(:is(:not(a > * ~ b + a, * * * *) ~ :nth-child(%dn)))  ~ * * * {}", 100, ""), 2000, NULL, CPU,
      2, NULL);
  text t = repeated("", ".x &, & .y, && {", 60, "");
  put_times(&t, "}", 60);
  run(t, 2000, NULL, CPU, 2, NULL);
  t = repeated("", "* ", 200, "{}");
  put_times(&t, "* ~ ", 200);
  put(&t, "* {}");
  run(t, 20000, NULL, CPU, 2, NULL);
}

// Work without bounds ends by the clock, in every engine and whatever it is at.
TEST(time) {
  stijl_css_limits limits = STIJL_CSS_LIMITS_INIT;
  limits.max_seconds = 0.05;
  static const char late[] = "matching took longer than max_seconds (0.05)";
  run(repeated(".none", " ~ *", 6, "{}"), 20000, &limits, STIJL_CSS_ENGINE_REFERENCE, 1, late);
  for (int threads = 1; threads < 3; threads++) {
    run(repeated("", "[class]:has(a ~ :not([lang|='e%d'])) {}", 4000, ""), 20000, &limits, CPU, threads, late);
    text t = {0};
    put_times(&t, "[lang|='d%d']:not(.k%d) {}", 20000);
    run(t, 50000, &limits, CPU, threads, late);
  }
}

typedef struct page {
  const char *before, *part, *expected;
  int times;
} page;

// What gumbo keeps of an element and its text.
TEST(memory_of_html) {
  text t = {0};
  put(&t, "<!doctype html><body>");
  put_times(&t, "<p>x</p>", 100000);
  stijl_budget_params params = STIJL_BUDGET_PARAMS_INIT;
  params.max_memory = 38 << 20;  // once 46
  stijl_budget *budget = NULL;
  CHECK_INT(stijl_budget_create(NULL, &params, &budget), STIJL_OK);
  stijl_css_document *d = NULL;
  stijl_message message;
  stijl_result result =
      stijl_css_document_parse_html(stijl_budget_context(budget), t.data, t.length, NULL, &d, &message);
  if (result != STIJL_ERROR_UNSUPPORTED) CHECK_INT(result, STIJL_OK);
  stijl_css_document_destroy(d);
  stijl_budget_destroy(budget);
  free(t.data);
}

TEST(documents) {
  static const page pages[] = {{"", "<div>", "the document is deeper than max_depth (1000)", 50000},
                               {"", "<b>", "the document is deeper than max_depth (1000)", 50000},
                               {"<table>", "<i>x", "the document is deeper than max_depth (1000)", 5000},
                               {"", "<p>x", "the document has more elements than max_elements (4000)", 5000},
                               {"", "<a b=c>", NULL, 5000},
                               {"<p ", "a%d ", NULL, 1000},
                               {"", "<b class=x%d><p>", NULL, 400}};
  stijl_css_limits limits = STIJL_CSS_LIMITS_INIT;
  limits.max_depth = 1000;
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
    double start = sj_test_processor_seconds();
    limits.max_elements = i == 3 ? 4000 : 1 << 24;
    text t = repeated(pages[i].before, pages[i].part, pages[i].times, "");
    stijl_css_document *d = NULL;
    stijl_message message = {""};
    stijl_result result = stijl_css_document_parse_html(NULL, t.data, t.length, &limits, &d, &message);
    free(t.data);
    if (result == STIJL_ERROR_UNSUPPORTED) SKIP("this build reads no HTML");
    CHECK_INT(result, pages[i].expected ? STIJL_ERROR_LIMIT : STIJL_OK);
    CHECK_STR(message.text, pages[i].expected ? pages[i].expected : "");
    stijl_css_document_destroy(d);
    CHECK(sj_test_processor_seconds() - start < MAX_SECONDS);
  }
  limits = (stijl_css_limits)STIJL_CSS_LIMITS_INIT;
  limits.max_memory = 1 << 20;
  text t = repeated("", "<p>x", 50000, "");
  stijl_css_document *d = NULL;
  stijl_message message = {""};
  CHECK(stijl_css_document_parse_html(NULL, t.data, t.length, &limits, &d, &message) == STIJL_ERROR_LIMIT);
  CHECK_STR(message.text, "reading the document takes more than max_memory (1048576 bytes)");
  // More attributes than gumbo compares in the time.
  limits = (stijl_css_limits)STIJL_CSS_LIMITS_INIT;
  limits.max_seconds = 0.02;
  free(t.data);
  t = repeated("<p ", "a%d ", 50000, ">");
  CHECK(stijl_css_document_parse_html(NULL, t.data, t.length, &limits, &d, &message) == STIJL_ERROR_LIMIT);
  CHECK_STR(message.text, "reading the document took longer than max_seconds (0.02)");
  free(t.data);
}

// Without a limit of time a call is bounded by what it takes of the processor, or by its context's budget.
TEST(time_that_nobody_gave) {
  sj_css_clock clock;
  stijl_budget_params limits = STIJL_BUDGET_PARAMS_INIT;
  CHECK(sj_css_clock_begin(&clock, sj_context(NULL), 0));
  stijl_budget_limits(clock.budget, &limits);
  CHECK(limits.max_cpu_seconds == 10 && limits.max_seconds == 100);
  CHECK(sj_css_clock_check(&clock, (uint64_t)1 << 40));
  stijl_message message;
  CHECK_INT(sj_css_clock_fail(&clock, "matching", &message), STIJL_ERROR_LIMIT);
  CHECK_STR(message.text, "matching took more than 10 seconds of the processor (max_seconds sets a limit)");
  sj_css_clock_end(&clock);
  stijl_budget *budget = NULL;
  CHECK_INT(stijl_budget_create(NULL, NULL, &budget), STIJL_OK);
  CHECK(sj_css_clock_begin(&clock, stijl_budget_context(budget), 0));
  CHECK(clock.budget == budget && sj_budget_current() == budget);
  CHECK(!sj_css_clock_check(&clock, (uint64_t)1 << 40));
  sj_css_clock_end(&clock);
  stijl_budget_destroy(budget);
}
