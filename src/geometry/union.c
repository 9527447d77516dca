// A sweep from line to line (Bentley and Ottmann, "Algorithms for reporting and counting geometric intersections",
// 1979). It goes from one height at which lines begin, end or cross to the next. In between their order stays, and so
// does what of them is on the outline; at each height only those are looked at that lie where something happens.
#include "geometry/union.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"

// Of two places that rounding may have brought out of order, in units of a coordinate: some bits of 2^24 in a double.
#define ROUNDING 1e-7

// After so many steps it is judged how many there will be. (A figure with a random polygon of 3,000 corners: 16 ms, not
// 45.)
#define STEPS_TO_JUDGE ((uint64_t)1 << 16)

typedef struct {
  int32_t x0, y0, x1, y1;  // y0 < y1
  double slope;            // of x by y
  uint32_t source;         // 1 + the index of its line
  int8_t winding;          // what it adds to the number of those to the right of it
  int8_t shown;            // on the outline: 1 where its inside begins to the right, -1 where it ends
  uint32_t line;           // of the outline, which is that
} edge;

// An edge among those beside one another.
typedef struct {
  double until;     // the height at which it ends, or crosses the next one
  uint32_t edge;    // its number
  int32_t winding;  // to the right of it
} place;

// Where a line of the outline comes to the height of an event, or goes from there.
typedef struct {
  int32_t x;
  bool comes;
  uint32_t line;
} end;

typedef struct {
  stijl_context *context;
  edge *edges;
  sj_sort_key *order;  // of edges, by their tops
  place *open;         // those beside one another, from left to right
  end *ends;
  size_t count, next, open_count, end_count;
  size_t low, high;  // the places where something happens at this height
  double y;
  sj_union_result *out;
  uint64_t max_steps;
  int32_t inside;       // the bits of a winding that tell inside from outside
  int32_t least, most;  // windings that there are
  bool failed;
} sweep;

static int by_x(const void *a, const void *b) {
  const end *p = a, *q = b;
  return (p->x > q->x) - (p->x < q->x);
}

static edge *edge_at(const sweep *s, size_t i) { return &s->edges[s->open[i].edge]; }

static double x_at(const edge *e, double y) {
  return y <= e->y0 ? e->x0 : y >= e->y1 ? e->x1 : e->x0 + (y - e->y0) * e->slope;
}

// Returns the height at which `a` ends, or crosses `b`, which is to the right of it.
static double end_of(const edge *a, const edge *b) {
  if (!b || !(a->slope > b->slope)) return a->y1;
  double at = (b->x0 - b->slope * b->y0 - (a->x0 - a->slope * a->y0)) / (a->slope - b->slope);
  return at < (a->y1 < b->y1 ? a->y1 : b->y1) ? at : a->y1;
}

// Returns whether there is nothing between two edges from y on to where the first of them ends.
static bool coincide(const edge *a, const edge *b, double y) {
  double bottom = a->y1 < b->y1 ? a->y1 : b->y1;
  return fabs(x_at(a, y) - x_at(b, y)) <= ROUNDING && fabs(x_at(a, bottom) - x_at(b, bottom)) <= ROUNDING;
}

// Adds a line to the outline, both ends of which are, for now, at one point. Returns its index.
static uint32_t add_line(sweep *s, int32_t x, int32_t y, uint32_t source) {
  sj_union_lines *outline = &s->out->outline;
  if (!sj_array_push(s->context, outline, (sj_union_line){x, y, x, y, source, 0})) {
    s->failed = true;
    return 0;
  }
  return (uint32_t)outline->count - 1;
}

static void add_end(sweep *s, int32_t x, bool comes, uint32_t line) { s->ends[s->end_count++] = (end){x, comes, line}; }

static void begin_shown(sweep *s, edge *e, int32_t x, int32_t y, int8_t shown) {
  e->shown = shown;
  if (!shown) return;
  e->line = add_line(s, x, y, e->source);
  add_end(s, x, shown < 0, e->line);
}

// Ends what an edge has on the outline at a point.
static void end_shown(sweep *s, const edge *e, int32_t x, int32_t y) {
  if (!e->shown || s->failed) return;
  sj_union_line *l = &s->out->outline.data[e->line];
  *(e->shown > 0 ? &l->x1 : &l->x0) = x;
  *(e->shown > 0 ? &l->y1 : &l->y0) = y;
  add_end(s, x, e->shown > 0, e->line);
}

// Takes edges that end at this height away, and notes where they were, and where edges cross.
static void remove_ended(sweep *s) {
  size_t kept = 0;
  s->low = s->open_count;
  s->high = 0;
  for (size_t i = 0; i < s->open_count; i++) {
    bool touched = s->open[i].until <= s->y;
    if (touched && kept < s->low) s->low = kept;
    const edge *e = touched ? edge_at(s, i) : NULL;
    if (e && e->y1 <= s->y)
      end_shown(s, e, e->x1, e->y1);
    else
      s->open[kept++] = s->open[i];
    if (touched) s->high = kept + 1;
  }
  s->open_count = kept;
}

// Returns the first place to the right of a point at this height.
static size_t place_of(const sweep *s, int32_t x) {
  size_t low = 0, high = s->open_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (x_at(edge_at(s, middle), s->y) <= x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Adds the edges that begin at this height.
static void add_begun(sweep *s) {
  for (; s->next < s->count; s->next++) {
    uint32_t number = s->order[s->next].value;
    if (s->edges[number].y0 > s->y) break;
    size_t at = place_of(s, s->edges[number].x0);
    memmove(&s->open[at + 1], &s->open[at], (s->open_count - at) * sizeof *s->open);
    s->open[at] = (place){.edge = number};
    s->open_count++;
    if (s->high > at) s->high++;
    if (s->high < at + 1) s->high = at + 1;
    if (s->low > at) s->low = at;
  }
}

// Returns whether an edge is to the left of a place at this height, or, from there on, below.
static bool is_before(const sweep *s, size_t i, double x, double slope) {
  const edge *e = edge_at(s, i);
  double at = x_at(e, s->y);
  return at < x - ROUNDING || (at <= x + ROUNDING && e->slope <= slope);
}

// Sorts the edges of those places by where they are below this height, and with them others that they pass.
static void put_in_order(sweep *s) {
  for (size_t i = s->low; i < s->open_count; i++) {
    place moved = s->open[i];
    const edge *e = &s->edges[moved.edge];
    double x = x_at(e, s->y);
    size_t k = i;
    for (; k && !is_before(s, k - 1, x, e->slope); k--) s->open[k] = s->open[k - 1];
    s->open[k] = moved;
    s->out->steps += i - k + 1;
    if (k < s->low) s->low = k;
    if (i >= s->high && k == i) break;
    if (i >= s->high) s->high = i + 1;
  }
  if (s->high > s->open_count) s->high = s->open_count;
}

// Finds which edges are on the outline below this height.
static void look(sweep *s, int32_t row) {
  int32_t winding = s->low ? s->open[s->low - 1].winding : 0;
  for (size_t i = s->low; i < s->high; i++) {
    edge *e = edge_at(s, i);
    bool before = (winding & s->inside) != 0;
    s->open[i].winding = winding += e->winding;
    int8_t shown = (int8_t)(((winding & s->inside) != 0) - before);
    if (shown == e->shown) continue;
    int32_t x = e->y0 == row ? e->x0 : (int32_t)floor(x_at(e, s->y) + 0.5);
    end_shown(s, e, x, row);
    begin_shown(s, e, x, row, shown);
  }
}

// Finds where edges cross that have got another one to the right, and notes which windings there are.
static void look_ahead(sweep *s) {
  for (size_t i = s->low ? s->low - 1 : 0; i < s->high; i++) {
    place *p = &s->open[i];
    const edge *e = edge_at(s, i), *right = i + 1 < s->open_count ? edge_at(s, i + 1) : NULL;
    p->until = end_of(e, right);
    if (right && (p->winding < s->least || p->winding > s->most) && !coincide(e, right, s->y)) {
      s->least = p->winding < s->least ? p->winding : s->least;
      s->most = p->winding > s->most ? p->winding : s->most;
    }
  }
}

// Lets a line that comes to this height go on as one that goes from there.
static void link_lines(sweep *s, const end *from, const end *to, int32_t row) {
  uint32_t last = from->line;
  if (from->x != to->x) {
    uint32_t level = add_line(s, from->x, row, 0);
    if (s->failed) return;
    s->out->outline.data[level].x1 = to->x;
    s->out->outline.data[last].next = level;
    last = level;
  }
  s->out->outline.data[last].next = to->line;
}

// Joins lines that come to this height with those that go from there, from left to right: where the area ends or
// begins, it does so along the height.
static void join(sweep *s, int32_t row) {
  if (s->end_count > 2 || (s->end_count == 2 && s->ends[0].x > s->ends[1].x))
    s->failed |= !sj_sort(s->context, s->ends, s->end_count, sizeof *s->ends, by_x);
  size_t waiting = 0;  // of them, all of which come, or all of which go; they are the first ones
  for (size_t i = 0; i < s->end_count && !s->failed; i++) {
    end e = s->ends[i], *w = waiting ? &s->ends[waiting - 1] : NULL;
    if (!w || w->comes == e.comes) {
      s->ends[waiting++] = e;
      continue;
    }
    link_lines(s, e.comes ? &e : w, e.comes ? w : &e, row);
    waiting--;
  }
  s->end_count = 0;
}

static double next_height(const sweep *s) {
  double next = s->next < s->count ? s->edges[s->order[s->next].value].y0 : INFINITY;
  for (size_t i = 0; i < s->open_count; i++)
    if (s->open[i].until < next) next = s->open[i].until;
  return next > s->y ? next : nextafter(s->y, INFINITY);
}

// Returns whether the sweep would take too many steps if all lines took as many as those that have begun.
static bool seems_endless(const sweep *s) {
  uint64_t steps = s->out->steps;
  return steps > STEPS_TO_JUDGE && (double)steps * (double)s->count > (double)SJ_UNION_MOST * (double)s->next;
}

static bool run(sweep *s) {
  while (!s->failed && (s->next < s->count || s->open_count)) {
    int32_t row = (int32_t)floor(s->y + 0.5);
    remove_ended(s);
    add_begun(s);
    put_in_order(s);
    look(s, row);
    look_ahead(s);
    s->out->steps += s->end_count + s->open_count / 8 + 1;
    s->out->too_many = s->out->steps > s->max_steps || seems_endless(s);
    if (s->out->too_many) return false;
    join(s, row);
    s->y = next_height(s);
  }
  return !s->failed;
}

// Adds an edge for each line that is not level.
static void add_edges(sweep *s, const sj_union_lines *lines) {
  for (size_t i = 0; i < lines->count; i++) {
    sj_union_line l = lines->data[i];
    if (l.y0 == l.y1) continue;
    bool down = l.y0 < l.y1;
    edge *e = &s->edges[s->count];
    *e = down ? (edge){.x0 = l.x0, .y0 = l.y0, .x1 = l.x1, .y1 = l.y1, .winding = 1}
              : (edge){.x0 = l.x1, .y0 = l.y1, .x1 = l.x0, .y1 = l.y0, .winding = -1};
    e->slope = ((double)l.x1 - l.x0) / ((double)l.y1 - l.y0);
    e->source = (uint32_t)i + 1;
    s->order[s->count] = (sj_sort_key){(uint64_t)((int64_t)e->y0 - INT32_MIN), (uint32_t)s->count};
    s->count++;
  }
}

bool sj_union(stijl_context *context, const sj_union_lines *lines, bool evenodd, uint64_t max_steps,
              sj_union_result *out) {
  sweep s = {.context = context, .out = out, .max_steps = max_steps, .inside = evenodd ? 1 : -1};
  out->steps = lines->count;
  s.edges = sj_alloc_array(context, lines->count + 1, sizeof *s.edges);
  s.order = sj_alloc_array(context, lines->count + 1, sizeof *s.order);
  s.open = sj_alloc_array(context, lines->count + 1, sizeof *s.open);
  s.ends = sj_alloc_array(context, 3 * lines->count + 1, sizeof *s.ends);
  bool good = s.edges && s.order && s.open && s.ends && sj_array_reserve(context, &out->outline, lines->count + 16);
  if (good) add_edges(&s, lines);
  good = good && sj_sort_keys(context, s.order, s.count);
  if (good && s.count) {
    s.y = s.edges[s.order[0].value].y0;
    good = run(&s);
  }
  out->simple = s.most - s.least <= 1;
  sj_free(context, s.edges);
  sj_free(context, s.order);
  sj_free(context, s.open);
  sj_free(context, s.ends);
  return good;
}

sj_union_grid sj_union_grid_of(double x0, double y0, double x1, double y1) {
  int exponent;
  frexp(0.5 * fmax(x1 - x0, y1 - y0), &exponent);
  double scale = ldexp(1.0, 23 - exponent);  // rounding the middle adds some units
  return (sj_union_grid){floor(0.5 * (x0 + x1) * scale) / scale, floor(0.5 * (y0 + y1) * scale) / scale, scale};
}

// --- contours ---

bool sj_union_order(stijl_context *context, sj_union_lines *lines) {
  size_t count = lines->count;
  unsigned char *taken = sj_alloc_zero(context, count + 1);
  sj_union_lines out = {0};
  bool good = taken && sj_array_reserve(context, &out, count + 1);
  for (size_t i = 0; good && i < count; i++)
    for (size_t at = i; !taken[at]; at = lines->data[at].next) {
      sj_union_line l = lines->data[at];
      taken[at] = 1;
      if (l.x0 != l.x1 || l.y0 != l.y1) out.data[out.count++] = l;
    }
  sj_free(context, taken);
  sj_array_finish(context, good ? lines : &out);
  if (good) *lines = out;
  return good;
}
