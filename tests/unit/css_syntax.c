// Style sheets: error recovery, selectors that are and are not valid, conditions, layers, the cascade, limits.
#include <stdlib.h>

#include "stijl/css.h"
#include "test.h"

#define HTML "http://www.w3.org/1999/xhtml"

static stijl_css *parse_with(const stijl_css_params *params, const char *sheet, size_t bytes, stijl_message *message) {
  stijl_css *css = NULL;
  if (stijl_css_create(NULL, params, &css)) return NULL;
  if (stijl_css_add(css, sheet, bytes, "sheet", STIJL_CSS_ORIGIN_AUTHOR, message) == STIJL_OK) return css;
  stijl_css_destroy(css);
  return NULL;
}

// Returns the selectors that are left, as "a|b|c"; the rules whose conditions do not hold in parentheses.
static const char *selectors_of(const char *sheet) {
  static char out[2048];
  stijl_css *css = parse_with(NULL, sheet, strlen(sheet), NULL);
  size_t length = 0;
  out[0] = 0;
  for (size_t i = 0; css && i < stijl_css_selector_count(css); i++) {
    stijl_css_selector s = STIJL_CSS_SELECTOR_INIT;
    stijl_css_selector_get(css, i, &s);
    if (s.continuation) continue;
    length += (size_t)snprintf(out + length, sizeof out - length, "%s%s%.*s%s", length ? "|" : "", s.active ? "" : "(",
                               (int)s.length, s.text, s.active ? "" : ")");
  }
  stijl_css_destroy(css);
  return out;
}

static bool is_valid(const char *selector) {
  char sheet[512];
  snprintf(sheet, sizeof sheet, "%s { top: 0 }", selector);
  return selectors_of(sheet)[0] != 0;
}

TEST(error_recovery) {
  CHECK_STR(selectors_of("a { } b { }"), "a|b");
  CHECK_STR(selectors_of("a, , b { } c { }"), "c");
  CHECK_STR(selectors_of("a { color: red; } } b { } c { }"), "a|c");
  CHECK_STR(selectors_of("a { color: (;} b { } ) } c { }"), "a|c");
  CHECK_STR(selectors_of("a { content: \"x\n; } b { }"), "a|b");
  CHECK_STR(selectors_of("a { content: \"x\\\n}\" } b { }"), "a|b");
  CHECK_STR(selectors_of("a { b { } c"), "a|b");
  CHECK_STR(selectors_of("@unknown x { a { } } b { }"), "b");
  CHECK_STR(selectors_of("@unknown; b { }"), "b");
  CHECK_STR(selectors_of("<!-- a { } --> b { }"), "a|b");
  CHECK_STR(selectors_of("a { background: url(x\"y) ; } b { }"), "a|b");
  CHECK_STR(selectors_of("/* a { } */ b /* */ , c { } /* d { }"), "b|c");
  CHECK_STR(selectors_of("a[b { } c { }"), "");
  CHECK_STR(selectors_of("\xef\xbb\xbf"
                         "a { }"),
            "a");
  CHECK_STR(selectors_of("a { x: { y } b { } } c { }"), "a|b|c");
  CHECK_STR(selectors_of("@font-face { a { } } @keyframes k { from { } } b { }"), "b");
}

TEST(selectors) {
  static const char *const valid[] = {"*",
                                      "a.b#c[d]:hover",
                                      "a > b + c ~ d",
                                      "[a=b i]",
                                      "[a='b' s]",
                                      "[*|a]",
                                      "[|a]",
                                      "*|a",
                                      "|a",
                                      ":is()",
                                      ":is(,)",
                                      ":where(a, 1)",
                                      ":not(a b, c)",
                                      ":has(> a, + b c)",
                                      ":nth-child(2n + 1 of a b)",
                                      ":nth-child( -n+3 )",
                                      ":nth-last-of-type(odd)",
                                      ":lang(en, 'de-*')",
                                      "a::before",
                                      "a:before",
                                      "a::-webkit-anything",
                                      "::slotted(a.b)",
                                      "\\31 0",
                                      ".\\31\\:x",
                                      "#\\:",
                                      "a::part(x y)",
                                      "::selection:window-inactive",
                                      ":is(a::before)",
                                      ":host(a)",
                                      "A",
                                      "\\*"};
  static const char *const invalid[] = {"",
                                        ">",
                                        "a >",
                                        "> a",
                                        "a b >",
                                        "a,",
                                        "1",
                                        ".1",
                                        "#1",
                                        "[a",
                                        "[a=]",
                                        "[a=b x]",
                                        "[a==b]",
                                        "a..b",
                                        ":unknown",
                                        "::unknown",
                                        ":-moz-x",
                                        "::-moz-x",
                                        ":not()",
                                        ":not(1)",
                                        ":has()",
                                        ":has(:has(a))",
                                        ":nth-child(n of)",
                                        ":nth-child(+ n)",
                                        ":nth-child(n 1)",
                                        ":nth-child()",
                                        ":lang()",
                                        "a:before.b",
                                        "a::before b",
                                        "x|a",
                                        ":not(a::before)",
                                        "a||b",
                                        "a ! b",
                                        ".a*",
                                        "#a b|c"};
  for (size_t i = 0; i < sizeof valid / sizeof *valid; i++)
    if (!is_valid(valid[i])) sj_test_fail(__FILE__, __LINE__, "%s is not accepted", valid[i]);
  for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
    char sheet[256];
    snprintf(sheet, sizeof sheet, "%s { }", invalid[i]);
    if (is_valid(invalid[i])) sj_test_fail(__FILE__, __LINE__, "%s is accepted", invalid[i]);
  }
}

static bool medium_holds(const char *query) {
  char sheet[512];
  snprintf(sheet, sizeof sheet, "@media %s { a { } }", query);
  return strcmp(selectors_of(sheet), "a") == 0;
}

TEST(media) {
  static const char *const yes[] = {"screen",
                                    "all",
                                    "",
                                    "only screen and (min-width: 1000px)",
                                    "print, screen",
                                    "not print",
                                    "(width >= 1280px)",
                                    "(1000px < width <= 1280px)",
                                    "(min-width: 80em)",
                                    "(orientation: landscape)",
                                    "(prefers-color-scheme: light)",
                                    "not (prefers-reduced-motion)",
                                    "(color)",
                                    "(min-resolution: 96dpi)",
                                    "(not (hover: none)) and (pointer: fine)",
                                    "(width: 1280px) or (width: 1px)",
                                    "(aspect-ratio: 8/5)",
                                    "(-webkit-min-device-pixel-ratio: 1)",
                                    "(unknown), screen",
                                    "SCREEN AND (MIN-WIDTH: 1PX)",
                                    "(unknown) or (color)"};
  static const char *const no[] = {"print",
                                   "(max-width: 1279px)",
                                   "(width > 1280px)",
                                   "not all",
                                   "not screen",
                                   "(unknown)",
                                   "not (unknown)",
                                   "screen and (unknown)",
                                   "(prefers-color-scheme: dark)",
                                   "(min-width: 81em)",
                                   "only screen and (orientation: portrait)",
                                   "screen or (color)",
                                   "(color) and (grid)",
                                   "(width: 1px) x"};
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
    if (!medium_holds(yes[i])) sj_test_fail(__FILE__, __LINE__, "@media %s should hold", yes[i]);
  for (size_t i = 0; i < sizeof no / sizeof *no; i++)
    if (medium_holds(no[i])) sj_test_fail(__FILE__, __LINE__, "@media %s should not hold", no[i]);
}

TEST(supports) {
  CHECK_STR(selectors_of("@supports (display: grid) { a { } }"), "a");
  CHECK_STR(selectors_of("@supports not (display: grid) { a { } }"), "(a)");
  CHECK_STR(selectors_of("@supports (-moz-appearance: none) or (-webkit-appearance: none) { a { } }"), "a");
  CHECK_STR(selectors_of("@supports selector(a > b) { a { } } @supports selector(:unknown) { b { } }"), "a|(b)");
  CHECK_STR(selectors_of("@supports ((--x: 1) and (not (x:))) { a { } }"), "a");
}

TEST(nesting_and_lines) {
  CHECK_STR(selectors_of("a { b { } & c { } > d { } e & { } color: red; &:hover { } @media print { f { } } }"),
            "a|b|& c|> d|e &|&:hover|(f)");
  static const char sheet[] = "a {}\n\n b,\nc { }\r\n d {}";
  stijl_css *css = parse_with(NULL, sheet, strlen(sheet), NULL);
  static const uint32_t lines[] = {1, 3, 4, 5};
  CHECK_INT(stijl_css_selector_count(css), 4);
  for (size_t i = 0; i < 4; i++) {
    stijl_css_selector s = STIJL_CSS_SELECTOR_INIT;
    stijl_css_selector_get(css, i, &s);
    CHECK_INT(s.line, lines[i]);
  }
  stijl_css_destroy(css);
}

TEST(declarations) {
  static const char sheet[] =
      "a { fill : red ; stroke:url(x;y) ! important;--x:{a;b}; bad; b:c; d:/*1*/e !/**/important/*2*/ } ";
  stijl_css *css = parse_with(NULL, sheet, strlen(sheet), NULL);
  static const char *const expected[] = {"fill=red", "stroke=url(x;y)!", "--x={a;b}", "b=c", "d=e!"};
  CHECK_INT(stijl_css_declaration_count(css, 0), 5);
  for (size_t i = 0; i < 5 && i < stijl_css_declaration_count(css, 0); i++) {
    stijl_css_declaration d = STIJL_CSS_DECLARATION_INIT;
    char text[64];
    stijl_css_declaration_get(css, 0, i, &d);
    snprintf(text, sizeof text, "%.*s=%.*s%s", (int)d.name_length, d.name, (int)d.value_length, d.value,
             d.important ? "!" : "");
    CHECK_STR(text, expected[i]);
  }
  stijl_css_destroy(css);
}

// Returns the selectors that match the root, <div id=i class="x y">, in the order of the cascade.
static const char *cascade_of(const char *sheet) {
  static char out[1024];
  out[0] = 0;
  stijl_css_document *d;
  if (stijl_css_document_create(NULL, true, NULL, &d)) return out;
  stijl_css_document_begin(d, HTML, "div");
  stijl_css_document_attribute(d, NULL, "id", "i");
  stijl_css_document_attribute(d, NULL, "class", "x y");
  stijl_css_document_end(d);
  CHECK(stijl_css_document_finish(d, NULL) == STIJL_OK);
  stijl_css *css = parse_with(NULL, sheet, strlen(sheet), NULL);
  stijl_css_matcher *m = NULL;
  if (css && stijl_css_matcher_create(css, d, NULL, &m, NULL) == STIJL_OK && stijl_css_match(m, NULL) == STIJL_OK) {
    const uint32_t *selectors;
    size_t count = stijl_css_matches(m, 0, &selectors), length = 0;
    for (size_t i = 0; i < count; i++) {
      stijl_css_selector s = STIJL_CSS_SELECTOR_INIT;
      stijl_css_selector_get(css, selectors[i], &s);
      length += (size_t)snprintf(out + length, sizeof out - length, "%s%.*s", i ? " < " : "", (int)s.length, s.text);
    }
  }
  stijl_css_matcher_destroy(m);
  stijl_css_destroy(css);
  stijl_css_document_destroy(d);
  return out;
}

TEST(cascade) {
  CHECK_STR(cascade_of("#i { } .x { } div { } * { } .x.y { } .y { }"), "* < div < .x < .y < .x.y < #i");
  CHECK_STR(cascade_of("@layer a { #i { } } .x { } @layer b { div { } }"), "#i < div < .x");
  CHECK_STR(cascade_of("@layer b, a; @layer a { div { } } @layer b { #i { } }"), "#i < div");
  CHECK_STR(cascade_of("@layer a { .x { } @layer c { #i { } } }"), "#i < .x");
  CHECK_STR(cascade_of(":where(#i) { } :is(#i, a) { } div { }"), ":where(#i) < div < :is(#i, a)");
  CHECK_STR(cascade_of(":not(#z) { } .x { }"), ".x < :not(#z)");
  CHECK_STR(cascade_of(":nth-child(1 of .x) { } .x { }"), ".x < :nth-child(1 of .x)");
  CHECK_STR(cascade_of("#i, a { .x& { } } .x.y { }"), ".x.y < #i < .x&");
  CHECK_STR(cascade_of("@media print { #i { } } .x { }"), ".x");
  CHECK_STR(cascade_of("@namespace \"urn:x\"; div { } *|div { }"), "*|div");
  CHECK_STR(cascade_of("@namespace h \"" HTML "\"; h|div { } |div { }"), "h|div");
}

// --- long lists of attributes and classes ---

// Returns whether the selector matches the only element.
static bool matches(stijl_css_document *d, const char *selector, stijl_css_engine engine) {
  char sheet[300];
  snprintf(sheet, sizeof sheet, "%s { }", selector);
  stijl_css *css = parse_with(NULL, sheet, strlen(sheet), NULL);
  stijl_css_matcher_params params = STIJL_CSS_MATCHER_PARAMS_INIT;
  params.engine = engine;
  params.threads = 1;
  stijl_css_matcher *m = NULL;
  CHECK(stijl_css_matcher_create(css, d, &params, &m, NULL) == STIJL_OK && stijl_css_match(m, NULL) == STIJL_OK);
  const uint32_t *selectors;
  bool found = m && stijl_css_matches(m, 0, &selectors) == 1;
  stijl_css_matcher_destroy(m);
  stijl_css_destroy(css);
  return found;
}

static void check_matches(stijl_css_document *d, const char *selector, bool expected) {
  for (int engine = 0; engine < 2; engine++)
    if (matches(d, selector, (stijl_css_engine)engine) != expected)
      sj_test_fail(__FILE__, __LINE__, "%s, engine %d: expected %d", selector, engine, expected);
}

TEST(long_lists) {
  stijl_css_document *d;
  CHECK(stijl_css_document_create(NULL, false, NULL, &d) == STIJL_OK);
  stijl_css_document_begin(d, NULL, "a");
  char name[16], value[1200] = "";
  for (int i = 0; i < 40; i++) {
    snprintf(name, sizeof name, "a%d", i * 17 % 40);
    snprintf(value, sizeof value, "Value %d", i * 17 % 40);
    stijl_css_document_attribute(d, i == 5 ? "urn:x" : NULL, name, value);
    if (i % 10 == 3) stijl_css_document_attribute(d, "urn:x", name, "other");
  }
  value[0] = 0;
  for (int i = 0; i < 200; i++) sprintf(value + strlen(value), "c%d ", i * 71 % 200);
  stijl_css_document_attribute(d, NULL, "class", value);
  stijl_css_document_end(d);
  CHECK(stijl_css_document_finish(d, NULL) == STIJL_OK);
  for (int i = 0; i < 40; i++) {
    char selector[100];
    snprintf(selector, sizeof selector, "[a%d=\"Value %d\"]", i, i);
    check_matches(d, selector, i != 5 * 17 % 40);  // which is in a namespace
    snprintf(selector, sizeof selector, "[*|a%d*=\"vALUE %d\" i]", i, i);
    check_matches(d, selector, true);
    snprintf(selector, sizeof selector, "[a%d*=\"vALUE\"]", i);
    check_matches(d, selector, false);
  }
  check_matches(d, "[a40]", false);
  check_matches(d, "[*|a11=other]", true);  // 3 * 17 % 40
  check_matches(d, "[a11=other]", false);
  check_matches(d, "[a11='value 11' i].c0.c199.c71", true);
  check_matches(d, ".c200", false);
  CHECK(stijl_css_document_set_attribute(d, 0, "a10", NULL) == STIJL_OK);
  CHECK(stijl_css_document_set_attribute(d, 0, "new", "THING") == STIJL_OK);
  CHECK(stijl_css_document_set_attribute(d, 0, "a12", "changed") == STIJL_OK);
  check_matches(d, "[a10]", false);
  check_matches(d, "[a9][a11][a12=changed][new*=hin i]", true);
  check_matches(d, "[new*=hin]", false);
  stijl_css_document_destroy(d);
}

// --- imports ---

typedef struct imports {
  char asked[400];
  const char *text;
} imports;

// Gives the same text for every sheet, under the name it is asked for.
static stijl_result import_same(void *user, const char *importer, const char *url, char **name, char **text,
                                size_t *bytes) {
  imports *i = user;
  (void)importer;
  size_t length = strlen(i->asked);
  snprintf(i->asked + length, sizeof i->asked - length, "%s ", url);
  *name = strdup(url);
  *text = strdup(i->text);
  *bytes = strlen(i->text);
  return STIJL_OK;
}

static void free_block(void *user, void *block) {
  (void)user;
  free(block);
}

TEST(imports_in_circles) {
  imports i = {.text = "@import 'sheet'; @import 'b'; a { } "};
  stijl_css_params params = STIJL_CSS_PARAMS_INIT;
  params.import = import_same;
  params.free_text = free_block;
  params.user = &i;
  stijl_message message = {""};
  stijl_css *css = parse_with(&params, i.text, strlen(i.text), &message);
  CHECK_STR(message.text, "");
  CHECK_INT(stijl_css_selector_count(css), 2);  // of "sheet" and of "b"
  CHECK_STR(i.asked, "sheet b sheet b ");
  stijl_css_destroy(css);
}

// --- hostile sheets ---

static char *repeat(const char *before, const char *unit, size_t count, const char *after, size_t *bytes) {
  size_t unit_length = strlen(unit), b = strlen(before), a = strlen(after);
  *bytes = b + unit_length * count + a;
  char *out = malloc(*bytes + 1);
  if (!out) return NULL;
  memcpy(out, before, b);
  for (size_t i = 0; i < count; i++) memcpy(out + b + i * unit_length, unit, unit_length);
  memcpy(out + b + unit_length * count, after, a + 1);
  return out;
}

static void check_limit(const char *before, const char *unit, size_t count, const char *after, const char *name) {
  size_t bytes;
  char *sheet = repeat(before, unit, count, after, &bytes);
  stijl_message message = {""};
  stijl_css *css = parse_with(NULL, sheet, bytes, &message);
  if (css || !strstr(message.text, name)) sj_test_fail(__FILE__, __LINE__, "%s...: \"%s\"", unit, message.text);
  stijl_css_destroy(css);
  free(sheet);
}

TEST(limits) {
  static char close[10004];
  memset(close, ')', 10000);
  strcpy(close + 10000, "{ }");
  check_limit("", ":is(", 10000, close, "max_nesting");
  check_limit("", ":not(", 10000, close, "max_nesting");
  check_limit("", "a { ", 10000, "", "max_nesting");
  check_limit("", "@media all { ", 10000, "", "max_nesting");
  check_limit("", "&{&:hover,", 10000, "", "max_nesting");
  check_limit("a", ",a", 5000000, "{ }", "max_selectors");
  // A selector that is too long is left out, as CSS does with what is not supported, and the sheet goes on.
  size_t bytes;
  char *sheet = repeat("", "a ", 10000, ", b { } c { }", &bytes);
  CHECK_STR(selectors_of(sheet), "c");
  free(sheet);
  sheet = repeat(":is(", "a ", 257, ", b) { } c { }", &bytes);
  stijl_css *css = parse_with(NULL, sheet, bytes, NULL);
  CHECK_INT(stijl_css_selector_count(css), 2);
  stijl_css_destroy(css);
  free(sheet);
  sheet = repeat("b:lang(en", ", de", 256, ") { } c { }", &bytes);
  CHECK_STR(selectors_of(sheet), "c");
  free(sheet);
  // Depth that costs nothing is no error.
  sheet = repeat("a { x: ", "(", 1000000, "", &bytes);
  css = parse_with(NULL, sheet, bytes, NULL);
  CHECK_INT(stijl_css_selector_count(css), 1);
  stijl_css_destroy(css);
  free(sheet);
}

// Selectors that take exponential time when tried out: both engines give an answer or a clear error.
TEST(exponential) {
  stijl_css_document *d;
  CHECK(stijl_css_document_create(NULL, true, NULL, &d) == STIJL_OK);
  for (int i = 0; i < 40; i++) stijl_css_document_begin(d, HTML, "div");
  for (int i = 0; i < 40; i++) stijl_css_document_end(d);
  CHECK(stijl_css_document_finish(d, NULL) == STIJL_OK);
  static const char *const units[][3] = {
      {"a,b{", "& &,&>&{", "}"}, {"", ":is(div ", ")"}, {"", ":not(div ", ")"}, {"a{", ":is(&,& div)&{", "}"}};
  for (size_t k = 0; k < 4; k++) {
    size_t bytes;
    int depth = k == 3 ? 25 : 40;
    char *sheet = repeat(units[k][0], units[k][1], (size_t)depth, k == 1 || k == 2 ? " p" : "", &bytes);
    char *whole = malloc(bytes + 200);
    strcpy(whole, sheet);
    for (int i = 0; i < depth; i++) strcat(whole, units[k][2]);
    strcat(whole, k == 1 || k == 2 ? " { }" : "}");
    stijl_message message;
    stijl_css *css = parse_with(NULL, whole, strlen(whole), &message);
    if (!css) sj_test_fail(__FILE__, __LINE__, "%s", message.text);
    stijl_css_matcher *m = NULL;
    CHECK(css && stijl_css_selector_count(css) > 0);
    CHECK(stijl_css_matcher_create(css, d, NULL, &m, NULL) == STIJL_OK);
    CHECK(stijl_css_match(m, NULL) == STIJL_OK);
    stijl_css_matcher_destroy(m);
    stijl_css_destroy(css);
    free(whole);
    free(sheet);
  }
  stijl_css_document_destroy(d);
}

// What Chromium 156 applies to which elements of
// <html><body><div id=a1 class=a><p id=p1 class=x><b id=b1></b></p><div id=l1 class=l><p id=p2 class=x></p>
// <div id=a2 class=a><p id=p3 class=x></p><div id=l2 class=l><p id=p4></p></div></div></div><p id=p5 class=x></p></div>
// <p id=p6 class=x></p></body></html>
typedef struct node {
  int close;
  const char *name, *id, *class_;
} node;

static stijl_css_document *scope_document(void) {
  static const node nodes[] = {{0, "html", "html", ""}, {0, "body", "body", ""}, {0, "div", "a1", "a"},
                               {0, "p", "p1", "x"},     {0, "b", "b1", ""},      {2, "div", "l1", "l"},
                               {0, "p", "p2", "x"},     {1, "div", "a2", "a"},   {0, "p", "p3", "x"},
                               {1, "div", "l2", "l"},   {0, "p", "p4", ""},      {4, "p", "p5", "x"},
                               {2, "p", "p6", "x"}};
  stijl_css_document *d;
  if (stijl_css_document_create(NULL, true, NULL, &d)) return NULL;
  for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
    for (int k = 0; k < nodes[i].close; k++) stijl_css_document_end(d);
    stijl_css_document_begin(d, HTML, nodes[i].name);
    stijl_css_document_attribute(d, NULL, "id", nodes[i].id);
    stijl_css_document_attribute(d, NULL, "class", nodes[i].class_);
  }
  for (int k = 0; k < 3; k++) stijl_css_document_end(d);
  CHECK(stijl_css_document_finish(d, NULL) == STIJL_OK);
  return d;
}

// Writes the ids of the elements that rules apply to, rule by rule: "p1 p2|a1".
static void scope_matches(stijl_css_document *d, const char *sheet, stijl_css_engine engine, char *out, size_t room) {
  stijl_css *css = parse_with(NULL, sheet, strlen(sheet), NULL);
  stijl_css_matcher_params params = STIJL_CSS_MATCHER_PARAMS_INIT;
  params.engine = engine;
  stijl_css_matcher *m = NULL;
  out[0] = 0;
  CHECK(css && stijl_css_matcher_create(css, d, &params, &m, NULL) == STIJL_OK && stijl_css_match(m, NULL) == STIJL_OK);
  size_t length = 0, count = stijl_css_selector_count(css);
  for (size_t s = 0; m && s < count; s++) {
    stijl_css_selector selector = STIJL_CSS_SELECTOR_INIT, before = STIJL_CSS_SELECTOR_INIT;
    stijl_css_selector_get(css, s, &selector);
    if (s) stijl_css_selector_get(css, s - 1, &before);
    if (s && before.rule != selector.rule) length += (size_t)snprintf(out + length, room - length, "|");
    bool first = length == 0 || out[length - 1] == '|';
    for (uint32_t e = 0; e < stijl_css_document_elements(d); e++) {
      const uint32_t *matched;
      size_t matches = stijl_css_matches(m, e, &matched), i = 0;
      while (i < matches && matched[i] != s) i++;
      if (i == matches) continue;
      length += (size_t)snprintf(out + length, room - length, "%s%s", first ? "" : " ",
                                 stijl_css_document_get_attribute(d, e, "id"));
      first = false;
    }
  }
  stijl_css_matcher_destroy(m);
  stijl_css_destroy(css);
}

TEST(scope) {
  static const char *const cases[][2] = {
      {"@scope (.a) { .x { } .a { } :scope { } & { } > .x { } :scope > .x { } * .x { } body .x { } }",
       "p1 p2 p3 p5|a2|a1 a2|a1 a2|p1 p3 p5|p1 p3 p5|p2 p3|"},
      {"@scope (.a) to (.l) { .x { } .l { } .a { } * { } }", "p1 p3 p5|||p1 b1 p3 p5"},
      {"@scope (.a) to (> .l) { .x { } * { } }", "p1 p3 p5|p1 b1 p3 p5"},
      {"@scope (.a) to (:scope > .l) { .x { } * { } }", "p1 p3 p5|p1 b1 p3 p5"},
      {"@scope (.a) { top: 0; }", "a1 a2"},
      {"@scope (.a, :bad) { .x { } } @scope (.a) to (:bad) { .x { } } @scope (.a::before) { .x { } }", ""},
      {"@scope () { .x { } } @scope (.a) to () { .x { } } @scope foo { .x { } } @scope (.a) foo { .x { } }", ""},
      {"@scope (.l) { @scope (.a) { .x { } } @scope (:scope > .a) { .x { } } @scope (> .a) { .x { } } }", "p3|p3|p3"},
      {"@scope (.a) to (.l) { @scope (.l) { .x { } } @scope(.x) { b { } } }", "|b1"},
      {".l { @scope (& > .a) { .x { } & { } } } .l { @scope (> .a) { .x { } } }", "l1 l2|p3|a2|l1 l2|p3"},
      {".l { @scope (.a) { .x { } } } .a { @scope (.l) { .x { } :scope { } } }", "l1 l2|p3|a1 a2|p2 p3|l1 l2"},
      {"@scope (.a) { .x { & b { } :scope & { } } }", "p1 p2 p3 p5|b1|p1 p2 p3 p5"},
      {"@scope (.a) to (.a) { * { } :scope > .l { } .a { } :scope .x { } }",
       "p1 b1 l1 p2 p3 l2 p4 p5|l1 l2||p1 p2 p3 p5"},
      {"@scope (.a) { :scope + .x { } :is(:scope, p) { } :scope:has(.x) { } } @scope (#a1) { :not(:scope, p) { } }",
       "|a1 p1 p2 a2 p3 p4 p5|a1 a2|b1 l1 a2 l2"},
      {"@scope (.a) { + .x { } ~ .x { } .x + .l { } .x:not(:scope) { } }", "||l1 l2|p1 p2 p3 p5"},
      {"@scope (.l) to (p) { * { } .a { .x { } & + p { } } }", "a2 l2|a2||"},
      {"@scope (.a) to (.x) { p { } b { } :scope { } .l, .l p { } }", "p4||a1 a2|l1 l2 p4"},
      {"@scope (.a) { .x, :scope { } @media all { .x { } } @layer q { .l { } } }",
       "p1 p2 p3 p5 a1 a2|p1 p2 p3 p5|l1 l2"}};
  stijl_css_document *d = scope_document();
  for (size_t i = 0; d && i < sizeof cases / sizeof *cases; i++) {
    char matches[2][512];
    scope_matches(d, cases[i][0], STIJL_CSS_ENGINE_REFERENCE, matches[0], sizeof matches[0]);
    scope_matches(d, cases[i][0], STIJL_CSS_ENGINE_CPU, matches[1], sizeof matches[1]);
    if (strcmp(matches[0], cases[i][1]) != 0)
      sj_test_fail(__FILE__, __LINE__, "%s: \"%s\", not \"%s\"", cases[i][0], matches[0], cases[i][1]);
    CHECK_STR(matches[1], matches[0]);
  }
  stijl_css_document_destroy(d);
  // Where the root is not told, nothing applies; :scope weighs as much as a class, & nothing.
  CHECK_STR(selectors_of("@scope { a { } } @scope to (b) { a { } } b { }"), "(a)|(a)|b");
  CHECK_STR(selectors_of("@scope (a) { top: 0; b { } } @scope (p) to (q) { c { } }"), "a|b|c");
}
