// Reads XML with expat and records it as a document.
#include <string.h>

#include "base/budget.h"
#include "base/expat.h"
#include "css/document.h"

// Steps of the budget.
#define WORK_A_BYTE 20

typedef struct reader {
  stijl_css_document *document;
  sj_expat expat;
} reader;

static void stop_on_failure(const reader *r) {
  if (r->document->status) XML_StopParser(r->expat.xml, XML_FALSE);
}

static void XMLCALL begin(void *user, const XML_Char *name, const XML_Char **list) {
  const reader *r = user;
  const char *local;
  size_t space = sj_expat_split(name, &local);
  sj_dom_begin(r->document, name, space, local, strlen(local));
  for (size_t i = 0; list[i]; i += 2) {
    space = sj_expat_split(list[i], &local);
    sj_dom_attribute(r->document, list[i], space, local, strlen(local), list[i + 1], strlen(list[i + 1]));
  }
  stop_on_failure(r);
}

static void XMLCALL end(void *user, const XML_Char *name) {
  const reader *r = user;
  (void)name;
  stijl_css_document_end(r->document);
  stop_on_failure(r);
}

static void XMLCALL text_found(void *user, const XML_Char *data, int length) {
  const reader *r = user;
  (void)data;
  if (length > 0) stijl_css_document_text(r->document);
}

static stijl_result feed(reader *r, const char *text, size_t bytes, stijl_message *message) {
  const stijl_css_limits *limits = &r->document->limits;
  double deadline = sj_css_seconds() + limits->max_seconds;
  do {
    size_t piece = bytes < r->expat.piece ? bytes : r->expat.piece;
    // What made recording stop is told by finish.
    if (!sj_expat_feed(&r->expat, text, piece, piece == bytes))
      return r->document->status ? STIJL_OK : sj_expat_error(&r->expat, message);
    if (sj_css_seconds() > deadline || !sj_context_check(r->document->context, (uint64_t)piece * WORK_A_BYTE))
      return sj_fail(message, STIJL_ERROR_LIMIT, "reading the document took longer than max_seconds (%g)",
                     limits->max_seconds);
    text += piece;
    bytes -= piece;
  } while (bytes);
  return STIJL_OK;
}

stijl_result stijl_css_document_parse_xml(stijl_context *context, const char *text, size_t bytes,
                                          const stijl_css_limits *limits, stijl_css_document **out,
                                          stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!out || (!text && bytes)) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no document");
  *out = NULL;
  sj_budget_add_input(sj_budget_of(sj_context(context)), bytes);
  stijl_css_document *d;
  stijl_result result = stijl_css_document_create(context, false, limits, &d);
  if (result) return sj_fail(message, result, "%s", stijl_result_string(result));
  reader r = {.document = d};
  if (bytes > d->limits.max_bytes) {
    result = sj_fail(message, STIJL_ERROR_LIMIT, "the document is larger than max_bytes (%llu)",
                     (unsigned long long)d->limits.max_bytes);
  } else if (!sj_expat_open(&r.expat, d->context)) {
    result = sj_fail_memory(message);
  } else {
    XML_SetUserData(r.expat.xml, &r);
    XML_SetElementHandler(r.expat.xml, begin, end);
    XML_SetCharacterDataHandler(r.expat.xml, text_found);
    result = feed(&r, text ? text : "", bytes, message);
    sj_expat_close(&r.expat);
  }
  if (!result) result = stijl_css_document_finish(d, message);
  result = sj_budget_result(sj_budget_of(d->context), result, message);
  if (result)
    stijl_css_document_destroy(d);
  else
    *out = d;
  return result;
}
