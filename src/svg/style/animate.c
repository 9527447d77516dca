#include "svg/style/animate.h"

#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "svg/parse/values.h"
#include "svg/style/animator.h"
#include "svg/style/underlying.h"

static const sj_span transform_attribute = {"transform", 9};

// --- kinds of animations ---

// Returns whether the element is a primitive of a filter or a part of one. The attributes that only these have are
// without sj_name.
static bool is_of_filter(const sj_animator *a, uint32_t element) {
  sj_element kind = (sj_element)a->document->nodes.data[element].element;
  return kind >= SJ_ELEMENT_FE_BLEND && kind <= SJ_ELEMENT_FE_TURBULENCE;
}

static void animate_attribute(sj_animator *a, sj_animation_effect *e, const sj_progress *at) {
  sj_span name = sj_timing_attribute(a->document, e->animation, "attributeName");
  if (!name.text) return;
  if (name.length > 6 && memcmp(name.text, "xlink:", 6) == 0) name.text += 6, name.length -= 6;
  e->name = sj_attribute_find(name.text, name.length);
  if (e->name == SJ_NAME_UNKNOWN && (!name.length || !is_of_filter(a, e->target))) return;
  // Transforms are animated by animateTransform alone.
  if (e->name == SJ_PROPERTY_TRANSFORM || e->name == SJ_ATTRIBUTE_ID || e->name == SJ_ATTRIBUTE_STYLE) return;
  e->local = sj_animator_intern(a, name);
  if (!sj_animator_gather(a, e->animation, at, e) || !sj_animator_value(a, e->animation, at, &e->value)) return;
  sj_animator_push(a, e);
}

// Writes all numbers that a transform of that type has, so that those of two can be paired.
static void complete(sj_animator *a, const char *type, sj_span *value) {
  sj_number_list list = {*value};
  double v[3] = {0.0, 0.0, 0.0};
  int given = 0, count = *type == 'r' ? 3 : type[1] == 'k' ? 1 : 2;
  while (given < count && sj_number_list_next(&list, &v[given])) given++;
  if (!given) return;
  if (given == 1 && type[1] == 'c') v[1] = v[0];
  a->buffer.count = 0;
  for (int i = 0; i < count; i++) {
    if (i) sj_animator_append(a, " ", 1);
    sj_animator_append_number(a, v[i]);
  }
  *value = sj_animator_keep(a);
}

// Returns the values of the list below that an animation towards a value begins with: those of a single transform of
// the same type, or of one that does nothing.
static sj_span below(const char *type, size_t length, sj_span base) {
  sj_trim_space(&base.text, &base.length);
  bool same = base.length > length + 2 && memcmp(base.text, type, length) == 0 && base.text[length] == '(' &&
              memchr(base.text, ')', base.length) == base.text + base.length - 1;
  if (same) return (sj_span){base.text + length + 1, base.length - length - 2};
  return type[1] == 'c'   ? (sj_span){"1 1", 3}
         : type[1] == 'k' ? (sj_span){"0", 1}
         : *type == 't'   ? (sj_span){"0 0", 3}
                          : (sj_span){"0 0 0", 5};
}

static void animate_transform(sj_animator *a, sj_animation_effect *e, const sj_progress *at) {
  static const char *const types[] = {"translate", "scale", "rotate", "skewX", "skewY"};
  sj_span name = sj_timing_attribute(a->document, e->animation, "attributeName");
  e->name = name.text ? sj_attribute_find(name.text, name.length) : SJ_PROPERTY_TRANSFORM;
  e->local = sj_animator_intern(a, name.text ? name : transform_attribute);
  if (e->name != SJ_PROPERTY_TRANSFORM && e->name != SJ_ATTRIBUTE_GRADIENT_TRANSFORM &&
      e->name != SJ_ATTRIBUTE_PATTERN_TRANSFORM)
    return;
  sj_span type = sj_timing_attribute(a->document, e->animation, "type"), value;
  size_t i = 0;
  while (type.text && i < 5 && (strlen(types[i]) != type.length || memcmp(types[i], type.text, type.length) != 0)) i++;
  if (i == 5) return;
  if (!sj_animator_gather(a, e->animation, at, e)) return;
  for (size_t n = 0; n < a->values.count && !a->memory; n++) complete(a, types[i], &a->values.data[n]);
  if (a->memory || !sj_animator_value(a, e->animation, at, &value)) return;
  if (value.length == 0) return;
  a->buffer.count = 0;
  sj_animator_append(a, types[i], strlen(types[i]));
  sj_animator_append(a, "(", 1);
  sj_animator_append(a, value.text, value.length);
  sj_animator_append(a, ")", 1);
  e->value = sj_animator_keep(a);
  sj_animator_push(a, e);
}

static void look_at(sj_animator *a, uint32_t element, const sj_progress *at) {
  const sj_document *document = a->document;
  const sj_node *node = &document->nodes.data[element];
  sj_animation_effect e = {.animation = element, .target = document->dom->parent.data[element], .begin = at->begin};
  if (sj_document_attribute(document, element, SJ_ATTRIBUTE_HREF)) e.target = sj_document_by_href(document, element);
  if (e.target == SJ_NO_ELEMENT || !document->nodes.data[e.target].is_svg) return;
  switch ((sj_element)node->element) {
    case SJ_ELEMENT_ANIMATE_MOTION: sj_animate_motion(a, &e, at); break;
    case SJ_ELEMENT_ANIMATE_TRANSFORM: animate_transform(a, &e, at); break;
    default: animate_attribute(a, &e, at); break;
  }
}

// --- putting them in place ---

// Orders effects by target, and those of one target as SMIL's animation sandwich does (SMIL 3, 5.5.2): what begins
// later is above.
static int compare_effects(const void *left, const void *right) {
  const sj_animation_effect *a = left, *b = right;
  if (a->target != b->target) return a->target < b->target ? -1 : 1;
  // Motion goes before all other transforms.
  if ((a->kind == SJ_EFFECT_PREFIX) != (b->kind == SJ_EFFECT_PREFIX)) return a->kind == SJ_EFFECT_PREFIX ? 1 : -1;
  if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
  return (a->animation > b->animation) - (a->animation < b->animation);
}

// Returns the value that an effect makes of the one below; text is NULL if nothing changes.
static sj_span resulting(sj_animator *a, const sj_animation_effect *e, sj_span base) {
  a->buffer.count = 0;
  bool transform = e->name == SJ_PROPERTY_TRANSFORM || e->name == SJ_ATTRIBUTE_GRADIENT_TRANSFORM ||
                   e->name == SJ_ATTRIBUTE_PATTERN_TRANSFORM;
  if (transform && e->kind == SJ_EFFECT_TOWARDS) {
    size_t length = (size_t)((const char *)memchr(e->value.text, '(', e->value.length) - e->value.text);
    sj_span to = {e->value.text + length + 1, e->value.length - length - 2};
    sj_span from = below(e->value.text, length, base.text ? base : (sj_span){"", 0});
    complete(a, e->value.text, &from);
    a->buffer.count = 0;
    sj_animator_append(a, e->value.text, length + 1);
    if (a->memory || !sj_interpolate_values(a->context, from, to, e->share, &a->buffer)) a->memory = true;
    sj_animator_append(a, ")", 1);
    return sj_animator_keep(a);
  }
  if (transform && base.text && e->kind != SJ_EFFECT_REPLACE) {
    sj_span first = e->kind == SJ_EFFECT_PREFIX ? e->value : base,
            second = e->kind == SJ_EFFECT_PREFIX ? base : e->value;
    sj_animator_append(a, first.text, first.length);
    sj_animator_append(a, " ", 1);
    sj_animator_append(a, second.text, second.length);
    return sj_animator_keep(a);
  }
  if (e->kind == SJ_EFFECT_TOWARDS) {
    if (!base.text) base = sj_underlying_value(a->document, e->target, e->name);
    if (!base.text) return e->share >= 0.5 ? e->value : base;
    if (!sj_interpolate_values(a->context, base, e->value, e->share, &a->buffer)) a->memory = true;
    return sj_animator_keep(a);
  }
  if (e->kind == SJ_EFFECT_ADD && !base.text) base = sj_underlying_value(a->document, e->target, e->name);
  if (e->kind != SJ_EFFECT_ADD || !base.text) return e->value;
  sj_combined made = sj_combine_values(a->context, base, 1.0, e->value, 1.0, &a->buffer);
  if (made == SJ_COMBINE_NO_MEMORY) a->memory = true;
  return made == SJ_COMBINED ? sj_animator_keep(a) : e->value;
}

// Returns whether an animated value becomes a declaration. That is so for properties, except for transform, whose
// attribute is read where it is used.
static bool is_declared(sj_name name) { return name < SJ_PROPERTY_COUNT && name != SJ_PROPERTY_TRANSFORM; }

static void set_attribute(sj_animator *a, uint32_t target, const sj_animation_effect *e) {
  sj_document *document = a->document;
  const sj_string *found = NULL;
  if (e->name != SJ_NAME_UNKNOWN) {
    found = sj_document_attribute(document, target, e->name);
  } else {
    sj_atom own = sj_dom_value(document->dom, target, SJ_ATOM_EMPTY, e->local);
    if (own) found = sj_dom_string(document->dom, own);
  }
  sj_span value = resulting(a, e, found ? (sj_span){found->text, found->length} : (sj_span){0});
  if (value.text && !a->memory && !sj_document_set_attribute(document, target, e->local, value.text, value.length))
    a->memory = true;
}

// Returns the value that the animations so far give, whose declarations are those from `first` on, or else the cascade.
static sj_span declared_value(const sj_document *document, const sj_node *node, size_t first, sj_name name) {
  for (size_t left = document->declared.count; left > first; left--) {
    size_t i = left - 1;
    const sj_declared *d = &document->declared.data[i];
    if (d->name == name) return (sj_span){d->value, d->length};
  }
  sj_span found = {0};
  sj_cascade cascade = sj_cascade_of(document, node);
  for (const sj_declared *d; (d = sj_cascade_next(&cascade));) {
    if (d->name == name) found = (sj_span){d->value, d->length};
  }
  return found;
}

// Applies all effects on one element where it stands in the document, or, if `copy`, those on its properties in a copy.
static void apply_to_node(sj_animator *a, const sj_animation_effect *effects, size_t count, sj_node *node, bool copy) {
  sj_document *document = a->document;
  uint32_t target = effects[0].target;
  size_t first = document->declared.count;
  for (size_t i = 0; i < count && !a->memory; i++) {
    const sj_animation_effect *e = &effects[i];
    bool covered = false;
    for (size_t above = i + 1; e->kind == SJ_EFFECT_PREFIX && above < count && !covered; above++)
      covered = effects[above].replaces;
    if (covered) continue;
    if (!is_declared(e->name)) {
      if (!copy) set_attribute(a, target, e);
      continue;
    }
    sj_span base = {0};
    if (e->kind != SJ_EFFECT_REPLACE) base = declared_value(document, node, first, e->name);
    sj_span value = resulting(a, e, base);
    sj_declared d = {.name = (uint16_t)e->name, .value = value.text, .length = value.length};
    if (value.text && !sj_array_push(a->context, &document->declared, d)) a->memory = true;
    if (d.name == SJ_PROPERTY_MIX_BLEND_MODE) document->has_blend = true;
  }
  if (!a->memory && !sj_document_insert_run(document, node, first)) a->memory = true;
}

// Applies all effects on one element, and in its copies.
static void apply_effects(sj_animator *a, const sj_animation_effect *effects, size_t count) {
  sj_document *document = a->document;
  uint32_t target = effects[0].target;
  sj_node *node = &document->nodes.data[target], before = *node;
  apply_to_node(a, effects, count, node, false);
  for (size_t i = 1; i < document->copies.count && !a->memory; i++) {
    sj_copy copy = document->copies.data[i];
    if (target < copy.target || target - copy.target >= copy.count) continue;
    sj_node *in_copy = &document->copy_nodes.data[copy.first_node + (target - copy.target)];
    if (in_copy->first_run != before.first_run || in_copy->run_count != before.run_count) {
      apply_to_node(a, effects, count, in_copy, true);
    } else if (!sj_document_note_runs(document, in_copy)) {
      a->memory = true;
    } else {
      in_copy->first_run = node->first_run;
      in_copy->run_count = node->run_count;
    }
  }
}

stijl_result sj_document_animate(sj_document *document, const sj_schedule *schedule, stijl_message *message) {
  sj_animator a = {.document = document, .context = document->context};
  bool late = false;
  for (uint32_t i = 0; i < sj_schedule_count(schedule) && !a.memory && !late; i++) {
    uint32_t element = sj_schedule_element(schedule, i);
    sj_progress at;
    if (sj_schedule_at(schedule, i, &at)) look_at(&a, element, &at);
    late = !sj_context_check(a.context, SJ_WORK_ELEMENT + document->nodes.data[element].work);
  }
  if (a.effects.count) qsort(a.effects.data, a.effects.count, sizeof *a.effects.data, compare_effects);
  for (size_t i = 0; i < a.effects.count && !a.memory && !late;) {
    size_t end = i + 1;
    while (end < a.effects.count && a.effects.data[end].target == a.effects.data[i].target) end++;
    apply_effects(&a, a.effects.data + i, end - i);
    late = !sj_context_check(a.context, (end - i) * SJ_WORK_ELEMENT + document->copies.count * SJ_WORK_NODE);
    i = end;
  }
  sj_arrays_finish(a.context, &a.effects, &a.values, &a.distances, &a.buffer);
  if (a.memory) return sj_fail_memory(message);
  return late ? sj_budget_spent(message) : STIJL_OK;
}
