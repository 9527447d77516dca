#include "svg/style/keyframes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "css/declaration.h"
#include "css/tokens.h"
#include "geometry/number.h"
#include "svg/parse/calc.h"
#include "svg/parse/values.h"
#include "svg/style/easing.h"

#define WORK_INTERPOLATED_BYTE 20
// How many offsets may stand before a block.
#define MAX_OFFSETS 64

// --- the rules ---

static bool add_declarations(sj_keyframes *k, sj_keyframe *frame, const char *text, size_t length) {
  sj_declarations list = sj_declarations_begin(text, length);
  sj_declaration d;
  frame->first = (uint32_t)k->declared.count;
  while (sj_declarations_next(&list, &d)) {
    sj_name name = sj_property_find(d.name, d.name_length);
    if (name == SJ_NAME_UNKNOWN || d.important) continue;
    if (name == SJ_PROPERTY_ANIMATION_TIMING_FUNCTION) frame->easing = (sj_span){d.value, d.value_length};
    if (name >= SJ_PROPERTY_ANIMATION && name <= SJ_PROPERTY_ANIMATION_TIMING_FUNCTION) continue;
    sj_declared declared = {.name = (uint16_t)name, .value = d.value, .length = d.value_length};
    if (k->declared.count >= UINT32_MAX - 1 || !sj_array_push(k->context, &k->declared, declared)) return false;
  }
  frame->count = (uint32_t)k->declared.count - frame->first;
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
  sj_tokens tokens =
      sj_tokens_begin(text, source->start, source->start + source->length, sj_budget_of(k->context));
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

bool sj_keyframes_init(sj_keyframes *k, stijl_context *context, sj_arena *arena, const stijl_css *css,
                       sj_timeline *line) {
  *k = (sj_keyframes){.context = context, .arena = arena, .program = &css->program, .line = line};
  for (uint32_t i = 0; i < css->program.keyframes.count; i++) {
    if (!add_rule(k, i)) return false;
  }
  return true;
}

void sj_keyframes_finish(sj_keyframes *k) {
  sj_array_finish(k->context, &k->frames);
  sj_array_finish(k->context, &k->declared);
  sj_array_finish(k->context, &k->buffer);
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

// Finds the value that a property has without the animation, from a declaration or a presentation attribute; its text
// is NULL where it is not known. Returns false when memory is short.
static bool underlying(const moment *m, uint16_t name, sj_declared *out) {
  const sj_declared *own = find_in(m->base, m->base_count, name);
  *out = own ? *own : (sj_declared){.name = name};
  if (own || name < SJ_PROPERTY_COUNT) return true;
  const sj_string *attribute = sj_document_attribute(m->document, m->element, (sj_name)name);
  float number;
  if (!attribute) return true;
  out->value = attribute->text;
  out->length = attribute->length;
  // A number in an attribute has no unit; as a value of CSS it needs one.
  if (!sj_parse_number(attribute->text, attribute->length, &number)) return true;
  sj_keyframes *k = m->k;
  k->buffer.count = 0;
  if (!sj_span_append(k->context, &k->buffer, attribute->text, attribute->length) ||
      !sj_span_append(k->context, &k->buffer, "px", 2))
    return false;
  out->value = sj_arena_text(k->arena, k->buffer.data, k->buffer.count);
  out->length = k->buffer.count;
  return out->value != NULL;
}

// Replaces an unknown value, or the `none` of a transform, by the initial value, written so that it can be interpolated
// with the value at the other end. Inherited properties stay unknown, since their value is the parent's.
static bool fill_in(const moment *m, uint16_t name, const sj_declared *other, const sj_declared **value,
                    sj_declared *made) {
  bool transform = name == SJ_PROPERTY_TRANSFORM || name == SJ_PROPERTY_TRANSLATE || name == SJ_PROPERTY_ROTATE ||
                   name == SJ_PROPERTY_SCALE;
  bool unknown = !*value || (transform && sj_is_keyword((*value)->value, (*value)->length, "none"));
  if (!unknown || !other) return true;
  *made = (sj_declared){.name = name, .value = "1", .length = 1};
  if (transform) {
    m->k->buffer.count = 0;
    sj_span like = {other->value, other->length};
    if (!sj_identity_value(m->k->context, like, name == SJ_PROPERTY_SCALE, &m->k->buffer)) return false;
    made->length = m->k->buffer.count;
    made->value = sj_arena_text(m->k->arena, m->k->buffer.data ? m->k->buffer.data : "", made->length);
    if (!made->value) return false;
  } else if (name != SJ_PROPERTY_OPACITY && name != SJ_PROPERTY_STOP_OPACITY) {
    return true;
  }
  *value = made;
  return true;
}

// Adds the value of one property between the frames before and after. Returns false when memory is short or the budget
// is spent.
static bool add_value(const moment *m, uint16_t name, sj_declared_list *out) {
  sj_keyframes *k = m->k;
  const sj_declared *before = NULL, *after = NULL;
  double from = 0.0, to = 1.0;
  sj_span easing = m->at.easing;
  uint64_t work = 0;
  for (size_t i = 0; i < m->count && !after; i++) {
    const sj_keyframe *frame = &m->frames[i];
    work += SJ_WORK_NODE + frame->count;
    const sj_declared *found = find_in(k->declared.data + frame->first, frame->count, name);
    if (!found) continue;
    if (frame->offset > m->at.progress) {
      after = found;
      to = frame->offset;
    } else {
      before = found;
      from = frame->offset;
      easing = frame->easing.text ? frame->easing : m->at.easing;
    }
  }
  if (!sj_context_check(k->context, work)) return false;
  // The value without the animation stands for a missing first or last frame.
  sj_declared known;
  if (!underlying(m, name, &known)) return false;
  const sj_declared *own = known.value ? &known : NULL;
  bool at_end = before && from >= 1.0;
  if (!before) before = own;
  if (!after && !at_end) after = own;
  if (at_end) after = before;
  sj_declared first, last;
  if (!fill_in(m, name, after, &before, &first) || !fill_in(m, name, before, &after, &last)) return false;
  double share = to > from ? (m->at.progress - from) / (to - from) : 0.0;
  if (!at_end) share = sj_ease(easing.text ? easing : (sj_span){"ease", 4}, share, m->at.before);
  if (!before || !after) {
    // One of the two values is not known: the nearer end is taken, as for values that cannot be interpolated.
    const sj_declared *nearer = share < 0.5 ? before : after;
    return !nearer || sj_array_push(k->context, out, *nearer);
  }
  sj_declared made = *before;
  made.important = false;
  if (share != 0.0) {
    k->buffer.count = 0;
    sj_span a = {before->value, before->length}, b = {after->value, after->length};
    if (!sj_context_check(k->context, (a.length + b.length) * WORK_INTERPOLATED_BYTE) ||
        !sj_interpolate_values(k->context, a, b, share, &k->buffer)) return false;
    made.value = sj_arena_text(k->arena, k->buffer.data ? k->buffer.data : "", k->buffer.count);
    made.length = k->buffer.count;
    if (!made.value) return false;
  }
  return sj_array_push(k->context, out, made);
}

// Returns the last rule of that name; SIZE_MAX for none.
static size_t find_rule(const sj_keyframes *k, sj_span name) {
  if (name.length > 1 && (*name.text == '"' || *name.text == '\'')) name.text++, name.length -= 2;
  for (size_t left = k->program->keyframes.count; left > 0; left--) {
    size_t i = left - 1;
    const sj_css_named_rule *rule = &k->program->keyframes.data[i];
    const char *text = k->program->sources.data[rule->source].text;
    if (rule->name_length == name.length && memcmp(text + rule->name_start, name.text, name.length) == 0) return i;
  }
  return SIZE_MAX;
}

static bool run_animation(sj_keyframes *k, const sj_animation *at, const sj_document *document, uint32_t element,
                          const sj_declared *declared, size_t count, sj_declared_list *out) {
  moment m = {.k = k,
              .at = *at,
              .out = out,
              .base = declared,
              .base_count = count,
              .document = document,
              .element = element};
  size_t rule = find_rule(k, at->name), first = 0;
  if (rule == SIZE_MAX) return true;
  while (first < k->frames.count && k->frames.data[first].rule != rule) first++;
  m.frames = k->frames.data + first;
  while (first + m.count < k->frames.count && m.frames[m.count].rule == rule) m.count++;
  if (!sj_context_check(k->context, (first + m.count) * SJ_WORK_NODE)) return false;
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
  int found = sj_animations_of(declared, count, k->line, animations);
  for (int n = 0; n < found; n++)
    if (!run_animation(k, &animations[n], document, element, declared, count, out)) return false;
  return true;
}
