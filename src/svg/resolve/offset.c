// Motion paths (Motion Path 1): elements that offset-path puts on a line. Where that says less than it could mean, it
// is as Chromium draws it: percentages of basic shapes are of an empty box, since elements of SVG have no box of CSS.
#include "svg/resolve/offset.h"

#include <math.h>

#include "geometry/arc_length.h"
#include "svg/parse/scan.h"
#include "svg/resolve/clip_shape.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/shapes.h"

// A place on the line, and the direction there: a unit vector, or zero where there is none.
typedef struct place {
  stijl_point at, direction;
} place;

// Returns offset-distance in pixels, where 100% is the length; 0 if it is invalid.
static float distance_along(const sj_resolver *r, const sj_style *style, float length) {
  sj_length distance;
  sj_length_base base = sj_style_base(&r->styles, style);
  if (!style->offset_distance.text ||
      !sj_parse_length(style->offset_distance.text, style->offset_distance.length, &distance) ||
      (distance.unit == SJ_UNIT_NONE && distance.value != 0.0f))
    return 0.0f;
  return sj_length_pixels(distance, &base, length);
}

// --- ray() ---

// Returns what 100% of a ray's length is: from the position to the sides or corners of an empty box at the origin.
static float ray_length(const char *keyword, size_t length, stijl_point from) {
  float x = fabsf(from.x), y = fabsf(from.y);
  if (sj_is_keyword(keyword, length, "farthest-side")) return fmaxf(x, y);
  if (sj_is_keyword(keyword, length, "closest-corner") || sj_is_keyword(keyword, length, "farthest-corner"))
    return sqrtf(x * x + y * y);
  return sj_is_keyword(keyword, length, "sides") ? 0.0f : fminf(x, y);
}

// Reads what stands between the parentheses of ray(): an angle, how long it is, `contain`, and `at` a position. An
// angle of 0 points up, and larger ones clockwise.
static bool place_on_ray(const sj_resolver *r, const sj_style *style, const char *text, size_t length, place *out) {
  sj_scan s = {text, text + length};
  const char *size = "closest-side";
  size_t size_length = 12;
  float degrees;
  bool angled = false, sized = false, contains = false;
  stijl_point from = {0.0f, 0.0f};
  const char *start;
  for (size_t word; sj_scan_word(&s, &start, &word);) {
    if (sj_is_keyword(start, word, "at")) {
      sj_length x, y;
      sj_length_base base = sj_style_base(&r->styles, style);
      if (!sj_parse_transform_origin(s.at, (size_t)(s.end - s.at), &x, &y)) return false;
      from = (stijl_point){sj_length_pixels(x, &base, 0.0f), sj_length_pixels(y, &base, 0.0f)};
      break;
    }
    if (!contains && sj_is_keyword(start, word, "contain")) {
      contains = true;
    } else if (!angled && sj_parse_angle(start, word, &degrees)) {
      angled = true;
    } else if (!sized && (sj_is_keyword(start, word, "closest-side") || sj_is_keyword(start, word, "farthest-side") ||
                          sj_is_keyword(start, word, "closest-corner") ||
                          sj_is_keyword(start, word, "farthest-corner") || sj_is_keyword(start, word, "sides"))) {
      size = start;
      size_length = word;
      sized = true;
    } else {
      return false;
    }
  }
  if (!angled) return false;
  stijl_matrix turned = stijl_matrix_rotate(degrees);
  out->direction = (stijl_point){-turned.c, -turned.d};
  float distance = distance_along(r, style, ray_length(size, size_length, from));
  out->at = (stijl_point){from.x + out->direction.x * distance, from.y + out->direction.y * distance};
  return true;
}

// --- paths ---

// Makes the line of a shape of the document, or of a basic shape. Returns false where the value is neither.
static bool make_path(sj_resolver *r, const sj_resolve_frame *frame, stijl_path *path) {
  const sj_value_text *value = &frame->style->offset_path;
  const char *url, *rest;
  size_t url_length, rest_length;
  if (sj_parse_url(value->text, value->length, &url, &url_length, &rest, &rest_length)) {
    uint32_t element = sj_document_by_url(r->document, url, url_length);
    return element != SJ_NO_ELEMENT && sj_shape_path(r, frame, element, path);
  }
  return sj_offset_shape_path(r, frame, value, path);
}

static bool place_on_path(sj_resolver *r, const sj_resolve_frame *frame, const stijl_path *path, place *out) {
  if (!sj_resolve_spend(r, path->verbs.count * SJ_WORK_VALUE)) return false;
  sj_measured_path measured = {0};
  if (!sj_path_measure(r->job->context, path, &measured)) sj_resolve_fail_memory(r);
  double length = measured.length, distance = (double)distance_along(r, frame->style, (float)length);
  // A line that is closed goes on and on.
  bool closed = path->verbs.count && path->verbs.data[path->verbs.count - 1] == STIJL_PATH_CLOSE;
  if (closed && length > 0.0) distance -= floor(distance / length) * length;
  bool found = sj_measured_point_at(&measured, distance, &out->at, &out->direction);
  sj_measured_finish(r->job->context, &measured);
  return found;
}

static bool find_place(sj_resolver *r, const sj_resolve_frame *frame, place *out) {
  const sj_value_text *value = &frame->style->offset_path;
  const char *text = value->text;
  size_t length = value->length;
  sj_trim(&text, &length);
  if (length > 5 && sj_is_keyword(text, 4, "ray(") && text[length - 1] == ')')
    return place_on_ray(r, frame->style, text + 4, length - 5, out);
  stijl_path *path = sj_take_path(r);
  if (!path) return false;
  bool found = make_path(r, frame, path) && place_on_path(r, frame, path, out);
  sj_give_path(r, path);
  return found;
}

// --- the transform ---

// Returns how the style turns the element: along the line, against it, or by an angle, alone or beside these.
static stijl_matrix rotation(const sj_style *style, stijl_point direction) {
  sj_value_text given = style->offset_rotate;
  sj_scan s = {given.text, given.text ? given.text + given.length : NULL};
  bool follows = !s.at;
  stijl_matrix turn = stijl_matrix_identity(), part;
  const char *start;
  for (size_t length; sj_scan_word(&s, &start, &length);) {
    bool back = sj_is_keyword(start, length, "reverse");
    if (back) turn = stijl_matrix_multiply(turn, stijl_matrix_scale(-1.0f, -1.0f));
    if (back || sj_is_keyword(start, length, "auto"))
      follows = true;
    else if (sj_parse_rotate(start, length, &part))
      turn = stijl_matrix_multiply(turn, part);
  }
  if (!follows || (direction.x == 0.0f && direction.y == 0.0f)) return turn;
  stijl_matrix along = {direction.x, direction.y, -direction.y, direction.x, 0.0f, 0.0f};
  return stijl_matrix_multiply(along, turn);
}

bool sj_offset_transform(sj_resolver *r, const sj_resolve_frame *frame, stijl_rect reference, stijl_point origin,
                         stijl_matrix *out) {
  const sj_style *style = frame->style;
  place p;
  if (!style->offset_path.text) return false;
  if (!find_place(r, frame, &p)) {
    if (sj_resolving(r)) sj_omit(r, SJ_OMIT_TRANSFORM, style->offset_path.text, style->offset_path.length);
    return false;
  }
  // The point of the element that is put on the line, and about which it is turned.
  stijl_point anchor = origin;
  sj_length x, y;
  if (style->offset_anchor.text &&
      sj_parse_transform_origin(style->offset_anchor.text, style->offset_anchor.length, &x, &y)) {
    sj_length_base base = sj_style_base(&r->styles, style);
    anchor.x = reference.x0 + sj_length_pixels(x, &base, reference.x1 - reference.x0);
    anchor.y = reference.y0 + sj_length_pixels(y, &base, reference.y1 - reference.y0);
  }
  *out = stijl_matrix_multiply(stijl_matrix_translate(p.at.x - origin.x, p.at.y - origin.y),
                               stijl_matrix_multiply(rotation(style, p.direction),
                                                     stijl_matrix_translate(origin.x - anchor.x, origin.y - anchor.y)));
  return true;
}
