#include "svg/style/syntax.h"

#include <math.h>
#include <string.h>

#include "base/ascii.h"
#include "svg/parse/scan.h"
#include "svg/parse/values.h"

static bool is_length(sj_span v, bool percent) {
  sj_length length;
  if (!sj_parse_length(v.text, v.length, &length)) return false;
  if (length.unit == SJ_UNIT_PERCENT) return percent;
  return length.unit != SJ_UNIT_NONE || length.value == 0.0f;
}

static bool takes_length(sj_span v) { return is_length(v, false); }
static bool takes_length_percentage(sj_span v) { return is_length(v, true); }

static bool takes_percentage(sj_span v) {
  sj_length length;
  return sj_parse_length(v.text, v.length, &length) && length.unit == SJ_UNIT_PERCENT;
}

static bool takes_number(sj_span v) {
  float number;
  return sj_parse_number(v.text, v.length, &number);
}

static bool takes_integer(sj_span v) {
  for (size_t i = 0; i < v.length; i++)
    if (v.text[i] == '.' || v.text[i] == 'e' || v.text[i] == 'E') return false;
  return takes_number(v);
}

static bool takes_angle(sj_span v) {
  float degrees;
  return sj_parse_angle(v.text, v.length, &degrees) && !takes_number(v);
}

static bool has_unit(sj_span v, const char *const *units) {
  sj_scan s = {v.text, v.text + v.length};
  double number;
  const char *unit;
  size_t length;
  if (!sj_scan_dimension(&s, &number, &unit, &length) || !sj_scan_done(&s)) return false;
  for (; *units; units++)
    if (sj_is_keyword(unit, length, *units)) return true;
  return false;
}

static bool takes_time(sj_span v) { return has_unit(v, (const char *const[]){"s", "ms", NULL}); }
static bool takes_resolution(sj_span v) { return has_unit(v, (const char *const[]){"dpi", "dpcm", "dppx", "x", NULL}); }

static bool takes_color(sj_span v) {
  sj_color_kind kind;
  stijl_color color;
  return sj_parse_color(v.text, v.length, NULL, &kind, &color);
}

// Returns whether the value is a function of one of these names.
static bool is_function(sj_span v, const char *names) {
  const char *open = v.length ? memchr(v.text, '(', v.length) : NULL;
  return open && open + 1 < v.text + v.length && v.text[v.length - 1] == ')' &&
         sj_is_among(names, v.text, (size_t)(open - v.text));
}

static bool takes_url(sj_span v) { return is_function(v, "url"); }

static bool takes_image(sj_span v) {
  return is_function(v,
                     "url image image-set cross-fade element linear-gradient radial-gradient conic-gradient "
                     "repeating-linear-gradient repeating-radial-gradient repeating-conic-gradient");
}

static bool takes_transform(sj_span v) {
  const sj_length_base base = {.font_size = 16.0f, .root_font_size = 16.0f, .dpi = 96.0f};
  stijl_matrix matrix;
  return sj_parse_css_transform(v.text, v.length, &base, 0.0f, 0.0f, &matrix);
}

static bool takes_string(sj_span v) {
  return v.length > 1 && (*v.text == '"' || *v.text == '\'') && v.text[v.length - 1] == *v.text;
}

static bool takes_word(sj_span v) {
  for (size_t i = 0; i < v.length; i++) {
    unsigned char c = (unsigned char)v.text[i];
    bool letter = (c | 32) >= 'a' && (c | 32) <= 'z', digit = c >= '0' && c <= '9';
    if (!letter && c != '_' && c != '-' && c < 128 && (i == 0 || !digit)) return false;
  }
  return v.length > 0;
}

static const struct {
  const char *name;
  bool (*takes)(sj_span value);
} types[] = {{"<angle>", takes_angle},
             {"<color>", takes_color},
             {"<custom-ident>", takes_word},
             {"<image>", takes_image},
             {"<integer>", takes_integer},
             {"<length>", takes_length},
             {"<length-percentage>", takes_length_percentage},
             {"<number>", takes_number},
             {"<percentage>", takes_percentage},
             {"<resolution>", takes_resolution},
             {"<string>", takes_string},
             {"<time>", takes_time},
             {"<transform-function>", takes_transform},
             {"<transform-list>", takes_transform},
             {"<url>", takes_url}};

bool sj_next_part(sj_span *left, char separator, sj_span *part) {
  sj_trim_space(&left->text, &left->length);
  if (!left->length) return false;
  size_t i = 0;
  int open = 0;
  for (char quote = 0; i < left->length; i++) {
    char c = left->text[i];
    if (quote) {
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (!open && (separator ? c == separator : sj_is_space(c))) break;
    open += (c == '(') - (c == ')');
  }
  *part = (sj_span){left->text, i};
  sj_trim_space(&part->text, &part->length);
  if (separator && i < left->length) i++;
  left->text += i;
  left->length -= i;
  return true;
}

// Takes a multiplier from the end of a component; 0: it has none.
static char take_multiplier(sj_span *component) {
  char last = component->length ? component->text[component->length - 1] : 0;
  if (last != '+' && last != '#') return 0;
  component->length--;
  return last;
}

static size_t find_type(sj_span component) {
  size_t count = sizeof types / sizeof *types, i = 0;
  while (i < count &&
         (strlen(types[i].name) != component.length || memcmp(types[i].name, component.text, component.length) != 0))
    i++;
  return i;
}

static bool is_any(sj_span syntax) {
  sj_trim_space(&syntax.text, &syntax.length);
  return syntax.length == 1 && *syntax.text == '*';
}

bool sj_syntax_is_valid(sj_span syntax) {
  sj_span component;
  if (is_any(syntax)) return true;
  bool any = false;
  while (sj_next_part(&syntax, '|', &component)) {
    take_multiplier(&component);
    any = true;
    if (find_type(component) == sizeof types / sizeof *types && !takes_word(component)) return false;
  }
  return any;
}

static bool component_takes(sj_span component, sj_span value) {
  size_t type = find_type(component);
  if (type < sizeof types / sizeof *types) return types[type].takes(value);
  return component.length == value.length && memcmp(component.text, value.text, value.length) == 0;
}

bool sj_syntax_takes(sj_span syntax, sj_span value) {
  sj_span component, item;
  if (is_any(syntax)) return true;
  sj_trim_space(&value.text, &value.length);
  while (sj_next_part(&syntax, '|', &component)) {
    char multiplier = take_multiplier(&component);
    sj_span left = value;
    bool takes = value.length > 0;
    if (!multiplier) takes = takes && component_takes(component, value);
    while (multiplier && takes && sj_next_part(&left, multiplier == '#' ? ',' : 0, &item))
      takes = component_takes(component, item);
    if (takes) return true;
  }
  return false;
}
