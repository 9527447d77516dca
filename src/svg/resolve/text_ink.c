// Finds what is left of a decoration line between the glyphs that it would cross (CSS Text Decoration 4, 5.1).
#include <math.h>
#include <stdlib.h>

#include "geometry/curve.h"
#include "svg/resolve/job.h"
#include "svg/resolve/text_content.h"

// A curve is looked at as this many lines: what it misses is less than the gap around the ink.
#define PARTS_OF_A_CURVE 12
// The gap beside the ink is as wide as the line is thick, but no wider than this, as in Chromium.
#define MAX_GAP 13.0f
// Ink within this part of the thickness from the line's edge does not cross it: round letters reach below the baseline.
#define EDGE 0.25f

// The ink of one glyph in the band of the line.
typedef struct crossing {
  float top, bottom;
  float left, right;  // left > right: none yet
} crossing;

static void add_segment(crossing *c, stijl_point a, stijl_point b) {
  if ((a.y < c->top && b.y < c->top) || (a.y > c->bottom && b.y > c->bottom)) return;
  const float ends[2] = {c->top, c->bottom};
  stijl_point in[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    stijl_point *p = &in[i];
    for (int k = 0; k < 2; k++) {
      if (k == 0 ? p->y >= ends[0] : p->y <= ends[1]) continue;
      float x = a.x + (b.x - a.x) * ((ends[k] - a.y) / (b.y - a.y));
      *p = (stijl_point){x, ends[k]};
    }
    c->left = fminf(c->left, p->x);
    c->right = fmaxf(c->right, p->x);
  }
}

// Adds a cubic, or a quadratic curve as one whose inner points coincide with its own.
static void add_curve(crossing *c, const stijl_point *p, int degree) {
  stijl_point last = p[0];
  for (int i = 1; i <= PARTS_OF_A_CURVE; i++) {
    stijl_point end = sj_curve_at(p, degree, (float)i / PARTS_OF_A_CURVE);
    add_segment(c, last, end);
    last = end;
  }
}

static void add_outline(crossing *c, const stijl_path *path, const stijl_matrix *matrix) {
  const unsigned char *verbs;
  const stijl_point *points;
  size_t count = stijl_path_verbs(path, &verbs);
  stijl_path_points(path, &points);
  stijl_point start = {0.0f, 0.0f}, p[4] = {{0.0f, 0.0f}};
  for (size_t i = 0; i < count; i++) {
    int degree = verbs[i] == STIJL_PATH_CUBIC   ? 3
                 : verbs[i] == STIJL_PATH_QUAD  ? 2
                 : verbs[i] == STIJL_PATH_CLOSE ? 0
                                                : 1;
    for (int k = 1; k <= degree; k++) p[k] = stijl_matrix_apply(*matrix, *points++);
    if (verbs[i] == STIJL_PATH_MOVE)
      start = p[1];
    else if (degree <= 1)
      add_segment(c, p[0], degree ? p[1] : start);
    else
      add_curve(c, p, degree);
    p[0] = degree ? p[degree] : start;
  }
}

static bool is_ideograph(uint32_t c) {
  return (c >= 0x2e80 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7af) || (c >= 0xf900 && c <= 0xfaff) ||
         (c >= 0x20000 && c <= 0x3ffff);
}

// Finds the ink of a glyph. Returns whether there is any.
static bool find_crossing(sj_text_content *t, const sj_placed_glyph *g, const stijl_matrix *to_line, crossing *c) {
  sj_tree *tree = t->r->job->tree;
  uint32_t outline = g->face->has_color ? SJ_NONE : sj_text_outline(t, g);
  if (outline == SJ_NONE || !sj_resolving(t->r)) return false;
  const sj_geometry *geometry = &tree->geometries.data[tree->outlines.data[outline].geometry];
  stijl_matrix matrix = stijl_matrix_multiply(*to_line, g->matrix);
  stijl_rect box = stijl_matrix_apply_rect(matrix, geometry->bounds.rect);
  if (!(box.y0 <= c->bottom) || !(box.y1 >= c->top) || !stijl_matrix_is_finite(matrix)) return false;
  stijl_path path = sj_tree_path(tree, tree->outlines.data[outline].geometry);
  c->left = INFINITY;
  c->right = -INFINITY;
  add_outline(c, &path, &matrix);
  return sj_resolve_spend(t->r, geometry->verb_count) && c->left <= c->right;
}

static int compare_pieces(const void *a, const void *b) {
  const sj_line_piece *x = a, *y = b;
  return x->x0 < y->x0 ? -1 : x->x0 > y->x0;
}

bool sj_text_line_pieces(sj_text_content *t, const sj_placed_line *line, stijl_rect band, float thickness,
                         bool ideographs, sj_line_pieces *out) {
  stijl_context *context = t->r->job->context;
  stijl_matrix to_line;
  float gap = fminf(thickness, MAX_GAP), edge = EDGE * thickness, from = band.x0;
  out->count = 0;
  if (stijl_matrix_invert(line->matrix, &to_line)) {
    for (uint32_t i = t->starts.data[line->span]; i < t->starts.data[line->span + 1]; i++) {
      const sj_placed_glyph *g = &t->placed.glyphs.data[t->order.data[i]];
      crossing c = {.top = band.y0 + edge, .bottom = band.y1 - edge};
      if (!sj_resolve_spend(t->r, SJ_WORK_NODE)) return false;
      if ((!ideographs && is_ideograph(t->characters.data[g->character])) || !find_crossing(t, g, &to_line, &c))
        continue;
      if (!sj_text_remember(t, sj_array_push(context, out, ((sj_line_piece){c.left - gap, c.right + gap}))))
        return false;
    }
  }
  size_t gaps = out->count, count = 0;
  if (gaps) qsort(out->data, gaps, sizeof *out->data, compare_pieces);
  // The pieces take the places of the gaps before them.
  for (size_t i = 0; i < gaps; i++) {
    sj_line_piece ink = out->data[i];
    if (ink.x0 > from && from < band.x1) out->data[count++] = (sj_line_piece){from, fminf(ink.x0, band.x1)};
    from = fmaxf(from, ink.x1);
  }
  out->count = count;
  return from >= band.x1 || sj_text_remember(t, sj_array_push(context, out, ((sj_line_piece){from, band.x1})));
}
