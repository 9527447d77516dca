// Lays out boxes that have a position in another one (CSS Positioned Layout 3, 4).
#include "svg/html/html.h"
#include "svg/resolve/job.h"

// One axis of a box: what is given, and what follows from that.
typedef struct axis {
  sj_unit64 room;        // of the padding box that it is placed in
  sj_unit64 start, end;  // the insets; SJ_HTML_AUTO
  sj_unit64 content;     // where the box would be in flow
  bool anchored;         // that counts for its width
  sj_unit64 before, after;
  bool auto_before, auto_after;  // the margins
} axis;

static axis axis_of(const sj_html_box *box, bool vertical, sj_unit64 room) {
  const sj_html_style *s = box->style;
  int first = vertical ? SJ_TOP : SJ_LEFT, last = vertical ? SJ_BOTTOM : SJ_RIGHT;
  return (axis){.room = room,
                .start = sj_html_resolve(&s->inset[first], room),
                .end = sj_html_resolve(&s->inset[last], room),
                .before = box->margin[first],
                .after = box->margin[last],
                .auto_before = s->margin[first].kind == SJ_SIZE_AUTO,
                .auto_after = s->margin[last].kind == SJ_SIZE_AUTO};
}

// Returns what is left between insets and margins.
static sj_unit64 rest_of(const axis *a) {
  sj_unit64 flow = a->anchored && a->end == SJ_HTML_AUTO ? a->content : 0;
  sj_unit64 start = a->start == SJ_HTML_AUTO ? flow : a->start, end = a->end == SJ_HTML_AUTO ? 0 : a->end;
  return sj_html_most(0, a->room - start - end - a->before - a->after);
}

static bool is_between(const axis *a) { return a->start != SJ_HTML_AUTO && a->end != SJ_HTML_AUTO; }

// Returns where a box of that size begins.
static sj_unit64 place_in(const axis *a, sj_unit64 size) {
  sj_unit64 more = is_between(a) ? sj_html_most(0, rest_of(a) - size) : 0;
  sj_unit64 shift = a->auto_before ? (a->auto_after ? more / 2 : more) : 0;
  if (a->start != SJ_HTML_AUTO) return a->start + a->before + shift;
  return a->end != SJ_HTML_AUTO ? a->room - a->end - a->after - size : a->content + a->before;
}

// Finds where the box's place in flow is, from the padding box of the one around, whose lines and blocks are placed.
static void find_anchor(const sj_html *h, const sj_html_box *box, axis *x, axis *y) {
  x->anchored = y->anchored = true;
  x->content = y->content = 0;
  for (uint32_t i = box->anchor; i != box->parent && i != SJ_NONE;) {
    const sj_html_box *inner = sj_html_at(h, i), *outer;
    x->content += inner->x;
    y->content += inner->y;
    bool in_line = inner->is_inline_level;
    i = inner->parent;
    while (i != SJ_NONE && sj_html_at(h, i)->kind == SJ_HTML_INLINE) i = sj_html_at(h, i)->parent;
    if (i == SJ_NONE) break;
    outer = sj_html_at(h, i);
    // What stands in a line is placed in the content box.
    if (in_line) x->content += outer->border[SJ_LEFT] + outer->padding[SJ_LEFT];
    if (in_line) y->content += outer->border[SJ_TOP] + outer->padding[SJ_TOP];
    y->content += outer->shift;
  }
  const sj_html_box *around = sj_html_at(h, box->parent);
  x->content -= around->border[SJ_LEFT];
  y->content -= around->border[SJ_TOP];
}

void sj_html_layout_placed(sj_html *h, uint32_t index) {
  sj_html_box *box = sj_html_at(h, index), *around = sj_html_at(h, box->parent);
  sj_unit64 width = around->width - around->border[SJ_LEFT] - around->border[SJ_RIGHT], least, most;
  sj_unit64 height = around->height - around->border[SJ_TOP] - around->border[SJ_BOTTOM];
  sj_html_edges(box, width);
  axis x = axis_of(box, false, width), y = axis_of(box, true, height);
  x.content = around->padding[SJ_LEFT];
  y.content = around->padding[SJ_TOP];
  if (box->anchor != SJ_NONE) find_anchor(h, box, &x, &y);
  sj_html_space space = {width, height, sj_html_given(box, false, width), SJ_HTML_AUTO};
  bool replaced = box->kind == SJ_HTML_IMAGE || box->kind == SJ_HTML_SVG;
  if (replaced) {
    // It has its own size.
    sj_html_layout(h, index, &space);
    space.width = box->width;
  }
  if (space.width == SJ_HTML_AUTO && is_between(&x) && box->kind != SJ_HTML_TABLE) space.width = rest_of(&x);
  if (space.width == SJ_HTML_AUTO) {
    sj_html_sizes(h, index, &least, &most);
    space.width = sj_html_least(sj_html_most(box->least, rest_of(&x)), box->most);
    sj_html_edges(box, width);
  }
  space.width = sj_html_clamp(box, false, space.width, width);
  if (sj_html_given(box, true, height) == SJ_HTML_AUTO && is_between(&y) && !replaced)
    space.height = sj_html_clamp(box, true, rest_of(&y), height);
  sj_html_layout(h, index, &space);
  box->x = around->border[SJ_LEFT] + place_in(&x, box->width);
  box->y = around->border[SJ_TOP] + place_in(&y, box->height);
}
