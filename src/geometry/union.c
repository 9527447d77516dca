// A sweep from line to line (Bentley and Ottmann, "Algorithms for reporting and counting geometric intersections",
// 1979), with lists instead of their trees, since few lines are beside one another. It goes from one height at which
// lines begin, end or cross to the next. In between their order stays, and so does what of them is on the outline.
#include "geometry/union.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "geometry/path.h"

// Of two places that rounding may have brought out of order, in units of a coordinate: some bits of 2^24 in a double.
#define ROUNDING 1e-7

typedef struct {
  int32_t x0, y0, x1, y1;  // y0 < y1
  double slope;            // of x by y
  int8_t winding;          // what it adds to the number of those to the right of it
  int8_t shown;  // on the outline, below the last height: 1 where its inside begins to the right, -1 where it ends
  int32_t from_x, from_y;  // where that began
} edge;

// Where the outline ends (1: it came down), or begins, at the height of an event.
typedef struct {
  int32_t x, flow;
} end;

typedef struct {
  stijl_context *context;
  edge *edges;
  uint32_t *open;  // those beside one another, from left to right
  end *ends;
  size_t count, next, open_count, end_count;
  double y;
  sj_union_lines *out;
  bool failed;
} sweep;

static int by_top(const void *a, const void *b) {
  const edge *p = a, *q = b;
  if (p->y0 != q->y0) return p->y0 < q->y0 ? -1 : 1;
  return (p->x0 > q->x0) - (p->x0 < q->x0);
}

static int by_x(const void *a, const void *b) {
  const end *p = a, *q = b;
  return (p->x > q->x) - (p->x < q->x);
}

static double x_at(const edge *e, double y) {
  return y <= e->y0 ? e->x0 : y >= e->y1 ? e->x1 : e->x0 + (y - e->y0) * e->slope;
}

// Returns the height from y on at which `a` crosses `b`, which is to the right of it; INFINITY: not before one of them
// ends.
static double crossing(const edge *a, const edge *b, double y) {
  double sa = a->slope, sb = b->slope;
  if (!(sa > sb)) return INFINITY;
  double at = (b->x0 - sb * b->y0 - (a->x0 - sa * a->y0)) / (sa - sb);
  if (!(at < (a->y1 < b->y1 ? a->y1 : b->y1))) return INFINITY;
  return at > y ? at : y;
}

static void show(sweep *s, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  if (x0 == x1 && y0 == y1) return;
  if (!sj_array_push(s->context, s->out, (sj_union_line){x0, y0, x1, y1})) s->failed = true;
}

// Ends what an edge has on the outline at a point.
static void end_shown(sweep *s, const edge *e, int32_t x, int32_t y) {
  if (e->shown > 0) show(s, e->from_x, e->from_y, x, y);
  if (e->shown < 0) show(s, x, y, e->from_x, e->from_y);
  if (e->shown) s->ends[s->end_count++] = (end){x, e->shown};
}

// Takes edges that end at this height away, and adds those that begin.
static void exchange(sweep *s) {
  size_t kept = 0;
  for (size_t i = 0; i < s->open_count; i++) {
    const edge *e = &s->edges[s->open[i]];
    if (e->y1 > s->y)
      s->open[kept++] = s->open[i];
    else
      end_shown(s, e, e->x1, e->y1);
  }
  s->open_count = kept;
  while (s->next < s->count && s->edges[s->next].y0 <= s->y) s->open[s->open_count++] = (uint32_t)s->next++;
}

// Sorts the edges by where they are below this height. Nearly all are in order. Returns how many places they moved.
static uint64_t put_in_order(sweep *s) {
  uint64_t moved = 0;
  for (size_t i = 1; i < s->open_count; i++) {
    uint32_t number = s->open[i];
    const edge *e = &s->edges[number];
    double x = x_at(e, s->y);
    size_t k = i;
    for (; k; k--, moved++) {
      const edge *f = &s->edges[s->open[k - 1]];
      double left = x_at(f, s->y);
      if (left < x - ROUNDING || (left <= x + ROUNDING && f->slope <= e->slope)) break;
      s->open[k] = s->open[k - 1];
    }
    s->open[k] = number;
  }
  return moved;
}

// Finds which edges are on the outline below this height, and returns the next one at which two of them cross.
static double look(sweep *s, int32_t row) {
  int64_t winding = 0;
  double next = INFINITY;
  for (size_t i = 0; i < s->open_count; i++) {
    edge *e = &s->edges[s->open[i]];
    bool before = winding != 0;
    winding += e->winding;
    int8_t shown = (int8_t)((winding != 0) - before);
    if (shown != e->shown) {
      int32_t x = e->y0 == row ? e->x0 : (int32_t)floor(x_at(e, s->y) + 0.5);
      end_shown(s, e, x, row);
      if (shown) s->ends[s->end_count++] = (end){x, -shown};
      e->shown = shown;
      e->from_x = x;
      e->from_y = row;
    }
    if (i + 1 == s->open_count) break;
    double at = crossing(e, &s->edges[s->open[i + 1]], s->y);
    if (at < next) next = at;
  }
  return next;
}

// Joins what ends at this height to what begins there: where the area ends or begins, it does so along the height.
static void join(sweep *s, int32_t row) {
  if (s->end_count > 1 && !sj_sort(s->context, s->ends, s->end_count, sizeof *s->ends, by_x)) s->failed = true;
  int32_t flow = 0;
  for (size_t i = 0; i + 1 < s->end_count; i++) {
    flow += s->ends[i].flow;
    for (int32_t k = 0; k < flow; k++) show(s, s->ends[i].x, row, s->ends[i + 1].x, row);
    for (int32_t k = 0; k < -flow; k++) show(s, s->ends[i + 1].x, row, s->ends[i].x, row);
  }
  s->end_count = 0;
}

static bool run(sweep *s, uint64_t max_steps, uint64_t *steps) {
  while (!s->failed && (s->next < s->count || s->open_count)) {
    int32_t row = (int32_t)floor(s->y + 0.5);
    exchange(s);
    *steps += put_in_order(s);
    double crossed = look(s, row), limit = s->next < s->count ? s->edges[s->next].y0 : INFINITY;
    *steps += s->open_count + s->end_count + 1;
    if (*steps > max_steps) return false;
    join(s, row);
    for (size_t i = 0; i < s->open_count; i++)
      if (s->edges[s->open[i]].y1 < limit) limit = s->edges[s->open[i]].y1;
    s->y = crossed >= limit ? limit : crossed > s->y ? crossed : nextafter(s->y, INFINITY);
  }
  return !s->failed;
}

bool sj_union(stijl_context *context, const sj_union_lines *lines, uint64_t max_steps, sj_union_lines *out,
              uint64_t *steps) {
  sweep s = {.context = context, .out = out};
  *steps = lines->count;
  s.edges = sj_alloc_array(context, lines->count + 1, sizeof *s.edges);
  s.open = sj_alloc_array(context, lines->count + 1, sizeof *s.open);
  s.ends = sj_alloc_array(context, 3 * lines->count + 1, sizeof *s.ends);
  bool good = s.edges && s.open && s.ends;
  for (size_t i = 0; good && i < lines->count; i++) {
    sj_union_line l = lines->data[i];
    if (l.y0 == l.y1) continue;
    double slope = ((double)l.x1 - l.x0) / ((double)l.y1 - l.y0);
    s.edges[s.count++] = l.y0 < l.y1 ? (edge){l.x0, l.y0, l.x1, l.y1, slope, 1, 0, 0, 0}
                                     : (edge){l.x1, l.y1, l.x0, l.y0, slope, -1, 0, 0, 0};
  }
  good = good && sj_sort(context, s.edges, s.count, sizeof *s.edges, by_top);
  if (good && s.count) {
    s.y = s.edges[0].y0;
    good = run(&s, max_steps, steps);
  }
  sj_free(context, s.edges);
  sj_free(context, s.open);
  sj_free(context, s.ends);
  return good;
}

// --- contours ---

static int compare_points(int32_t ax, int32_t ay, int32_t bx, int32_t by) {
  if (ay != by) return ay < by ? -1 : 1;
  return (ax > bx) - (ax < bx);
}

static int by_start(const void *a, const void *b) {
  const sj_union_line *p = a, *q = b;
  return compare_points(p->x0, p->y0, q->x0, q->y0);
}

// Returns the first line that begins at a point.
static size_t first_at(const sj_union_lines *lines, int32_t x, int32_t y) {
  size_t low = 0, high = lines->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const sj_union_line *l = &lines->data[middle];
    if (compare_points(l->x0, l->y0, x, y) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool sj_union_contours(stijl_context *context, sj_union_lines *lines, double scale, stijl_path *path) {
  // Of the lines that begin at the point of the first of them, so many have been taken.
  uint32_t *taken = sj_alloc_zero(context, (lines->count + 1) * sizeof *taken);
  bool good = taken && sj_sort(context, lines->data, lines->count, sizeof *lines->data, by_start);
  for (size_t i = 0; good && i < lines->count; i++) {
    sj_union_line l = lines->data[i];
    size_t first = first_at(lines, l.x0, l.y0);
    if (i - first < taken[first]) continue;
    stijl_path_move_to(path, (float)(l.x0 * scale), (float)(l.y0 * scale));
    for (size_t at = first; at < lines->count; at = first_at(lines, l.x1, l.y1)) {
      size_t next = at + taken[at];
      if (next >= lines->count || by_start(&lines->data[next], &lines->data[at]) != 0) break;
      taken[at]++;
      l = lines->data[next];
      stijl_path_line_to(path, (float)(l.x1 * scale), (float)(l.y1 * scale));
    }
    stijl_path_close(path);
  }
  sj_free(context, taken);
  return good && stijl_path_status(path) == STIJL_OK;
}
