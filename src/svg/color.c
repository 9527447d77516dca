// Colours, paints and references to other elements.
#include <string.h>

#include "geometry/number.h"
#include "svg/color_space.h"
#include "svg/scan.h"
#include "svg/values.h"

// --- names ---

typedef struct named_color {
  const char *name;
  unsigned rgb;
} named_color;

// CSS Color 4, 6.1 "Named Colors", sorted.
static const named_color named_colors[] = {{"aliceblue", 0xf0f8ff},
                                           {"antiquewhite", 0xfaebd7},
                                           {"aqua", 0x00ffff},
                                           {"aquamarine", 0x7fffd4},
                                           {"azure", 0xf0ffff},
                                           {"beige", 0xf5f5dc},
                                           {"bisque", 0xffe4c4},
                                           {"black", 0x000000},
                                           {"blanchedalmond", 0xffebcd},
                                           {"blue", 0x0000ff},
                                           {"blueviolet", 0x8a2be2},
                                           {"brown", 0xa52a2a},
                                           {"burlywood", 0xdeb887},
                                           {"cadetblue", 0x5f9ea0},
                                           {"chartreuse", 0x7fff00},
                                           {"chocolate", 0xd2691e},
                                           {"coral", 0xff7f50},
                                           {"cornflowerblue", 0x6495ed},
                                           {"cornsilk", 0xfff8dc},
                                           {"crimson", 0xdc143c},
                                           {"cyan", 0x00ffff},
                                           {"darkblue", 0x00008b},
                                           {"darkcyan", 0x008b8b},
                                           {"darkgoldenrod", 0xb8860b},
                                           {"darkgray", 0xa9a9a9},
                                           {"darkgreen", 0x006400},
                                           {"darkgrey", 0xa9a9a9},
                                           {"darkkhaki", 0xbdb76b},
                                           {"darkmagenta", 0x8b008b},
                                           {"darkolivegreen", 0x556b2f},
                                           {"darkorange", 0xff8c00},
                                           {"darkorchid", 0x9932cc},
                                           {"darkred", 0x8b0000},
                                           {"darksalmon", 0xe9967a},
                                           {"darkseagreen", 0x8fbc8f},
                                           {"darkslateblue", 0x483d8b},
                                           {"darkslategray", 0x2f4f4f},
                                           {"darkslategrey", 0x2f4f4f},
                                           {"darkturquoise", 0x00ced1},
                                           {"darkviolet", 0x9400d3},
                                           {"deeppink", 0xff1493},
                                           {"deepskyblue", 0x00bfff},
                                           {"dimgray", 0x696969},
                                           {"dimgrey", 0x696969},
                                           {"dodgerblue", 0x1e90ff},
                                           {"firebrick", 0xb22222},
                                           {"floralwhite", 0xfffaf0},
                                           {"forestgreen", 0x228b22},
                                           {"fuchsia", 0xff00ff},
                                           {"gainsboro", 0xdcdcdc},
                                           {"ghostwhite", 0xf8f8ff},
                                           {"gold", 0xffd700},
                                           {"goldenrod", 0xdaa520},
                                           {"gray", 0x808080},
                                           {"green", 0x008000},
                                           {"greenyellow", 0xadff2f},
                                           {"grey", 0x808080},
                                           {"honeydew", 0xf0fff0},
                                           {"hotpink", 0xff69b4},
                                           {"indianred", 0xcd5c5c},
                                           {"indigo", 0x4b0082},
                                           {"ivory", 0xfffff0},
                                           {"khaki", 0xf0e68c},
                                           {"lavender", 0xe6e6fa},
                                           {"lavenderblush", 0xfff0f5},
                                           {"lawngreen", 0x7cfc00},
                                           {"lemonchiffon", 0xfffacd},
                                           {"lightblue", 0xadd8e6},
                                           {"lightcoral", 0xf08080},
                                           {"lightcyan", 0xe0ffff},
                                           {"lightgoldenrodyellow", 0xfafad2},
                                           {"lightgray", 0xd3d3d3},
                                           {"lightgreen", 0x90ee90},
                                           {"lightgrey", 0xd3d3d3},
                                           {"lightpink", 0xffb6c1},
                                           {"lightsalmon", 0xffa07a},
                                           {"lightseagreen", 0x20b2aa},
                                           {"lightskyblue", 0x87cefa},
                                           {"lightslategray", 0x778899},
                                           {"lightslategrey", 0x778899},
                                           {"lightsteelblue", 0xb0c4de},
                                           {"lightyellow", 0xffffe0},
                                           {"lime", 0x00ff00},
                                           {"limegreen", 0x32cd32},
                                           {"linen", 0xfaf0e6},
                                           {"magenta", 0xff00ff},
                                           {"maroon", 0x800000},
                                           {"mediumaquamarine", 0x66cdaa},
                                           {"mediumblue", 0x0000cd},
                                           {"mediumorchid", 0xba55d3},
                                           {"mediumpurple", 0x9370db},
                                           {"mediumseagreen", 0x3cb371},
                                           {"mediumslateblue", 0x7b68ee},
                                           {"mediumspringgreen", 0x00fa9a},
                                           {"mediumturquoise", 0x48d1cc},
                                           {"mediumvioletred", 0xc71585},
                                           {"midnightblue", 0x191970},
                                           {"mintcream", 0xf5fffa},
                                           {"mistyrose", 0xffe4e1},
                                           {"moccasin", 0xffe4b5},
                                           {"navajowhite", 0xffdead},
                                           {"navy", 0x000080},
                                           {"oldlace", 0xfdf5e6},
                                           {"olive", 0x808000},
                                           {"olivedrab", 0x6b8e23},
                                           {"orange", 0xffa500},
                                           {"orangered", 0xff4500},
                                           {"orchid", 0xda70d6},
                                           {"palegoldenrod", 0xeee8aa},
                                           {"palegreen", 0x98fb98},
                                           {"paleturquoise", 0xafeeee},
                                           {"palevioletred", 0xdb7093},
                                           {"papayawhip", 0xffefd5},
                                           {"peachpuff", 0xffdab9},
                                           {"peru", 0xcd853f},
                                           {"pink", 0xffc0cb},
                                           {"plum", 0xdda0dd},
                                           {"powderblue", 0xb0e0e6},
                                           {"purple", 0x800080},
                                           {"rebeccapurple", 0x663399},
                                           {"red", 0xff0000},
                                           {"rosybrown", 0xbc8f8f},
                                           {"royalblue", 0x4169e1},
                                           {"saddlebrown", 0x8b4513},
                                           {"salmon", 0xfa8072},
                                           {"sandybrown", 0xf4a460},
                                           {"seagreen", 0x2e8b57},
                                           {"seashell", 0xfff5ee},
                                           {"sienna", 0xa0522d},
                                           {"silver", 0xc0c0c0},
                                           {"skyblue", 0x87ceeb},
                                           {"slateblue", 0x6a5acd},
                                           {"slategray", 0x708090},
                                           {"slategrey", 0x708090},
                                           {"snow", 0xfffafa},
                                           {"springgreen", 0x00ff7f},
                                           {"steelblue", 0x4682b4},
                                           {"tan", 0xd2b48c},
                                           {"teal", 0x008080},
                                           {"thistle", 0xd8bfd8},
                                           {"tomato", 0xff6347},
                                           {"turquoise", 0x40e0d0},
                                           {"violet", 0xee82ee},
                                           {"wheat", 0xf5deb3},
                                           {"white", 0xffffff},
                                           {"whitesmoke", 0xf5f5f5},
                                           {"yellow", 0xffff00},
                                           {"yellowgreen", 0x9acd32}};

static bool find_named(const char *text, size_t length, unsigned *rgb) {
  char name[24];  // the longest, lightgoldenrodyellow, has 20 letters
  if (length == 0 || length >= sizeof name) return false;
  for (size_t i = 0; i < length; i++) name[i] = sj_to_lower(text[i]);
  name[length] = 0;
  size_t low = 0, high = sizeof named_colors / sizeof *named_colors;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = strcmp(name, named_colors[middle].name);
    if (order == 0) {
      *rgb = named_colors[middle].rgb;
      return true;
    }
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return false;
}

// --- components ---

static float clamp_unit(double v) { return v > 0.0 ? v < 1.0 ? (float)v : 1.0f : 0.0f; }

// Quantised, see the header.
static float to_component(double v) { return (float)((int)((double)clamp_unit(v) * 255.0 + 0.5)) / 255.0f; }

static stijl_color from_rgb8(unsigned rgb) {
  return (stijl_color){(float)(rgb >> 16 & 255) / 255.0f, (float)(rgb >> 8 & 255) / 255.0f, (float)(rgb & 255) / 255.0f,
                       1.0f};
}

static int hex_digit(char c) {
  if (sj_is_digit(c)) return c - '0';
  c = sj_to_lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// What follows the "#".
static bool parse_hex(const char *text, size_t length, stijl_color *out) {
  if (length != 3 && length != 4 && length != 6 && length != 8) return false;
  int digits[8];
  for (size_t i = 0; i < length; i++) {
    digits[i] = hex_digit(text[i]);
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
  bool legacy;             // commas are allowed
  int hue;                 // which component is an angle, -1: none
  double number[3];        // the unit of a plain number
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

// color(): all components plain, 100% is 1.
static const struct {
  const char *name;
  sj_color_space space;
} predefined_spaces[] = {
    {"srgb", SJ_SPACE_SRGB},       {"srgb-linear", SJ_SPACE_SRGB_LINEAR},   {"display-p3", SJ_SPACE_DISPLAY_P3},
    {"a98-rgb", SJ_SPACE_A98_RGB}, {"prophoto-rgb", SJ_SPACE_PROPHOTO_RGB}, {"rec2020", SJ_SPACE_REC2020},
    {"xyz", SJ_SPACE_XYZ_D65},     {"xyz-d50", SJ_SPACE_XYZ_D50},           {"xyz-d65", SJ_SPACE_XYZ_D65},
};

typedef enum component_kind { COMPONENT_NUMBER, COMPONENT_PERCENT, COMPONENT_ANGLE, COMPONENT_NONE } component_kind;

static bool scan_component(sj_scan *s, bool is_hue, double *out, component_kind *kind) {
  const char *word;
  if (!sj_scan_done(s) && sj_is_letter(*s->at)) {
    size_t n = sj_scan_name(s, &word);
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

// From behind the opening parenthesis to behind the closing one.
static bool scan_components(sj_scan *s, const color_function *f, stijl_color *out) {
  double c[3], alpha = 1.0;
  component_kind kinds[3], alpha_kind;
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
    if (!scan_component(s, i == f->hue, &c[i], &kinds[i])) return false;
    if (commas && kinds[i] == COMPONENT_NONE) return false;
  }
  if (commas) {
    // The legacy syntax does not mix: all numbers or all percentages in rgb(), percentages in hsl().
    if (kinds[0] == COMPONENT_NONE || kinds[1] != kinds[2]) return false;
    if (f->hue < 0 ? kinds[0] != kinds[1] : kinds[1] != COMPONENT_PERCENT) return false;
  }
  sj_scan_space(s);
  if (sj_scan_char(s, commas ? ',' : '/')) {
    sj_scan_space(s);
    if (!scan_component(s, false, &alpha, &alpha_kind) || (commas && alpha_kind == COMPONENT_NONE)) return false;
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

static bool scan_function(sj_scan *s, const char *name, size_t length, stijl_color *out) {
  for (size_t i = 0; i < sizeof color_functions / sizeof *color_functions; i++) {
    if (sj_is_keyword(name, length, color_functions[i].name)) return scan_components(s, &color_functions[i], out);
  }
  if (!sj_is_keyword(name, length, "color")) return false;
  sj_scan_space(s);
  const char *space;
  size_t n = sj_scan_name(s, &space);
  for (size_t i = 0; i < sizeof predefined_spaces / sizeof *predefined_spaces; i++) {
    if (sj_is_keyword(space, n, predefined_spaces[i].name)) {
      const color_function f = {"", predefined_spaces[i].space, false, -1, {1, 1, 1}, {1, 1, 1}, {0}, {0}};
      return scan_components(s, &f, out);
    }
  }
  return false;
}

// One colour at the cursor, which then stands behind it.
static bool scan_color(sj_scan *s, sj_color_kind *kind, stijl_color *out) {
  *kind = SJ_COLOR_RGBA;
  if (sj_scan_char(s, '#')) {
    const char *start = s->at;
    while (!sj_scan_done(s) && hex_digit(*s->at) >= 0) s->at++;
    return parse_hex(start, (size_t)(s->at - start), out);
  }
  const char *name;
  size_t length = sj_scan_name(s, &name);
  if (sj_scan_char(s, '(')) return scan_function(s, name, length, out);
  unsigned rgb;
  if (find_named(name, length, &rgb)) {
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

bool sj_parse_color(const char *text, size_t length, sj_color_kind *kind, stijl_color *out) {
  sj_scan s = {text, text + length};
  sj_scan_space(&s);
  stijl_color color;
  sj_color_kind found;
  if (!scan_color(&s, &found, &color)) return false;
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
  while (!sj_scan_done(&s) && *s.at != close) s.at++;
  const char *end = s.at;
  if (close != ')') {
    if (!sj_scan_char(&s, close)) return false;
    while (!sj_scan_done(&s) && sj_is_space(*s.at)) s.at++;
  } else {
    while (end > start && sj_is_space(end[-1])) end--;
  }
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
  while (length && sj_is_space(*url)) url++, length--;
  while (length && sj_is_space(url[length - 1])) length--;
  if (length < 2 || *url != '#') return false;
  *id = url + 1;
  *id_length = length - 1;
  return true;
}

// --- paints ---

// Everything but a reference. SVG 1.1's icc-color() behind a colour is dropped: the colour is its fallback.
static bool parse_plain_paint(const char *text, size_t length, sj_paint_value_kind *kind, stijl_color *color) {
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
  if (!scan_color(&s, &found, &value)) return false;
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

bool sj_parse_paint(const char *text, size_t length, sj_paint_value *out) {
  sj_paint_value value = {.kind = SJ_PAINT_VALUE_URL};
  const char *rest;
  size_t rest_length;
  sj_trim(&text, &length);
  if (sj_parse_url(text, length, &value.url, &value.url_length, &rest, &rest_length)) {
    value.has_fallback = rest_length > 0;
    if (value.has_fallback && !parse_plain_paint(rest, rest_length, &value.fallback, &value.color)) return false;
  } else if (!parse_plain_paint(text, length, &value.kind, &value.color)) {
    return false;
  }
  *out = value;
  return true;
}
