#include "svg/style/timing.h"

#include <math.h>
#include <string.h>

#include "geometry/number.h"
#include "svg/parse/values.h"

// How many animations are looked at to find when one begins, since each may begin when another does.
#define MAX_LOOKUPS 256
// How many times a list of `begin` or `end` may hold.
#define MAX_TIMES 256

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
static bool next_time(sj_span *list, sj_span *item) {
  if (!list->text || !list->length) return false;
  const char *close = memchr(list->text, ';', list->length);
  *item = (sj_span){list->text, close ? (size_t)(close - list->text) : list->length};
  size_t used = item->length + (close != NULL);
  list->text += used;
  list->length -= used;
  sj_trim_space(&item->text, &item->length);
  return true;
}

static bool active_interval(const sj_document *document, uint32_t element, int *budget, double *begin, double *duration,
                            double *simple);

// Reads a time that refers to another animation: "id.begin+1s" or "id.end-1s".
static bool parse_syncbase(const sj_document *document, sj_span item, int *budget, double *out) {
  const char *dot = item.length ? memchr(item.text, '.', item.length) : NULL;
  if (!dot || --*budget < 0) return false;
  const char *rest = dot + 1;
  size_t left = item.length - (size_t)(rest - item.text), name = 0;
  while (name < left && sj_is_letter(rest[name])) name++;
  bool begins = sj_is_keyword(rest, name, "begin");
  if (!begins && !sj_is_keyword(rest, name, "end")) return false;
  sj_span offset = {rest + name, left - name};
  sj_trim_space(&offset.text, &offset.length);
  double shift = 0.0, begin, duration, simple;
  if (offset.length && !parse_offset(offset, &shift)) return false;
  uint32_t base = sj_document_by_id(document, item.text, (size_t)(dot - item.text));
  if (base == SJ_NO_ELEMENT || !active_interval(document, base, budget, &begin, &duration, &simple)) return false;
  if (begin + duration <= 0.0) return false;
  *out = shift + (begins ? begin : begin + duration);
  return true;
}

// Finds the latest time of a list that is not after 0.
static bool latest_time(const sj_document *document, sj_span list, int *budget, double *out) {
  sj_span item;
  bool any = false;
  double time;
  for (int i = 0; i < MAX_TIMES && next_time(&list, &item); i++) {
    if (!parse_offset(item, &time) && !parse_syncbase(document, item, budget, &time)) continue;
    if (time > 0.0 || (any && time < *out)) continue;
    *out = time;
    any = true;
  }
  return any;
}

// Finds the interval that has begun last by time 0. Both durations may be infinite.
static bool active_interval(const sj_document *document, uint32_t element, int *budget, double *begin, double *duration,
                            double *simple) {
  sj_span list = sj_timing_attribute(document, element, "begin");
  *begin = 0.0;
  if (list.text && !latest_time(document, list, budget, begin)) return false;
  sj_span text = sj_timing_attribute(document, element, "dur");
  if (!text.text || !parse_clock(text, simple) || !(*simple > 0.0)) *simple = INFINITY;
  double count = 1.0, repeat = INFINITY;
  sj_span counts = sj_timing_attribute(document, element, "repeatCount");
  sj_span repeats = sj_timing_attribute(document, element, "repeatDur");
  bool has_repeat =
      repeats.text && (parse_clock(repeats, &repeat) || sj_is_keyword(repeats.text, repeats.length, "indefinite"));
  if (counts.text && sj_is_keyword(counts.text, counts.length, "indefinite")) {
    count = INFINITY;
  } else {
    float value;
    if (counts.text && sj_parse_number(counts.text, counts.length, &value) && value > 0.0f)
      count = (double)value;
    else if (has_repeat)
      count = INFINITY;
  }
  *duration = fmin(*simple * count, repeat);
  sj_span ends = sj_timing_attribute(document, element, "end"), item;
  double end;
  for (int i = 0; i < MAX_TIMES && next_time(&ends, &item); i++) {
    if (parse_offset(item, &end) && end >= *begin && end - *begin < *duration) *duration = end - *begin;
  }
  return true;
}

bool sj_timing_at_zero(const sj_document *document, uint32_t element, sj_progress *out) {
  double begin, duration, simple;
  int budget = MAX_LOOKUPS;
  if (!active_interval(document, element, &budget, &begin, &duration, &simple)) return false;
  double time = -begin;
  // An interval that would have ended by time 0 is left out (SMIL 3, 5.4.4), so nothing of it is frozen either.
  if (!(time < duration)) return false;
  *out = (sj_progress){.begin = begin};
  if (isfinite(simple)) {
    out->iteration = floor(time / simple);
    out->fraction = fmin((time - out->iteration * simple) / simple, 1.0);
  }
  return true;
}
