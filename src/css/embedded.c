#include "css/embedded.h"

#include <string.h>

#include "base/ascii.h"
#include "base/budget.h"
#include "css/condition.h"
#include "css/import.h"
#include "markup/namespaces.h"

// --- what a document holds and names ---

// Takes over `sheet`, whose strings are NULL where memory was short; `needed` tells of which.
static void note(stijl_css_document *d, sj_dom_sheet *sheet, bool good) {
  if (good && !d->status && sj_array_push(d->context, &d->sheets, *sheet)) return;
  sj_dom_sheet_finish(d->context, sheet);
  sj_dom_fail(d, STIJL_ERROR_OUT_OF_MEMORY);
}

static bool copy(stijl_context *context, const sj_string *from, char **out) {
  if (from) *out = sj_strndup(context, from->text, from->length);
  return !from || *out;
}

static bool is_css(const char *type, size_t length) {
  return !length || (length == 8 && sj_equal_ignoring_case(type, "text/css", 8));
}

static bool is_element(const stijl_css_document *d, uint32_t element, const char *space, const char *name) {
  const sj_string *s = sj_dom_string(d, d->space.data[element]), *n = sj_dom_string(d, d->name.data[element]);
  return strcmp(n->text, name) == 0 && strcmp(s->text, space) == 0;
}

// Returns whether the word is one of those that blanks separate.
static bool has_word(const sj_string *list, const char *word) {
  size_t length = strlen(word), at = 0;
  while (list && at < list->length) {
    size_t start = at;
    while (at < list->length && !sj_is_space(list->text[at])) at++;
    if (at - start == length && sj_equal_ignoring_case(list->text + start, word, length)) return true;
    at++;
  }
  return false;
}

void sj_css_note_link(stijl_css_document *d, uint32_t element, uint32_t line) {
  if (d->status || element >= d->count || !is_element(d, element, SJ_SPACE_HTML, "link")) return;
  const sj_string *rel = sj_dom_get(d, element, "rel"), *href = sj_dom_get(d, element, "href");
  const sj_string *type = sj_dom_get(d, element, "type");
  if (!href || !href->length || !has_word(rel, "stylesheet") || (type && !is_css(type->text, type->length))) return;
  sj_dom_sheet sheet = {.line = line};
  sheet.applies = !has_word(rel, "alternate") && !sj_dom_get(d, element, "disabled");
  bool good = copy(d->context, href, &sheet.href);
  good = good && copy(d->context, sj_dom_get(d, element, "media"), &sheet.media);
  note(d, &sheet, good);
}

bool sj_css_is_style(const stijl_css_document *d, uint32_t element) {
  if (d->status || element >= d->count) return false;
  if (!is_element(d, element, SJ_SPACE_HTML, "style") && !is_element(d, element, SJ_SPACE_SVG, "style")) return false;
  const sj_string *type = sj_dom_get(d, element, "type");
  return !type || is_css(type->text, type->length);
}

void sj_css_note_style(stijl_css_document *d, uint32_t element, const char *text, size_t bytes, uint32_t line) {
  sj_dom_sheet sheet = {.bytes = bytes, .line = line, .applies = true};
  sheet.text = sj_strndup(d->context, text, bytes);
  note(d, &sheet, sheet.text && copy(d->context, sj_dom_get(d, element, "media"), &sheet.media));
}

// Decodes the references that a pseudo-attribute may contain, in place.
static void resolve_references(char *text) {
  static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
  char *out = text;
  for (const char *in = text; *in; out++) {
    size_t i = 0;
    while (i < 5 && strncmp(in, names[i], strlen(names[i])) != 0) i++;
    *out = i < 5 ? "&<>\"'"[i] : *in;
    in += i < 5 ? strlen(names[i]) : 1;
  }
  *out = 0;
}

bool sj_css_pseudo_attribute(stijl_context *context, const char *data, size_t length, const char *name, char **value) {
  const char *at = data, *end = at + length;
  while (at < end) {
    while (at < end && sj_is_space(*at)) at++;
    const char *start = at;
    while (at < end && *at != '=' && !sj_is_space(*at)) at++;
    bool found = (size_t)(at - start) == strlen(name) && memcmp(start, name, strlen(name)) == 0;
    while (at < end && sj_is_space(*at)) at++;
    if (at == end || *at++ != '=') return true;
    while (at < end && sj_is_space(*at)) at++;
    if (at == end || (*at != '"' && *at != '\'')) return true;
    const char quote = *at++;
    start = at;
    while (at < end && *at != quote) at++;
    if (at == end) return true;
    if (found) {
      *value = sj_strndup(context, start, (size_t)(at - start));
      if (*value) resolve_references(*value);
      return *value;
    }
    at++;
  }
  return true;
}

void sj_css_note_instruction(stijl_css_document *d, const char *data, uint32_t line) {
  size_t length = strlen(data);
  char *type = NULL, *alternate = NULL;
  sj_dom_sheet sheet = {.line = line};
  bool good = sj_css_pseudo_attribute(d->context, data, length, "href", &sheet.href) &&
              sj_css_pseudo_attribute(d->context, data, length, "media", &sheet.media) &&
              sj_css_pseudo_attribute(d->context, data, length, "type", &type) &&
              sj_css_pseudo_attribute(d->context, data, length, "alternate", &alternate);
  sheet.applies = !alternate || strcmp(alternate, "yes") != 0;
  // A reference to a part of the document itself is that of an element, which is a sheet already.
  bool wanted = good && sheet.href && *sheet.href && *sheet.href != '#' && (!type || is_css(type, strlen(type)));
  if (wanted || !good)
    note(d, &sheet, good);
  else
    sj_dom_sheet_finish(d->context, &sheet);
  sj_free(d->context, type);
  sj_free(d->context, alternate);
}

// --- adding them ---

static stijl_result add_one(stijl_css *css, const sj_dom_sheet *sheet, const sj_css_sheet_place *page,
                            stijl_message *message) {
  const char *media = sheet->media ? sheet->media : "";
  bool active =
      sheet->applies && sj_css_media_matches(sj_budget_of(css->context), &css->params.medium, media, 0, strlen(media));
  if (sheet->href) return sj_css_add_linked(css, sheet->href, sheet->line, active, page, message);
  sj_css_sheet_place place = *page;
  place.active = active;
  place.line = sheet->line;
  return sj_css_sheet_parse(css, sheet->text, sheet->bytes, STIJL_CSS_ORIGIN_AUTHOR, &place, message);
}

stijl_result stijl_css_add_document_sheets(stijl_css *css, const stijl_css_document *document, const char *name,
                                           stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!css || !document) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no style sheets, or no document");
  if (atomic_load(&css->matchers) || css->status)
    return sj_fail(message, STIJL_ERROR_INVALID_STATE, "%s",
                   css->status ? "an earlier sheet failed" : "a matcher is using the sheets");
  sj_css_sheet_place page = {
      .active = true, .decoded = true, .embedded = true, .source = SJ_CSS_NONE, .name = name ? name : ""};
  stijl_result result = STIJL_OK;
  for (size_t i = 0; i < document->sheets.count && !result; i++)
    result = add_one(css, &document->sheets.data[i], &page, message);
  css->status = sj_budget_result(sj_budget_of(css->context), result, message);
  return css->status;
}

size_t stijl_css_document_sheets(const stijl_css_document *document) { return document ? document->sheets.count : 0; }
