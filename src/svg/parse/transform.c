// Parses transforms, viewBox and preserveAspectRatio.
#include "geometry/number.h"
#include "svg/parse/calc.h"
#include "svg/parse/scan.h"
#include "svg/parse/values.h"

// The kinds of arguments that a function may have.
typedef enum argument_kind { NUMBER, ANGLE, LENGTH_X, LENGTH_Y } argument_kind;

typedef struct argument {
  double value;
  const char *text, *unit;  // the number starts at `text`
  size_t unit_length;
  sj_scan calc;  // if not empty, the argument is this calc(), and the fields above are not used
} argument;

// What units and percentages of the CSS grammar are resolved by.
typedef struct css_reference {
  const sj_length_base *base;
  float box_width, box_height;
} css_reference;

typedef enum transform_function {
  MATRIX,
  TRANSLATE,
  TRANSLATE_X,
  TRANSLATE_Y,
  SCALE,
  SCALE_X,
  SCALE_Y,
  ROTATE,
  SKEW,
  SKEW_X,
  SKEW_Y
} transform_function;

#define MAX_ARGUMENTS 6

static const struct function_info {
  const char *name;
  transform_function function;
  bool css_only;
  int min, max;
  argument_kind kinds[MAX_ARGUMENTS];
} functions[] = {
    {"matrix", MATRIX, false, 6, 6, {NUMBER, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER}},
    {"translate", TRANSLATE, false, 1, 2, {LENGTH_X, LENGTH_Y}},
    {"translatex", TRANSLATE_X, true, 1, 1, {LENGTH_X}},
    {"translatey", TRANSLATE_Y, true, 1, 1, {LENGTH_Y}},
    {"scale", SCALE, false, 1, 2, {NUMBER, NUMBER}},
    {"scalex", SCALE_X, true, 1, 1, {NUMBER}},
    {"scaley", SCALE_Y, true, 1, 1, {NUMBER}},
    {"rotate", ROTATE, false, 1, 3, {ANGLE, LENGTH_X, LENGTH_Y}},
    {"skew", SKEW, true, 1, 2, {ANGLE, ANGLE}},
    {"skewx", SKEW_X, false, 1, 1, {ANGLE}},
    {"skewy", SKEW_Y, false, 1, 1, {ANGLE}},
};

static const struct function_info *find_function(const char *name, size_t length, bool css) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (sj_is_keyword(name, length, functions[i].name)) return css || !functions[i].css_only ? &functions[i] : NULL;
  }
  return NULL;
}

// Scans the arguments and the closing parenthesis. Returns how many there are, or -1 when they are malformed.
static int scan_arguments(sj_scan *s, argument *out) {
  int count = 0;
  sj_scan_space(s);
  bool comma = false;
  while (!sj_scan_char(s, ')')) {
    if (count == MAX_ARGUMENTS) return -1;
    argument *a = &out[count++];
    a->text = s->at;
    a->calc = (sj_scan){0};
    sj_scan start = *s;
    sj_calc_value value;
    if (sj_scan_calc(s, NULL, 100.0, &value)) {
      a->calc = (sj_scan){start.at, s->at};
    } else if (!sj_scan_dimension(s, &a->value, &a->unit, &a->unit_length)) {
      return -1;
    }
    sj_scan_separator(s, &comma);
  }
  return comma ? -1 : count;
}

// Converts an argument to pixels, degrees or a plain number. Where `css` is NULL units are not allowed.
static bool resolve(const argument *a, argument_kind kind, const css_reference *css, float *out) {
  if (a->calc.at) {
    sj_scan scan = a->calc;
    sj_calc_value v;
    float hundred = !css || kind == ANGLE ? 0.0f
                    : kind == NUMBER      ? 1.0f
                    : kind == LENGTH_X    ? css->box_width
                                          : css->box_height;
    if (!css || !sj_scan_calc(&scan, css->base, (double)hundred, &v)) return false;
    *out = (float)(v.kind == SJ_CALC_PERCENT ? v.value / 100.0 * (double)hundred : v.value);
    if (kind == ANGLE) return v.kind == SJ_CALC_ANGLE;
    if (kind == NUMBER) return v.kind == SJ_CALC_NUMBER || v.kind == SJ_CALC_PERCENT;
    return v.kind == SJ_CALC_LENGTH || v.kind == SJ_CALC_PERCENT;
  }
  if (a->unit_length == 0) {
    // In CSS a length or angle other than zero has a unit.
    if (css && kind != NUMBER && a->value != 0.0) return false;
    *out = (float)a->value;
    return true;
  }
  if (!css) return false;
  if (kind == ANGLE) {
    double degrees;
    if (!sj_angle_to_degrees(a->value, a->unit, a->unit_length, &degrees)) return false;
    *out = sj_number_to_float(degrees);
    return true;
  }
  if (kind == NUMBER) {
    // CSS Transforms 2: scale() takes percentages.
    *out = (float)(a->value / 100.0);
    return *a->unit == '%';
  }
  sj_length length;
  if (!sj_parse_length(a->text, (size_t)(a->unit - a->text) + a->unit_length, &length)) return false;
  *out = sj_length_pixels(length, css->base, kind == LENGTH_X ? css->box_width : css->box_height);
  return true;
}

static stijl_matrix make_matrix(transform_function function, const float *v, int count) {
  switch (function) {
    case MATRIX: return (stijl_matrix){v[0], v[1], v[2], v[3], v[4], v[5]};
    case TRANSLATE: return stijl_matrix_translate(v[0], count > 1 ? v[1] : 0.0f);
    case TRANSLATE_X: return stijl_matrix_translate(v[0], 0.0f);
    case TRANSLATE_Y: return stijl_matrix_translate(0.0f, v[0]);
    case SCALE: return stijl_matrix_scale(v[0], count > 1 ? v[1] : v[0]);
    case SCALE_X: return stijl_matrix_scale(v[0], 1.0f);
    case SCALE_Y: return stijl_matrix_scale(1.0f, v[0]);
    case ROTATE: {
      stijl_matrix m = stijl_matrix_rotate(v[0]);
      if (count == 1) return m;
      m = stijl_matrix_multiply(stijl_matrix_translate(v[1], v[2]), m);
      return stijl_matrix_multiply(m, stijl_matrix_translate(-v[1], -v[2]));
    }
    case SKEW: return stijl_matrix_skew(v[0], count > 1 ? v[1] : 0.0f);
    case SKEW_X: return stijl_matrix_skew(v[0], 0.0f);
    case SKEW_Y: return stijl_matrix_skew(0.0f, v[0]);
  }
  return stijl_matrix_identity();
}

// Parses a list of transforms. Where `css` is NULL the grammar is the attribute's (SVG 1.1, 7.6), in which functions
// may be separated by space or a comma or not at all.
static bool parse_list(sj_scan s, const css_reference *css, stijl_matrix *out) {
  stijl_matrix m = stijl_matrix_identity();
  sj_scan_space(&s);
  bool comma = false;
  while (!sj_scan_done(&s)) {
    const char *name;
    size_t name_length = sj_scan_name(&s, &name);
    const struct function_info *info = find_function(name, name_length, css != NULL);
    if (!info) return false;
    // CSS wants the parenthesis right behind the name.
    if (!css) sj_scan_space(&s);
    if (!sj_scan_char(&s, '(')) return false;
    argument arguments[MAX_ARGUMENTS];
    int count = scan_arguments(&s, arguments);
    if (count < info->min || count > info->max || (info->function == ROTATE && count == 2)) return false;
    float v[MAX_ARGUMENTS];
    for (int i = 0; i < count; i++) {
      if (!resolve(&arguments[i], info->kinds[i], css, &v[i])) return false;
    }
    m = stijl_matrix_multiply(m, make_matrix(info->function, v, count));
    sj_scan_separator(&s, &comma);
  }
  if (comma) return false;
  // skewX(90), and a product too large for floats, draw nothing, like every matrix without an inverse.
  *out = stijl_matrix_is_finite(m) ? m : (stijl_matrix){0};
  return true;
}

bool sj_parse_transform(const char *text, size_t length, stijl_matrix *out) {
  return parse_list((sj_scan){text, text + length}, NULL, out);
}

bool sj_parse_css_transform(const char *text, size_t length, const sj_length_base *base, float box_width,
                            float box_height, stijl_matrix *out) {
  const css_reference css = {base, box_width, box_height};
  sj_trim(&text, &length);
  if (sj_is_keyword(text, length, "none")) {
    *out = stijl_matrix_identity();
    return true;
  }
  return length > 0 && parse_list((sj_scan){text, text + length}, &css, out);
}

// --- translate, rotate, scale ---

bool sj_parse_translate(const char *text, size_t length, const sj_length_base *base, float box_width, float box_height,
                        stijl_matrix *out) {
  sj_list list = sj_list_begin(NULL, text, length);
  sj_length v[3] = {{0}};
  int count = 0;
  while (count < 3 && sj_list_next_length(&list, &v[count])) count++;
  if (!count || list.failed || list.cursor < list.end) return false;
  *out = stijl_matrix_translate(sj_length_pixels(v[0], base, box_width), sj_length_pixels(v[1], base, box_height));
  return true;
}

// Parses an angle, which "z" may precede or follow. Other axes are not supported, since they turn the picture out of
// its plane.
bool sj_parse_rotate(const char *text, size_t length, stijl_matrix *out) {
  sj_trim(&text, &length);
  if (length > 2 && sj_to_lower(text[0]) == 'z' && sj_is_space(text[1]))
    text++, length--;
  else if (length > 2 && sj_to_lower(text[length - 1]) == 'z' && sj_is_space(text[length - 2]))
    length--;
  float degrees;
  if (!sj_parse_angle(text, length, &degrees)) return false;
  *out = stijl_matrix_rotate(degrees);
  return true;
}

bool sj_parse_scale(const char *text, size_t length, stijl_matrix *out) {
  float v[3];
  int count = 0;
  const char *word;
  for (sj_scan s = {text, text + length}; sj_scan_word(&s, &word, &length); count++)
    if (count == 3 || !sj_parse_number_or_percent(word, length, &v[count])) return false;
  if (!count) return false;
  *out = stijl_matrix_scale(v[0], count > 1 ? v[1] : v[0]);
  return true;
}

// --- transform-origin ---

typedef enum origin_axis { AXIS_ANY, AXIS_X, AXIS_Y } origin_axis;

static bool scan_origin(sj_scan *s, sj_length *out, origin_axis *axis) {
  static const struct {
    const char *name;
    float percent;
    origin_axis axis;
  } keywords[] = {{"left", 0.0f, AXIS_X},
                  {"right", 100.0f, AXIS_X},
                  {"top", 0.0f, AXIS_Y},
                  {"bottom", 100.0f, AXIS_Y},
                  {"center", 50.0f, AXIS_ANY}};
  // A length is for the axis of its position. Only keywords may come in the other order.
  *axis = AXIS_ANY;
  if (sj_scan_length(s, out)) return sj_scan_space(s) || sj_scan_done(s);
  const char *start;
  size_t length;
  sj_scan_word(s, &start, &length);
  sj_scan_space(s);
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
    if (sj_is_keyword(start, length, keywords[i].name)) {
      *out = (sj_length){.value = keywords[i].percent, .unit = SJ_UNIT_PERCENT};
      *axis = keywords[i].axis;
      return true;
    }
  }
  return false;
}

bool sj_parse_transform_origin(const char *text, size_t length, sj_length *x, sj_length *y) {
  sj_trim(&text, &length);
  sj_scan s = {text, text + length};
  sj_length values[3] = {
      {.value = 50.0f, .unit = SJ_UNIT_PERCENT}, {.value = 50.0f, .unit = SJ_UNIT_PERCENT}, {.unit = SJ_UNIT_NONE}};
  origin_axis axes[3] = {AXIS_ANY, AXIS_ANY, AXIS_ANY};
  bool keyword[3] = {false, false, false};
  int count = 0;
  for (; !sj_scan_done(&s); count++) {
    if (count == 3) return false;
    keyword[count] = sj_is_letter(*s.at) && !sj_scan_is_calc(&s);
    if (!scan_origin(&s, &values[count], &axes[count])) return false;
  }
  if (count == 0) return false;
  if (count == 3 && (keyword[2] || values[2].unit == SJ_UNIT_PERCENT)) return false;
  bool swapped = axes[0] == AXIS_Y || axes[1] == AXIS_X;
  if (swapped) {
    // Only keywords may come in the other order: "top left", "top center", but not "top 10px".
    if (axes[0] == AXIS_X || axes[1] == AXIS_Y || (count > 1 && (!keyword[0] || !keyword[1]))) return false;
    *x = values[1];
    *y = values[0];
  } else {
    *x = values[0];
    *y = values[1];
  }
  return true;
}

// --- viewBox and preserveAspectRatio ---

bool sj_parse_view_box(const char *text, size_t length, sj_view_box *out) {
  sj_list list = sj_list_begin(NULL, text, length);
  float v[4], extra;
  for (int i = 0; i < 4; i++) {
    if (!sj_list_next_number(&list, &v[i])) return false;
  }
  if (sj_list_next_number(&list, &extra) || list.failed || v[2] < 0.0f || v[3] < 0.0f) return false;
  *out = (sj_view_box){v[0], v[1], v[2], v[3]};
  return true;
}

// Reads "Min", "Mid" or "Max", whose case is fixed.
static bool scan_align(const char *text, sj_align *out) {
  if (text[0] != 'M') return false;
  if (text[1] == 'i' && text[2] == 'n') {
    *out = SJ_ALIGN_MIN;
  } else if (text[1] == 'i' && text[2] == 'd') {
    *out = SJ_ALIGN_MID;
  } else if (text[1] == 'a' && text[2] == 'x') {
    *out = SJ_ALIGN_MAX;
  } else {
    return false;
  }
  return true;
}

bool sj_parse_aspect(const char *text, size_t length, sj_aspect *out) {
  sj_scan s = {text, text + length};
  sj_aspect aspect = SJ_ASPECT_DEFAULT;
  const char *word;
  sj_scan_space(&s);
  size_t n = sj_scan_name(&s, &word);
  if (sj_is_keyword(word, n, "defer")) {
    sj_scan_space(&s);
    n = sj_scan_name(&s, &word);
  }
  if (sj_is_keyword(word, n, "none")) {
    aspect.none = true;
  } else if (n != 8 || word[0] != 'x' || word[4] != 'Y' || !scan_align(word + 1, &aspect.x) ||
             !scan_align(word + 5, &aspect.y)) {
    return false;
  }
  sj_scan_space(&s);
  n = sj_scan_name(&s, &word);
  if (n) {
    aspect.slice = sj_is_keyword(word, n, "slice");
    if (!aspect.slice && !sj_is_keyword(word, n, "meet")) return false;
  }
  sj_scan_space(&s);
  if (!sj_scan_done(&s)) return false;
  *out = aspect;
  return true;
}

static double aligned(sj_align align, double space) {
  return align == SJ_ALIGN_MIN ? 0.0 : align == SJ_ALIGN_MID ? space * 0.5 : space;
}

stijl_matrix sj_view_box_matrix(const sj_view_box *box, const sj_aspect *aspect, float width, float height,
                                stijl_rect *visible) {
  if (visible) *visible = (stijl_rect){0.0f, 0.0f, width, height};
  if (!(box->width > 0.0f) || !(box->height > 0.0f)) return stijl_matrix_identity();
  // SVG 2, 8.2 "Computing the equivalent transform of an SVG viewport".
  double w = (double)box->width, h = (double)box->height;
  double scale_x = (double)width / w, scale_y = (double)height / h, e = 0.0, f = 0.0;
  if (!aspect->none) {
    double scale = (scale_x < scale_y) != aspect->slice ? scale_x : scale_y;
    scale_x = scale_y = scale;
    e = aligned(aspect->x, (double)width - w * scale);
    f = aligned(aspect->y, (double)height - h * scale);
  }
  e -= (double)box->x * scale_x;
  f -= (double)box->y * scale_y;
  if (visible && scale_x > 0.0 && scale_y > 0.0) {
    *visible = (stijl_rect){sj_number_to_float(-e / scale_x), sj_number_to_float(-f / scale_y),
                            sj_number_to_float(((double)width - e) / scale_x),
                            sj_number_to_float(((double)height - f) / scale_y)};
  }
  return (stijl_matrix){sj_number_to_float(scale_x), 0.0f, 0.0f, sj_number_to_float(scale_y), sj_number_to_float(e),
                        sj_number_to_float(f)};
}
