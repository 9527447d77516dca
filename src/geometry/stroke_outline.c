// Each side of a segment becomes a few cubics that are beside it by half of the pen's width. Where two segments meet in
// a corner, the sides inside of it are cut where they cross, and those outside are joined.
#include "geometry/stroke_outline.h"

#include <math.h>

#include "geometry/corner.h"
#include "geometry/path.h"

// Sides are off by so many tolerances at most, a 32nd of a pixel: sixteen would save a seventh of the pieces.
#define COARSER 4
#define HALVINGS 5  // of a curve, at most
#define CHORDS 4    // of a piece, to find out where it crosses others
#define NEWTON 6    // steps to where two pieces cross
// To make a piece takes as long as so many steps of a union, and to look for where two whose boxes overlap cross.
#define PIECE_STEPS 16
#define PAIR_STEPS 64

enum { LEFT, RIGHT };

// A part of a side.
typedef struct {
  sj_vector p[4];
  bool straight;
} piece;

// What a side does where its segment and the next one meet.
typedef enum {
  GOES_ON,  // a line to where the next one begins
  MEETS,    // both end where they cross
  TURNS,    // inside of the corner, around the path's point
  JOINS     // outside of it
} joint;

// A segment: which pieces of each side are its own, where it begins and ends, and in which directions.
typedef struct {
  size_t first[2], end[2];
  sj_vector from, to, u, v;
  joint joints[2];
} segment;

typedef struct {
  stijl_context *context;
  const stijl_stroke *stroke;
  double radius, tolerance;
  SJ_ARRAY(piece) sides[2];
  SJ_ARRAY(segment) segments;  // of a subpath
  sj_vector at;
  stijl_path *out;
  bool plain, memory_short;
  uint64_t steps, max_steps;
} outliner;

// --- sides ---

// A place on a curve, where it goes, how fast, and how fast that direction turns.
typedef struct {
  double t, speed, turn;
  sj_vector p, u;
} place;

static sj_vector combination(const sj_vector *p, const double *w, int count) {
  sj_vector v = {0, 0};
  for (int i = 0; i < count; i++) v = sj_sum(v, sj_along(p[i], w[i]));
  return v;
}

// Returns the derivative of a cubic.
static sj_vector speed_at(const sj_vector *p, double t) {
  double s = 1 - t;
  sj_vector d[3];
  for (int i = 0; i < 3; i++) d[i] = sj_along(sj_difference(p[i + 1], p[i]), 3);
  return combination(d, (double[]){s * s, 2 * s * t, t * t}, 3);
}

static place place_at(const sj_vector *p, double t) {
  double s = 1 - t;
  sj_vector d[3], e[2], last;
  for (int i = 0; i < 3; i++) d[i] = sj_along(sj_difference(p[i + 1], p[i]), 3);
  for (int i = 0; i < 2; i++) e[i] = sj_along(sj_difference(d[i + 1], d[i]), 2);
  last = sj_difference(e[1], e[0]);
  sj_vector first = speed_at(p, t);
  sj_vector second = combination(e, (double[]){s, t}, 2);
  place out = {.t = t, .p = combination(p, (double[]){s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t}, 4)};
  // Where a control point is at an end, the curve begins in the direction of the next one that is not.
  double size = sj_length(d[0]) + sj_length(d[1]) + sj_length(d[2]), back = t > 0.5 ? -1 : 1;
  out.speed = sj_length(first);
  if (out.speed > 1e-6 * size) {
    out.u = sj_unit(first);
    out.turn = sj_cross(first, second) / (out.speed * out.speed);
  } else if (sj_length(second) > 1e-6 * size) {
    out.u = sj_along(sj_unit(second), back);
    out.turn = 0.5 * sj_cross(second, last) / sj_dot(second, second);
  } else {
    out.u = sj_unit(last);
  }
  return out;
}

static sj_vector beside(const place *a, double offset) { return sj_sum(a->p, sj_along(sj_left_of(a->u), offset)); }

// Returns the cubic that begins and ends beside a curve as fast as what is beside the curve all along (Tiller, Hanson,
// "Offsets of two-dimensional profiles", 1984, with the derivatives of the offset curve).
static piece piece_beside(const place *a, const place *b, double offset) {
  double third = (b->t - a->t) / 3;
  sj_vector from = beside(a, offset), to = beside(b, offset);
  double begins = fmax(0, a->speed - offset * a->turn), ends = fmax(0, b->speed - offset * b->turn);
  return (piece){
      {from, sj_sum(from, sj_along(a->u, begins * third)), sj_difference(to, sj_along(b->u, ends * third)), to}, false};
}

static sj_vector middle_of(const piece *c) { return combination(c->p, (double[]){0.125, 0.375, 0.375, 0.125}, 4); }

// Returns whether a piece is within the tolerance in its middle.
static bool fits(const outliner *o, const piece *c, const place *middle, double offset) {
  return fabs(sj_dot(sj_difference(middle_of(c), beside(middle, offset)), sj_left_of(middle->u))) <= o->tolerance;
}

// Returns whether a side runs forwards.
static bool runs_forwards(const place *a, const place *b, double offset) {
  sj_vector chord = sj_difference(b->p, a->p), side = sj_difference(beside(b, offset), beside(a, offset));
  return sj_dot(chord, side) > 0;
}

static void add_piece(outliner *o, int side, piece made) {
  if (!sj_array_push(o->context, &o->sides[side], made)) o->memory_short = true;
  o->steps += PIECE_STEPS;
}

static piece straight_piece(sj_vector from, sj_vector to) {
  return (piece){{from, sj_mix(from, to, 1.0 / 3), sj_mix(from, to, 2.0 / 3), to}, true};
}

// Adds what is beside a part of a curve that bends tighter than the pen: inside of the bend, which is as short as a
// corner, the side goes around the curve's point.
static void add_bend(outliner *o, const place *a, const place *middle, const place *b, int side, double offset) {
  piece made = piece_beside(a, b, offset);
  if (runs_forwards(a, b, offset) && fits(o, &made, middle, offset)) {
    add_piece(o, side, made);
    return;
  }
  add_piece(o, side, straight_piece(made.p[0], middle->p));
  add_piece(o, side, straight_piece(middle->p, made.p[3]));
}

// Adds what is beside a part of a curve.
static void add_beside(outliner *o, const sj_vector *curve, const place *a, const place *b,
                       int halvings) {  // NOLINT(misc-no-recursion): HALVINGS levels
  const double r = o->radius;
  place middle = place_at(curve, 0.5 * (a->t + b->t));
  piece left = piece_beside(a, b, r), right = piece_beside(a, b, -r);
  bool turns_little = sj_dot(a->u, middle.u) > 0.5 && sj_dot(middle.u, b->u) > 0.5;
  bool forwards = runs_forwards(a, &middle, r) && runs_forwards(&middle, b, r) && runs_forwards(a, &middle, -r) &&
                  runs_forwards(&middle, b, -r);
  if (turns_little && forwards && fits(o, &left, &middle, r) && fits(o, &right, &middle, -r)) {
    add_piece(o, LEFT, left);
    add_piece(o, RIGHT, right);
  } else if (halvings) {
    add_beside(o, curve, a, &middle, halvings - 1);
    add_beside(o, curve, &middle, b, halvings - 1);
  } else if (turns_little) {
    add_bend(o, a, &middle, b, LEFT, r);
    add_bend(o, a, &middle, b, RIGHT, -r);
  } else {
    o->plain = false;
  }
}

// Adds a segment with so many points behind the current one.
static void add_segment(outliner *o, const sj_vector *points, int count) {
  sj_vector p[4] = {o->at, o->at, points[0], points[count - 1]};
  if (count == 2) {
    p[1] = sj_mix(p[0], points[0], 2.0 / 3);
    p[2] = sj_mix(p[3], points[0], 2.0 / 3);
  } else if (count == 3) {
    p[1] = points[0];
    p[2] = points[1];
  }
  // What is that near to an end does not tell where the curve goes from there.
  if (sj_length(sj_difference(p[1], p[0])) <= o->tolerance) p[1] = p[0];
  if (sj_length(sj_difference(p[2], p[3])) <= o->tolerance) p[2] = p[3];
  bool moved = false;
  for (int i = 1; i < 4; i++) moved |= !sj_is_point(sj_difference(p[i], p[0]));
  if (!moved) return;
  segment made = {.from = p[0], .to = p[3]};
  for (int side = 0; side < 2; side++) made.first[side] = o->sides[side].count;
  if (count == 1) {
    made.u = made.v = sj_unit(sj_difference(p[3], p[0]));
    sj_vector n = sj_along(sj_left_of(made.u), o->radius);
    add_piece(o, LEFT, straight_piece(sj_sum(p[0], n), sj_sum(p[3], n)));
    add_piece(o, RIGHT, straight_piece(sj_difference(p[0], n), sj_difference(p[3], n)));
  } else {
    place a = place_at(p, 0), b = place_at(p, 1);
    made.u = a.u;
    made.v = b.u;
    add_beside(o, p, &a, &b, HALVINGS);
  }
  for (int side = 0; side < 2; side++) made.end[side] = o->sides[side].count;
  if (!sj_array_push(o->context, &o->segments, made)) o->memory_short = true;
  o->at = p[3];
}

// --- corners ---

static piece part_of(const piece *c, double from, double to) {
  return (piece){{sj_blossom(c->p, from, from, from), sj_blossom(c->p, from, from, to), sj_blossom(c->p, from, to, to),
                  sj_blossom(c->p, to, to, to)},
                 c->straight};
}

static bool are_apart(const piece *a, const piece *b) {
  double low[2][2], high[2][2];
  for (int k = 0; k < 2; k++) {
    const sj_vector *p = k ? b->p : a->p;
    low[k][0] = fmin(fmin(p[0].x, p[1].x), fmin(p[2].x, p[3].x));
    high[k][0] = fmax(fmax(p[0].x, p[1].x), fmax(p[2].x, p[3].x));
    low[k][1] = fmin(fmin(p[0].y, p[1].y), fmin(p[2].y, p[3].y));
    high[k][1] = fmax(fmax(p[0].y, p[1].y), fmax(p[2].y, p[3].y));
  }
  return low[0][0] > high[1][0] || low[1][0] > high[0][0] || low[0][1] > high[1][1] || low[1][1] > high[0][1];
}

// Goes on from a place near which two pieces cross to where they do. Returns false if that is not between their ends.
static bool find_crossing(const outliner *o, const piece *a, const piece *b, double *s, double *t) {
  for (int i = 0; i < NEWTON; i++) {
    sj_vector u = speed_at(a->p, *s), v = speed_at(b->p, *t);
    sj_vector gap = sj_difference(sj_blossom(b->p, *t, *t, *t), sj_blossom(a->p, *s, *s, *s));
    double det = sj_cross(u, v);
    if (det == 0) return false;
    *s = fmax(0, fmin(1, *s + sj_cross(gap, v) / det));
    *t = fmax(0, fmin(1, *t + sj_cross(gap, u) / det));
  }
  sj_vector gap = sj_difference(sj_blossom(b->p, *t, *t, *t), sj_blossom(a->p, *s, *s, *s));
  return sj_length(gap) <= o->tolerance;
}

// Finds where two pieces cross: of several places the last one of `a`.
static bool pieces_cross(const outliner *o, const piece *a, const piece *b, double *s, double *t) {
  for (int i = CHORDS - 1; i >= 0; i--)
    for (int k = 0; k < CHORDS; k++) {
      double s0 = (double)i / CHORDS, s1 = (i + 1.0) / CHORDS, t0 = (double)k / CHORDS, t1 = (k + 1.0) / CHORDS;
      sj_vector p = sj_blossom(a->p, s0, s0, s0), q = sj_blossom(b->p, t0, t0, t0);
      sj_vector u = sj_difference(sj_blossom(a->p, s1, s1, s1), p), v = sj_difference(sj_blossom(b->p, t1, t1, t1), q);
      sj_vector gap = sj_difference(q, p);
      double det = sj_cross(u, v), x = sj_cross(gap, v) / det, y = sj_cross(gap, u) / det;
      if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) continue;
      *s = s0 + (s1 - s0) * x;
      *t = t0 + (t1 - t0) * y;
      if (find_crossing(o, a, b, s, t)) return true;
    }
  return false;
}

// Cuts the inner sides of a corner where they cross. Returns whether they do.
static bool cut_corner(outliner *o, segment *a, segment *b, int side) {
  piece *pieces = o->sides[side].data;
  for (size_t end = a->end[side]; end > a->first[side]; end--)
    for (size_t k = b->first[side]; k < b->end[side]; k++) {
      piece *last = &pieces[end - 1], *next = &pieces[k];
      double s, t;
      if (o->steps++ > o->max_steps) return false;
      if (are_apart(last, next)) continue;
      o->steps += PAIR_STEPS;
      if (!pieces_cross(o, last, next, &s, &t)) continue;
      *last = part_of(last, 0, s);
      *next = part_of(next, t, 1);
      next->p[0] = last->p[3];
      a->end[side] = end;
      b->first[side] = k;
      return true;
    }
  return false;
}

static void meet(outliner *o, segment *a, segment *b) {
  double turn = sj_cross(a->v, b->u);
  int inner = turn > 0 ? LEFT : RIGHT;
  if (sj_dot(a->v, b->u) > SJ_CORNER_STRAIGHT) {
    a->joints[LEFT] = a->joints[RIGHT] = GOES_ON;
    return;
  }
  a->joints[inner] = a != b && cut_corner(o, a, b, inner) ? MEETS : TURNS;
  a->joints[!inner] = JOINS;
}

// --- the outline ---

static void move_to(const outliner *o, sj_vector v) { stijl_path_move_to(o->out, (float)v.x, (float)v.y); }
static void line_to(const outliner *o, sj_vector v) { stijl_path_line_to(o->out, (float)v.x, (float)v.y); }

static void curve_to(const outliner *o, sj_vector a, sj_vector b, sj_vector c) {
  stijl_path_cubic_to(o->out, (float)a.x, (float)a.y, (float)b.x, (float)b.y, (float)c.x, (float)c.y);
}

// Goes on around a point of the path from the offset a, a unit vector, to b, no more than a quarter of a turn on.
static void arc_to(const outliner *o, sj_vector at, sj_vector a, sj_vector b) {
  // tan(angle / 4) = sin / (1 + cos) of its half: the sum of two unit vectors is as long as twice that cosine.
  double half = 0.5 * sj_length(sj_sum(a, b)), sine = sqrt(fmax(0, 1 - half * half));
  double arm = o->radius * 4 / 3 * sine / (1 + half), side = sj_cross(a, b) < 0 ? -1 : 1;
  sj_vector from = sj_sum(at, sj_along(a, o->radius)), to = sj_sum(at, sj_along(b, o->radius));
  curve_to(o, sj_sum(from, sj_along(sj_left_of(a), side * arm)), sj_difference(to, sj_along(sj_left_of(b), side * arm)),
           to);
}

// Goes on along a join, from beside a point of the path on the right of direction u to there of v.
static void join_to(const outliner *o, sj_vector at, sj_vector u, sj_vector v) {
  sj_vector a = sj_along(sj_left_of(u), -1), b = sj_along(sj_left_of(v), -1), corners[2];
  if (o->stroke->join == STIJL_JOIN_ROUND) {
    sj_vector middle = sj_dot(u, v) > SJ_CORNER_BACK ? sj_unit(sj_sum(a, b)) : u;
    arc_to(o, at, a, middle);
    arc_to(o, at, middle, b);
    return;
  }
  int count = sj_corner_of(o->stroke, u, v, a, b, corners);
  for (int i = 0; i < count; i++) line_to(o, sj_sum(at, sj_along(corners[i], o->radius)));
  line_to(o, sj_sum(at, sj_along(b, o->radius)));
}

// Goes on along the cap at the end of direction u, from the right side to the left one.
static void cap_to(const outliner *o, sj_vector at, sj_vector u) {
  sj_vector left = sj_left_of(u), right = sj_along(left, -1);
  if (o->stroke->cap == STIJL_CAP_ROUND) {
    arc_to(o, at, right, u);
    arc_to(o, at, u, left);
    return;
  }
  if (o->stroke->cap == STIJL_CAP_SQUARE) {
    line_to(o, sj_sum(at, sj_along(sj_sum(right, u), o->radius)));
    line_to(o, sj_sum(at, sj_along(sj_sum(left, u), o->radius)));
  }
  line_to(o, sj_sum(at, sj_along(left, o->radius)));
}

static void piece_to(const outliner *o, const piece *c, bool back) {
  const sj_vector *p = c->p;
  if (c->straight)
    line_to(o, back ? p[0] : p[3]);
  else if (back)
    curve_to(o, p[2], p[1], p[0]);
  else
    curve_to(o, p[1], p[2], p[3]);
}

// Goes on from the right side of a segment to that of the next one in the direction of travel: the path's, or against
// it with `back`.
static void joint_to(const outliner *o, const segment *a, const segment *b, int side, bool back) {
  const segment *before = back ? b : a;
  const piece *pieces = o->sides[side].data;
  sj_vector u = back ? sj_along(a->u, -1) : a->v, v = back ? sj_along(b->v, -1) : b->u, at = back ? a->from : a->to;
  joint how = before->joints[side];
  if (how == MEETS) return;
  if (how == JOINS) join_to(o, at, u, v);
  if (how == TURNS) line_to(o, at);
  if (how != JOINS) line_to(o, back ? pieces[b->end[side] - 1].p[3] : pieces[b->first[side]].p[0]);
}

// Appends a side of a subpath in the direction of travel, in which it is the right one.
static void add_side(const outliner *o, int side, bool closed) {
  bool back = side == LEFT;
  size_t count = o->segments.count;
  const segment *segments = o->segments.data;
  const piece *pieces = o->sides[side].data;
  for (size_t i = 0; i < count; i++) {
    const segment *a = &segments[back ? count - 1 - i : i];
    for (size_t k = 0, n = a->end[side] - a->first[side]; k < n; k++)
      piece_to(o, &pieces[back ? a->end[side] - 1 - k : a->first[side] + k], back);
    size_t next = back ? (2 * count - 2 - i) % count : (i + 1) % count;
    if (i + 1 < count || closed) joint_to(o, a, &segments[next], side, back);
  }
}

static sj_vector start_of(const outliner *o, int side) {
  const segment *last = &o->segments.data[o->segments.count - 1], *first = o->segments.data;
  const piece *pieces = o->sides[side].data;
  return side == LEFT ? pieces[last->end[LEFT] - 1].p[3] : pieces[first->first[RIGHT]].p[0];
}

static void add_outline(const outliner *o, bool closed) {
  const segment *first = o->segments.data, *last = first + o->segments.count - 1;
  move_to(o, start_of(o, RIGHT));
  add_side(o, RIGHT, closed);
  if (closed) {
    stijl_path_close(o->out);
    move_to(o, start_of(o, LEFT));
  } else {
    cap_to(o, last->to, last->v);
  }
  add_side(o, LEFT, closed);
  if (!closed) cap_to(o, first->from, sj_along(first->u, -1));
  stijl_path_close(o->out);
}

static void end_subpath(outliner *o, bool closed, bool begun) {
  size_t count = o->segments.count;
  if (begun && !count) o->plain = false;  // a point
  if (!count || !o->plain || o->memory_short || o->steps > o->max_steps) return;
  segment *segments = o->segments.data;
  for (size_t i = 0; i + 1 < count; i++) meet(o, &segments[i], &segments[i + 1]);
  if (closed) meet(o, &segments[count - 1], &segments[0]);
  add_outline(o, closed);
  o->segments.count = o->sides[LEFT].count = o->sides[RIGHT].count = 0;
}

static void add_path(outliner *o, const stijl_path *path) {
  const stijl_point *points = path->points.data;
  sj_vector start = {0, 0};
  bool begun = false;
  for (size_t i = 0; i < path->verbs.count && o->plain && !o->memory_short && o->steps <= o->max_steps; i++) {
    unsigned char verb = path->verbs.data[i];
    int count = sj_path_verb_points(verb);
    sj_vector p[3] = {{0, 0}};
    for (int k = 0; k < count; k++) p[k] = sj_vector_of(*points++);
    if (verb == STIJL_PATH_MOVE) {
      end_subpath(o, false, begun);
      start = o->at = p[0];
      begun = false;
    } else if (verb == STIJL_PATH_CLOSE) {
      add_segment(o, &start, 1);
      end_subpath(o, true, true);
      begun = false;
    } else {
      add_segment(o, p, count);
      begun = true;
    }
  }
  end_subpath(o, false, begun);
}

stijl_result sj_path_stroke_outline(const stijl_path *path, const stijl_stroke *stroke, double tolerance,
                                    uint64_t max_steps, stijl_path *out, bool *plain, uint64_t *steps) {
  outliner o = {.context = path->context,
                .stroke = stroke,
                .radius = 0.5 * (double)stroke->width,
                .tolerance = COARSER * tolerance,
                .out = out,
                .plain = true,
                .max_steps = max_steps};
  add_path(&o, path);
  *plain = o.plain;
  *steps = o.steps;
  sj_arrays_finish(o.context, &o.sides[LEFT], &o.sides[RIGHT], &o.segments);
  if (o.steps > o.max_steps) return STIJL_ERROR_LIMIT;
  return o.memory_short ? STIJL_ERROR_OUT_OF_MEMORY : stijl_path_status(out);
}
