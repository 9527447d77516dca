// Matches style sheets against documents.
#include "web.h"

// Makes a style sheet for a medium, whose type is `type`, NUL-terminated.
stijl_css *WEB(css_create)(const char *type, double width, double height, double resolution, int dark,
                           int reduced_motion, int more_contrast, int hover, int all_media, int may_match) {
  stijl_css_params params = STIJL_CSS_PARAMS_INIT;
  params.medium = (stijl_css_medium){type, width, height, resolution, dark, reduced_motion, more_contrast, hover};
  params.all_media = all_media;
  params.may_match = may_match;
  stijl_css *css = NULL;
  web_result = stijl_css_create(web_context, &params, &css);
  web_error.text[0] = 0;
  return css;
}
void WEB(css_destroy)(stijl_css *css) { stijl_css_destroy(css); }
int WEB(css_add)(stijl_css *css, const char *text, size_t bytes, const char *name, int origin) {
  return (int)stijl_css_add(css, text, bytes, name, (stijl_css_origin)origin, &web_error);
}
size_t WEB(css_count)(const stijl_css *css) { return stijl_css_selector_count(css); }
// Leaves in web_scratch: address and length of the text; address of the sheet's name; line, rule, specificity; flags: 1
// active, 2 pseudo-element, 4 continuation.
void WEB(css_selector)(const stijl_css *css, size_t index) {
  stijl_css_selector s = STIJL_CSS_SELECTOR_INIT;
  stijl_css_selector_get(css, index, &s);
  uint32_t *out = web_scratch(7 * sizeof *out);
  if (!out) return;
  const uint32_t values[7] = {(uint32_t)(uintptr_t)s.text,
                              (uint32_t)s.length,
                              (uint32_t)(uintptr_t)s.sheet,
                              s.line,
                              s.rule,
                              s.specificity,
                              (uint32_t)s.active | (uint32_t)s.pseudo_element << 1 | (uint32_t)s.continuation << 2};
  for (int i = 0; i < 7; i++) out[i] = values[i];
}
size_t WEB(css_declaration_count)(const stijl_css *css, size_t selector) {
  return stijl_css_declaration_count(css, selector);
}
// Leaves in web_scratch: address and length of the name, of the value; 1 for !important.
void WEB(css_declaration)(const stijl_css *css, size_t selector, size_t index) {
  stijl_css_declaration d = STIJL_CSS_DECLARATION_INIT;
  stijl_css_declaration_get(css, selector, index, &d);
  uint32_t *out = web_scratch(5 * sizeof *out);
  if (!out) return;
  const uint32_t values[5] = {(uint32_t)(uintptr_t)d.name, (uint32_t)d.name_length, (uint32_t)(uintptr_t)d.value,
                              (uint32_t)d.value_length, d.important};
  for (int i = 0; i < 5; i++) out[i] = values[i];
}

stijl_css_document *WEB(document_parse)(const char *text, size_t bytes, int html) {
  stijl_css_document *document = NULL;
  web_result = html ? stijl_css_document_parse_html(web_context, text, bytes, NULL, &document, &web_error)
                    : stijl_css_document_parse_xml(web_context, text, bytes, NULL, &document, &web_error);
  return document;
}
stijl_css_document *WEB(document_create)(int html) {
  stijl_css_document *document = NULL;
  web_result = stijl_css_document_create(web_context, html, NULL, &document);
  web_error.text[0] = 0;
  return document;
}
void WEB(document_begin)(stijl_css_document *document, const char *space, const char *name) {
  stijl_css_document_begin(document, space, name);
}
void WEB(document_attribute)(stijl_css_document *document, const char *space, const char *name, const char *value) {
  stijl_css_document_attribute(document, space, name, value);
}
void WEB(document_text)(stijl_css_document *document) { stijl_css_document_text(document); }
void WEB(document_end)(stijl_css_document *document) { stijl_css_document_end(document); }
int WEB(document_finish)(stijl_css_document *document) { return (int)stijl_css_document_finish(document, &web_error); }
void WEB(document_destroy)(stijl_css_document *document) { stijl_css_document_destroy(document); }
uint32_t WEB(document_count)(const stijl_css_document *document) { return stijl_css_document_elements(document); }
uint32_t WEB(document_parent)(const stijl_css_document *document, uint32_t element) {
  return stijl_css_document_parent(document, element);
}
const char *WEB(document_name)(const stijl_css_document *document, uint32_t element) {
  return stijl_css_document_name(document, element);
}
const char *WEB(document_get_attribute)(const stijl_css_document *document, uint32_t element, const char *name) {
  return stijl_css_document_get_attribute(document, element, name);
}
int WEB(document_set_attribute)(stijl_css_document *document, uint32_t element, const char *name, const char *value) {
  web_error.text[0] = 0;
  return (int)stijl_css_document_set_attribute(document, element, name, value);
}
int WEB(document_set_state)(stijl_css_document *document, uint32_t element, uint32_t bit, int on) {
  web_error.text[0] = 0;
  return (int)stijl_css_document_set_state(document, element, (uint64_t)1 << (bit & 63), on);
}

stijl_css_matcher *WEB(matcher_create)(const stijl_css *css, stijl_css_document *document, int threads) {
  stijl_css_matcher_params params = STIJL_CSS_MATCHER_PARAMS_INIT;
  params.threads = threads;
  stijl_css_matcher *matcher = NULL;
  web_result = stijl_css_matcher_create(css, document, &params, &matcher, &web_error);
  return matcher;
}
void WEB(matcher_destroy)(stijl_css_matcher *matcher) { stijl_css_matcher_destroy(matcher); }
int WEB(match)(stijl_css_matcher *matcher, int again) {
  return (int)(again ? stijl_css_rematch(matcher, &web_error) : stijl_css_match(matcher, &web_error));
}
// Leaves in web_scratch the addresses of the offsets and of the selectors. Returns how many selectors there are.
size_t WEB(matches)(const stijl_css_matcher *matcher) {
  const uint32_t *offsets, *selectors;
  size_t count = stijl_css_matches_all(matcher, &offsets, &selectors);
  uint32_t *out = web_scratch(2 * sizeof *out);
  if (!out) return 0;
  out[0] = (uint32_t)(uintptr_t)offsets;
  out[1] = (uint32_t)(uintptr_t)selectors;
  return count;
}
