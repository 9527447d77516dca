#include "svg/parse/values.h"

#include <float.h>

#include "geometry/number.h"
#include "svg/parse/calc.h"
#include "svg/parse/scan.h"

// --- scanning ---

bool sj_scan_space(sj_scan *s) {
  const char *start = s->at;
  while (s->at < s->end) {
    if (sj_is_space(*s->at)) {
      s->at++;
    } else if (s->end - s->at >= 2 && s->at[0] == '/' && s->at[1] == '*') {
      s->at += 2;
      while (s->end - s->at >= 2 && !(s->at[0] == '*' && s->at[1] == '/')) s->at++;
      s->at = s->end - s->at >= 2 ? s->at + 2 : s->end;
    } else {
      break;
    }
  }
  return s->at != start;
}

bool sj_scan_word(sj_scan *s, const char **word, size_t *length) {
  sj_scan_space(s);
  *word = s->at;
  for (int depth = 0; s->at < s->end && (depth > 0 || !sj_is_space(*s->at)); s->at++)
    depth += *s->at == '(' ? 1 : *s->at == ')' ? -1 : 0;
  *length = (size_t)(s->at - *word);
  return *length > 0;
}

bool sj_scan_char(sj_scan *s, char c) {
  if (s->at == s->end || *s->at != c) return false;
  s->at++;
  return true;
}

bool sj_scan_separator(sj_scan *s, bool *comma) {
  const char *start = s->at;
  sj_scan_space(s);
  *comma = sj_scan_char(s, ',');
  if (*comma) sj_scan_space(s);
  return s->at != start;
}

size_t sj_scan_name(sj_scan *s, const char **name) {
  const char *start = s->at;
  while (s->at < s->end && (sj_is_letter(*s->at) || *s->at == '-' || (s->at > start && sj_is_digit(*s->at)))) s->at++;
  *name = start;
  return (size_t)(s->at - start);
}

// Returns whether text is a number and a dot behind it. SVG 1.1 allows such a dot; CSS asks for a digit behind it, but
// programs write such values (graphviz: stop-opacity="1."), and nothing else can be meant. Path data, where browsers
// stop at such a dot, is not read here.
static bool ends_in_dot(const char *number, size_t length, const char *end) {
  if (number + length == end || number[length] != '.') return false;
  for (size_t i = 0; i < length; i++)
    if (!sj_is_digit(number[i]) && (i || (number[i] != '+' && number[i] != '-'))) return false;
  return true;
}

bool sj_scan_number(sj_scan *s, double *out) {
  double value;
  size_t used = sj_number_parse(s->at, (size_t)(s->end - s->at), &value);
  if (!used) return false;
  s->at += used + ends_in_dot(s->at, used, s->end);
  const double limit = (double)FLT_MAX;
  *out = value > limit ? limit : value < -limit ? -limit : value;
  return true;
}

bool sj_scan_dimension(sj_scan *s, double *out, const char **unit, size_t *unit_length) {
  if (!sj_scan_number(s, out)) return false;
  *unit = s->at;
  if (!sj_scan_char(s, '%')) {
    // A unit has no hyphen, as "10px-5" is two values in SVG's lists.
    while (s->at < s->end && sj_is_letter(*s->at)) s->at++;
  }
  *unit_length = (size_t)(s->at - *unit);
  return true;
}

static sj_scan scan_begin(const char *text, size_t length) {
  sj_scan s = {text, text + length};
  sj_scan_space(&s);
  return s;
}

// Returns whether nothing but space is left.
static bool scan_end(sj_scan *s) {
  sj_scan_space(s);
  return sj_scan_done(s);
}

// --- text ---

void sj_trim(const char **text, size_t *length) {
  sj_scan s = scan_begin(*text, *length);
  // The end of a comment cannot be recognised backwards. So the text is scanned forwards, and `end` is where the last
  // thing ends that is neither space nor comment.
  const char *start = s.at, *end = s.at;
  while (!sj_scan_done(&s)) {
    if (*s.at == '"' || *s.at == '\'') {
      char quote = *s.at++;
      while (!sj_scan_done(&s) && *s.at != quote) s.at++;
      if (!sj_scan_done(&s)) s.at++;
      end = s.at;
    } else if (!sj_scan_space(&s)) {
      end = ++s.at;
    }
  }
  *text = start;
  *length = (size_t)(end - start);
}

void sj_trim_space(const char **text, size_t *length) {
  while (*length && sj_is_space(**text)) ++*text, --*length;
  while (*length && sj_is_space((*text)[*length - 1])) --*length;
}

bool sj_is_keyword(const char *text, size_t length, const char *keyword) {
  for (size_t i = 0; i < length; i++) {
    if (keyword[i] == 0 || sj_to_lower(text[i]) != keyword[i]) return false;
  }
  return keyword[length] == 0;
}

bool sj_is_wide_keyword(const char *text, size_t length) {
  return sj_is_among("inherit initial unset revert revert-layer", text, length);
}

// --- numbers and lengths ---

static const struct {
  const char *name;
  sj_unit unit;
} units[] = {
    {"", SJ_UNIT_NONE},     {"%", SJ_UNIT_PERCENT}, {"px", SJ_UNIT_PX},   {"in", SJ_UNIT_IN}, {"cm", SJ_UNIT_CM},
    {"mm", SJ_UNIT_MM},     {"q", SJ_UNIT_Q},       {"pt", SJ_UNIT_PT},   {"pc", SJ_UNIT_PC}, {"em", SJ_UNIT_EM},
    {"ex", SJ_UNIT_EX},     {"ch", SJ_UNIT_CH},     {"rem", SJ_UNIT_REM}, {"vw", SJ_UNIT_VW}, {"vh", SJ_UNIT_VH},
    {"vmin", SJ_UNIT_VMIN}, {"vmax", SJ_UNIT_VMAX},
};

bool sj_length_unit(const char *name, size_t length, sj_unit *out) {
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    if (!sj_is_keyword(name, length, units[i].name)) continue;
    *out = units[i].unit;
    return true;
  }
  return false;
}

bool sj_scan_length(sj_scan *s, sj_length *out) {
  sj_scan start = *s;
  double value;
  const char *unit;
  size_t unit_length;
  sj_unit found;
  if (sj_scan_dimension(s, &value, &unit, &unit_length)) {
    if (sj_length_unit(unit, unit_length, &found)) {
      *out = (sj_length){.value = (float)value, .unit = found};
      return true;
    }
  } else {
    sj_calc_value calc;
    // Here only the kind of the result matters. It does not depend on what 100% is, so any number does.
    if (sj_scan_calc(s, NULL, 100.0, &calc) && (calc.kind == SJ_CALC_LENGTH || calc.kind == SJ_CALC_PERCENT)) {
      *out = (sj_length){.unit = SJ_UNIT_CALC, .calc = start.at, .calc_length = (size_t)(s->at - start.at)};
      return true;
    }
  }
  *s = start;
  return false;
}

// Scans a number, which calc() may make. *percent is set where it is a percentage.
static bool scan_any_number(sj_scan *s, double *out, bool *percent) {
  sj_calc_value calc;
  *percent = false;
  if (sj_scan_number(s, out)) {
    *percent = sj_scan_char(s, '%');
    return true;
  }
  if (!sj_scan_calc(s, NULL, 1.0, &calc)) return false;
  *percent = calc.kind == SJ_CALC_PERCENT;
  *out = calc.value;
  return *percent || calc.kind == SJ_CALC_NUMBER;
}

bool sj_parse_number(const char *text, size_t length, float *out) {
  sj_scan s = scan_begin(text, length);
  double value;
  bool percent;
  if (!scan_any_number(&s, &value, &percent) || percent || !scan_end(&s)) return false;
  *out = (float)value;
  return true;
}

bool sj_parse_number_or_percent(const char *text, size_t length, float *out) {
  sj_scan s = scan_begin(text, length);
  double value;
  bool percent;
  if (!scan_any_number(&s, &value, &percent) || !scan_end(&s)) return false;
  if (percent) value /= 100.0;
  *out = (float)value;
  return true;
}

bool sj_parse_length(const char *text, size_t length, sj_length *out) {
  sj_scan s = scan_begin(text, length);
  sj_length value;
  if (!sj_scan_length(&s, &value) || !scan_end(&s)) return false;
  *out = value;
  return true;
}

bool sj_angle_to_degrees(double value, const char *unit, size_t unit_length, double *degrees) {
  if (unit_length == 0 || sj_is_keyword(unit, unit_length, "deg")) {
    *degrees = value;
  } else if (sj_is_keyword(unit, unit_length, "grad")) {
    *degrees = value * 0.9;
  } else if (sj_is_keyword(unit, unit_length, "rad")) {
    *degrees = value * 57.29577951308232;  // 180 / pi
  } else if (sj_is_keyword(unit, unit_length, "turn")) {
    *degrees = value * 360.0;
  } else {
    return false;
  }
  return true;
}

bool sj_parse_angle(const char *text, size_t length, float *degrees) {
  sj_scan s = scan_begin(text, length);
  double value;
  const char *unit;
  size_t unit_length;
  sj_calc_value calc;
  if (sj_scan_calc(&s, NULL, 0.0, &calc)) {
    if (calc.kind != SJ_CALC_ANGLE || !scan_end(&s)) return false;
    value = calc.value;
  } else if (!sj_scan_dimension(&s, &value, &unit, &unit_length) || !scan_end(&s) ||
             !sj_angle_to_degrees(value, unit, unit_length, &value)) {
    return false;
  }
  *degrees = sj_number_to_float(value);
  return true;
}

static double font_unit(const sj_font_units *u, sj_unit unit) {
  return u->find ? (double)u->find(u->fonts, u->style, unit) : 0.5;
}

float sj_length_pixels(sj_length length, const sj_length_base *base, float hundred_percent) {
  double v = (double)length.value, dpi = (double)base->dpi;
  double w = (double)base->viewport_width, h = (double)base->viewport_height;
  if (length.unit >= SJ_UNIT_VW && length.unit <= SJ_UNIT_VMAX && base->viewport_met) *base->viewport_met = true;
  switch (length.unit) {
    case SJ_UNIT_NONE:
    case SJ_UNIT_PX: break;
    case SJ_UNIT_PERCENT: v = v / 100.0 * (double)hundred_percent; break;
    case SJ_UNIT_IN: v = v * dpi; break;
    case SJ_UNIT_CM: v = v * dpi / 2.54; break;
    case SJ_UNIT_MM: v = v * dpi / 25.4; break;
    case SJ_UNIT_Q: v = v * dpi / 101.6; break;
    case SJ_UNIT_PT: v = v * dpi / 72.0; break;
    case SJ_UNIT_PC: v = v * dpi / 6.0; break;
    case SJ_UNIT_EM: v = v * (double)base->font_size; break;
    case SJ_UNIT_EX:
    case SJ_UNIT_CH: v = v * (double)base->font_size * font_unit(&base->font_units, length.unit); break;
    case SJ_UNIT_REM: v = v * (double)base->root_font_size; break;
    case SJ_UNIT_VW: v = v / 100.0 * w; break;
    case SJ_UNIT_VH: v = v / 100.0 * h; break;
    case SJ_UNIT_VMIN: v = v / 100.0 * (w < h ? w : h); break;
    case SJ_UNIT_VMAX: v = v / 100.0 * (w > h ? w : h); break;
    case SJ_UNIT_CALC: {
      sj_scan s = {length.calc, length.calc + length.calc_length};
      sj_calc_value value = {0};
      if (!sj_scan_calc(&s, base, (double)hundred_percent, &value)) break;
      v = value.kind == SJ_CALC_PERCENT ? value.value / 100.0 * (double)hundred_percent : value.value;
      break;
    }
  }
  return sj_number_to_float(v);
}

// How many bytes of a list are read between two charges of the budget.
#define LIST_LOOK 4096

sj_list sj_list_begin(stijl_budget *budget, const char *text, size_t length) {
  sj_scan s = scan_begin(text, length);
  return (sj_list){.cursor = s.at, .end = s.end, .charged = s.at, .budget = budget};
}

static bool list_charge(sj_list *list) {
  size_t bytes = (size_t)(list->cursor - list->charged);
  list->charged = list->cursor;
  return sj_budget_check(list->budget, bytes * SJ_WORK_BYTE);
}

// Moves to the next value; returns false at the end. A comma must have a value behind it.
static bool list_advance(sj_list *list, sj_scan *s) {
  if (!list->failed && list->cursor - list->charged >= LIST_LOOK) list->failed = !list_charge(list);
  if (list->failed) return false;
  *s = (sj_scan){list->cursor, list->end};
  bool comma = false;
  if (list->started) sj_scan_separator(s, &comma);
  list->started = true;
  if (sj_scan_done(s)) {
    list->cursor = s->at;
    list->failed = comma || !list_charge(list);
    return false;
  }
  return true;
}

bool sj_list_next_length(sj_list *list, sj_length *out) {
  sj_scan s;
  if (!list_advance(list, &s)) return false;
  list->failed = !sj_scan_length(&s, out);
  list->cursor = s.at;
  return !list->failed;
}

bool sj_list_next_number(sj_list *list, float *out) {
  sj_scan s;
  if (!list_advance(list, &s)) return false;
  double value;
  list->failed = !sj_scan_number(&s, &value);
  list->cursor = s.at;
  if (list->failed) return false;
  *out = (float)value;
  return true;
}
