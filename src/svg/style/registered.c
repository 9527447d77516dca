#include "svg/style/registered.h"

#include <string.h>

#include "base/budget.h"
#include "css/declaration.h"
#include "svg/parse/values.h"
#include "svg/style/easing.h"
#include "svg/style/syntax.h"

#define WORK_INTERPOLATED_BYTE 20

static sj_span unquoted(sj_span s) {
  if (s.length > 1 && (*s.text == '"' || *s.text == '\'') && s.text[s.length - 1] == *s.text)
    return (sj_span){s.text + 1, s.length - 2};
  return (sj_span){NULL, 0};
}

// Reads a rule. Returns false for one that is in error, which registers nothing: a syntax and whether the property is
// inherited have to be given, and an initial value unless any value will do.
static bool read_rule(const sj_css_program *program, const sj_css_named_rule *rule, sj_registered *out) {
  const char *text = program->sources.data[rule->source].text;
  sj_span syntax = {0}, inherits = {0};
  *out = (sj_registered){.name = {text + rule->name_start, rule->name_length}};
  sj_declarations list = sj_declarations_begin(text + rule->start, rule->length);
  for (sj_declaration d; sj_declarations_next(&list, &d);) {
    sj_span value = {d.value, d.value_length};
    if (sj_is_keyword(d.name, d.name_length, "syntax")) syntax = unquoted(value);
    if (sj_is_keyword(d.name, d.name_length, "inherits")) inherits = value;
    if (sj_is_keyword(d.name, d.name_length, "initial-value")) out->initial = value;
  }
  if (!syntax.text || !inherits.text || out->name.length < 3 || memcmp(out->name.text, "--", 2) != 0) return false;
  out->inherits = sj_is_keyword(inherits.text, inherits.length, "true");
  if (!out->inherits && !sj_is_keyword(inherits.text, inherits.length, "false")) return false;
  bool any = syntax.length == 1 && *syntax.text == '*';
  out->interpolates = !any;
  out->syntax = syntax;
  if (!sj_syntax_is_valid(syntax)) return false;
  return any || (out->initial.text && !sj_css_has_variables(out->initial.text, out->initial.length) &&
                 sj_syntax_takes(syntax, out->initial));
}

static bool make_set(const sj_registry *r, sj_css_variables *variables, bool all, uint32_t *set) {
  *set = SJ_NO_SET;
  for (size_t i = 0; i < r->properties.count; i++) {
    const sj_registered *p = &r->properties.data[i];
    if (!p->initial.text || (p->inherits && !all)) continue;
    if (*set == SJ_NO_SET) *set = sj_css_variables_begin(variables);
    if (!sj_css_variables_add(variables, p->name.text, p->name.length, p->initial.text, p->initial.length))
      return false;
  }
  return true;
}

bool sj_registry_init(sj_registry *r, stijl_context *context, const stijl_css *css, sj_css_variables *variables) {
  const sj_css_program *program = &css->program;
  uint32_t all;
  *r = (sj_registry){.scope = SJ_CSS_NO_SCOPE, .resets = SJ_NO_SET};
  for (size_t i = 0; i < program->properties.count; i++) {
    sj_registered one;
    if (read_rule(program, &program->properties.data[i], &one) && !sj_array_push(context, &r->properties, one))
      return false;
  }
  if (!r->properties.count) return true;
  if (!make_set(r, variables, false, &r->resets) || !make_set(r, variables, true, &all)) return false;
  return all == SJ_NO_SET || sj_css_variables_scope(variables, SJ_CSS_NO_SCOPE, &all, 1, &r->scope);
}

void sj_registry_finish(sj_registry *r, stijl_context *context) { sj_array_finish(context, &r->properties); }

static bool same_name(sj_span a, sj_span b) { return a.length == b.length && memcmp(a.text, b.text, a.length) == 0; }

sj_span sj_registry_value(const sj_registry *r, sj_span name, sj_span value, uint64_t *work) {
  static const sj_span inherit = {"inherit", 7};
  const sj_registered *found = NULL;
  for (size_t i = 0; i < r->properties.count; i++)
    if (same_name(r->properties.data[i].name, name)) found = &r->properties.data[i];
  *work = r->properties.count * SJ_WORK_NODE;
  // Each alternative of the syntax is tried for each part of the value.
  if (found) *work += (found->syntax.length + 1) * SJ_WORK_BYTE + value.length * SJ_WORK_BYTE;
  if (found &&
      (memchr(found->syntax.text, '+', found->syntax.length) || memchr(found->syntax.text, '#', found->syntax.length)))
    *work += found->syntax.length * (uint64_t)value.length;
  if (!found || sj_css_has_variables(value.text, value.length) || sj_span_is(value, "inherit")) return value;
  bool unset = sj_span_is(value, "unset") || sj_span_is(value, "revert") || sj_span_is(value, "revert-layer");
  bool initial = sj_span_is(value, "initial");
  if (!unset && !initial && sj_syntax_takes(found->syntax, value)) return value;
  if (found->inherits && !initial) return inherit;
  return found->initial.text ? found->initial : value;
}

static bool interpolates(const sj_registry *r, sj_span name) {
  bool found = false;
  for (size_t i = 0; i < r->properties.count; i++)
    if (same_name(r->properties.data[i].name, name)) found = r->properties.data[i].interpolates;
  return found;
}

static bool own_value(sj_keyframes *k, uint32_t scope, sj_span name, sj_span *out) {
  k->buffer.count = 0;
  if (!sj_span_append(k->context, &k->buffer, "var(", 4) ||
      !sj_span_append(k->context, &k->buffer, name.text, name.length) ||
      !sj_span_append(k->context, &k->buffer, ")", 1))
    return false;
  *out = (sj_span){k->buffer.data, k->buffer.count};
  return sj_keyframes_substitute(k, scope, out);
}

// Computes the value that an animation gives a custom property; text NULL where it gives none.
static bool animated(const sj_registry *r, sj_keyframes *k, const sj_animation *at, const sj_keyframe *frames,
                     size_t count, uint32_t scope, sj_span name, sj_span *out) {
  sj_span ends[2] = {{0}, {0}}, easing = at->easing;
  double from = 0.0, to = 1.0;
  for (size_t i = 0; i < count && !ends[1].text; i++) {
    for (uint32_t n = 0; n < frames[i].custom_count; n++) {
      const sj_custom *c = &k->customs.data[frames[i].first_custom + n];
      if (!same_name(c->name, name)) continue;
      bool after = frames[i].offset > at->progress;
      ends[after] = c->value;
      *(after ? &to : &from) = frames[i].offset;
      if (!after) easing = frames[i].easing.text ? frames[i].easing : at->easing;
    }
  }
  for (int i = 0; i < 2; i++) {
    bool good = ends[i].text ? sj_keyframes_substitute(k, scope, &ends[i]) : own_value(k, scope, name, &ends[i]);
    if (!good) return false;
  }
  if (from >= 1.0) ends[1] = ends[0];
  double share = to > from ? sj_ease(easing, (at->progress - from) / (to - from), at->before) : 0.0;
  *out = share < 0.5 ? ends[0] : ends[1];
  if (!ends[0].text || !ends[1].text || !interpolates(r, name)) return true;
  k->buffer.count = 0;
  if (!sj_context_check(k->context, (easing.length + ends[0].length + ends[1].length) * WORK_INTERPOLATED_BYTE) ||
      !sj_interpolate_values(k->context, ends[0], ends[1], share, &k->buffer))
    return false;
  *out = (sj_span){sj_arena_text(k->arena, k->buffer.data ? k->buffer.data : "", k->buffer.count), k->buffer.count};
  return out->text != NULL;
}

bool sj_registry_animate(const sj_registry *r, sj_keyframes *k, const sj_declared *declared, size_t count,
                         uint32_t scope, uint32_t *set) {
  *set = SJ_NO_SET;
  if (!k->customs.count) return true;
  sj_animation animations[SJ_MAX_ANIMATIONS];
  if (!sj_context_check(k->context, sj_animations_work(declared, count))) return false;
  int found = sj_animations_of(declared, count, k->line, animations);
  for (int n = 0; n < found; n++) {
    size_t frame_count;
    const sj_keyframe *frames = sj_keyframes_find(k, animations[n].name, &frame_count);
    for (size_t i = 0; i < frame_count; i++) {
      if (!sj_context_check(k->context, frames[i].custom_count * (uint64_t)frame_count * SJ_WORK_NODE)) return false;
      for (uint32_t c = 0; c < frames[i].custom_count; c++) {
        sj_span name = k->customs.data[frames[i].first_custom + c].name, value;
        if (!animated(r, k, &animations[n], frames, frame_count, scope, name, &value)) return false;
        if (!value.text) continue;
        if (*set == SJ_NO_SET) *set = sj_css_variables_begin(k->variables);
        if (!sj_css_variables_add(k->variables, name.text, name.length, value.text, value.length)) return false;
      }
    }
  }
  return true;
}
