// Makes the shadows of text: a layer around a span, whose filter puts blurred copies of it below it (CSS Text
// Decoration 3, 4).
#include "scene/filter.h"
#include "stijl/filter.h"
#include "svg/resolve/job.h"
#include "svg/resolve/resolve.h"
#include "svg/resolve/text_content.h"

static float larger(float a, float b) { return a > b ? a : b; }

uint32_t sj_text_begin_shadow(sj_text_content *t, uint32_t span) {
  const sj_text_scope *scope = &t->scopes.data[t->span_scopes.data[span]];
  if (!scope->style.text_shadow.text) return SJ_NONE;
  sj_resolve_frame frame = t->frame;
  frame.depth--;  // the text element's
  return sj_node_begin(t->r, SJ_TREE_GROUP, &frame, SJ_NONE);
}

// Adds a shadow below `above`, and returns the number of both.
static int add_shadow(stijl_filter *f, const sj_text_shadow *s, int above, sj_tree_reach *reach) {
  int blurred =
      stijl_filter_blur(f, NULL, STIJL_FILTER_SOURCE_ALPHA, s->deviation, s->deviation, STIJL_FILTER_EDGE_NONE);
  int moved = stijl_filter_offset(f, NULL, blurred, s->x, s->y);
  int shadow = stijl_filter_composite(f, NULL, stijl_filter_flood(f, NULL, s->color), moved, STIJL_FILTER_IN);
  // A blur is next to nothing beyond three deviations.
  float blur = 3.0f * s->deviation;
  reach->left = larger(reach->left, blur - s->x);
  reach->right = larger(reach->right, blur + s->x);
  reach->top = larger(reach->top, blur - s->y);
  reach->bottom = larger(reach->bottom, blur + s->y);
  return stijl_filter_composite(f, NULL, above, shadow, STIJL_FILTER_OVER);
}

// Returns the filter in tree->filters; SJ_NONE on failure.
static uint32_t make_filter(sj_text_content *t, const sj_style *style) {
  sj_resolver *r = t->r;
  sj_tree *tree = r->job->tree;
  sj_tree_filter made = {.images = {(uint32_t)tree->filter_images.count, (uint32_t)tree->filter_images.count}};
  // Something in the span may have failed.
  if (!sj_resolving(r) || !sj_resolve_check(r, stijl_filter_create(tree->context, &made.filter))) return SJ_NONE;
  sj_length_base base = sj_style_base(&r->styles, style);
  base.font_size = style->text_shadow.font_size;
  const char *text = style->text_shadow.text;
  size_t length = style->text_shadow.length;
  sj_text_shadow shadow;
  int last = STIJL_FILTER_SOURCE;
  while (length && sj_resolve_spend(r, SJ_WORK_ELEMENT + length) &&
         sj_next_text_shadow(&text, &length, &base, &style->color, &shadow))
    last = add_shadow(made.filter, &shadow, last, &made.reach);
  sj_resolve_check(r, stijl_filter_status(made.filter));
  if (sj_resolving(r)) {
    if (tree->filters.count < SJ_NONE && sj_array_push(tree->context, &tree->filters, made))
      return (uint32_t)tree->filters.count - 1;
    sj_resolve_fail_memory(r);
  }
  stijl_filter_destroy(made.filter);
  return SJ_NONE;
}

void sj_text_end_shadow(sj_text_content *t, uint32_t span, uint32_t node) {
  sj_tree *tree = t->r->job->tree;
  if (tree->nodes.count == node + 1) {  // there is nothing in it
    sj_node_drop(t->r, node);
    return;
  }
  sj_node_end(t->r, node);
  sj_tree_layer layer = {.mask = SJ_NONE};
  layer.filter = make_filter(t, &t->scopes.data[t->span_scopes.data[span]].style);
  if (layer.filter == SJ_NONE) return;
  tree->nodes.data[node].layer = (uint32_t)tree->layers.count;
  if (tree->layers.count >= SJ_NONE || !sj_array_push(tree->context, &tree->layers, layer))
    sj_resolve_fail_memory(t->r);
}
