// Resolves patterns (SVG 2, 14.3).
#include "svg/resolve/pattern.h"

#include "svg/resolve/attributes.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/resolve.h"
#include "svg/resolve/transforms.h"

static bool has_children(const sj_document *document, uint32_t element) {
  return document->dom->first_child.data[element] != SJ_NO_ELEMENT;
}

sj_server_result sj_resolve_pattern(sj_resolver *r, uint32_t pattern, const sj_resolve_frame *frame, uint32_t node,
                                    sj_tree_server *out, uint32_t *source, bool *depends) {
  const sj_document *document = r->document;
  sj_templates templates;
  sj_templates_collect(r, pattern, SJ_IS_PATTERN, &templates);
  if (!sj_templates_spend(r, &templates)) return SJ_SERVER_NONE;
  int with_children = 0;
  while (with_children < templates.count && !has_children(document, templates.elements[with_children])) with_children++;
  if (with_children == templates.count) return SJ_SERVER_INVALID;
  *source = templates.elements[with_children];
  out->kind = SJ_TREE_SERVER_PATTERN;
  out->box_units = sj_units_are_box(sj_templates_attribute(document, &templates, SJ_ATTRIBUTE_PATTERN_UNITS, 0), true);
  out->box_content =
      sj_units_are_box(sj_templates_attribute(document, &templates, SJ_ATTRIBUTE_PATTERN_CONTENT_UNITS, 0), false);
  const sj_string *view_box = sj_templates_attribute(document, &templates, SJ_ATTRIBUTE_VIEW_BOX, 0);
  out->has_view_box = view_box && sj_parse_view_box(view_box->text, view_box->length, &out->view_box);
  sj_understood(r, SJ_ATTRIBUTE_VIEW_BOX, view_box, out->has_view_box);
  if (out->has_view_box && (!(out->view_box.width > 0.0f) || !(out->view_box.height > 0.0f))) return SJ_SERVER_INVALID;
  if (out->has_view_box) out->box_content = false;
  out->aspect = (sj_aspect)SJ_ASPECT_DEFAULT;
  const sj_string *aspect = sj_templates_attribute(document, &templates, SJ_ATTRIBUTE_PRESERVE_ASPECT_RATIO, 0);
  sj_understood(r, SJ_ATTRIBUTE_PRESERVE_ASPECT_RATIO, aspect,
                aspect && sj_parse_aspect(aspect->text, aspect->length, &out->aspect));

  sj_style style;
  sj_style_in_document(&r->styles, pattern, &style);
  sj_resolve_frame units = *frame;
  units.style = &style;
  uint32_t transformed = sj_templates_with(document, &templates, SJ_ATTRIBUTE_PATTERN_TRANSFORM, pattern);
  if (out->box_units) units.width = units.height = 1.0f;
  float x = sj_templates_length(r, &templates, &units, SJ_ATTRIBUTE_X, SJ_AXIS_X);
  float y = sj_templates_length(r, &templates, &units, SJ_ATTRIBUTE_Y, SJ_AXIS_Y);
  float width = sj_templates_length(r, &templates, &units, SJ_ATTRIBUTE_WIDTH, SJ_AXIS_X);
  float height = sj_templates_length(r, &templates, &units, SJ_ATTRIBUTE_HEIGHT, SJ_AXIS_Y);
  if (!(width > 0.0f) || !(height > 0.0f)) return SJ_SERVER_INVALID;
  out->tile = (stijl_rect){x, y, x + width, y + height};
  // Percentages and transform-origin refer to the box whose units are used, or to the viewport.
  stijl_rect reference = sj_view_reference(frame);
  if (out->box_units && (style.transform.text || style.translate.text || style.origin.text)) {
    *depends = true;
    reference = sj_node_box(r, node)->rect;
  }
  return sj_own_transform(r, &units, transformed, SJ_ATTRIBUTE_PATTERN_TRANSFORM, reference, &out->transform)
             ? SJ_SERVER_PAINTS
             : SJ_SERVER_INVALID;
}
