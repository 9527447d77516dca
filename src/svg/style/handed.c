#include "svg/style/handed.h"

#include <string.h>

static bool append(stijl_context *context, sj_text_buffer *out, const char *text, size_t length) {
  if (!sj_array_reserve(context, out, length + 1)) return false;
  memcpy(out->data + out->count, text, length);
  out->count += length;
  return true;
}

// Appends a property's name and value, each with a zero behind it, if it has a value.
static sj_css_substitution add_property(sj_gatherer *c, uint32_t scope, const sj_string *name, sj_text_buffer *asked,
                                        sj_text_buffer *out) {
  stijl_context *context = c->document->context;
  const char *value;
  size_t length;
  asked->count = 0;
  if (!append(context, asked, "var(", 4) || !append(context, asked, name->text, name->length) ||
      !append(context, asked, ")", 1))
    return SJ_CSS_NO_MEMORY;
  sj_css_substitution found = sj_css_substitute(&c->variables, scope, asked->data, asked->count, &value, &length);
  if (found != SJ_CSS_SUBSTITUTED) return found;
  bool good = append(context, out, name->text, name->length + 1) && append(context, out, value, length) &&
              append(context, out, "", 1);
  return good ? SJ_CSS_SUBSTITUTED : SJ_CSS_NO_MEMORY;
}

// Lists all that the scope has, once.
static stijl_result list(sj_gatherer *c, uint32_t scope, uint32_t *index) {
  sj_document *document = c->document;
  sj_text_buffer asked = {0}, all = {0};
  sj_css_substitution found = SJ_CSS_SUBSTITUTED;
  size_t count = c->variables.names.strings.count;
  for (size_t i = SJ_ATOM_FIRST; i < count && found != SJ_CSS_NO_MEMORY && found != SJ_CSS_TOO_MUCH; i++)
    found = add_property(c, scope, &c->variables.names.strings.data[i], &asked, &all);
  const char *kept = sj_arena_text(&document->arena, all.data ? all.data : "", all.count);
  *index = (uint32_t)document->handed.count;
  bool good = found != SJ_CSS_NO_MEMORY && kept &&
              sj_array_push(document->context, &document->handed, ((sj_string){kept, (uint32_t)all.count, 0})) &&
              sj_pairs_add(document->context, &c->handed_scopes, scope, 0, *index);
  sj_arrays_finish(document->context, &asked, &all);
  if (!good) return sj_fail_memory(c->message);
  if (found == SJ_CSS_TOO_MUCH)
    return sj_fail(c->message, STIJL_ERROR_LIMIT, "the style sheets' variables become too long");
  return sj_context_check(document->context, count * SJ_WORK_NODE) ? STIJL_OK : sj_budget_spent(c->message);
}

stijl_result sj_hand_over(sj_gatherer *c, uint32_t copy, uint32_t use, uint32_t scope, bool *any) {
  sj_document *document = c->document;
  uint32_t index;
  if (!sj_pairs_find(&c->handed_scopes, scope, 0, &index)) {
    stijl_result result = list(c, scope, &index);
    if (result) return result;
  }
  *any = document->handed.data[index].length > 0;
  if (!*any || sj_pairs_add(document->context, &document->handers, copy, use, index)) return STIJL_OK;
  return sj_fail_memory(c->message);
}

bool sj_take_given(sj_gatherer *c) {
  const sj_string *given = &c->document->given;
  const char *at = given->text, *end = at + given->length;
  uint32_t set = sj_css_variables_begin(&c->variables);
  while (at < end) {
    size_t name = strlen(at), value = strlen(at + name + 1);
    if (!sj_css_variables_add(&c->variables, at, name, at + name + 1, value)) return false;
    at += name + value + 2;
  }
  return sj_css_variables_scope(&c->variables, c->registry.scope, &set, 1, &c->registry.scope);
}
