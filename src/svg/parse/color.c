// Parses colours, paints and references to other elements.
#include <string.h>

#include "base/ascii.h"
#include "svg/parse/calc.h"
#include "svg/parse/color_space.h"
#include "svg/parse/scan.h"
#include "svg/parse/values.h"

// --- components ---

static float clamp_unit(double v) { return v > 0.0 ? v < 1.0 ? (float)v : 1.0f : 0.0f; }

// Rounds to a multiple of 1/255, as values.h says.
static float to_component(double v) { return (float)((int)((double)clamp_unit(v) * 255.0 + 0.5)) / 255.0f; }

static stijl_color from_rgb8(unsigned rgb) {
  return (stijl_color){(float)(rgb >> 16 & 255) / 255.0f, (float)(rgb >> 8 & 255) / 255.0f, (float)(rgb & 255) / 255.0f,
                       1.0f};
}

// Parses what follows the "#".
static bool parse_hex(const char *text, size_t length, stijl_color *out) {
  if (length != 3 && length != 4 && length != 6 && length != 8) return false;
  int digits[8];
  for (size_t i = 0; i < length; i++) {
    digits[i] = sj_hex_digit(text[i]);
    if (digits[i] < 0) return false;
  }
  float v[4] = {0.0f, 0.0f, 0.0f, 1.0f};
  bool is_short = length < 6;
  for (size_t i = 0; i < (is_short ? length : length / 2); i++) {
    v[i] = (float)(is_short ? digits[i] * 17 : digits[2 * i] * 16 + digits[2 * i + 1]) / 255.0f;
  }
  *out = (stijl_color){v[0], v[1], v[2], v[3]};
  return true;
}

// --- functions ---

// How the components of a function are written, and what they mean.
typedef struct color_function {
  const char *name;
  sj_color_space space;
  bool legacy;             // components may be separated by commas
  int hue;                 // the component that is an angle; -1: none
  double number[3];        // what a plain number 1 stands for
  double full[3];          // what 100% stands for
  double low[3], high[3];  // clamped to these when parsed; equal: not clamped
} color_function;

static const color_function color_functions[] = {
    {"rgb", SJ_SPACE_SRGB, true, -1, {1 / 255.0, 1 / 255.0, 1 / 255.0}, {1, 1, 1}, {0}, {0}},
    {"rgba", SJ_SPACE_SRGB, true, -1, {1 / 255.0, 1 / 255.0, 1 / 255.0}, {1, 1, 1}, {0}, {0}},
    {"hsl", SJ_SPACE_HSL, true, 0, {1, 0.01, 0.01}, {0, 1, 1}, {0}, {0, 1, 1}},
    {"hsla", SJ_SPACE_HSL, true, 0, {1, 0.01, 0.01}, {0, 1, 1}, {0}, {0, 1, 1}},
    {"hwb", SJ_SPACE_HWB, false, 0, {1, 0.01, 0.01}, {0, 1, 1}, {0}, {0, 1, 1}},
    {"lab", SJ_SPACE_LAB, false, -1, {1, 1, 1}, {100, 125, 125}, {0}, {100, 0, 0}},
    {"lch", SJ_SPACE_LCH, false, 2, {1, 1, 1}, {100, 150, 0}, {0}, {100, 1e9, 0}},
    {"oklab", SJ_SPACE_OKLAB, false, -1, {1, 1, 1}, {1, 0.4, 0.4}, {0}, {1, 0, 0}},
    {"oklch", SJ_SPACE_OKLCH, false, 2, {1, 1, 1}, {1, 0.4, 0}, {0}, {1, 1e9, 0}},
};

// The spaces of color(), in which all components are plain, and 100% is 1.
static const struct {
  const char *name;
  sj_color_space space;
} predefined_spaces[] = {
    {"srgb", SJ_SPACE_SRGB},       {"srgb-linear", SJ_SPACE_SRGB_LINEAR},   {"display-p3", SJ_SPACE_DISPLAY_P3},
    {"a98-rgb", SJ_SPACE_A98_RGB}, {"prophoto-rgb", SJ_SPACE_PROPHOTO_RGB}, {"rec2020", SJ_SPACE_REC2020},
    {"xyz", SJ_SPACE_XYZ_D65},     {"xyz-d50", SJ_SPACE_XYZ_D50},           {"xyz-d65", SJ_SPACE_XYZ_D65},
};

typedef enum component_kind { COMPONENT_NUMBER, COMPONENT_PERCENT, COMPONENT_ANGLE, COMPONENT_NONE } component_kind;

static bool scan_component(sj_scan *s, bool is_hue, const sj_calc_channels *channels, double *out,
                           component_kind *kind) {
  const char *word;
  sj_calc_value calc;
  if (sj_scan_calc_of_channels(s, channels, &calc)) {
    *out = calc.kind == SJ_CALC_PERCENT ? calc.value / 100.0 : calc.value;
    *kind = is_hue ? COMPONENT_ANGLE : calc.kind == SJ_CALC_PERCENT ? COMPONENT_PERCENT : COMPONENT_NUMBER;
    return calc.kind == SJ_CALC_NUMBER || calc.kind == (is_hue ? SJ_CALC_ANGLE : SJ_CALC_PERCENT);
  }
  if (!sj_scan_done(s) && sj_is_letter(*s->at)) {
    size_t n = sj_scan_name(s, &word);
    *kind = is_hue ? COMPONENT_ANGLE : COMPONENT_NUMBER;
    if (channels && sj_calc_channel(channels, word, n, out)) return true;
    *out = 0.0;
    *kind = COMPONENT_NONE;
    return sj_is_keyword(word, n, "none");
  }
  size_t n;
  if (!sj_scan_dimension(s, out, &word, &n)) return false;
  *kind = COMPONENT_NUMBER;
  if (is_hue) {
    *kind = COMPONENT_ANGLE;
    return sj_angle_to_degrees(*out, word, n, out);
  }
  if (n == 0) return true;
  *kind = COMPONENT_PERCENT;
  *out /= 100.0;
  return *word == '%';
}

// Computes the channels of a colour in the units of a function's numbers. Returns false for spaces that nothing is
// converted to.
static bool find_channels(const color_function *f, const stijl_color *color, sj_calc_channels *out) {
  static const char *const letters[] = {
      [SJ_SPACE_HSL] = "hsl",   [SJ_SPACE_HWB] = "hwb",   [SJ_SPACE_LAB] = "lab",     [SJ_SPACE_LCH] = "lch",
      [SJ_SPACE_OKLAB] = "lab", [SJ_SPACE_OKLCH] = "lch", [SJ_SPACE_XYZ_D50] = "xyz", [SJ_SPACE_XYZ_D65] = "xyz"};
  bool named = (size_t)f->space < sizeof letters / sizeof *letters && letters[f->space];
  *out = (sj_calc_channels){named ? letters[f->space] : "rgb",
                            {(double)color->r, (double)color->g, (double)color->b, (double)color->a}};
  if (!sj_color_from_srgb(f->space, out->values)) return false;
  for (int i = 0; i < 3; i++) out->values[i] /= f->number[i];
  return true;
}

// Scans a function's components up to and with the closing parenthesis. `origin` is the colour that this one is
// relative to, or NULL.
static bool scan_components(sj_scan *s, const color_function *f, const stijl_color *origin, stijl_color *out) {
  double c[3], alpha = origin ? (double)origin->a : 1.0;
  component_kind kinds[3], alpha_kind;
  sj_calc_channels own, *channels = NULL;
  if (origin) {
    if (!find_channels(f, origin, &own)) return false;
    channels = &own;
  }
  bool commas = false, comma;
  for (int i = 0; i < 3; i++) {
    if (i) {
      if (!sj_scan_separator(s, &comma)) {
        // "rgb(1-2+3)" is three numbers to CSS: signs separate.
        if (sj_scan_done(s) || (*s->at != '-' && *s->at != '+')) return false;
      }
      if (i == 1) commas = comma;
      if (comma != commas || (comma && !f->legacy)) return false;
    } else {
      sj_scan_space(s);
    }
    if (!scan_component(s, i == f->hue, channels, &c[i], &kinds[i])) return false;
    if (commas && (kinds[i] == COMPONENT_NONE || origin)) return false;
  }
  if (commas) {
    // The legacy syntax does not mix: all numbers or all percentages in rgb(), percentages in hsl().
    if (kinds[0] == COMPONENT_NONE || kinds[1] != kinds[2]) return false;
    if (f->hue < 0 ? kinds[0] != kinds[1] : kinds[1] != COMPONENT_PERCENT) return false;
  }
  sj_scan_space(s);
  if (sj_scan_char(s, commas ? ',' : '/')) {
    sj_scan_space(s);
    if (!scan_component(s, false, channels, &alpha, &alpha_kind) || (commas && alpha_kind == COMPONENT_NONE))
      return false;
    sj_scan_space(s);
  }
  // The end of the text closes what is open, as CSS has it.
  if (!sj_scan_char(s, ')') && !sj_scan_done(s)) return false;
  for (int i = 0; i < 3; i++) {
    if (kinds[i] == COMPONENT_NUMBER) c[i] *= f->number[i];
    if (kinds[i] == COMPONENT_PERCENT) c[i] *= f->full[i];
    if (f->low[i] < f->high[i]) c[i] = c[i] < f->low[i] ? f->low[i] : c[i] > f->high[i] ? f->high[i] : c[i];
  }
  sj_color_to_srgb(f->space, c);
  *out = (stijl_color){to_component(c[0]), to_component(c[1]), to_component(c[2]), clamp_unit(alpha)};
  return true;
}

// Finds a space by its name in color(); in color-mix(), where `functions` is set, also by the name of its function.
static bool find_space(const char *name, size_t length, bool functions, sj_color_space *out) {
  for (size_t i = 0; i < sizeof predefined_spaces / sizeof *predefined_spaces; i++) {
    if (!sj_is_keyword(name, length, predefined_spaces[i].name)) continue;
    *out = predefined_spaces[i].space;
    return true;
  }
  for (size_t i = 0; i < sizeof color_functions / sizeof *color_functions && functions; i++) {
    const color_function *f = &color_functions[i];
    if (f->space == SJ_SPACE_SRGB || !sj_is_keyword(name, length, f->name)) continue;
    *out = f->space;
    return true;
  }
  return false;
}

static bool scan_color(sj_scan *s, const stijl_color *current, int depth, sj_color_kind *kind, stijl_color *out);

// --- color-mix(): CSS Color 5, 3 ---

// How deep color-mix(), light-dark() and relative colours may be nested.
#define MAX_NESTED_COLORS 8

typedef enum hue_path { HUE_SHORTER, HUE_LONGER, HUE_INCREASING, HUE_DECREASING, HUE_PATH_COUNT } hue_path;

static double mix_hues(double a, double b, double share, hue_path path) {
  double way = b - a;
  if (path == HUE_SHORTER) way += way > 180.0 ? -360.0 : way < -180.0 ? 360.0 : 0.0;
  if (path == HUE_LONGER && way > 0.0 && way < 180.0)
    way -= 360.0;
  else if (path == HUE_LONGER && way > -180.0 && way <= 0.0)
    way += 360.0;
  if (path == HUE_INCREASING && way < 0.0) way += 360.0;
  if (path == HUE_DECREASING && way > 0.0) way -= 360.0;
  return a + share * way;
}

// Mixes two colours; `share` is the second one's, from 0 to 1.
static bool mix(sj_color_space space, hue_path path, const stijl_color *colors, double share, stijl_color *out) {
  double c[2][3], alpha[2] = {(double)colors[0].a, (double)colors[1].a}, mixed[3];
  bool grey[2];
  int hue = sj_color_hue(space);
  for (int i = 0; i < 2; i++) {
    c[i][0] = (double)colors[i].r, c[i][1] = (double)colors[i].g, c[i][2] = (double)colors[i].b;
    if (!sj_color_from_srgb(space, c[i])) return false;
    // A hue that means nothing, as that of a grey or transparent colour, is replaced by the other one's.
    grey[i] = hue >= 0 && (sj_color_is_grey(space, c[i]) || alpha[i] == 0.0);
  }
  if (hue >= 0 && grey[0])
    c[0][hue] = c[1][hue];
  else if (hue >= 0 && grey[1])
    c[1][hue] = c[0][hue];
  double sum = alpha[0] * (1.0 - share) + alpha[1] * share;
  for (int k = 0; k < 3; k++) {
    if (k == hue) {
      mixed[k] = mix_hues(c[0][k], c[1][k], share, path);
    } else {
      double premultiplied = c[0][k] * alpha[0] * (1.0 - share) + c[1][k] * alpha[1] * share;
      mixed[k] = sum > 0.0 ? premultiplied / sum : 0.0;
    }
  }
  sj_color_to_srgb(space, mixed);
  *out = (stijl_color){to_component(mixed[0]), to_component(mixed[1]), to_component(mixed[2]), clamp_unit(sum)};
  return true;
}

// Scans "in SPACE [PATH hue]," with the comma.
static bool scan_mix_space(sj_scan *s, sj_color_space *space, hue_path *path) {
  static const char *const paths[HUE_PATH_COUNT] = {"shorter", "longer", "increasing", "decreasing"};
  const char *name;
  sj_scan_space(s);
  size_t n = sj_scan_name(s, &name);
  if (!sj_is_keyword(name, n, "in")) return false;
  sj_scan_space(s);
  n = sj_scan_name(s, &name);
  if (!find_space(name, n, true, space)) return false;
  *path = HUE_SHORTER;
  sj_scan_space(s);
  n = sj_scan_name(s, &name);
  if (n) {
    int i = 0;
    while (i < HUE_PATH_COUNT && !sj_is_keyword(name, n, paths[i])) i++;
    sj_scan_space(s);
    n = sj_scan_name(s, &name);
    if (i == HUE_PATH_COUNT || sj_color_hue(*space) < 0 || !sj_is_keyword(name, n, "hue")) return false;
    *path = (hue_path)i;
    sj_scan_space(s);
  }
  return sj_scan_char(s, ',');
}

// Scans a percentage from 0 to 100, if there is one. Returns false when there is one outside that range.
static bool scan_share(sj_scan *s, double *out, bool *found) {
  component_kind kind;
  sj_scan before = *s;
  sj_scan_space(s);
  *found = !sj_scan_done(s) && (sj_is_digit(*s->at) || *s->at == '.' || *s->at == '+' || sj_scan_is_calc(s));
  if (!*found) {
    *s = before;
    return true;
  }
  return scan_component(s, false, NULL, out, &kind) && kind == COMPONENT_PERCENT && *out >= 0.0 && *out <= 1.0;
}

// Scans the arguments of color-mix() up to and with the closing parenthesis.
static bool scan_mix(sj_scan *s, const stijl_color *current, int depth, stijl_color *out) {
  sj_color_space space;
  hue_path path;
  stijl_color colors[2];
  double shares[2];
  bool given[2];
  if (depth >= MAX_NESTED_COLORS || !scan_mix_space(s, &space, &path)) return false;
  for (int i = 0; i < 2; i++) {
    sj_color_kind kind;
    if (i == 1 && !sj_scan_char(s, ',')) return false;
    bool behind;
    if (!scan_share(s, &shares[i], &given[i])) return false;
    sj_scan_space(s);
    if (!scan_color(s, current, depth + 1, &kind, &colors[i])) return false;
    if (kind == SJ_COLOR_CURRENT) {
      if (!current) return false;
      colors[i] = *current;
    }
    if (!given[i]) {
      if (!scan_share(s, &shares[i], &behind)) return false;
      given[i] = behind;
    }
    sj_scan_space(s);
  }
  if (!sj_scan_char(s, ')') && !sj_scan_done(s)) return false;
  if (!given[0]) shares[0] = given[1] ? 1.0 - shares[1] : 0.5;
  if (!given[1]) shares[1] = 1.0 - shares[0];
  double sum = shares[0] + shares[1];
  if (!(sum > 0.0) || !mix(space, path, colors, shares[1] / sum, out)) return false;
  if (sum < 1.0) out->a *= (float)sum;
  return true;
}

// Scans "from COLOR", which makes a colour relative to that one (CSS Color 5, 4). *origin is `color`, or NULL where
// there is none.
static bool scan_origin(sj_scan *s, const stijl_color *current, int depth, stijl_color *color,
                        const stijl_color **origin) {
  sj_scan before = *s;
  const char *word;
  sj_scan_space(s);
  *origin = NULL;
  size_t length = sj_scan_name(s, &word);
  if (!sj_is_keyword(word, length, "from")) {
    *s = before;
    return true;
  }
  sj_color_kind kind;
  sj_scan_space(s);
  if (depth >= MAX_NESTED_COLORS || !scan_color(s, current, depth + 1, &kind, color)) return false;
  if (kind == SJ_COLOR_CURRENT) {
    if (!current) return false;
    *color = *current;
  }
  *origin = color;
  return true;
}

// Scans the arguments of light-dark() (CSS Color 5, 7). The first colour is taken: pictures are for a light scheme, as
// prefers-color-scheme tells style sheets.
static bool scan_light_dark(sj_scan *s, const stijl_color *current, int depth, sj_color_kind *kind, stijl_color *out) {
  sj_color_kind dark_kind;
  stijl_color dark;
  if (depth >= MAX_NESTED_COLORS) return false;
  sj_scan_space(s);
  if (!scan_color(s, current, depth + 1, kind, out)) return false;
  sj_scan_space(s);
  if (!sj_scan_char(s, ',')) return false;
  sj_scan_space(s);
  if (!scan_color(s, current, depth + 1, &dark_kind, &dark)) return false;
  sj_scan_space(s);
  return sj_scan_char(s, ')') || sj_scan_done(s);
}

static bool scan_function(sj_scan *s, const char *name, size_t length, const stijl_color *current, int depth,
                          sj_color_kind *kind, stijl_color *out) {
  if (sj_is_keyword(name, length, "color-mix")) return scan_mix(s, current, depth, out);
  if (sj_is_keyword(name, length, "light-dark")) return scan_light_dark(s, current, depth, kind, out);
  stijl_color color;
  const stijl_color *origin;
  if (!scan_origin(s, current, depth, &color, &origin)) return false;
  for (size_t i = 0; i < sizeof color_functions / sizeof *color_functions; i++) {
    if (sj_is_keyword(name, length, color_functions[i].name))
      return scan_components(s, &color_functions[i], origin, out);
  }
  if (!sj_is_keyword(name, length, "color")) return false;
  sj_scan_space(s);
  const char *space_name;
  size_t n = sj_scan_name(s, &space_name);
  sj_color_space space;
  if (!find_space(space_name, n, false, &space)) return false;
  const color_function f = {"", space, false, -1, {1, 1, 1}, {1, 1, 1}, {0}, {0}};
  return scan_components(s, &f, origin, out);
}

// Scans one colour; text may follow.
static bool scan_color(sj_scan *s, const stijl_color *current, int depth, sj_color_kind *kind, stijl_color *out) {
  *kind = SJ_COLOR_RGBA;
  if (sj_scan_char(s, '#')) {
    const char *start = s->at;
    while (!sj_scan_done(s) && sj_hex_digit(*s->at) >= 0) s->at++;
    return parse_hex(start, (size_t)(s->at - start), out);
  }
  const char *name;
  size_t length = sj_scan_name(s, &name);
  if (sj_scan_char(s, '(')) return scan_function(s, name, length, current, depth, kind, out);
  unsigned rgb;
  if (sj_color_by_name(name, length, &rgb)) {
    *out = from_rgb8(rgb);
    return true;
  }
  if (sj_is_keyword(name, length, "transparent")) {
    *out = (stijl_color){0.0f, 0.0f, 0.0f, 0.0f};
    return true;
  }
  *kind = SJ_COLOR_CURRENT;
  return sj_is_keyword(name, length, "currentcolor");
}

bool sj_parse_color(const char *text, size_t length, const stijl_color *current, sj_color_kind *kind,
                    stijl_color *out) {
  sj_scan s = {text, text + length};
  sj_scan_space(&s);
  stijl_color color;
  sj_color_kind found;
  if (!scan_color(&s, current, 0, &found, &color)) return false;
  sj_scan_space(&s);
  if (!sj_scan_done(&s)) return false;
  *kind = found;
  if (found == SJ_COLOR_RGBA) *out = color;
  return true;
}

// --- references ---

bool sj_parse_url(const char *text, size_t length, const char **url, size_t *url_length, const char **rest,
                  size_t *rest_length) {
  sj_scan s = {text, text + length};
  sj_scan_space(&s);
  if (s.end - s.at < 4 || !sj_is_keyword(s.at, 3, "url") || s.at[3] != '(') return false;
  s.at += 4;
  // No comments inside: "//" and "/*" belong to addresses.
  while (!sj_scan_done(&s) && sj_is_space(*s.at)) s.at++;
  char close = ')';
  if (!sj_scan_done(&s) && (*s.at == '"' || *s.at == '\'')) close = *s.at++;
  const char *start = s.at;
  // Without quotes an address ends at a blank, and holds no quotes or parentheses (CSS Syntax 3, 4.3.6).
  bool quoted = close != ')';
  while (!sj_scan_done(&s) && *s.at != close && (quoted || !sj_is_space(*s.at))) {
    if (!quoted && (*s.at == '"' || *s.at == '\'' || *s.at == '(')) return false;
    s.at++;
  }
  const char *end = s.at;
  if (quoted && !sj_scan_char(&s, close)) return false;
  while (!sj_scan_done(&s) && sj_is_space(*s.at)) s.at++;
  if (!sj_scan_char(&s, ')') && !sj_scan_done(&s)) return false;
  sj_scan_space(&s);
  if (!rest && !sj_scan_done(&s)) return false;
  *url = start;
  *url_length = (size_t)(end - start);
  if (rest) {
    *rest = s.at;
    *rest_length = (size_t)(s.end - s.at);
  }
  return true;
}

bool sj_url_fragment(const char *url, size_t length, const char **id, size_t *id_length) {
  sj_trim_space(&url, &length);
  if (length < 2 || *url != '#') return false;
  *id = url + 1;
  *id_length = length - 1;
  return true;
}

// --- paints ---

// Parses any paint but a reference. What SVG 1.1's icc-color() says behind a colour is dropped, since the colour is its
// fallback.
static bool parse_plain_paint(const char *text, size_t length, const stijl_color *current, sj_paint_value_kind *kind,
                              stijl_color *color) {
  static const struct {
    const char *name;
    sj_paint_value_kind kind;
  } keywords[] = {{"none", SJ_PAINT_VALUE_NONE},
                  {"context-fill", SJ_PAINT_VALUE_CONTEXT_FILL},
                  {"context-stroke", SJ_PAINT_VALUE_CONTEXT_STROKE}};
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
    if (sj_is_keyword(text, length, keywords[i].name)) {
      *kind = keywords[i].kind;
      return true;
    }
  }
  sj_scan s = {text, text + length};
  sj_color_kind found;
  stijl_color value;
  if (!scan_color(&s, current, 0, &found, &value)) return false;
  bool space = sj_scan_space(&s);
  if (!sj_scan_done(&s)) {
    const char *name;
    size_t n = sj_scan_name(&s, &name);
    if (!space || !sj_is_keyword(name, n, "icc-color") || !sj_scan_char(&s, '(')) return false;
    while (!sj_scan_done(&s) && *s.at != ')') s.at++;
    sj_scan_char(&s, ')');
    sj_scan_space(&s);
    if (!sj_scan_done(&s)) return false;
  }
  *kind = found == SJ_COLOR_CURRENT ? SJ_PAINT_VALUE_CURRENT_COLOR : SJ_PAINT_VALUE_COLOR;
  if (found == SJ_COLOR_RGBA) *color = value;
  return true;
}

bool sj_parse_paint(const char *text, size_t length, const stijl_color *current, sj_paint_value *out) {
  sj_paint_value value = {.kind = SJ_PAINT_VALUE_URL};
  const char *rest;
  size_t rest_length;
  sj_trim(&text, &length);
  if (sj_parse_url(text, length, &value.url, &value.url_length, &rest, &rest_length)) {
    value.has_fallback = rest_length > 0;
    if (value.has_fallback && !parse_plain_paint(rest, rest_length, current, &value.fallback, &value.color))
      return false;
  } else if (!parse_plain_paint(text, length, current, &value.kind, &value.color)) {
    return false;
  }
  *out = value;
  return true;
}
