#include "svg/convert.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scene/scene.h"

// --- begin and end ---

void sj_convert_init(sj_convert *c, stijl_context *context, const stijl_svg *svg, stijl_scene *scene,
                     stijl_message *message) {
  *c = (sj_convert){.svg = svg,
                    .document = &svg->document,
                    .context = context,
                    .styles = {.budget = sj_budget_of(context), .font_size = svg->options.font_size},
                    .message = message,
                    .scene = scene};
}

void sj_convert_finish(sj_convert *c) {
  for (size_t i = 0; i < c->spare_paths.count; i++) stijl_path_destroy(c->spare_paths.data[i]);
  sj_array_finish(c->context, &c->spare_paths);
  sj_array_finish(c->context, &c->pending);
  sj_array_finish(c->context, &c->active);
  sj_finish_tiles(c);
  sj_finish_images(c);
}

void sj_convert_nest(sj_convert *c, sj_convert *outer, const stijl_svg *svg) {
  sj_convert_init(c, outer->context, svg, outer->scene, outer->message);
  c->measure = outer->measure;
  c->measure_kind = outer->measure_kind;
  c->host = outer->host;
  c->styles.base = outer->styles.base;
  c->styles.document = c->document;
  c->canvas_width = outer->canvas_width;
  c->canvas_height = outer->canvas_height;
  c->elements = outer->elements;
  c->omitted = outer->omitted;
  c->image_pixels = outer->image_pixels;
}

void sj_convert_unnest(sj_convert *c, sj_convert *outer) {
  outer->elements = c->elements;
  outer->omitted = c->omitted;
  outer->image_pixels = c->image_pixels;
  outer->result = c->result;
  sj_convert_finish(c);
}

static void draw_background(sj_convert *c, const sj_frame *frame) {
  const sj_style *style = frame->style;
  stijl_color color = style->background_kind == SJ_COLOR_CURRENT ? style->color : style->background;
  if (!(color.a > 0.0f)) return;
  stijl_path *path = sj_convert_path(c);
  if (!path) return;
  sj_add_rect(path, (stijl_rect){0.0f, 0.0f, c->svg->width, c->svg->height});
  stijl_paint paint = stijl_paint_solid(color);
  stijl_scene_fill(c->scene, path, STIJL_FILL_NONZERO, &frame->matrix, &paint);
  sj_convert_give_path(c, path);
}

// Computes the root's own style and frame; its viewport is width x height. False when it is not displayed.
static bool enter_root(sj_convert *c, const stijl_matrix *host, float width, float height, uint32_t depth,
                       sj_style *style, sj_frame *frame) {
  c->host = *host;
  c->styles.document = c->document;
  c->styles.base =
      (sj_length_base){.dpi = c->svg->options.dpi, .viewport_width = c->canvas_width, .viewport_height = c->canvas_height};
  sj_style_compute(&c->styles, 0, NULL, style);
  c->styles.base.root_font_size = style->font_size;
  *frame =
      (sj_frame){.style = style, .matrix = *host, .width = width, .height = height, .opacity = 1.0f, .depth = depth};
  return !style->display_none && sj_convert_count(c, depth) && sj_conditions_hold(c, 0);
}

bool sj_convert_measure(const stijl_svg *svg, float width, float height, stijl_rect *out) {
  stijl_message message = {{0}};
  sj_convert c;
  sj_convert_init(&c, svg->context, svg, NULL, &message);
  c.canvas_width = width;
  c.canvas_height = height;
  sj_box box = {.known = true, .empty = true};
  c.measure = &box;
  c.measure_kind = SJ_MEASURE_INK;
  stijl_matrix identity = stijl_matrix_identity();
  sj_style style;
  sj_frame frame;
  if (enter_root(&c, &identity, width, height, 0, &style, &frame) &&
      sj_apply_transform(&c, &frame, 0, SJ_PROPERTY_TRANSFORM)) {
    frame.depth++;
    sj_convert_children(&c, &frame, 0);
  }
  sj_convert_finish(&c);
  *out = box.rect;
  return !box.empty;
}

void sj_convert_document(sj_convert *c, const stijl_matrix *host, uint32_t depth) {
  const stijl_svg *svg = c->svg;
  sj_style style;
  sj_frame frame;
  if (!enter_root(c, host, svg->viewport_width, svg->viewport_height, depth, &style, &frame)) return;
  sj_omit_document(c);
  draw_background(c, &frame);
  frame.matrix = stijl_matrix_multiply(frame.matrix, stijl_matrix_translate(-svg->left, -svg->top));
  if (!sj_apply_transform(c, &frame, 0, SJ_PROPERTY_TRANSFORM)) return;
  sj_frame inner = frame;
  bool clips;
  stijl_rect clip;
  sj_viewport viewport = {.width = frame.width, .height = frame.height};
  // The canvas, or the image that holds this document, clips.
  if (!sj_enter_viewport(c, &inner, 0, &viewport, &clips, &clip)) return;
  inner.depth++;
  sj_group group;
  if (!sj_group_begin(c, &frame, 0, style.opacity, &group)) return;
  sj_convert_children(c, &inner, 0);
  sj_group_end(c, &group);
}

// --- failures, limits, pools ---

void sj_convert_fail(sj_convert *c, stijl_result result, const char *format, ...) {
  if (c->result != STIJL_OK) return;
  char text[sizeof c->message->text];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  c->result = sj_fail(c->message, result, "%s", text);
}

void sj_convert_fail_memory(sj_convert *c) {
  if (c->result == STIJL_OK) c->result = sj_fail_memory(c->message);
}

bool sj_convert_check(sj_convert *c, stijl_result result) {
  if (result == STIJL_OK) return c->result == STIJL_OK;
  if (result == STIJL_ERROR_OUT_OF_MEMORY) {
    sj_convert_fail_memory(c);
  } else {
    sj_convert_fail(c, result, "%s", stijl_result_string(result));
  }
  return false;
}

bool sj_convert_count(sj_convert *c, uint32_t depth) {
  if (c->result != STIJL_OK) return false;
  const stijl_svg_limits *limits = &c->svg->options.limits;
  if (++c->elements > limits->max_elements) {
    sj_convert_fail(c, STIJL_ERROR_LIMIT, "more elements drawn than max_elements (%u)", limits->max_elements);
    return false;
  }
  if (depth > limits->max_depth) {
    sj_convert_fail(c, STIJL_ERROR_LIMIT, "elements and references nested deeper than max_depth (%u)",
                    limits->max_depth);
    return false;
  }
  return sj_convert_spend(c, SJ_WORK_ELEMENT);
}

bool sj_convert_spend(sj_convert *c, uint64_t work) {
  if (c->result != STIJL_OK) return false;
  if (!sj_context_check(c->context, work)) c->result = sj_budget_spent(c->message);
  // A scene that has failed records nothing more, so the conversion fails with it.
  if (c->scene && c->scene->status != STIJL_OK) sj_convert_fail(c, c->scene->status, "%s", c->scene->message.text);
  return c->result == STIJL_OK;
}

stijl_path *sj_convert_path(sj_convert *c) {
  if (c->spare_paths.count) return c->spare_paths.data[--c->spare_paths.count];
  stijl_path *path;
  return sj_convert_check(c, stijl_path_create(c->context, &path)) ? path : NULL;
}

static float clamp_coordinate(float v) { return v > -1e9f ? (v < 1e9f ? v : 1e9f) : -1e9f; }

void sj_add_rect(stijl_path *path, stijl_rect rect) {
  float x0 = clamp_coordinate(rect.x0), y0 = clamp_coordinate(rect.y0);
  float x1 = clamp_coordinate(rect.x1), y1 = clamp_coordinate(rect.y1);
  stijl_path_move_to(path, x0, y0);
  stijl_path_line_to(path, x1, y0);
  stijl_path_line_to(path, x1, y1);
  stijl_path_line_to(path, x0, y1);
  stijl_path_close(path);
}

void sj_convert_give_path(sj_convert *c, stijl_path *path) {
  if (!path) return;
  stijl_path_clear(path);
  if (!sj_array_push(c->context, &c->spare_paths, path)) stijl_path_destroy(path);
}

static bool push_active(sj_convert *c, uint32_t element, bool use) {
  if (sj_array_push(c->context, &c->active, (sj_active){element, use})) return true;
  sj_convert_fail_memory(c);
  return false;
}

bool sj_convert_open(sj_convert *c, uint32_t element) {
  for (size_t i = 0; i < c->active.count; i++) {
    if (c->active.data[i].element == element && !c->active.data[i].use) return false;
  }
  return push_active(c, element, false);
}

bool sj_convert_open_use(sj_convert *c, uint32_t element) {
  for (size_t i = c->active.count; i-- > 0 && c->active.data[i].use;) {
    if (c->active.data[i].element == element) return false;
  }
  return push_active(c, element, true);
}

void sj_convert_close(sj_convert *c) { c->active.count--; }

// --- boxes ---

void sj_box_add(sj_box *box, stijl_rect rect) {
  box->known = true;
  if (box->empty) {
    box->rect = rect;
    box->empty = false;
    return;
  }
  if (rect.x0 < box->rect.x0) box->rect.x0 = rect.x0;
  if (rect.y0 < box->rect.y0) box->rect.y0 = rect.y0;
  if (rect.x1 > box->rect.x1) box->rect.x1 = rect.x1;
  if (rect.y1 > box->rect.y1) box->rect.y1 = rect.y1;
}

stijl_matrix sj_box_matrix(stijl_rect box) {
  return (stijl_matrix){box.x1 - box.x0, 0.0f, 0.0f, box.y1 - box.y0, box.x0, box.y0};
}

bool sj_box_has_area(const sj_box *box) {
  return !box->empty && box->rect.x1 > box->rect.x0 && box->rect.y1 > box->rect.y0;
}

// --- transforms ---

static bool matrix_draws(stijl_matrix m) {
  stijl_matrix inverse;
  return stijl_matrix_is_finite(m) && stijl_matrix_invert(m, &inverse);
}

static bool has_css_transform(const sj_style *style) {
  return style->transform.text || style->translate.text || style->rotate.text || style->scale.text;
}

bool sj_apply_transform(sj_convert *c, sj_frame *frame, uint32_t element, sj_name name) {
  const sj_style *style = frame->style;
  stijl_rect reference = {0.0f, 0.0f, frame->width, frame->height};
  if (style->transform_box != SJ_TRANSFORM_BOX_VIEW && (has_css_transform(style) || style->origin.text)) {
    sj_box box = {0};
    sj_element_box(c, frame, element, &box);
    if (!box.empty) reference = box.rect;
  }
  return sj_apply_transform_in(c, frame, element, name, reference);
}

bool sj_apply_transform_in(sj_convert *c, sj_frame *frame, uint32_t element, sj_name name, stijl_rect reference) {
  const sj_style *style = frame->style;
  const sj_attribute *attribute = style->transform.text ? NULL : sj_document_attribute(c->document, element, name);
  if (!attribute && !has_css_transform(style)) return true;
  float width = reference.x1 - reference.x0, height = reference.y1 - reference.y0;
  sj_length_base base = sj_style_base(&c->styles, style);
  stijl_matrix own = stijl_matrix_identity(), part;
  bool any = false;
  // translate, rotate, scale, then the list (CSS Transforms 2, 6). What is invalid counts as none.
  if (style->translate.text &&
      sj_parse_translate(style->translate.text, style->translate.length, &base, width, height, &part)) {
    own = part;
    any = true;
  }
  if (style->rotate.text && sj_parse_rotate(style->rotate.text, style->rotate.length, &part)) {
    own = stijl_matrix_multiply(own, part);
    any = true;
  }
  if (style->scale.text && sj_parse_scale(style->scale.text, style->scale.length, &part)) {
    own = stijl_matrix_multiply(own, part);
    any = true;
  }
  if (attribute ? sj_parse_transform(attribute->value, attribute->length, &part)
                : style->transform.text && sj_parse_css_transform(style->transform.text, style->transform.length, &base,
                                                                  width, height, &part)) {
    own = stijl_matrix_multiply(own, part);
    any = true;
  } else if (attribute) {
    sj_omit(c, SJ_OMIT_TRANSFORM, attribute->value, attribute->length);
  } else if (style->transform.text) {
    sj_omit(c, SJ_OMIT_TRANSFORM, style->transform.text, style->transform.length);
  }
  if (!any) return true;
  sj_length x, y;
  if (style->origin.text && sj_parse_transform_origin(style->origin.text, style->origin.length, &x, &y)) {
    float ox = reference.x0 + sj_length_pixels(x, &base, width);
    float oy = reference.y0 + sj_length_pixels(y, &base, height);
    own = stijl_matrix_multiply(stijl_matrix_translate(ox, oy),
                                stijl_matrix_multiply(own, stijl_matrix_translate(-ox, -oy)));
  }
  frame->matrix = stijl_matrix_multiply(frame->matrix, own);
  // Whether an element is drawn depends on its own matrix. The product cannot tell: within a tiny document its
  // determinant may be too small for a float although the matrix has an inverse.
  return matrix_draws(own) && stijl_matrix_is_finite(frame->matrix);
}

// --- elements ---

// Adds a rectangle that surely holds fill and stroke.
static void measure_stroked(sj_convert *c, const sj_frame *frame, uint32_t element, stijl_rect bounds) {
  const sj_style *style = frame->style;
  float out = 0.0f;
  if (style->stroke.kind != SJ_PAINT_VALUE_NONE) {
    out = 0.5f * sj_resolve_computed(frame, style->stroke_width, SJ_AXIS_DIAGONAL);
    // Miters reach that many half widths, square caps the square root of two.
    out *= style->line_join == SJ_LINE_JOIN_ROUND || style->line_join == SJ_LINE_JOIN_BEVEL || style->miter_limit < 1.5f
               ? 1.5f
               : style->miter_limit;
  }
  if (sj_has_markers(c, style, element) || (out > 0.0f && style->non_scaling_stroke)) out = INFINITY;
  bounds = (stijl_rect){bounds.x0 - out, bounds.y0 - out, bounds.x1 + out, bounds.y1 + out};
  stijl_rect moved = isfinite(out) ? stijl_matrix_apply_rect(frame->matrix, bounds) : bounds;
  sj_box_add(c->measure, moved);
}

static void measure_stroke(sj_convert *c, const sj_frame *frame, const stijl_path *path) {
  stijl_stroke stroke;
  if (!sj_shape_stroke(frame, &stroke)) return;
  if (!frame->style->non_scaling_stroke) {
    sj_stroke_extent(path, &stroke, &frame->matrix, c->measure);
    return;
  }
  stijl_path *placed = sj_convert_path(c);
  if (!placed) return;
  stijl_matrix pen = stijl_matrix_identity();
  stijl_path_add_path(placed, path, &frame->matrix);
  if (sj_convert_check(c, stijl_path_status(placed))) sj_stroke_extent(placed, &stroke, &pen, c->measure);
  sj_convert_give_path(c, placed);
}

void sj_measure_outline(sj_convert *c, const sj_frame *frame, uint32_t element, const stijl_path *path) {
  const stijl_matrix *m = &frame->matrix;
  stijl_rect bounds;
  if (stijl_path_is_empty(path)) return;
  if (c->measure_kind == SJ_MEASURE_BOUND) {
    if (stijl_path_bounds(path, &bounds)) measure_stroked(c, frame, element, bounds);
    return;
  }
  if (c->measure_kind == SJ_MEASURE_INK) measure_stroke(c, frame, path);
  if (m->b == 0.0f && m->c == 0.0f) {
    if (stijl_path_bounds(path, &bounds)) sj_box_add(c->measure, stijl_matrix_apply_rect(*m, bounds));
    return;
  }
  stijl_path *turned = sj_convert_path(c);
  if (!turned) return;
  stijl_path_add_path(turned, path, m);
  if (sj_convert_check(c, stijl_path_status(turned)) && stijl_path_bounds(turned, &bounds)) {
    sj_box_add(c->measure, bounds);
  }
  sj_convert_give_path(c, turned);
}

static void draw_shape_element(sj_convert *c, const sj_frame *frame, uint32_t element, float opacity) {
  stijl_path *path = sj_convert_path(c);
  if (!path) return;
  if (sj_shape_path(c, frame, element, path)) {
    if (c->measure) {
      sj_measure_outline(c, frame, element, path);
    } else {
      sj_draw_shape(c, frame, element, path, opacity);
    }
  }
  sj_convert_give_path(c, path);
}

void sj_convert_children(sj_convert *c, const sj_frame *frame, uint32_t element) {
  const sj_node *nodes = c->document->nodes.data;
  uint32_t children = 0;
  for (uint32_t i = nodes[element].first_child; i != SJ_NO_ELEMENT && c->result == STIJL_OK;
       i = nodes[i].next_sibling) {
    if (++children % 64 == 0 && !sj_convert_spend(c, 64 * SJ_WORK_NODE)) return;
    sj_convert_element(c, frame, i);
  }
}

// Draws a switch: the first child of a kind that can be drawn and whose conditions hold (SVG 2, 5.8.2), whatever its
// `display` is.
static void convert_switch(sj_convert *c, const sj_frame *frame, uint32_t element) {
  const sj_node *nodes = c->document->nodes.data;
  for (uint32_t i = nodes[element].first_child; i != SJ_NO_ELEMENT; i = nodes[i].next_sibling) {
    switch ((sj_element)nodes[i].element) {
      case SJ_ELEMENT_A:
      case SJ_ELEMENT_CIRCLE:
      case SJ_ELEMENT_ELLIPSE:
      case SJ_ELEMENT_G:
      case SJ_ELEMENT_IMAGE:
      case SJ_ELEMENT_LINE:
      case SJ_ELEMENT_PATH:
      case SJ_ELEMENT_POLYGON:
      case SJ_ELEMENT_POLYLINE:
      case SJ_ELEMENT_RECT:
      case SJ_ELEMENT_SVG:
      case SJ_ELEMENT_SWITCH:
      case SJ_ELEMENT_TEXT:
      case SJ_ELEMENT_USE:
        if (!sj_conditions_hold(c, i)) continue;
        sj_convert_element(c, frame, i);
        return;
      default: sj_omit_element(c, frame, i); break;
    }
  }
}

// How many elements are measured at most to find out whether a clip is needed.
#define MAX_FITTED 64

bool sj_content_fits(sj_convert *c, const sj_frame *frame, uint32_t element, stijl_rect rect) {
  const sj_node *nodes = c->document->nodes.data;
  if (c->measure || nodes[element].end - element > MAX_FITTED) return false;
  for (uint32_t i = element + 1; i < nodes[element].end; i++) {
    if (nodes[i].element == SJ_ELEMENT_USE || nodes[i].element == SJ_ELEMENT_IMAGE) return false;
  }
  sj_box box = {.known = true, .empty = true};
  c->measure = &box;
  c->measure_kind = SJ_MEASURE_BOUND;
  sj_convert_children(c, frame, element);
  c->measure = NULL;
  if (box.empty) return true;
  // Rounding may put an edge that coincides with the clip a hair outside.
  float slack_x = 1e-4f * (rect.x1 - rect.x0), slack_y = 1e-4f * (rect.y1 - rect.y0);
  return box.rect.x0 >= rect.x0 - slack_x && box.rect.y0 >= rect.y0 - slack_y && box.rect.x1 <= rect.x1 + slack_x &&
         box.rect.y1 <= rect.y1 + slack_y;
}

// Draws the content of an svg or symbol element in its viewport.
static void convert_in_viewport(sj_convert *c, const sj_frame *outer, uint32_t element, const sj_viewport *viewport) {
  sj_frame frame = *outer;
  frame.depth++;
  bool clips;
  stijl_rect clip;
  if (!sj_enter_viewport(c, &frame, element, viewport, &clips, &clip)) return;
  clips = clips && !c->measure;
  if (clips) {
    sj_frame local = *outer;
    local.matrix = stijl_matrix_identity();
    bool local_clips;
    stijl_rect local_clip;
    clips = !sj_enter_viewport(c, &local, element, viewport, &local_clips, &local_clip) ||
            !sj_content_fits(c, &local, element, clip);
  }
  if (clips) sj_push_clip_rect(c, outer, clip);
  sj_convert_children(c, &frame, element);
  if (clips) stijl_scene_pop_layer(c->scene);
}

static void convert_nested_svg(sj_convert *c, const sj_frame *frame, uint32_t element) {
  sj_viewport v = {.width = frame->width, .height = frame->height};
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_X, SJ_AXIS_X, &v.x);
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_Y, SJ_AXIS_Y, &v.y);
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_WIDTH, SJ_AXIS_X, &v.width);
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_HEIGHT, SJ_AXIS_Y, &v.height);
  convert_in_viewport(c, frame, element, &v);
}

// The size that a use element gives what it shows; `auto` is negative.
typedef struct use_size {
  float width, height;
} use_size;

static use_size size_of_use(const sj_convert *c, const sj_frame *use, uint32_t element) {
  use_size size = {-1.0f, -1.0f};
  sj_length_attribute(c, use, element, SJ_ATTRIBUTE_WIDTH, SJ_AXIS_X, &size.width);
  sj_length_attribute(c, use, element, SJ_ATTRIBUTE_HEIGHT, SJ_AXIS_Y, &size.height);
  return size;
}

// Draws a symbol or svg element that a use element shows; `use` is the use element's frame, with its origin translated.
// The size is that of the use element, else (for svg) the target's own, else 100%: SVG 2, 5.6.2.
static void convert_used_viewport(sj_convert *c, const sj_frame *use, use_size size, uint32_t target) {
  sj_style style;
  sj_style_compute(&c->styles, target, use->style, &style);
  if (style.display_none || !sj_conditions_hold(c, target)) return;
  sj_frame frame = *use;
  frame.style = &style;
  frame.depth++;
  sj_viewport v = {.width = use->width, .height = use->height};
  sj_length_attribute(c, &frame, target, SJ_ATTRIBUTE_X, SJ_AXIS_X, &v.x);
  sj_length_attribute(c, &frame, target, SJ_ATTRIBUTE_Y, SJ_AXIS_Y, &v.y);
  if (size.width >= 0.0f)
    v.width = size.width;
  else
    sj_length_attribute(c, &frame, target, SJ_ATTRIBUTE_WIDTH, SJ_AXIS_X, &v.width);
  if (size.height >= 0.0f)
    v.height = size.height;
  else
    sj_length_attribute(c, &frame, target, SJ_ATTRIBUTE_HEIGHT, SJ_AXIS_Y, &v.height);
  if (!sj_convert_count(c, frame.depth) || !sj_apply_transform(c, &frame, target, SJ_PROPERTY_TRANSFORM)) return;
  sj_group group;
  if (!sj_group_begin(c, &frame, target, style.opacity, &group)) return;
  convert_in_viewport(c, &frame, target, &v);
  sj_group_end(c, &group);
}

static void convert_use_target(sj_convert *c, const sj_frame *frame, use_size size, uint32_t target) {
  sj_element kind = (sj_element)c->document->nodes.data[target].element;
  if (kind == SJ_ELEMENT_SYMBOL || kind == SJ_ELEMENT_SVG) {
    convert_used_viewport(c, frame, size, target);
  } else {
    sj_convert_element(c, frame, target);
  }
}

// Draws an element of another file, or the whole file, which is read by the rules of images. The element inherits from
// the use element, but its references are within its own document.
static void convert_external_use(sj_convert *c, const sj_frame *outer, uint32_t element) {
  const sj_attribute *href = sj_document_attribute(c->document, element, SJ_ATTRIBUTE_HREF);
  if (!href || !href->length || *href->value == '#') return;
  const char *fragment = memchr(href->value, '#', href->length);
  size_t length = fragment ? (size_t)(fragment - href->value) : href->length;
  const stijl_svg *svg = sj_external_document(c, href->value, length);
  uint32_t target = svg ? 0 : SJ_NO_ELEMENT;
  if (svg && fragment) target = sj_document_by_url(&svg->document, fragment, href->length - length);
  if (target == SJ_NO_ELEMENT) {
    sj_omit(c, SJ_OMIT_EXTERNAL, href->value, href->length);
    return;
  }
  sj_frame frame = *outer;
  frame.context_element = NULL;
  frame.depth++;
  use_size size = size_of_use(c, &frame, element);
  sj_convert inner;
  sj_convert_nest(&inner, c, svg);
  convert_use_target(&inner, &frame, size, target);
  sj_convert_unnest(&inner, c);
}

static void convert_use(sj_convert *c, const sj_frame *outer, uint32_t element) {
  uint32_t target = sj_document_by_href(c->document, element);
  if (target == SJ_NO_ELEMENT) {
    convert_external_use(c, outer, element);
    return;
  }
  if (sj_document_is_ancestor_or_self(c->document, target, element)) return;
  sj_context_element context = {.element = element, .frame = *outer};
  sj_frame frame = *outer;
  frame.context_element = &context;
  frame.depth++;
  if (!sj_convert_open_use(c, target)) return;
  convert_use_target(c, &frame, size_of_use(c, &frame, element), target);
  sj_convert_close(c);
}

// Applies x and y of a use element, which move what it shows.
static bool translate_use(sj_convert *c, sj_frame *frame, uint32_t element) {
  float x = 0.0f, y = 0.0f;
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_X, SJ_AXIS_X, &x);
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_Y, SJ_AXIS_Y, &y);
  frame->matrix = stijl_matrix_multiply(frame->matrix, stijl_matrix_translate(x, y));
  return stijl_matrix_is_finite(frame->matrix);
}

// Draws what the element itself draws, within its layers. `opacity` is the element's where no layer applies it, else 1.
static void convert_content(sj_convert *c, const sj_frame *frame, uint32_t element, float opacity) {
  sj_frame inner = *frame;
  inner.depth++;
  inner.opacity = opacity;
  switch ((sj_element)c->document->nodes.data[element].element) {
    case SJ_ELEMENT_A:
    case SJ_ELEMENT_G:
    case SJ_ELEMENT_MARKER: sj_convert_children(c, &inner, element); break;
    case SJ_ELEMENT_SWITCH: convert_switch(c, &inner, element); break;
    case SJ_ELEMENT_SVG: convert_nested_svg(c, frame, element); break;
    case SJ_ELEMENT_USE: convert_use(c, frame, element); break;
    case SJ_ELEMENT_IMAGE: sj_convert_image(c, frame, element, opacity); break;
    case SJ_ELEMENT_TEXT: sj_convert_text(c, frame, element); break;
    default: draw_shape_element(c, frame, element, opacity); break;
  }
}

static bool is_drawn(sj_element kind) {
  switch (kind) {
    case SJ_ELEMENT_A:
    case SJ_ELEMENT_G:
    case SJ_ELEMENT_SWITCH:
    case SJ_ELEMENT_SVG:
    case SJ_ELEMENT_USE:
    case SJ_ELEMENT_TEXT:
    case SJ_ELEMENT_IMAGE: return true;
    default: return sj_element_is_shape(kind);
  }
}

// Whether an element is a group with exactly one child that can draw.
static bool has_one_child(const sj_convert *c, uint32_t element) {
  const sj_node *nodes = c->document->nodes.data;
  if (nodes[element].element != SJ_ELEMENT_G && nodes[element].element != SJ_ELEMENT_A) return false;
  int count = 0;
  for (uint32_t i = nodes[element].first_child; i != SJ_NO_ELEMENT && count < 2; i = nodes[i].next_sibling) {
    count += is_drawn((sj_element)nodes[i].element);
  }
  return count == 1;
}

void sj_convert_element(sj_convert *c, const sj_frame *outer, uint32_t element) {
  sj_element kind = (sj_element)c->document->nodes.data[element].element;
  if (!is_drawn(kind)) {
    sj_omit_element(c, outer, element);
    return;
  }
  if (!sj_convert_count(c, outer->depth)) return;
  sj_style style;
  sj_style_compute(&c->styles, element, outer->style, &style);
  if (style.display_none || !sj_conditions_hold(c, element)) return;
  sj_frame frame = *outer;
  frame.style = &style;
  frame.opacity = 1.0f;
  if (!sj_apply_transform(c, &frame, element, SJ_PROPERTY_TRANSFORM)) return;
  if (kind == SJ_ELEMENT_USE && !translate_use(c, &frame, element)) return;
  if (c->measure) {
    convert_content(c, &frame, element, 1.0f);
    return;
  }
  // An element that is a single draw applies its opacity in that draw, and a group of a single element passes its
  // opacity on to that element. The picture is the same without a layer.
  float opacity = style.opacity * outer->opacity;
  bool single =
      kind == SJ_ELEMENT_IMAGE || (sj_element_is_shape(kind) ? sj_shape_is_single_draw(c, &frame, element)
                                                             : !c->document->has_blend && has_one_child(c, element));
  bool folds = single && style.blend == STIJL_BLEND_NORMAL && !style.clip_path.text && !style.mask.text;
  sj_group group;
  if (!sj_group_begin(c, &frame, element, folds ? 1.0f : opacity, &group)) return;
  convert_content(c, &frame, element, folds ? opacity : 1.0f);
  sj_group_end(c, &group);
}

const sj_box *sj_element_box(sj_convert *c, const sj_frame *frame, uint32_t element, sj_box *box) {
  if (box->known) return box;
  *box = (sj_box){.known = true, .empty = true};
  sj_frame own = *frame;
  own.matrix = stijl_matrix_identity();
  sj_box *outer = c->measure;
  // The element may be measured from within what it refers to.
  sj_active_list active = c->active;
  sj_measure kind = c->measure_kind;
  c->measure_kind = SJ_MEASURE_FILL;
  c->active = (sj_active_list){0};
  c->measure = box;
  convert_content(c, &own, element, 1.0f);
  c->measure = outer;
  c->measure_kind = kind;
  sj_array_finish(c->context, &c->active);
  c->active = active;
  return box;
}
