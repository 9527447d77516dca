#include "svg/style/timing.h"

#include <math.h>
#include <string.h>

#include "geometry/number.h"
#include "svg/parse/values.h"

sj_span sj_timing_attribute(const sj_document *document, uint32_t element, const char *name) {
  const sj_string *a = sj_dom_get(document->dom, element, name);
  if (!a) return (sj_span){0};
  sj_span span = {a->text, a->length};
  sj_trim_space(&span.text, &span.length);
  return span;
}

// Reads a clock value (SMIL 3, 5.4.3) in seconds: "5", "5s", "5ms", "5min", "5h", "1:30", "1:00:30.5".
static bool parse_clock(sj_span span, double *out) {
  static const struct {
    const char *name;
    double seconds;
  } units[] = {{"", 1.0}, {"s", 1.0}, {"ms", 0.001}, {"min", 60.0}, {"h", 3600.0}};
  const char *at = span.text, *end = at + span.length;
  double sum = 0.0, part;
  for (int parts = 0; parts < 3; parts++) {
    if (at == end || !(sj_is_digit(*at) || *at == '.')) return false;
    size_t used = sj_number_parse(at, (size_t)(end - at), &part);
    if (!used) return false;
    at += used;
    sum = sum * 60.0 + part;
    if (at < end && *at == ':') {
      at++;
      continue;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
      if (!sj_is_keyword(at, (size_t)(end - at), units[i].name)) continue;
      *out = sum * units[i].seconds;
      return i == 0 || parts == 0;
    }
    return false;
  }
  return false;
}

// Reads a clock value with a sign, which space may follow.
static bool parse_offset(sj_span span, double *out) {
  bool negative = span.length && *span.text == '-';
  if (span.length && (*span.text == '-' || *span.text == '+')) {
    span.text++, span.length--;
    sj_trim_space(&span.text, &span.length);
  }
  if (!parse_clock(span, out)) return false;
  if (negative) *out = -*out;
  return true;
}

// Takes the next item of a list with semicolons, trimmed. Returns false at the end.
bool sj_timing_next(sj_span *list, sj_span *item) {
  if (!list->text || !list->length) return false;
  const char *close = memchr(list->text, ';', list->length);
  *item = (sj_span){list->text, close ? (size_t)(close - list->text) : list->length};
  size_t used = item->length + (close != NULL);
  list->text += used;
  list->length -= used;
  sj_trim_space(&item->text, &item->length);
  return true;
}

bool sj_timing_parse_time(const sj_document *document, sj_span item, sj_timing_time *out) {
  *out = (sj_timing_time){.kind = SJ_TIMING_OFFSET};
  if (sj_is_keyword(item.text, item.length, "indefinite")) {
    out->offset = INFINITY;
    return true;
  }
  if (parse_offset(item, &out->offset)) return true;
  const char *dot = item.length ? memchr(item.text, '.', item.length) : NULL;
  if (!dot) return false;
  const char *rest = dot + 1;
  size_t left = item.length - (size_t)(rest - item.text), name = 0;
  while (name < left && sj_is_letter(rest[name])) name++;
  sj_span offset = {rest + name, left - name};
  if (sj_is_keyword(rest, name, "begin")) {
    out->kind = SJ_TIMING_BEGIN;
  } else if (sj_is_keyword(rest, name, "end")) {
    out->kind = SJ_TIMING_END;
  } else if (sj_is_keyword(rest, name, "repeat") && offset.length && *offset.text == '(') {
    const char *close = memchr(offset.text, ')', offset.length);
    size_t length = close ? (size_t)(close - offset.text) : 0;
    if (length < 2 || sj_number_parse(offset.text + 1, length - 1, &out->repeat) != length - 1) return false;
    if (!(out->repeat >= 1.0) || out->repeat != floor(out->repeat)) return false;
    out->kind = SJ_TIMING_REPEAT;
    offset = (sj_span){close + 1, offset.length - length - 1};
  } else {
    return false;
  }
  sj_trim_space(&offset.text, &offset.length);
  // A number right behind the name would need a sign.
  if (offset.length && *offset.text != '+' && *offset.text != '-') return false;
  if (offset.length && !parse_offset(offset, &out->offset)) return false;
  out->base = sj_document_by_id(document, item.text, (size_t)(dot - item.text));
  return out->base != SJ_NO_ELEMENT &&
         sj_element_is((sj_element)document->nodes.data[out->base].element, SJ_IS_ANIMATION);
}

bool sj_timing_is_event(sj_span item) {
  double offset;
  return item.length && !parse_offset(item, &offset) && sj_is_letter(*item.text) &&
         !sj_is_keyword(item.text, item.length, "indefinite");
}

static bool has_keyword(const sj_document *document, uint32_t element, const char *name, const char *keyword) {
  sj_span text = sj_timing_attribute(document, element, name);
  return text.text && sj_is_keyword(text.text, text.length, keyword);
}

sj_timing sj_timing_of(const sj_document *document, uint32_t element) {
  sj_timing t = {.simple = INFINITY, .count = 1.0, .repeat = INFINITY, .min = 0.0, .max = INFINITY};
  sj_span text = sj_timing_attribute(document, element, "dur");
  t.has_duration = text.text && parse_clock(text, &t.simple) && t.simple > 0.0;
  if (!t.has_duration) t.simple = INFINITY;
  text = sj_timing_attribute(document, element, "repeatDur");
  bool repeats = text.text && parse_clock(text, &t.repeat) && t.repeat > 0.0;
  if (!repeats) t.repeat = INFINITY;
  repeats = repeats || has_keyword(document, element, "repeatDur", "indefinite");
  text = sj_timing_attribute(document, element, "repeatCount");
  double count;
  bool counted = text.text && sj_number_parse(text.text, text.length, &count) == text.length && count > 0.0;
  if (counted) {
    t.count = count;
  } else if (has_keyword(document, element, "repeatCount", "indefinite")) {
    t.count = INFINITY;
    counted = true;
  } else if (repeats) {
    t.count = INFINITY;
  }
  t.has_duration = t.has_duration || repeats || counted;
  text = sj_timing_attribute(document, element, "min");
  if (text.text && !parse_clock(text, &t.min)) t.min = 0.0;
  text = sj_timing_attribute(document, element, "max");
  if (text.text && (!parse_clock(text, &t.max) || !(t.max > 0.0))) t.max = INFINITY;
  if (t.min > t.max) t.min = 0.0, t.max = INFINITY;
  t.freeze = has_keyword(document, element, "fill", "freeze");
  t.restart = has_keyword(document, element, "restart", "never")           ? SJ_RESTART_NEVER
              : has_keyword(document, element, "restart", "whennotactive") ? SJ_RESTART_WHEN_NOT_ACTIVE
                                                                           : SJ_RESTART_ALWAYS;
  return t;
}

double sj_timing_repeating(const sj_timing *t) {
  return isfinite(t->simple) ? fmin(t->simple * t->count, t->repeat) : t->repeat;
}

double sj_timing_active_end(const sj_timing *t, double begin, double end) {
  double active = end - begin;
  if (t->has_duration || !isfinite(end)) active = fmin(active, sj_timing_repeating(t));
  return begin + fmin(t->max, fmax(t->min, active));
}

sj_progress sj_timing_progress(const sj_timing *t, double begin, double end, double time) {
  sj_progress p = {.begin = begin};
  if (!isfinite(t->simple)) return p;
  double active = time - begin, repeating = sj_timing_repeating(t);
  bool last = time >= end || active > repeating;
  if (last) active = time >= end ? fmin(end - begin, repeating) : repeating;
  p.iteration = floor(active / t->simple);
  double rest = active - p.iteration * t->simple;
  // What has ended stands at the end of its last iteration, not at the beginning of the next.
  if (last && p.iteration > 0.0 && rest < 1e-9 * t->simple) {
    p.iteration -= 1.0;
    rest = t->simple;
  } else if (rest > t->simple * (1.0 - 1e-12) && !last) {
    // The quotient was rounded down.
    p.iteration += 1.0;
    rest = 0.0;
  }
  p.fraction = fmin(fmax(rest / t->simple, 0.0), 1.0);
  return p;
}
