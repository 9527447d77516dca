#include "svg/style/sheets.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "css/condition.h"
#include "css/embedded.h"
#include "css/sheet.h"
#include "css/variables.h"
#include "svg/style/handed.h"
#include "svg/parse/values.h"
#include "svg/style/cascade.h"
#include "svg/style/copies.h"
#include "svg/style/fetch.h"
#include "svg/style/html_sheet.h"

// How many pairs of elements and rules may match: far more than in any document that was not made to have many.
#define MAX_MATCHES ((uint64_t)1 << 24)

// The names of sheets that have no file.
static const char own_name[] = "<style>", given_name[] = "style sheet", html_name[] = "HTML";

typedef struct sheets {
  const sj_svg_options *options;
  stijl_css_medium medium;
  sj_document *document;
  stijl_message *message;
  stijl_css *css;
  sj_text_buffer buffer;
  bool warned;  // of a sheet of another type
} sheets;

// --- the sheets ---

// Finds what media queries ask about. The viewport is the document's by its attributes, since what style sheets say
// about its size may depend on the answer. If the attributes give no size, nothing is known about it.
static stijl_css_medium medium_of(const sj_document *document, const sj_svg_options *options) {
  stijl_css_medium medium = STIJL_CSS_MEDIUM_INIT;
  const sj_length_base base = {.font_size = 16.0f, .root_font_size = 16.0f, .dpi = options->dpi};
  double sides[2] = {0.0, 0.0};
  for (int axis = 0; axis < 2; axis++) {
    const sj_string *side = sj_document_attribute(document, 0, axis ? SJ_ATTRIBUTE_HEIGHT : SJ_ATTRIBUTE_WIDTH);
    sj_length length;
    if (side && sj_parse_length(side->text, side->length, &length) && length.unit != SJ_UNIT_PERCENT)
      sides[axis] = (double)sj_length_pixels(length, &base, 0.0f);
  }
  sj_view_box box;
  const sj_string *view_box = sj_document_attribute(document, 0, SJ_ATTRIBUTE_VIEW_BOX);
  if (view_box && sj_parse_view_box(view_box->text, view_box->length, &box) && box.width > 0.0f && box.height > 0.0f) {
    double ratio = (double)box.width / (double)box.height;
    if (!(sides[0] > 0.0)) sides[0] = sides[1] > 0.0 ? sides[1] * ratio : (double)box.width;
    if (!(sides[1] > 0.0)) sides[1] = sides[0] / ratio;
  }
  if (sides[0] > 0.0 && sides[1] > 0.0) {
    medium.width = sides[0];
    medium.height = sides[1];
  }
  return medium;
}

// Returns whether sheets of this type are read, and warns once of others.
static bool is_css(sheets *s, const char *type, size_t length) {
  if (!length || sj_is_keyword(type, length, "text/css")) return true;
  if (!s->warned)
    sj_log(s->document->context, STIJL_LOG_WARNING, "a style sheet of type \"%.*s\" is left out: only text/css is read",
           length < 60 ? (int)length : 60, type);
  s->warned = true;
  return false;
}

static bool is_style_sheet(sheets *s, uint32_t e) {
  const sj_document *document = s->document;
  if (document->nodes.data[e].element != SJ_ELEMENT_STYLE) return false;
  const sj_string *type = sj_dom_get(document->dom, e, "type");
  const sj_string *media = sj_dom_get(document->dom, e, "media");
  if (type && !is_css(s, type->text, type->length)) return false;
  return !media || sj_css_media_matches(sj_budget_of(document->context), &s->medium, media->text, 0, media->length);
}

// Adds the text of a style element as a sheet. Texts are in document order; *text moves on to the first that may be the
// element's.
static stijl_result add_style(sheets *s, uint32_t e, size_t *text) {
  const sj_document *document = s->document;
  const sj_text *texts = document->texts.data;
  while (*text < document->texts.count && texts[*text].before <= e) ++*text;
  s->buffer.count = 0;
  for (size_t t = *text; t < document->texts.count && texts[t].before <= document->dom->end.data[e]; t++) {
    if (texts[t].parent != e || texts[t].length == 0) continue;
    if (!sj_array_reserve(document->context, &s->buffer, texts[t].length)) return sj_fail_memory(s->message);
    memcpy(s->buffer.data + s->buffer.count, texts[t].data, texts[t].length);
    s->buffer.count += texts[t].length;
  }
  return sj_css_add_embedded(s->css, s->buffer.data ? s->buffer.data : "", s->buffer.count, own_name, true, s->message);
}

const char *sj_sheet_address(const char *name) {
  return strcmp(name, own_name) == 0 || strcmp(name, given_name) == 0 ? NULL : name;
}

// Reads a sheet for @import, by the rules for all files that a document refers to. The name of the sheet is its URL.
static stijl_result import(void *user, const char *importer, const char *url, char **name, char **text, size_t *bytes) {
  const sheets *s = user;
  stijl_context *context = s->document->context;
  bool whole = strncmp(url, "data:", 5) == 0 || strstr(url, "://");
  bool in_file = sj_sheet_address(importer) != NULL;
  if (in_file && !whole && strncmp(importer, "data:", 5) == 0) return STIJL_ERROR_REFUSED;
  *name = whole ? sj_strndup(context, url, strlen(url)) : sj_path_beside(context, in_file ? importer : "", url);
  if (!*name) return STIJL_ERROR_OUT_OF_MEMORY;
  sj_bytes sheet;
  stijl_result result = sj_fetch(context, s->options, *name, strlen(*name), &sheet, NULL);
  if (result) {
    sj_free(context, *name);
    return result;
  }
  *text = (char *)sheet.data;
  *bytes = sheet.count;
  return STIJL_OK;
}

static void free_text(void *user, void *block) {
  const sheets *s = user;
  sj_free(s->document->context, block);
}

// Does what sj_css_pseudo_attribute does, for the data of a link.
static bool pseudo_attribute(stijl_context *context, const sj_sheet_link *link, const char *name, char **value) {
  return sj_css_pseudo_attribute(context, link->text, link->length, name, value);
}

// Adds the sheet of <?xml-stylesheet href="..."?> ("Associating Style Sheets with XML documents 1.0").
static stijl_result add_link(sheets *s, const sj_sheet_link *link) {
  stijl_context *context = s->document->context;
  char *href = NULL, *type = NULL, *media = NULL, *alternate = NULL;
  bool good = pseudo_attribute(context, link, "href", &href) && pseudo_attribute(context, link, "type", &type) &&
              pseudo_attribute(context, link, "media", &media) &&
              pseudo_attribute(context, link, "alternate", &alternate);
  bool wanted = good && href && !(alternate && strcmp(alternate, "yes") == 0) &&
                (!type || is_css(s, type, strlen(type))) &&
                (!media || sj_css_media_matches(sj_budget_of(context), &s->medium, media, 0, strlen(media)));
  stijl_result result = good ? STIJL_OK : sj_fail_memory(s->message);
  if (wanted) {
    sj_bytes sheet;
    stijl_message why;
    result = sj_fetch(context, s->options, href, strlen(href), &sheet, &why);
    if (!result) {
      result = sj_css_add_embedded(s->css, (const char *)sheet.data, sheet.count, href, false, s->message);
      sj_free(context, sheet.data);
    } else if (!sj_context_check(context, 0)) {
      result = sj_budget_spent(s->message);
    } else if (result != STIJL_ERROR_OUT_OF_MEMORY) {
      sj_log(context, STIJL_LOG_WARNING, "the style sheet \"%.100s\" is left out: %s", href, why.text);
      result = STIJL_OK;
    } else {
      result = sj_fail_memory(s->message);
    }
  }
  sj_free(context, href);
  sj_free(context, type);
  sj_free(context, media);
  sj_free(context, alternate);
  return result;
}

// Lowers the limits to what is left of the budget.
static void bound(const stijl_context *context, stijl_css_limits *limits) {
  size_t memory = sj_budget_memory_left(context);
  if (limits->max_memory > memory) limits->max_memory = memory;
}

static stijl_result add_sheets(sheets *s, const char *sheet) {
  const sj_document *document = s->document;
  const stijl_svg_limits *limits = &s->options->limits;
  stijl_css_params params = STIJL_CSS_PARAMS_INIT;
  params.medium = s->medium;
  params.limits.max_bytes = limits->max_bytes;
  bound(document->context, &params.limits);
  params.limits.max_matches = MAX_MATCHES;
  params.pseudo_elements = document->has_html;
  params.import = import;
  params.free_text = free_text;
  params.user = s;
  stijl_result result = stijl_css_create(document->context, &params, &s->css);
  if (result) return sj_fail_memory(s->message);
  s->css->rules_only = true;
  if (document->has_html)
    result = stijl_css_add(s->css, sj_html_sheet(), strlen(sj_html_sheet()), html_name, STIJL_CSS_ORIGIN_USER_AGENT,
                           s->message);
  if (sheet && !result)
    result = stijl_css_add(s->css, sheet, strlen(sheet), given_name, STIJL_CSS_ORIGIN_AUTHOR, s->message);
  for (size_t i = 0; i < document->sheet_links.count && !result; i++)
    result = add_link(s, &document->sheet_links.data[i]);
  size_t text = 0;
  for (uint32_t e = 0; e < document->nodes.count && !result; e++)
    if (is_style_sheet(s, e)) result = add_style(s, e, &text);
  return result;
}

// Returns whether an attribute that holds declarations uses var().
static bool has_variables(const sj_document *document, uint32_t e) {
  const sj_dom *dom = document->dom;
  sj_pool_range range = dom->attributes.data[e];
  const sj_node_attribute *attributes = sj_array_at(&dom->attribute_pool, range.first);
  for (uint32_t i = 0; i < range.count; i++) {
    sj_name name = sj_document_attribute_name(document, &attributes[i]);
    const sj_string *value = sj_dom_string(dom, attributes[i].value);
    if ((name < SJ_PROPERTY_COUNT || name == SJ_ATTRIBUTE_STYLE) && sj_css_has_variables(value->text, value->length))
      return true;
  }
  return false;
}

// Returns whether elements of other files may use what this document declares, or was given.
static bool hands_over(const sj_document *document) {
  bool declares = document->given.length, shows = false;
  for (uint32_t e = 0; e < document->nodes.count && !(declares && shows); e++) {
    const sj_string *style = sj_document_attribute(document, e, SJ_ATTRIBUTE_STYLE);
    declares |= style && strstr(style->text, "--");
    shows |= sj_shows_file(document, e);
  }
  return declares && shows;
}

stijl_result sj_svg_match_sheets(sj_document *document, const sj_svg_options *options, const char *sheet,
                                 stijl_message *message) {
  stijl_context *context = document->context;
  bool needed = (sheet && *sheet) || document->sheet_links.count || document->has_html;
  for (uint32_t e = 0; e < document->nodes.count && !needed; e++) {
    needed = document->nodes.data[e].element == SJ_ELEMENT_STYLE || has_variables(document, e);
  }
  if (!needed && !hands_over(document)) return STIJL_OK;
  sheets s = {.options = options, .medium = medium_of(document, options), .document = document, .message = message};
  stijl_result result = add_sheets(&s, sheet);
  document->css = s.css;  // declarations point into its texts
  if (!result) result = stijl_css_document_finish(document->dom, message);
  stijl_css_matcher_params params = STIJL_CSS_MATCHER_PARAMS_INIT;
  params.threads = 1;
  if (!result) result = stijl_css_matcher_create(s.css, document->dom, &params, &document->matcher, message);
  if (!result) result = stijl_css_match(document->matcher, message);
  if (!result) result = sj_match_copies(document, message);
  sj_dom_end_matching(document->dom);
  sj_array_finish(context, &s.buffer);
  return result;
}

stijl_result sj_svg_apply_sheets(sj_document *document, sj_timeline *line, uint32_t max_elements,
                                 stijl_message *message) {
  stijl_result result = sj_document_cascade(document, document->css, document->matcher, line, max_elements, message);
  if (!result && document->css && line->unending && !isfinite(line->time)) {
    // Now it is known when the others end, and so how far those are that do not.
    line->time = line->end;
    document->declared.count = document->runs.count = 0;
    result = sj_document_cascade(document, document->css, document->matcher, line, max_elements, message);
  }
  return result;
}

bool sj_svg_has_keyframes(const sj_document *document) {
  return document->css && document->css->program.keyframes.count;
}

void sj_svg_end_matching(sj_document *document) {
  if (!document->matcher) return;  // and the browser's module need not load what destroys one
  stijl_css_matcher_destroy(document->matcher);
  document->matcher = NULL;
  sj_pairs_finish(document->context, &document->copy_matches);
  sj_pairs_finish(document->context, &document->copy_languages);
  sj_arrays_finish(document->context, &document->copy_offsets, &document->copy_selectors);
}
