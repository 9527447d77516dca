#include "svg/style/easing.h"

#include <math.h>

#include "svg/parse/scan.h"
#include "svg/parse/values.h"

static const struct {
  const char *name;
  double v[4];
} curves[] = {{"ease", {0.25, 0.1, 0.25, 1.0}},
              {"ease-in", {0.42, 0.0, 1.0, 1.0}},
              {"ease-out", {0.0, 0.0, 0.58, 1.0}},
              {"ease-in-out", {0.42, 0.0, 0.58, 1.0}},
              {"linear", {0.0, 0.0, 1.0, 1.0}}};
#define CURVES (sizeof curves / sizeof *curves)

static double curve(const double *v, double x) {
  // A line is exact, so that what changes in the middle does so in time.
  if (v[0] == v[1] && v[2] == v[3]) return x;
  return sj_ease_cubic(v[0], v[1], v[2], v[3], x);
}

static bool function(sj_span easing, double x, bool before, double *out);

bool sj_is_easing(sj_span span) {
  double y;
  for (size_t i = 0; i < CURVES; i++)
    if (sj_is_keyword(span.text, span.length, curves[i].name)) return true;
  return sj_is_keyword(span.text, span.length, "step-start") || sj_is_keyword(span.text, span.length, "step-end") ||
         (span.length && function(span, 0.5, false, &y));
}

// Where steps jump: at their ends, their beginnings, at both, or only between them.
typedef enum jumps { JUMP_END, JUMP_START, JUMP_BOTH, JUMP_NONE } jumps;

static double step(double count, jumps kind, double x, bool before) {
  double at = x * count, done = floor(at);
  bool starts = kind == JUMP_START || kind == JUMP_BOTH;
  if (starts) done += 1.0;
  if (before && at == floor(at)) done -= 1.0;
  double spaces = count + (kind == JUMP_BOTH ? 1.0 : kind == JUMP_NONE ? -1.0 : 0.0);
  if (x >= 0.0 && done < 0.0) done = 0.0;
  if (x <= 1.0 && done > spaces) done = spaces;
  return done / spaces;
}

static bool steps(sj_scan *s, double x, bool before, double *out) {
  static const struct {
    const char *name;
    jumps kind;
  } kinds[] = {{"end", JUMP_END},          {"jump-end", JUMP_END},   {"start", JUMP_START},
               {"jump-start", JUMP_START}, {"jump-both", JUMP_BOTH}, {"jump-none", JUMP_NONE}};
  double count;
  const char *name;
  bool comma;
  jumps kind = JUMP_END;
  if (!sj_scan_number(s, &count) || !(count >= 1.0) || count != floor(count)) return false;
  sj_scan_separator(s, &comma);
  size_t length = sj_scan_name(s, &name), i = 0;
  if (comma) {
    while (i < 6 && !sj_is_keyword(name, length, kinds[i].name)) i++;
    if (i == 6) return false;
    kind = kinds[i].kind;
  }
  sj_scan_space(s);
  if ((kind == JUMP_NONE && count < 2.0) || !sj_scan_char(s, ')') || !sj_scan_done(s)) return false;
  *out = step(count, kind, x, before);
  return true;
}

// Reads "y", "y x%", "x% y" or "y x1% x2%". Returns how many places it has, -1 where it is in error.
static int read_stop(sj_scan *s, double *y, double places[2]) {
  int count = 0;
  bool has_y = false;
  for (int i = 0; i < 3; i++) {
    double number;
    sj_scan_space(s);
    if (!sj_scan_number(s, &number)) break;
    if (sj_scan_char(s, '%')) {
      if (count == 2) return -1;
      places[count++] = number / 100.0;
    } else {
      if (has_y) return -1;
      has_y = true;
      *y = number;
    }
  }
  sj_scan_space(s);
  return has_y ? count : -1;
}

#define MAX_POINTS 256

static bool linear(sj_scan *s, double x, double *out) {
  double xs[MAX_POINTS], ys[MAX_POINTS];
  int count = 0;
  do {
    double places[2], y;
    int given = read_stop(s, &y, places);
    if (given < 0 || count + 2 > MAX_POINTS) return false;
    for (int i = 0; i < (given ? given : 1); i++) {
      xs[count] = given ? places[i] : (double)NAN;
      ys[count++] = y;
    }
  } while (sj_scan_char(s, ','));
  if (!sj_scan_char(s, ')') || !sj_scan_done(s) || count < 2) return false;
  if (isnan(xs[0])) xs[0] = 0.0;
  if (isnan(xs[count - 1])) xs[count - 1] = 1.0;
  double highest = xs[0];
  for (int i = 0; i < count; i++)
    if (!isnan(xs[i])) highest = xs[i] = fmax(highest, xs[i]);
  for (int i = 1; i < count; i++) {
    int next = i;
    while (isnan(xs[next])) next++;
    for (int k = i; k < next; k++) xs[k] = xs[i - 1] + (xs[next] - xs[i - 1]) * (k - i + 1) / (next - i + 1);
    i = next;
  }
  int at = 0;
  while (at + 2 < count && xs[at + 1] <= x) at++;
  double width = xs[at + 1] - xs[at];
  *out = width > 0.0 ? ys[at] + (ys[at + 1] - ys[at]) * (x - xs[at]) / width : x < xs[at] ? ys[at] : ys[at + 1];
  return true;
}

static bool function(sj_span easing, double x, bool before, double *out) {
  sj_scan s = {easing.text, easing.text + easing.length};
  const char *name;
  size_t length = sj_scan_name(&s, &name);
  if (!sj_scan_char(&s, '(')) return false;
  sj_scan_space(&s);
  if (sj_is_keyword(name, length, "steps")) return steps(&s, x, before, out);
  if (sj_is_keyword(name, length, "linear")) return linear(&s, x, out);
  if (!sj_is_keyword(name, length, "cubic-bezier")) return false;
  double v[4];
  bool comma;
  for (int i = 0; i < 4; i++) {
    if (!sj_scan_number(&s, &v[i])) return false;
    sj_scan_separator(&s, &comma);
  }
  if (!(v[0] >= 0.0 && v[0] <= 1.0 && v[2] >= 0.0 && v[2] <= 1.0)) return false;
  *out = curve(v, x);
  return true;
}

double sj_ease(sj_span easing, double x, bool before) {
  double y;
  for (size_t i = 0; i < CURVES; i++)
    if (sj_is_keyword(easing.text, easing.length, curves[i].name))
      return x <= 0.0 ? 0.0 : x >= 1.0 ? 1.0 : curve(curves[i].v, x);
  if (sj_is_keyword(easing.text, easing.length, "step-start")) return step(1.0, JUMP_START, x, before);
  if (sj_is_keyword(easing.text, easing.length, "step-end")) return step(1.0, JUMP_END, x, before);
  if (easing.text && function(easing, x, before, &y)) return y;
  return curve(curves[0].v, x);
}
