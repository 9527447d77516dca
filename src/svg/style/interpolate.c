#include "svg/style/interpolate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geometry/number.h"
#include "svg/parse/scan.h"
#include "svg/parse/values.h"

bool sj_span_append(stijl_context *context, sj_span_buffer *out, const char *text, size_t length) {
  if (length == 0) return true;
  if (!sj_array_reserve(context, out, length)) return false;
  memcpy(out->data + out->count, text, length);
  out->count += length;
  return true;
}

bool sj_span_append_number(stijl_context *context, sj_span_buffer *out, double value) {
  char text[40];
  int length = snprintf(text, sizeof text, "%.9g", value);
  for (int i = 0; i < length; i++) {
    // The decimal point that snprintf writes depends on the locale.
    if (!sj_is_digit(text[i]) && text[i] != '-' && text[i] != '+' && text[i] != 'e') text[i] = '.';
  }
  return sj_span_append(context, out, text, (size_t)length);
}

static bool is_separator(char c) { return sj_is_space(c) || c == ','; }

static void skip_separators(const char **at, const char *end) {
  while (*at < end && is_separator(**at)) ++*at;
}

// Reads the number at the cursor and returns its length; 0 when there is none.
static size_t number_at(const char *at, const char *end, double *out) {
  return at < end ? sj_number_parse(at, (size_t)(end - at), out) : 0;
}

// Returns the length of the CSS unit at the cursor. A single letter is no unit: in path data a command may follow a
// number.
static size_t unit_at(const char *at, const char *end) {
  size_t length = 0;
  if (at < end && *at == '%') return 1;
  while (at + length < end && sj_is_letter(at[length])) length++;
  double degrees;
  sj_unit unit;
  bool known = length > 1 && (sj_length_unit(at, length, &unit) || sj_angle_to_degrees(0.0, at, length, &degrees));
  return known ? length : 0;
}

static bool color_value(sj_span span, stijl_color *out) {
  sj_color_kind kind;
  return sj_parse_color(span.text, span.length, NULL, &kind, out) && kind == SJ_COLOR_RGBA;
}

static sj_combined combine_colors(stijl_context *context, const stijl_color *a, double weight_a, const stijl_color *b,
                                  double weight_b, sj_span_buffer *out) {
  // What is between two colours is so with their alpha multiplied in (CSS Color 4, 12.3).
  double of_a = weight_a * (double)a->a, of_b = weight_b * (double)b->a, alpha = of_a + of_b;
  double whole = weight_a + weight_b == 1.0 ? alpha : 1.0;
  if (weight_a + weight_b != 1.0) of_a = weight_a, of_b = weight_b;
  double scale = whole > 0.0 ? 1.0 / whole : 0.0;
  double v[4] = {scale * (of_a * (double)a->r + of_b * (double)b->r),
                 scale * (of_a * (double)a->g + of_b * (double)b->g),
                 scale * (of_a * (double)a->b + of_b * (double)b->b), alpha};
  bool memory = sj_span_append(context, out, "rgba(", 5);
  for (int i = 0; i < 4; i++) {
    memory = memory && sj_span_append_number(context, out, i < 3 ? v[i] * 255.0 : v[i]);
    memory = memory && sj_span_append(context, out, i < 3 ? "," : ")", 1);
  }
  return memory ? SJ_COMBINED : SJ_COMBINE_NO_MEMORY;
}

sj_combined sj_combine_values(stijl_context *context, sj_span a, double weight_a, sj_span b, double weight_b,
                              sj_span_buffer *out) {
  stijl_color color_a, color_b;
  if (color_value(a, &color_a) && color_value(b, &color_b)) {
    return combine_colors(context, &color_a, weight_a, &color_b, weight_b, out);
  }
  size_t kept = out->count;
  const char *at = a.text, *end = at + a.length, *other = b.text, *other_end = other + b.length;
  bool memory = true, after_number = false;
  while (memory) {
    const char *start = at;
    skip_separators(&at, end);
    skip_separators(&other, other_end);
    if (at == end || other == other_end) break;
    if (at > start) memory = sj_span_append(context, out, start, (size_t)(at - start));
    double x, y;
    size_t length = number_at(at, end, &x), other_length = number_at(other, other_end, &y);
    if (length && other_length) {
      if (after_number && at == start) memory = memory && sj_span_append(context, out, " ", 1);
      // A number that does not change is copied as it is written, since the flags of arcs may be followed by digits
      // without a space.
      bool same = weight_a + weight_b == 1.0 && length == other_length && memcmp(at, other, length) == 0;
      memory = memory && (same ? sj_span_append(context, out, at, length)
                               : sj_span_append_number(context, out, weight_a * x + weight_b * y));
      at += length;
      other += other_length;
      after_number = true;
      size_t unit = unit_at(at, end), other_unit = unit_at(other, other_end);
      // Zero needs no unit beside a value that has one, and numbers of attributes are pixels.
      bool pixels = other_unit == 2 && memcmp(other, "px", 2) == 0, own_pixels = unit == 2 && memcmp(at, "px", 2) == 0;
      if (!unit && other_unit && (x == 0.0 || pixels)) {
        memory = memory && sj_span_append(context, out, other, other_unit);
        other += other_unit;
      } else if (unit && !other_unit && (y == 0.0 || own_pixels)) {
        memory = memory && sj_span_append(context, out, at, unit);
        at += unit;
      }
      continue;
    }
    after_number = false;
    // Digits behind a "#" are no number, so the name is compared whole.
    size_t count = 1;
    if (*at == '#')
      while (at + count < end && !is_separator(at[count]) && at[count] != ')') count++;
    if ((size_t)(other_end - other) < count || memcmp(at, other, count) != 0) break;
    memory = memory && sj_span_append(context, out, at, count);
    at += count;
    other += count;
  }
  if (!memory) return SJ_COMBINE_NO_MEMORY;
  if (at == end && other == other_end) return SJ_COMBINED;
  out->count = kept;
  return SJ_NOT_ALIKE;
}

sj_combined sj_combine_lengths(stijl_context *context, sj_span a, double weight_a, sj_span b, double weight_b,
                               sj_span_buffer *out) {
  sj_combined made = sj_combine_values(context, a, weight_a, b, weight_b, out);
  sj_length length;
  if (made != SJ_NOT_ALIKE || !sj_parse_length(a.text, a.length, &length) ||
      !sj_parse_length(b.text, b.length, &length))
    return made;
  const sj_span terms[2] = {a, b};
  const double weights[2] = {weight_a, weight_b};
  bool memory = sj_span_append(context, out, "calc(", 5);
  for (int i = 0; i < 2; i++) {
    memory =
        memory && sj_span_append(context, out, "(", 1) && sj_span_append(context, out, terms[i].text, terms[i].length);
    memory = memory && sj_span_append(context, out, ") * ", 4) && sj_span_append_number(context, out, weights[i]);
    memory = memory && sj_span_append(context, out, i ? ")" : " + ", i ? 1 : 3);
  }
  return memory ? SJ_COMBINED : SJ_COMBINE_NO_MEMORY;
}

bool sj_interpolate_values(stijl_context *context, sj_span a, sj_span b, double t, sj_span_buffer *out) {
  if (t == 0.0) return sj_span_append(context, out, a.text, a.length);
  if (t == 1.0) return sj_span_append(context, out, b.text, b.length);
  sj_combined result = sj_combine_lengths(context, a, 1.0 - t, b, t, out);
  if (result != SJ_NOT_ALIKE) return result == SJ_COMBINED;
  sj_span nearer = t < 0.5 ? a : b;
  return sj_span_append(context, out, nearer.text, nearer.length);
}

double sj_value_distance(sj_span a, sj_span b) {
  stijl_color color_a, color_b;
  if (color_value(a, &color_a) && color_value(b, &color_b)) {
    double r = (double)(color_a.r - color_b.r), g = (double)(color_a.g - color_b.g),
           blue = (double)(color_a.b - color_b.b);
    return sqrt(r * r + g * g + blue * blue);
  }
  const char *at = a.text, *end = at + a.length, *other = b.text, *other_end = other + b.length;
  double sum = 0.0, x, y;
  for (;;) {
    skip_separators(&at, end);
    skip_separators(&other, other_end);
    if (at == end || other == other_end) break;
    size_t length = number_at(at, end, &x), other_length = number_at(other, other_end, &y);
    if (!length || !other_length) return -1.0;
    sum += (x - y) * (x - y);
    at += length;
    other += other_length;
    at += unit_at(at, end);
    other += unit_at(other, other_end);
  }
  return at == end && other == other_end ? sqrt(sum) : -1.0;
}

bool sj_identity_value(stijl_context *context, sj_span like, bool factors, sj_span_buffer *out) {
  bool matrix = false, memory = true;
  int index = 0;
  sj_scan s = {like.text, like.text + like.length};
  while (memory && s.at < s.end) {
    const char *start = s.at, *name;
    double number;
    size_t length = number_at(s.at, s.end, &number);
    if (length) {
      s.at += length;
      memory = sj_span_append(context, out, factors || (matrix && index % 3 == 0) ? "1" : "0", 1);
      index++;
      continue;
    }
    length = sj_scan_name(&s, &name);
    if (!length) s.at++;
    if (length && s.at < s.end && *s.at == '(') {
      factors = length >= 5 && sj_is_keyword(name, 5, "scale");
      matrix = sj_is_keyword(name, length, "matrix");
      index = 0;
    }
    memory = sj_span_append(context, out, start, (size_t)(s.at - start));
  }
  return memory;
}

double sj_ease_cubic(double x1, double y1, double x2, double y2, double x) {
  double low = 0.0, high = 1.0;
  // x grows with t, since x1 and x2 lie within 0..1, so t is found by bisection.
  for (int i = 0; i < 50; i++) {
    double t = 0.5 * (low + high), s = 1.0 - t;
    if (3.0 * s * s * t * x1 + 3.0 * s * t * t * x2 + t * t * t < x)
      low = t;
    else
      high = t;
  }
  double t = 0.5 * (low + high), s = 1.0 - t;
  return 3.0 * s * s * t * y1 + 3.0 * s * t * t * y2 + t * t * t;
}
