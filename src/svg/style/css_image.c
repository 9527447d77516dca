#include "svg/style/css_image.h"

#include "base/ascii.h"
#include "svg/style/keyword.h"

bool sj_css_next_part(sj_scan *s, sj_value_text *out) {
  sj_scan_space(s);
  int depth = 0;
  char quote = 0;
  out->text = s->at;
  for (; !sj_scan_done(s); s->at++) {
    char c = *s->at;
    if (quote) {
      if (c == quote) quote = 0;
      continue;
    }
    if (depth == 0 && (c == ',' || c == '/' || sj_is_space(c))) break;
    if (c == '"' || c == '\'') quote = c;
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
  }
  if (s->at == out->text) sj_scan_char(s, '/');
  out->length = (size_t)(s->at - out->text);
  return out->length > 0;
}

// --- positions ---

typedef enum side { LEFT, RIGHT, TOP, BOTTOM, CENTER } side;

static const sj_keyword sides[] = {{"left", LEFT},     {"right", RIGHT},   {"top", TOP},
                                   {"bottom", BOTTOM}, {"center", CENTER}, {0}};

static bool is_vertical(int s) { return s == TOP || s == BOTTOM; }
static bool is_horizontal(int s) { return s == LEFT || s == RIGHT; }

static sj_css_offset offset_of(int s) {
  float percent = s == CENTER ? 50.0f : s == RIGHT || s == BOTTOM ? 100.0f : 0.0f;
  return (sj_css_offset){.length = {.value = percent, .unit = SJ_UNIT_PERCENT}};
}

// Parses the parts of one or two: a keyword or a length for each axis, x first if neither keyword says otherwise.
static bool parse_pair(const sj_value_text *parts, int count, sj_css_position *out) {
  int named[2] = {CENTER, CENTER};
  sj_css_offset offsets[2];
  bool is_length[2] = {false, false};
  for (int i = 0; i < 2; i++) {
    if (i < count && !sj_parse_keyword(sides, parts[i].text, parts[i].length, &named[i])) {
      is_length[i] = sj_parse_length(parts[i].text, parts[i].length, &offsets[i].length);
      offsets[i].from_end = false;
      if (!is_length[i]) return false;
    } else {
      offsets[i] = offset_of(named[i]);
    }
  }
  bool swapped = (!is_length[0] && is_vertical(named[0])) || (!is_length[1] && is_horizontal(named[1]));
  // Lengths do not change places, and two keywords are of two axes.
  if (swapped && (is_length[0] || is_length[1] || is_horizontal(named[0]) || is_vertical(named[1]))) return false;
  *out = swapped ? (sj_css_position){offsets[1], offsets[0]} : (sj_css_position){offsets[0], offsets[1]};
  return true;
}

bool sj_parse_css_position(const sj_value_text *parts, int count, sj_css_position *out) {
  if (count < 1 || count > 4) return false;
  if (count < 3) return parse_pair(parts, count, out);
  // Keywords, each of which a length may follow that is measured from that side.
  sj_css_offset axes[2];
  bool set[2] = {false, false};
  int centers = 0;
  for (int i = 0; i < count; i++) {
    int named;
    if (!sj_parse_keyword(sides, parts[i].text, parts[i].length, &named)) return false;
    if (named == CENTER) {
      centers++;
      continue;
    }
    int axis = is_vertical(named);
    if (set[axis]) return false;
    set[axis] = true;
    axes[axis] = offset_of(named);
    if (i + 1 < count && sj_parse_length(parts[i + 1].text, parts[i + 1].length, &axes[axis].length)) {
      axes[axis].from_end = named == RIGHT || named == BOTTOM;
      i++;
    }
  }
  if (centers + set[0] + set[1] != 2) return false;
  for (int axis = 0; axis < 2; axis++)
    if (!set[axis]) axes[axis] = offset_of(CENTER);
  *out = (sj_css_position){axes[0], axes[1]};
  return true;
}

// --- gradients ---

// Scans everything up to the next comma.
int sj_css_next_parts(sj_scan *s, sj_value_text *parts, int most) {
  int count = 0;
  sj_value_text part;
  while (sj_css_next_part(s, &part)) {
    if (count == most) return most + 1;
    parts[count++] = part;
  }
  return count;
}

static bool is(sj_value_text part, const char *keyword) { return sj_is_keyword(part.text, part.length, keyword); }

// Takes "in", a space, and perhaps how its hues go, out of the parts.
static int take_space(sj_value_text *parts, int count) {
  int at = 0;
  while (at < count && !is(parts[at], "in")) at++;
  if (at == count) return count;
  int taken = at + 1 < count ? 2 : 1;
  if (at + 3 < count && is(parts[at + 3], "hue")) taken = 4;
  for (int i = at; i + taken < count; i++) parts[i] = parts[i + taken];
  return count - taken;
}

static bool parse_direction(sj_css_gradient *g, const sj_value_text *parts, int count) {
  if (count == 0) return true;
  if (count == 1) {
    // Unlike attributes, CSS has no angles without a unit, except for 0.
    float number;
    if (sj_parse_number(parts[0].text, parts[0].length, &number) && number != 0.0f) return false;
    if (!sj_parse_angle(parts[0].text, parts[0].length, &g->angle)) return false;
    g->to_x = g->to_y = 0;
    return true;
  }
  if (!is(parts[0], "to") || count > 3) return false;
  g->to_x = g->to_y = 0;
  for (int i = 1; i < count; i++) {
    int named;
    if (!sj_parse_keyword(sides, parts[i].text, parts[i].length, &named) || named == CENTER) return false;
    int *axis = is_vertical(named) ? &g->to_y : &g->to_x;
    if (*axis) return false;
    *axis = named == RIGHT || named == BOTTOM ? 1 : -1;
  }
  return true;
}

static const sj_keyword extents[] = {{"farthest-corner", SJ_CSS_FARTHEST_CORNER},
                                     {"farthest-side", SJ_CSS_FARTHEST_SIDE},
                                     {"closest-corner", SJ_CSS_CLOSEST_CORNER},
                                     {"closest-side", SJ_CSS_CLOSEST_SIDE},
                                     {0}};

static bool parse_radii(sj_css_gradient *g, const sj_value_text *parts, int count) {
  bool shaped = false, sized = false;
  int lengths = 0, extent;
  for (int i = 0; i < count; i++) {
    if (is(parts[i], "circle") || is(parts[i], "ellipse")) {
      if (shaped) return false;
      shaped = true;
      g->circle = is(parts[i], "circle");
    } else if (sj_parse_keyword(extents, parts[i].text, parts[i].length, &extent)) {
      if (sized || lengths) return false;
      sized = true;
      g->extent = (sj_css_image_extent)extent;
    } else {
      if (sized || lengths == 2 || !sj_parse_length(parts[i].text, parts[i].length, &g->radii[lengths]) ||
          g->radii[lengths].value < 0.0f)
        return false;
      lengths++;
      g->extent = SJ_CSS_EXPLICIT;
    }
  }
  if (!lengths) return true;
  if (!shaped) g->circle = lengths == 1;
  return g->circle ? lengths == 1 && g->radii[0].unit != SJ_UNIT_PERCENT : lengths == 2;
}

// Parses what stands before the first stop. Returns false if it is not such a thing, which then is a stop.
static bool parse_prelude(sj_css_gradient *g, sj_value_text *parts, int count) {
  count = take_space(parts, count);
  if (g->kind == SJ_CSS_LINEAR) return parse_direction(g, parts, count);
  int at = 0;
  while (at < count && !is(parts[at], "at")) at++;
  if (at < count && !sj_parse_css_position(parts + at + 1, count - at - 1, &g->at)) return false;
  if (g->kind == SJ_CSS_RADIAL) return parse_radii(g, parts, at);
  return at == 0 || (at == 2 && is(parts[0], "from") && sj_parse_angle(parts[1].text, parts[1].length, &g->angle));
}

static bool is_color(sj_value_text part) {
  static const stijl_color any = {0.0f, 0.0f, 0.0f, 1.0f};
  sj_color_kind kind;
  stijl_color color;
  return sj_parse_color(part.text, part.length, &any, &kind, &color);
}

// Parses the position of a stop. Angles of conic gradients become percentages of the turn.
static bool parse_at(const sj_css_gradient *g, sj_value_text part, sj_length *out) {
  float degrees;
  bool is_length = sj_parse_length(part.text, part.length, out);
  if (g->kind != SJ_CSS_CONIC || (is_length && out->unit == SJ_UNIT_PERCENT)) return is_length;
  if (!sj_parse_angle(part.text, part.length, &degrees)) return false;
  *out = (sj_length){.value = degrees / 3.6f, .unit = SJ_UNIT_PERCENT};
  return true;
}

bool sj_css_next_stop(const sj_css_gradient *gradient, sj_scan *stops, const stijl_color *current, sj_css_stop *out) {
  sj_value_text parts[3];
  if (sj_scan_done(stops)) return false;
  int count = sj_css_next_parts(stops, parts, 3), position = 0;
  sj_scan_char(stops, ',');
  *out = (sj_css_stop){.color_kind = SJ_COLOR_RGBA};
  if (count < 1 || count > 3) return false;
  // The colour may stand before or behind its positions.
  int color = is_color(parts[0]) ? 0 : is_color(parts[count - 1]) ? count - 1 : -1;
  out->is_hint = color < 0;
  if (out->is_hint ? count != 1
                   : !sj_parse_color(parts[color].text, parts[color].length, current, &out->color_kind, &out->color))
    return false;
  for (int i = 0; i < count; i++) {
    if (i == color) continue;
    if (position == 2 || !parse_at(gradient, parts[i], &out->at[position++])) return false;
  }
  out->count = position;
  return true;
}

// Checks all stops: colours at both ends, and none but single hints between.
static bool check_stops(const sj_css_gradient *g) {
  static const stijl_color any = {0.0f, 0.0f, 0.0f, 1.0f};
  sj_scan s = g->stops;
  if (s.end > s.at && s.end[-1] == ',') return false;
  sj_css_stop stop;
  bool last_is_color = false;
  while (!sj_scan_done(&s)) {
    if (!sj_css_next_stop(g, &s, &any, &stop) || (stop.is_hint && !last_is_color)) return false;
    last_is_color = !stop.is_hint;
  }
  return last_is_color;
}

bool sj_parse_css_gradient(const char *text, size_t length, sj_css_gradient *out) {
  static const sj_keyword kinds[] = {
      {"linear-gradient", SJ_CSS_LINEAR}, {"radial-gradient", SJ_CSS_RADIAL}, {"conic-gradient", SJ_CSS_CONIC}, {0}};
  static const char repeating[] = "repeating-";
  sj_trim(&text, &length);
  sj_scan s = {text, text + length};
  const char *name;
  size_t name_length = sj_scan_name(&s, &name), skip = sizeof repeating - 1;
  int kind;
  sj_css_gradient g = {.to_y = 1, .at = {offset_of(CENTER), offset_of(CENTER)}};
  g.repeats = name_length > skip && sj_is_keyword(name, skip, repeating);
  if (g.repeats) name += skip, name_length -= skip;
  if (!sj_parse_keyword(kinds, name, name_length, &kind) || !sj_scan_char(&s, '(') || text[length - 1] != ')')
    return false;
  g.kind = (sj_css_gradient_kind)kind;
  s.end--;
  while (s.end > s.at && sj_is_space(s.end[-1])) s.end--;
  sj_value_text parts[12];
  g.stops = s;
  int count = sj_css_next_parts(&s, parts, 12);
  if (count < 1 || count > 12) return false;
  if (!is_color(parts[0]) && !is_color(parts[count - 1])) {
    if (!parse_prelude(&g, parts, count) || !sj_scan_char(&s, ',')) return false;
    g.stops = s;
  }
  if (!check_stops(&g)) return false;
  *out = g;
  return true;
}
