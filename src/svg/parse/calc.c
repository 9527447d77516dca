// Computes the functions calc(), min(), max() and clamp() (CSS Values 4, 10): sums and products of numbers, lengths,
// percentages and angles.

#include "svg/parse/calc.h"

#include <math.h>

#include "geometry/number.h"

// How deep brackets may be nested, and how many values a calculation may have.
#define MAX_DEPTH 32
#define MAX_VALUES 10000

typedef struct calculation {
  sj_scan scan;
  const sj_length_base *base;
  double hundred;
  const sj_calc_channels *channels;
  int depth, values;
} calculation;

static bool sum(calculation *c, sj_calc_value *out);

static const char *const functions[] = {"calc", "min", "max", "clamp"};
enum { CALC, MIN, MAX, CLAMP, FUNCTION_COUNT };

// Scans the name of a function and its opening parenthesis; FUNCTION_COUNT if no known one is at the cursor.
static int scan_function(sj_scan *s) {
  sj_scan start = *s;
  const char *name;
  size_t length = sj_scan_name(s, &name);
  for (int i = 0; i < FUNCTION_COUNT; i++) {
    if (length && sj_is_keyword(name, length, functions[i]) && sj_scan_char(s, '(')) return i;
  }
  *s = start;
  return FUNCTION_COUNT;
}

// Converts two values to one kind if possible: a percentage beside a length becomes a length.
static bool agree(const calculation *c, sj_calc_value *a, sj_calc_value *b) {
  if (a->kind == b->kind) return true;
  sj_calc_value *percent = a->kind == SJ_CALC_PERCENT ? a : b, *length = percent == a ? b : a;
  if (percent->kind != SJ_CALC_PERCENT || length->kind != SJ_CALC_LENGTH) return false;
  *percent = (sj_calc_value){SJ_CALC_LENGTH, percent->value / 100.0 * c->hundred};
  return true;
}

// Computes the function whose arguments are at the cursor.
static bool arguments(calculation *c, int function, sj_calc_value *out) {
  sj_calc_value low = {0}, next;
  int count = 0;
  do {
    if (!sum(c, &next)) return false;
    if (count++ == 0) {
      *out = low = next;
      continue;
    }
    if (!agree(c, out, &next) || !agree(c, &low, &next) || !agree(c, out, &next)) return false;
    // clamp(low, value, high) is max(low, min(value, high)).
    if (function == MIN) out->value = fmin(out->value, next.value);
    if (function == MAX) out->value = fmax(out->value, next.value);
    if (function == CLAMP) out->value = count == 2 ? next.value : fmax(low.value, fmin(out->value, next.value));
  } while (sj_scan_char(&c->scan, ','));
  return function == CALC ? count == 1 : function != CLAMP || count == 3;
}

static bool leaf(calculation *c, sj_calc_value *out) {
  double value;
  const char *unit;
  size_t length;
  if (c->values++ == MAX_VALUES) return false;
  if (!sj_scan_dimension(&c->scan, &value, &unit, &length)) {
    length = sj_scan_name(&c->scan, &unit);
    if (c->channels && sj_calc_channel(c->channels, unit, length, &value)) {
      *out = (sj_calc_value){SJ_CALC_NUMBER, value};
      return true;
    }
    bool pi = sj_is_keyword(unit, length, "pi");
    *out = (sj_calc_value){SJ_CALC_NUMBER, pi ? 3.14159265358979323846 : 2.71828182845904523536};
    return pi || sj_is_keyword(unit, length, "e");
  }
  double degrees;
  sj_length pixels;
  if (length == 0) {
    *out = (sj_calc_value){SJ_CALC_NUMBER, value};
  } else if (*unit == '%') {
    *out = (sj_calc_value){SJ_CALC_PERCENT, value};
  } else if (sj_length_unit(unit, length, &pixels.unit)) {
    // Only the factor is computed in float, so that no digit of the value is lost.
    pixels.value = 1.0f;
    *out = (sj_calc_value){SJ_CALC_LENGTH, value * (double)sj_length_pixels(pixels, c->base, 0.0f)};
  } else if (sj_angle_to_degrees(value, unit, length, &degrees)) {
    *out = (sj_calc_value){SJ_CALC_ANGLE, degrees};
  } else {
    return false;
  }
  return true;
}

static bool factor(calculation *c, sj_calc_value *out) {
  sj_scan_space(&c->scan);
  int function = sj_scan_char(&c->scan, '(') ? CALC : scan_function(&c->scan);
  if (function == FUNCTION_COUNT) return leaf(c, out);
  if (c->depth++ == MAX_DEPTH || !arguments(c, function, out)) return false;
  c->depth--;
  return sj_scan_char(&c->scan, ')') || sj_scan_done(&c->scan);
}

static bool product(calculation *c, sj_calc_value *out) {
  if (!factor(c, out)) return false;
  for (;;) {
    sj_scan before = c->scan;
    sj_scan_space(&c->scan);
    bool times = sj_scan_char(&c->scan, '*');
    if (!times && !sj_scan_char(&c->scan, '/')) {
      c->scan = before;  // white space is left, since a sum needs it before its operator
      return true;
    }
    sj_calc_value next;
    if (!factor(c, &next)) return false;
    if (next.kind == SJ_CALC_NUMBER) {
      out->value = times ? out->value * next.value : out->value / next.value;
    } else if (times && out->kind == SJ_CALC_NUMBER) {
      *out = (sj_calc_value){next.kind, out->value * next.value};
    } else {
      return false;
    }
  }
}

static bool sum(calculation *c, sj_calc_value *out) {
  if (!product(c, out)) return false;
  for (;;) {
    // White space on both sides tells the operator from a sign.
    bool space = sj_scan_space(&c->scan);
    bool plus = sj_scan_char(&c->scan, '+');
    if (!plus && !sj_scan_char(&c->scan, '-')) return true;
    sj_calc_value next;
    if (!space || !sj_scan_space(&c->scan) || !product(c, &next) || !agree(c, out, &next)) return false;
    out->value += plus ? next.value : -next.value;
  }
}

bool sj_scan_is_calc(const sj_scan *s) {
  sj_scan copy = *s;
  return scan_function(&copy) != FUNCTION_COUNT;
}

bool sj_calc_channel(const sj_calc_channels *channels, const char *name, size_t length, double *out) {
  for (int i = 0; i < 3; i++) {
    if (length != 1 || sj_to_lower(*name) != channels->letters[i]) continue;
    *out = channels->values[i];
    return true;
  }
  *out = channels->values[3];
  return sj_is_keyword(name, length, "alpha");
}

static bool scan(sj_scan *s, const sj_length_base *base, double hundred_percent, const sj_calc_channels *channels,
                 sj_calc_value *out) {
  static const sj_length_base any = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f, NULL, {0}};
  if (!sj_scan_is_calc(s)) return false;
  calculation c = {.scan = *s, .base = base ? base : &any, .hundred = hundred_percent, .channels = channels};
  sj_calc_value value;
  if (!factor(&c, &value)) return false;
  // CSS Values 4, 10.9: not a number counts as 0, infinity as the largest number there is.
  if (value.value != value.value) value.value = 0.0;
  value.value = (double)sj_number_to_float(value.value);
  *out = value;
  *s = c.scan;
  return true;
}

bool sj_scan_calc(sj_scan *s, const sj_length_base *base, double hundred_percent, sj_calc_value *out) {
  return scan(s, base, hundred_percent, NULL, out);
}

bool sj_scan_calc_of_channels(sj_scan *s, const sj_calc_channels *channels, sj_calc_value *out) {
  return scan(s, NULL, 100.0, channels, out);
}
