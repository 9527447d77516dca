// Text becomes outlines: span by span, its lines below it, its glyphs, and the line through it.
#include <math.h>

#include "svg/resolve/text_content.h"

static void add_line(const sj_placed_line *line, stijl_path *path) {
  stijl_rect r = line->rect;
  stijl_point p[4] = {{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}};
  for (int i = 0; i < 4; i++) {
    p[i] = stijl_matrix_apply(line->matrix, p[i]);
    if (i) {
      stijl_path_line_to(path, p[i].x, p[i].y);
    } else {
      stijl_path_move_to(path, p[i].x, p[i].y);
    }
  }
  stijl_path_close(path);
}

// Whose paint a line has: that of the nearest element which asks for it (CSS Text Decoration 3, 2.1), else the text
// element.
static const sj_text_scope *line_owner(const sj_text_content *t, uint32_t span, sj_line line) {
  static const int bits[3] = {SJ_DECORATION_UNDER, SJ_DECORATION_OVER, SJ_DECORATION_THROUGH};
  const sj_text_scope *s = &t->scopes.data[t->span_scopes.data[span]];
  while (s->parent != SJ_NO_SCOPE && !(s->style.font.decoration & bits[line])) s = &t->scopes.data[s->parent];
  return s;
}

typedef void (*visit)(sj_text_content *t, const sj_frame *frame, uint32_t element, const stijl_path *path, void *user);

static void visit_path(sj_text_content *t, const sj_text_scope *scope, const stijl_path *path, visit each, void *user) {
  sj_frame frame = t->frame;
  // Glyphs are filled as their fonts mean them.
  sj_style style = scope->style;
  style.fill_rule = STIJL_FILL_NONZERO;
  frame.style = &style;
  stijl_result status = stijl_path_status(path);
  // What is beyond the range of coordinates is not drawn.
  if (status != STIJL_ERROR_INVALID_ARGUMENT && sj_resolve_check(t->r, status) && !stijl_path_is_empty(path))
    each(t, &frame, scope->element, path, user);
}

static void visit_lines(sj_text_content *t, uint32_t span, sj_line which, visit each, void *user) {
  stijl_path *path = sj_take_path(t->r);
  if (!path) return;
  for (size_t i = 0; i < t->placed.lines.count; i++) {
    const sj_placed_line *line = &t->placed.lines.data[i];
    if (line->span == span && line->line == which) add_line(line, path);
  }
  sj_resolve_spend(t->r, t->placed.lines.count * SJ_WORK_NODE);
  visit_path(t, line_owner(t, span, which), path, each, user);
  sj_give_path(t->r, path);
}

static void visit_glyphs(sj_text_content *t, uint32_t span, visit each, void *user) {
  stijl_path *path = sj_take_path(t->r);
  if (!path) return;
  for (uint32_t i = t->starts.data[span]; i < t->starts.data[span + 1] && sj_resolve_spend(t->r, 0); i++) {
    const sj_placed_glyph *g = &t->placed.glyphs.data[t->order.data[i]];
    sj_face_outline(g->face, t->r->job->context, g->glyph, &g->matrix, path);
  }
  visit_path(t, &t->scopes.data[t->span_scopes.data[span]], path, each, user);
  sj_give_path(t->r, path);
}

static void visit_all(sj_text_content *t, visit each, void *user) {
  for (uint32_t span = 0; span < t->spans.count && sj_resolving(t->r); span++) {
    if (t->spans.data[span].lines[SJ_LINE_UNDER]) visit_lines(t, span, SJ_LINE_UNDER, each, user);
    if (t->spans.data[span].lines[SJ_LINE_OVER]) visit_lines(t, span, SJ_LINE_OVER, each, user);
    visit_glyphs(t, span, each, user);
    if (t->spans.data[span].lines[SJ_LINE_THROUGH]) visit_lines(t, span, SJ_LINE_THROUGH, each, user);
  }
}

// Adds a shape to the text's node, whose box is that of its paints.
static void add_shape(sj_text_content *t, const sj_frame *frame, uint32_t element, const stijl_path *path, void *user) {
  const uint32_t *text = user;
  sj_resolver *r = t->r;
  sj_frame own = *frame;
  own.depth--;  // that of the text element
  uint32_t node = sj_node_begin(r, SJ_TREE_SHAPE, &own, element == r->job->tree->nodes.data[*text].element ? SJ_NONE : element);
  uint32_t geometry = node == SJ_NONE ? SJ_NONE : sj_add_geometry(r, path);
  if (geometry == SJ_NONE) return;
  sj_box box = *sj_node_box(r, *text);
  r->job->tree->nodes.data[node].box = box;
  sj_add_shape(r, &own, element, node, geometry);
}

static void add_outline(sj_text_content *t, const sj_frame *frame, uint32_t element, const stijl_path *path,
                        void *user) {
  stijl_path_add_path(user, path, NULL);
}

// Adds the cells of the glyphs, which make the object bounding box (SVG 2, 8.10).
static bool add_cells(const sj_text_content *t, sj_range *out) {
  sj_tree *tree = t->r->job->tree;
  out->first = (uint32_t)tree->cells.count;
  for (size_t i = 0; i < t->placed.cells.count; i++) {
    const sj_placed_cell *cell = &t->placed.cells.data[i];
    if (tree->cells.count >= SJ_NONE ||
        !sj_array_push(tree->context, &tree->cells, (sj_tree_cell){cell->matrix, cell->rect}))
      return false;
  }
  out->end = (uint32_t)tree->cells.count;
  return true;
}

bool sj_resolve_text(sj_resolver *r, const sj_frame *frame, uint32_t element, uint32_t node) {
  sj_tree *tree = r->job->tree;
  sj_text_content t;
  sj_tree_text text;
  bool some = sj_text_content_init(r, frame, element, &t);
  if (some) {
    tree->nodes.data[node].item = (uint32_t)tree->texts.count;
    if (!add_cells(&t, &text.cells) || tree->texts.count >= SJ_NONE ||
        !sj_array_push(tree->context, &tree->texts, text))
      sj_resolve_fail_memory(r);
    else
      visit_all(&t, add_shape, &node);
  }
  sj_text_content_finish(&t);
  return some && sj_resolving(r);
}

bool sj_text_path(sj_resolver *r, const sj_frame *frame, uint32_t element, stijl_path *path) {
  sj_text_content t;
  bool good = sj_text_content_init(r, frame, element, &t);
  if (good) visit_all(&t, add_outline, path);
  sj_text_content_finish(&t);
  return good && !stijl_path_is_empty(path);
}
