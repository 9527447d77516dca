// Makes nodes of the render tree of a formula.
#include <math.h>

#include "svg/math/formula.h"
#include "svg/resolve/resolve.h"
#include "svg/resolve/shapes.h"

#define MAX_PLACE 1e9f

static void fill(sj_math *m, const sj_resolve_frame *frame, const sj_math_node *n, const stijl_path *path,
                 stijl_color color) {
  sj_fill_path(m->r, frame, n->element, &n->style->svg, path, STIJL_FILL_NONZERO, color, n->style->svg.opacity);
}

static void paint_text(sj_math *m, const sj_resolve_frame *frame, const sj_math_node *n, float x, float y) {
  uint32_t node = sj_node_begin(m->r, SJ_TREE_TEXT, frame, n->element);
  if (node == SJ_NONE) return;
  m->r->job->tree->nodes.data[node].transform = (stijl_matrix){1.0f, 0.0f, 0.0f, 1.0f, x, y};
  n->text->frame = *frame;
  n->text->frame.depth++;
  if (sj_text_draw(n->text, node))
    sj_node_end(m->r, node);
  else
    sj_node_drop(m->r, node);
}

static void paint_glyph(sj_math *m, const sj_resolve_frame *frame, const sj_math_node *n, float x, float y) {
  stijl_path *path = sj_take_path(m->r);
  float scale = n->style->scale;
  sj_stretched_walk walk = {0};
  while (path && sj_resolving(m->r) && sj_stretched_next(n->style->face, &n->glyph, &walk)) {
    stijl_matrix matrix = {scale, 0.0f, 0.0f, -scale, x + walk.x, y - walk.y};
    sj_face_outline(n->style->face, m->context, walk.glyph, &matrix, path);
  }
  if (path && sj_resolving(m->r)) fill(m, frame, n, path, n->style->svg.color);
  sj_give_path(m->r, path);
}

// Draws a rule at whole pixels, as browsers do.
static void paint_bar(sj_math *m, const sj_resolve_frame *frame, const sj_math_node *n, float x, float y) {
  float left = floorf(x + n->bar.x + 0.5f), right = floorf(x + n->bar.x + n->bar.width + 0.5f);
  float middle = floorf(y + n->bar.y + 0.5f);
  float height = fmaxf(1.0f, floorf(y + n->bar.y + n->bar.thickness + 0.5f) - middle);
  stijl_path *path = sj_take_path(m->r);
  if (path) stijl_path_add_rect(path, left, middle - floorf(0.5f * height), right - left, height);
  if (path) fill(m, frame, n, path, n->style->svg.color);
  sj_give_path(m->r, path);
}

static void paint_background(sj_math *m, const sj_resolve_frame *frame, const sj_math_node *n, float x, float y) {
  const sj_style *s = &n->style->svg;
  stijl_color color = s->background_kind == SJ_COLOR_CURRENT ? s->color : s->background;
  if (!(color.a > 0.0f) || n->parent == SJ_NONE) return;
  float left = floorf(x + 0.5f), top = floorf(y - n->ascent + 0.5f);
  stijl_path *path = sj_take_path(m->r);
  if (path)
    stijl_path_add_rect(path, left, top, floorf(x + n->width + 0.5f) - left, floorf(y + n->descent + 0.5f) - top);
  if (path) fill(m, frame, n, path, color);
  sj_give_path(m->r, path);
}

static void paint(sj_math *m, const sj_resolve_frame *outer, uint32_t index, float x, float y) {
  const sj_math_node *n = sj_math_at(m, index);
  sj_resolve_frame frame = *outer;
  frame.style = &n->style->svg;
  frame.depth++;
  x += n->x;
  y += n->y;
  // What is beyond the range of coordinates is not drawn.
  if (!(fabsf(x) < MAX_PLACE && fabsf(y) < MAX_PLACE) || !sj_resolve_spend(m->r, SJ_WORK_NODE)) return;
  paint_background(m, &frame, n, x, y);
  x += n->padding[3];
  if (n->bar.thickness > 0.0f && n->bar.width > 0.0f) paint_bar(m, &frame, n, x, y);
  if (n->stretched)
    paint_glyph(m, &frame, n, x + n->glyph_x, y + n->glyph_y);
  else if (n->text && n->text->placed.glyphs.count)
    paint_text(m, &frame, n, x, y);
  for (uint32_t i = n->first; i != SJ_NONE && sj_resolving(m->r); i = sj_math_at(m, i)->next) paint(m, &frame, i, x, y);
}

void sj_math_paint(sj_math *m, const sj_resolve_frame *frame, float x, float y) {
  if (m->nodes.count) paint(m, frame, 0, x, y);
}
