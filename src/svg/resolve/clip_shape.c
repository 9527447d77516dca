// Makes outlines of the basic shapes of clip-path (CSS Shapes 1, 3) and of their reference boxes (CSS Masking 1, 5.1).

#include "svg/resolve/clip_shape.h"

#include <math.h>
#include <string.h>

#include "svg/parse/scan.h"
#include "svg/resolve/attributes.h"

typedef struct shape {
  sj_resolver *r;
  const sj_resolve_frame *frame;
  stijl_rect box;
  sj_scan scan;
  stijl_path *path;
  stijl_fill_rule rule;
} shape;

static bool name_is(const char *name, size_t length, const char *keyword) {
  return length && sj_is_keyword(name, length, keyword);
}

// Scans a length or percentage; `hundred` is what 100% stands for.
static bool next_length(shape *s, float hundred, float *out) {
  sj_scan_space(&s->scan);
  sj_length length;
  if (!sj_scan_length(&s->scan, &length)) return false;
  sj_length_base base = sj_style_base(&s->r->styles, s->frame->style);
  *out = sj_length_pixels(length, &base, hundred);
  return true;
}

static bool next_keyword(shape *s, const char *keyword) {
  sj_scan before = s->scan;
  const char *name;
  sj_scan_space(&s->scan);
  size_t length = sj_scan_name(&s->scan, &name);
  if (name_is(name, length, keyword)) return true;
  s->scan = before;
  return false;
}

static bool closes(shape *s) {
  sj_scan_space(&s->scan);
  return sj_scan_char(&s->scan, ')');
}

// Scans "at" and a position relative to the box; without it, the position is the middle.
static bool next_position(shape *s, float *x, float *y) {
  float width = s->box.x1 - s->box.x0, height = s->box.y1 - s->box.y0;
  *x = s->box.x0 + 0.5f * width;
  *y = s->box.y0 + 0.5f * height;
  if (!next_keyword(s, "at")) return true;
  sj_scan_space(&s->scan);
  const char *start = s->scan.at;
  for (int open = 0; !sj_scan_done(&s->scan) && (open || *s->scan.at != ')'); s->scan.at++) {
    open += (*s->scan.at == '(') - (*s->scan.at == ')');
  }
  sj_length at_x, at_y;
  if (!sj_parse_transform_origin(start, (size_t)(s->scan.at - start), &at_x, &at_y)) return false;
  sj_length_base base = sj_style_base(&s->r->styles, s->frame->style);
  *x = s->box.x0 + sj_length_pixels(at_x, &base, width);
  *y = s->box.y0 + sj_length_pixels(at_y, &base, height);
  return true;
}

// A radius of circle() or ellipse(). Keywords are resolved later, since they need the position that follows.
typedef struct radius {
  float length;
  int keyword;  // 0: a length, 1: closest-side, 2: farthest-side
} radius;

static bool next_radius(shape *s, float hundred, radius *out) {
  *out = (radius){.keyword = 1};
  if (next_keyword(s, "closest-side")) return true;
  if (next_keyword(s, "farthest-side")) {
    out->keyword = 2;
    return true;
  }
  sj_scan before = s->scan;
  if (!next_length(s, hundred, &out->length)) {
    s->scan = before;
    return false;
  }
  out->keyword = 0;
  if (out->length < 0.0f) s->scan = before;  // it is not valid: the parser stops here
  return out->length >= 0.0f;
}

static float side(const radius *r, float low, float high) {
  if (!r->keyword) return r->length;
  low = fabsf(low);
  high = fabsf(high);
  return (r->keyword == 1) == (low < high) ? low : high;
}

static bool circle(shape *s) {
  const stijl_rect *b = &s->box;
  float width = b->x1 - b->x0, height = b->y1 - b->y0, x, y;
  radius r;
  next_radius(s, sqrtf((width * width + height * height) * 0.5f), &r);
  if (!next_position(s, &x, &y) || !closes(s)) return false;
  float rx = side(&r, x - b->x0, b->x1 - x), ry = side(&r, y - b->y0, b->y1 - y);
  float length = (r.keyword == 2) == (rx > ry) ? rx : ry;
  stijl_path_add_ellipse(s->path, x, y, length, length);
  return true;
}

static bool ellipse(shape *s) {
  const stijl_rect *b = &s->box;
  float x, y;
  radius rx, ry;
  // Either both radii are there or none.
  if (next_radius(s, b->x1 - b->x0, &rx)) {
    if (!next_radius(s, b->y1 - b->y0, &ry)) return false;
  } else {
    ry = rx;
  }
  if (!next_position(s, &x, &y) || !closes(s)) return false;
  stijl_path_add_ellipse(s->path, x, y, side(&rx, x - b->x0, b->x1 - x), side(&ry, y - b->y0, b->y1 - y));
  return true;
}

// Parses inset(top right? bottom? left? [round radius]?), with one radius for all corners.
static bool inset(shape *s) {
  const stijl_rect *b = &s->box;
  float width = b->x1 - b->x0, height = b->y1 - b->y0;
  float side_lengths[4];
  int count = 0;
  sj_scan before = s->scan;
  while (count < 4 && next_length(s, count % 2 ? width : height, &side_lengths[count])) {
    count++;
    before = s->scan;
  }
  s->scan = before;
  if (!count) return false;
  float top = side_lengths[0], right = side_lengths[sj_side_value(count, 1)];
  float bottom = side_lengths[sj_side_value(count, 2)], left = side_lengths[sj_side_value(count, 3)];
  // The one value of "round" is for both axes; a percentage refers to each axis by itself.
  float round_x = 0.0f, round_y = 0.0f;
  if (next_keyword(s, "round")) {
    before = s->scan;
    if (!next_length(s, width, &round_x)) return false;
    s->scan = before;
    if (!next_length(s, height, &round_y)) return false;
  }
  if (!closes(s)) return false;
  float x0 = b->x0 + left, y0 = b->y0 + top, x1 = b->x1 - right, y1 = b->y1 - bottom;
  if (x1 > x0 && y1 > y0) stijl_path_add_round_rect(s->path, x0, y0, x1 - x0, y1 - y0, round_x, round_y);
  return true;
}

static bool fill_rule(shape *s) {
  sj_scan before = s->scan;
  bool evenodd = next_keyword(s, "evenodd");
  if (!evenodd && !next_keyword(s, "nonzero")) return true;
  s->rule = evenodd ? STIJL_FILL_EVENODD : STIJL_FILL_NONZERO;
  bool comma;
  sj_scan_separator(&s->scan, &comma);
  if (!comma) s->scan = before;
  return comma;
}

static bool polygon(shape *s) {
  const stijl_rect *b = &s->box;
  if (!fill_rule(s)) return false;
  bool comma = true;
  for (size_t i = 0; comma; i++) {
    float x, y;
    if (!next_length(s, b->x1 - b->x0, &x) || !next_length(s, b->y1 - b->y0, &y)) return false;
    if (i) {
      stijl_path_line_to(s->path, b->x0 + x, b->y0 + y);
    } else {
      stijl_path_move_to(s->path, b->x0 + x, b->y0 + y);
    }
    sj_scan_separator(&s->scan, &comma);
  }
  stijl_path_close(s->path);
  return closes(s);
}

static bool path_data(shape *s) {
  if (!fill_rule(s)) return false;
  sj_scan_space(&s->scan);
  char quote = sj_scan_done(&s->scan) ? 0 : *s->scan.at;
  if (quote != '"' && quote != '\'') return false;
  const char *start = ++s->scan.at;
  while (!sj_scan_done(&s->scan) && *s->scan.at != quote) s->scan.at++;
  stijl_path *read = sj_take_path(s->r);
  if (!read) return false;
  stijl_result result = stijl_path_add_svg(read, start, (size_t)(s->scan.at - start), NULL);
  if (result == STIJL_ERROR_OUT_OF_MEMORY) sj_resolve_fail_memory(s->r);
  stijl_matrix move = stijl_matrix_translate(s->box.x0, s->box.y0);
  // Unlike the attribute, the function is void when its path has an error.
  if (result == STIJL_OK) stijl_path_add_path(s->path, read, &move);
  sj_give_path(s->r, read);
  return result == STIJL_OK && sj_scan_char(&s->scan, quote) && closes(s);
}

// Finds the box that a keyword names. Returns false for unknown keywords.
static bool reference_box(shape *s, const char *name, size_t length, stijl_rect fill) {
  if (name_is(name, length, "view-box")) {
    s->box = (stijl_rect){0.0f, 0.0f, s->frame->width, s->frame->height};
  } else if (name_is(name, length, "fill-box") || name_is(name, length, "content-box") ||
             name_is(name, length, "padding-box")) {
    s->box = fill;
  } else if (name_is(name, length, "stroke-box") || name_is(name, length, "border-box") ||
             name_is(name, length, "margin-box")) {
    const sj_style *style = s->frame->style;
    float half = 0.5f * sj_resolve_computed(s->frame, style->stroke_width, SJ_AXIS_DIAGONAL);
    if (style->stroke.kind == SJ_PAINT_VALUE_NONE) half = 0.0f;
    s->box = (stijl_rect){fill.x0 - half, fill.y0 - half, fill.x1 + half, fill.y1 + half};
  } else {
    return false;
  }
  return true;
}

// Makes the outline of a value. Without `fill_box` all boxes are empty.
static bool make_outline(shape *s, const sj_value_text *value, const stijl_rect *fill_box) {
  static const struct {
    const char *name;
    bool (*parse)(shape *);
  } functions[] = {
      {"circle", circle}, {"ellipse", ellipse}, {"inset", inset}, {"polygon", polygon}, {"path", path_data}};
  if (fill_box) reference_box(s, "border-box", 10, *fill_box);
  // The box may stand before or behind the function, so the first turn looks for the box only.
  bool drawn = false, boxed = false;
  for (int turn = 0; turn < 2; turn++) {
    s->scan = (sj_scan){value->text, value->text + value->length};
    sj_scan_space(&s->scan);
    while (!sj_scan_done(&s->scan)) {
      const char *name;
      size_t length = sj_scan_name(&s->scan, &name);
      if (!length) return false;
      if (!sj_scan_char(&s->scan, '(')) {
        stijl_rect fill = fill_box ? *fill_box : s->box;
        if (turn == 0 && (boxed || !reference_box(s, name, length, fill))) return false;
        if (!fill_box) s->box = (stijl_rect){0.0f, 0.0f, 0.0f, 0.0f};
        boxed = true;
      } else if (turn == 0) {
        for (int open = 1; open && !sj_scan_done(&s->scan); s->scan.at++)
          open += (*s->scan.at == '(') - (*s->scan.at == ')');
      } else {
        size_t i = 0, count = sizeof functions / sizeof *functions;
        while (i < count && !name_is(name, length, functions[i].name)) i++;
        if (drawn || i == count || !functions[i].parse(s)) return false;
        drawn = true;
      }
      sj_scan_space(&s->scan);
    }
  }
  if (!drawn) sj_add_rect(s->path, s->box);
  stijl_result status = stijl_path_status(s->path);
  // Coordinates out of range are no reason to refuse the document.
  return status != STIJL_ERROR_INVALID_ARGUMENT && sj_resolve_check(s->r, status);
}

bool sj_clip_shape_path(sj_resolver *r, const sj_resolve_frame *frame, const sj_value_text *value, stijl_rect fill_box,
                        stijl_path *path, stijl_fill_rule *rule) {
  shape s = {.r = r, .frame = frame, .path = path};
  bool good = make_outline(&s, value, &fill_box);
  *rule = s.rule;
  return good;
}

bool sj_offset_shape_path(sj_resolver *r, const sj_resolve_frame *frame, const sj_value_text *value, stijl_path *path) {
  shape s = {.r = r, .frame = frame, .path = path};
  return make_outline(&s, value, NULL);
}

bool sj_inside_shape_path(sj_resolver *r, const sj_resolve_frame *frame, const sj_value_text *value, stijl_path *path,
                          stijl_fill_rule *rule) {
  shape s = {.r = r, .frame = frame, .path = path, .box = {0.0f, 0.0f, frame->width, frame->height}};
  bool good =
      !sj_is_keyword(value->text, value->length < 6 ? value->length : 6, "inset(") && make_outline(&s, value, NULL);
  *rule = s.rule;
  return good;
}
