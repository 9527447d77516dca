#include "css/document.h"

stijl_result stijl_css_document_parse_html(stijl_context *context, const char *text, size_t bytes,
                                           const stijl_css_limits *limits, stijl_css_document **out,
                                           stijl_message *message) {
  if (out) *out = NULL;
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "this build reads no HTML (it lacks gumbo)");
}
