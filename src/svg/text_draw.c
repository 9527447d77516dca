// Draws placed text: span by span, its lines below it, its glyphs, and the line through it.

#include <math.h>

#include "svg/text.h"

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
  if (status != STIJL_ERROR_INVALID_ARGUMENT && sj_convert_check(t->c, status) && !stijl_path_is_empty(path))
    each(t, &frame, scope->element, path, user);
}

static void visit_lines(sj_text_content *t, uint32_t span, sj_line which, visit each, void *user) {
  stijl_path *path = sj_convert_path(t->c);
  if (!path) return;
  for (size_t i = 0; i < t->placed.lines.count; i++) {
    const sj_placed_line *line = &t->placed.lines.data[i];
    if (line->span == span && line->line == which) add_line(line, path);
  }
  sj_convert_spend(t->c, t->placed.lines.count * SJ_WORK_NODE);
  visit_path(t, line_owner(t, span, which), path, each, user);
  sj_convert_give_path(t->c, path);
}

static void visit_glyphs(sj_text_content *t, uint32_t span, visit each, void *user) {
  stijl_path *path = sj_convert_path(t->c);
  if (!path) return;
  for (uint32_t i = t->starts.data[span]; i < t->starts.data[span + 1] && sj_convert_spend(t->c, 0); i++) {
    const sj_placed_glyph *g = &t->placed.glyphs.data[t->order.data[i]];
    sj_face_outline(g->face, t->c->context, g->glyph, &g->matrix, path);
  }
  visit_path(t, &t->scopes.data[t->span_scopes.data[span]], path, each, user);
  sj_convert_give_path(t->c, path);
}

static void visit_all(sj_text_content *t, visit each, void *user) {
  for (uint32_t span = 0; span < t->spans.count && t->c->result == STIJL_OK; span++) {
    if (t->spans.data[span].lines[SJ_LINE_UNDER]) visit_lines(t, span, SJ_LINE_UNDER, each, user);
    if (t->spans.data[span].lines[SJ_LINE_OVER]) visit_lines(t, span, SJ_LINE_OVER, each, user);
    visit_glyphs(t, span, each, user);
    if (t->spans.data[span].lines[SJ_LINE_THROUGH]) visit_lines(t, span, SJ_LINE_THROUGH, each, user);
  }
}

static void draw_one(sj_text_content *t, const sj_frame *frame, uint32_t element, const stijl_path *path, void *user) {
  sj_draw_outline(t->c, frame, element, user, path);
}

static void add_one(sj_text_content *t, const sj_frame *frame, uint32_t element, const stijl_path *path, void *user) {
  stijl_path_add_path(user, path, NULL);
}

static void measure_one(sj_text_content *t, const sj_frame *frame, uint32_t element, const stijl_path *path,
                        void *user) {
  sj_measure_outline(t->c, frame, element, path);
}

static void unite_cells(const sj_text_content *t, const stijl_matrix *matrix, sj_box *box) {
  for (size_t i = 0; i < t->placed.cells.count; i++) {
    const sj_placed_cell *cell = &t->placed.cells.data[i];
    stijl_matrix m = stijl_matrix_multiply(*matrix, cell->matrix);
    if (stijl_matrix_is_finite(m)) sj_box_add(box, stijl_matrix_apply_rect(m, cell->rect));
  }
}

void sj_convert_text(sj_convert *c, const sj_frame *frame, uint32_t element) {
  sj_text_content t;
  if (sj_text_content_init(c, frame, element, &t)) {
    if (c->measure && c->measure_kind == SJ_MEASURE_FILL) {
      unite_cells(&t, &frame->matrix, c->measure);
    } else if (c->measure) {
      visit_all(&t, measure_one, NULL);
    } else {
      sj_box box = {.known = true, .empty = true};
      stijl_matrix identity = stijl_matrix_identity();
      unite_cells(&t, &identity, &box);
      visit_all(&t, draw_one, &box);
    }
  }
  sj_text_content_finish(&t);
}

bool sj_text_path(sj_convert *c, const sj_frame *frame, uint32_t element, stijl_path *path) {
  sj_text_content t;
  bool good = sj_text_content_init(c, frame, element, &t);
  if (good) visit_all(&t, add_one, path);
  sj_text_content_finish(&t);
  return good && !stijl_path_is_empty(path);
}
