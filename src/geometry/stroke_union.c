// The lines, curves, joins and caps of a stroke become polygons, all of one direction, and then their union (union.h).
#include "geometry/stroke_union.h"

#include <math.h>

#include "geometry/corner.h"
#include "geometry/path.h"
#include "geometry/union.h"

// Chords may leave their curve by so many units of the grid at least, and at most. Those of joins and caps, which are
// small, leave the circle by less than a 512th of its radius.
#define LEAST_TOLERANCE 64.0
#define MOST_TOLERANCE 2048.0
#define ROUNDNESS 512.0
#define MAX_CHORDS 1024
#define MAX_LINES (1u << 18)
#define MOST_UNITS 0x1p24

// A chord of the circle is halved so often at most, from a quarter of it on.
#define HALVINGS 8
#define MAX_CORNERS (2 + 2 * (1 << HALVINGS))

// Of thinner strokes, and of miters that long, rounding to units would show.
#define LEAST_RADIUS 256.0  // units
#define MOST_REACH 64.0     // times the path's own

typedef struct {
  stijl_context *context;
  sj_union_lines lines;
  sj_union_grid grid;
  double tolerance;     // of chords
  double radius, flat;  // the cosine of half of what a chord of the circle turns
  const stijl_stroke *stroke;
  stijl_result result;
} outliner;

// --- polygons ---

// Returns a coordinate on the grid, which is 0 and ends it all if it is beyond: doubles have no room for boxes that
// small that far away.
static int32_t on_grid(outliner *o, double v, double middle) {
  double units = floor((v - middle) * o->grid.scale + 0.5);
  if (fabs(units) <= MOST_UNITS) return (int32_t)units;
  o->result = STIJL_ERROR_LIMIT;
  return 0;
}

static void add_line(outliner *o, sj_vector a, sj_vector b) {
  double x = o->grid.x, y = o->grid.y;
  sj_union_line l = {on_grid(o, a.x, x), on_grid(o, a.y, y), on_grid(o, b.x, x), on_grid(o, b.y, y), 0, 0};
  if (o->lines.count >= MAX_LINES)
    o->result = STIJL_ERROR_LIMIT;
  else if (!sj_array_push(o->context, &o->lines, l))
    o->result = STIJL_ERROR_OUT_OF_MEMORY;
}

// Adds a polygon around a point of the path; corners are offsets from it.
static void add_polygon(outliner *o, sj_vector at, const sj_vector *corners, size_t count) {
  double area = 0;
  for (size_t i = 0; i < count; i++) {
    sj_vector a = corners[i], b = corners[i + 1 < count ? i + 1 : 0];
    area += a.x * b.y - a.y * b.x;
  }
  for (size_t i = 0; i < count; i++) {
    sj_vector a = sj_sum(at, corners[i]), b = sj_sum(at, corners[i + 1 < count ? i + 1 : 0]);
    add_line(o, area < 0 ? b : a, area < 0 ? a : b);
  }
}

// Appends the arc from behind `a` to b, two unit vectors, by halves, of which there are at most `depth`.
static size_t add_arc(const outliner *o, sj_vector a, sj_vector b, int depth, sj_vector *out, size_t count) {
  sj_vector middle = sj_sum(a, b);
  double half = 0.5 * sj_length(middle);  // the cosine of half the turn
  if (depth && half < o->flat) {
    middle = sj_unit(middle);
    count = add_arc(o, a, middle, depth - 1, out, count);
    return add_arc(o, middle, b, depth - 1, out, count);
  }
  out[count++] = sj_along(b, o->radius);
  return count;
}

// Adds what a join covers beside the lines that meet there: outside of the turn from direction u to v.
static void add_join(outliner *o, sj_vector at, sj_vector u, sj_vector v, stijl_join join) {
  double cosine = sj_dot(u, v), side = sj_cross(u, v) > 0 ? -1 : 1;
  sj_vector a = sj_along(sj_left_of(u), side), b = sj_along(sj_left_of(v), side);  // unit normals on the outside
  sj_vector corners[MAX_CORNERS] = {{0, 0}, sj_along(a, o->radius)}, tips[2];
  size_t count = 2;
  if (join == STIJL_JOIN_ROUND && cosine <= SJ_CORNER_STRAIGHT) {
    sj_vector middle = cosine > SJ_CORNER_BACK ? sj_unit(sj_sum(a, b)) : u;
    count = add_arc(o, a, middle, HALVINGS, corners, count);
    count = add_arc(o, middle, b, HALVINGS, corners, count);
  } else {
    int tip_count = join == STIJL_JOIN_ROUND ? 0 : sj_corner_of(o->stroke, u, v, a, b, tips);
    for (int i = 0; i < tip_count; i++) corners[count++] = sj_along(tips[i], o->radius);
    corners[count++] = sj_along(b, o->radius);
  }
  add_polygon(o, at, corners, count);
}

// Adds the cap at the end of a line in direction u.
static void add_cap(outliner *o, sj_vector at, sj_vector u) {
  sj_vector n = sj_left_of(u), corners[MAX_CORNERS] = {sj_along(n, o->radius)};
  size_t count = 1;
  if (o->stroke->cap == STIJL_CAP_BUTT) return;
  if (o->stroke->cap == STIJL_CAP_ROUND) {
    count = add_arc(o, n, u, HALVINGS, corners, count);
    count = add_arc(o, u, sj_along(n, -1), HALVINGS, corners, count);
  } else {
    corners[count++] = sj_along(sj_sum(n, u), o->radius);
    corners[count++] = sj_along(sj_difference(u, n), o->radius);
    corners[count++] = sj_along(n, -o->radius);
  }
  add_polygon(o, at, corners, count);
}

static void add_straight(outliner *o, sj_vector from, sj_vector to) {
  sj_vector v = sj_difference(to, from), n = sj_along(sj_left_of(sj_unit(v)), o->radius);
  add_polygon(o, from, (sj_vector[]){n, sj_sum(v, n), sj_difference(v, n), sj_along(n, -1)}, 4);
}

// --- segments ---

typedef struct {
  sj_vector p[4];         // as a cubic
  sj_vector first, last;  // unit tangents at the ends
  bool straight;
} segment;

static sj_vector tangent(const sj_vector *p, int step) {
  for (int i = 1; i < 4; i++) {
    sj_vector v = sj_difference(p[i * step], p[0]);
    if (!sj_is_point(v)) return sj_unit(v);
  }
  return (sj_vector){1, 0};
}

static double bend(sj_vector a, sj_vector b, sj_vector c) {
  return sj_length(sj_sum(sj_difference(a, b), sj_difference(c, b)));
}

// Returns no less than the angle between two vectors: a chord of the unit circle is at least 2 / pi of its arc.
static double angle(sj_vector u, sj_vector v) {
  return sj_is_point(u) || sj_is_point(v) ? 0 : 1.5707964 * sj_length(sj_difference(sj_unit(v), sj_unit(u)));
}

// Returns how many chords keep the tolerance: of the curve (Wang, Shen, Chen, Wang 1984), and of what turns with it.
static int chords_of(const outliner *o, const segment *s) {
  const sj_vector *p = s->p;
  sj_vector a = sj_difference(p[1], p[0]), b = sj_difference(p[2], p[1]), c = sj_difference(p[3], p[2]);
  double turn = angle(a, b) + angle(b, c);
  double square = 6 * fmax(bend(p[0], p[1], p[2]), bend(p[1], p[2], p[3])) + turn * turn * o->radius;
  return (int)fmin(ceil(sqrt(square / (8 * o->tolerance))), MAX_CHORDS - 1) + 1;
}

static sj_vector point_at(const sj_vector *p, double t) {
  double s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
  return (sj_vector){a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
                     a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

static sj_vector tangent_at(const segment *s, double t) {
  sj_vector a = sj_difference(s->p[1], s->p[0]), b = sj_difference(s->p[2], s->p[1]),
            c = sj_difference(s->p[3], s->p[2]);
  double r = 1 - t;
  sj_vector v = sj_sum(sj_sum(sj_along(a, r * r), sj_along(b, 2 * r * t)), sj_along(c, t * t));
  return sj_is_point(v) ? s->first : sj_unit(v);
}

// A place on a curve, with the offset to its left.
typedef struct {
  sj_vector p, u, o;
} place;

// Adds a curve. Chords whose sides run forwards are a strip, which is one polygon; others are straight pieces with
// round joins, since where the curve bends tighter than the pen the sides would run against what they are around.
static void add_curve(outliner *o, const segment *s) {
  int n = chords_of(o, s);
  place last = {s->p[0], s->first, sj_along(sj_left_of(s->first), o->radius)};
  bool strip = false;
  for (int i = 1; i <= n && !o->result; i++) {
    double t = (double)i / n;
    place next = {i == n ? s->p[3] : point_at(s->p, t), i == n ? s->last : tangent_at(s, t), {0, 0}};
    next.o = sj_along(sj_left_of(next.u), o->radius);
    sj_vector chord = sj_difference(next.p, last.p);
    bool plain = fabs(sj_dot(chord, sj_difference(next.o, last.o))) < sj_dot(chord, chord) &&
                 sj_dot(last.u, next.u) > 0.5 && sj_dot(chord, last.u) > 0 && sj_dot(chord, next.u) > 0;
    if (plain && !strip) add_line(o, sj_sum(last.p, last.o), sj_difference(last.p, last.o));
    if (!plain && strip) add_line(o, sj_difference(last.p, last.o), sj_sum(last.p, last.o));
    if (plain) {
      add_line(o, sj_difference(last.p, last.o), sj_difference(next.p, next.o));
      add_line(o, sj_sum(next.p, next.o), sj_sum(last.p, last.o));
    } else if (!sj_is_point(chord)) {
      sj_vector u = sj_unit(chord);
      add_join(o, last.p, last.u, u, STIJL_JOIN_ROUND);
      add_straight(o, last.p, next.p);
      add_join(o, next.p, u, next.u, STIJL_JOIN_ROUND);
    } else {
      add_join(o, next.p, last.u, next.u, STIJL_JOIN_ROUND);
    }
    strip = plain;
    last = next;
  }
  if (strip) add_line(o, sj_difference(last.p, last.o), sj_sum(last.p, last.o));
}

// --- paths ---

typedef struct {
  sj_vector start, at;    // of the subpath, and where it is
  sj_vector first, last;  // unit tangents; 0 before there is a segment
  bool open;              // there are verbs after the MOVE
} subpath;

static void add_segment(outliner *o, subpath *sub, const sj_vector *points, int count) {
  segment s = {.p = {sub->at}, .straight = count == 1};
  sj_vector a = sub->at, b = points[0], c = points[count - 1];
  sub->open = true;
  if (count == 3) {
    s.p[1] = points[0];
    s.p[2] = points[1];
  } else if (count == 2) {
    s.p[1] = sj_mix(a, b, 2.0 / 3);
    s.p[2] = sj_mix(c, b, 2.0 / 3);
  } else {
    s.p[1] = a;
    s.p[2] = c;
  }
  s.p[3] = c;
  if (sj_is_point(sj_difference(s.p[1], a)) && sj_is_point(sj_difference(s.p[2], a)) &&
      sj_is_point(sj_difference(c, a)))
    return;
  s.first = tangent(s.p, 1);
  s.last = sj_along(tangent(s.p + 3, -1), -1);
  if (sj_is_point(sub->first))
    sub->first = s.first;
  else
    add_join(o, a, sub->last, s.first, o->stroke->join);
  if (s.straight)
    add_straight(o, a, c);
  else
    add_curve(o, &s);
  sub->last = s.last;
  sub->at = c;
}

static void end_subpath(outliner *o, subpath *sub, bool closed) {
  if (closed) add_segment(o, sub, &sub->start, 1);
  sj_vector right = {1, 0}, u = sj_is_point(sub->first) ? right : sub->first,
            v = sj_is_point(sub->first) ? right : sub->last;
  if (closed && !sj_is_point(sub->first)) {
    add_join(o, sub->start, sub->last, sub->first, o->stroke->join);
  } else if (sub->open) {
    add_cap(o, sub->start, sj_along(u, -1));
    add_cap(o, sub->at, v);
  }
  *sub = (subpath){.start = sub->start, .at = sub->start};
}

static void add_path(outliner *o, const stijl_path *path) {
  const stijl_point *points = path->points.data;
  subpath sub = {0};
  for (size_t i = 0; i < path->verbs.count && !o->result; i++) {
    unsigned char verb = path->verbs.data[i];
    int count = sj_path_verb_points(verb);
    sj_vector p[3] = {{0, 0}};
    for (int k = 0; k < count; k++) p[k] = sj_vector_of(*points++);
    if (verb == STIJL_PATH_MOVE) {
      end_subpath(o, &sub, false);
      sub.start = sub.at = p[0];
    } else if (verb == STIJL_PATH_CLOSE) {
      end_subpath(o, &sub, true);
    } else {
      add_segment(o, &sub, p, count);
    }
  }
  end_subpath(o, &sub, false);
}

static stijl_point off_grid(const sj_union_grid *g, int32_t x, int32_t y) {
  return (stijl_point){(float)(g->x + x / g->scale), (float)(g->y + y / g->scale)};
}

static void add_outline(const outliner *o, const sj_union_lines *outline, stijl_path *path) {
  const sj_union_line *l = outline->data;
  for (size_t i = 0; i < outline->count; i++) {
    if (i == 0 || l[i].x0 != l[i - 1].x1 || l[i].y0 != l[i - 1].y1) {
      stijl_point p = off_grid(&o->grid, l[i].x0, l[i].y0);
      stijl_path_close(path);
      stijl_path_move_to(path, p.x, p.y);
    }
    stijl_point p = off_grid(&o->grid, l[i].x1, l[i].y1);
    stijl_path_line_to(path, p.x, p.y);
  }
  stijl_path_close(path);
}

stijl_result sj_path_stroke_union(const stijl_path *path, const stijl_stroke *stroke, double tolerance,
                                  uint64_t max_steps, stijl_path *out, uint64_t *steps) {
  outliner o = {.context = path->context, .radius = 0.5 * (double)stroke->width, .stroke = stroke};
  bool mitered = stroke->join == STIJL_JOIN_MITER || stroke->join == STIJL_JOIN_MITER_CLIP;
  double reach = o.radius * (mitered ? fmax((double)stroke->miter_limit, 1) + 1 : 1.5);
  stijl_rect box;
  *steps = 0;
  if (!stijl_path_control_bounds(path, &box)) return STIJL_ERROR_LIMIT;
  double side = fmax((double)box.x1 - (double)box.x0, (double)box.y1 - (double)box.y0);
  if (!(side > 0) || reach > MOST_REACH * side) return STIJL_ERROR_LIMIT;
  o.grid =
      sj_union_grid_of((double)box.x0 - reach, (double)box.y0 - reach, (double)box.x1 + reach, (double)box.y1 + reach);
  if (o.radius * o.grid.scale < LEAST_RADIUS) return STIJL_ERROR_LIMIT;
  o.tolerance = fmax(LEAST_TOLERANCE, fmin(MOST_TOLERANCE, tolerance * o.grid.scale)) / o.grid.scale;
  o.flat = 1 - fmin(1 / ROUNDNESS, o.tolerance / o.radius);
  add_path(&o, path);
  sj_union_result united = {0};
  if (!o.result && !sj_union(o.context, &o.lines, false, max_steps, &united))
    o.result = united.too_many ? STIJL_ERROR_LIMIT : STIJL_ERROR_OUT_OF_MEMORY;
  if (!o.result && !sj_union_order(o.context, &united.outline)) o.result = STIJL_ERROR_OUT_OF_MEMORY;
  *steps = united.steps;
  if (!o.result) add_outline(&o, &united.outline, out);
  sj_arrays_finish(o.context, &o.lines, &united.outline);
  return o.result ? o.result : stijl_path_status(out);
}
