// Finds how narrow and how wide boxes are by their content (CSS Sizing 3, 5).
#include "svg/html/html.h"
#include "svg/resolve/job.h"

static void add_block(sj_unit64 *least, sj_unit64 *most, sj_unit64 child_least, sj_unit64 child_most) {
  *least = sj_html_most(*least, child_least);
  *most = sj_html_most(*most, child_most);
}

// Finds the content's widths of a block container, or of a flex container whose items stand below each other.
static void stacked_sizes(sj_html *h, const sj_html_box *box, sj_unit64 *least, sj_unit64 *most) {
  for (uint32_t i = box->first; i != SJ_NONE && sj_resolve_spend(h->r, SJ_WORK_NODE); i = sj_html_at(h, i)->next) {
    sj_unit64 child_least, child_most;
    sj_html_sizes(h, i, &child_least, &child_most);
    add_block(least, most, child_least, child_most);
  }
}

static void row_sizes(sj_html *h, const sj_html_box *box, sj_unit64 *least, sj_unit64 *most) {
  sj_unit64 gap = sj_html_most(0, sj_html_resolve(&box->style->gap[1], 0));
  for (uint32_t i = box->first; i != SJ_NONE && sj_resolve_spend(h->r, SJ_WORK_NODE); i = sj_html_at(h, i)->next) {
    sj_unit64 child_least, child_most;
    sj_html_sizes(h, i, &child_least, &child_most);
    *most += child_most + (i == box->first ? 0 : gap);
    if (box->style->wraps)
      *least = sj_html_most(*least, child_least);
    else
      *least += child_least + (i == box->first ? 0 : gap);
  }
}

static void content_sizes(sj_html *h, uint32_t index, sj_unit64 *least, sj_unit64 *most) {
  const sj_html_box *box = sj_html_at(h, index);
  *least = *most = box->kind == SJ_HTML_MATH ? box->natural[0] : 0;
  if (box->kind == SJ_HTML_FLEX_BOX && !box->style->column)
    row_sizes(h, box, least, most);
  else if (box->has_blocks || box->kind == SJ_HTML_FLEX_BOX)
    stacked_sizes(h, box, least, most);
  else if (box->first != SJ_NONE)
    sj_html_flow_sizes(h, index, least, most);
}

static void find_sizes(sj_html *h, uint32_t index) {
  sj_html_box *box = sj_html_at(h, index);
  sj_unit64 least = 0, most = 0, frame = sj_html_frame(box, false);
  const sj_html_style *s = box->style;
  bool replaced = box->kind == SJ_HTML_IMAGE || box->kind == SJ_HTML_SVG;
  if (replaced) {
    sj_html_space space = {SJ_HTML_AUTO, SJ_HTML_AUTO, SJ_HTML_AUTO, SJ_HTML_AUTO};
    sj_html_layout(h, index, &space);
    box->is_laid_out = false;
    least = most = box->width;
  } else if (box->kind == SJ_HTML_TABLE) {
    sj_html_table_sizes(h, index, &least, &most);
  } else {
    content_sizes(h, index, &least, &most);
    least += frame;
    most += frame;
  }
  box->content_least = least;
  sj_unit64 given = sj_html_given(box, false, SJ_HTML_AUTO);
  if (given != SJ_HTML_AUTO && !replaced) {
    // A table, and its cells, never get narrower than their content.
    bool table = box->kind == SJ_HTML_TABLE || box->kind == SJ_HTML_CELL;
    most = table ? sj_html_most(given, least) : given;
    if (!table || box->kind == SJ_HTML_TABLE) least = most;
  }
  if (s->width.kind == SJ_SIZE_MIN_CONTENT) most = least;
  if (s->width.kind == SJ_SIZE_MAX_CONTENT) least = most;
  box->least = sj_html_clamp(box, false, least, SJ_HTML_AUTO);
  box->most = sj_html_most(box->least, sj_html_clamp(box, false, most, SJ_HTML_AUTO));
  if (box->kind == SJ_HTML_CELL && box->least < least) box->least = sj_html_least(least, box->most);
}

void sj_html_sizes(sj_html *h, uint32_t index, sj_unit64 *least, sj_unit64 *most) {
  sj_html_box *box = sj_html_at(h, index);
  if (!box->has_sizes) {
    box->has_sizes = true;
    sj_html_edges(box, SJ_HTML_AUTO);
    find_sizes(h, index);
  }
  // Percentages of a width that is not known count as 0 here.
  sj_unit64 margins = 0;
  for (int side = SJ_RIGHT; side <= SJ_LEFT; side += 2) {
    sj_unit64 margin = sj_html_resolve(&box->style->margin[side], 0);
    if (margin != SJ_HTML_AUTO) margins += margin;
  }
  *least = sj_html_most(0, box->least + margins);
  *most = sj_html_most(0, box->most + margins);
}
