// Reads XML with expat and records it as a document.
#include <string.h>

#include "css/clock.h"
#include "css/embedded.h"
#include "markup/expat.h"

// Steps of the budget.
#define WORK_A_BYTE 20

typedef struct reader {
  stijl_css_document *document;
  sj_expat expat;
  uint32_t style;  // the <style> element that is open; SJ_NO_NODE
  uint32_t line;   // where its text begins
  SJ_ARRAY(char) text;
  sj_css_clock clock;
} reader;

static void stop_on_failure(const reader *r) {
  if (r->document->status) XML_StopParser(r->expat.xml, XML_FALSE);
}

static uint32_t line_of(const reader *r) { return (uint32_t)XML_GetCurrentLineNumber(r->expat.xml); }

static void XMLCALL begin(void *user, const XML_Char *name, const XML_Char **list) {
  reader *r = user;
  const char *local;
  size_t space = sj_expat_split(name, &local);
  sj_dom_begin(r->document, name, space, local, strlen(local));
  for (size_t i = 0; list[i]; i += 2) {
    space = sj_expat_split(list[i], &local);
    sj_dom_attribute(r->document, list[i], space, local, strlen(local), list[i + 1], strlen(list[i + 1]));
  }
  if (!r->document->count) {  // memory is short
    stop_on_failure(r);
    return;
  }
  sj_css_note_link(r->document, r->document->count - 1, line_of(r));
  if (r->style == SJ_NO_NODE && sj_css_is_style(r->document, r->document->count - 1)) {
    r->style = r->document->count - 1;
    r->text.count = 0;
  }
  stop_on_failure(r);
}

static void XMLCALL instruction(void *user, const XML_Char *target, const XML_Char *data) {
  reader *r = user;
  if (strcmp(target, "xml-stylesheet") == 0) sj_css_note_instruction(r->document, data, line_of(r));
  stop_on_failure(r);
}

static void XMLCALL end(void *user, const XML_Char *name) {
  reader *r = user;
  (void)name;
  if (r->style != SJ_NO_NODE && r->document->open == r->style) {
    if (r->text.count) sj_css_note_style(r->document, r->style, r->text.data, r->text.count, r->line);
    r->style = SJ_NO_NODE;
  }
  stijl_css_document_end(r->document);
  stop_on_failure(r);
}

static void XMLCALL text_found(void *user, const XML_Char *data, int length) {
  reader *r = user;
  if (length <= 0) return;
  stijl_css_document_text(r->document);
  if (r->style == SJ_NO_NODE || r->document->open != r->style || r->document->status) return;
  if (!sj_array_reserve(r->document->context, &r->text, (size_t)length)) {
    sj_dom_fail(r->document, STIJL_ERROR_OUT_OF_MEMORY);
    stop_on_failure(r);
    return;
  }
  if (!r->text.count) r->line = line_of(r);
  memcpy(r->text.data + r->text.count, data, (size_t)length);
  r->text.count += (size_t)length;
}

static stijl_result feed(reader *r, const char *text, size_t bytes, stijl_message *message) {
  do {
    size_t piece = bytes < r->expat.piece ? bytes : r->expat.piece;
    // What made recording stop is told by finish.
    if (!sj_expat_feed(&r->expat, text, piece, piece == bytes))
      return r->document->status ? STIJL_OK : sj_expat_error(&r->expat, message);
    if (!sj_css_clock_check(&r->clock, (uint64_t)piece * WORK_A_BYTE))
      return sj_css_clock_fail(&r->clock, "reading the document", message);
    text += piece;
    bytes -= piece;
  } while (bytes);
  return STIJL_OK;
}

static stijl_result parse(stijl_context *context, const char *text, size_t bytes, const stijl_css_limits *limits,
                          stijl_css_document **out, stijl_message *message) {
  stijl_css_document *d;
  stijl_result result = stijl_css_document_create(context, false, limits, &d);
  if (result) return sj_fail(message, result, "%s", stijl_result_string(result));
  reader r = {.document = d, .style = SJ_NO_NODE};
  if (bytes > d->limits.max_bytes) {
    result = sj_fail(message, STIJL_ERROR_LIMIT, "the document is larger than max_bytes (%llu)",
                     (unsigned long long)d->limits.max_bytes);
  } else if (!sj_css_clock_begin(&r.clock, d->context, d->limits.max_seconds) || !sj_expat_open(&r.expat, d->context)) {
    result = sj_fail_memory(message);
  } else {
    XML_SetUserData(r.expat.xml, &r);
    XML_SetElementHandler(r.expat.xml, begin, end);
    XML_SetCharacterDataHandler(r.expat.xml, text_found);
    XML_SetProcessingInstructionHandler(r.expat.xml, instruction);
    result = feed(&r, text ? text : "", bytes, message);
    sj_expat_close(&r.expat);
  }
  sj_array_finish(d->context, &r.text);
  if (!result) result = stijl_css_document_finish(d, message);
  result = sj_budget_result(sj_budget_of(d->context), result, message);
  sj_css_clock_end(&r.clock);
  if (result)
    stijl_css_document_destroy(d);
  else
    *out = d;
  return result;
}

stijl_result stijl_css_document_parse_xml(stijl_context *context, const char *text, size_t bytes,
                                          const stijl_css_limits *limits, stijl_css_document **out,
                                          stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!out || (!text && bytes)) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no document");
  *out = NULL;
  stijl_budget *budget = sj_budget_of(sj_context(context));
  sj_budget_enter(budget);
  sj_budget_add_input(budget, bytes);
  stijl_result result = parse(context, text, bytes, limits, out, message);
  sj_budget_leave(budget);
  return result;
}
