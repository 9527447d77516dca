// Lays out tables (MathML Core, 3.5): what is in a column is centred, or as text-align says, and what is in a row
// stands on one baseline.
#include <math.h>

#include "svg/math/formula.h"
#include "svg/resolve/omit.h"

static void omit_spans(const sj_math *m, uint32_t cell) {
  const sj_dom *dom = m->r->document->dom;
  uint32_t element = sj_math_at(m, cell)->element;
  if (sj_dom_get(dom, element, "columnspan") || sj_dom_get(dom, element, "rowspan"))
    sj_omit_named(m->r, SJ_OMIT_HTML, "mtd span", "spans of <mtd>", 14);
}

// Lays out the cells of a row, and widens the columns. What stands in a table and is no row is one of one cell.
static bool measure_row(sj_math *m, uint32_t row, float **columns, uint32_t *count) {
  sj_math_node *r = sj_math_at(m, row);
  bool is_row = r->kind == SJ_MATH_TABLE_ROW;
  r->ascent = r->descent = 0.0f;
  uint32_t column = 0;
  for (uint32_t i = is_row ? r->first : row; i != SJ_NONE; i = is_row ? sj_math_at(m, i)->next : SJ_NONE, column++) {
    sj_math_node *cell = sj_math_at(m, i);
    omit_spans(m, i);
    sj_math_layout(m, i, NULL);
    if (column >= *count) return false;  // never: the caller has counted them
    (*columns)[column] = fmaxf((*columns)[column], cell->width);
    if (!is_row) continue;
    r->ascent = fmaxf(r->ascent, cell->ascent);
    r->descent = fmaxf(r->descent, cell->descent);
  }
  return sj_resolving(m->r);
}

// Returns how much of the room beside a cell is on its left.
static float alignment(const sj_math_node *cell) {
  switch (cell->style->svg.font.align) {
    case SJ_ALIGNED_LEFT:
    case SJ_ALIGNED_START: return 0.0f;
    case SJ_ALIGNED_RIGHT:
    case SJ_ALIGNED_END: return 1.0f;
    default: return 0.5f;
  }
}

static void place_row(sj_math *m, uint32_t row, const float *columns) {
  sj_math_node *r = sj_math_at(m, row);
  r->x = r->width = 0.0f;
  uint32_t column = 0;
  for (uint32_t i = r->first; i != SJ_NONE; i = sj_math_at(m, i)->next, column++) {
    sj_math_node *cell = sj_math_at(m, i);
    cell->x = r->width + alignment(cell) * (columns[column] - cell->width);
    cell->y = 0.0f;
    r->width += columns[column];
  }
}

void sj_math_layout_table(sj_math *m, uint32_t index) {
  sj_math_node *n = sj_math_at(m, index);
  uint32_t count = 1;
  for (uint32_t i = n->first; i != SJ_NONE; i = sj_math_at(m, i)->next)
    if (sj_math_at(m, i)->kind == SJ_MATH_TABLE_ROW && sj_math_at(m, i)->count > count) count = sj_math_at(m, i)->count;
  float *columns = sj_alloc_zero(m->context, count * sizeof *columns), height = 0.0f;
  if (!columns) {
    sj_resolve_fail_memory(m->r);
    return;
  }
  for (uint32_t i = n->first; i != SJ_NONE && measure_row(m, i, &columns, &count); i = sj_math_at(m, i)->next) {
    sj_math_node *row = sj_math_at(m, i);
    row->y = height + row->ascent;
    height += row->ascent + row->descent;
  }
  n->width = 0.0f;
  for (uint32_t i = 0; i < count; i++) n->width += columns[i];
  // The middle is on the axis.
  n->ascent = 0.5f * height + sj_math_axis(n->style);
  n->descent = height - n->ascent;
  for (uint32_t i = n->first; i != SJ_NONE && sj_resolving(m->r); i = sj_math_at(m, i)->next) {
    sj_math_node *row = sj_math_at(m, i);
    row->y -= n->ascent;
    if (row->kind == SJ_MATH_TABLE_ROW)
      place_row(m, i, columns);
    else
      row->x = alignment(row) * (columns[0] - row->width);
  }
  sj_free(m->context, columns);
}
