// A build without PDF.
#include "base/context.h"
#include "stijl/export.h"

static stijl_result refuse(stijl_message *message) {
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "this build cannot write PDF: it has no cairo");
}

stijl_result stijl_pdf_create(stijl_context *context, const stijl_pdf_params *params,
                              bool (*write)(void *user, const void *data, size_t bytes), void *user, stijl_pdf **out,
                              stijl_message *message) {
  if (out) *out = NULL;
  return refuse(message);
}

stijl_result stijl_pdf_add_page(stijl_pdf *pdf, const stijl_scene *scene, const stijl_page *page,
                                stijl_message *message) {
  return refuse(message);
}

stijl_result stijl_pdf_finish(stijl_pdf *pdf, stijl_message *message) { return refuse(message); }

void stijl_pdf_destroy(stijl_pdf *pdf) {}
