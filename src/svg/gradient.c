// Gradients: SVG 2, 14.2.

#include <string.h>

#include "svg/convert.h"

static bool is_gradient(sj_element element) {
  return element == SJ_ELEMENT_LINEAR_GRADIENT || element == SJ_ELEMENT_RADIAL_GRADIENT;
}
static bool is_linear(sj_element element) { return element == SJ_ELEMENT_LINEAR_GRADIENT; }
static bool is_radial(sj_element element) { return element == SJ_ELEMENT_RADIAL_GRADIENT; }

static bool has_stops(const sj_document *document, uint32_t gradient) {
  const sj_node *nodes = document->nodes.data;
  for (uint32_t i = nodes[gradient].first_child; i != SJ_NO_ELEMENT; i = nodes[i].next_sibling) {
    if (nodes[i].element == SJ_ELEMENT_STOP) return true;
  }
  return false;
}

// Collects the stops, whose offsets never fall. Colours are interpolated in sRGB, since no browser heeds
// color-interpolation here.
static bool collect_stops(sj_convert *c, uint32_t gradient, sj_prepared *out) {
  const sj_document *document = c->document;
  const sj_node *nodes = document->nodes.data;
  sj_style parent, style;
  sj_style_in_document(&c->styles, gradient, &parent);
  float last = 0.0f;
  for (uint32_t i = nodes[gradient].first_child; i != SJ_NO_ELEMENT; i = nodes[i].next_sibling) {
    if (nodes[i].element != SJ_ELEMENT_STOP) continue;
    if (!sj_convert_spend(c, SJ_WORK_NODE)) return false;
    sj_style_compute(&c->styles, i, &parent, &style);
    float offset = 0.0f;
    const sj_attribute *attribute = sj_document_attribute(document, i, SJ_ATTRIBUTE_OFFSET);
    if (attribute) sj_parse_number_or_percent(attribute->value, attribute->length, &offset);
    if (offset > 1.0f) offset = 1.0f;
    if (!(offset > last)) offset = last;
    // Of several stops at 0 the first has the colour before the gradient's start; so the others are moved a little
    // beyond 0.
    if (offset == 0.0f && out->stops.count) offset = 1e-6f;
    last = offset;
    stijl_stop stop = {.offset = offset,
                       .color = style.stop_color_kind == SJ_COLOR_CURRENT ? style.color : style.stop_color};
    stop.color.a *= style.stop_opacity;
    if (!sj_array_push(c->context, &out->stops, stop)) {
      sj_convert_fail_memory(c);
      return false;
    }
  }
  return true;
}

typedef struct geometry {
  sj_convert *c;
  const sj_templates *templates;
  sj_frame frame;  // the units: a unit square, or user space
  bool (*accepts)(sj_element);
} geometry;

static bool has_value(const geometry *g, sj_name name) {
  return sj_templates_attribute(g->c->document, g->templates, name, g->accepts) != NULL;
}

static float value(const geometry *g, sj_name name, sj_axis axis, float fallback_percent) {
  const sj_attribute *attribute = sj_templates_attribute(g->c->document, g->templates, name, g->accepts);
  sj_length length;
  if (!attribute || !sj_parse_length(attribute->value, attribute->length, &length)) {
    length = (sj_length){.value = fallback_percent, .unit = SJ_UNIT_PERCENT};
  }
  return sj_resolve_length(g->c, &g->frame, length, axis);
}

static sj_server_result last_color(sj_prepared *out) {
  float opacity = out->paint.opacity;
  out->paint = (stijl_paint)STIJL_PAINT_INIT;
  out->paint.kind = STIJL_PAINT_SOLID;
  out->paint.opacity = opacity;
  out->paint.color = out->stops.data[out->stops.count - 1].color;
  return out->paint.color.a > 0.0f ? SJ_SERVER_PAINTS : SJ_SERVER_NONE;
}

static sj_server_result linear(const geometry *g, sj_prepared *out) {
  stijl_paint *paint = &out->paint;
  paint->kind = STIJL_PAINT_LINEAR;
  paint->p0.x = value(g, SJ_ATTRIBUTE_X1, SJ_AXIS_X, 0.0f);
  paint->p0.y = value(g, SJ_ATTRIBUTE_Y1, SJ_AXIS_Y, 0.0f);
  paint->p1.x = value(g, SJ_ATTRIBUTE_X2, SJ_AXIS_X, 100.0f);
  paint->p1.y = value(g, SJ_ATTRIBUTE_Y2, SJ_AXIS_Y, 0.0f);
  if (paint->p0.x == paint->p1.x && paint->p0.y == paint->p1.y) return last_color(out);
  return SJ_SERVER_PAINTS;
}

static sj_server_result radial(const geometry *g, sj_prepared *out) {
  stijl_paint *paint = &out->paint;
  paint->kind = STIJL_PAINT_RADIAL;
  paint->p1.x = value(g, SJ_ATTRIBUTE_CX, SJ_AXIS_X, 50.0f);
  paint->p1.y = value(g, SJ_ATTRIBUTE_CY, SJ_AXIS_Y, 50.0f);
  paint->r1 = value(g, SJ_ATTRIBUTE_R, SJ_AXIS_DIAGONAL, 50.0f);
  paint->p0.x = has_value(g, SJ_ATTRIBUTE_FX) ? value(g, SJ_ATTRIBUTE_FX, SJ_AXIS_X, 50.0f) : paint->p1.x;
  paint->p0.y = has_value(g, SJ_ATTRIBUTE_FY) ? value(g, SJ_ATTRIBUTE_FY, SJ_AXIS_Y, 50.0f) : paint->p1.y;
  paint->r0 = value(g, SJ_ATTRIBUTE_FR, SJ_AXIS_DIAGONAL, 0.0f);
  if (paint->r0 < 0.0f) paint->r0 = 0.0f;
  // A radius of zero paints with the last colour. So does a negative one, which is in error, in browsers.
  if (paint->r1 <= 0.0f) return last_color(out);
  return SJ_SERVER_PAINTS;
}

sj_server_result sj_prepare_gradient(sj_convert *c, uint32_t gradient, const sj_frame *frame, uint32_t element,
                                     sj_box *box, sj_prepared *out) {
  const sj_document *document = c->document;
  sj_templates templates;
  sj_omit_linear(c, gradient);
  // Where the references form a cycle, the elements found before it closes are used.
  sj_templates_collect(c, gradient, is_gradient, &templates);
  if (!sj_templates_spend(c, &templates)) return SJ_SERVER_NONE;
  int with_stops = 0;
  while (with_stops < templates.count && !has_stops(document, templates.elements[with_stops])) with_stops++;
  if (with_stops == templates.count) return SJ_SERVER_INVALID;
  if (!collect_stops(c, templates.elements[with_stops], out)) return SJ_SERVER_NONE;
  bool box_units =
      sj_units_are_box(sj_templates_attribute(document, &templates, SJ_ATTRIBUTE_GRADIENT_UNITS, NULL), true);
  // A box without an area cannot be a coordinate system (SVG 2, 8.11).
  if (box_units && !sj_box_has_area(sj_element_box(c, frame, element, box))) return SJ_SERVER_INVALID;
  sj_style style;
  sj_style_in_document(&c->styles, gradient, &style);
  sj_frame units = *frame;
  units.style = &style;
  units.matrix = stijl_matrix_identity();
  // transform-origin of a gradient is relative to the units' space.
  if (box_units) units.width = units.height = 1.0f;
  int at = 0;
  while (at < templates.count &&
         !sj_document_attribute(document, templates.elements[at], SJ_ATTRIBUTE_GRADIENT_TRANSFORM))
    at++;
  uint32_t transformed = at < templates.count ? templates.elements[at] : gradient;
  if (!sj_apply_transform(c, &units, transformed, SJ_ATTRIBUTE_GRADIENT_TRANSFORM)) return SJ_SERVER_INVALID;
  if (out->stops.count == 1) return last_color(out);
  out->paint.transform = units.matrix;
  if (box_units) out->paint.transform = stijl_matrix_multiply(sj_box_matrix(box->rect), out->paint.transform);
  if (!stijl_matrix_is_finite(out->paint.transform)) return SJ_SERVER_NONE;
  bool is_radial_gradient = is_radial((sj_element)document->nodes.data[gradient].element);
  geometry g = {.c = c, .templates = &templates, .frame = units, .accepts = is_radial_gradient ? is_radial : is_linear};
  sj_server_result result = is_radial_gradient ? radial(&g, out) : linear(&g, out);
  out->paint.stops = out->stops.data;
  out->paint.stop_count = out->stops.count;
  const sj_attribute *spread = sj_templates_attribute(document, &templates, SJ_ATTRIBUTE_SPREAD_METHOD, NULL);
  out->paint.spread_x = STIJL_SPREAD_PAD;
  if (spread && strcmp(spread->value, "repeat") == 0) out->paint.spread_x = STIJL_SPREAD_REPEAT;
  if (spread && strcmp(spread->value, "reflect") == 0) out->paint.spread_x = STIJL_SPREAD_REFLECT;
  return result;
}
