// Resolves gradients (SVG 2, 14.2).

#include "svg/resolve/gradient.h"

#include <math.h>
#include <string.h>

#include "svg/parse/color_space.h"
#include "svg/resolve/attributes.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/transforms.h"

static bool has_stops(const sj_document *document, uint32_t gradient) {
  const sj_node *nodes = document->nodes.data;
  const sj_dom *dom = document->dom;
  for (uint32_t i = dom->first_child.data[gradient]; i != SJ_NO_ELEMENT; i = dom->next.data[i]) {
    if (nodes[i].element == SJ_ELEMENT_STOP) return true;
  }
  return false;
}

static bool add_stop(sj_resolver *r, stijl_stop stop, sj_range *out) {
  sj_tree *tree = r->job->tree;
  if (tree->stops.count >= SJ_NONE || !sj_array_push(tree->context, &tree->stops, stop)) {
    sj_resolve_fail_memory(r);
    return false;
  }
  out->end++;
  return true;
}

// How many stops stand for the colours between two that are interpolated in linearRGB: the error stays below a quarter
// of 1/255.
#define LINEAR_STEPS 32

// Adds stops between the last one and the next, whose colours are those of linearRGB. There are more near either end,
// where light changes sRGB's components most.
static bool add_linear_stops(sj_resolver *r, stijl_stop next, sj_range *out) {
  stijl_stop last = r->job->tree->stops.data[out->end - 1];
  double from[3] = {(double)last.color.r, (double)last.color.g, (double)last.color.b};
  double to[3] = {(double)next.color.r, (double)next.color.g, (double)next.color.b};
  if (last.offset == next.offset || memcmp(from, to, sizeof from) == 0) return true;
  if (!sj_resolve_spend(r, LINEAR_STEPS * SJ_WORK_NODE)) return false;
  sj_color_from_srgb(SJ_SPACE_SRGB_LINEAR, from);
  sj_color_from_srgb(SJ_SPACE_SRGB_LINEAR, to);
  for (int i = 1; i < LINEAR_STEPS; i++) {
    double u = (double)i / LINEAR_STEPS, t = u * u * (3.0 - 2.0 * u), c[3];
    for (int k = 0; k < 3; k++) c[k] = from[k] + t * (to[k] - from[k]);
    sj_color_to_srgb(SJ_SPACE_SRGB_LINEAR, c);
    float part = (float)t;
    stijl_stop stop = {last.offset + part * (next.offset - last.offset),
                       {(float)c[0], (float)c[1], (float)c[2], last.color.a + part * (next.color.a - last.color.a)}};
    if (!add_stop(r, stop, out)) return false;
  }
  return true;
}

// Collects the stops, with offsets that never fall. `linear`: their colours are interpolated in linearRGB.
static bool collect_stops(sj_resolver *r, uint32_t gradient, bool linear, sj_range *out) {
  const sj_document *document = r->document;
  const sj_node *nodes = document->nodes.data;
  const sj_dom *dom = document->dom;
  sj_style parent, style;
  sj_style_in_document(&r->styles, gradient, &parent);
  sj_tree *tree = r->job->tree;
  out->first = out->end = (uint32_t)tree->stops.count;
  float last = 0.0f;
  for (uint32_t i = dom->first_child.data[gradient]; i != SJ_NO_ELEMENT; i = dom->next.data[i]) {
    if (nodes[i].element != SJ_ELEMENT_STOP) continue;
    if (!sj_resolve_spend(r, SJ_WORK_NODE)) return false;
    sj_style_compute(&r->styles, SJ_NO_COPY, i, &parent, &style);
    float offset = 0.0f;
    const sj_string *attribute = sj_document_attribute(document, i, SJ_ATTRIBUTE_OFFSET);
    sj_understood(r, SJ_ATTRIBUTE_OFFSET, attribute,
                  attribute && sj_parse_number_or_percent(attribute->text, attribute->length, &offset));
    if (offset > 1.0f) offset = 1.0f;
    if (!(offset > last)) offset = last;
    // Of several stops at 0 the first has the colour before the gradient's start, so the others are moved a little
    // beyond 0.
    if (offset == 0.0f && out->end > out->first) offset = 1e-6f;
    last = offset;
    stijl_stop stop = {.offset = offset,
                       .color = style.stop_color_kind == SJ_COLOR_CURRENT ? style.color : style.stop_color};
    stop.color.a *= style.stop_opacity;
    if (linear && out->end > out->first && !add_linear_stops(r, stop, out)) return false;
    if (!add_stop(r, stop, out)) return false;
  }
  return true;
}

typedef struct geometry {
  sj_resolver *r;
  const sj_templates *templates;
  sj_resolve_frame frame;  // its size is that of the units: a unit square, or the viewport
  sj_element only;         // the kind of element whose attributes count
} geometry;

static bool has_value(const geometry *g, sj_name name) {
  return sj_templates_attribute(g->r->document, g->templates, name, g->only) != NULL;
}

static float value(const geometry *g, sj_name name, sj_axis axis, float fallback_percent) {
  const sj_string *attribute = sj_templates_attribute(g->r->document, g->templates, name, g->only);
  sj_length length;
  bool good = attribute && sj_parse_length(attribute->text, attribute->length, &length);
  if (!sj_understood(g->r, name, attribute, good)) {
    length = (sj_length){.value = fallback_percent, .unit = SJ_UNIT_PERCENT};
  }
  return sj_resolve_length(g->r, &g->frame, length, axis);
}

static sj_server_result last_color(const sj_resolver *r, sj_tree_server *out) {
  out->kind = SJ_TREE_SERVER_COLOR;
  out->color = r->job->tree->stops.data[out->stops.end - 1].color;
  return SJ_SERVER_PAINTS;
}

static sj_server_result linear(const geometry *g, sj_tree_server *out) {
  out->kind = SJ_TREE_SERVER_LINEAR;
  out->p0.x = value(g, SJ_ATTRIBUTE_X1, SJ_AXIS_X, 0.0f);
  out->p0.y = value(g, SJ_ATTRIBUTE_Y1, SJ_AXIS_Y, 0.0f);
  out->p1.x = value(g, SJ_ATTRIBUTE_X2, SJ_AXIS_X, 100.0f);
  out->p1.y = value(g, SJ_ATTRIBUTE_Y2, SJ_AXIS_Y, 0.0f);
  if (out->p0.x == out->p1.x && out->p0.y == out->p1.y) return last_color(g->r, out);
  return SJ_SERVER_PAINTS;
}

static sj_server_result radial(const geometry *g, sj_tree_server *out) {
  out->kind = SJ_TREE_SERVER_RADIAL;
  out->p1.x = value(g, SJ_ATTRIBUTE_CX, SJ_AXIS_X, 50.0f);
  out->p1.y = value(g, SJ_ATTRIBUTE_CY, SJ_AXIS_Y, 50.0f);
  out->r1 = value(g, SJ_ATTRIBUTE_R, SJ_AXIS_DIAGONAL, 50.0f);
  out->p0.x = has_value(g, SJ_ATTRIBUTE_FX) ? value(g, SJ_ATTRIBUTE_FX, SJ_AXIS_X, 50.0f) : out->p1.x;
  out->p0.y = has_value(g, SJ_ATTRIBUTE_FY) ? value(g, SJ_ATTRIBUTE_FY, SJ_AXIS_Y, 50.0f) : out->p1.y;
  out->r0 = value(g, SJ_ATTRIBUTE_FR, SJ_AXIS_DIAGONAL, 0.0f);
  if (out->r0 < 0.0f) out->r0 = 0.0f;
  // A radius of 0 paints with the last colour. In browsers a negative one, which is an error, does so too.
  if (out->r1 <= 0.0f) return last_color(g->r, out);
  return SJ_SERVER_PAINTS;
}

static bool is_finite(const sj_tree_server *s) {
  return isfinite(s->p0.x) && isfinite(s->p0.y) && isfinite(s->p1.x) && isfinite(s->p1.y) && isfinite(s->r0) &&
         isfinite(s->r1);
}

sj_server_result sj_resolve_gradient(sj_resolver *r, uint32_t gradient, const sj_resolve_frame *frame,
                                     sj_tree_server *out) {
  const sj_document *document = r->document;
  sj_templates templates;
  // Where the references form a circle, the elements found before it closes are used.
  sj_templates_collect(r, gradient, SJ_IS_GRADIENT, &templates);
  if (!sj_templates_spend(r, &templates)) return SJ_SERVER_NONE;
  int with_stops = 0;
  while (with_stops < templates.count && !has_stops(document, templates.elements[with_stops])) with_stops++;
  if (with_stops == templates.count) return SJ_SERVER_INVALID;
  sj_style style;
  sj_style_in_document(&r->styles, gradient, &style);
  bool in_linear = style.color_interpolation == SJ_INTERPOLATION_LINEAR;
  if (!collect_stops(r, templates.elements[with_stops], in_linear, &out->stops)) return SJ_SERVER_NONE;
  out->box_units = sj_units_are_box(sj_templates_attribute(document, &templates, SJ_ATTRIBUTE_GRADIENT_UNITS, 0), true);
  sj_resolve_frame units = *frame;
  units.style = &style;
  // The transform-origin of a gradient is relative to the units' space.
  if (out->box_units) units.width = units.height = 1.0f;
  int at = 0;
  while (at < templates.count &&
         !sj_document_attribute(document, templates.elements[at], SJ_ATTRIBUTE_GRADIENT_TRANSFORM))
    at++;
  uint32_t transformed = at < templates.count ? templates.elements[at] : gradient;
  if (!sj_own_transform(r, &units, transformed, SJ_ATTRIBUTE_GRADIENT_TRANSFORM, sj_view_reference(&units),
                        &out->transform))
    return SJ_SERVER_INVALID;
  if (out->stops.end - out->stops.first == 1) return last_color(r, out);
  sj_element kind = (sj_element)document->nodes.data[gradient].element;
  geometry g = {.r = r, .templates = &templates, .frame = units, .only = kind};
  sj_server_result result = kind == SJ_ELEMENT_RADIAL_GRADIENT ? radial(&g, out) : linear(&g, out);
  if (result == SJ_SERVER_PAINTS && !is_finite(out)) return SJ_SERVER_NONE;
  const sj_string *spread = sj_templates_attribute(document, &templates, SJ_ATTRIBUTE_SPREAD_METHOD, 0);
  out->spread = STIJL_SPREAD_PAD;
  if (spread && strcmp(spread->text, "repeat") == 0) out->spread = STIJL_SPREAD_REPEAT;
  if (spread && strcmp(spread->text, "reflect") == 0) out->spread = STIJL_SPREAD_REFLECT;
  return result;
}
