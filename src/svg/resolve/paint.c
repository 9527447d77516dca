// Resolves the values of fill and stroke (SVG 2, 13.2).

#include "svg/resolve/paint.h"

#include "svg/resolve/definitions.h"
#include "svg/resolve/gradient.h"
#include "svg/resolve/hatch.h"
#include "svg/resolve/mesh.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/pattern.h"
#include "svg/resolve/resolve.h"

bool sj_templates_collect(sj_resolver *r, uint32_t element, unsigned kind, sj_templates *out) {
  out->count = 0;
  while (element != SJ_NO_ELEMENT && out->count < SJ_MAX_TEMPLATES) {
    if (!sj_element_is((sj_element)r->document->nodes.data[element].element, kind)) break;
    for (int i = 0; i < out->count; i++) {
      if (out->elements[i] == element) return false;
    }
    out->elements[out->count++] = element;
    element = sj_find_href(r, element);
  }
  return true;
}

bool sj_templates_spend(sj_resolver *r, const sj_templates *templates) {
  uint64_t work = 0;
  for (int i = 0; i < templates->count; i++) work += r->document->nodes.data[templates->elements[i]].work;
  return sj_resolve_spend(r, work);
}

const sj_string *sj_templates_attribute(const sj_document *document, const sj_templates *templates, sj_name name,
                                        sj_element only) {
  for (int i = 0; i < templates->count; i++) {
    uint32_t element = templates->elements[i];
    if (only && document->nodes.data[element].element != only) continue;
    const sj_string *attribute = sj_document_attribute(document, element, name);
    if (attribute) return attribute;
  }
  return NULL;
}

float sj_templates_length(const sj_resolver *r, const sj_templates *templates, const sj_resolve_frame *frame,
                          sj_name name, sj_axis axis) {
  const sj_string *attribute = sj_templates_attribute(r->document, templates, name, 0);
  sj_length length;
  bool good = attribute && sj_parse_length(attribute->text, attribute->length, &length);
  return sj_understood(r, name, attribute, good) ? sj_resolve_length(r, frame, length, axis) : 0.0f;
}

uint32_t sj_templates_with(const sj_document *document, const sj_templates *templates, sj_name name,
                           uint32_t fallback) {
  for (int i = 0; i < templates->count; i++) {
    if (sj_document_attribute(document, templates->elements[i], name)) return templates->elements[i];
  }
  return fallback;
}

static sj_tree_paint color_paint(stijl_color color) {
  return (sj_tree_paint){.kind = color.a > 0.0f ? SJ_TREE_PAINT_COLOR : SJ_TREE_PAINT_NONE, .color = color};
}

// Returns whether the server is in the space of the painted element's box, so that it needs one with an area.
static bool is_boxed(const sj_tree_server *server) { return server->box_units || server->box_content; }

// Resolves a paint server, or finds it. For PAINTS *index becomes its index in tree->servers.
static sj_server_result find_server(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node, uint32_t element,
                                    uint32_t *index) {
  sj_tree *tree = r->job->tree;
  bool made, depends = false;
  sj_known *known = sj_know(r, element, frame->width, frame->height, &made);
  if (!known) return SJ_SERVER_NONE;
  if (!made) {
    *index = known->index;
    return (sj_server_result)known->state;
  }
  // A result that depends on the painted element is not remembered.
  size_t entry = r->known.count - 1;
  uint32_t source = element;
  sj_tree_server server = {.transform = STIJL_MATRIX_IDENTITY};
  sj_server_result result = SJ_SERVER_NONE;
  switch ((sj_element)r->document->nodes.data[element].element) {
    case SJ_ELEMENT_PATTERN: result = sj_resolve_pattern(r, element, frame, node, &server, &source, &depends); break;
    case SJ_ELEMENT_HATCH: result = sj_resolve_hatch(r, element, frame, node, &server, &source, &depends); break;
    case SJ_ELEMENT_MESH_GRADIENT: result = sj_resolve_mesh(r, element, frame, &server); break;
    default: result = sj_resolve_gradient(r, element, frame, &server); break;
  }
  if (!sj_resolving(r)) return SJ_SERVER_NONE;
  *index = SJ_NONE;
  if (result == SJ_SERVER_PAINTS) {
    *index = (uint32_t)tree->servers.count;
    float width = frame->width, height = frame->height;
    // In units of the box, percentages refer to the viewport, as in browsers.
    if (server.has_view_box) width = server.view_box.width, height = server.view_box.height;
    sj_content_kind kind = sj_element_is((sj_element)r->document->nodes.data[source].element, SJ_IS_HATCH)
                               ? SJ_CONTENT_HATCH
                               : SJ_CONTENT_PATTERN;
    if (server.kind == SJ_TREE_SERVER_PATTERN && !sj_define(r, kind, source, *index, width, height, &server.of))
      return SJ_SERVER_NONE;
    if (tree->servers.count >= SJ_NONE || !sj_array_push(tree->context, &tree->servers, server)) {
      sj_resolve_fail_memory(r);
      return SJ_SERVER_NONE;
    }
  }
  if (depends) {
    sj_forget(r);
  } else {
    r->known.data[entry].index = *index;
    r->known.data[entry].state = result;
  }
  return result;
}

// Resolves a paint whose url() is of the resolver's document.
static sj_tree_paint resolve_paint(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node,
                                   const sj_paint_value *value) {
  const sj_style *style = frame->style;
  switch (value->kind) {
    case SJ_PAINT_VALUE_COLOR: return color_paint(value->color);
    case SJ_PAINT_VALUE_CURRENT_COLOR: return color_paint(style->color);
    case SJ_PAINT_VALUE_CONTEXT_FILL:
    case SJ_PAINT_VALUE_CONTEXT_STROKE:
      r->job->met_context = true;
      return (sj_tree_paint){.kind = value->kind == SJ_PAINT_VALUE_CONTEXT_FILL ? SJ_TREE_PAINT_CONTEXT_FILL
                                                                                : SJ_TREE_PAINT_CONTEXT_STROKE};
    case SJ_PAINT_VALUE_URL: break;
    default: return (sj_tree_paint){.kind = SJ_TREE_PAINT_NONE};
  }
  uint32_t element = sj_find_url(r, value->url, value->url_length), index = SJ_NONE;
  sj_server_result result = SJ_SERVER_INVALID;
  if (element != SJ_NO_ELEMENT) {
    if (sj_element_is((sj_element)r->document->nodes.data[element].element, SJ_IS_SERVER))
      result = find_server(r, frame, node, element, &index);
    else
      sj_omit_paint(r, element);
  }
  // A box without an area cannot be a coordinate system (SVG 2, 8.11).
  if (result == SJ_SERVER_PAINTS && is_boxed(&r->job->tree->servers.data[index]) &&
      !sj_box_has_area(sj_node_box(r, node)))
    result = SJ_SERVER_INVALID;
  if (result == SJ_SERVER_PAINTS) return (sj_tree_paint){.kind = SJ_TREE_PAINT_SERVER, .server = index};
  if (result != SJ_SERVER_INVALID || !value->has_fallback) return (sj_tree_paint){.kind = SJ_TREE_PAINT_NONE};
  sj_paint_value fallback = {.kind = value->fallback, .color = value->color};
  return resolve_paint(r, frame, node, &fallback);
}

sj_tree_paint sj_resolve_paint(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node,
                               const sj_paint_value *value) {
  sj_resolver *owner = sj_owner(r, value->owner);
  if (owner == r) return resolve_paint(r, frame, node, value);
  sj_resolve_frame foreign = *frame;
  foreign.copy = SJ_NO_COPY;  // of the element's document
  return resolve_paint(owner, &foreign, node, value);
}

void sj_add_context(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node) {
  sj_tree *tree = r->job->tree;
  sj_tree_context context = {.fill = sj_resolve_paint(r, frame, node, &frame->style->fill),
                             .stroke = sj_resolve_paint(r, frame, node, &frame->style->stroke),
                             .box = *sj_node_box(r, node)};
  if (!sj_resolving(r)) return;
  tree->nodes.data[node].context = (uint32_t)tree->contexts.count;
  if (tree->contexts.count >= SJ_NONE || !sj_array_push(tree->context, &tree->contexts, context))
    sj_resolve_fail_memory(r);
}
