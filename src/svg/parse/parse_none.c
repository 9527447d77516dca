// Replaces parse.c where the library is built without expat (-Dsvg=disabled).
#include "svg/parse/document.h"

stijl_result sj_document_parse(sj_document *document, stijl_context *context, const void *data, size_t bytes,
                               const stijl_svg_limits *limits, stijl_message *message) {
  (void)data, (void)bytes, (void)limits;
  *document = (sj_document){.context = context};
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "this build of stijl reads no SVG (no expat)");
}
