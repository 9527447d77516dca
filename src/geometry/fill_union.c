// The path becomes chords, and these their union (union.h). What of a curve's chords is on the outline, one after the
// other, becomes that part of the curve.
#include "geometry/fill_union.h"

#include <math.h>

#include "geometry/crossings.h"
#include "geometry/path.h"
#include "geometry/union.h"
#include "geometry/vector.h"

// Chords may leave their curve by so many units of the grid at least, and at most.
#define LEAST_TOLERANCE 64.0
#define MOST_TOLERANCE 8192.0
#define MAX_CHORDS 256
#define MAX_LINES (1u << 17)

// Parts of the outline that end so near to one another are joined as they are, in units.
#define NEAR 4.0

// A line of the union is this part of a curve; without a curve it is straight.
typedef struct {
  uint32_t curve;  // 1 + the index
  double from, to;
} chord;

typedef struct {
  sj_vector p[4];
} cubic;

typedef struct {
  stijl_context *context;
  sj_union_grid grid;
  double tolerance;  // units
  sj_union_lines lines;
  SJ_ARRAY(chord) chords;  // of each line
  SJ_ARRAY(cubic) curves;
  stijl_result result;
} outliner;

static sj_vector on_grid(const sj_union_grid *g, stijl_point p) {
  return (sj_vector){((double)p.x - g->x) * g->scale, ((double)p.y - g->y) * g->scale};
}

static void add_line(outliner *o, sj_vector a, sj_vector b, chord c) {
  sj_union_line l = {
      (int32_t)floor(a.x + 0.5), (int32_t)floor(a.y + 0.5), (int32_t)floor(b.x + 0.5), (int32_t)floor(b.y + 0.5), 0, 0};
  if (l.x0 == l.x1 && l.y0 == l.y1) return;
  if (o->lines.count >= MAX_LINES)
    o->result = STIJL_ERROR_LIMIT;
  else if (!sj_array_push(o->context, &o->lines, l) || !sj_array_push(o->context, &o->chords, c))
    o->result = STIJL_ERROR_OUT_OF_MEMORY;
}

// Returns how many chords keep the tolerance (Wang, Shen, Chen, Wang 1984).
static int chords_of(const outliner *o, const cubic *c) {
  double most = 6 * fmax(sj_bend(c->p[0], c->p[1], c->p[2]), sj_bend(c->p[1], c->p[2], c->p[3]));
  return (int)fmin(ceil(sqrt(most / (8 * o->tolerance))), MAX_CHORDS - 1) + 1;
}

// Adds chords for a part of the curve that was added last.
static void add_chords(outliner *o, const cubic *c, sj_vector *last, double from, double to, int count) {
  for (int i = 1; i <= count && !o->result; i++) {
    chord made = {(uint32_t)o->curves.count, from + (to - from) * (i - 1) / count, from + (to - from) * i / count};
    sj_vector next = made.to == 1 ? c->p[3] : sj_blossom(c->p, made.to, made.to, made.to);
    add_line(o, *last, next, made);
    *last = next;
  }
}

static void add_curve(outliner *o, cubic c, unsigned mark) {
  if (!sj_array_push(o->context, &o->curves, c)) o->result = STIJL_ERROR_OUT_OF_MEMORY;
  sj_vector last = c.p[0];
  if (!mark) {
    add_chords(o, &c, &last, 0, 1, 1);
    return;
  }
  const int coarse = SJ_COARSE_CHORDS, fine = (chords_of(o, &c) + coarse - 1) / coarse;
  for (int i = 0; i < coarse; i++)
    add_chords(o, &c, &last, (double)i / coarse, (double)(i + 1) / coarse, mark >> i & 1 ? fine : 1);
}

static void add_path(outliner *o, const stijl_path *path, const sj_crossing_mark *marks) {
  const stijl_point *points = path->points.data;
  sj_vector start = {0, 0}, at = {0, 0};
  bool open = false;
  for (size_t i = 0; i < path->verbs.count && !o->result; i++) {
    unsigned char verb = path->verbs.data[i];
    if (verb == STIJL_PATH_MOVE || verb == STIJL_PATH_CLOSE) {
      if (open) add_line(o, at, start, (chord){0, 0, 0});
      at = start;
      open = false;
      if (verb == STIJL_PATH_MOVE) start = at = on_grid(&o->grid, *points++);
      continue;
    }
    sj_vector p[3] = {{0, 0}};
    int count = sj_path_verb_points(verb);
    for (int k = 0; k < count; k++) p[k] = on_grid(&o->grid, *points++);
    if (verb == STIJL_PATH_LINE) add_line(o, at, p[0], (chord){0, 0, 0});
    if (verb == STIJL_PATH_QUAD)
      add_curve(o, (cubic){{at, sj_mix(at, p[0], 2.0 / 3), sj_mix(p[1], p[0], 2.0 / 3), p[1]}}, marks[i]);
    if (verb == STIJL_PATH_CUBIC) add_curve(o, (cubic){{at, p[0], p[1], p[2]}}, marks[i]);
    at = p[count - 1];
    open = true;
  }
  if (open) add_line(o, at, start, (chord){0, 0, 0});
}

static stijl_point off_grid(const sj_union_grid *g, sj_vector v) {
  return (stijl_point){(float)(g->x + v.x / g->scale), (float)(g->y + v.y / g->scale)};
}

static void line_to(const outliner *o, stijl_path *path, sj_vector v) {
  stijl_point p = off_grid(&o->grid, v);
  stijl_path_line_to(path, p.x, p.y);
}

// Returns the parameter of a point of a chord.
static double parameter(const outliner *o, uint32_t source, int32_t x, int32_t y) {
  const sj_union_line *l = &o->lines.data[source - 1];
  const chord *c = &o->chords.data[source - 1];
  if (x == l->x0 && y == l->y0) return c->from;
  if (x == l->x1 && y == l->y1) return c->to;
  double dx = (double)l->x1 - l->x0, dy = (double)l->y1 - l->y0;
  double t = fabs(dx) > fabs(dy) ? ((double)x - l->x0) / dx : ((double)y - l->y0) / dy;
  return c->from + (c->to - c->from) * fmax(0, fmin(1, t));
}

static uint32_t curve_of(const outliner *o, const sj_union_line *l) {
  return l->source ? o->chords.data[l->source - 1].curve : 0;
}

static bool are_near(sj_vector v, int32_t x, int32_t y) { return fabs(v.x - x) <= NEAR && fabs(v.y - y) <= NEAR; }

// Appends the lines from..to - 1 of an outline, which follow one another along a curve, as that part of it.
static void add_part(const outliner *o, const sj_union_line *from, const sj_union_line *last, stijl_path *path) {
  const cubic *c = &o->curves.data[curve_of(o, from) - 1];
  double a = parameter(o, from->source, from->x0, from->y0), b = parameter(o, last->source, last->x1, last->y1);
  sj_vector p[4] = {sj_blossom(c->p, a, a, a), sj_blossom(c->p, a, a, b), sj_blossom(c->p, a, b, b),
                    sj_blossom(c->p, b, b, b)};
  if (!are_near(p[0], from->x0, from->y0)) line_to(o, path, p[0]);
  stijl_point q[3];
  for (int i = 0; i < 3; i++) q[i] = off_grid(&o->grid, p[i + 1]);
  stijl_path_cubic_to(path, q[0].x, q[0].y, q[1].x, q[1].y, q[2].x, q[2].y);
  if (!are_near(p[3], last->x1, last->y1)) line_to(o, path, (sj_vector){last->x1, last->y1});
}

static bool follows(const sj_union_line *l, const sj_union_line *next) {
  return l->x1 == next->x0 && l->y1 == next->y0;
}

// Returns whether `next` goes on along the curve of `l`, in its direction.
static bool goes_on(const outliner *o, const sj_union_line *l, const sj_union_line *next) {
  if (!follows(l, next) || curve_of(o, l) != curve_of(o, next)) return false;
  double a = parameter(o, l->source, l->x0, l->y0), b = parameter(o, l->source, l->x1, l->y1);
  double c = parameter(o, next->source, next->x0, next->y0), d = parameter(o, next->source, next->x1, next->y1);
  return fabs(b - c) < 1e-9 && (a < b) == (c < d);
}

static void add_outline(const outliner *o, const sj_union_lines *outline, stijl_path *path) {
  const sj_union_line *l = outline->data;
  for (size_t i = 0, last; i < outline->count; i = last + 1) {
    last = i;
    if (i == 0 || !follows(&l[i - 1], &l[i])) {
      stijl_point p = off_grid(&o->grid, (sj_vector){l[i].x0, l[i].y0});
      stijl_path_close(path);
      stijl_path_move_to(path, p.x, p.y);
    }
    if (curve_of(o, &l[i]))
      while (last + 1 < outline->count && goes_on(o, &l[last], &l[last + 1])) last++;
    if (curve_of(o, &l[i]))
      add_part(o, &l[i], &l[last], path);
    else
      line_to(o, path, (sj_vector){l[i].x1, l[i].y1});
  }
  stijl_path_close(path);
}

static double area_of(const sj_union_lines *lines) {
  double area = 0;
  for (size_t i = 0; i < lines->count; i++) {
    sj_union_line l = lines->data[i];
    area += (double)l.x0 * l.y1 - (double)l.x1 * l.y0;
  }
  return area;
}

// Turns an outline to that of most of the path: outlines of glyphs, which are drawn
// together, may overlap one another.
static void turn_as(const sj_union_lines *lines, sj_union_lines *outline) {
  if (area_of(lines) * area_of(outline) >= 0) return;
  for (size_t i = 0; i < outline->count; i++) {
    sj_union_line l = outline->data[i];
    outline->data[i] = (sj_union_line){l.x1, l.y1, l.x0, l.y0, l.source, 0};
  }
  for (size_t i = 0, k = outline->count - 1; i < k; i++, k--) {
    sj_union_line swap = outline->data[i];
    outline->data[i] = outline->data[k];
    outline->data[k] = swap;
  }
}

stijl_result sj_path_fill_union(const stijl_path *path, const sj_crossing_mark *marks, double tolerance, bool evenodd,
                                uint64_t max_steps, stijl_path *out, bool *simple, uint64_t *steps) {
  outliner o = {.context = path->context};
  stijl_rect box;
  *steps = 0;
  *simple = true;
  if (!stijl_path_control_bounds(path, &box) || !(box.x1 > box.x0 && box.y1 > box.y0)) return STIJL_OK;
  o.grid = sj_union_grid_of((double)box.x0, (double)box.y0, (double)box.x1, (double)box.y1);
  o.tolerance = fmax(LEAST_TOLERANCE, fmin(MOST_TOLERANCE, tolerance * o.grid.scale));
  size_t count = path->verbs.count + path->points.count;  // more are rare
  if (!sj_array_reserve(o.context, &o.lines, 2 * count) || !sj_array_reserve(o.context, &o.chords, 2 * count) ||
      !sj_array_reserve(o.context, &o.curves, path->verbs.count))
    o.result = STIJL_ERROR_OUT_OF_MEMORY;
  add_path(&o, path, marks);
  sj_union_result united = {0};
  if (!o.result && !sj_union(o.context, &o.lines, evenodd, max_steps, &united))
    o.result = united.too_many ? STIJL_ERROR_LIMIT : STIJL_ERROR_OUT_OF_MEMORY;
  *steps = united.steps;
  *simple = united.simple;
  if (!o.result && !united.simple) {
    if (!sj_union_order(o.context, &united.outline)) o.result = STIJL_ERROR_OUT_OF_MEMORY;
    if (!o.result) turn_as(&o.lines, &united.outline);
    if (!o.result) add_outline(&o, &united.outline, out);
  }
  sj_arrays_finish(o.context, &o.lines, &o.chords, &o.curves, &united.outline);
  return o.result ? o.result : stijl_path_status(out);
}
