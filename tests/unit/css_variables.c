// Custom properties and var(): scopes, fallbacks, cycles, and values that grow.
#include <stdlib.h>

#include "css/variables.h"
#include "processor.h"
#include "test.h"

static sj_css_variables v;

static void begin(void) { CHECK(sj_css_variables_init(&v, sj_context(NULL))); }

// Makes "--a:1;--b:2" a set.
static uint32_t set_of(const char *text) {
  uint32_t set = sj_css_variables_begin(&v);
  for (const char *at = text; *at;) {
    size_t name = strcspn(at, ":"), value = strcspn(at + name + 1, ";");
    CHECK(sj_css_variables_add(&v, at, name, at + name + 1, value));
    at += name + 1 + value;
    at += *at == ';';
  }
  return set;
}

static uint32_t scope_of(uint32_t parent, const char *text) {
  uint32_t set = set_of(text), scope = 0;
  CHECK(sj_css_variables_scope(&v, parent, &set, 1, &scope));
  return scope;
}

static const char *value_of(uint32_t scope, const char *value) {
  static char text[300];
  const char *out;
  size_t length;
  switch (sj_css_substitute(&v, scope, value, strlen(value), &out, &length)) {
    case SJ_CSS_SUBSTITUTED: snprintf(text, sizeof text, "%.*s", (int)length, out); return text;
    case SJ_CSS_INVALID_VALUE: return "(invalid)";
    case SJ_CSS_TOO_MUCH: return "(too much)";
    default: return "(no memory)";
  }
}

TEST(values) {
  begin();
  uint32_t s = scope_of(SJ_CSS_NO_SCOPE, "--a:red;--b:var(--a);--c:x var( --b ) y;--e:;--a:blue");
  CHECK_STR(value_of(s, "var(--a)"), "blue");
  CHECK_STR(value_of(s, "var(--c)"), "x blue y");
  CHECK_STR(value_of(s, "1 VAR(--b) 2 var(--b)3"), "1 blue 2 blue3");
  CHECK_STR(value_of(s, "[var(--e)]"), "[]");
  CHECK_STR(value_of(s, "var(--none)"), "(invalid)");
  CHECK_STR(value_of(s, "a var(--none, b (c, d)) e"), "a  b (c, d) e");
  CHECK_STR(value_of(s, "var(--none,)"), "");
  CHECK_STR(value_of(s, "var(--none, var(--none, var(--a)))"), "  blue");
  CHECK_STR(value_of(s, "var(--none, var(--none))"), "(invalid)");
  CHECK_STR(value_of(s, "var(--a, var(--none))"), "blue");
  CHECK_STR(value_of(s, "var(a)"), "(invalid)");
  CHECK_STR(value_of(s, "var(--a b)"), "(invalid)");
  CHECK_STR(value_of(s, "var(--a"), "blue");
  CHECK_STR(value_of(SJ_CSS_NO_SCOPE, "var(--a, none)"), " none");
  sj_css_variables_finish(&v);
}

// A property's variables are those of the element that it is declared for.
TEST(scopes) {
  begin();
  uint32_t outer = scope_of(SJ_CSS_NO_SCOPE, "--a:1;--b:[var(--a)];--c:[var(--d, none)]");
  uint32_t inner = scope_of(outer, "--a:2;--d:3");
  uint32_t innermost = scope_of(inner, "--b:<var(--a)>");
  CHECK_STR(value_of(inner, "var(--a)var(--b)var(--c)"), "2[1][ none]");
  CHECK_STR(value_of(innermost, "var(--a)var(--b)var(--c)var(--d)"), "2<2>[ none]3");
  CHECK_STR(value_of(outer, "var(--a)var(--b)"), "1[1]");
  // The set that ranks higher counts; equal sets below equal scopes are one scope.
  uint32_t sets[3] = {set_of("--x:low;--y:low"), set_of("--x:high"), 0}, a = 0, b = 0, c = 0;
  CHECK(sj_css_variables_scope(&v, inner, sets, 2, &a) && sj_css_variables_scope(&v, inner, sets, 2, &b) &&
        sj_css_variables_scope(&v, outer, sets, 2, &c));
  CHECK_INT(a, b);
  CHECK(a != c);
  CHECK_STR(value_of(a, "var(--x) var(--y) var(--a)"), "high low 2");
  CHECK_STR(value_of(c, "var(--x) var(--y) var(--a)"), "high low 1");
  CHECK(sj_css_variables_scope(&v, inner, NULL, 0, &a));
  CHECK_INT(a, inner);
  sj_css_variables_finish(&v);
}

// CSS Variables 1, 2.3: what is part of a cycle has no value, whatever its fallbacks; what refers to it uses its own.
TEST(cycles) {
  begin();
  uint32_t s = scope_of(SJ_CSS_NO_SCOPE,
                        "--a:var(--a);--b:var(--c, 1);--c:x var(--b, 2);--d:var(--b, 3);--e:var(--n, var(--e));"
                        "--f:var(--g);--g:var(--h, var(--f));--h:1");
  CHECK_STR(value_of(s, "var(--a, 0)"), " 0");
  CHECK_STR(value_of(s, "var(--d)"), " 3");
  CHECK_STR(value_of(s, "var(--b, b)var(--c, c)"), " b c");
  CHECK_STR(value_of(s, "var(--e)"), "(invalid)");
  CHECK_STR(value_of(s, "var(--g)var(--f)"), "11");
  // Of an outer scope nothing refers to an inner one.
  CHECK_STR(value_of(scope_of(s, "--h:var(--g)"), "var(--h)"), "1");
  sj_css_variables_finish(&v);
}

// Makes properties that refer to the next one: --v0:var(--v1), or twice where `between` stands between the two.
static char *chain(int count, const char *between, const char *behind, const char *last) {
  char *text = malloc((size_t)count * 80 + 80), *at = text;
  for (int i = 0; i < count; i++) {
    at += sprintf(at, "--v%d:var(--v%d", i, i + 1);
    if (between) at += sprintf(at, "%s--v%d", between, i + 1);
    at += sprintf(at, "%s;", behind);
  }
  sprintf(at, "--v%d:%s", count, last);
  return text;
}

TEST(hostile) {
  begin();
  double start = sj_test_processor_seconds();
  // Long chains: no recursion, every value computed once.
  char *text = chain(100000, NULL, ")", "end");
  CHECK_STR(value_of(scope_of(SJ_CSS_NO_SCOPE, text), "var(--v0)"), "end");
  free(text);
  // Doubling: too long from some 2^20 on, which is an invalid value and not the end.
  text = chain(60, ")var(", ")", "0123456789");
  uint32_t s = scope_of(SJ_CSS_NO_SCOPE, text);
  CHECK_STR(value_of(s, "var(--v57)"),
            "01234567890123456789012345678901234567890123456789012345678901234567890123456789");
  CHECK_STR(value_of(s, "var(--v0, too long)"), " too long");
  CHECK_STR(value_of(s, "var(--v57)"),
            "01234567890123456789012345678901234567890123456789012345678901234567890123456789");
  free(text);
  // The same with values that do not exist, each tried twice.
  text = chain(1000, ",var(", "))", "var(--none)");
  CHECK_STR(value_of(scope_of(SJ_CSS_NO_SCOPE, text), "var(--v0)"), "(invalid)");
  free(text);
  // Fallbacks within fallbacks.
  char *nested = malloc(400000), *at = nested;
  for (int i = 0; i < 30000; i++) at += sprintf(at, "var(--n,");
  for (int i = 0; i < 30000; i++) *at++ = ')';
  *at = 0;
  const char *out;
  size_t length;
  CHECK(sj_css_substitute(&v, SJ_CSS_NO_SCOPE, nested, strlen(nested), &out, &length) == SJ_CSS_SUBSTITUTED);
  free(nested);
  sj_css_variables_finish(&v);
  // All values together have a limit.
  begin();
  char big[2000];
  memset(big, 'x', sizeof big - 1);
  big[sizeof big - 1] = 0;
  memcpy(big, "--v:", 4);
  s = scope_of(SJ_CSS_NO_SCOPE, big);
  sj_css_substitution result = SJ_CSS_SUBSTITUTED;
  int rounds = 0;
  for (; rounds < 100000 && result == SJ_CSS_SUBSTITUTED; rounds++)
    result = sj_css_substitute(&v, s, "var(--v)", 8, &out, &length);
  CHECK_INT(result, SJ_CSS_TOO_MUCH);
  sj_css_variables_finish(&v);
  // A sanitizer reads strings to their end at each call.
  if (!getenv("STIJL_SANITIZED")) CHECK(sj_test_processor_seconds() - start < 10);
}
