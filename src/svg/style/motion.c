#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "geometry/arc_length.h"
#include "geometry/number.h"
#include "svg/parse/values.h"
#include "svg/style/animator.h"

#define WORK_MOTION_BYTE 20  // per byte of a path, which is read, measured, and walked along

// Returns the path data of the element that mpath refers to, or of the attribute `path`; text is NULL when there is
// neither.
static sj_span motion_data(const sj_animator *a, uint32_t e) {
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
static bool motion_place(sj_animator *a, uint32_t e, const sj_progress *at, double *out) {
  sj_span points = sj_timing_attribute(a->document, e, "keyPoints");
  *out = at->fraction;
  if (!points.text || !points.length) return true;
  a->values.count = 0;
  sj_animator_split(a, points);
  sj_span value;
  sj_progress once = *at;
  once.iteration = 0.0;  // points do not add up
  if (!a->values.count || !sj_animator_value(a, e, &once, &value)) return false;
  sj_number_list list = {value};
  return sj_number_list_next(&list, out);
}

// Finds the place and direction along path data, and where the path ends. Returns false when there is no path.
static bool along_path(sj_animator *a, uint32_t e, sj_span data, const sj_progress *at, stijl_point *point,
                       stijl_point *direction, stijl_point *last) {
  stijl_path *path;
  sj_measured_path measured = {0};
  double place;
  if (!sj_context_check(a->context, data.length * WORK_MOTION_BYTE)) return false;
  if (stijl_path_create(a->context, &path) != STIJL_OK) {
    a->memory = true;
    return false;
  }
  stijl_path_add_svg(path, data.text, data.length, NULL);
  stijl_point ignored;
  bool fits = stijl_path_status(path) != STIJL_ERROR_OUT_OF_MEMORY && sj_path_measure(a->context, path, &measured);
  if (!fits) a->memory = true;
  bool found = fits && stijl_path_status(path) == STIJL_OK && motion_place(a, e, at, &place) &&
               sj_measured_point_at(&measured, place * measured.length, point, direction) &&
               sj_measured_point_at(&measured, measured.length, last, &ignored);
  sj_measured_finish(a->context, &measured);
  stijl_path_destroy(path);
  return found;
}

static bool read_point(sj_span value, stijl_point *out) {
  sj_number_list list = {value};
  double x, y;
  if (!sj_number_list_next(&list, &x) || !sj_number_list_next(&list, &y)) return false;
  *out = (stijl_point){sj_number_to_float(x), sj_number_to_float(y)};
  return true;
}

// Finds the place among values, or from `from`, `to` and `by`; those without `from` begin where the target is.
static bool among_points(sj_animator *a, sj_animation_effect *e, const sj_progress *at, stijl_point *point,
                         stijl_point *direction, stijl_point *last) {
  size_t index;
  double share;
  if (!sj_animator_gather(a, e->animation, at, e)) return false;
  if (e->kind == SJ_EFFECT_TOWARDS) {
    if (!sj_array_push(a->context, &a->values, a->values.data[0])) a->memory = true;
    a->values.data[0] = (sj_span){"0,0", 3};
  }
  size_t count = a->values.count;
  if (a->memory || !sj_animator_locate(a, e->animation, count, at->fraction, &index, &share)) return false;
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
static sj_span points_as_path(sj_animator *a, sj_animation_effect *e, const sj_progress *at) {
  stijl_point point;
  if (!sj_timing_attribute(a->document, e->animation, "keyPoints").length ||
      !sj_animator_gather(a, e->animation, at, e))
    return (sj_span){0};
  a->buffer.count = 0;
  if (e->kind == SJ_EFFECT_TOWARDS) sj_animator_append(a, "M0 0", 4);
  for (size_t i = 0; i < a->values.count; i++) {
    if (!read_point(a->values.data[i], &point)) return (sj_span){0};
    sj_animator_append(a, a->buffer.count ? "L" : "M", 1);
    sj_animator_append_number(a, (double)point.x);
    sj_animator_append(a, " ", 1);
    sj_animator_append_number(a, (double)point.y);
  }
  return sj_animator_keep(a);
}

void sj_animate_motion(sj_animator *a, sj_animation_effect *e, const sj_progress *at) {
  stijl_point point, direction, last;
  sj_span data = motion_data(a, e->animation);
  if (!data.text) data = points_as_path(a, e, at);
  bool found = data.text ? along_path(a, e->animation, data, at, &point, &direction, &last)
                         : among_points(a, e, at, &point, &direction, &last);
  if (!found) return;
  if (at->iteration > 0.0 && sj_animator_keyword(a, e->animation, "accumulate", "sum")) {
    float times = sj_number_to_float(at->iteration);
    point = (stijl_point){point.x + last.x * times, point.y + last.y * times};
  }
  // As in Chromium, only `auto` and `auto-reverse` turn the target, an angle does not.
  bool reverse = sj_animator_keyword(a, e->animation, "rotate", "auto-reverse");
  bool turns = reverse || sj_animator_keyword(a, e->animation, "rotate", "auto");
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
  sj_animator_append(a, "matrix(", 7);
  for (int i = 0; i < 6; i++) {
    if (i) sj_animator_append(a, " ", 1);
    sj_animator_append_number(a, (double)v[i]);
  }
  sj_animator_append(a, ")", 1);
  e->value = sj_animator_keep(a);
  e->name = SJ_PROPERTY_TRANSFORM;
  e->local = sj_animator_intern(a, (sj_span){"transform", 9});
  bool alone = sj_timing_attribute(a->document, e->animation, "by").text && e->kind == SJ_EFFECT_ADD;
  e->replaces = !alone && !sj_animator_keyword(a, e->animation, "additive", "sum");
  e->kind = SJ_EFFECT_PREFIX;
  sj_animator_push(a, e);
}
