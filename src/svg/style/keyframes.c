#include "svg/style/keyframes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/search.h"
#include "css/declaration.h"
#include "css/tokens.h"
#include "geometry/number.h"
#include "svg/parse/calc.h"
#include "svg/parse/values.h"
#include "svg/style/easing.h"
#include "svg/style/offset_shorthand.h"
#include "svg/style/property.h"
#include "svg/style/transform_list.h"
#include "svg/style/underlying.h"

#define WORK_INTERPOLATED_BYTE 20
// How many offsets may stand before a block.
#define MAX_OFFSETS 64
#define NO_RULE UINT32_MAX

// --- the rules ---

static bool is_valid(const sj_keyframes *k, const sj_declared *d) {
  if (sj_css_has_variables(d->value, d->length)) return true;
  if (d->name != SJ_PROPERTY_TRANSFORM) return sj_property_is_valid(sj_budget_of(k->context), d);
  const sj_length_base base = {.font_size = 16.0f, .root_font_size = 16.0f, .dpi = 96.0f};
  stijl_matrix ignored;
  if (sj_is_among("none inherit initial unset revert", d->value, d->length)) return true;
  return sj_parse_css_transform(d->value, d->length, &base, 0.0f, 0.0f, &ignored);
}

static bool add_declarations(sj_keyframes *k, sj_keyframe *frame, const char *text, size_t length) {
  sj_declarations list = sj_declarations_begin(text, length);
  sj_declaration d;
  frame->first = (uint32_t)k->declared.count;
  frame->first_custom = (uint32_t)k->customs.count;
  while (sj_declarations_next(&list, &d)) {
    sj_custom custom = {{d.name, d.name_length}, {d.value, d.value_length}};
    if (d.name_length > 2 && memcmp(d.name, "--", 2) == 0 && !d.important &&
        (k->customs.count >= UINT32_MAX - 1 || !sj_array_push(k->context, &k->customs, custom)))
      return false;
    sj_declared parts[SJ_OFFSET_PARTS];
    bool split = !d.important &&
                 sj_split_offset((sj_span){d.name, d.name_length}, (sj_span){d.value, d.value_length}, false, parts);
    for (int i = 0; split && i < SJ_OFFSET_PARTS; i++)
      if (k->declared.count >= UINT32_MAX - 1 || !sj_array_push(k->context, &k->declared, parts[i])) return false;
    sj_name name = split ? SJ_NAME_UNKNOWN : sj_property_find(d.name, d.name_length);
    if (name == SJ_NAME_UNKNOWN || d.important) continue;
    if (name == SJ_PROPERTY_ANIMATION_TIMING_FUNCTION) frame->easing = (sj_span){d.value, d.value_length};
    if (name == SJ_PROPERTY_ANIMATION_COMPOSITION) frame->composition = (sj_span){d.value, d.value_length};
    if (name >= SJ_PROPERTY_ANIMATION && name <= SJ_PROPERTY_ANIMATION_TIMING_FUNCTION) continue;
    sj_declared declared = {.name = (uint16_t)name, .value = d.value, .length = d.value_length};
    if (!is_valid(k, &declared)) continue;
    if (k->declared.count >= UINT32_MAX - 1 || !sj_array_push(k->context, &k->declared, declared)) return false;
  }
  frame->count = (uint32_t)k->declared.count - frame->first;
  frame->custom_count = (uint32_t)k->customs.count - frame->first_custom;
  return true;
}

// Orders frames by offset, and those of the same offset as they are in the sheet.
static int compare_frames(const void *left, const void *right) {
  const sj_keyframe *a = left, *b = right;
  if (a->offset != b->offset) return a->offset < b->offset ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

// Adds the frames of a rule such as "from, 50% { ... } to { ... }".
static bool add_rule(sj_keyframes *k, uint32_t rule) {
  const sj_css_named_rule *source = &k->program->keyframes.data[rule];
  const char *text = k->program->sources.data[source->source].text;
  sj_tokens tokens = sj_tokens_begin(text, source->start, source->start + source->length, sj_budget_of(k->context));
  size_t first = k->frames.count;
  while (tokens.at < tokens.end) {
    double offsets[MAX_OFFSETS];
    int count = 0;
    bool valid = true;
    sj_token token = sj_tokens_next(&tokens);
    for (; token.kind != SJ_TOKEN_OPEN_BRACE && token.kind != SJ_TOKEN_END; token = sj_tokens_next(&tokens)) {
      double offset = -1.0;
      if (token.kind == SJ_TOKEN_SPACE || token.kind == SJ_TOKEN_COMMA) continue;
      if (token.kind == SJ_TOKEN_PERCENTAGE) offset = token.number / 100.0;
      if (token.kind == SJ_TOKEN_IDENT && sj_token_is(&tokens, &token, "from")) offset = 0.0;
      if (token.kind == SJ_TOKEN_IDENT && sj_token_is(&tokens, &token, "to")) offset = 1.0;
      if (offset >= 0.0 && offset <= 1.0 && count < MAX_OFFSETS)
        offsets[count++] = offset;
      else
        valid = false;
    }
    if (token.kind == SJ_TOKEN_END) break;
    size_t start = token.end;
    for (int open = 1; open > 0 && token.kind != SJ_TOKEN_END;) {
      token = sj_tokens_next(&tokens);
      open += (token.kind == SJ_TOKEN_OPEN_BRACE) - (token.kind == SJ_TOKEN_CLOSE_BRACE);
    }
    if (!valid || !count) continue;
    sj_keyframe frame = {.rule = rule};
    if (!add_declarations(k, &frame, text + start, token.start - start)) return false;
    for (int i = 0; i < count; i++) {
      frame.offset = offsets[i];
      if (!sj_array_push(k->context, &k->frames, frame)) return false;
    }
  }
  if (k->frames.count > first) {
    qsort(k->frames.data + first, k->frames.count - first, sizeof *k->frames.data, compare_frames);
  }
  return true;
}

// Notes the rule as the last one of its name.
static bool name_rule(sj_keyframes *k, uint32_t rule) {
  const sj_css_named_rule *named = &k->program->keyframes.data[rule];
  const char *text = k->program->sources.data[named->source].text + named->name_start;
  sj_atom name = sj_atoms_intern(&k->names, text, named->name_length);
  if (!name) return false;
  while (k->last_rules.count <= name)
    if (!sj_array_push(k->context, &k->last_rules, NO_RULE)) return false;
  k->last_rules.data[name] = rule;
  return true;
}

bool sj_keyframes_init(sj_keyframes *k, stijl_context *context, sj_arena *arena, const stijl_css *css,
                       sj_timeline *line) {
  *k = (sj_keyframes){.context = context, .arena = arena, .program = &css->program, .line = line};
  size_t count = css->program.keyframes.count;
  if (!count) return true;
  k->named = sj_atoms_init(&k->names, context);
  for (uint32_t i = 0; k->named && i < count; i++)
    if (!name_rule(k, i) || !add_rule(k, i)) return false;
  return k->named;
}

void sj_keyframes_finish(sj_keyframes *k) {
  if (k->named) sj_atoms_finish(&k->names);
  sj_arrays_finish(k->context, &k->last_rules, &k->frames, &k->declared, &k->customs, &k->buffer);
}

// --- values ---

static const sj_declared *find_in(const sj_declared *list, size_t count, uint16_t name) {
  for (size_t left = count; left > 0; left--) {
    size_t i = left - 1;
    if (list[i].name == name) return &list[i];
  }
  return NULL;
}

// An animation of an element at one time.
typedef struct moment {
  sj_keyframes *k;
  const sj_keyframe *frames;  // of the rule
  size_t count;
  sj_animation at;
  sj_declared_list *out;    // what animations before have made
  const sj_declared *base;  // the element's own declarations
  size_t base_count;
  const sj_document *document;
  uint32_t element;
} moment;

static bool is_transform(uint16_t name) { return name == SJ_PROPERTY_TRANSFORM; }
static bool is_individual(uint16_t name) {
  return name == SJ_PROPERTY_TRANSLATE || name == SJ_PROPERTY_ROTATE || name == SJ_PROPERTY_SCALE;
}

// Copies the text in the buffer to memory that lives as long as the document; text NULL when memory is short.
static sj_span keep(sj_keyframes *k) {
  const char *text = sj_arena_text(k->arena, k->buffer.data ? k->buffer.data : "", k->buffer.count);
  return (sj_span){text, text ? k->buffer.count : 0};
}

bool sj_keyframes_substitute(sj_keyframes *k, uint32_t scope, sj_span *value) {
  const char *text;
  size_t length;
  if (!value->text || !sj_css_has_variables(value->text, value->length)) return true;
  sj_css_substitution made = sj_css_substitute(k->variables, scope, value->text, value->length, &text, &length);
  if (made == SJ_CSS_NO_MEMORY || made == SJ_CSS_TOO_MUCH) return false;
  *value = (sj_span){0};
  if (made != SJ_CSS_SUBSTITUTED) return true;
  sj_trim_space(&text, &length);
  *value = (sj_span){sj_arena_text(k->arena, text, length), length};
  return value->text != NULL;
}

// Finds the value that a property has without the animation: what animations below it have made, a declaration, a
// presentation attribute, or the inherited or initial value. Its text is NULL where it is not known. Returns false when
// memory is short.
static bool underlying(const moment *m, uint16_t name, sj_span *out) {
  const sj_declared *own = find_in(m->out->data, m->out->count, name);
  if (!own) own = find_in(m->base, m->base_count, name);
  *out = own ? (sj_span){own->value, own->length} : (sj_span){0};
  if (own) return true;
  if (name < SJ_PROPERTY_COUNT) {
    if (name == SJ_PROPERTY_TRANSFORM || is_individual(name))
      *out = (sj_span){"none", 4};
    else
      *out = sj_underlying_value(m->document, m->element, (sj_name)name);
  }
  sj_keyframes *k = m->k;
  const sj_string *attribute = sj_document_attribute(m->document, m->element, (sj_name)name);
  if (name == SJ_PROPERTY_TRANSFORM && attribute) {
    // The attribute has a grammar of its own, but a matrix says the same in both.
    stijl_matrix t;
    if (!sj_parse_transform(attribute->text, attribute->length, &t)) return true;
    const float v[6] = {t.a, t.b, t.c, t.d, t.e, t.f};
    k->buffer.count = 0;
    bool memory = sj_span_append(k->context, &k->buffer, "matrix(", 7);
    for (int i = 0; i < 6; i++)
      memory = memory && sj_span_append_number(k->context, &k->buffer, (double)v[i]) &&
               sj_span_append(k->context, &k->buffer, i < 5 ? "," : ")", 1);
    *out = keep(k);
    return memory && out->text;
  }
  if (name < SJ_PROPERTY_COUNT) return true;
  float number;
  if (!attribute) return true;
  *out = (sj_span){attribute->text, attribute->length};
  // A number in an attribute has no unit; as a value of CSS it needs one.
  if (!sj_parse_number(attribute->text, attribute->length, &number)) return true;
  k->buffer.count = 0;
  if (!sj_span_append(k->context, &k->buffer, attribute->text, attribute->length) ||
      !sj_span_append(k->context, &k->buffer, "px", 2))
    return false;
  *out = keep(k);
  return out->text != NULL;
}

// Writes the second axis of a translation or a scale that gives one. Returns false when memory is short.
static bool complete(sj_keyframes *k, uint16_t name, sj_span *value) {
  if (name == SJ_PROPERTY_ROTATE) return true;
  int open = 0;
  for (size_t i = 0; i < value->length; i++) {
    open += (value->text[i] == '(') - (value->text[i] == ')');
    if (!open && sj_is_space(value->text[i])) return true;
  }
  sj_span second = name == SJ_PROPERTY_SCALE ? *value : (sj_span){"0", 1};
  k->buffer.count = 0;
  if (!sj_span_append(k->context, &k->buffer, value->text, value->length) ||
      !sj_span_append(k->context, &k->buffer, " ", 1) ||
      !sj_span_append(k->context, &k->buffer, second.text, second.length))
    return false;
  *value = keep(k);
  return value->text != NULL;
}

// Replaces the `none` of an individual transform by a value that does nothing, written so that it can be interpolated
// with the value at the other end.
static bool fill_in(const moment *m, uint16_t name, sj_span other, sj_span *value) {
  if (!is_individual(name)) return true;
  if (!sj_span_is(*value, "none")) return complete(m->k, name, value);
  if (sj_span_is(other, "none")) return true;
  m->k->buffer.count = 0;
  if (!sj_identity_value(m->k->context, other, name == SJ_PROPERTY_SCALE, &m->k->buffer)) return false;
  *value = keep(m->k);
  return value->text != NULL;
}

typedef enum composition { REPLACE, ADD, ACCUMULATE } composition;

static composition composition_of(sj_span frame, sj_span animation) {
  sj_span span = frame.text ? frame : animation;
  return sj_span_is(span, "add") ? ADD : sj_span_is(span, "accumulate") ? ACCUMULATE : REPLACE;
}

static bool is_list(uint16_t name) { return name == SJ_PROPERTY_TRANSFORM || name == SJ_PROPERTY_FILTER; }

// Puts a keyframe's value together with the one below. What cannot be added replaces it.
static bool compose(const moment *m, uint16_t name, composition how, sj_span base, sj_span *value) {
  sj_keyframes *k = m->k;
  if (how == REPLACE || !base.text || sj_span_is(base, "none")) return true;
  if (sj_span_is(*value, "none")) {
    *value = base;
    return true;
  }
  k->buffer.count = 0;
  sj_combined made = SJ_NOT_ALIKE;
  if (how == ACCUMULATE && is_transform(name)) made = sj_accumulate_transforms(k->context, base, *value, &k->buffer);
  if (made == SJ_NOT_ALIKE && is_list(name)) {
    bool memory = sj_span_append(k->context, &k->buffer, base.text, base.length) &&
                  sj_span_append(k->context, &k->buffer, " ", 1) &&
                  sj_span_append(k->context, &k->buffer, value->text, value->length);
    made = memory ? SJ_COMBINED : SJ_COMBINE_NO_MEMORY;
  } else if (made == SJ_NOT_ALIKE) {
    made = sj_combine_lengths(k->context, base, 1.0, *value, 1.0, &k->buffer);
  }
  if (made == SJ_COMBINE_NO_MEMORY) return false;
  if (made == SJ_COMBINED) *value = keep(k);
  return value->text != NULL;
}

// Interpolates into the buffer. Returns false when memory is short.
static bool interpolate(const moment *m, uint16_t name, sj_span a, sj_span b, double share) {
  sj_keyframes *k = m->k;
  k->buffer.count = 0;
  if (is_transform(name) && share != 0.0 && share != 1.0) {
    sj_combined made = sj_interpolate_transforms(k->context, a, b, share, &k->buffer);
    if (made != SJ_NOT_ALIKE) return made == SJ_COMBINED;
  }
  // Between a value that shows the element and one that hides it, it is shown (CSS Display 4, 2.9).
  const char *hidden = name == SJ_PROPERTY_VISIBILITY ? "hidden" : name == SJ_PROPERTY_DISPLAY ? "none" : NULL;
  if (hidden && sj_span_is(a, hidden) != sj_span_is(b, hidden)) {
    bool shown = sj_span_is(a, hidden) ? share > 0.0 : share < 1.0;
    sj_span value = shown == sj_span_is(a, hidden) ? b : a;
    return sj_span_append(k->context, &k->buffer, value.text, value.length);
  }
  return sj_interpolate_values(k->context, a, b, share, &k->buffer);
}

// The frames around the animation's progress that have a property.
typedef struct around {
  sj_span before, after;  // text NULL: the value without the animation
  double from, to;
  sj_span easing;
  composition before_how, after_how;
} around;

static bool find_around(const moment *m, uint16_t name, around *out) {
  sj_keyframes *k = m->k;
  uint64_t work = 0;
  *out = (around){.to = 1.0, .easing = m->at.easing};
  for (size_t i = 0; i < m->count && !out->after.text; i++) {
    const sj_keyframe *frame = &m->frames[i];
    work += SJ_WORK_NODE + frame->count;
    const sj_declared *found = find_in(k->declared.data + frame->first, frame->count, name);
    if (!found) continue;
    sj_span value = {found->value, found->length};
    composition how = composition_of(frame->composition, m->at.composition);
    if (frame->offset > m->at.progress) {
      out->after = value;
      out->to = frame->offset;
      out->after_how = how;
    } else {
      out->before = value;
      out->from = frame->offset;
      out->before_how = how;
      out->easing = frame->easing.text ? frame->easing : m->at.easing;
    }
  }
  return sj_context_check(k->context, work);
}

// Adds the value of one property between the frames before and after. Returns false when memory is short or the budget
// is spent.
static bool add_value(const moment *m, uint16_t name, sj_declared_list *out) {
  sj_keyframes *k = m->k;
  around r;
  sj_span base;
  if (!find_around(m, name, &r) || !underlying(m, name, &base)) return false;
  bool at_end = r.before.text && r.from >= 1.0;
  sj_span *ends[2] = {&r.before, &r.after};
  for (int i = 0; i < 2; i++) {
    if (!ends[i]->text) {
      *ends[i] = base;
    } else if (!compose(m, name, i ? r.after_how : r.before_how, base, ends[i])) {
      return false;
    }
    if (!sj_keyframes_substitute(k, k->scope, ends[i])) return false;
    if (name == SJ_PROPERTY_COLOR || !sj_span_is(*ends[i], "currentcolor")) continue;
    const sj_declared *own = find_in(m->base, m->base_count, SJ_PROPERTY_COLOR);
    *ends[i] = own ? (sj_span){own->value, own->length} : sj_underlying_color(m->document, m->element);
  }
  if (at_end) r.after = r.before;
  if (!fill_in(m, name, r.after, &r.before) || !fill_in(m, name, r.before, &r.after)) return false;
  double share = r.to > r.from ? (m->at.progress - r.from) / (r.to - r.from) : 0.0;
  if (!sj_context_check(k->context, SJ_WORK_VALUE + r.easing.length * SJ_WORK_BYTE)) return false;
  if (!at_end) share = sj_ease(r.easing, share, m->at.before);
  sj_declared made = {.name = name};
  if (!r.before.text || !r.after.text) {
    // One of the two values is not known: the nearer end is taken, as for values that cannot be interpolated.
    sj_span nearer = share < 0.5 ? r.before : r.after;
    made.value = nearer.text;
    made.length = nearer.length;
    return !nearer.text || sj_array_push(k->context, out, made);
  }
  if (!sj_context_check(k->context, (r.before.length + r.after.length) * WORK_INTERPOLATED_BYTE) ||
      !interpolate(m, name, r.before, r.after, share))
    return false;
  sj_span value = keep(k);
  made.value = value.text;
  made.length = value.length;
  return value.text && sj_array_push(k->context, out, made);
}

// Returns the last rule of that name; NO_RULE for none.
static uint32_t find_rule(const sj_keyframes *k, sj_span name) {
  if (name.length > 1 && (*name.text == '"' || *name.text == '\'')) name.text++, name.length -= 2;
  sj_atom atom = k->named ? sj_atoms_find(&k->names, name.text, name.length) : SJ_ATOM_NONE;
  return atom && atom < k->last_rules.count ? k->last_rules.data[atom] : NO_RULE;
}

const sj_keyframe *sj_keyframes_find(const sj_keyframes *k, sj_span name, size_t *count) {
  uint32_t rule = find_rule(k, name);
  size_t low = 0, high = k->frames.count;
  *count = 0;
  if (rule == NO_RULE) return NULL;
  SJ_SEARCH(low, high, i, k->frames.data[i].rule < rule);
  while (low + *count < k->frames.count && k->frames.data[low + *count].rule == rule) ++*count;
  return sj_array_at(&k->frames, low);
}

static bool run_animation(sj_keyframes *k, const sj_animation *at, const sj_document *document, uint32_t element,
                          const sj_declared *declared, size_t count, sj_declared_list *out) {
  moment m = {
      .k = k, .at = *at, .out = out, .base = declared, .base_count = count, .document = document, .element = element};
  m.frames = sj_keyframes_find(k, at->name, &m.count);
  if (!sj_context_check(k->context, (1 + m.count) * SJ_WORK_NODE)) return false;
  bool done[SJ_NAME_COUNT] = {false};
  for (size_t i = 0; i < m.count; i++) {
    for (uint32_t d = 0; d < m.frames[i].count; d++) {
      uint16_t property = k->declared.data[m.frames[i].first + d].name;
      if (done[property]) continue;
      done[property] = true;
      if (!add_value(&m, property, out)) return false;
    }
  }
  return true;
}

bool sj_keyframes_apply(sj_keyframes *k, const sj_document *document, uint32_t element, const sj_declared *declared,
                        size_t count, sj_declared_list *out) {
  if (!k->frames.count) return true;
  sj_animation animations[SJ_MAX_ANIMATIONS];
  if (!sj_context_check(k->context, sj_animations_work(declared, count))) return false;
  int found = sj_animations_of(declared, count, k->line, animations);
  for (int n = 0; n < found; n++)
    if (!run_animation(k, &animations[n], document, element, declared, count, out)) return false;
  return true;
}
