#include "svg/sheets.h"

#include <string.h>

#include "css/condition.h"
#include "css/document.h"
#include "css/variables.h"
#include "svg/values.h"

// Declarations of all elements together.
#define MAX_DECLARED ((size_t)1 << 27)

typedef struct custom_property {
  const char *name, *value;
  size_t name_length, length;
} custom_property;

typedef struct sheets {
  sj_document *document;
  const stijl_svg_limits *limits;
  stijl_message *message;
  stijl_css *css;
  stijl_css_document *tree;
  stijl_css_matcher *matcher;
  SJ_ARRAY(sj_declared) declared;  // the new ones
  SJ_ARRAY(custom_property) customs;
  SJ_ARRAY(uint32_t) first_custom;  // per element that was done, and one behind
  sj_text_buffer buffer;
  bool memory;  // was short
} sheets;

// --- the sheets ---

static const sj_attribute *plain_attribute(const sj_document *document, const sj_node *node, const char *name) {
  for (uint32_t i = 0; i < node->attribute_count; i++) {
    const sj_attribute *a = &document->attributes.data[node->first_attribute + i];
    if (a->namespace_ == SJ_NAMESPACE_NONE && strcmp(a->local, name) == 0) return a;
  }
  return NULL;
}

static bool is_style_sheet(const sj_document *document, const sj_node *node) {
  if (node->element != SJ_ELEMENT_STYLE) return false;
  const sj_attribute *type = plain_attribute(document, node, "type");
  const sj_attribute *media = plain_attribute(document, node, "media");
  if (type && type->length && !sj_is_keyword(type->value, type->length, "text/css")) return false;
  const stijl_css_medium medium = STIJL_CSS_MEDIUM_INIT;
  return !media || sj_css_media_matches(&medium, media->value, 0, media->length);
}

static stijl_result add_sheets(sheets *s, const char *sheet) {
  const sj_document *document = s->document;
  stijl_css_params params = STIJL_CSS_PARAMS_INIT;
  params.limits.max_bytes = s->limits->max_bytes;
  params.limits.max_seconds = s->limits->max_seconds;
  stijl_result result = stijl_css_create(document->context, &params, &s->css);
  if (result) return sj_fail_memory(s->message);
  if (sheet) result = stijl_css_add(s->css, sheet, strlen(sheet), "style sheet", STIJL_CSS_ORIGIN_AUTHOR, s->message);
  size_t text = 0;
  for (size_t e = 0; e < document->nodes.count && !result; e++) {
    if (!is_style_sheet(document, &document->nodes.data[e])) continue;
    // Texts are in document order; those of one element need not be in one piece.
    while (text < document->texts.count && document->texts.data[text].before <= e) text++;
    s->buffer.count = 0;
    for (size_t t = text; t < document->texts.count && document->texts.data[t].before <= document->nodes.data[e].end;
         t++) {
      const sj_text *piece = &document->texts.data[t];
      if (piece->parent != e || piece->length == 0) continue;
      if (!sj_array_reserve(document->context, &s->buffer, piece->length)) return sj_fail_memory(s->message);
      memcpy(s->buffer.data + s->buffer.count, piece->data, piece->length);
      s->buffer.count += piece->length;
    }
    result = stijl_css_add(s->css, s->buffer.data ? s->buffer.data : "", s->buffer.count, "<style>",
                           STIJL_CSS_ORIGIN_AUTHOR, s->message);
  }
  return result;
}

// --- the tree ---

static const char *address_of(uint16_t space) {
  switch ((sj_namespace)space) {
    case SJ_NAMESPACE_SVG: return "http://www.w3.org/2000/svg";
    case SJ_NAMESPACE_XLINK: return "http://www.w3.org/1999/xlink";
    case SJ_NAMESPACE_XML: return "http://www.w3.org/XML/1998/namespace";
    case SJ_NAMESPACE_OTHER: return "urn:other";
    default: return "";
  }
}

static stijl_result make_tree(sheets *s) {
  const sj_document *document = s->document;
  stijl_css_limits limits = STIJL_CSS_LIMITS_INIT;
  limits.max_seconds = s->limits->max_seconds;
  if (stijl_css_document_create(document->context, false, &limits, &s->tree)) return sj_fail_memory(s->message);
  uint32_t open = SJ_NO_ELEMENT;
  for (uint32_t e = 0; e < document->nodes.count; e++) {
    const sj_node *node = &document->nodes.data[e];
    for (; open != node->parent && open != SJ_NO_ELEMENT; open = document->nodes.data[open].parent)
      stijl_css_document_end(s->tree);
    open = e;
    stijl_css_document_begin(s->tree, address_of(node->namespace_), node->local);
    for (uint32_t i = 0; i < node->attribute_count; i++) {
      const sj_attribute *a = &document->attributes.data[node->first_attribute + i];
      const char *space = address_of(a->namespace_);
      sj_css_document_attribute(s->tree, space, strlen(space), a->local, strlen(a->local), a->value, a->length);
    }
  }
  for (; open != SJ_NO_ELEMENT; open = document->nodes.data[open].parent) stijl_css_document_end(s->tree);
  for (size_t i = 0; i < document->texts.count && !s->tree->status; i++)
    s->tree->flags.data[document->texts.data[i].parent] |= SJ_NODE_TEXT;
  return stijl_css_document_finish(s->tree, s->message);
}

// --- declarations ---

static bool look_up(void *user, uint32_t element, const char *name, size_t length, const char **value,
                    size_t *value_length, uint32_t *owner) {
  const sheets *s = user;
  for (uint32_t e = element; e != SJ_NO_ELEMENT; e = s->document->nodes.data[e].parent) {
    uint32_t first = s->first_custom.data[e];
    uint32_t end = e + 1 < s->first_custom.count ? s->first_custom.data[e + 1] : (uint32_t)s->customs.count;
    for (uint32_t i = end; i-- > first;) {
      const custom_property *c = &s->customs.data[i];
      if (c->name_length != length || memcmp(c->name, name, length) != 0) continue;
      *value = c->value;
      *value_length = c->length;
      *owner = e;
      return true;
    }
  }
  return false;
}

static void declare(sheets *s, sj_name name, bool important, const char *value, size_t length) {
  sj_declared d = {.name = (uint16_t)name, .important = important, .value = value, .length = length};
  if (s->declared.count >= MAX_DECLARED || !sj_array_push(s->document->context, &s->declared, d)) s->memory = true;
  if (name == SJ_PROPERTY_MIX_BLEND_MODE) s->document->has_blend = true;
}

static void take(sheets *s, const char *name, size_t name_length, const char *value, size_t length, bool important) {
  if (name_length > 2 && name[0] == '-' && name[1] == '-') {
    custom_property c = {name, value, name_length, length};
    if (!sj_array_push(s->document->context, &s->customs, c)) s->memory = true;
    return;
  }
  sj_name known = sj_property_find(name, name_length);
  if (known != SJ_NAME_UNKNOWN) declare(s, known, important, value, length);
}

static void take_rules(sheets *s, uint32_t e, bool important) {
  const uint32_t *selectors = NULL;
  size_t count = stijl_css_matches(s->matcher, e, &selectors);
  for (size_t i = 0; i < count; i++) {
    // Several selectors of one rule: the highest counts, but repeating changes nothing.
    size_t declarations = stijl_css_declaration_count(s->css, selectors[i]);
    for (size_t k = 0; k < declarations && !s->memory; k++) {
      stijl_css_declaration d = STIJL_CSS_DECLARATION_INIT;
      stijl_css_declaration_get(s->css, selectors[i], k, &d);
      if (d.important == important) take(s, d.name, d.name_length, d.value, d.value_length, important);
    }
  }
}

static void take_style(sheets *s, const sj_node *node, bool important) {
  const sj_attribute *style = plain_attribute(s->document, node, "style");
  if (!style) return;
  sj_declarations list = sj_declarations_begin(style->value, style->length);
  sj_declaration d;
  while (sj_declarations_next(&list, &d) && !s->memory)
    if (d.important == important) take(s, d.name, d.name_length, d.value, d.value_length, important);
}

// An invalid value is as `unset`.
static void replace_variables(sheets *s, uint32_t e, size_t first) {
  for (size_t i = first; i < s->declared.count && !s->memory; i++) {
    sj_declared *d = &s->declared.data[i];
    if (!sj_css_has_variables(d->value, d->length)) continue;
    s->buffer.count = 0;
    sj_css_substitution result =
        sj_css_substitute(s->document->context, look_up, s, e, d->value, d->length, &s->buffer);
    if (result == SJ_CSS_NO_MEMORY) s->memory = true;
    const char *text = s->buffer.data;
    size_t length = s->buffer.count;
    if (result == SJ_CSS_INVALID_VALUE) {
      d->value = "unset";
      d->length = 5;
      continue;
    }
    while (length && (*text == ' ' || *text == '\t' || *text == '\n' || *text == '\r')) text++, length--;
    d->value = sj_arena_text(&s->document->arena, text ? text : "", length);
    d->length = length;
    if (!d->value) s->memory = true;
  }
}

static void gather(sheets *s, uint32_t e) {
  sj_document *document = s->document;
  sj_node *node = &document->nodes.data[e];
  uint32_t first = (uint32_t)s->declared.count;
  if (!sj_array_push(document->context, &s->first_custom, (uint32_t)s->customs.count)) s->memory = true;
  if (node->namespace_ == SJ_NAMESPACE_SVG) {
    for (uint32_t i = 0; i < node->presentation_count && !s->memory; i++) {
      const sj_declared *d = &document->declared.data[node->first_declared + i];
      declare(s, (sj_name)d->name, false, d->value, d->length);
    }
    for (int important = 0; important < 2; important++) {
      take_rules(s, e, important);
      take_style(s, node, important);
    }
    replace_variables(s, e, first);
  }
  node->first_declared = first;
  node->declared_count = (uint32_t)s->declared.count - first;
}

static stijl_result apply(sheets *s, const char *sheet) {
  stijl_result result = add_sheets(s, sheet);
  if (!result) result = make_tree(s);
  stijl_css_matcher_params params = STIJL_CSS_MATCHER_PARAMS_INIT;
  params.threads = 1;
  if (!result) result = stijl_css_matcher_create(s->css, s->tree, &params, &s->matcher, s->message);
  if (!result) result = stijl_css_match(s->matcher, s->message);
  if (result) return result;
  double deadline = sj_seconds() + s->limits->max_seconds;
  for (uint32_t e = 0; e < s->document->nodes.count && !s->memory; e++) {
    gather(s, e);
    if (e % 256 == 255 && sj_seconds() > deadline)
      return sj_fail(s->message, STIJL_ERROR_LIMIT, "styling took longer than max_seconds (%g)",
                     s->limits->max_seconds);
  }
  return s->memory ? sj_fail_memory(s->message) : STIJL_OK;
}

stijl_result sj_document_apply_sheets(sj_document *document, const char *sheet, const stijl_svg_limits *limits,
                                      stijl_message *message) {
  bool needed = sheet && *sheet;
  for (size_t e = 0; e < document->nodes.count && !needed; e++)
    needed = document->nodes.data[e].element == SJ_ELEMENT_STYLE;
  for (size_t i = 0; i < document->declared.count && !needed; i++)
    needed = sj_css_has_variables(document->declared.data[i].value, document->declared.data[i].length);
  if (!needed) return STIJL_OK;
  sheets s = {.document = document, .limits = limits, .message = message};
  stijl_result result = apply(&s, sheet);
  stijl_context *context = document->context;
  if (!result) {
    sj_array_finish(context, &document->declared);
    document->declared.data = s.declared.data;
    document->declared.count = s.declared.count;
    document->declared.capacity = s.declared.capacity;
  } else {
    sj_array_finish(context, &s.declared);
  }
  stijl_css_matcher_destroy(s.matcher);
  stijl_css_document_destroy(s.tree);
  document->css = s.css;  // values lie in its texts
  sj_array_finish(context, &s.customs);
  sj_array_finish(context, &s.first_custom);
  sj_array_finish(context, &s.buffer);
  return result;
}
