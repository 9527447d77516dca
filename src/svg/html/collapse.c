// Borders that the cells of a table share (CSS 2, 17.6.2): which of those that meet is drawn.
#include "svg/html/html.h"
#include "svg/resolve/job.h"

static sj_unit64 rule_width(const sj_html_rule *rule) {
  bool drawn = rule->style && rule->style->border[rule->side] != SJ_BORDER_HIDDEN;
  return drawn ? rule->style->border_width[rule->side] : 0;
}

// Returns less than 0 where the second is drawn instead of the first.
static int compare_rules(const sj_html_rule *a, const sj_html_rule *b) {
  // Of as wide ones the style counts.
  static const uint8_t ranks[] = {[SJ_BORDER_INSET] = 1, [SJ_BORDER_GROOVE] = 2, [SJ_BORDER_OUTSET] = 3,
                                  [SJ_BORDER_RIDGE] = 4, [SJ_BORDER_DOTTED] = 5, [SJ_BORDER_DASHED] = 6,
                                  [SJ_BORDER_SOLID] = 7, [SJ_BORDER_DOUBLE] = 8, [SJ_BORDER_HIDDEN] = 9};
  sj_unit64 wide[2] = {rule_width(a), rule_width(b)};
  if (wide[0] != wide[1]) return wide[0] < wide[1] ? -1 : 1;
  int rank[2] = {a->style ? ranks[a->style->border[a->side]] : 0, b->style ? ranks[b->style->border[b->side]] : 0};
  return rank[0] < rank[1] ? -1 : rank[0] > rank[1];
}

static bool is_hidden(const sj_html_rule *rule) {
  return rule->style && rule->style->border[rule->side] == SJ_BORDER_HIDDEN;
}

// Sets a rule where a border meets one that came before: what is hidden hides all, and of equal ones the first is
// drawn.
static void meet(sj_html_rule *rule, const sj_html_style *style, int side) {
  sj_html_rule other = {style, side};
  if (is_hidden(rule) || !style->border[side]) return;
  if (is_hidden(&other) || compare_rules(rule, &other) < 0) *rule = other;
}

static sj_html_rule *across(const sj_html_grid *g, size_t row, size_t column) {
  return &g->across.data[row * g->columns + column];
}

static sj_html_rule *down(const sj_html_grid *g, size_t row, size_t column) {
  return &g->down.data[row * (g->columns + 1) + column];
}

bool sj_html_grid_begin(sj_html *h, sj_html_grid *g, size_t rows, size_t columns) {
  *g = (sj_html_grid){.rows = rows, .columns = columns};
  size_t counts[2] = {(rows + 1) * columns, rows * (columns + 1)};
  bool good = sj_resolve_spend(h->r, (counts[0] + counts[1]) * SJ_WORK_NODE) &&
              sj_array_reserve(h->context, &g->across, counts[0]) && sj_array_reserve(h->context, &g->down, counts[1]);
  if (!good) sj_resolve_fail_memory(h->r);
  for (size_t i = 0; i < counts[0] && good; i++) g->across.data[i] = (sj_html_rule){0};
  for (size_t i = 0; i < counts[1] && good; i++) g->down.data[i] = (sj_html_rule){0};
  return good;
}

void sj_html_grid_finish(sj_html *h, sj_html_grid *g) {
  sj_array_finish(h->context, &g->across);
  sj_array_finish(h->context, &g->down);
}

bool sj_html_grid_add(sj_html *h, sj_html_grid *g, const sj_html_style *style, const sj_html_area *a) {
  if (!sj_resolve_spend(h->r, a->rows + a->columns)) return false;
  for (size_t i = 0; i < a->columns; i++) {
    meet(across(g, a->row, a->column + i), style, SJ_TOP);
    meet(across(g, a->row + a->rows, a->column + i), style, SJ_BOTTOM);
  }
  for (size_t i = 0; i < a->rows; i++) {
    meet(down(g, a->row + i, a->column), style, SJ_LEFT);
    meet(down(g, a->row + i, a->column + a->columns), style, SJ_RIGHT);
  }
  return true;
}

bool sj_html_grid_join(sj_html *h, sj_html_grid *g, const sj_html_area *a) {
  if (!sj_resolve_spend(h->r, (uint64_t)(a->rows - 1) * a->columns)) return false;
  for (size_t r = 1; r < a->rows; r++)
    for (size_t i = 0; i < a->columns; i++) *across(g, a->row + r, a->column + i) = (sj_html_rule){0};
  return true;
}

void sj_html_grid_widths(const sj_html_grid *g, const sj_html_area *a, sj_unit64 out[4]) {
  for (int side = 0; side < 4; side++) out[side] = 0;
  for (size_t i = 0; i < a->columns; i++) {
    out[SJ_TOP] = sj_html_most(out[SJ_TOP], rule_width(across(g, a->row, a->column + i)) / 2);
    out[SJ_BOTTOM] = sj_html_most(out[SJ_BOTTOM], rule_width(across(g, a->row + a->rows, a->column + i)) / 2);
  }
  for (size_t i = 0; i < a->rows; i++) {
    out[SJ_LEFT] = sj_html_most(out[SJ_LEFT], rule_width(down(g, a->row + i, a->column)) / 2);
    out[SJ_RIGHT] = sj_html_most(out[SJ_RIGHT], rule_width(down(g, a->row + i, a->column + a->columns)) / 2);
  }
}

// --- lines ---

static const sj_html_rule none;

// What meets at a crossing of the grid, to the left, to the right, above, and below.
typedef struct crossing {
  const sj_html_rule *rules[4];
} crossing;

static crossing crossing_at(const sj_html_grid *g, size_t row, size_t column) {
  return (crossing){{column > 0 ? across(g, row, column - 1) : &none,
                     column < g->columns ? across(g, row, column) : &none, row > 0 ? down(g, row - 1, column) : &none,
                     row < g->rows ? down(g, row, column) : &none}};
}

// Returns whether a rule goes on through a crossing, where all others that meet there end.
static bool passes(const crossing *c, const sj_html_rule *rule) {
  for (int i = 0; i < 4; i++)
    if (compare_rules(rule, c->rules[i]) < 0) return false;
  return true;
}

// Returns how far the line of a rule reaches beyond a crossing; where it is negative, the line ends before it.
static sj_unit64 reach(const crossing *c, const sj_html_rule *rule, bool is_down) {
  const sj_html_rule *const *others = c->rules + (is_down ? 0 : 2);
  sj_unit64 half = sj_html_most(rule_width(others[0]), rule_width(others[1])) / 2;
  return passes(c, rule) ? half : -half;
}

static bool look_alike(const sj_html_rule *a, const sj_html_rule *b) {
  if (!a->style || !b->style) return false;
  const sj_style_color *c = &a->style->border_color[a->side], *d = &b->style->border_color[b->side];
  stijl_color one = c->kind == SJ_COLOR_CURRENT ? a->style->svg.color : c->color;
  stijl_color two = d->kind == SJ_COLOR_CURRENT ? b->style->svg.color : d->color;
  return compare_rules(a, b) == 0 && one.r == two.r && one.g == two.g && one.b == two.b && one.a == two.a;
}

bool sj_html_grid_next(sj_html *h, const sj_html_grid *g, const sj_unit64 *xs, const sj_unit64 *ys,
                       sj_html_grid_walk *w, sj_html_grid_line *out) {
  while (w->is_down < 2 && sj_resolve_spend(h->r, SJ_WORK_NODE)) {
    bool is_down = w->is_down == 0;
    size_t lines = is_down ? g->columns + 1 : g->rows + 1, length = is_down ? g->rows : g->columns;
    if (w->line == lines || w->at == length) {
      bool over = w->line + 1 >= lines;
      w->is_down += over;
      w->line = over ? 0 : w->line + 1;
      w->at = 0;
      continue;
    }
    size_t first = w->at++;
    const sj_html_rule *rule = is_down ? down(g, first, w->line) : across(g, w->line, first);
    if (rule_width(rule) <= 0) continue;
    for (; w->at < length && sj_resolve_spend(h->r, SJ_WORK_NODE); w->at++) {
      crossing c = is_down ? crossing_at(g, w->at, w->line) : crossing_at(g, w->line, w->at);
      if (!look_alike(rule, c.rules[is_down ? 3 : 1]) || !passes(&c, rule)) break;
    }
    crossing ends[2] = {is_down ? crossing_at(g, first, w->line) : crossing_at(g, w->line, first),
                        is_down ? crossing_at(g, w->at, w->line) : crossing_at(g, w->line, w->at)};
    const sj_unit64 *along = is_down ? ys : xs;
    sj_unit64 half = rule_width(rule) / 2, middle = is_down ? xs[w->line] : ys[w->line];
    sj_unit64 from = along[first] - reach(&ends[0], rule, is_down);
    sj_unit64 to = along[w->at] + reach(&ends[1], rule, is_down);
    *out = (sj_html_grid_line){.rule = *rule, .is_down = is_down};
    out->box[is_down ? SJ_LEFT : SJ_TOP] = middle - half;
    out->box[is_down ? SJ_RIGHT : SJ_BOTTOM] = middle - half + 2 * half;
    out->box[is_down ? SJ_TOP : SJ_LEFT] = from;
    out->box[is_down ? SJ_BOTTOM : SJ_RIGHT] = to;
    return true;
  }
  return false;
}
