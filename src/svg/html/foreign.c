// Resolves foreignObject elements (SVG 2, 12.4).
#include "svg/resolve/foreign.h"

#include "svg/html/html.h"
#include "svg/resolve/attributes.h"
#include "svg/resolve/job.h"
#include "svg/resolve/resolve.h"
#include "svg/resolve/text_fonts.h"

static void finish(sj_html *h) {
  for (size_t i = 0; i < h->boxes.count; i++) {
    sj_html_flow_destroy(h, h->boxes.data[i].flow);
    sj_math_destroy(h->boxes.data[i].math);
  }
  for (size_t i = 0; i < h->styles.count; i++) sj_free(h->context, h->styles.data[i]);
  sj_arrays_finish(h->context, &h->boxes, &h->styles);
  sj_counter_styles_finish(h->context, &h->counter_styles);
  sj_arena_finish(&h->arena);
}

// Lays out and draws what is in the element, in a rectangle of user space.
static void draw(sj_html *h, uint32_t element, stijl_rect rect) {
  sj_html_style *style;
  if (!sj_html_root_style(h, element, &style) || !sj_html_make_boxes(h, element, style)) return;
  sj_html_box *root = sj_html_at(h, 0);
  sj_html_space space = {.width = sj_html_from_pixels((double)rect.x1 - (double)rect.x0),
                         .height = sj_html_from_pixels((double)rect.y1 - (double)rect.y0)};
  space.base_width = space.width;
  space.base_height = space.height;
  sj_html_layout(h, 0, &space);
  root->x = sj_html_from_pixels((double)rect.x0);
  root->y = sj_html_from_pixels((double)rect.y0);
  if (sj_resolving(h->r)) sj_html_paint(h, 0, h->frame, 0, 0);
}

void sj_resolve_foreign(sj_resolver *r, const sj_resolve_frame *outer, uint32_t element) {
  float x = 0.0f, y = 0.0f, width = 0.0f, height = 0.0f;
  sj_length_attribute(r, outer, element, SJ_ATTRIBUTE_X, SJ_AXIS_X, &x);
  sj_length_attribute(r, outer, element, SJ_ATTRIBUTE_Y, SJ_AXIS_Y, &y);
  sj_length_attribute(r, outer, element, SJ_ATTRIBUTE_WIDTH, SJ_AXIS_X, &width);
  sj_length_attribute(r, outer, element, SJ_ATTRIBUTE_HEIGHT, SJ_AXIS_Y, &height);
  if (!(width > 0.0f) || !(height > 0.0f)) return;
  sj_tree *tree = r->job->tree;
  sj_resolve_frame frame = *outer;
  frame.depth++;
  uint32_t node = sj_node_begin(r, SJ_TREE_GROUP, &frame, SJ_NONE);
  if (node == SJ_NONE) return;
  sj_html h = {.r = r, .context = r->job->context, .fonts = sj_resolver_fonts(r), .frame = &frame};
  sj_arena_init(&h.arena, h.context);
  stijl_rect rect = {x, y, x + width, y + height};
  unsigned refusals = h.fonts ? sj_fonts_refusals(h.fonts) : 0;
  draw(&h, element, rect);
  // Without memory for a face its lines would have other heights.
  if (h.fonts && sj_fonts_refusals(h.fonts) != refusals) sj_resolve_fail_memory(r);
  finish(&h);
  if (!sj_resolving(r)) return;
  sj_node_end(r, node);
  // The box of the element, whose node is around this one, is its rectangle, whatever is in it.
  tree->nodes.data[node - 1].box = (sj_box){.known = true, .rect = rect};
  // It clips at whole pixels, as browsers do.
  rect = sj_html_snapped(sj_html_from_pixels((double)rect.x0), sj_html_from_pixels((double)rect.y0),
                         sj_html_from_pixels((double)rect.x1), sj_html_from_pixels((double)rect.y1));
  stijl_matrix identity = stijl_matrix_identity();
  if (outer->style->overflow == SJ_OVERFLOW_VISIBLE || sj_content_fits(r, node + 1, &identity, rect)) return;
  tree->nodes.data[node].item = (uint32_t)tree->viewports.count;
  if (!sj_array_push(tree->context, &tree->viewports, (sj_tree_viewport){rect})) sj_resolve_fail_memory(r);
}
