// Replaces text.c, text_content.c and the like in a build without text.
#include "svg/resolve/foreign.h"
#include "svg/resolve/job.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/text.h"
#include "svg/resolve/text_fonts.h"

bool sj_resolve_text(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t node) {
  (void)node;
  sj_omit_element(r, frame, element);
  return false;
}

bool sj_text_path(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, stijl_path *path) {
  (void)path;
  sj_omit_element(r, frame, element);
  return false;
}

void sj_resolve_foreign(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element) {
  sj_omit_element(r, frame, element);
}

void sj_resolve_root_box(sj_resolver *r, const sj_resolve_frame *frame, sj_viewport *viewport, bool above) {
  (void)viewport;
  if (!above) sj_omit_element(r, frame, 0);
}

float sj_resolver_font_unit(void *resolver, const void *style, sj_unit unit) {
  (void)resolver, (void)style, (void)unit;
  return 0.5f;
}

void sj_resolver_fonts_finish(sj_resolver *r) {}
