// Draws the shadows of boxes (CSS Backgrounds 3, 6.1), as filters of the boxes' own shapes.
#include <math.h>

#include "stijl/filter.h"
#include "svg/html/html.h"
#include "svg/resolve/job.h"
#include "svg/resolve/resolve.h"
#include "svg/resolve/shapes.h"
#include "svg/style/text_effects.h"

typedef struct box_shadow {
  bool inset;
  float x, y, deviation, spread;
  stijl_color color;
} box_shadow;

// Takes the next shadow of a list. Returns false, with whatever in *out, where it is not valid.
static bool next_shadow(sj_value_text *list, const sj_length_base *base, const stijl_color *current, box_shadow *out) {
  sj_scan s = {list->text, list->text + list->length};
  float values[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  int count = 0, colors = 0;
  *out = (box_shadow){.color = *current};
  for (sj_text_part p; sj_next_text_part(&s, &p);) {
    sj_length value;
    sj_color_kind kind;
    stijl_color color;
    if (!out->inset && sj_is_keyword(p.text, p.length, "inset")) {
      out->inset = true;
    } else if (count < 4 && sj_parse_length(p.text, p.length, &value) && value.unit != SJ_UNIT_PERCENT) {
      values[count++] = sj_length_pixels(value, base, 0.0f);
    } else if (!colors++ && sj_parse_color(p.text, p.length, current, &kind, &color)) {
      if (kind == SJ_COLOR_RGBA) out->color = color;
    } else {
      return false;
    }
  }
  bool comma = sj_scan_char(&s, ',');
  *list = (sj_value_text){s.at, (size_t)(s.end - s.at)};
  out->x = values[0];
  out->y = values[1];
  out->deviation = 0.5f * values[2];  // CSS Backgrounds 3, 6.1: a blur of twice the deviation
  out->spread = values[3];
  return count >= 2 && values[2] >= 0.0f && comma == (list->length > 0);
}

bool sj_html_read_shadow(sj_html_style *s, sj_value_text value, const sj_length_base *base) {
  sj_value_text left = value;
  box_shadow each;
  if (sj_is_keyword(value.text, value.length, "none")) return true;
  while (left.length)
    if (!next_shadow(&left, base, &s->svg.color, &each)) return false;
  s->shadow = value;
  return true;
}

static float larger(float a, float b) { return a > b ? a : b; }

#define NOTHING STIJL_FILTER_SOURCE  // in place of the shadows above the first one

// Adds a shadow below `above`, and returns the number of both.
static int add_shadow(stijl_filter *f, const box_shadow *s, int above, sj_tree_reach *reach) {
  float by = fabsf(s->spread);
  int shape = STIJL_FILTER_SOURCE_ALPHA;
  // Within a box the shadow is that of a hole, which spreads inwards.
  if (by > 0.0f) shape = stijl_filter_morphology(f, NULL, shape, (s->spread > 0.0f) != s->inset, by, by);
  int blurred = stijl_filter_blur(f, NULL, shape, s->deviation, s->deviation, STIJL_FILTER_EDGE_NONE);
  int moved = stijl_filter_offset(f, NULL, blurred, s->x, s->y), color = stijl_filter_flood(f, NULL, s->color);
  int shadow = stijl_filter_composite(f, NULL, color, moved, s->inset ? STIJL_FILTER_OUT : STIJL_FILTER_IN);
  shadow =
      stijl_filter_composite(f, NULL, shadow, STIJL_FILTER_SOURCE_ALPHA, s->inset ? STIJL_FILTER_IN : STIJL_FILTER_OUT);
  // A blur is next to nothing beyond three deviations.
  float blur = s->inset ? 0.0f : 3.0f * s->deviation + larger(s->spread, 0.0f);
  float x = s->inset ? 0.0f : s->x, y = s->inset ? 0.0f : s->y;
  reach->left = larger(reach->left, blur - x);
  reach->right = larger(reach->right, blur + x);
  reach->top = larger(reach->top, blur - y);
  reach->bottom = larger(reach->bottom, blur + y);
  return above == NOTHING ? shadow : stijl_filter_composite(f, NULL, above, shadow, STIJL_FILTER_OVER);
}

// Makes the filter of those within or without; *any tells whether there is one.
static bool make_filter(sj_html *h, const sj_html_style *style, bool inset, sj_tree_filter *made, bool *any) {
  sj_resolver *r = h->r;
  sj_tree *tree = r->job->tree;
  *any = false;
  *made = (sj_tree_filter){.images = {(uint32_t)tree->filter_images.count, (uint32_t)tree->filter_images.count}};
  if (!sj_resolve_check(r, stijl_filter_create(tree->context, &made->filter))) return false;
  sj_length_base base = sj_style_base(&r->styles, &style->svg);
  sj_value_text left = style->shadow;
  box_shadow shadow;
  int last = NOTHING;
  while (left.length && sj_resolve_spend(r, SJ_WORK_ELEMENT + left.length) &&
         next_shadow(&left, &base, &style->svg.color, &shadow)) {
    if (shadow.inset != inset) continue;
    last = add_shadow(made->filter, &shadow, last, &made->reach);
    *any = true;
  }
  return sj_resolve_check(r, stijl_filter_status(made->filter)) && sj_resolving(r);
}

void sj_html_paint_shadows(sj_html *h, const sj_html_box *box, const sj_resolve_frame *frame, const stijl_path *path,
                           bool inset) {
  static const stijl_color black = {0.0f, 0.0f, 0.0f, 1.0f};
  sj_resolver *r = h->r;
  sj_tree *tree = r->job->tree;
  const sj_html_style *s = box->style;
  sj_tree_filter made;
  bool any, good = make_filter(h, s, inset, &made, &any);
  uint32_t node = good && any ? sj_node_begin(r, SJ_TREE_GROUP, frame, SJ_NONE) : SJ_NONE;
  if (node != SJ_NONE) {
    sj_fill_path(r, frame, box->element, &s->svg, path, STIJL_FILL_EVENODD, black,
                 box->kind == SJ_HTML_INLINE ? s->svg.opacity : 1.0f);
    if (sj_resolving(r)) sj_node_end(r, node);
  }
  bool drawn = node != SJ_NONE && sj_resolving(r) && tree->nodes.count > node + 1;
  if (!drawn || tree->filters.count >= SJ_NONE || !sj_array_push(tree->context, &tree->filters, made)) {
    if (node != SJ_NONE && sj_resolving(r)) sj_node_drop(r, node);
    if (drawn) sj_resolve_fail_memory(r);
    stijl_filter_destroy(made.filter);
    return;
  }
  sj_tree_layer layer = {.mask = SJ_NONE, .filter = (uint32_t)tree->filters.count - 1};
  tree->nodes.data[node].layer = (uint32_t)tree->layers.count;
  if (tree->layers.count >= SJ_NONE || !sj_array_push(tree->context, &tree->layers, layer)) sj_resolve_fail_memory(r);
}
