// Makes the outlines, paints and strokes of shapes.
#include "svg/resolve/shapes.h"

#include <math.h>

#include "geometry/arc_length.h"
#include "svg/resolve/attributes.h"
#include "svg/resolve/marker.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/paint.h"
#include "svg/resolve/resolve.h"

// --- outlines: SVG 2, chapters 9 and 10 ---

static bool rect_path(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, stijl_path *path) {
  float x = 0.0f, y = 0.0f, width = 0.0f, height = 0.0f, rx, ry;
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_X, SJ_AXIS_X, &x);
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_Y, SJ_AXIS_Y, &y);
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_WIDTH, SJ_AXIS_X, &width);
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_HEIGHT, SJ_AXIS_Y, &height);
  if (!(width > 0.0f) || !(height > 0.0f)) return false;
  // A radius that is absent, negative or invalid is `auto`: it is that of the other axis.
  bool has_rx = sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_RX, SJ_AXIS_X, &rx) && rx >= 0.0f;
  bool has_ry = sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_RY, SJ_AXIS_Y, &ry) && ry >= 0.0f;
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

static bool circle_path(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, stijl_path *path) {
  float cx = 0.0f, cy = 0.0f, radius = 0.0f;
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_CX, SJ_AXIS_X, &cx);
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_CY, SJ_AXIS_Y, &cy);
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_R, SJ_AXIS_DIAGONAL, &radius);
  if (!(radius > 0.0f)) return false;
  stijl_path_add_ellipse(path, cx, cy, radius, radius);
  return true;
}

static bool ellipse_path(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, stijl_path *path) {
  float cx = 0.0f, cy = 0.0f, rx, ry;
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_CX, SJ_AXIS_X, &cx);
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_CY, SJ_AXIS_Y, &cy);
  bool has_rx = sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_RX, SJ_AXIS_X, &rx) && rx >= 0.0f;
  bool has_ry = sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_RY, SJ_AXIS_Y, &ry) && ry >= 0.0f;
  if (!has_rx && !has_ry) return false;
  if (!has_rx) rx = ry;
  if (!has_ry) ry = rx;
  if (!(rx > 0.0f) || !(ry > 0.0f)) return false;
  stijl_path_add_ellipse(path, cx, cy, rx, ry);
  return true;
}

static bool line_path(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, stijl_path *path) {
  float x1 = 0.0f, y1 = 0.0f, x2 = 0.0f, y2 = 0.0f;
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_X1, SJ_AXIS_X, &x1);
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_Y1, SJ_AXIS_Y, &y1);
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_X2, SJ_AXIS_X, &x2);
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_Y2, SJ_AXIS_Y, &y2);
  stijl_path_move_to(path, x1, y1);
  stijl_path_line_to(path, x2, y2);
  return true;
}

// Appends the lines of a polyline or polygon. An error in the list keeps the points before it, and an odd number at the
// end is dropped; both are warned of. Returns false when fewer than two points are left.
static bool poly_path(sj_resolver *r, uint32_t element, bool close, stijl_path *path) {
  const sj_string *points = sj_document_attribute(r->document, element, SJ_ATTRIBUTE_POINTS);
  if (!points) return false;
  sj_list list = sj_list_begin(r->styles.budget, points->text, points->length);
  float x, y;
  size_t count = 0;
  bool odd = false;
  while (sj_list_next_number(&list, &x)) {
    odd = !sj_list_next_number(&list, &y);
    if (odd) break;
    if (count++) {
      stijl_path_line_to(path, x, y);
    } else {
      stijl_path_move_to(path, x, y);
    }
  }
  if ((odd || list.failed) && sj_resolve_spend(r, 0)) sj_omit_value(r, "points", points->text, points->length);
  if (count < 2) return false;
  if (close) stijl_path_close(path);
  return true;
}

// Reads path data from the attribute, or path("...") or `none` from a style declaration.
static bool data_path(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, stijl_path *path) {
  const char *text;
  size_t length;
  if (!sj_document_geometry(r->document, frame->copy, element, SJ_ATTRIBUTE_D, &text, &length)) return false;
  const sj_string *attribute = sj_document_attribute(r->document, element, SJ_ATTRIBUTE_D);
  if (!attribute || text != attribute->text) {
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
  size_t at = 0;
  stijl_result result = stijl_path_add_svg(path, text, length, &at);
  if (result == STIJL_ERROR_MALFORMED && at < length) sj_omit(r, SJ_OMIT_PATH, text + at, length - at);
  if (result == STIJL_ERROR_MALFORMED && at >= length) sj_omit(r, SJ_OMIT_PATH, "its end", 7);
  if (result != STIJL_ERROR_MALFORMED && !sj_resolve_check(r, result)) return false;
  return !stijl_path_is_empty(path);
}

bool sj_shape_path(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, stijl_path *path) {
  bool drawn = false;
  switch ((sj_element)r->document->nodes.data[element].element) {
    case SJ_ELEMENT_RECT: drawn = rect_path(r, frame, element, path); break;
    case SJ_ELEMENT_CIRCLE: drawn = circle_path(r, frame, element, path); break;
    case SJ_ELEMENT_ELLIPSE: drawn = ellipse_path(r, frame, element, path); break;
    case SJ_ELEMENT_LINE: drawn = line_path(r, frame, element, path); break;
    case SJ_ELEMENT_POLYLINE: drawn = poly_path(r, element, false, path); break;
    case SJ_ELEMENT_POLYGON: drawn = poly_path(r, element, true, path); break;
    case SJ_ELEMENT_PATH: drawn = data_path(r, frame, element, path); break;
    default: break;
  }
  stijl_result status = stijl_path_status(path);
  // Browsers do not draw either what is beyond the range of their coordinates.
  if (status == STIJL_ERROR_INVALID_ARGUMENT) return false;
  return sj_resolve_check(r, status) && drawn;
}

// Returns whether the outline depends on nothing but attributes without units, so that it needs to be made only once.
static bool is_plain(sj_element element) {
  return element == SJ_ELEMENT_PATH || element == SJ_ELEMENT_POLYLINE || element == SJ_ELEMENT_POLYGON;
}

static bool declares_path(const sj_document *document, const sj_node *node) {
  sj_cascade cascade = sj_cascade_of(document, node);
  for (const sj_declared *d; (d = sj_cascade_next(&cascade));)
    if (d->name == SJ_ATTRIBUTE_D) return true;
  return false;
}

// Returns whether the path data of the element in the copy may be others than in the document.
static bool has_own_path(const sj_document *document, uint32_t copy, uint32_t element) {
  const sj_node *here = sj_document_node(document, copy, element), *original = &document->nodes.data[element];
  return here != original && here->first_run != original->first_run &&
         (declares_path(document, here) || declares_path(document, original));
}

uint32_t sj_shape_geometry(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element) {
  // Only use elements, and other times, show an element of the picture more than once.
  bool again = is_plain((sj_element)r->document->nodes.data[element].element) &&
               (frame->uses || (r->own && r->job->keeper)) && !has_own_path(r->document, frame->copy, element);
  if (again && !r->geometries) {
    r->geometries = sj_alloc_zero(r->job->context, r->document->nodes.count * sizeof *r->geometries);
    if (!r->geometries) sj_resolve_fail_memory(r);
  }
  if (again && r->geometries && r->geometries[element]) return r->geometries[element] - 1;
  stijl_path *path = sj_take_path(r);
  if (!path) return SJ_NONE;
  uint32_t made = sj_shape_path(r, frame, element, path) ? sj_add_geometry(r, path) : SJ_NONE;
  sj_give_path(r, path);
  if (again && r->geometries && made != SJ_NONE) r->geometries[element] = made + 1;
  return made;
}

// --- paints and strokes ---

static bool fills(const sj_resolver *r, const sj_style *style, uint32_t element) {
  return style->fill.kind != SJ_PAINT_VALUE_NONE && style->fill_opacity > 0.0f &&
         r->document->nodes.data[element].element != SJ_ELEMENT_LINE;
}

static bool strokes(const sj_style *style) {
  return style->stroke.kind != SJ_PAINT_VALUE_NONE && style->stroke_opacity > 0.0f &&
         (style->stroke_width.pixels > 0.0f || style->stroke_width.percent > 0.0f);
}

bool sj_shape_is_single_draw(const sj_resolver *r, const sj_resolve_frame *frame, uint32_t element) {
  const sj_style *style = frame->style;
  return !(fills(r, style, element) && strokes(style)) && !sj_has_markers(r, style, element);
}

// Adds the list of dashes in user units; none for a solid line. An invalid or negative value makes the list invalid,
// and a sum of 0 makes the line solid (SVG 2, 13.5.6).
static void add_dashes(sj_resolver *r, const sj_resolve_frame *frame, sj_range *out) {
  sj_tree *tree = r->job->tree;
  const sj_length_list *dashes = &frame->style->dashes;
  out->first = out->end = (uint32_t)tree->numbers.count;
  if (!dashes->text) return;
  sj_length_base base = sj_style_base(&r->styles, frame->style);
  base.font_size = dashes->font_size;
  float hundred = sj_frame_axis(frame, SJ_AXIS_DIAGONAL);
  sj_list list = sj_list_begin(r->styles.budget, dashes->text, dashes->length);
  sj_length length;
  float sum = 0.0f;
  while (sj_list_next_length(&list, &length)) {
    float value = sj_length_pixels(length, &base, hundred);
    if (!(value >= 0.0f)) {
      list.failed = true;
      break;
    }
    sum += value;
    if (tree->numbers.count >= SJ_NONE || !sj_array_push(tree->context, &tree->numbers, value)) {
      sj_resolve_fail_memory(r);
      break;
    }
  }
  if (list.failed || !(sum > 0.0f) || !isfinite(sum)) tree->numbers.count = out->first;
  out->end = (uint32_t)tree->numbers.count;
}

// Scales dashes by pathLength, the author's length of the path (SVG 2, 9.6.1). Where it is 0 every dash is infinite.
static void scale_dashes(sj_resolver *r, uint32_t element, uint32_t geometry, sj_tree_stroke *stroke) {
  sj_tree *tree = r->job->tree;
  const sj_string *attribute = sj_document_attribute(r->document, element, SJ_ATTRIBUTE_PATH_LENGTH);
  sj_range *dashes = &stroke->dashes;
  float author;
  if (sj_has_glyphs(&tree->geometries.data[geometry])) return;  // text has no pathLength
  if (dashes->first == dashes->end || !attribute) return;
  bool good = sj_parse_number(attribute->text, attribute->length, &author);
  if (!sj_understood(r, SJ_ATTRIBUTE_PATH_LENGTH, attribute, good) || author < 0.0f) return;
  stijl_path path = sj_tree_path(tree, geometry);
  double length = sj_path_length(&path), scale = length / (double)author, sum = 0.0;
  float *list = tree->numbers.data;
  for (uint32_t i = dashes->first; i < dashes->end; i++) sum += (double)list[i] * scale;
  if (author == 0.0f || !(sum > 0.0) || !(sum < 1e30)) {
    tree->numbers.count = dashes->end = dashes->first;
    return;
  }
  for (uint32_t i = dashes->first; i < dashes->end; i++) list[i] = (float)((double)list[i] * scale);
  stroke->dash_offset = (float)((double)stroke->dash_offset * scale);
}

// Adds the stroke to tree->strokes and returns its index; SJ_NONE if there is none.
static uint32_t add_stroke(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t node,
                           uint32_t geometry) {
  sj_tree *tree = r->job->tree;
  const sj_style *style = frame->style;
  if (!strokes(style)) return SJ_NONE;
  sj_tree_stroke stroke = {.opacity = style->stroke_opacity,
                           .width = sj_resolve_computed(frame, style->stroke_width, SJ_AXIS_DIAGONAL),
                           .miter_limit = style->miter_limit,
                           .cap = (uint8_t)style->line_cap,
                           .non_scaling = style->non_scaling_stroke};
  if (!(stroke.width > 0.0f) || !isfinite(stroke.width)) return SJ_NONE;
  // The join `arcs` falls back to miter, since SVG 2 marks it as at risk.
  stroke.join = style->line_join == SJ_LINE_JOIN_ROUND        ? STIJL_JOIN_ROUND
                : style->line_join == SJ_LINE_JOIN_BEVEL      ? STIJL_JOIN_BEVEL
                : style->line_join == SJ_LINE_JOIN_MITER_CLIP ? STIJL_JOIN_MITER_CLIP
                                                              : STIJL_JOIN_MITER;
  // Every miter is longer than a limit below 1.
  if (stroke.miter_limit < 1.0f) {
    stroke.miter_limit = 1.0f;
    if (stroke.join != STIJL_JOIN_ROUND) stroke.join = STIJL_JOIN_BEVEL;
  }
  add_dashes(r, frame, &stroke.dashes);
  stroke.dash_offset = sj_resolve_computed(frame, style->dash_offset, SJ_AXIS_DIAGONAL);
  scale_dashes(r, element, geometry, &stroke);
  if (!isfinite(stroke.dash_offset)) stroke.dash_offset = 0.0f;
  stroke.paint = sj_resolve_paint(r, frame, node, &style->stroke);
  if (tree->strokes.count < SJ_NONE && sj_array_push(tree->context, &tree->strokes, stroke))
    return (uint32_t)tree->strokes.count - 1;
  sj_resolve_fail_memory(r);
  return SJ_NONE;
}

bool sj_add_shape(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t node, uint32_t geometry) {
  sj_tree *tree = r->job->tree;
  const sj_style *style = frame->style;
  sj_tree_shape shape = {.geometry = geometry,
                         .fill_opacity = style->fill_opacity,
                         .fill_rule = (uint8_t)style->fill_rule,
                         .aliased = style->shape_rendering,
                         .stroke = SJ_NONE};
  for (int i = 0; i < 3; i++) shape.paint_order[i] = style->paint_order[i];
  // From here on the node's box may be asked for, which is that of the outline.
  uint32_t item = (uint32_t)tree->shapes.count;
  tree->nodes.data[node].item = item;
  if (tree->shapes.count >= SJ_NONE || !sj_array_push(tree->context, &tree->shapes, shape)) {
    sj_resolve_fail_memory(r);
    return false;
  }
  bool visible = style->visibility == SJ_VISIBILITY_VISIBLE;
  tree->nodes.data[node].invisible = !visible;
  if (visible && fills(r, style, element)) {
    sj_tree_paint paint = sj_resolve_paint(r, frame, node, &style->fill);
    tree->shapes.data[item].fill = paint;
  }
  // A stroke that is not visible still counts for how far the shape reaches.
  uint32_t stroke = add_stroke(r, frame, element, node, geometry);
  tree->shapes.data[item].stroke = stroke;
  return sj_resolving(r);
}

bool sj_resolve_shape(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t node) {
  sj_tree *tree = r->job->tree;
  uint32_t geometry = sj_shape_geometry(r, frame, element);
  if (geometry == SJ_NONE || !sj_add_shape(r, frame, element, node, geometry)) return false;
  if (tree->nodes.data[node].invisible || !sj_has_markers(r, frame->style, element)) return true;
  sj_range markers = {0, 0};
  sj_resolve_markers(r, frame, element, geometry, &markers);
  tree->shapes.data[tree->nodes.data[node].item].markers = markers;
  if (markers.first < markers.end) sj_add_context(r, frame, node);
  return sj_resolving(r);
}

void sj_fill_path(sj_resolver *r, const sj_resolve_frame *outer, uint32_t element, const sj_style *own,
                  const stijl_path *path, stijl_fill_rule rule, stijl_color color, float opacity) {
  stijl_result status = stijl_path_status(path);
  if (status == STIJL_ERROR_INVALID_ARGUMENT || !sj_resolve_check(r, status)) return;
  if (stijl_path_is_empty(path) || !(color.a > 0.0f)) return;
  sj_style style = *own;
  style.fill = (sj_paint_value){.kind = SJ_PAINT_VALUE_COLOR, .color = color};
  style.stroke.kind = SJ_PAINT_VALUE_NONE;
  style.fill_opacity = opacity;
  style.fill_rule = (int)rule;
  style.shape_rendering = 0;
  sj_resolve_frame frame = *outer;
  frame.style = &style;
  uint32_t node = sj_node_begin(r, SJ_TREE_SHAPE, &frame, element);
  uint32_t geometry = node == SJ_NONE ? SJ_NONE : sj_add_geometry(r, path);
  if (geometry != SJ_NONE && sj_add_shape(r, &frame, element, node, geometry)) sj_node_end(r, node);
}
