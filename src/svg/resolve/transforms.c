// Resolves the transforms of elements (CSS Transforms 2).
#include "svg/resolve/transforms.h"

#include "svg/resolve/offset.h"
#include "svg/resolve/omit.h"

static bool has_css_transform(const sj_style *style) {
  return style->transform.text || style->translate.text || style->rotate.text || style->scale.text ||
         style->offset_path.text;
}

// Returns the attribute that holds the transform; NULL when there is none or the property overrides it.
static const sj_string *attribute_of(const sj_resolver *r, const sj_style *style, uint32_t element, sj_name name) {
  return style->transform.text ? NULL : sj_document_attribute(r->document, element, name);
}

stijl_rect sj_view_reference(const sj_resolve_frame *frame) {
  return (stijl_rect){0.0f, 0.0f, frame->width, frame->height};
}

bool sj_transform_needs_box(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element) {
  const sj_style *style = frame->style;
  if (style->transform_box == SJ_TRANSFORM_BOX_VIEW) return false;
  // Without a transform, its origin has no effect.
  return has_css_transform(style) || attribute_of(r, style, element, SJ_PROPERTY_TRANSFORM) != NULL;
}

bool sj_own_transform(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, sj_name name,
                      stijl_rect reference, stijl_matrix *out) {
  const sj_style *style = frame->style;
  const sj_string *attribute = attribute_of(r, style, element, name);
  *out = stijl_matrix_identity();
  if (!attribute && !has_css_transform(style)) return true;
  float width = reference.x1 - reference.x0, height = reference.y1 - reference.y0;
  sj_length_base base = sj_style_base(&r->styles, style);
  stijl_matrix own = stijl_matrix_identity(), part;
  bool any = false;
  // Without an origin it is the corner of the box, which is not 0 where that is the element's own.
  stijl_point origin = {reference.x0, reference.y0};
  sj_length x, y;
  if (style->origin.text && sj_parse_transform_origin(style->origin.text, style->origin.length, &x, &y)) {
    origin.x += sj_length_pixels(x, &base, width);
    origin.y += sj_length_pixels(y, &base, height);
  }
  // The order is translate, rotate, scale, offset, then the list (CSS Transforms 2, 6). An invalid one is ignored.
  if (style->translate.text &&
      sj_parse_translate(style->translate.text, style->translate.length, &base, width, height, &part)) {
    own = part;
    any = true;
  } else if (style->translate.text) {
    sj_omit(r, SJ_OMIT_TRANSFORM, style->translate.text, style->translate.length);
  }
  if (style->rotate.text && sj_parse_rotate(style->rotate.text, style->rotate.length, &part)) {
    own = stijl_matrix_multiply(own, part);
    any = true;
  } else if (style->rotate.text) {
    sj_omit(r, SJ_OMIT_TRANSFORM, style->rotate.text, style->rotate.length);
  }
  if (style->scale.text && sj_parse_scale(style->scale.text, style->scale.length, &part)) {
    own = stijl_matrix_multiply(own, part);
    any = true;
  } else if (style->scale.text) {
    sj_omit(r, SJ_OMIT_TRANSFORM, style->scale.text, style->scale.length);
  }
  if (sj_offset_transform(r, frame, reference, origin, &part)) {
    own = stijl_matrix_multiply(own, part);
    any = true;
  }
  if (attribute ? sj_parse_transform(attribute->text, attribute->length, &part)
                : style->transform.text && sj_parse_css_transform(style->transform.text, style->transform.length, &base,
                                                                  width, height, &part)) {
    own = stijl_matrix_multiply(own, part);
    any = true;
  } else if (attribute) {
    sj_omit(r, SJ_OMIT_TRANSFORM, attribute->text, attribute->length);
  } else if (style->transform.text) {
    sj_omit(r, SJ_OMIT_TRANSFORM, style->transform.text, style->transform.length);
  }
  if (!any) return true;
  if (origin.x != 0.0f || origin.y != 0.0f)
    own = stijl_matrix_multiply(stijl_matrix_translate(origin.x, origin.y),
                                stijl_matrix_multiply(own, stijl_matrix_translate(-origin.x, -origin.y)));
  *out = own;
  // An element is not drawn if its own matrix has no inverse. The product of many matrices cannot tell: within a tiny
  // document its determinant may be too small for a float although there is an inverse.
  stijl_matrix inverse;
  return stijl_matrix_is_finite(own) && stijl_matrix_invert(own, &inverse);
}
