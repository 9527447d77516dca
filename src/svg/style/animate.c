#include "svg/style/animate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "geometry/arc_length.h"
#include "geometry/number.h"
#include "svg/parse/values.h"
#include "svg/style/schedule.h"
#include "svg/style/underlying.h"

// An animation has at most this many values.
#define MAX_VALUES 4096
#define WORK_MOTION_BYTE 20  // per byte of a path, which is read, measured, and walked along

typedef enum effect_kind {
  EFFECT_REPLACE,
  EFFECT_ADD,      // adds its value to the one below
  EFFECT_TOWARDS,  // moves the value below towards its own by `share` of the way
  EFFECT_PREFIX    // puts its transform before those below
} effect_kind;

// What one animation does to one attribute or property of an element.
typedef struct effect {
  uint32_t target;
  double begin;
  uint32_t animation;  // the animation element
  sj_name name;        // SJ_NAME_UNKNOWN: an attribute of filters
  sj_atom local;       // the attribute's name
  effect_kind kind;
  double share;
  bool replaces;  // of motion: what is below is left out
  sj_span value;
} effect;

typedef struct animator {
  sj_document *document;
  stijl_context *context;
  SJ_ARRAY(effect) effects;
  SJ_ARRAY(sj_span) values;
  SJ_ARRAY(double) distances;  // along the values, from the first, for calcMode="paced"
  sj_span_buffer buffer;
  bool memory;  // memory was short
} animator;

// Copies the text in the buffer to memory that lives as long as the document.
static sj_span keep(animator *a) {
  char *text = sj_arena_text(&a->document->arena, a->buffer.data ? a->buffer.data : "", a->buffer.count);
  if (!text) a->memory = true;
  return (sj_span){text, text ? a->buffer.count : 0};
}

static void append(animator *a, const char *text, size_t length) {
  if (!sj_span_append(a->context, &a->buffer, text, length)) a->memory = true;
}

static void append_number(animator *a, double value) {
  if (!sj_span_append_number(a->context, &a->buffer, value)) a->memory = true;
}

static bool keyword_attribute(const animator *a, uint32_t e, const char *name, const char *keyword) {
  sj_span text = sj_timing_attribute(a->document, e, name);
  return text.text && sj_is_keyword(text.text, text.length, keyword);
}

// --- the value of one animation ---

static void split_values(animator *a, sj_span list) {
  const char *at = list.text, *end = at + list.length;
  while (at < end && a->values.count < MAX_VALUES && !a->memory) {
    const char *close = memchr(at, ';', (size_t)(end - at));
    if (!close) close = end;
    sj_span value = {at, (size_t)(close - at)};
    sj_trim_space(&value.text, &value.length);
    if (!sj_array_push(a->context, &a->values, value)) a->memory = true;
    at = close < end ? close + 1 : end;
  }
}

typedef struct number_list {
  sj_span left;
} number_list;

static bool next_number(number_list *list, double *out) {
  const char *at = list->left.text, *end = at + list->left.length;
  while (at < end && (sj_is_space(*at) || *at == ';' || *at == ',')) at++;
  size_t used = at < end ? sj_number_parse(at, (size_t)(end - at), out) : 0;
  list->left = (sj_span){at + used, (size_t)(end - at) - used};
  return used > 0;
}

typedef enum calc_mode { CALC_DISCRETE, CALC_LINEAR, CALC_PACED, CALC_SPLINE } calc_mode;

static calc_mode calc_mode_of(const animator *a, uint32_t e) {
  static const char *const names[] = {"discrete", "linear", "paced", "spline"};
  sj_element kind = (sj_element)a->document->nodes.data[e].element;
  sj_span text = sj_timing_attribute(a->document, e, "calcMode");
  for (int i = 0; i < 4 && text.text; i++)
    if (sj_is_keyword(text.text, text.length, names[i])) return (calc_mode)i;
  return kind == SJ_ELEMENT_ANIMATE_MOTION ? CALC_PACED : CALC_LINEAR;
}

// Finds where `fraction` lies among times that are given, as locate() does.
static bool locate_by_times(sj_span times, bool discrete, size_t count, double fraction, size_t *index, double *share) {
  number_list list = {times};
  double time, last = 0.0, from = 0.0, to = 1.0;
  size_t n = 0;
  for (; next_number(&list, &time); n++) {
    if ((n == 0 && time != 0.0) || time < last || time > 1.0) return false;
    if (n && fraction >= last) *index = n - 1, from = last, to = time;
    last = time;
  }
  if (n != count || (!discrete && last != 1.0)) return false;
  if (fraction >= last) *index = count - 1, from = last, to = 1.0;
  if (!discrete && *index < count - 1 && to > from) *share = (fraction - from) / (to - from);
  return true;
}

// Finds where `fraction` of the way along the values lies. Returns false where no distance can be told.
static bool locate_by_distance(animator *a, size_t count, double fraction, size_t *index, double *share) {
  a->distances.count = 0;
  if (count != a->values.count || !sj_array_reserve(a->context, &a->distances, count)) return false;
  double *along = a->distances.data;
  along[0] = 0.0;
  for (size_t i = 1; i < count; i++) {
    double step = sj_value_distance(a->values.data[i - 1], a->values.data[i]);
    if (!(step >= 0.0)) return false;
    along[i] = along[i - 1] + step;
  }
  double place = fraction * along[count - 1];
  if (!(along[count - 1] > 0.0)) return false;
  *index = 0;
  while (*index + 2 < count && along[*index + 1] <= place) ++*index;
  double step = along[*index + 1] - along[*index];
  *share = step > 0.0 ? fmin((place - along[*index]) / step, 1.0) : 1.0;
  return true;
}

// Finds where `fraction` lies among `count` values: the value before it, and the share of the way to the next. Returns
// false when keyTimes or keySplines are in error, as the animation then has no effect.
static bool locate(animator *a, uint32_t e, size_t count, double fraction, size_t *index, double *share) {
  calc_mode mode = calc_mode_of(a, e);
  // Points along a path have no distances.
  if (mode == CALC_PACED && sj_timing_attribute(a->document, e, "keyPoints").length) mode = CALC_LINEAR;
  bool discrete = mode == CALC_DISCRETE;
  sj_span times = sj_timing_attribute(a->document, e, "keyTimes");
  size_t spaces = discrete ? count : count - 1;
  *index = 0;
  *share = 0.0;
  bool transform = a->document->nodes.data[e].element == SJ_ELEMENT_ANIMATE_TRANSFORM;  // without distances in Chromium
  if (mode == CALC_PACED && !transform && count > 2 && locate_by_distance(a, count, fraction, index, share))
    return true;
  if (times.text && times.length && mode != CALC_PACED) {
    if (!locate_by_times(times, discrete, count, fraction, index, share)) return false;
  } else if (spaces > 0) {
    double place = fraction * (double)spaces;
    *index = (size_t)place;
    if (*index >= spaces) *index = spaces - 1;
    if (!discrete) *share = place - (double)*index;
  }
  sj_span splines = sj_timing_attribute(a->document, e, "keySplines");
  if (mode != CALC_SPLINE || count < 2) return true;
  number_list list = {splines};
  double v[4], own[4] = {0.0, 0.0, 1.0, 1.0};
  for (size_t i = 0; i + 1 < count; i++) {
    for (int k = 0; k < 4; k++)
      if (!splines.text || !next_number(&list, &v[k]) || v[k] < 0.0 || v[k] > 1.0) return false;
    if (i == *index) memcpy(own, v, sizeof own);
  }
  if (*share > 0.0 && *share < 1.0) *share = sj_ease_cubic(own[0], own[1], own[2], own[3], *share);
  return true;
}

// Gathers the animation's values, from its attribute `values`, or from `from`, `to` and `by`, and sets what kind of
// effect it has. Returns false when it is in error or changes nothing.
static bool gather_values(animator *a, uint32_t e, const sj_progress *at, effect *out) {
  const sj_document *document = a->document;
  sj_span values = sj_timing_attribute(document, e, "values"), from = sj_timing_attribute(document, e, "from");
  sj_span to = sj_timing_attribute(document, e, "to"), by = sj_timing_attribute(document, e, "by");
  a->values.count = 0;
  out->kind = keyword_attribute(a, e, "additive", "sum") ? EFFECT_ADD : EFFECT_REPLACE;
  if (document->nodes.data[e].element == SJ_ELEMENT_SET) {
    if (!to.text) return false;
    out->kind = EFFECT_REPLACE;
    return sj_array_push(a->context, &a->values, to) || !(a->memory = true);
  }
  if (values.text) {
    split_values(a, values);
    return a->values.count > 0 && !a->memory;
  }
  sj_span first = from;
  if (!from.text && to.text) {
    // It begins with the value below, so it changes nothing at its very start.
    size_t index;
    out->kind = EFFECT_TOWARDS;
    if (!locate(a, e, 2, at->fraction, &index, &out->share)) return false;
    if (index == 1) out->share = 1.0;
    return out->share > 0.0 && (sj_array_push(a->context, &a->values, to) || !(a->memory = true));
  }
  if (!to.text && !by.text) return false;
  sj_span last = to;
  if (!to.text) {
    a->buffer.count = 0;
    sj_combined made = first.text ? sj_combine_values(a->context, from, 1.0, by, 1.0, &a->buffer)
                                  : sj_combine_values(a->context, by, 0.0, by, 0.0, &a->buffer);
    if (made == SJ_COMBINE_NO_MEMORY) a->memory = true;
    if (made != SJ_COMBINED) return false;
    last = keep(a);
    if (!first.text) {
      first = last;
      last = by;
      out->kind = EFFECT_ADD;
    }
  }
  if (!sj_array_push(a->context, &a->values, first) || !sj_array_push(a->context, &a->values, last)) a->memory = true;
  return !a->memory;
}

// Computes the value from the gathered values.
static bool value_at(animator *a, uint32_t e, const sj_progress *at, sj_span *out) {
  size_t index;
  double share;
  size_t count = a->values.count;
  if (count == 1) {  // towards it, or of `set`
    *out = a->values.data[0];
    return true;
  }
  if (!locate(a, e, count, at->fraction, &index, &share)) return false;
  const sj_span *v = a->values.data;
  if (index >= count) return false;
  *out = v[index];
  if (share > 0.0 && index + 1 < count) {
    a->buffer.count = 0;
    if (!sj_interpolate_values(a->context, v[index], v[index + 1], share, &a->buffer)) a->memory = true;
    *out = keep(a);
  }
  if (at->iteration > 0.0 && keyword_attribute(a, e, "accumulate", "sum")) {
    a->buffer.count = 0;
    sj_combined made = sj_combine_values(a->context, *out, 1.0, v[count - 1], at->iteration, &a->buffer);
    if (made == SJ_COMBINE_NO_MEMORY) a->memory = true;
    if (made == SJ_COMBINED) *out = keep(a);
  }
  return !a->memory;
}

static sj_atom intern(animator *a, sj_span name) {
  sj_atom atom = sj_atoms_intern(&a->document->dom->atoms, name.text, name.length);
  a->memory = a->memory || !atom;
  return atom;
}

static const sj_span transform_attribute = {"transform", 9};

static void push_effect(animator *a, const effect *e) {
  if (!a->memory && !sj_array_push(a->context, &a->effects, *e)) a->memory = true;
}

// --- kinds of animations ---

// Returns whether the element is a primitive of a filter or a part of one. The attributes that only these have are
// without sj_name.
static bool is_of_filter(const animator *a, uint32_t element) {
  sj_element kind = (sj_element)a->document->nodes.data[element].element;
  return kind >= SJ_ELEMENT_FE_BLEND && kind <= SJ_ELEMENT_FE_TURBULENCE;
}

static void animate_attribute(animator *a, effect *e, const sj_progress *at) {
  sj_span name = sj_timing_attribute(a->document, e->animation, "attributeName");
  if (!name.text) return;
  if (name.length > 6 && memcmp(name.text, "xlink:", 6) == 0) name.text += 6, name.length -= 6;
  e->name = sj_attribute_find(name.text, name.length);
  if (e->name == SJ_NAME_UNKNOWN && (!name.length || !is_of_filter(a, e->target))) return;
  // Transforms are animated by animateTransform alone.
  if (e->name == SJ_PROPERTY_TRANSFORM || e->name == SJ_ATTRIBUTE_ID || e->name == SJ_ATTRIBUTE_STYLE) return;
  e->local = intern(a, name);
  if (!gather_values(a, e->animation, at, e) || !value_at(a, e->animation, at, &e->value)) return;
  push_effect(a, e);
}

// Writes all numbers that a transform of that type has, so that those of two can be paired.
static void complete(animator *a, const char *type, sj_span *value) {
  number_list list = {*value};
  double v[3] = {0.0, 0.0, 0.0};
  int given = 0, count = *type == 'r' ? 3 : type[1] == 'k' ? 1 : 2;
  while (given < count && next_number(&list, &v[given])) given++;
  if (!given) return;
  if (given == 1 && type[1] == 'c') v[1] = v[0];
  a->buffer.count = 0;
  for (int i = 0; i < count; i++) {
    if (i) append(a, " ", 1);
    append_number(a, v[i]);
  }
  *value = keep(a);
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

static void animate_transform(animator *a, effect *e, const sj_progress *at) {
  static const char *const types[] = {"translate", "scale", "rotate", "skewX", "skewY"};
  sj_span name = sj_timing_attribute(a->document, e->animation, "attributeName");
  e->name = name.text ? sj_attribute_find(name.text, name.length) : SJ_PROPERTY_TRANSFORM;
  e->local = intern(a, name.text ? name : transform_attribute);
  if (e->name != SJ_PROPERTY_TRANSFORM && e->name != SJ_ATTRIBUTE_GRADIENT_TRANSFORM &&
      e->name != SJ_ATTRIBUTE_PATTERN_TRANSFORM)
    return;
  sj_span type = sj_timing_attribute(a->document, e->animation, "type"), value;
  size_t i = 0;
  while (type.text && i < 5 && (strlen(types[i]) != type.length || memcmp(types[i], type.text, type.length) != 0)) i++;
  if (i == 5) return;
  if (!gather_values(a, e->animation, at, e)) return;
  for (size_t n = 0; n < a->values.count && !a->memory; n++) complete(a, types[i], &a->values.data[n]);
  if (a->memory || !value_at(a, e->animation, at, &value)) return;
  if (value.length == 0) return;
  a->buffer.count = 0;
  append(a, types[i], strlen(types[i]));
  append(a, "(", 1);
  append(a, value.text, value.length);
  append(a, ")", 1);
  e->value = keep(a);
  push_effect(a, e);
}

// Returns the path data of the element that mpath refers to, or of the attribute `path`; text is NULL when there is
// neither.
static sj_span motion_data(const animator *a, uint32_t e) {
  const sj_document *document = a->document;
  for (uint32_t i = document->dom->first_child.data[e]; i != SJ_NO_ELEMENT; i = document->dom->next.data[i]) {
    if (document->nodes.data[i].element != SJ_ELEMENT_MPATH) continue;
    uint32_t target = sj_document_by_href(document, i);
    if (target == SJ_NO_ELEMENT) return (sj_span){0};
    const sj_string *d = sj_document_attribute(document, target, SJ_ATTRIBUTE_D);
    return d ? (sj_span){d->text, d->length} : (sj_span){0};
  }
  return sj_timing_attribute(document, e, "path");
}

// Finds how far along the path the target is, as a share: keyPoints say it for the times of keyTimes.
static bool motion_place(animator *a, uint32_t e, const sj_progress *at, double *out) {
  sj_span points = sj_timing_attribute(a->document, e, "keyPoints");
  *out = at->fraction;
  if (!points.text || !points.length) return true;
  a->values.count = 0;
  split_values(a, points);
  sj_span value;
  sj_progress once = *at;
  once.iteration = 0.0;  // points do not add up
  if (!a->values.count || !value_at(a, e, &once, &value)) return false;
  number_list list = {value};
  return next_number(&list, out);
}

// Finds the place and direction along path data, and where the path ends. Returns false when there is no path.
static bool along_path(animator *a, uint32_t e, sj_span data, const sj_progress *at, stijl_point *point,
                       stijl_point *direction, stijl_point *last) {
  stijl_path *path;
  double place;
  if (!sj_context_check(a->context, data.length * WORK_MOTION_BYTE)) return false;
  if (stijl_path_create(a->context, &path) != STIJL_OK) {
    a->memory = true;
    return false;
  }
  stijl_path_add_svg(path, data.text, data.length, NULL);
  stijl_point ignored;
  double length = sj_path_length(path);
  bool found = stijl_path_status(path) == STIJL_OK && !stijl_path_is_empty(path) && motion_place(a, e, at, &place) &&
               sj_path_point_at(path, place * length, point, direction) &&
               sj_path_point_at(path, length, last, &ignored);
  if (stijl_path_status(path) == STIJL_ERROR_OUT_OF_MEMORY) a->memory = true;
  stijl_path_destroy(path);
  return found;
}

static bool read_point(sj_span value, stijl_point *out) {
  number_list list = {value};
  double x, y;
  if (!next_number(&list, &x) || !next_number(&list, &y)) return false;
  *out = (stijl_point){sj_number_to_float(x), sj_number_to_float(y)};
  return true;
}

// Finds the place among values, or from `from`, `to` and `by`; those without `from` begin where the target is.
static bool among_points(animator *a, effect *e, const sj_progress *at, stijl_point *point, stijl_point *direction,
                         stijl_point *last) {
  size_t index;
  double share;
  if (!gather_values(a, e->animation, at, e)) return false;
  if (e->kind == EFFECT_TOWARDS) {
    if (!sj_array_push(a->context, &a->values, a->values.data[0])) a->memory = true;
    a->values.data[0] = (sj_span){"0,0", 3};
  }
  size_t count = a->values.count;
  if (a->memory || !locate(a, e->animation, count, at->fraction, &index, &share)) return false;
  stijl_point from, to;
  if (!read_point(a->values.data[index], &from) || !read_point(a->values.data[count - 1], last)) return false;
  size_t next = index + 1 < count ? index + 1 : index;
  if (!read_point(a->values.data[next], &to)) return false;
  float t = (float)share;
  *point = (stijl_point){from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
  if (next == index && index > 0 && !read_point(a->values.data[index - 1], &from)) return false;
  float x = to.x - from.x, y = to.y - from.y, length = sqrtf(x * x + y * y);
  *direction = length > 0.0f ? (stijl_point){x / length, y / length} : (stijl_point){0.0f, 0.0f};
  return true;
}

// Writes the values as path data, along which keyPoints lie.
static sj_span points_as_path(animator *a, effect *e, const sj_progress *at) {
  stijl_point point;
  if (!sj_timing_attribute(a->document, e->animation, "keyPoints").length || !gather_values(a, e->animation, at, e))
    return (sj_span){0};
  a->buffer.count = 0;
  if (e->kind == EFFECT_TOWARDS) append(a, "M0 0", 4);
  for (size_t i = 0; i < a->values.count; i++) {
    if (!read_point(a->values.data[i], &point)) return (sj_span){0};
    append(a, a->buffer.count ? "L" : "M", 1);
    append_number(a, (double)point.x);
    append(a, " ", 1);
    append_number(a, (double)point.y);
  }
  return keep(a);
}

static void animate_motion(animator *a, effect *e, const sj_progress *at) {
  stijl_point point, direction, last;
  sj_span data = motion_data(a, e->animation);
  if (!data.text) data = points_as_path(a, e, at);
  bool found = data.text ? along_path(a, e->animation, data, at, &point, &direction, &last)
                         : among_points(a, e, at, &point, &direction, &last);
  if (!found) return;
  if (at->iteration > 0.0 && keyword_attribute(a, e->animation, "accumulate", "sum")) {
    float times = sj_number_to_float(at->iteration);
    point = (stijl_point){point.x + last.x * times, point.y + last.y * times};
  }
  // As in Chromium, only `auto` and `auto-reverse` turn the target, an angle does not.
  bool reverse = keyword_attribute(a, e->animation, "rotate", "auto-reverse");
  bool turns = reverse || keyword_attribute(a, e->animation, "rotate", "auto");
  stijl_matrix m = stijl_matrix_translate(point.x, point.y);
  if (turns && (direction.x != 0.0f || direction.y != 0.0f)) {
    float sign = reverse ? -1.0f : 1.0f;
    m.a = m.d = sign * direction.x;
    m.b = sign * direction.y;
    m.c = -m.b;
  }
  if (!stijl_matrix_is_finite(m)) return;
  const float v[6] = {m.a, m.b, m.c, m.d, m.e, m.f};
  a->buffer.count = 0;
  append(a, "matrix(", 7);
  for (int i = 0; i < 6; i++) {
    if (i) append(a, " ", 1);
    append_number(a, (double)v[i]);
  }
  append(a, ")", 1);
  e->value = keep(a);
  e->name = SJ_PROPERTY_TRANSFORM;
  e->local = intern(a, transform_attribute);
  bool alone = sj_timing_attribute(a->document, e->animation, "by").text && e->kind == EFFECT_ADD;
  e->replaces = !alone && !keyword_attribute(a, e->animation, "additive", "sum");
  e->kind = EFFECT_PREFIX;
  push_effect(a, e);
}

static void look_at(animator *a, uint32_t element, const sj_progress *at) {
  const sj_document *document = a->document;
  const sj_node *node = &document->nodes.data[element];
  effect e = {.animation = element, .target = document->dom->parent.data[element], .begin = at->begin};
  if (sj_document_attribute(document, element, SJ_ATTRIBUTE_HREF)) e.target = sj_document_by_href(document, element);
  if (e.target == SJ_NO_ELEMENT || !document->nodes.data[e.target].is_svg) return;
  switch ((sj_element)node->element) {
    case SJ_ELEMENT_ANIMATE_MOTION: animate_motion(a, &e, at); break;
    case SJ_ELEMENT_ANIMATE_TRANSFORM: animate_transform(a, &e, at); break;
    default: animate_attribute(a, &e, at); break;
  }
}

// --- putting them in place ---

// Orders effects by target, and those of one target as SMIL's animation sandwich does (SMIL 3, 5.5.2): what begins
// later is above.
static int compare_effects(const void *left, const void *right) {
  const effect *a = left, *b = right;
  if (a->target != b->target) return a->target < b->target ? -1 : 1;
  // Motion goes before all other transforms.
  if ((a->kind == EFFECT_PREFIX) != (b->kind == EFFECT_PREFIX)) return a->kind == EFFECT_PREFIX ? 1 : -1;
  if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
  return (a->animation > b->animation) - (a->animation < b->animation);
}

// Returns the value that an effect makes of the one below; text is NULL if nothing changes.
static sj_span resulting(animator *a, const effect *e, sj_span base) {
  a->buffer.count = 0;
  bool transform = e->name == SJ_PROPERTY_TRANSFORM || e->name == SJ_ATTRIBUTE_GRADIENT_TRANSFORM ||
                   e->name == SJ_ATTRIBUTE_PATTERN_TRANSFORM;
  if (transform && e->kind == EFFECT_TOWARDS) {
    size_t length = (size_t)((const char *)memchr(e->value.text, '(', e->value.length) - e->value.text);
    sj_span to = {e->value.text + length + 1, e->value.length - length - 2};
    sj_span from = below(e->value.text, length, base.text ? base : (sj_span){"", 0});
    complete(a, e->value.text, &from);
    a->buffer.count = 0;
    append(a, e->value.text, length + 1);
    if (a->memory || !sj_interpolate_values(a->context, from, to, e->share, &a->buffer)) a->memory = true;
    append(a, ")", 1);
    return keep(a);
  }
  if (transform && base.text && e->kind != EFFECT_REPLACE) {
    sj_span first = e->kind == EFFECT_PREFIX ? e->value : base, second = e->kind == EFFECT_PREFIX ? base : e->value;
    append(a, first.text, first.length);
    append(a, " ", 1);
    append(a, second.text, second.length);
    return keep(a);
  }
  if (e->kind == EFFECT_TOWARDS) {
    if (!base.text) base = sj_underlying_value(a->document, e->target, e->name);
    if (!base.text) return e->share >= 0.5 ? e->value : base;
    if (!sj_interpolate_values(a->context, base, e->value, e->share, &a->buffer)) a->memory = true;
    return keep(a);
  }
  if (e->kind == EFFECT_ADD && !base.text) base = sj_underlying_value(a->document, e->target, e->name);
  if (e->kind != EFFECT_ADD || !base.text) return e->value;
  sj_combined made = sj_combine_values(a->context, base, 1.0, e->value, 1.0, &a->buffer);
  if (made == SJ_COMBINE_NO_MEMORY) a->memory = true;
  return made == SJ_COMBINED ? keep(a) : e->value;
}

// Returns whether an animated value becomes a declaration. That is so for properties, except for transform, whose
// attribute is read where it is used.
static bool is_declared(sj_name name) { return name < SJ_PROPERTY_COUNT && name != SJ_PROPERTY_TRANSFORM; }

static void set_attribute(animator *a, uint32_t target, const effect *e) {
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

// Applies all effects on one element.
static void apply_effects(animator *a, const effect *effects, size_t count) {
  sj_document *document = a->document;
  uint32_t target = effects[0].target;
  sj_node *node = &document->nodes.data[target];
  size_t first = document->declared.count;
  for (size_t i = 0; i < count && !a->memory; i++) {
    const effect *e = &effects[i];
    bool covered = false;
    for (size_t above = i + 1; e->kind == EFFECT_PREFIX && above < count && !covered; above++)
      covered = effects[above].replaces;
    if (covered) continue;
    if (!is_declared(e->name)) {
      set_attribute(a, target, e);
      continue;
    }
    sj_span base = {0};
    if (e->kind != EFFECT_REPLACE) base = declared_value(document, node, first, e->name);
    sj_span value = resulting(a, e, base);
    sj_declared d = {.name = (uint16_t)e->name, .value = value.text, .length = value.length};
    if (value.text && !sj_array_push(a->context, &document->declared, d)) a->memory = true;
    if (d.name == SJ_PROPERTY_MIX_BLEND_MODE) document->has_blend = true;
  }
  if (!a->memory && !sj_document_insert_run(document, node, first)) a->memory = true;
}

stijl_result sj_document_animate(sj_document *document, const sj_schedule *schedule, stijl_message *message) {
  animator a = {.document = document, .context = document->context};
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
    late = !sj_context_check(a.context, (end - i) * SJ_WORK_ELEMENT);
    i = end;
  }
  sj_array_finish(a.context, &a.effects);
  sj_array_finish(a.context, &a.values);
  sj_array_finish(a.context, &a.distances);
  sj_array_finish(a.context, &a.buffer);
  if (a.memory) return sj_fail_memory(message);
  return late ? sj_budget_spent(message) : STIJL_OK;
}
