// Masks: CSS Masking 1, 7 and 8.

#include "svg/convert.h"

sj_mask_use sj_mask_resolve(sj_convert *c, const sj_frame *frame, uint32_t element, const sj_value_text *value,
                            sj_box *box, uint32_t *mask, stijl_rect *region) {
  const char *url, *rest;
  size_t length, rest_length;
  const sj_document *document = c->document;
  if (!sj_parse_url(value->text, value->length, &url, &length, &rest, &rest_length)) return SJ_MASK_NONE;
  sj_trim(&rest, &rest_length);
  if (rest_length) sj_omit(c, SJ_OMIT_MASK, value->text, value->length);
  uint32_t found = sj_find_url(c, url, length);
  // A reference to nothing, or to itself in a circle, masks nothing.
  if (found == SJ_NO_ELEMENT || document->nodes.data[found].element != SJ_ELEMENT_MASK) return SJ_MASK_NONE;
  for (size_t i = 0; i < c->active.count; i++) {
    if (c->active.data[i].element == found && !c->active.data[i].use) return SJ_MASK_NONE;
  }
  bool box_units = sj_units_are_box(sj_document_attribute(document, found, SJ_ATTRIBUTE_MASK_UNITS), true);
  bool box_content = sj_units_are_box(sj_document_attribute(document, found, SJ_ATTRIBUTE_MASK_CONTENT_UNITS), false);
  sj_style style;
  sj_style_in_document(&c->styles, found, &style);
  // The box is needed here, or may be needed by a mask that is on the mask.
  if (box_units || box_content || style.mask.text) sj_element_box(c, frame, element, box);
  if ((box_units || box_content) && !sj_box_has_area(box)) return SJ_MASK_HIDES_ALL;
  sj_frame own = *frame;
  own.style = &style;
  if (box_units) own.width = own.height = 1.0f;
  sj_length minus_ten = {.value = -10.0f, .unit = SJ_UNIT_PERCENT}, all = {.value = 120.0f, .unit = SJ_UNIT_PERCENT};
  float x = sj_resolve_length(c, &own, minus_ten, SJ_AXIS_X), y = sj_resolve_length(c, &own, minus_ten, SJ_AXIS_Y);
  float width = sj_resolve_length(c, &own, all, SJ_AXIS_X), height = sj_resolve_length(c, &own, all, SJ_AXIS_Y);
  sj_length_attribute(c, &own, found, SJ_ATTRIBUTE_X, SJ_AXIS_X, &x);
  sj_length_attribute(c, &own, found, SJ_ATTRIBUTE_Y, SJ_AXIS_Y, &y);
  sj_length_attribute(c, &own, found, SJ_ATTRIBUTE_WIDTH, SJ_AXIS_X, &width);
  sj_length_attribute(c, &own, found, SJ_ATTRIBUTE_HEIGHT, SJ_AXIS_Y, &height);
  if (!(width > 0.0f) || !(height > 0.0f)) return SJ_MASK_HIDES_ALL;
  *region = (stijl_rect){x, y, x + width, y + height};
  if (box_units) *region = stijl_matrix_apply_rect(sj_box_matrix(box->rect), *region);
  *mask = found;
  return SJ_MASK_DRAW;
}

static void draw_content(sj_convert *c, const sj_frame *user, const sj_frame *content, const sj_box *box,
                         uint32_t mask) {
  if (!sj_convert_count(c, content->depth) || !sj_convert_open(c, mask)) return;
  // A mask on the mask element masks its content; the other properties have no meaning here.
  sj_style only_mask;
  sj_style_initial(&only_mask);
  only_mask.mask = content->style->mask;
  sj_frame outer = *user;
  outer.style = &only_mask;
  outer.depth = content->depth;
  sj_group group;
  sj_box own_box = *box;
  if (sj_group_begin_boxed(c, &outer, mask, 1.0f, &own_box, &group)) {
    sj_frame frame = *content;
    if (sj_units_are_box(sj_document_attribute(c->document, mask, SJ_ATTRIBUTE_MASK_CONTENT_UNITS), false)) {
      frame.matrix = stijl_matrix_multiply(frame.matrix, sj_box_matrix(box->rect));
      frame.width = frame.height = 1.0f;
    }
    sj_convert_children(c, &frame, mask);
    sj_group_end(c, &group);
  }
  sj_convert_close(c);
}

void sj_draw_mask(sj_convert *c, const sj_frame *user, sj_box *box, uint32_t mask) {
  sj_style style;
  sj_style_in_document(&c->styles, mask, &style);
  sj_frame content = *user;
  content.style = &style;
  content.context_element = NULL;
  content.depth++;
  bool linear = style.mask_type == STIJL_MASK_LUMINANCE && style.color_interpolation == SJ_INTERPOLATION_LINEAR;
  stijl_scene_push_mask(c->scene, linear ? STIJL_MASK_LUMINANCE_LINEAR : (stijl_mask)style.mask_type);
  draw_content(c, user, &content, box, mask);
  stijl_scene_pop_mask(c->scene);
}
