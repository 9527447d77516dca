// Makes a paint of the scene from the value of fill or stroke (SVG 2, 13.2).

#include <math.h>

#include "svg/convert.h"

void sj_finish_paint(sj_convert *c, sj_prepared *prepared) { sj_array_finish(c->context, &prepared->stops); }

bool sj_templates_collect(sj_convert *c, uint32_t element, bool (*accepts)(sj_element), sj_templates *out) {
  out->count = 0;
  while (element != SJ_NO_ELEMENT && out->count < SJ_MAX_TEMPLATES) {
    if (!accepts((sj_element)c->document->nodes.data[element].element)) break;
    for (int i = 0; i < out->count; i++) {
      if (out->elements[i] == element) return false;
    }
    out->elements[out->count++] = element;
    element = sj_find_href(c, element);
  }
  return true;
}

bool sj_templates_spend(sj_convert *c, const sj_templates *templates) {
  uint64_t work = 0;
  for (int i = 0; i < templates->count; i++) work += c->document->nodes.data[templates->elements[i]].work;
  return sj_convert_spend(c, work);
}

const sj_attribute *sj_templates_attribute(const sj_document *document, const sj_templates *templates, sj_name name,
                                           bool (*accepts)(sj_element)) {
  for (int i = 0; i < templates->count; i++) {
    uint32_t element = templates->elements[i];
    if (accepts && !accepts((sj_element)document->nodes.data[element].element)) continue;
    const sj_attribute *attribute = sj_document_attribute(document, element, name);
    if (attribute) return attribute;
  }
  return NULL;
}

static bool solid(stijl_color color, sj_prepared *out) {
  out->paint.kind = STIJL_PAINT_SOLID;
  out->paint.color = color;
  return out->paint.opacity > 0.0f && color.a > 0.0f;
}

// Puts the paint of the context element's user space into that of the element painted.
static bool move_paint(const sj_frame *from, const sj_frame *to, stijl_matrix *transform) {
  stijl_matrix inverse;
  if (!stijl_matrix_invert(to->matrix, &inverse)) return false;
  *transform = stijl_matrix_multiply(stijl_matrix_multiply(inverse, from->matrix), *transform);
  return stijl_matrix_is_finite(*transform);
}

static bool is_finite(const stijl_paint *p) {
  return isfinite(p->p0.x) && isfinite(p->p0.y) && isfinite(p->p1.x) && isfinite(p->p1.y) && isfinite(p->r0) &&
         isfinite(p->r1) && stijl_matrix_is_finite(p->transform);
}

bool sj_prepare_paint(sj_convert *c, const sj_frame *frame, uint32_t element, sj_box *box, const sj_paint_value *value,
                      float opacity, sj_prepared *out) {
  *out = (sj_prepared){.paint = STIJL_PAINT_INIT};
  out->paint.opacity = opacity;
  // A context paint is that of the context element, in its own space.
  const sj_frame *owner = frame;
  sj_context_element *context = NULL;
  while (value->kind == SJ_PAINT_VALUE_CONTEXT_FILL || value->kind == SJ_PAINT_VALUE_CONTEXT_STROKE) {
    if (!owner->context_element) return false;
    context = owner->context_element;
    owner = &context->frame;
    value = value->kind == SJ_PAINT_VALUE_CONTEXT_FILL ? &owner->style->fill : &owner->style->stroke;
  }
  if (context) {
    element = context->element;
    box = &context->box;
  }
  switch (value->kind) {
    case SJ_PAINT_VALUE_COLOR: return solid(value->color, out);
    case SJ_PAINT_VALUE_CURRENT_COLOR: return solid(owner->style->color, out);
    case SJ_PAINT_VALUE_URL: break;
    default: return false;
  }
  uint32_t server = sj_find_url(c, value->url, value->url_length);
  sj_server_result result = SJ_SERVER_INVALID;
  if (server != SJ_NO_ELEMENT) {
    switch ((sj_element)c->document->nodes.data[server].element) {
      case SJ_ELEMENT_LINEAR_GRADIENT:
      case SJ_ELEMENT_RADIAL_GRADIENT: result = sj_prepare_gradient(c, server, owner, element, box, out); break;
      case SJ_ELEMENT_PATTERN: result = sj_prepare_pattern(c, server, owner, element, box, frame, out); break;
      default: sj_omit_paint(c, server); break;
    }
  }
  if (result == SJ_SERVER_PAINTS) {
    return out->paint.opacity > 0.0f && (owner == frame || move_paint(owner, frame, &out->paint.transform)) &&
           is_finite(&out->paint);
  }
  if (result == SJ_SERVER_NONE || !value->has_fallback) return false;
  out->paint = (stijl_paint)STIJL_PAINT_INIT;
  out->paint.opacity = opacity;
  switch (value->fallback) {
    case SJ_PAINT_VALUE_COLOR: return solid(value->color, out);
    case SJ_PAINT_VALUE_CURRENT_COLOR: return solid(owner->style->color, out);
    default: return false;
  }
}
