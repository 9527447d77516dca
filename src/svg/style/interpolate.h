// Computes values between two values, as text, for animations.
#ifndef SJ_SVG_STYLE_INTERPOLATE_H
#define SJ_SVG_STYLE_INTERPOLATE_H

#include "base/array.h"
#include "svg/parse/values.h"

typedef struct sj_span {
  const char *text;  // NULL: no value
  size_t length;
} sj_span;

static inline bool sj_span_is(sj_span span, const char *keyword) {
  return span.text && sj_is_keyword(span.text, span.length, keyword);
}

typedef SJ_ARRAY(char) sj_span_buffer;

typedef enum sj_combined {
  SJ_COMBINED,
  SJ_NOT_ALIKE,  // the values differ in more than their numbers
  SJ_COMBINE_NO_MEMORY
} sj_combined;

// Appends weight_a * a + weight_b * b, computed number by number; of colours, by their components.
sj_combined sj_combine_values(stijl_context *context, sj_span a, double weight_a, sj_span b, double weight_b,
                              sj_span_buffer *out);
// Does the same, but makes a calc() of lengths of different units.
sj_combined sj_combine_lengths(stijl_context *context, sj_span a, double weight_a, sj_span b, double weight_b,
                               sj_span_buffer *out);
// Appends the value at `t` of the way from a to b. Values that are not alike change halfway. Returns false when memory
// is short.
bool sj_interpolate_values(stijl_context *context, sj_span a, sj_span b, double t, sj_span_buffer *out);
// Returns how far apart two values are, by their numbers; of colours, by their components. -1 for values that are not
// alike.
double sj_value_distance(sj_span a, sj_span b);
// Appends the functions of a transform with numbers that do nothing (CSS Transforms 2, 13): "rotate(9deg)" becomes
// "rotate(0deg)", and "scale(2)" "scale(1)". `factors`: numbers outside of functions scale, too. Returns false when
// memory is short.
bool sj_identity_value(stijl_context *context, sj_span like, bool factors, sj_span_buffer *out);
bool sj_span_append(stijl_context *context, sj_span_buffer *out, const char *text, size_t length);
// Appends a number with nine digits, with a decimal point in every locale.
bool sj_span_append_number(stijl_context *context, sj_span_buffer *out, double value);

// Returns the y of a cubic curve from (0, 0) to (1, 1) with these control points, at x. x1 and x2 are from 0 to 1 (CSS
// Easing 1, 2.3).
double sj_ease_cubic(double x1, double y1, double x2, double y2, double x);

#endif
