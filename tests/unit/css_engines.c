// Random sheets on random documents: every engine and thread count gives the same bytes, before and after changes.
// STIJL_TEST_DEVICE (see gpu/device.h): on that device too.
#include <stdlib.h>

#include "base/trial.h"
#include "base/wraps.h"
#include "css_repeat.h"
#include "gpu/device.h"
#include "stijl/css.h"
#include "test.h"

typedef struct text {
  char data[32768];
  size_t length;
} text;

static void put(text *t, const char *s) {
  size_t length = strlen(s);
  if (t->length + length >= sizeof t->data) return;
  memcpy(t->data + t->length, s, length + 1);
  t->length += length;
}

static bool chance(sj_random *r, int percent) { return sj_random_int(r, 0, 100) < percent; }

static const char *const tags[] = {"a", "b", "div", "p", "svg", "Rect"};
static const char *const classes[] = {"x", "y", "z", "X", "long-name", "w"};
static const char *const ids[] = {"i", "j", "k"};
static const char *const names[] = {"title", "type", "data-a", "class", "id", "href"};
static const char *const values[] = {"", "a", "A", "a-b", "b a c", "abc", "en", "TEXT"};
static const char *const languages[] = {"en", "en-GB", "de", "zh-Hant-TW"};

#define PICK(r, table) (table)[sj_random_int(r, 0, (int)(sizeof(table) / sizeof *(table)))]

static void put_complex(text *t, sj_random *r, int depth, bool in_has);

static void put_list(text *t, sj_random *r, int depth, bool in_has) {
  put_complex(t, r, depth, in_has);
  while (chance(r, 35)) {
    put(t, ", ");
    put_complex(t, r, depth, in_has);
  }
}

static void put_nth(text *t, sj_random *r) {
  static const char *const steps[] = {"odd", "even", "2", "3n", "2n+1", "-n+2", "-2n + 5", "n", "+4n-1", "0n+1", "n+2"};
  put(t, PICK(r, steps));
}

static void put_simple(text *t, sj_random *r, int depth, bool in_has) {
  static const char *const plain[] = {":first-child", ":last-child",   ":only-child", ":first-of-type", ":last-of-type",
                                      ":empty",       ":root",         ":hover",      ":checked",       ":link",
                                      ":read-only",   ":only-of-type", ":any-link",   ":visited",       ":scope"};
  static const char *const operators[] = {"=", "~=", "|=", "^=", "$=", "*="};
  static const char *const flags[] = {"", "", " i", " s"};
  switch (sj_random_int(r, 0, depth > 0 ? 12 : 7)) {
    case 0:
    case 1:
      put(t, ".");
      put(t, PICK(r, classes));
      break;
    case 2:
      put(t, "#");
      put(t, PICK(r, ids));
      break;
    case 3:
      put(t, "[");
      put(t, PICK(r, names));
      if (chance(r, 70)) {
        put(t, PICK(r, operators));
        put(t, "\"");
        put(t, PICK(r, values));
        put(t, "\"");
        put(t, PICK(r, flags));
      }
      put(t, "]");
      break;
    case 4: put(t, PICK(r, plain)); break;
    case 5: {
      static const char *const kinds[] = {":nth-child(", ":nth-last-child(", ":nth-of-type(", ":nth-last-of-type("};
      int kind = sj_random_int(r, 0, 4);
      put(t, kinds[kind]);
      put_nth(t, r);
      if (kind < 2 && depth > 0 && chance(r, 40)) {
        put(t, " of ");
        put_list(t, r, depth - 1, in_has);
      }
      put(t, ")");
      break;
    }
    case 6:
      put(t, ":lang(");
      put(t, PICK(r, languages));
      put(t, ")");
      break;
    case 7:
    case 8:
      put(t, chance(r, 50) ? ":is(" : ":where(");
      put_list(t, r, depth - 1, in_has);
      put(t, ")");
      break;
    case 9:
    case 10:
      put(t, ":not(");
      put_list(t, r, depth - 1, in_has);
      put(t, ")");
      break;
    default:
      if (in_has) {
        put(t, ".x");
        break;
      }
      static const char *const leads[] = {"", "> ", "+ ", "~ "};
      put(t, ":has(");
      put(t, PICK(r, leads));
      put_list(t, r, depth - 1, true);
      put(t, ")");
      break;
  }
}

static void put_complex(text *t, sj_random *r, int depth, bool in_has) {
  static const char *const combinators[] = {" ", " > ", " + ", " ~ "};
  for (;;) {
    int simples = sj_random_int(r, 0, 3);
    if (chance(r, 40))
      put(t, PICK(r, tags));
    else if (simples == 0)
      put(t, "*");
    while (simples-- > 0) put_simple(t, r, depth, in_has);
    if (!chance(r, 45)) return;
    put(t, PICK(r, combinators));
  }
}

static void put_rules(text *t, sj_random *r, int count, int nesting);

static void put_scope(text *t, sj_random *r, int nesting) {
  put(t, "@scope (");
  put_list(t, r, 1, false);
  if (chance(r, 50)) {
    put(t, ") to (");
    put_list(t, r, 1, false);
  }
  put(t, ") { ");
  if (chance(r, 20)) put(t, "left: 0; ");
  put_rules(t, r, sj_random_int(r, 1, 3), nesting - 1);
  put(t, "}\n");
}

static void put_rules(text *t, sj_random *r, int count, int nesting) {
  while (count-- > 0) {
    if (nesting > 0 && chance(r, 10)) {
      put_scope(t, r, nesting);
      continue;
    }
    if (nesting < 2 && chance(r, 20)) put(t, "& ");
    put_list(t, r, 2, false);
    put(t, " { color: red; ");
    if (nesting > 0 && chance(r, 30)) put_rules(t, r, sj_random_int(r, 1, 3), nesting - 1);
    put(t, "top: 0 }\n");
  }
}

static void put_attributes(stijl_css_document *d, sj_random *r) {
  char list[64] = "";
  for (int i = sj_random_int(r, 0, 4); i > 0; i--) {
    strcat(list, PICK(r, classes));
    strcat(list, " ");
  }
  if (*list) stijl_css_document_attribute(d, NULL, "class", list);
  if (chance(r, 15)) stijl_css_document_attribute(d, NULL, "id", PICK(r, ids));
  if (chance(r, 20)) stijl_css_document_attribute(d, NULL, "title", PICK(r, values));
  if (chance(r, 20)) stijl_css_document_attribute(d, NULL, "type", PICK(r, values));
  if (chance(r, 10)) stijl_css_document_attribute(d, NULL, "lang", PICK(r, languages));
  if (chance(r, 10)) stijl_css_document_attribute(d, NULL, "href", "#");
}

static stijl_css_document *make_document(sj_random *r, int elements) {
  stijl_css_document *d;
  bool html = chance(r, 60);
  if (stijl_css_document_create(NULL, html, NULL, &d)) return NULL;
  static const char *const spaces[] = {"http://www.w3.org/1999/xhtml", "http://www.w3.org/1999/xhtml",
                                       "http://www.w3.org/2000/svg"};
  // Large ones are wide, so that there is work for several threads.
  int depth = 0, closing = elements > 2000 ? 52 : 45;
  for (int i = 0; i < elements; i++) {
    while (depth > 1 && chance(r, closing)) {
      stijl_css_document_end(d);
      depth--;
    }
    const char *space = i ? PICK(r, spaces) : spaces[0];
    stijl_css_document_begin(d, space, PICK(r, tags));
    depth++;
    put_attributes(d, r);
    if (chance(r, 20)) stijl_css_document_text(d);
  }
  while (depth-- > 0) stijl_css_document_end(d);
  stijl_message message;
  if (stijl_css_document_finish(d, &message) == STIJL_OK) return d;
  sj_test_fail(__FILE__, __LINE__, "%s", message.text);
  stijl_css_document_destroy(d);
  return NULL;
}

static void change(stijl_css_document *d, sj_random *r) {
  uint32_t count = stijl_css_document_elements(d);
  for (int i = sj_random_int(r, 1, 4); i > 0; i--) {
    uint32_t e = (uint32_t)sj_random_int(r, 0, (int)count);
    char list[64] = "";
    switch (sj_random_int(r, 0, 5)) {
      case 0:
        CHECK(stijl_css_document_set_state(d, e, STIJL_CSS_STATE_HOVER | STIJL_CSS_STATE_CHECKED, chance(r, 60)) == 0);
        break;
      case 1: CHECK(stijl_css_document_set_attribute(d, e, "id", chance(r, 50) ? PICK(r, ids) : NULL) == 0); break;
      case 2: CHECK(stijl_css_document_set_attribute(d, e, "lang", PICK(r, languages)) == 0); break;
      case 3:
        CHECK(stijl_css_document_set_attribute(d, e, "title", chance(r, 70) ? PICK(r, values) : NULL) == 0);
        break;
      default:
        for (int k = sj_random_int(r, 0, 4); k > 0; k--) {
          strcat(list, PICK(r, classes));
          strcat(list, " ");
        }
        CHECK(stijl_css_document_set_attribute(d, e, "class", list) == 0);
        break;
    }
  }
}

static stijl_css_matcher *make_matcher(const stijl_css *css, stijl_css_document *d, stijl_css_engine engine,
                                       int threads) {
  stijl_css_matcher_params params = STIJL_CSS_MATCHER_PARAMS_INIT;
  stijl_renderer_params device = sj_test_gpu_params();
  params.device = device.device;
  params.device_name = device.device_name;
  params.engine = engine;
  params.threads = threads;
  params.min_parallel = 1;
  stijl_css_matcher *m = NULL;
  stijl_message message;
  if (stijl_css_matcher_create(css, d, &params, &m, &message)) sj_test_fail(__FILE__, __LINE__, "%s", message.text);
  return m;
}

static bool same(const stijl_css_matcher *a, const stijl_css_matcher *b, uint32_t elements, const stijl_css *css,
                 const char *what) {
  const uint32_t *offsets_a, *offsets_b, *selectors_a, *selectors_b;
  size_t pairs = stijl_css_matches_all(a, &offsets_a, &selectors_a);
  size_t other = stijl_css_matches_all(b, &offsets_b, &selectors_b);
  if (pairs == other && memcmp(offsets_a, offsets_b, (elements + 1) * sizeof *offsets_a) == 0 &&
      (pairs == 0 || memcmp(selectors_a, selectors_b, pairs * sizeof *selectors_a) == 0))
    return true;
  sj_test_fail(__FILE__, __LINE__, "%s: %zu and %zu matches", what, pairs, other);
  for (uint32_t e = 0; e < elements; e++) {
    const uint32_t *x, *y;
    size_t m = stijl_css_matches(a, e, &x), n = stijl_css_matches(b, e, &y), i = 0;
    while (i < m && i < n && x[i] == y[i]) i++;
    if (i == m && i == n) continue;
    stijl_css_selector s = STIJL_CSS_SELECTOR_INIT;
    stijl_css_selector_get(css, i < m ? x[i] : y[i], &s);
    sj_test_fail(__FILE__, __LINE__, "element %u: %.*s", e, (int)s.length, s.text);
    break;
  }
  return false;
}

static void compare_engines(uint64_t n, int elements, int rules, bool on_gpu) {
  sj_random r = sj_random_seed(n);
  text *sheet = calloc(1, sizeof *sheet);
  stijl_css_document *d = make_document(&r, elements);
  stijl_css_params params = STIJL_CSS_PARAMS_INIT;
  params.may_match = chance(&r, 20);
  params.limits.max_seconds = 250;  // the reference is slow
  stijl_css *css = NULL;
  CHECK(stijl_css_create(NULL, &params, &css) == STIJL_OK);
  if (!sheet || !d || !css) {
    free(sheet);
    return;
  }
  put_rules(sheet, &r, rules, 2);
  stijl_message message;
  CHECK(stijl_css_add(css, sheet->data, sheet->length, "random", STIJL_CSS_ORIGIN_AUTHOR, &message) == STIJL_OK);
  CHECK(stijl_css_selector_count(css) >= (size_t)rules || strstr(sheet->data, "@scope"));
  stijl_css_matcher *reference = make_matcher(css, d, STIJL_CSS_ENGINE_REFERENCE, 1);
  stijl_css_matcher *one = make_matcher(css, d, STIJL_CSS_ENGINE_CPU, 1);
  stijl_css_matcher *other = make_matcher(css, d, on_gpu ? STIJL_CSS_ENGINE_VULKAN : STIJL_CSS_ENGINE_CPU, 3);
  const char *pair = on_gpu ? "cpu and Vulkan" : "one thread and three";
  if (reference && one && other) {
    CHECK(stijl_css_match(reference, NULL) == STIJL_OK);
    CHECK(stijl_css_match(one, NULL) == STIJL_OK);
    CHECK(stijl_css_match(other, NULL) == STIJL_OK);
    uint32_t count = stijl_css_document_elements(d);
    bool good = same(reference, one, count, css, "reference and cpu");
    good = good && same(one, other, count, css, pair);
    for (int turn = 0; good && turn < 4; turn++) {
      change(d, &r);
      CHECK(stijl_css_rematch(reference, NULL) == STIJL_OK);
      CHECK(stijl_css_rematch(one, NULL) == STIJL_OK);
      if (turn % 2) CHECK(stijl_css_rematch(other, NULL) == STIJL_OK);
      good = same(reference, one, count, css, "reference and cpu after changes");
      if (turn % 2) good = good && same(one, other, count, css, pair);
    }
  }
  stijl_css_matcher_destroy(reference);
  stijl_css_matcher_destroy(one);
  stijl_css_matcher_destroy(other);
  stijl_css_destroy(css);
  stijl_css_document_destroy(d);
  free(sheet);
}

TEST(small) {
  for (uint64_t n = 0; sj_test_cases(&n, 3000); n++) {
    compare_engines(n, 2 + (int)(n % 40), 1 + (int)(n % 12), false);
    if (sj_test_failed()) {
      sj_test_fail(__FILE__, __LINE__, "case %llu", (unsigned long long)n);
      return;
    }
  }
}

// Enough elements for several tasks.
TEST(large) {
  for (uint64_t n = 0; sj_test_cases(&n, 6); n++) compare_engines(n, n % 3 ? 6000 : 1500, 6, false);
}

// On the device that STIJL_TEST_DEVICE names, also with room for few matches, windows of 32 ranks, small groups, and
// candidates given up early.
TEST(vulkan) {
  static const char *const small[][2] = {{"matches", "3"}, {"window", "1"}, {"group", "5"}, {"steps", "12"}};
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no Vulkan device asked for (STIJL_TEST_DEVICE)");
  // Keeps the driver loaded: NVIDIA's can be loaded some 30 times by a process, no more.
  stijl_renderer *holder = sj_test_gpu();
  for (uint64_t n = 0; sj_test_cases(&n, 90) && !sj_test_failed(); n++) {
    const char *const *one = n % 5 ? small[n % 5 - 1] : NULL;
    if (one) sj_trial_set(one[0], one[1]);
    compare_engines(n, n % 15 ? 2 + (int)(n * 7 % 90) : 600, 1 + (int)(n * 5 % 40), true);
    if (one) sj_trial_set(one[0], NULL);
    if (sj_test_failed()) sj_test_fail(__FILE__, __LINE__, "case %llu", (unsigned long long)n);
  }
  stijl_renderer_destroy(holder);
}

SJ_WRAPS static uint64_t hash(uint64_t h, const uint32_t *data, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < 4; k++) h = (h ^ (data[i] >> (8 * k) & 255)) * 0x100000001b3u;
  return h;
}

// Returns a hash of all matches of random documents and sheets, also after changes (FNV-1a).
static uint64_t hash_of_cases(stijl_css_engine engine, int threads, int count) {
  uint64_t h = 0xcbf29ce484222325u;
  text *sheet = calloc(1, sizeof *sheet);
  for (int n = 0; sheet && n < count && !sj_test_failed(); n++) {
    sj_random r = sj_random_seed(1000000 + (uint64_t)n);
    stijl_css_document *d = make_document(&r, n % 10 ? 5 + n % 60 : 300);
    stijl_css_params params = STIJL_CSS_PARAMS_INIT;
    params.may_match = chance(&r, 20);
    params.limits.max_seconds = 250;  // the reference is slow
    stijl_css *css = NULL;
    CHECK(stijl_css_create(NULL, &params, &css) == STIJL_OK);
    sheet->length = 0;
    put_rules(sheet, &r, 1 + n % 30, 2);
    CHECK(stijl_css_add(css, sheet->data, sheet->length, "random", STIJL_CSS_ORIGIN_AUTHOR, NULL) == STIJL_OK);
    stijl_css_matcher *m = make_matcher(css, d, engine, threads);
    for (int turn = 0; turn < 3 && m; turn++) {
      const uint32_t *offsets, *selectors;
      CHECK((turn ? stijl_css_rematch(m, NULL) : stijl_css_match(m, NULL)) == STIJL_OK);
      size_t pairs = stijl_css_matches_all(m, &offsets, &selectors);
      h = hash(hash(h, offsets, stijl_css_document_elements(d) + 1), selectors, pairs);
      change(d, &r);
    }
    stijl_css_matcher_destroy(m);
    stijl_css_destroy(css);
    stijl_css_document_destroy(d);
  }
  free(sheet);
  return h;
}

// The same on every architecture and device.
#define GOLDEN 0xf79e9f6e9fe1681au
#define GOLDEN_CASES 100

static void check_golden(stijl_css_engine engine, int threads) {
  uint64_t h = hash_of_cases(engine, threads, GOLDEN_CASES);
  if (h != GOLDEN)
    sj_test_fail(__FILE__, __LINE__, "the matches have the hash %016llx, not %016llx", (unsigned long long)h,
                 (unsigned long long)GOLDEN);
}

TEST(golden) {
  check_golden(STIJL_CSS_ENGINE_REFERENCE, 1);
  check_golden(STIJL_CSS_ENGINE_CPU, 1);
  check_golden(STIJL_CSS_ENGINE_CPU, 3);
}

TEST(vulkan_golden) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no Vulkan device asked for (STIJL_TEST_DEVICE)");
  stijl_renderer *holder = sj_test_gpu();
  check_golden(STIJL_CSS_ENGINE_VULKAN, 1);
  stijl_renderer_destroy(holder);
}

static stijl_css *small_sheet(void) {
  static const char sheet[] = "div .x ~ p, :not(.y) > b, svg|* { } a:has(b) .z { } [title*=b i] { }";
  stijl_css *css;
  CHECK(stijl_css_create(NULL, NULL, &css) == STIJL_OK);
  CHECK(stijl_css_add(css, sheet, sizeof sheet - 1, "s", STIJL_CSS_ORIGIN_AUTHOR, NULL) == STIJL_OK);
  return css;
}

// What the device cannot bind is told; many matchings of one matcher are the same; a lost device is an error, as are
// one that never answers, which is not waited for again, and commands that cannot be recorded.
TEST(vulkan_limits) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no Vulkan device asked for (STIJL_TEST_DEVICE)");
  // Keeps the driver loaded: NVIDIA's can be loaded some 30 times by a process, no more.
  stijl_renderer *holder = sj_test_gpu();
  sj_random r = sj_random_seed(7);
  stijl_css_document *d = make_document(&r, 200);
  // Sheets keep their device, so each device that is different needs its own.
  stijl_css *css = small_sheet(), *narrow = small_sheet();
  stijl_css_matcher *cpu = make_matcher(css, d, STIJL_CSS_ENGINE_CPU, 1);
  stijl_css_matcher *m = make_matcher(css, d, STIJL_CSS_ENGINE_VULKAN, 1);
  CHECK(stijl_css_match(cpu, NULL) == STIJL_OK);
  CHECK(stijl_css_match(m, NULL) == STIJL_OK);
  same(cpu, m, stijl_css_document_elements(d), css, "cpu and Vulkan");
  sj_test_match_again(m, stijl_css_document_elements(d), sj_test_repeats(1000));
  // Another takes the first one's device.
  stijl_css_matcher_destroy(m);
  m = make_matcher(css, d, STIJL_CSS_ENGINE_VULKAN, 1);
  CHECK(stijl_css_match(m, NULL) == STIJL_OK);
  same(cpu, m, stijl_css_document_elements(d), css, "cpu and Vulkan, with a used device");
  stijl_css_matcher_destroy(m);
  stijl_message message = {""};
  sj_trial_set("range", "4096");
  m = make_matcher(narrow, d, STIJL_CSS_ENGINE_VULKAN, 1);
  sj_trial_set("range", NULL);
  CHECK(stijl_css_match(m, &message) == STIJL_ERROR_LIMIT);
  CHECK(strstr(message.text, "storage buffers"));
  stijl_css_matcher_destroy(m);
  static const char *const faults[][2] = {
      {"lost", "lost"}, {"hang", "in time"}, {"recording1", "recording"}, {"recording2", "recording"}};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    stijl_css *failing = small_sheet();
    sj_trial_set("fault", faults[i][0]);
    m = make_matcher(failing, d, STIJL_CSS_ENGINE_VULKAN, 1);
    sj_trial_set("fault", NULL);
    CHECK(stijl_css_match(m, &message) == STIJL_ERROR_DEVICE);
    CHECK(strstr(message.text, faults[i][1]) != NULL);
    const uint32_t *offsets, *selectors;
    CHECK_INT(stijl_css_matches_all(m, &offsets, &selectors), 0);
    stijl_css_matcher_destroy(m);
    stijl_css_destroy(failing);
  }
  stijl_css_matcher_destroy(cpu);
  stijl_renderer_destroy(holder);
  stijl_css_destroy(css);
  stijl_css_destroy(narrow);
  stijl_css_document_destroy(d);
}

// So many matches an element that the shaders' loops would take more turns than drivers let them (SJ_VK_MAX_TURNS).
TEST(vulkan_many) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no Vulkan device asked for (STIJL_TEST_DEVICE)");
  enum { RULES = 9000 };
  static const char rule[] = "*{color:red}";
  char *sheet = malloc(RULES * (sizeof rule - 1));
  if (!sheet) abort();
  for (size_t i = 0; i < RULES; i++) memcpy(sheet + i * (sizeof rule - 1), rule, sizeof rule - 1);
  sj_random r = sj_random_seed(8);
  stijl_css_document *d = make_document(&r, 300);
  stijl_css *css = NULL;
  CHECK(stijl_css_create(NULL, NULL, &css) == STIJL_OK);
  CHECK(stijl_css_add(css, sheet, RULES * (sizeof rule - 1), "many", STIJL_CSS_ORIGIN_AUTHOR, NULL) == STIJL_OK);
  stijl_css_matcher *cpu = make_matcher(css, d, STIJL_CSS_ENGINE_CPU, 1);
  stijl_css_matcher *m = make_matcher(css, d, STIJL_CSS_ENGINE_VULKAN, 1);
  CHECK(stijl_css_match(cpu, NULL) == STIJL_OK);
  CHECK(stijl_css_match(m, NULL) == STIJL_OK);
  same(cpu, m, stijl_css_document_elements(d), css, "many matches");
  stijl_css_matcher_destroy(m);
  stijl_css_matcher_destroy(cpu);
  stijl_css_destroy(css);
  stijl_css_document_destroy(d);
  free(sheet);
}

// Threads take tasks in any order.
TEST(repeat) {
  sj_random r = sj_random_seed(11);
  text *sheet = calloc(1, sizeof *sheet);
  stijl_css_document *d = make_document(&r, 6000);
  stijl_css *css = NULL;
  CHECK(stijl_css_create(NULL, NULL, &css) == STIJL_OK);
  if (sheet && d && css) {
    put_rules(sheet, &r, 40, 2);
    CHECK(stijl_css_add(css, sheet->data, sheet->length, "random", STIJL_CSS_ORIGIN_AUTHOR, NULL) == STIJL_OK);
    stijl_css_matcher *m = make_matcher(css, d, STIJL_CSS_ENGINE_CPU, 4);
    CHECK(stijl_css_match(m, NULL) == STIJL_OK);
    sj_test_match_again(m, stijl_css_document_elements(d), sj_test_repeats(50));
    stijl_css_matcher_destroy(m);
  }
  stijl_css_destroy(css);
  stijl_css_document_destroy(d);
  free(sheet);
}

TEST(rematch_looks_at_little) {
  stijl_css_document *d;
  CHECK(stijl_css_document_create(NULL, true, NULL, &d) == STIJL_OK);
  stijl_css_document_begin(d, "http://www.w3.org/1999/xhtml", "div");
  for (int i = 0; i < 1000; i++) {
    stijl_css_document_begin(d, "http://www.w3.org/1999/xhtml", "p");
    stijl_css_document_end(d);
  }
  stijl_css_document_end(d);
  CHECK(stijl_css_document_finish(d, NULL) == STIJL_OK);
  static const char sheet[] = ".a { } .b + p { } div .c { }";
  stijl_css *css;
  CHECK(stijl_css_create(NULL, NULL, &css) == STIJL_OK);
  CHECK(stijl_css_add(css, sheet, sizeof sheet - 1, "s", STIJL_CSS_ORIGIN_AUTHOR, NULL) == STIJL_OK);
  stijl_css_matcher *m = make_matcher(css, d, STIJL_CSS_ENGINE_CPU, 1);
  CHECK(stijl_css_match(m, NULL) == STIJL_OK);
  CHECK(stijl_css_document_set_attribute(d, 500, "class", "a c") == STIJL_OK);
  CHECK(stijl_css_rematch(m, NULL) == STIJL_OK);
  stijl_css_stats stats = {.size = sizeof stats};
  stijl_css_matcher_stats(m, &stats);
  CHECK_INT(stats.rematched, 1);
  const uint32_t *selectors;
  CHECK_INT(stijl_css_matches(m, 500, &selectors), 2);
  CHECK_INT(stijl_css_matches(m, 501, &selectors), 0);
  CHECK(stijl_css_document_set_attribute(d, 500, "class", "b") == STIJL_OK);
  CHECK(stijl_css_rematch(m, NULL) == STIJL_OK);
  CHECK_INT(stijl_css_matches(m, 500, &selectors), 0);
  CHECK_INT(stijl_css_matches(m, 501, &selectors), 1);
  stijl_css_matcher_destroy(m);
  stijl_css_destroy(css);
  stijl_css_document_destroy(d);
}
