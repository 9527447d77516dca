// The box of the document's root (CSS 2, 8): its frame, and where in it the picture stands.
#include <string.h>

#include "svg/html/html.h"
#include "svg/html/values.h"
#include "svg/resolve/foreign.h"
#include "svg/resolve/resolve.h"
#include "svg/resolve/shapes.h"

// Reads an outline of the root, which is a border around its border (CSS UI 4, 3).
static void read_outline(sj_html *h, sj_html_style *outline, sj_unit64 *offset, int name, const char *text,
                         size_t length, const sj_length_base *base) {
  static const int borders[][2] = {{SJ_HTML_OUTLINE, SJ_HTML_BORDER},
                                   {SJ_HTML_OUTLINE_COLOR, SJ_HTML_BORDER_COLOR},
                                   {SJ_HTML_OUTLINE_STYLE, SJ_HTML_BORDER_STYLE},
                                   {SJ_HTML_OUTLINE_WIDTH, SJ_HTML_BORDER_WIDTH}};
  sj_html_length value;
  for (size_t i = 0; i < sizeof borders / sizeof *borders; i++)
    if (name == borders[i][0]) sj_html_apply_box(h, outline, NULL, borders[i][1], text, length, base);
  if (name == SJ_HTML_OUTLINE_OFFSET && sj_html_read_length(text, length, base, true, &value) &&
      value.kind == SJ_SIZE_LENGTH)
    *offset = sj_html_from_pixels((double)value.pixels);
}

// Reads what is declared of the root's box.
static void read(sj_html *h, sj_html_style *style, sj_html_style *outline, sj_unit64 *offset) {
  sj_length_base base = sj_style_base(&h->r->styles, &style->svg);
  sj_cascade cascade = sj_cascade_of(h->r->document, &h->r->document->nodes.data[0]);
  for (const sj_declared *d; (d = sj_cascade_next(&cascade));) {
    const char *text = d->value;
    size_t length = d->length;
    if (!sj_html_property_is_of_root(d->name) && d->name != SJ_PROPERTY_BACKGROUND) continue;
    sj_trim(&text, &length);
    sj_html_apply_box(h, style, NULL, d->name, text, length, &base);
    read_outline(h, outline, offset, d->name, text, length, &base);
  }
}

static sj_unit64 both(const sj_unit64 sides[4], int first) { return sides[first] + sides[(first + 2) % 4]; }

// Draws the root's background, which is that of all of the canvas, from where its box is (CSS Backgrounds 3, 2.11.1).
static void paint_background(sj_html *h, const sj_html_box *box, const sj_resolve_frame *frame, sj_unit64 x,
                             sj_unit64 y, sj_unit64 width, sj_unit64 height) {
  stijl_path *canvas = sj_take_path(h->r);
  if (!canvas) return;
  sj_unit64 sides[4] = {y, x + width, y + height, x};
  stijl_rect areas[3], all = {0.0f, 0.0f, frame->width, frame->height};
  for (int i = 0; i < 3; i++) {
    const sj_unit64 *edges = i == 1 ? box->border : box->padding;
    for (int k = 0; i > 0 && k < 4; k++) sides[k] += k == SJ_TOP || k == SJ_LEFT ? edges[k] : -edges[k];
    areas[i] = sj_html_snapped(sides[SJ_LEFT], sides[SJ_TOP], sides[SJ_RIGHT], sides[SJ_BOTTOM]);
  }
  const sj_html_shape shapes[3] = {{all, canvas}, {all, canvas}, {all, canvas}};
  stijl_path_add_rect(canvas, 0.0f, 0.0f, frame->width, frame->height);
  sj_fill_path(h->r, frame, box->element, &box->style->svg, canvas, STIJL_FILL_NONZERO, box->style->svg.background,
               1.0f);
  if (sj_resolving(h->r)) sj_html_paint_background(h, box, frame, areas, shapes);
  sj_give_path(h->r, canvas);
}

void sj_resolve_root_box(sj_resolver *r, const sj_resolve_frame *frame, sj_viewport *viewport, bool above) {
  sj_html h = {.r = r, .context = r->job->context, .frame = frame};
  sj_html_style styles[2] = {0};
  sj_html_style *style = &styles[0], *outline = &styles[1];
  sj_unit64 offset = 0, width = sj_html_from_pixels((double)frame->width),
            height = sj_html_from_pixels((double)frame->height);
  for (int i = 0; i < 2; i++) {
    sj_html_set_initial(&styles[i]);
    styles[i].svg = *frame->style;
    styles[i].svg.background_kind = SJ_COLOR_RGBA;  // that of the root is the canvas's
    styles[i].svg.background = (stijl_color){0};
  }
  read(&h, style, outline, &offset);
  sj_html_box box = {.style = style, .kind = SJ_HTML_BLOCK};
  sj_html_edges(&box, width);
  if (!style->border_box) {
    width += both(box.border, SJ_LEFT) + both(box.padding, SJ_LEFT);
    height += both(box.border, SJ_TOP) + both(box.padding, SJ_TOP);
  }
  sj_unit64 x = box.margin[SJ_LEFT], y = box.margin[SJ_TOP];
  if (!above) {
    viewport->x = sj_html_pixels(x + box.border[SJ_LEFT] + box.padding[SJ_LEFT]);
    viewport->y = sj_html_pixels(y + box.border[SJ_TOP] + box.padding[SJ_TOP]);
    viewport->width = sj_html_pixels(sj_html_most(0, width - both(box.border, SJ_LEFT) - both(box.padding, SJ_LEFT)));
    viewport->height = sj_html_pixels(sj_html_most(0, height - both(box.border, SJ_TOP) - both(box.padding, SJ_TOP)));
    if (sj_html_has_background(style)) paint_background(&h, &box, frame, x, y, width, height);
    memset(style->background, 0, sizeof style->background);
    style->svg.background = (stijl_color){0};
    sj_html_paint_frame(&h, &box, frame, x, y, width, height, false, false);
  } else {
    sj_html_box around = {.style = outline, .kind = SJ_HTML_BLOCK};
    sj_html_edges(&around, width);
    sj_unit64 by = offset + around.border[SJ_TOP];
    sj_html_paint_frame(&h, &around, frame, x - by, y - by, width + 2 * by, height + 2 * by, false, false);
  }
}
