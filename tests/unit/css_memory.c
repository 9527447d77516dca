// Each allocation in turn fails, and everything after it: an error, nothing leaked, nothing crashed.
#include "allocator.h"
#include "gpu/device.h"

static const char sheet[] =
    "@charset \"iso-8859-2\"; @layer a.b; @namespace s \"urn:s\"; a, .x > #i ~ b { --c: red; &:hover { top: 0 } left: "
    "1px } :is(a b, c) d {} "
    ":nth-child(2 of .x, a b) {} s|p:not(.x, :has(> q)) {} [t=\"\\41 b\" i] {} @media (width > 1px) { a { } } "
    ":lang(de) {} @scope (.x, b) to (d) { c {} top: 0; :scope {} }";
static const char page[] =
    "<!doctype html><meta charset=windows-1252><link rel=stylesheet href=nowhere.css media=print><html lang=de><style "
    "media=screen>a, .q { } .q { }</style><body class='x y'><a id=i "
    "t=Ab></a><b><c><d></d></c></b><form>"
    "<input type=radio name=n checked><select><option></select></form></body>";
static const char xml[] =
    "<?xml version='1.0' encoding='koi8-r'?><?xml-stylesheet href='&lt;nowhere' media='print'?><a xmlns='urn:s' "
    "class='x'>"
    "<style xmlns='http://www.w3.org/2000/svg'>a, .q { }<![CDATA[.q { }]]></style><p t='1'/><b id='i'>x</b></a>";

static bool ignore(void *user, const void *data, size_t bytes) {
  *(size_t *)user += data ? bytes : 0;
  return true;
}

// Leaves out every second selector.
static stijl_result prune(const stijl_css *css) {
  unsigned char keep[64];
  size_t written = 0;
  stijl_result result = STIJL_OK;
  CHECK(stijl_css_selector_count(css) < sizeof keep);
  for (size_t i = 0; i < sizeof keep; i++) keep[i] = i % 2;
  for (size_t i = 0; i < stijl_css_sheet_count(css) && !result; i++)
    result = stijl_css_prune(css, i, keep, ignore, &written, NULL);
  return result;
}

static stijl_result run(stijl_context *context, bool html, int engine) {
  stijl_css *css = NULL;
  stijl_css_document *d = NULL;
  stijl_css_matcher *m = NULL;
  stijl_css_matcher_params params = STIJL_CSS_MATCHER_PARAMS_INIT;
  params.engine = (stijl_css_engine)engine;
  params.threads = 1;
  stijl_renderer_params device = sj_test_gpu_params();
  params.device = device.device;
  params.device_name = device.device_name;
  stijl_css_params sheets = STIJL_CSS_PARAMS_INIT;
  sheets.files = STIJL_CSS_FILES_BELOW;
  stijl_result result = stijl_css_create(context, &sheets, &css);
  if (!result) result = stijl_css_add(css, sheet, sizeof sheet - 1, "s", STIJL_CSS_ORIGIN_AUTHOR, NULL);
  if (!result)
    result = html ? stijl_css_document_parse_html(context, page, sizeof page - 1, NULL, &d, NULL)
                  : stijl_css_document_parse_xml(context, xml, sizeof xml - 1, NULL, &d, NULL);
  if (!result) result = stijl_css_add_document_sheets(css, d, "page", NULL);
  if (!result) result = prune(css);
  if (!result) result = stijl_css_matcher_create(css, d, &params, &m, NULL);
  if (!result) result = stijl_css_match(m, NULL);
  if (!result) result = stijl_css_document_set_attribute(d, 1, "class", "z x");
  if (!result) result = stijl_css_rematch(m, NULL);
  stijl_css_matcher_destroy(m);
  stijl_css_document_destroy(d);
  stijl_css_destroy(css);
  return result;
}

TEST(every_allocation) {
  int tried = 0, kinds = getenv("STIJL_TEST_DEVICE") ? 5 : 4;  // the last: XML, on that device
  for (int kind = 0; kind < kinds; kind++) {
    for (int n = 0;; n++, tried++) {
      sj_test_allocator a = {.refused = LONG_MAX, .forever = true};
      stijl_context *context = sj_test_context(&a);
      a.refused = a.requests + n;
      stijl_result result = run(context, kind & 1, kind >> 1);
      stijl_context_destroy(context);
      if (a.live != 0)
        sj_test_fail(__FILE__, __LINE__, "kind %d, allocation %d: %ld blocks leaked", kind, n, (long)a.live);
      if (result == STIJL_OK || result == STIJL_ERROR_UNSUPPORTED) break;
      if (result != STIJL_ERROR_OUT_OF_MEMORY)
        sj_test_fail(__FILE__, __LINE__, "allocation %d: result %d", n, (int)result);
      if (sj_test_failed()) return;
    }
  }
  CHECK(tried > 100);
}
