// Lays out tables, with columns as wide as their cells ask for (CSS 2, 17.5.2.2 and 17.5.3).
#include <math.h>
#include <string.h>

#include "svg/html/html.h"
#include "svg/resolve/job.h"

typedef struct cell {
  uint32_t box, row, column, columns, rows;
} cell;

typedef struct column {
  sj_unit64 least, most, width, x;
  float percent;   // of the table, where that is known; 0: none
  bool fixed;      // it has a width of its own
  uint32_t taken;  // rows that a cell from above still takes
} column;

typedef struct row {
  uint32_t box;
  sj_unit64 y, height, ascent;
} row;

typedef struct table {
  sj_html *h;
  uint32_t box;
  sj_unit64 spacing[2];
  SJ_ARRAY(cell) cells;
  SJ_ARRAY(column) columns;
  SJ_ARRAY(row) rows;
  sj_html_grid grid;  // where borders are shared
} table;

#define MAX_COLUMNS 10000u

static bool fail(const table *t) {
  sj_resolve_fail_memory(t->h->r);
  return false;
}

// Puts the cells of a row into the columns that those from above leave free.
static bool add_row(table *t, uint32_t box) {
  sj_html *h = t->h;
  uint32_t at = 0, number = (uint32_t)t->rows.count;
  if (!sj_array_push(h->context, &t->rows, (row){.box = box})) return fail(t);
  for (uint32_t i = sj_html_at(h, box)->first; i != SJ_NONE; i = sj_html_at(h, i)->next) {
    const sj_html_box *of = sj_html_at(h, i);
    while (at < t->columns.count && t->columns.data[at].taken) at++;
    if (at >= MAX_COLUMNS) break;
    cell c = {i, number, at, of->number, of->span_rows};
    if (!sj_resolve_spend(h->r, SJ_WORK_NODE * ((uint64_t)c.columns + 1))) return false;
    while (t->columns.count < at + c.columns)
      if (!sj_array_push(h->context, &t->columns, (column){0})) return fail(t);
    for (uint32_t n = at; n < at + c.columns; n++) t->columns.data[n].taken = c.rows;
    if (!sj_array_push(h->context, &t->cells, c)) return fail(t);
    at += c.columns;
  }
  for (size_t n = 0; n < t->columns.count; n++) t->columns.data[n].taken -= t->columns.data[n].taken > 0;
  return sj_resolve_spend(h->r, t->columns.count);
}

// Adds to the columns from `first` on what they lack together.
static void widen(table *t, const cell *c, sj_unit64 least, sj_unit64 most) {
  sj_unit64 inner = t->spacing[0] * (sj_unit64)(c->columns - 1), sums[2] = {inner, inner};
  column *columns = t->columns.data + c->column;
  for (uint32_t n = 0; n < c->columns; n++) {
    sums[0] += columns[n].least;
    sums[1] += columns[n].most;
  }
  sj_unit64 lack[2] = {least - sums[0], most - sums[1]}, weights = sums[1] - inner;
  for (uint32_t n = 0; n < c->columns; n++) {
    sj_unit64 left = (sj_unit64)(c->columns - n), weight = columns[n].most;
    for (int i = 0; i < 2; i++) {
      if (lack[i] <= 0) continue;
      // Columns get it by how wide they are.
      sj_unit64 part = weights > 0 ? (sj_unit64)((double)lack[i] * (double)weight / (double)weights) : lack[i] / left;
      *(i ? &columns[n].most : &columns[n].least) += part;
      lack[i] -= part;
    }
    weights -= weight;
    columns[n].most = sj_html_most(columns[n].most, columns[n].least);
  }
}

static sj_html_area area_of(const table *t, const cell *c) {
  size_t left = t->rows.count - c->row;
  return (sj_html_area){c->row, c->column, c->rows < left ? c->rows : left, c->columns};
}

// Finds which borders are drawn between the cells.
static bool gather_rules(table *t) {
  sj_html *h = t->h;
  size_t rows = t->rows.count, columns = t->columns.count;
  if (!sj_html_grid_begin(h, &t->grid, rows, columns)) return false;
  for (size_t i = 0; i < t->cells.count; i++) {
    sj_html_area area = area_of(t, &t->cells.data[i]);
    if (!sj_html_grid_add(h, &t->grid, sj_html_at(h, t->cells.data[i].box)->style, &area)) return false;
  }
  for (size_t i = 0; i < rows; i++) {
    const sj_html_box *of = sj_html_at(h, t->rows.data[i].box);
    if (!of->is_anonymous && !sj_html_grid_add(h, &t->grid, of->style, &(sj_html_area){i, 0, 1, columns})) return false;
  }
  for (size_t i = 0, end; i < rows; i = end) {
    const sj_html_style *group = sj_html_at(h, t->rows.data[i].box)->group;
    for (end = i + 1; end < rows && sj_html_at(h, t->rows.data[end].box)->group == group;) end++;
    if (group && !sj_html_grid_add(h, &t->grid, group, &(sj_html_area){i, 0, end - i, columns})) return false;
  }
  const sj_html_box *box = sj_html_at(h, t->box);
  size_t at = 0;
  for (uint32_t i = box->first_column; i != SJ_NONE && at < columns; i = sj_html_at(h, i)->next) {
    const sj_html_box *of = sj_html_at(h, i);
    for (size_t end = at + of->number; at < end && at < columns; at++)
      if (!sj_html_grid_add(h, &t->grid, of->style, &(sj_html_area){0, at, rows, 1})) return false;
  }
  if (!box->is_anonymous && !sj_html_grid_add(h, &t->grid, box->style, &(sj_html_area){0, 0, rows, columns}))
    return false;
  for (size_t i = 0; i < t->cells.count; i++) {
    sj_html_area area = area_of(t, &t->cells.data[i]);
    if (!sj_html_grid_join(h, &t->grid, &area)) return false;
  }
  return true;
}

static void set_shared(sj_html_box *box, const sj_html_grid *grid, const sj_html_area *area) {
  box->collapsed = true;
  sj_html_grid_widths(grid, area, box->shared);
  memcpy(box->border, box->shared, sizeof box->border);
}

// Gives cells, and the table itself, half of what is drawn at their sides.
static void share_borders(table *t) {
  sj_html_box *box = sj_html_at(t->h, t->box);
  for (size_t i = 0; i < t->cells.count; i++) {
    sj_html_area area = area_of(t, &t->cells.data[i]);
    set_shared(sj_html_at(t->h, t->cells.data[i].box), &t->grid, &area);
  }
  if (!t->rows.count) return;
  set_shared(box, &t->grid, &(sj_html_area){0, 0, t->rows.count, t->columns.count});
  memset(box->padding, 0, sizeof box->padding);
}

static bool gather(table *t, uint32_t index, sj_html *h) {
  *t = (table){.h = h, .box = index};
  sj_html_box *box = sj_html_at(h, index);
  const sj_html_inherited *in = &box->style->in;
  if (!box->is_anonymous && !in->collapse) memcpy(t->spacing, in->spacing, sizeof t->spacing);
  for (uint32_t i = box->first; i != SJ_NONE && sj_resolving(h->r); i = sj_html_at(h, i)->next)
    if (sj_html_at(h, i)->kind == SJ_HTML_ROW && !add_row(t, i)) return false;
  if (!in->collapse || !sj_resolving(h->r)) return sj_resolving(h->r);
  if (!gather_rules(t)) return false;
  share_borders(t);
  return true;
}

static void finish(table *t) {
  sj_array_finish(t->h->context, &t->cells);
  sj_array_finish(t->h->context, &t->columns);
  sj_array_finish(t->h->context, &t->rows);
  sj_html_grid_finish(t->h, &t->grid);
}

// Returns the space beside the columns.
static sj_unit64 beside(const table *t) {
  const sj_html_box *box = sj_html_at(t->h, t->box);
  sj_unit64 count = (sj_unit64)t->columns.count;
  return sj_html_frame(box, false) + (count ? (count + 1) * t->spacing[0] : 0);
}

static void find_columns(table *t) {
  for (int spanning = 0; spanning < 2; spanning++)
    for (size_t i = 0; i < t->cells.count && sj_resolve_spend(t->h->r, SJ_WORK_NODE); i++) {
      const cell *c = &t->cells.data[i];
      if ((c->columns > 1) != spanning) continue;
      sj_unit64 least, most;
      sj_html_sizes(t->h, c->box, &least, &most);
      const sj_html_box *box = sj_html_at(t->h, c->box);
      widen(t, c, box->least, box->most);
      float percent = box->style->width.kind == SJ_SIZE_LENGTH ? box->style->width.percent : 0.0f;
      if (c->columns == 1 && percent > t->columns.data[c->column].percent) t->columns.data[c->column].percent = percent;
      if (c->columns == 1 && sj_html_given(box, false, SJ_HTML_AUTO) != SJ_HTML_AUTO)
        t->columns.data[c->column].fixed = true;
    }
}

void sj_html_table_sizes(sj_html *h, uint32_t index, sj_unit64 *least, sj_unit64 *most) {
  table t;
  if (gather(&t, index, h)) {
    find_columns(&t);
    *least = *most = beside(&t);
    for (size_t i = 0; i < t.columns.count; i++) {
      *least += t.columns.data[i].least;
      *most += t.columns.data[i].most;
    }
    for (uint32_t i = sj_html_at(h, index)->first; i != SJ_NONE; i = sj_html_at(h, i)->next) {
      sj_unit64 caption[2];
      if (sj_html_at(h, i)->kind == SJ_HTML_ROW) continue;
      sj_html_sizes(h, i, &caption[0], &caption[1]);
      *least = sj_html_most(*least, caption[0]);
      *most = sj_html_most(*most, caption[0]);
    }
  }
  finish(&t);
}

// What columns get, each as there is room for more (CSS Tables 3, 4.3): the least, then what they ask for in percent,
// then widths of their own, then all that their content asks for.
enum { LEAST, WITH_PERCENTS, WITH_FIXED, MOST, GUESSES };

static sj_unit64 guess_of(const column *c, int guess, sj_unit64 width) {
  if (c->percent > 0.0f)
    return guess == LEAST ? c->least : sj_html_most(c->least, (sj_unit64)((double)c->percent / 100.0 * (double)width));
  return guess == MOST || (guess == WITH_FIXED && c->fixed) ? c->most : c->least;
}

// Returns a column's share of what is left over. Columns share that by their content: those without a width of their
// own, else those with one in pixels. Where all have percents, these count.
static double weight_of(const column *c, bool any_auto, bool any_fixed) {
  if (c->percent > 0.0f) return any_auto || any_fixed ? 0.0 : (double)c->percent;
  return any_auto && c->fixed ? 0.0 : (double)c->most;
}

static void share_rest(table *t, sj_unit64 rest) {
  bool any_auto = false, any_fixed = false;
  double sum = 0.0, count = 0.0;
  for (size_t i = 0; i < t->columns.count; i++) {
    const column *c = &t->columns.data[i];
    any_auto |= !(c->percent > 0.0f) && !c->fixed;
    any_fixed |= !(c->percent > 0.0f) && c->fixed;
  }
  for (size_t i = 0; i < t->columns.count; i++) {
    const column *c = &t->columns.data[i];
    sum += weight_of(c, any_auto, any_fixed);
    count += !any_auto || !(c->fixed || c->percent > 0.0f) ? 1.0 : 0.0;
  }
  for (size_t i = 0; i < t->columns.count; i++) {
    column *c = &t->columns.data[i];
    bool takes = !any_auto || !(c->fixed || c->percent > 0.0f);
    double part = sum > 0.0 ? weight_of(c, any_auto, any_fixed) / sum : takes ? 1.0 / count : 0.0;
    c->width += (sj_unit64)((double)rest * part);
  }
}

// Gives each column its width.
static void share_width(table *t, sj_unit64 width) {
  sj_unit64 sums[GUESSES] = {0}, x = 0;
  float percents = 0.0f;
  for (size_t i = 0; i < t->columns.count; i++) {
    column *c = &t->columns.data[i];
    c->percent = fminf(c->percent, 100.0f - percents);
    percents += c->percent;
    for (int g = 0; g < GUESSES; g++) sums[g] += guess_of(c, g, width);
  }
  int next = LEAST;
  while (next < GUESSES && sums[next] <= width) next++;
  for (size_t i = 0; i < t->columns.count; i++) {
    column *c = &t->columns.data[i];
    c->width = guess_of(c, next > LEAST ? next - 1 : LEAST, width);
    if (next == LEAST || next == GUESSES) continue;
    sj_unit64 more = guess_of(c, next, width) - c->width;
    c->width += (sj_unit64)((double)(width - sums[next - 1]) * (double)more / (double)(sums[next] - sums[next - 1]));
  }
  if (next == GUESSES) share_rest(t, width - sums[MOST]);
  for (size_t i = 0; i < t->columns.count; i++) {
    t->columns.data[i].x = x;
    x += t->columns.data[i].width + t->spacing[0];
  }
}

static sj_unit64 spanned_width(const table *t, const cell *c) {
  const column *last = &t->columns.data[c->column + c->columns - 1];
  return last->x + last->width - t->columns.data[c->column].x;
}

static bool by_baseline(const sj_html_box *box) {
  int v = box->style->vertical;
  return v != SJ_VERTICAL_TOP && v != SJ_VERTICAL_MIDDLE && v != SJ_VERTICAL_BOTTOM;
}

static sj_unit64 baseline_of(const sj_html_box *box) {
  return box->baseline == SJ_HTML_AUTO ? box->height - box->padding[SJ_BOTTOM] - box->border[SJ_BOTTOM] : box->baseline;
}

static void lay_out_cells(table *t) {
  for (size_t i = 0; i < t->cells.count && sj_resolving(t->h->r); i++) {
    const cell *c = &t->cells.data[i];
    sj_html_box *box = sj_html_at(t->h, c->box);
    sj_unit64 width = spanned_width(t, c);
    sj_html_layout(t->h, c->box, &(sj_html_space){width, SJ_HTML_AUTO, width, SJ_HTML_AUTO});
    row *r = &t->rows.data[c->row];
    if (by_baseline(box) && c->rows == 1) r->ascent = sj_html_most(r->ascent, baseline_of(box));
  }
  for (size_t i = 0; i < t->cells.count; i++) {
    const cell *c = &t->cells.data[i];
    const sj_html_box *box = sj_html_at(t->h, c->box);
    row *r = &t->rows.data[c->row];
    if (c->rows > 1) continue;
    sj_unit64 above = by_baseline(box) ? r->ascent - baseline_of(box) : 0;
    r->height = sj_html_most(r->height, above + box->height);
    r->height = sj_html_most(r->height, sj_html_given(box, true, SJ_HTML_AUTO));
  }
}

// Returns the height that a cell counts for in its row; its content is placed in that of the row.
static sj_unit64 wanted_height(const sj_html_box *box) {
  return sj_html_most(box->height, sj_html_given(box, true, SJ_HTML_AUTO));
}

// Adds to the rows what cells of several rows lack, and then what the table's own height asks for.
static void share_height(table *t, sj_unit64 wanted) {
  sj_unit64 sum = 0, count = (sj_unit64)t->rows.count;
  for (size_t i = 0; i < t->rows.count; i++) {
    sj_unit64 given = sj_html_given(sj_html_at(t->h, t->rows.data[i].box), true, SJ_HTML_AUTO);
    if (given != SJ_HTML_AUTO) t->rows.data[i].height = sj_html_most(t->rows.data[i].height, given);
  }
  for (size_t i = 0; i < t->cells.count && sj_resolve_spend(t->h->r, SJ_WORK_NODE); i++) {
    const cell *c = &t->cells.data[i];
    if (c->rows < 2) continue;
    size_t end = c->row + (size_t)c->rows < t->rows.count ? c->row + (size_t)c->rows : t->rows.count;
    sj_unit64 rows = 0, lack = wanted_height(sj_html_at(t->h, c->box)) - t->spacing[1] * (sj_unit64)(end - c->row - 1);
    for (size_t n = c->row; n < end; n++) rows += t->rows.data[n].height;
    if (!sj_resolve_spend(t->h->r, 2 * (uint64_t)(end - c->row))) return;
    lack -= rows;
    for (size_t n = c->row; n < end && lack > 0 && rows > 0; n++) {
      sj_unit64 part = (sj_unit64)((double)lack * (double)t->rows.data[n].height / (double)rows);
      rows -= t->rows.data[n].height;
      t->rows.data[n].height += part;
      lack -= part;
    }
    if (lack > 0) t->rows.data[end - 1].height += lack;
  }
  for (size_t i = 0; i < t->rows.count; i++) sum += t->rows.data[i].height;
  for (size_t i = 0; i < t->rows.count && wanted > sum; i++)
    t->rows.data[i].height += sum > 0
                                  ? (sj_unit64)((double)(wanted - sum) * (double)t->rows.data[i].height / (double)sum)
                                  : (wanted - sum) / count;
}

static void place_cells(table *t, sj_unit64 left) {
  for (size_t i = 0; i < t->cells.count; i++) {
    const cell *c = &t->cells.data[i];
    sj_html_box *box = sj_html_at(t->h, c->box);
    const row *r = &t->rows.data[c->row];
    size_t end = c->row + (size_t)c->rows < t->rows.count ? c->row + (size_t)c->rows : t->rows.count;
    const row *last = &t->rows.data[end - 1];
    sj_unit64 height = last->y + last->height - r->y, rest = height - box->height;
    box->column = c->column;
    box->x = left + t->columns.data[c->column].x;
    box->y = 0;
    box->shift = box->style->vertical == SJ_VERTICAL_MIDDLE   ? rest / 2
                 : box->style->vertical == SJ_VERTICAL_BOTTOM ? rest
                 : by_baseline(box) && c->rows == 1           ? r->ascent - baseline_of(box)
                                                              : 0;
    box->height = height;
    box->is_laid_out = false;
  }
}

static sj_unit64 lay_out_captions(table *t, sj_unit64 width) {
  sj_html *h = t->h;
  sj_unit64 y = 0;
  for (uint32_t i = sj_html_at(h, t->box)->first; i != SJ_NONE && sj_resolving(h->r); i = sj_html_at(h, i)->next) {
    sj_html_box *box = sj_html_at(h, i);
    if (box->kind == SJ_HTML_ROW) continue;
    sj_html_layout(h, i, &(sj_html_space){width, SJ_HTML_AUTO, width, SJ_HTML_AUTO});
    box->x = 0;
    box->y = y + box->margin[SJ_TOP];
    y = box->y + box->height + box->margin[SJ_BOTTOM];
  }
  return y;
}

void sj_html_layout_table(sj_html *h, uint32_t index, const sj_html_space *space) {
  sj_html_box *box = sj_html_at(h, index);
  table t;
  sj_unit64 width = space->width;
  box->baseline = box->last_baseline = SJ_HTML_AUTO;
  box->height = 0;
  if (gather(&t, index, h)) {
    find_columns(&t);
    share_width(&t, sj_html_most(0, width - beside(&t)));
    lay_out_cells(&t);
    sj_unit64 given = space->height, outer = t.spacing[1];
    if (given == SJ_HTML_AUTO) given = sj_html_given(box, true, space->base_height);
    sj_unit64 count = (sj_unit64)t.rows.count;
    sj_unit64 extra = sj_html_frame(box, true) + 2 * outer + (count - 1) * t.spacing[1];
    share_height(&t, given == SJ_HTML_AUTO || !count ? 0 : given - extra);
    sj_unit64 caption = box->caption = lay_out_captions(&t, width);
    sj_unit64 left = box->border[SJ_LEFT] + box->padding[SJ_LEFT] + t.spacing[0];
    sj_unit64 y = caption + box->border[SJ_TOP] + box->padding[SJ_TOP] + outer;
    for (size_t i = 0; i < t.rows.count; i++) {
      row *r = &t.rows.data[i];
      sj_html_box *of = sj_html_at(h, r->box);
      r->y = of->y = y;
      of->x = left;
      of->width = sj_html_most(0, width - beside(&t));
      if (t.columns.count) {
        const column *last = &t.columns.data[t.columns.count - 1];
        of->width = last->x + last->width;
      }
      of->height = r->height;
      y += r->height + (i + 1 < t.rows.count ? t.spacing[1] : 0);
    }
    place_cells(&t, 0);
    if (count) {
      const row *first = &t.rows.data[0];
      box->baseline = first->y + (first->ascent ? first->ascent : first->height);
      box->last_baseline = box->baseline;
    }
    box->height = y + outer + box->padding[SJ_BOTTOM] + box->border[SJ_BOTTOM];
    if (given != SJ_HTML_AUTO) box->height = sj_html_most(box->height, given);
  }
  finish(&t);
}

static void keep_most(sj_unit64 *at, size_t count) {
  for (size_t i = 1; i < count; i++) at[i] = sj_html_most(at[i], at[i - 1]);
}

bool sj_html_table_shared(sj_html *h, uint32_t index, sj_html_shared *out) {
  *out = (sj_html_shared){0};
  table t;
  bool good = gather(&t, index, h);
  size_t columns = t.columns.count, rows = t.rows.count;
  const sj_html_box *box = sj_html_at(h, index);
  for (size_t i = 0; i <= columns && good; i++) good = sj_array_push(h->context, &out->xs, box->border[SJ_LEFT]);
  for (size_t i = 0; i <= rows && good; i++) good = sj_array_push(h->context, &out->ys, box->border[SJ_TOP]);
  if (!good) sj_resolve_fail_memory(h->r);
  // Columns are known by the cells that end there. Where none does, none begins either.
  for (size_t i = 0; i < t.cells.count && good; i++) {
    const cell *c = &t.cells.data[i];
    const sj_html_box *of = sj_html_at(h, c->box);
    out->xs.data[c->column] = sj_html_at(h, of->parent)->x + of->x;
    out->xs.data[c->column + c->columns] = out->xs.data[c->column] + of->width;
  }
  for (size_t i = 0; i < rows && good; i++) {
    const sj_html_box *of = sj_html_at(h, t.rows.data[i].box);
    out->ys.data[i] = of->y;
    out->ys.data[i + 1] = of->y + of->height;
  }
  if (good) keep_most(out->xs.data, columns + 1);
  if (good) out->grid = t.grid;
  if (good) t.grid = (sj_html_grid){0};
  finish(&t);
  return good;
}
