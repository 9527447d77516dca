#include "svg/convert.h"

bool sj_enter_viewport(sj_convert *c, sj_frame *frame, uint32_t element, const sj_viewport *viewport, bool *clips,
                       stijl_rect *clip) {
  *clips = false;
  if (!(viewport->width > 0.0f) || !(viewport->height > 0.0f)) return false;
  const sj_document *document = c->document;
  const sj_attribute *view_box = sj_document_attribute(document, element, SJ_ATTRIBUTE_VIEW_BOX);
  const sj_attribute *aspect_text = sj_document_attribute(document, element, SJ_ATTRIBUTE_PRESERVE_ASPECT_RATIO);
  sj_aspect aspect = SJ_ASPECT_DEFAULT;
  if (aspect_text) sj_parse_aspect(aspect_text->value, aspect_text->length, &aspect);
  *clips = frame->style->overflow != SJ_OVERFLOW_VISIBLE;
  *clip = (stijl_rect){viewport->x, viewport->y, viewport->x + viewport->width, viewport->y + viewport->height};
  frame->matrix = stijl_matrix_multiply(frame->matrix, stijl_matrix_translate(viewport->x, viewport->y));
  sj_view_box box;
  if (view_box && sj_parse_view_box(view_box->value, view_box->length, &box)) {
    if (!(box.width > 0.0f) || !(box.height > 0.0f)) return false;
    stijl_matrix fit = sj_view_box_matrix(&box, &aspect, viewport->width, viewport->height, NULL);
    frame->matrix = stijl_matrix_multiply(frame->matrix, fit);
    frame->width = box.width;
    frame->height = box.height;
  } else {
    frame->width = viewport->width;
    frame->height = viewport->height;
  }
  return stijl_matrix_is_finite(frame->matrix);
}
