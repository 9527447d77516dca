#include <math.h>

#include "geometry/arc_length.h"
#include "svg/convert.h"

bool sj_element_is_shape(sj_element element) {
  switch (element) {
    case SJ_ELEMENT_CIRCLE:
    case SJ_ELEMENT_ELLIPSE:
    case SJ_ELEMENT_LINE:
    case SJ_ELEMENT_PATH:
    case SJ_ELEMENT_POLYGON:
    case SJ_ELEMENT_POLYLINE:
    case SJ_ELEMENT_RECT: return true;
    default: return false;
  }
}

// --- outlines: SVG 2, chapters 9 and 10 ---

static bool rect_path(sj_convert *c, const sj_frame *frame, uint32_t element, stijl_path *path) {
  float x = 0.0f, y = 0.0f, width = 0.0f, height = 0.0f, rx, ry;
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_X, SJ_AXIS_X, &x);
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_Y, SJ_AXIS_Y, &y);
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_WIDTH, SJ_AXIS_X, &width);
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_HEIGHT, SJ_AXIS_Y, &height);
  if (!(width > 0.0f) || !(height > 0.0f)) return false;
  // A radius that is absent, negative or invalid is `auto`: that of the other axis.
  bool has_rx = sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_RX, SJ_AXIS_X, &rx) && rx >= 0.0f;
  bool has_ry = sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_RY, SJ_AXIS_Y, &ry) && ry >= 0.0f;
  if (!has_rx) rx = has_ry ? ry : 0.0f;
  if (!has_ry) ry = rx;
  if (rx > width * 0.5f) rx = width * 0.5f;
  if (ry > height * 0.5f) ry = height * 0.5f;
  if (rx > 0.0f && ry > 0.0f) {
    stijl_path_add_round_rect(path, x, y, width, height, rx, ry);
  } else {
    stijl_path_add_rect(path, x, y, width, height);
  }
  return true;
}

static bool circle_path(sj_convert *c, const sj_frame *frame, uint32_t element, stijl_path *path) {
  float cx = 0.0f, cy = 0.0f, r = 0.0f;
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_CX, SJ_AXIS_X, &cx);
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_CY, SJ_AXIS_Y, &cy);
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_R, SJ_AXIS_DIAGONAL, &r);
  if (!(r > 0.0f)) return false;
  stijl_path_add_ellipse(path, cx, cy, r, r);
  return true;
}

static bool ellipse_path(sj_convert *c, const sj_frame *frame, uint32_t element, stijl_path *path) {
  float cx = 0.0f, cy = 0.0f, rx, ry;
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_CX, SJ_AXIS_X, &cx);
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_CY, SJ_AXIS_Y, &cy);
  bool has_rx = sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_RX, SJ_AXIS_X, &rx) && rx >= 0.0f;
  bool has_ry = sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_RY, SJ_AXIS_Y, &ry) && ry >= 0.0f;
  if (!has_rx && !has_ry) return false;
  if (!has_rx) rx = ry;
  if (!has_ry) ry = rx;
  if (!(rx > 0.0f) || !(ry > 0.0f)) return false;
  stijl_path_add_ellipse(path, cx, cy, rx, ry);
  return true;
}

static bool line_path(sj_convert *c, const sj_frame *frame, uint32_t element, stijl_path *path) {
  float x1 = 0.0f, y1 = 0.0f, x2 = 0.0f, y2 = 0.0f;
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_X1, SJ_AXIS_X, &x1);
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_Y1, SJ_AXIS_Y, &y1);
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_X2, SJ_AXIS_X, &x2);
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_Y2, SJ_AXIS_Y, &y2);
  stijl_path_move_to(path, x1, y1);
  stijl_path_line_to(path, x2, y2);
  return true;
}

// An error in the list keeps the pairs before it; an odd number at the end is dropped.
static bool poly_path(sj_convert *c, uint32_t element, bool close, stijl_path *path) {
  const sj_attribute *points = sj_document_attribute(c->document, element, SJ_ATTRIBUTE_POINTS);
  if (!points) return false;
  sj_list list = sj_list_begin(points->value, points->length);
  float x, y;
  size_t count = 0;
  while (sj_list_next_number(&list, &x) && sj_list_next_number(&list, &y)) {
    if (count++) {
      stijl_path_line_to(path, x, y);
    } else {
      stijl_path_move_to(path, x, y);
    }
  }
  if (count < 2) return false;
  if (close) stijl_path_close(path);
  return true;
}

// Path data as the attribute has it, or path("...") of a style declaration.
static bool data_path(sj_convert *c, uint32_t element, stijl_path *path) {
  const char *text;
  size_t length;
  if (!sj_document_geometry(c->document, element, SJ_ATTRIBUTE_D, &text, &length)) return false;
  const sj_attribute *attribute = sj_document_attribute(c->document, element, SJ_ATTRIBUTE_D);
  if (!attribute || text != attribute->value) {
    sj_trim(&text, &length);
    if (length < 8 || !sj_is_keyword(text, 5, "path(") || text[length - 1] != ')') return false;
    text += 5;
    length -= 6;
    sj_trim(&text, &length);
    if (length < 2 || (text[0] != '"' && text[0] != '\'') || text[length - 1] != text[0]) return false;
    text++;
    length -= 2;
  }
  // What stands before an error is drawn (SVG 2, 9.5.4).
  stijl_result result = stijl_path_add_svg(path, text, length, NULL);
  if (result != STIJL_ERROR_MALFORMED && !sj_convert_check(c, result)) return false;
  return !stijl_path_is_empty(path);
}

bool sj_shape_path(sj_convert *c, const sj_frame *frame, uint32_t element, stijl_path *path) {
  bool drawn = false;
  switch ((sj_element)c->document->nodes.data[element].element) {
    case SJ_ELEMENT_RECT: drawn = rect_path(c, frame, element, path); break;
    case SJ_ELEMENT_CIRCLE: drawn = circle_path(c, frame, element, path); break;
    case SJ_ELEMENT_ELLIPSE: drawn = ellipse_path(c, frame, element, path); break;
    case SJ_ELEMENT_LINE: drawn = line_path(c, frame, element, path); break;
    case SJ_ELEMENT_POLYLINE: drawn = poly_path(c, element, false, path); break;
    case SJ_ELEMENT_POLYGON: drawn = poly_path(c, element, true, path); break;
    case SJ_ELEMENT_PATH: drawn = data_path(c, element, path); break;
    default: break;
  }
  stijl_result status = stijl_path_status(path);
  // Out of the range of coordinates: not drawn, as browsers do with what they cannot hold.
  if (status == STIJL_ERROR_INVALID_ARGUMENT) return false;
  return sj_convert_check(c, status) && drawn;
}

// --- drawing ---

static bool fills(const sj_convert *c, const sj_style *style, uint32_t element) {
  return style->fill.kind != SJ_PAINT_VALUE_NONE && style->fill_opacity > 0.0f &&
         c->document->nodes.data[element].element != SJ_ELEMENT_LINE;
}

static bool strokes(const sj_style *style) {
  return style->stroke.kind != SJ_PAINT_VALUE_NONE && style->stroke_opacity > 0.0f &&
         (style->stroke_width.pixels > 0.0f || style->stroke_width.percent > 0.0f);
}

bool sj_shape_is_single_draw(const sj_convert *c, const sj_frame *frame, uint32_t element) {
  const sj_style *style = frame->style;
  return !(fills(c, style, element) && strokes(style)) && !sj_has_markers(c, style, element);
}

bool sj_shape_stroke(const sj_frame *frame, stijl_stroke *out) {
  const sj_style *style = frame->style;
  if (!strokes(style)) return false;
  *out = (stijl_stroke)STIJL_STROKE_INIT;
  out->width = sj_resolve_computed(frame, style->stroke_width, SJ_AXIS_DIAGONAL);
  out->cap = (stijl_cap)style->line_cap;
  // The join `arcs` falls back to miter, since SVG 2 marks it as at risk.
  out->join = style->line_join == SJ_LINE_JOIN_ROUND        ? STIJL_JOIN_ROUND
              : style->line_join == SJ_LINE_JOIN_BEVEL      ? STIJL_JOIN_BEVEL
              : style->line_join == SJ_LINE_JOIN_MITER_CLIP ? STIJL_JOIN_MITER_CLIP
                                                            : STIJL_JOIN_MITER;
  out->miter_limit = style->miter_limit;
  // A limit below 1 is less than any miter's length.
  if (out->miter_limit < 1.0f) {
    out->miter_limit = 1.0f;
    if (out->join != STIJL_JOIN_ROUND) out->join = STIJL_JOIN_BEVEL;
  }
  return out->width > 0.0f && isfinite(out->width);
}

typedef SJ_ARRAY(float) dash_array;

// The list in user units; left empty for a solid line. SVG 2, 13.5.6: an invalid or negative value makes the list
// invalid, a sum of zero makes the line solid.
static void resolve_dashes(sj_convert *c, const sj_frame *frame, dash_array *out) {
  const sj_length_list *dashes = &frame->style->dashes;
  if (!dashes->text) return;
  sj_length_base base = c->styles.base;
  base.font_size = dashes->font_size;
  float hundred = sj_frame_axis(frame, SJ_AXIS_DIAGONAL);
  sj_list list = sj_list_begin(dashes->text, dashes->length);
  sj_length length;
  float sum = 0.0f;
  while (sj_list_next_length(&list, &length)) {
    float value = sj_length_pixels(length, &base, hundred);
    if (!(value >= 0.0f)) {
      list.failed = true;
      break;
    }
    sum += value;
    if (!sj_array_push(c->context, out, value)) {
      sj_convert_fail_memory(c);
      break;
    }
  }
  if (list.failed || !(sum > 0.0f) || !isfinite(sum)) out->count = 0;
}

// pathLength is the author's length of the path: what is measured along it is scaled (SVG 2, 9.6.1). At 0 every dash is
// infinite.
static void scale_dashes(sj_convert *c, uint32_t element, const stijl_path *path, dash_array *dashes, float *offset) {
  const sj_attribute *attribute = sj_document_attribute(c->document, element, SJ_ATTRIBUTE_PATH_LENGTH);
  float author;
  if (!dashes->count || !attribute || !sj_parse_number(attribute->value, attribute->length, &author) || author < 0.0f) {
    return;
  }
  double length = sj_path_length(path), scale = length / (double)author, sum = 0.0;
  for (size_t i = 0; i < dashes->count; i++) sum += (double)dashes->data[i] * scale;
  if (author == 0.0f || !(sum > 0.0) || !(sum < 1e30)) {
    dashes->count = 0;
    return;
  }
  for (size_t i = 0; i < dashes->count; i++) dashes->data[i] = (float)((double)dashes->data[i] * scale);
  *offset = (float)((double)*offset * scale);
}

static void draw_fill(sj_convert *c, const sj_frame *frame, uint32_t element, sj_box *box, const stijl_path *path,
                      float opacity) {
  const sj_style *style = frame->style;
  if (!fills(c, style, element)) return;
  sj_prepared prepared;
  if (sj_prepare_paint(c, frame, element, box, &style->fill, opacity * style->fill_opacity, &prepared)) {
    stijl_fill_rule rule = (stijl_fill_rule)style->fill_rule;
    prepared.paint.aliased = style->shape_rendering;
    stijl_scene_fill(c->scene, path, rule, &frame->matrix, &prepared.paint);
  }
  sj_finish_paint(c, &prepared);
}

static void draw_stroke(sj_convert *c, const sj_frame *frame, uint32_t element, sj_box *box, const stijl_path *path,
                        float opacity) {
  const sj_style *style = frame->style;
  stijl_stroke stroke;
  if (!sj_shape_stroke(frame, &stroke)) return;
  dash_array dashes = {0};
  resolve_dashes(c, frame, &dashes);
  stroke.dash_offset = sj_resolve_computed(frame, style->dash_offset, SJ_AXIS_DIAGONAL);
  scale_dashes(c, element, path, &dashes, &stroke.dash_offset);
  if (dashes.count) {
    stroke.dashes = dashes.data;
    stroke.dash_count = dashes.count;
    if (!isfinite(stroke.dash_offset)) stroke.dash_offset = 0.0f;
  }
  // The pen of non-scaling-stroke is round in CSS pixels of the outermost viewport.
  stijl_matrix pen = c->host;
  if (style->non_scaling_stroke) stroke.pen = &pen;
  sj_prepared prepared;
  if (sj_prepare_paint(c, frame, element, box, &style->stroke, opacity * style->stroke_opacity, &prepared)) {
    prepared.paint.aliased = style->shape_rendering;
    stijl_scene_stroke(c->scene, path, &stroke, &frame->matrix, &prepared.paint);
  }
  sj_finish_paint(c, &prepared);
  sj_array_finish(c->context, &dashes);
}

void sj_draw_outline(sj_convert *c, const sj_frame *frame, uint32_t element, sj_box *box, const stijl_path *path) {
  const sj_style *style = frame->style;
  if (style->visibility != SJ_VISIBILITY_VISIBLE) return;
  for (int i = 0; i < 3; i++) {
    if (style->paint_order[i] == SJ_PAINT_FILL) draw_fill(c, frame, element, box, path, 1.0f);
    if (style->paint_order[i] == SJ_PAINT_STROKE) draw_stroke(c, frame, element, box, path, 1.0f);
  }
}

void sj_draw_shape(sj_convert *c, const sj_frame *frame, uint32_t element, const stijl_path *path, float opacity) {
  const sj_style *style = frame->style;
  if (style->visibility != SJ_VISIBILITY_VISIBLE) return;
  sj_box box = {.known = true, .empty = true};
  if (style->fill.kind == SJ_PAINT_VALUE_URL || style->stroke.kind == SJ_PAINT_VALUE_URL) {
    box.empty = !stijl_path_bounds(path, &box.rect);
  }
  for (int i = 0; i < 3; i++) {
    if (style->paint_order[i] == SJ_PAINT_MARKERS) {
      if (sj_has_markers(c, style, element)) sj_draw_markers(c, frame, element, path);
    } else if (style->paint_order[i] == SJ_PAINT_FILL) {
      draw_fill(c, frame, element, &box, path, opacity);
    } else {
      draw_stroke(c, frame, element, &box, path, opacity);
    }
  }
}
