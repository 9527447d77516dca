#include <math.h>
#include <string.h>

#include "geometry/number.h"
#include "svg/parse/values.h"
#include "svg/style/animator.h"

// An animation has at most this many values.
#define MAX_VALUES 4096

// Copies the text in the buffer to memory that lives as long as the document.
sj_span sj_animator_keep(sj_animator *a) {
  char *text = sj_arena_text(&a->document->arena, a->buffer.data ? a->buffer.data : "", a->buffer.count);
  if (!text) a->memory = true;
  return (sj_span){text, text ? a->buffer.count : 0};
}

void sj_animator_append(sj_animator *a, const char *text, size_t length) {
  if (!sj_span_append(a->context, &a->buffer, text, length)) a->memory = true;
}

void sj_animator_append_number(sj_animator *a, double value) {
  if (!sj_span_append_number(a->context, &a->buffer, value)) a->memory = true;
}

bool sj_animator_keyword(const sj_animator *a, uint32_t e, const char *name, const char *keyword) {
  sj_span text = sj_timing_attribute(a->document, e, name);
  return text.text && sj_is_keyword(text.text, text.length, keyword);
}

// --- the value of one animation ---

void sj_animator_split(sj_animator *a, sj_span list) {
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

bool sj_number_list_next(sj_number_list *list, double *out) {
  const char *at = list->left.text, *end = at + list->left.length;
  while (at < end && (sj_is_space(*at) || *at == ';' || *at == ',')) at++;
  size_t used = at < end ? sj_number_parse(at, (size_t)(end - at), out) : 0;
  list->left = (sj_span){at + used, (size_t)(end - at) - used};
  return used > 0;
}

typedef enum calc_mode { CALC_DISCRETE, CALC_LINEAR, CALC_PACED, CALC_SPLINE } calc_mode;

static calc_mode calc_mode_of(const sj_animator *a, uint32_t e) {
  static const char *const names[] = {"discrete", "linear", "paced", "spline"};
  sj_element kind = (sj_element)a->document->nodes.data[e].element;
  sj_span text = sj_timing_attribute(a->document, e, "calcMode");
  for (int i = 0; i < 4 && text.text; i++)
    if (sj_is_keyword(text.text, text.length, names[i])) return (calc_mode)i;
  return kind == SJ_ELEMENT_ANIMATE_MOTION ? CALC_PACED : CALC_LINEAR;
}

// Finds where `fraction` lies among times that are given, as sj_animator_locate() does.
static bool locate_by_times(sj_span times, bool discrete, size_t count, double fraction, size_t *index, double *share) {
  sj_number_list list = {times};
  double time, last = 0.0, from = 0.0, to = 1.0;
  size_t n = 0;
  for (; sj_number_list_next(&list, &time); n++) {
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
static bool locate_by_distance(sj_animator *a, size_t count, double fraction, size_t *index, double *share) {
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
bool sj_animator_locate(sj_animator *a, uint32_t e, size_t count, double fraction, size_t *index, double *share) {
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
  sj_number_list list = {splines};
  double v[4], own[4] = {0.0, 0.0, 1.0, 1.0};
  for (size_t i = 0; i + 1 < count; i++) {
    for (int k = 0; k < 4; k++)
      if (!splines.text || !sj_number_list_next(&list, &v[k]) || v[k] < 0.0 || v[k] > 1.0) return false;
    if (i == *index) memcpy(own, v, sizeof own);
  }
  if (*share > 0.0 && *share < 1.0) *share = sj_ease_cubic(own[0], own[1], own[2], own[3], *share);
  return true;
}

// Gathers the animation's values, from its attribute `values`, or from `from`, `to` and `by`, and sets what kind of
// effect it has. Returns false when it is in error or changes nothing.
bool sj_animator_gather(sj_animator *a, uint32_t e, const sj_progress *at, sj_animation_effect *out) {
  const sj_document *document = a->document;
  sj_span values = sj_timing_attribute(document, e, "values"), from = sj_timing_attribute(document, e, "from");
  sj_span to = sj_timing_attribute(document, e, "to"), by = sj_timing_attribute(document, e, "by");
  a->values.count = 0;
  out->kind = sj_animator_keyword(a, e, "additive", "sum") ? SJ_EFFECT_ADD : SJ_EFFECT_REPLACE;
  if (document->nodes.data[e].element == SJ_ELEMENT_SET) {
    if (!to.text) return false;
    out->kind = SJ_EFFECT_REPLACE;
    return sj_array_push(a->context, &a->values, to) || !(a->memory = true);
  }
  if (values.text) {
    sj_animator_split(a, values);
    return a->values.count > 0 && !a->memory;
  }
  sj_span first = from;
  if (!from.text && to.text) {
    // It begins with the value below, so it changes nothing at its very start.
    size_t index;
    out->kind = SJ_EFFECT_TOWARDS;
    if (!sj_animator_locate(a, e, 2, at->fraction, &index, &out->share)) return false;
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
    last = sj_animator_keep(a);
    if (!first.text) {
      first = last;
      last = by;
      out->kind = SJ_EFFECT_ADD;
    }
  }
  if (!sj_array_push(a->context, &a->values, first) || !sj_array_push(a->context, &a->values, last)) a->memory = true;
  return !a->memory;
}

// Computes the value from the gathered values.
bool sj_animator_value(sj_animator *a, uint32_t e, const sj_progress *at, sj_span *out) {
  size_t index;
  double share;
  size_t count = a->values.count;
  if (count == 1) {  // towards it, or of `set`
    *out = a->values.data[0];
    return true;
  }
  if (!sj_animator_locate(a, e, count, at->fraction, &index, &share)) return false;
  const sj_span *v = a->values.data;
  if (index >= count) return false;
  *out = v[index];
  if (share > 0.0 && index + 1 < count) {
    a->buffer.count = 0;
    if (!sj_interpolate_values(a->context, v[index], v[index + 1], share, &a->buffer)) a->memory = true;
    *out = sj_animator_keep(a);
  }
  if (at->iteration > 0.0 && sj_animator_keyword(a, e, "accumulate", "sum")) {
    a->buffer.count = 0;
    sj_combined made = sj_combine_values(a->context, *out, 1.0, v[count - 1], at->iteration, &a->buffer);
    if (made == SJ_COMBINE_NO_MEMORY) a->memory = true;
    if (made == SJ_COMBINED) *out = sj_animator_keep(a);
  }
  return !a->memory;
}

sj_atom sj_animator_intern(sj_animator *a, sj_span name) {
  sj_atom atom = sj_atoms_intern(&a->document->dom->atoms, name.text, name.length);
  a->memory = a->memory || !atom;
  return atom;
}

void sj_animator_push(sj_animator *a, const sj_animation_effect *e) {
  if (!a->memory && !sj_array_push(a->context, &a->effects, *e)) a->memory = true;
}
