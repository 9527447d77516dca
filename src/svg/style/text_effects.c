#include "svg/style/text_effects.h"

#include "geometry/number.h"
#include "svg/parse/scan.h"
#include "svg/style/keyword.h"

static const sj_keyword lines[] = {{"underline", SJ_DECORATION_UNDER},
                                   {"overline", SJ_DECORATION_OVER},
                                   {"line-through", SJ_DECORATION_THROUGH},
                                   {"blink", 0},  // need not blink
                                   {0}};
static const sj_keyword line_styles[] = {{"solid", SJ_LINE_SOLID},   {"double", SJ_LINE_DOUBLE},
                                         {"dotted", SJ_LINE_DOTTED}, {"dashed", SJ_LINE_DASHED},
                                         {"wavy", SJ_LINE_WAVY},     {0}};
static const sj_keyword transforms[] = {{"uppercase", SJ_TRANSFORM_UPPER},
                                        {"lowercase", SJ_TRANSFORM_LOWER},
                                        {"capitalize", SJ_TRANSFORM_CAPITALIZE},
                                        {"full-width", SJ_TRANSFORM_FULL_WIDTH},
                                        {0}};

bool sj_next_text_part(sj_scan *s, sj_text_part *out) {
  sj_scan_space(s);
  int depth = 0;
  out->text = s->at;
  for (; !sj_scan_done(s); s->at++) {
    char c = *s->at;
    if (depth == 0 && (c == ',' || sj_is_space(c))) break;
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
  }
  out->length = (size_t)(s->at - out->text);
  return out->length > 0;
}

// --- lines ---

static bool is_none(sj_text_part p) { return sj_is_keyword(p.text, p.length, "none"); }

static bool read_thickness(sj_text_part p, const sj_length_base *base, float *out) {
  sj_length length;
  bool from_font = sj_is_keyword(p.text, p.length, "from-font");
  if (from_font || sj_is_keyword(p.text, p.length, "auto")) {
    *out = from_font ? SJ_THICKNESS_FROM_FONT : SJ_THICKNESS_AUTO;
    return true;
  }
  // Percentages are of the font size.
  if (!sj_parse_length(p.text, p.length, &length) || length.value < 0.0f) return false;
  *out = sj_length_pixels(length, base, base->font_size);
  if (!(*out >= 0.0f)) *out = 0.0f;
  return true;
}

static bool read_color(sj_text_part p, sj_decoration *out) {
  static const stijl_color unknown = {0.0f, 0.0f, 0.0f, 1.0f};
  sj_color_kind kind = SJ_COLOR_RGBA;
  if (!sj_parse_color(p.text, p.length, &unknown, &kind, &out->color)) return false;
  out->painted = true;
  out->color_kind = (int)kind;
  return true;
}

// What a part of the shorthand was, so that none comes twice.
enum { LINE = 1, STYLE = 2, COLOR = 4, THICKNESS = 8 };

static int read_part(sj_text_part p, int allowed, const sj_length_base *base, sj_decoration *out) {
  int bit;
  if ((allowed & LINE) && is_none(p)) return LINE;
  if ((allowed & LINE) && sj_parse_keyword(lines, p.text, p.length, &bit)) {
    out->lines |= bit;
    return LINE;
  }
  if ((allowed & STYLE) && sj_parse_keyword(line_styles, p.text, p.length, &out->style)) return STYLE;
  if ((allowed & THICKNESS) && read_thickness(p, base, &out->thickness)) return THICKNESS;
  return (allowed & COLOR) && read_color(p, out) ? COLOR : 0;
}

bool sj_decoration_apply(sj_name name, const char *text, size_t length, const sj_length_base *base,
                         sj_decoration *out) {
  sj_decoration made = *out;
  int allowed = name == SJ_PROPERTY_TEXT_DECORATION_LINE        ? LINE
                : name == SJ_PROPERTY_TEXT_DECORATION_STYLE     ? STYLE
                : name == SJ_PROPERTY_TEXT_DECORATION_COLOR     ? COLOR
                : name == SJ_PROPERTY_TEXT_DECORATION_THICKNESS ? THICKNESS
                                                                : LINE | STYLE | COLOR | THICKNESS;
  bool shorthand = allowed == (LINE | STYLE | COLOR | THICKNESS);
  if (shorthand) made = (sj_decoration)SJ_DECORATION_INITIAL;
  if (allowed & LINE) made.lines = 0;
  sj_scan s = {text, text + length};
  int seen = 0;
  for (sj_text_part p; sj_next_text_part(&s, &p);) {
    int kind = read_part(p, allowed, base, &made);
    if (!kind || (kind != LINE && (seen & kind))) return false;
    seen |= kind;
  }
  if (!seen || !sj_scan_done(&s)) return false;
  *out = made;
  return true;
}

static const sj_keyword skips[] = {{"auto", SJ_SKIP_AUTO}, {"none", SJ_SKIP_NONE}, {"all", SJ_SKIP_ALL}, {0}};

// Parses a text-underline-position. `left` and `right` are for vertical text, where the line is on the right.
static bool read_position(const char *text, size_t length, int *out) {
  sj_scan s = {text, text + length};
  int position = SJ_UNDERLINE_AUTO;
  bool vertical = false, horizontal = false;
  if (sj_is_keyword(text, length, "auto")) {
    *out = position;
    return true;
  }
  for (sj_text_part p; sj_next_text_part(&s, &p);) {
    bool side = sj_is_keyword(p.text, p.length, "left") || sj_is_keyword(p.text, p.length, "right");
    bool under = sj_is_keyword(p.text, p.length, "under");
    if (side ? vertical : horizontal || (!under && !sj_is_keyword(p.text, p.length, "from-font"))) return false;
    if (side) vertical = true;
    if (!side) horizontal = true;
    if (!side) position = under ? SJ_UNDERLINE_UNDER : SJ_UNDERLINE_FROM_FONT;
  }
  if (!(vertical || horizontal) || !sj_scan_done(&s)) return false;
  *out = position;
  return true;
}

bool sj_underline_apply(sj_name name, const char *text, size_t length, const sj_length_base *base, sj_underline *out) {
  sj_length offset;
  int found;
  if (name == SJ_PROPERTY_TEXT_DECORATION_SKIP_INK) {
    if (!sj_parse_keyword(skips, text, length, &found)) return false;
    out->skip_ink = (uint8_t)found;
    return true;
  }
  if (name == SJ_PROPERTY_TEXT_UNDERLINE_POSITION) {
    if (!read_position(text, length, &found)) return false;
    out->position = (uint8_t)found;
    return true;
  }
  if (sj_is_keyword(text, length, "auto")) {
    out->offset = (sj_underline_offset){0};
    return true;
  }
  if (!sj_parse_length(text, length, &offset)) return false;
  float pixels = sj_length_pixels(offset, base, 0.0f), percent = sj_length_pixels(offset, base, 1.0f) - pixels;
  out->offset = (sj_underline_offset){pixels, percent, true};
  return true;
}

// --- shadows ---

bool sj_next_text_shadow(const char **text, size_t *length, const sj_length_base *base, const stijl_color *current,
                         sj_text_shadow *out) {
  sj_scan s = {*text, *text + *length};
  float values[3] = {0.0f, 0.0f, 0.0f};
  int count = 0, parts = 0, color_at = -1;
  sj_text_shadow made = {.color = *current};
  for (sj_text_part p; sj_next_text_part(&s, &p); parts++) {
    sj_length value;
    sj_color_kind kind;
    stijl_color color = *current;
    if (count < 3 && sj_parse_length(p.text, p.length, &value) && value.unit != SJ_UNIT_PERCENT) {
      values[count++] = sj_length_pixels(value, base, 0.0f);
    } else if (color_at < 0 && sj_parse_color(p.text, p.length, current, &kind, &color)) {
      color_at = parts;
      if (kind == SJ_COLOR_RGBA) made.color = color;
    } else {
      return false;
    }
  }
  // The colour comes before or behind all lengths.
  if (count < 2 || !(values[2] >= 0.0f) || (color_at > 0 && color_at + 1 != parts)) return false;
  made.x = values[0];
  made.y = values[1];
  made.deviation = 0.5f * values[2];  // CSS Backgrounds 3, 6.1: a blur of twice the deviation
  bool comma = sj_scan_char(&s, ',');
  *text = s.at;
  *length = (size_t)(s.end - s.at);
  *out = made;
  return comma == (*length > 0);
}

bool sj_text_shadows_are_valid(const char *text, size_t length, const sj_length_base *base) {
  static const stijl_color black = {0.0f, 0.0f, 0.0f, 1.0f};
  sj_text_shadow shadow;
  sj_trim(&text, &length);
  if (!length) return false;
  while (length)
    if (!sj_next_text_shadow(&text, &length, base, &black, &shadow)) return false;
  return true;
}

// --- letters ---

bool sj_parse_text_transform(const char *text, size_t length, int *out) {
  sj_scan s = {text, text + length};
  int bits = 0, bit;
  const int letters = SJ_TRANSFORM_UPPER | SJ_TRANSFORM_LOWER | SJ_TRANSFORM_CAPITALIZE;
  for (sj_text_part p; sj_next_text_part(&s, &p);) {
    if (is_none(p) && p.length == length) break;
    if (!sj_parse_keyword(transforms, p.text, p.length, &bit)) return false;
    if ((bits & bit) || ((bit & letters) && (bits & letters))) return false;
    bits |= bit;
  }
  if (!bits && !sj_is_keyword(text, length, "none")) return false;
  *out = bits;
  return true;
}
