// Finds the inputs of primitives (Filter Effects 1, 9.2).
#include <string.h>

#include "scene/filter.h"
#include "svg/resolve/filter.h"
#include "svg/resolve/job.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/paint.h"

bool sj_filter_add_image(sj_filter_element *f, const sj_tree_filter_image *image) {
  sj_tree *tree = f->chain->r->job->tree;
  if (tree->filter_images.count < SJ_NONE && sj_array_push(tree->context, &tree->filter_images, *image)) return true;
  sj_resolve_fail_memory(f->chain->r);
  return false;
}

// Makes FillPaint or StrokePaint: all of the plane, painted with what the filtered element is filled or stroked with.
// The plane ends so far away that no primitive which moves its input by a reasonable length sees that.
static int paint_input(sj_filter_element *f, bool stroke) {
  sj_filter_chain *c = f->chain;
  const sj_style *style = c->frame->style;
  if (f->paints[stroke] != STIJL_FILTER_NOTHING) return f->paints[stroke];
  sj_tree_paint paint = sj_resolve_paint(c->r, c->frame, c->node, stroke ? &style->stroke : &style->fill);
  float opacity = stroke ? style->stroke_opacity : style->fill_opacity;
  float width = 16.0f * (f->region.x1 - f->region.x0), height = 16.0f * (f->region.y1 - f->region.y0);
  if (paint.kind == SJ_TREE_PAINT_COLOR) {
    paint.color.a *= opacity;
    f->paints[stroke] = stijl_filter_flood(c->filter, NULL, paint.color);
  } else if (paint.kind != SJ_TREE_PAINT_NONE) {
    sj_tree_filter_image image = {
        .content = SJ_NONE,
        .scene = (uint32_t)c->filter->scenes.count,
        .place = stijl_matrix_identity(),
        .node = c->node,
        .paint = paint,
        .opacity = opacity,
        .region = {f->region.x0 - width, f->region.y0 - height, f->region.x1 + width, f->region.y1 + height}};
    if (sj_filter_add_image(f, &image)) f->paints[stroke] = sj_filter_add_slot(c->filter, NULL);
  }
  return f->paints[stroke];
}

// Finds an input by its name; NULL and unknown names stand for the result before.
static int find_input(sj_filter_element *f, const char *name, size_t length) {
  int before = f->results.count ? f->results.data[f->results.count - 1].index : f->source;
  if (!name) return before;
  if (sj_is_keyword(name, length, "sourcegraphic")) return f->source;
  if (sj_is_keyword(name, length, "sourcealpha")) {
    if (f->alpha == STIJL_FILTER_NOTHING) f->alpha = stijl_filter_alpha(f->chain->filter, NULL, f->source);
    return f->alpha;
  }
  sj_resolve_spend(f->chain->r, f->results.count * SJ_WORK_NODE);
  for (size_t left = f->results.count; left > 0; left--) {
    const sj_filter_result *r = &f->results.data[left - 1];
    if (r->name && r->length == length && memcmp(r->name, name, length) == 0) return r->index;
  }
  static const char *const nothing[] = {"backgroundimage", "backgroundalpha"}, *const paints[] = {"fillpaint",
                                                                                                  "strokepaint"};
  for (size_t i = 0; i < 2; i++)
    if (sj_is_keyword(name, length, nothing[i])) {
      sj_omit(f->chain->r, SJ_OMIT_FILTER_INPUT, name, length);
      return STIJL_FILTER_NOTHING;
    }
  for (size_t i = 0; i < 2; i++)
    if (sj_is_keyword(name, length, paints[i])) return paint_input(f, i == 1);
  return before;
}

int sj_filter_input_of(sj_filter_element *f, uint32_t element, const char *name) {
  const sj_string *a = sj_filter_attribute(f, element, name);
  const char *text = a ? a->text : NULL;
  size_t length = a ? a->length : 0;
  if (a) sj_trim(&text, &length);
  return find_input(f, length ? text : NULL, length);
}
