// Style sheets of SVG documents: the cascade of what elements share, variables, linked and imported sheets, and sheets
// that ask for much more than they are long.
#include <stdlib.h>
#include <unistd.h>

#include "svg_draw.h"
#include "test.h"

#define RECT "<rect width='64' height='64'/>"
#define CHECK_FILL(style, body, expected) CHECK_PIXEL(SVG("<style>" style "</style>" body), 32, 32, expected)

TEST(shared_rules) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_FILL("rect { fill: red; fill: green }", RECT, GREEN);
  CHECK_FILL("rect { fill: green; fill: nonsense(1) }", RECT, GREEN);
  CHECK_FILL("g, rect, rect { fill: green } g { fill: red }", "<g>" RECT "</g>", GREEN);
  // A rule ranks by the highest of its selectors that apply.
  CHECK_FILL("rect, g rect { fill: green } rect { fill: red }", "<g>" RECT "</g>", GREEN);
  CHECK_FILL("rect { fill: red } rect { fill: green }", RECT RECT, GREEN);
  CHECK_FILL("rect { fill: green !important }", "<rect fill='red' style='fill:blue' width='64' height='64'/>", GREEN);
  CHECK_FILL("rect { fill: red !important }", "<rect style='fill:green!important' width='64' height='64'/>", GREEN);
  CHECK_FILL("rect { fill: green }", "<rect fill='red' width='64' height='64'/>", GREEN);
  // Repeated declarations, of which more than a few are looked for: the last counts.
  static char text[20000], *at = text;
  at += sprintf(at, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><style>rect{");
  for (int i = 0; i < 300; i++) at += sprintf(at, "fill:%s;width:64px;", i % 2 ? "green" : "red");
  sprintf(at, "}</style><rect height='64'/></svg>");
  CHECK_PIXEL(text, 32, 32, GREEN);
}

TEST(variables) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_FILL("svg { --c: green } rect { fill: var(--c, red) }", RECT, GREEN);
  CHECK_FILL("svg { --c: red } g { --c: green } rect { fill: var(--c) }", "<g>" RECT "</g>", GREEN);
  // The same rule, seen from elements with different properties.
  CHECK_FILL("rect { fill: var(--c, red) }", RECT "<g style='--c:green'>" RECT "</g>", GREEN);
  CHECK_FILL("rect { fill: var(--c, green) }", "<g style='--c:red'>" RECT "</g>" RECT, GREEN);
  CHECK_FILL("svg { --a: var(--b); --b: green } g { --b: red } rect { fill: var(--a) }", "<g>" RECT "</g>", GREEN);
  CHECK_FILL("rect { --c: green !important; --c: red; fill: var(--c) }",
             "<rect style='--c:blue' width='64' height='64'/>", GREEN);
  CHECK_FILL("", "<g style='--c:green'><rect fill='var(--c)' width='64' height='64'/></g>", GREEN);
  CHECK_FILL("g { fill: green } rect { fill: red; fill: var(--none) }", "<g>" RECT "</g>", GREEN);
}

// Media queries ask about the viewport that the document gives itself.
TEST(media_queries) {
  if (!have_svg()) SKIP("built without SVG");
#define MEDIA(root, query)                                                                                         \
  "<svg xmlns='http://www.w3.org/2000/svg' " root "><style>@media " query " { rect { fill: green } }</style>" RECT \
  "</svg>"
  CHECK_PIXEL(MEDIA("width='64' height='64'", "(max-width: 64px)"), 32, 32, GREEN);
  CHECK_PIXEL(MEDIA("width='64' height='64'", "(min-width: 65px)"), 32, 32, BLACK);
  CHECK_PIXEL(MEDIA("viewBox='0 0 64 128'", "(width: 64px) and (height: 128px)"), 8, 16, GREEN);
  CHECK_PIXEL(MEDIA("viewBox='0 0 64 64' width='50%' height='1in'", "(width: 96px)"), 32, 32, GREEN);
  CHECK_PIXEL(MEDIA("viewBox='0 0 64 64' width='-1' height='0'", "(max-width: 64px)"), 32, 32, 0);
  CHECK_PIXEL(MEDIA("width='64' height='64'", "(orientation: landscape), (prefers-color-scheme: light)"), 32, 32,
              GREEN);
  CHECK_PIXEL(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><style media='(max-width: 100px)'>"
      "rect { fill: green }</style>" RECT "</svg>",
      32, 32, GREEN);
}

// A style element of HTML is a style sheet wherever it stands.
TEST(style_elements_of_html) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_PIXEL(SVG("<defs><style xmlns='http://www.w3.org/1999/xhtml'>rect { fill: green }</style></defs>" RECT), 32, 32,
              GREEN);
  CHECK_PIXEL(
      SVG("<h:p xmlns:h='http://www.w3.org/1999/xhtml'><h:style media='print'>rect { fill: red }</h:style></h:p>" RECT),
      32, 32, BLACK);
  CHECK_PIXEL(SVG("<style xmlns='urn:other'>rect { fill: red }</style>" RECT), 32, 32, BLACK);
}

TEST(attributes) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_FILL("[width='64'][height=\"64\"] { fill: green }", RECT, GREEN);
  CHECK_FILL("[width='6'] { fill: red } :not([width='640']) { fill: green }", RECT, GREEN);
  CHECK_FILL("[data-k~=b][data-k^='A' i] { fill: green }", "<g data-k='a b'>" RECT "</g>", GREEN);
  CHECK_FILL("rect { fill: red } [id] { fill: green }", "<rect id='' width='64' height='64'/>", GREEN);
  // Names of other namespaces than SVG's are known by their address.
  CHECK_FILL("@namespace i url(urn:i); [i|label=a] { fill: green }", "<g xmlns:x='urn:i' x:label='a'>" RECT "</g>",
             GREEN);
  CHECK_FILL("@namespace i url(urn:i); [i|label=a] { fill: red }", "<g xmlns:x='urn:j' x:label='a'>" RECT "</g>",
             BLACK);
  CHECK_FILL("@namespace i url(urn:i); i|a + rect { fill: green }", "<x:a xmlns:x='urn:i'/>" RECT, GREEN);
}

typedef struct counting {
  size_t held, most;
} counting;

static void *count_bytes(void *user, void *ptr, size_t bytes) {
  counting *c = user;
  size_t *block = ptr ? (size_t *)ptr - 2 : NULL;
  c->held -= block ? *block : 0;
  if (!bytes) {
    free(block);
    return NULL;
  }
  block = realloc(block, bytes + 2 * sizeof *block);
  if (!block) abort();
  *block = bytes;
  c->held += bytes;
  if (c->most < c->held) c->most = c->held;
  return block + 2;
}

// Returns the bytes that loading takes at most.
static size_t bytes_to_load(const char *text) {
  counting c = {0};
  stijl_context_params params = STIJL_CONTEXT_PARAMS_INIT;
  params.reallocate = count_bytes;
  params.user = &c;
  stijl_context *context;
  stijl_svg *svg;
  stijl_message message;
  CHECK_INT(stijl_context_create(&params, &context), STIJL_OK);
  c.most = 0;
  CHECK_INT(stijl_svg_load(context, text, strlen(text), NULL, &svg, &message), STIJL_OK);
  stijl_svg_destroy(svg);
  stijl_context_destroy(context);
  return c.most;
}

// Selectors are matched on the tree that is drawn. A copy of it would take more than a hundred bytes an element, and
// its attributes' values, which no selector here compares, ten times as many.
TEST(one_tree) {
  if (!have_svg()) SKIP("built without SVG");
  enum { ELEMENTS = 2000, BYTES = 600 };
  char *text = malloc(ELEMENTS * BYTES + 1000), *at = text, *sheet;
  at += sprintf(at, "<svg xmlns='http://www.w3.org/2000/svg'>");
  sheet = at;
  at += sprintf(at, "%-60s<defs>", "<style>rect.a { fill: red }</style>");
  for (int i = 0; i < ELEMENTS; i++) {
    at += sprintf(at, "<rect");
    for (int k = 0; k < 20; k++) at += sprintf(at, " data-%d='%d,%d'", k, i, k);
    at += sprintf(at, "/>");
  }
  sprintf(at, "</defs></svg>");
  size_t with = bytes_to_load(text);
  memset(sheet, ' ', strlen("<style>rect.a { fill: red }</style>"));
  size_t without = bytes_to_load(text);
  if (with > without + ELEMENTS * 160)
    sj_test_fail(__FILE__, __LINE__, "%.1f bytes an element, %.1f without a sheet", (double)with / ELEMENTS,
                 (double)without / ELEMENTS);
  free(text);
}

// Checks the colour of the pixel in the middle, and that `warnings` were logged.
static void check_document(const char *prolog, const char *style, bool folder, uint32_t expected, int warnings) {
  char text[2000];
  snprintf(text, sizeof text,
           "%s<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><style>%s</style>" RECT "</svg>", prolog,
           style);
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.base_folder = folder ? in_folder("docs") : NULL;
  static drawn d;
  draw_svg(text, &params, &d);
  if (d.result) sj_test_fail(__FILE__, __LINE__, "%s %s: %s", prolog, style, d.message.text);
  if (pixel(&d, 32, 32) != expected || d.warnings != warnings)
    sj_test_fail(__FILE__, __LINE__, "%s %s: %08x, %d warnings: %s", prolog, style, pixel(&d, 32, 32), d.warnings,
                 d.warning);
}

TEST(linked_and_imported) {
  if (!have_svg()) SKIP("built without SVG");
  if (!make_folder()) SKIP("no files can be made in /tmp");
  write_file("out.css", "rect { fill: red }");
  write_file("docs/green.css", "rect { fill: green }");
  write_file("docs/a & b.css", "rect { fill: green }");
  write_file("docs/sub/far.css", "@import '../green.css'; @import 'near.css';");
  write_file("docs/sub/near.css", "@import 'far.css'; rect { stroke: red }");
  write_file("docs/sub/out.css", "@import '../../out.css'; rect { fill: blue }");
  check_document("", "@import 'green.css';", true, GREEN, 0);
  check_document("", "@import url(green.css) print;", true, BLACK, 0);
  check_document("", "@import 'sub/far.css';", true, GREEN, 1);  // near imports far
  check_document("", "@import 'data:text/css,rect%20{fill:green}';", false, GREEN, 0);
  check_document("", "@import 'green.css';", false, BLACK, 1);
  check_document("", "@import '../out.css';", true, BLACK, 1);
  check_document("", "@import 'sub/out.css';", true, BLUE, 1);
  check_document("", "@import 'http://127.0.0.1/x.css';", true, BLACK, 1);
  check_document("<?xml-stylesheet href='green.css' type='text/css'?>", "", true, GREEN, 0);
  check_document("<?xml-stylesheet type = \"text/css\" href = \"green.css\"?>", "", true, GREEN, 0);
  check_document("<?xml-stylesheet href='a &amp; b.css'?>", "", true, GREEN, 0);
  check_document("<?xml-stylesheet href='green.css'?>", "rect { fill: blue }", true, BLUE, 0);
  check_document("<?xml-stylesheet href='green.css' media='print'?>", "", true, BLACK, 0);
  check_document("<?xml-stylesheet href='green.css' alternate='yes'?>", "", true, BLACK, 0);
  check_document("<?xml-stylesheet href='green.css' type='text/xsl'?>", "", true, BLACK, 1);
  check_document("<?xml-stylesheet href='../out.css'?>", "", true, BLACK, 1);
  check_document("<?xml-stylesheet href='green.css'?>", "", false, BLACK, 1);
  check_document("<?xml-stylesheet href='none.css'?><?other?><?xml-stylesheet broken?>", "", true, BLACK, 1);
  remove_folder();
}

// --- memory ---

typedef struct account {
  size_t held, most;
} account;

static void *count_memory(void *user, void *ptr, size_t bytes) {
  account *a = user;
  size_t *block = ptr ? (size_t *)ptr - 2 : NULL;
  if (block) a->held -= *block;
  if (!bytes) {
    free(block);
    return NULL;
  }
  block = realloc(block, bytes + 2 * sizeof *block);
  if (!block) return NULL;
  *block = bytes;
  a->held += bytes;
  if (a->held > a->most) a->most = a->held;
  return block + 2;
}

static size_t memory_for(int selectors, int declarations, int elements) {
  size_t room = (size_t)selectors * 2 + (size_t)declarations * 20 + (size_t)elements * 4 + 300;
  char *text = malloc(room), *at = text;
  at += sprintf(at, "<svg xmlns='http://www.w3.org/2000/svg'><style>*");
  for (int i = 0; i < selectors; i++) at += sprintf(at, ",*");
  at += sprintf(at, "{");
  for (int i = 0; i < declarations; i++) at += sprintf(at, "x:%dpx;", i);
  at += sprintf(at, "}</style>");
  for (int i = 0; i < elements; i++) at += sprintf(at, "<g/>");
  at += sprintf(at, "</svg>");
  account a = {0};
  stijl_context_params params = STIJL_CONTEXT_PARAMS_INIT;
  params.reallocate = count_memory;
  params.user = &a;
  stijl_context *context;
  stijl_svg *svg = NULL;
  CHECK(stijl_context_create(&params, &context) == STIJL_OK);
  stijl_message message = {""};
  if (stijl_svg_load(context, text, (size_t)(at - text), NULL, &svg, &message))
    sj_test_fail(__FILE__, __LINE__, "%s", message.text);
  stijl_svg_destroy(svg);
  stijl_context_destroy(context);
  CHECK_INT(a.held, 0);
  free(text);
  return a.most;
}

TEST(rules_times_elements_take_no_memory) {
  if (!have_svg()) SKIP("built without SVG");
  size_t one = memory_for(1, 1, 5000), selectors = memory_for(5000, 1, 5000), declarations = memory_for(1, 5000, 5000);
  // The product would be 25 million.
  CHECK(one < ((size_t)8 << 20));
  CHECK(selectors < one + ((size_t)4 << 20));
  CHECK(declarations < one + ((size_t)4 << 20));
}
