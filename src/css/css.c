// The public functions of style sheets.
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/params.h"
#include "css/sheet.h"

stijl_result stijl_css_create(stijl_context *context, const stijl_css_params *params, stijl_css **out) {
  if (!out) return STIJL_ERROR_INVALID_ARGUMENT;
  *out = NULL;
  params = SJ_PARAMS(stijl_css_params, STIJL_CSS_PARAMS_INIT, params, NULL);
  if (!params || !params->medium.type || isnan(params->limits.max_seconds)) return STIJL_ERROR_INVALID_ARGUMENT;
  context = sj_context(context);
  stijl_css *css = sj_alloc_zero(context, sizeof *css);
  if (!css) return STIJL_ERROR_OUT_OF_MEMORY;
  css->context = context;
  css->params = *params;
  css->params.medium.type = sj_strndup(context, params->medium.type, strlen(params->medium.type));
  if (!sj_css_program_init(&css->program, context) || !css->params.medium.type) {
    stijl_css_destroy(css);
    return STIJL_ERROR_OUT_OF_MEMORY;
  }
  *out = css;
  return STIJL_OK;
}

void stijl_css_destroy(stijl_css *css) {
  if (!css) return;
  sj_css_devices_close(&css->devices);
  char *type;
  memcpy(&type, &css->params.medium.type, sizeof type);
  sj_free(css->context, type);
  sj_css_program_finish(&css->program);
  sj_free(css->context, css);
}

static stijl_result add(stijl_css *css, const char *text, size_t bytes, const char *name, stijl_css_origin origin,
                        bool decoded, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!css || (!text && bytes) || (unsigned)origin > STIJL_CSS_ORIGIN_AUTHOR)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no sheet, or an unknown origin");
  if (atomic_load(&css->matchers) || css->status)
    return sj_fail(message, STIJL_ERROR_INVALID_STATE, "%s",
                   css->status ? "an earlier sheet failed" : "a matcher is using the sheets");
  sj_css_sheet_place place = {.active = true, .decoded = decoded, .name = name ? name : ""};
  stijl_result result = sj_css_sheet_parse(css, text, bytes, origin, &place, message);
  css->status = sj_budget_result(sj_budget_of(css->context), result, message);
  return css->status;
}

stijl_result stijl_css_add(stijl_css *css, const char *text, size_t bytes, const char *name, stijl_css_origin origin,
                           stijl_message *message) {
  stijl_budget *budget = css ? sj_budget_of(css->context) : NULL;
  sj_budget_enter(budget);
  sj_budget_add_input(budget, bytes);
  stijl_result result = add(css, text, bytes, name, origin, false, message);
  sj_budget_leave(budget);
  return result;
}

stijl_result sj_css_add_embedded(stijl_css *css, const char *text, size_t bytes, const char *name, bool decoded,
                                 stijl_message *message) {
  return add(css, text, bytes, name, STIJL_CSS_ORIGIN_AUTHOR, decoded, message);
}

size_t stijl_css_sheet_count(const stijl_css *css) { return css ? css->program.sources.count : 0; }

void stijl_css_sheet_get(const stijl_css *css, size_t index, stijl_css_sheet *out) {
  if (!out) return;
  stijl_css_sheet found = STIJL_CSS_SHEET_INIT;
  if (index < stijl_css_sheet_count(css)) {
    const sj_css_source *source = &css->program.sources.data[index];
    found.name = source->name;
    found.root = source->root;
    found.text = source->text;
    found.bytes = source->bytes;
    found.importer = source->importer;
    found.line = source->line;
    found.embedded = source->embedded;
  }
  SJ_WRITE(stijl_css_sheet, out, &found);
}

size_t stijl_css_selector_count(const stijl_css *css) { return css ? css->program.selectors.count : 0; }

void stijl_css_selector_get(const stijl_css *css, size_t index, stijl_css_selector *out) {
  if (!out) return;
  stijl_css_selector none = {.size = sizeof none, .sheet = "", .text = ""};
  SJ_WRITE(stijl_css_selector, out, &none);
  if (index >= stijl_css_selector_count(css)) return;
  const sj_css_program *g = &css->program;
  const sj_css_selector *selector = &g->selectors.data[index];
  const sj_css_rule *rule = &g->rules.data[selector->rule];
  const sj_css_source *source = &g->sources.data[rule->source];
  stijl_css_selector found = {.size = sizeof found,
                              .sheet = source->name,
                              .sheet_index = rule->source,
                              .line = selector->line,
                              .rule = selector->rule,
                              .text = source->text + selector->start,
                              .length = selector->length,
                              .specificity = g->complexes.data[selector->complex].specificity,
                              .active = rule->active,
                              .pseudo_element = selector->part != SJ_CSS_PART_NONE,
                              .continuation = (selector->flags & SJ_CSS_SELECTOR_CONTINUATION) != 0};
  SJ_WRITE(stijl_css_selector, out, &found);
}

// Returns the rule of a selector, or NULL for one that is not there.
static const sj_css_rule *rule_of(const stijl_css *css, size_t selector) {
  if (selector >= stijl_css_selector_count(css)) return NULL;
  return &css->program.rules.data[css->program.selectors.data[selector].rule];
}

size_t stijl_css_declaration_count(const stijl_css *css, size_t selector) {
  const sj_css_rule *rule = rule_of(css, selector);
  return rule ? rule->declaration_count : 0;
}

void stijl_css_declaration_get(const stijl_css *css, size_t selector, size_t index, stijl_css_declaration *out) {
  if (!out) return;
  stijl_css_declaration none = {.size = sizeof none, .name = "", .value = ""};
  SJ_WRITE(stijl_css_declaration, out, &none);
  const sj_css_rule *rule = rule_of(css, selector);
  if (!rule || index >= rule->declaration_count) return;
  const char *text = css->program.sources.data[rule->source].text;
  const sj_css_declaration *d = &css->program.declarations.data[rule->first_declaration + index];
  stijl_css_declaration found = {.size = sizeof found,
                                 .name = text + d->name_start,
                                 .value = text + d->value_start,
                                 .name_length = d->name_length,
                                 .value_length = d->value_length,
                                 .important = d->important};
  SJ_WRITE(stijl_css_declaration, out, &found);
}
