// Cuts off lines that are too long for their block container (text-overflow: CSS Overflow 3, 5.1).
#include "svg/html/html.h"
#include "svg/resolve/job.h"
#include "svg/resolve/text_fonts.h"

#define ELLIPSIS 0x2026u

// Returns the style that decides for a block container. What has no element is part of the block around it.
static const sj_html_style *style_of(const sj_html *h, uint32_t block) {
  const sj_html_box *box = sj_html_at(h, block);
  const sj_html_box *parent = box->is_anonymous && box->parent != SJ_NONE ? sj_html_at(h, box->parent) : box;
  return parent->kind == SJ_HTML_BLOCK || parent->kind == SJ_HTML_CELL ? parent->style : box->style;
}

// Returns the character of an ellipsis, and its width. As in browsers, three dots stand for one that the font does not
// have.
uint32_t sj_html_ellipsis(const sj_html *h, uint32_t block, float *width) {
  float scale;
  const sj_face *face = sj_resolver_face(h->r, &style_of(h, block)->svg, &scale);
  int own = face ? sj_face_advance(face, ELLIPSIS) : 0, dot = face && own < 0 ? sj_face_advance(face, '.') : 0;
  *width = scale * (float)(own < 0 ? 3 * (dot < 0 ? 0 : dot) : own);
  return own < 0 ? '.' : ELLIPSIS;
}

void sj_html_cut_line(sj_html *h, uint32_t block, const sj_html_flow *f, sj_html_line *line, sj_unit64 room) {
  const sj_html_style *style = style_of(h, block);
  if (!style->svg.font.ellipsis || !style->hides || line->width <= room) return;
  float ellipsis;
  sj_html_ellipsis(h, block, &ellipsis);
  room -= sj_html_ceil((double)ellipsis);
  sj_html_walk w;
  sj_html_walk_begin(h, &w, f, line->first, line->first_edge);
  // The first cluster, or what stands in its place, is shown in any case.
  for (uint32_t i = line->first, cluster = i; i < line->end && sj_resolve_spend(h->r, SJ_WORK_NODE); i++) {
    if (f->advances[i] > 0.0f || f->atoms.data[i]) cluster = i;
    sj_html_walk_next(&w);
    if (cluster == line->first || sj_html_walk_width(&w) <= room) continue;
    line->shown = cluster;
    return;
  }
}
