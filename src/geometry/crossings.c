// A tree of boxes tells which lines and curves of a path may meet; nearly all paths have none. What of them overlaps is
// looked at closely, curves as chords.
#include "geometry/crossings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/path.h"
#include "geometry/vector.h"

#define MAX_PIECES (1u << 16)
#define GROUP 8    // pieces that follow one another, below each leaf of the tree
#define RECENT 4u  // lines that recording looks at whether one is repeated

// How many pairs are compared: so many for each piece, and some. Those that are looked at as chords count as more.
#define MAX_PAIRS 64
#define MORE_PAIRS 4096
#define CHORD_PAIRS 16

// A pair takes as long as so many steps of a union.
#define PAIR_STEPS 4

// Of the largest coordinate: what float coordinates of points that are meant to be the same may differ by.
#define ROUNDING 0x1p-20

// The cosine of a turn from which on a stroke's inner corner is covered twice (kernel/stroke.h).
#define TURNS_BACK (-0.99)

typedef struct {
  float x0, y0, x1, y1;
} box;

// A line or curve, or the line that closes a subpath.
typedef struct {
  const stijl_point *p;
  uint32_t kind;      // how many points there are after the first
  uint32_t subpath;   // its number
  uint32_t verb;      // its number
  uint32_t next;      // the piece that begins where this one ends; itself where there is none
  uint32_t quarters;  // a bit for each quarter of the plane that it runs to, by its control points
} piece;

typedef struct {
  stijl_context *context;
  SJ_ARRAY(piece) pieces;
  SJ_ARRAY(stijl_point) closing;  // the points of lines that close subpaths
  box *around;                    // of each piece
  box *boxes;  // node i is around nodes 2 i and 2 i + 1; groups of pieces are the nodes from `leaves` on
  uint32_t leaves;
  uint32_t pairs;  // that may still be compared
  uint64_t steps;  // that it took
  uint32_t subpaths;
  bool stroked, unfolds;
  bool butts;               // dashes end without caps
  bool found;               // some meet
  double slack;             // of lines that are repeated
  sj_crossing_mark *marks;  // of each verb; NULL: one is enough
  double margin;            // what is nearer to one another meets
  double between;           // the same, of different subpaths
} finder;

static float least(float a, float b) { return a < b ? a : b; }
static float most(float a, float b) { return a > b ? a : b; }

// Returns whether all directions lie in less than half of the plane, by the quarters that they are in, so that curves
// that run that way, one after the other, cannot cross.
static bool turns_little(uint32_t quarters) {
  const uint32_t halves = 1u << 1 | 1u << 2 | 1u << 4 | 1u << 8 | 1u << 3 | 1u << 6 | 1u << 12 | 1u << 9;
  return halves >> quarters & 1;
}

static box box_of(const piece *c, float margin) {
  box b = {c->p[0].x, c->p[0].y, c->p[0].x, c->p[0].y};
  for (uint32_t i = 1; i <= c->kind; i++) {
    b.x0 = least(b.x0, c->p[i].x);
    b.y0 = least(b.y0, c->p[i].y);
    b.x1 = most(b.x1, c->p[i].x);
    b.y1 = most(b.y1, c->p[i].y);
  }
  return (box){b.x0 - margin, b.y0 - margin, b.x1 + margin, b.y1 + margin};
}

static box around(box a, box b) {
  return (box){least(a.x0, b.x0), least(a.y0, b.y0), most(a.x1, b.x1), most(a.y1, b.y1)};
}

static bool overlap(const box *a, const box *b) {
  return a->x0 <= b->x1 && b->x0 <= a->x1 && a->y0 <= b->y1 && b->y0 <= a->y1;
}

static sj_vector at(const piece *c, uint32_t i) { return sj_vector_of(c->p[i]); }

// Returns whether a stroke's inner corner is covered twice.
static bool turns_back(sj_vector u, sj_vector v) { return sj_turns_beyond(u, v, TURNS_BACK); }

// Adds a piece that runs from points[0] on, unless it is a point.
static void add_piece(finder *f, const stijl_point *points, uint32_t kind, size_t verb) {
  uint32_t quarters = 0;
  for (uint32_t i = 0; i < kind; i++) {
    sj_vector v = sj_difference(sj_vector_of(points[i + 1]), sj_vector_of(points[i]));
    if (!sj_is_point(v)) quarters |= 1u << sj_quarter(v);
  }
  uint32_t next = (uint32_t)f->pieces.count + 1;
  f->pieces.data[f->pieces.count] = (piece){points, kind, f->subpaths, (uint32_t)verb, next, quarters};
  f->pieces.count += quarters != 0;
}

// Joins the last piece of a subpath to its first.
static void end_subpath(finder *f, size_t first, bool closed) {
  size_t count = f->pieces.count - first;
  if (count) f->pieces.data[f->pieces.count - 1].next = (uint32_t)(closed ? first : f->pieces.count - 1);
  f->subpaths++;
  // One chord for each of two curves would leave nothing between.
  for (size_t i = first; f->marks && count < 3 && i < f->pieces.count; i++)
    f->marks[f->pieces.data[i].verb] = SJ_BESIDE;
}

// Adds the line that closes a subpath.
static void close_subpath(finder *f, stijl_point from, stijl_point to, size_t verb) {
  stijl_point *line = f->closing.data + f->closing.count;
  line[0] = from;
  line[1] = to;
  f->closing.count += 2;
  add_piece(f, line, 1, verb);
}

static bool add_pieces(finder *f, const stijl_path *path) {
  const stijl_point *points = path->points.data;
  stijl_point start = {0, 0};
  size_t first = 0, most = 2 * path->verbs.count;  // each verb may be a subpath
  if (!sj_array_reserve(f->context, &f->pieces, most) || !sj_array_reserve(f->context, &f->closing, most)) return false;
  for (size_t i = 0; i < path->verbs.count; i++) {
    unsigned char verb = path->verbs.data[i];
    bool ends = i + 1 == path->verbs.count || path->verbs.data[i + 1] == STIJL_PATH_MOVE;
    if (verb == STIJL_PATH_MOVE) {
      start = *points;
      first = f->pieces.count;
    } else if (verb != STIJL_PATH_CLOSE) {
      add_piece(f, points - 1, verb, i);
    }
    points += sj_path_verb_points(verb);
    bool closed = verb == STIJL_PATH_CLOSE || !f->stroked;
    if (ends && closed) close_subpath(f, points[-1], start, i);
    if (ends) end_subpath(f, first, closed);
  }
  return true;
}

// --- turns ---

// Returns whether the control points of a path's only subpath turn so that it cannot cross itself: once around in one
// direction, or less than half around.
static bool turns_once(const stijl_path *path, bool stroked) {
  size_t count = path->points.count;
  bool closed = !stroked || path->verbs.data[path->verbs.count - 1] == STIJL_PATH_CLOSE;
  sj_vector first = {0, 0}, last = {0, 0};
  int sum = 0, all = 0;
  bool left = false, right = false;
  for (size_t i = 0; i <= count; i++) {
    if (i + 1 >= count && !closed) break;
    const stijl_point *p = path->points.data;
    sj_vector v = i == count ? first : sj_difference(sj_vector_of(p[i + 1 < count ? i + 1 : 0]), sj_vector_of(p[i]));
    if (sj_is_point(v)) continue;
    if (!sj_is_point(last)) {
      double side = last.x * v.y - last.y * v.x;
      if (stroked && turns_back(last, v)) return false;
      int turned = sj_turn(last, v);
      left |= side < 0 || turned < 0;
      right |= side > 0 || turned > 0;
      sum += turned;
      all += abs(turned);
      if (closed ? left && right : all > 1) return false;
    } else {
      first = v;
    }
    last = v;
  }
  if (!closed) return all <= 1;
  return !(left && right) && abs(sum) <= 4;
}

// --- two pieces ---

static double cross(sj_vector a, sj_vector b, sj_vector c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Returns whether a point is nearer to a line than some distance.
static bool is_near(sj_vector p, sj_vector a, sj_vector b, double distance) {
  double x = b.x - a.x, y = b.y - a.y, square = x * x + y * y;
  double t = square > 0 ? ((p.x - a.x) * x + (p.y - a.y) * y) / square : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  double dx = p.x - a.x - t * x, dy = p.y - a.y - t * y;
  return dx * dx + dy * dy <= distance * distance;
}

static bool lines_cross(sj_vector a, sj_vector b, sj_vector c, sj_vector d) {
  double ac = cross(a, b, c), ad = cross(a, b, d), ca = cross(c, d, a), cb = cross(c, d, b);
  return ((ac < 0 && ad > 0) || (ac > 0 && ad < 0)) && ((ca < 0 && cb > 0) || (ca > 0 && cb < 0));
}

static bool lines_meet(sj_vector a, sj_vector b, sj_vector c, sj_vector d, double distance) {
  return lines_cross(a, b, c, d) || is_near(c, a, b, distance) || is_near(d, a, b, distance) ||
         is_near(a, c, d, distance) || is_near(b, c, d, distance);
}

static bool are_apart(double a0, double a1, double b0, double b1, double distance) {
  double low = a0 < a1 ? a0 : a1, high = a0 < a1 ? a1 : a0;
  return (b0 > high + distance && b1 > high + distance) || (b0 < low - distance && b1 < low - distance);
}

typedef struct {
  sj_vector p[SJ_COARSE_CHORDS + 1];
  int count;
  double off;  // how far they are from their curve, at most
} chords;

static chords chords_of(const piece *c) {
  sj_vector p[4] = {{0, 0}};
  for (uint32_t i = 0; i <= c->kind; i++) p[i] = at(c, i);
  chords out = {.p = {p[0], p[1]}, .count = 1};
  if (c->kind == 1) return out;
  out.count = SJ_COARSE_CHORDS;
  for (int i = 0; i <= SJ_COARSE_CHORDS; i++) {
    double t = (double)i / SJ_COARSE_CHORDS, s = 1 - t;
    double w[4] = {s * s, 2 * s * t, t * t, 0};
    if (c->kind == 3) w[0] = s * s * s, w[1] = 3 * s * s * t, w[2] = 3 * s * t * t, w[3] = t * t * t;
    out.p[i] = (sj_vector){w[0] * p[0].x + w[1] * p[1].x + w[2] * p[2].x + w[3] * p[3].x,
                           w[0] * p[0].y + w[1] * p[1].y + w[2] * p[2].y + w[3] * p[3].y};
  }
  double most =
      c->kind == 2 ? 2 * sj_bend(p[0], p[1], p[2]) : 6 * fmax(sj_bend(p[0], p[1], p[2]), sj_bend(p[1], p[2], p[3]));
  out.off = most / (8.0 * SJ_COARSE_CHORDS * SJ_COARSE_CHORDS);
  return out;
}

// Returns whether no control point of b is nearer than a distance to those of a, across the line between the ends of a.
// The curves then touch at most where they have a point in common.
static bool are_beside(const piece *a, const piece *b, double distance) {
  sj_vector o = at(a, 0), v = {at(a, a->kind).x - o.x, at(a, a->kind).y - o.y};
  double low = 0, high = 0, nearest = INFINITY, farthest = -INFINITY;
  for (uint32_t i = 1; i < a->kind; i++) {
    double side = v.x * (at(a, i).y - o.y) - v.y * (at(a, i).x - o.x);
    low = side < low ? side : low;
    high = side > high ? side : high;
  }
  for (uint32_t i = 0; i <= b->kind; i++) {
    double side = v.x * (at(b, i).y - o.y) - v.y * (at(b, i).x - o.x);
    nearest = side < nearest ? side : nearest;
    farthest = side > farthest ? side : farthest;
  }
  double margin = distance * (fabs(v.x) + fabs(v.y));  // at least that times the length
  return nearest >= high + margin || farthest <= low - margin;
}

// Narrows first..last of some chords to those within a distance of a box.
static void narrow(const chords *c, const box *b, double distance, int *first, int *last) {
  double x0 = (double)b->x0, y0 = (double)b->y0, x1 = (double)b->x1, y1 = (double)b->y1;
  const sj_vector *p = c->p;
  while (*first <= *last && (are_apart(p[*first].x, p[*first + 1].x, x0, x1, distance) ||
                             are_apart(p[*first].y, p[*first + 1].y, y0, y1, distance)))
    ++*first;
  while (*first <= *last && (are_apart(p[*last].x, p[*last + 1].x, x0, x1, distance) ||
                             are_apart(p[*last].y, p[*last + 1].y, y0, y1, distance)))
    --*last;
}

typedef enum {
  APART,        // no chords of the one begin where some of the other end
  JOINED,       // the first's last chord and the second's first do
  JOINED_TWICE  // so do the second's last and the first's first
} joint;

// Marks what a segment is, beside what it is already. Without marks nothing is done.
static void mark(const finder *f, uint32_t i, unsigned what) {
  if (f->marks) f->marks[f->pieces.data[i].verb] |= (sj_crossing_mark)what;
}

// Returns whether two chords meet, or, where the ends of others of their pieces are joined, cross.
static bool two_meet(const sj_vector *a, const sj_vector *b, double distance, joint how) {
  return how == APART ? lines_meet(a[0], a[1], b[0], b[1], distance) : lines_cross(a[0], a[1], b[0], b[1]);
}

// Looks for chords of two pieces that meet, and marks those that come nearer to one another than they are to their
// curves.
static bool chords_meet(finder *f, uint32_t i, uint32_t k, double distance, joint how) {
  f->pairs -= f->pairs < CHORD_PAIRS ? f->pairs : CHORD_PAIRS;
  chords a = chords_of(&f->pieces.data[i]), b = chords_of(&f->pieces.data[k]);
  distance += a.off + b.off;
  int first = 0, last = a.count - 1, from = 0, to = b.count - 1;
  narrow(&a, &f->around[k], distance, &first, &last);
  narrow(&b, &f->around[i], distance, &from, &to);
  bool met = false;
  for (int m = first; m <= last; m++) {
    sj_vector p = a.p[m], q = a.p[m + 1];
    for (int n = from; n <= to; n++) {
      sj_vector r = b.p[n], s = b.p[n + 1];
      if (are_apart(p.x, q.x, r.x, s.x, distance) || are_apart(p.y, q.y, r.y, s.y, distance)) continue;
      bool joined = (how != APART && m == a.count - 1 && n == 0) || (how == JOINED_TWICE && m == 0 && n == b.count - 1);
      bool meet = !joined && two_meet(&a.p[m], &b.p[n], distance, how);
      met |= meet;
      if (!meet && how == APART) continue;
      mark(f, i, 1u << m);
      mark(f, k, 1u << n);
    }
  }
  return met;
}

// Returns whether pieces that do not follow one another meet.
static bool pieces_meet(finder *f, uint32_t i, uint32_t k, double distance) {
  const piece *a = &f->pieces.data[i], *b = &f->pieces.data[k];
  mark(f, i, SJ_BESIDE);
  mark(f, k, SJ_BESIDE);
  if (are_beside(a, b, distance) || are_beside(b, a, distance)) return false;
  if (a->kind == 1 && b->kind == 1) return lines_meet(at(a, 0), at(a, 1), at(b, 0), at(b, 1), distance);
  return chords_meet(f, i, k, distance, APART);
}

static bool crosses_itself(const piece *a) {
  if (a->kind < 3 || turns_little(a->quarters)) return false;
  chords c = chords_of(a);
  for (int i = 0; i < c.count; i++)
    for (int k = i + 2; k < c.count; k++)
      if (lines_cross(c.p[i], c.p[i + 1], c.p[k], c.p[k + 1])) return true;
  return false;
}

// Does the same as pieces_meet, for a piece and the one that begins where it ends.
static bool neighbours_meet(finder *f, uint32_t i) {
  const piece *a = &f->pieces.data[i], *b = &f->pieces.data[a->next];
  bool closed = b->next == i;
  if (a->kind == 1 && b->kind == 1) {
    if (!f->stroked) return false;
    sj_vector u = sj_difference(at(a, 1), at(a, 0)), v = sj_difference(at(b, 1), at(b, 0));
    bool unfolded = f->unfolds && closed && u.x == -v.x && u.y == -v.y;
    return turns_back(u, v) && !unfolded;
  }
  if (turns_little(a->quarters | b->quarters) || are_beside(a, b, 0) || are_beside(b, a, 0)) return false;
  mark(f, i, SJ_BESIDE);
  mark(f, a->next, SJ_BESIDE);
  return chords_meet(f, i, a->next, 0, closed ? JOINED_TWICE : JOINED);
}

static bool are_near(sj_vector a, sj_vector b, double slack) {
  return fabs(a.x - b.x) <= slack && fabs(a.y - b.y) <= slack;
}

// Returns whether a piece is the line between its ends, but for `slack`.
static bool is_line(const piece *a, double slack) {
  sj_vector o = at(a, 0), v = {at(a, a->kind).x - o.x, at(a, a->kind).y - o.y};
  double square = v.x * v.x + v.y * v.y;
  for (uint32_t i = 1; i < a->kind; i++) {
    double x = at(a, i).x - o.x, y = at(a, i).y - o.y, along = x * v.x + y * v.y, across = x * v.y - y * v.x;
    if (!(along >= 0 && along <= square && across * across <= slack * slack * square)) return false;
  }
  return true;
}

// Returns whether `b`, which comes behind `a`, is left out when it is recorded, as both are all of an open subpath and
// the same line.
static bool repeats(const finder *f, uint32_t a, uint32_t b) {
  const piece *p = &f->pieces.data[a], *q = &f->pieces.data[b];
  if (p->next != a || q->next != b || q->subpath - p->subpath > RECENT) return false;
  if ((a && f->pieces.data[a - 1].next == a) || (b && f->pieces.data[b - 1].next == b)) return false;
  sj_vector p0 = at(p, 0), p1 = at(p, p->kind), q0 = at(q, 0), q1 = at(q, q->kind);
  bool same = (are_near(p0, q0, f->slack) && are_near(p1, q1, f->slack)) ||
              (are_near(p0, q1, f->slack) && are_near(p1, q0, f->slack));
  return same && is_line(p, f->slack) && is_line(q, f->slack);
}

// Returns whether all of `b` is ahead of where `a` ends.
static bool is_ahead(const piece *a, const piece *b) {
  sj_vector end = at(a, a->kind), last = at(a, a->kind - 1);
  double x = end.x - last.x, y = end.y - last.y;
  for (uint32_t i = 0; i <= b->kind; i++)
    if ((at(b, i).x - end.x) * x + (at(b, i).y - end.y) * y < 0) return false;
  return true;
}

// Compares two pieces whose boxes overlap. Returns whether to go on.
static bool compare(finder *f, uint32_t i, uint32_t k) {
  const piece *a = &f->pieces.data[i], *b = &f->pieces.data[k];
  if (a->next == k || b->next == i) return true;
  if (!f->pairs) return false;
  f->pairs--;
  bool one = a->subpath == b->subpath || (f->butts && (is_ahead(a, b) || is_ahead(b, a)));
  bool met = pieces_meet(f, i, k, one ? f->margin : f->between) && !(f->stroked && repeats(f, i, k));
  f->found |= met;
  return !met || f->marks;
}

// --- all pieces ---

// Puts a tree on the pieces, of which those that follow one another are near one another. Their boxes are larger by
// half of the distance at which pieces meet, and of what rounding may take.
static bool plant(finder *f) {
  const box nothing = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  size_t count = f->pieces.count, groups = (count + GROUP - 1) / GROUP;
  for (f->leaves = 1; f->leaves < groups;) f->leaves *= 2;
  f->boxes = sj_alloc_array(f->context, 2 * (size_t)f->leaves + count, sizeof *f->boxes);
  if (!f->boxes) return false;
  f->around = f->boxes + 2 * (size_t)f->leaves;
  float margin = (float)(0.5 * (f->between + f->margin));
  for (size_t i = 0; i < f->leaves; i++) {
    box b = nothing;
    for (size_t k = i * GROUP; k < count && k < (i + 1) * GROUP; k++) {
      f->around[k] = box_of(&f->pieces.data[k], margin);
      b = around(b, f->around[k]);
    }
    f->boxes[f->leaves + i] = b;
  }
  for (uint32_t i = f->leaves - 1; i; i--) f->boxes[i] = around(f->boxes[2 * i], f->boxes[2 * i + 1]);
  return true;
}

static uint32_t end_of_group(const finder *f, uint32_t group) {
  uint32_t end = (group + 1) * GROUP, count = (uint32_t)f->pieces.count;
  return end < count ? end : count;
}

// Compares the pieces of a group. Returns whether to go on.
static bool compare_within(finder *f, uint32_t group) {
  uint32_t end = end_of_group(f, group);
  for (uint32_t i = group * GROUP; i < end; i++)
    for (uint32_t k = i + 1; k < end; k++)
      if (overlap(&f->around[i], &f->around[k]) && !compare(f, i, k)) return false;
  return true;
}

// Compares the pieces of two groups. Returns whether to go on.
static bool compare_groups(finder *f, uint32_t a, uint32_t b) {
  uint32_t near[GROUP], count = 0, end = end_of_group(f, a);
  for (uint32_t k = b * GROUP; k < end_of_group(f, b); k++)
    if (overlap(&f->around[k], &f->boxes[f->leaves + a])) near[count++] = k;
  for (uint32_t i = a * GROUP; i < end && count; i++)
    if (overlap(&f->around[i], &f->boxes[f->leaves + b]))
      for (uint32_t k = 0; k < count; k++)
        if (overlap(&f->around[i], &f->around[near[k]]) && !compare(f, i, near[k])) return false;
  return true;
}

// Compares what is below two nodes of the same height. Returns whether to go on.
static bool compare_nodes(finder *f, uint32_t a, uint32_t b) {  // NOLINT(misc-no-recursion): 13 levels
  if (!overlap(&f->boxes[a], &f->boxes[b])) return true;
  if (!f->pairs) return false;
  f->pairs--;
  if (a >= f->leaves) return compare_groups(f, a - f->leaves, b - f->leaves);
  return compare_nodes(f, 2 * a, 2 * b) && compare_nodes(f, 2 * a, 2 * b + 1) && compare_nodes(f, 2 * a + 1, 2 * b) &&
         compare_nodes(f, 2 * a + 1, 2 * b + 1);
}

// Looks at each piece and the next one.
static void look_at_neighbours(finder *f) {
  for (uint32_t i = 0; i < f->pieces.count; i++) {
    const piece *a = &f->pieces.data[i];
    bool crosses = crosses_itself(a);
    if (crosses) mark(f, i, SJ_MEETING);
    f->found |= crosses || (a->next != i && neighbours_meet(f, i));
  }
}

// Looks for pieces that meet. Returns whether it could be found out.
static bool compare_all(finder *f) {
  const uint32_t most = MAX_PAIRS * (uint32_t)f->pieces.count + MORE_PAIRS;
  f->pairs = most;
  look_at_neighbours(f);
  bool going = f->marks || !f->found;
  for (uint32_t i = 0; i < f->leaves && going; i++) going = compare_within(f, i);
  for (uint32_t i = f->leaves - 1; i && going; i--) going = compare_nodes(f, 2 * i, 2 * i + 1);
  f->steps = (uint64_t)(most - f->pairs) * PAIR_STEPS;
  return f->pairs;
}

// --- paths ---

static bool has_one_subpath(const stijl_path *path) {
  const unsigned char *verbs = path->verbs.data;
  return path->verbs.count < 2 || !memchr(verbs + 1, STIJL_PATH_MOVE, path->verbs.count - 1);
}

static finder begin(const stijl_path *path, stijl_rect bounds) {
  double x = fmax(fabs((double)bounds.x0), fabs((double)bounds.x1)),
         y = fmax(fabs((double)bounds.y0), fabs((double)bounds.y1));
  double margin = ROUNDING * fmax(x, y);
  return (finder){.context = path->context, .margin = margin, .between = margin};
}

// Returns false when memory is short.
static bool run(finder *f, const stijl_path *path, bool *told) {
  bool good = add_pieces(f, path) && plant(f);
  *told = good && compare_all(f);
  sj_free(f->context, f->boxes);
  sj_arrays_finish(f->context, &f->pieces, &f->closing);
  return good;
}

// Returns whether a path is too short, or too long, to be looked at.
static bool is_skipped(const stijl_path *path, size_t least, stijl_rect *bounds) {
  size_t count = path->verbs.count;
  return count < least || count > MAX_PIECES - 1 || !stijl_path_control_bounds(path, bounds);
}

bool sj_fill_may_overlap(const stijl_path *path, sj_crossing_mark *marks, bool *may, uint64_t *steps) {
  stijl_rect bounds;
  *may = false;
  *steps = 0;
  if (is_skipped(path, 2, &bounds) || (has_one_subpath(path) && turns_once(path, false))) return true;
  if (marks) memset(marks, 0, path->verbs.count * sizeof *marks);
  finder f = begin(path, bounds);
  f.marks = marks;
  bool told, good = run(&f, path, &told);
  *may = f.found || !told;
  *steps = f.steps;
  for (size_t i = 0; marks && !told && i < path->verbs.count; i++) marks[i] = SJ_MEETING;
  return good;
}

bool sj_stroke_overlaps(const stijl_path *path, const stijl_stroke *stroke, bool unfolds, bool *overlaps) {
  stijl_rect bounds;
  *overlaps = false;
  if (is_skipped(path, 3, &bounds) || (has_one_subpath(path) && turns_once(path, true))) return true;
  finder f = begin(path, bounds);
  double width = (double)stroke->width;
  f.stroked = true;
  f.unfolds = unfolds;
  f.butts = stroke->dash_count && stroke->cap == STIJL_CAP_BUTT;
  f.between = fmax(f.margin, stroke->cap == STIJL_CAP_SQUARE && !stroke->dash_count ? sqrt(2) * width : width);
  f.slack = width / 4096;
  bool told, good = run(&f, path, &told);
  *overlaps = f.found;
  return good;
}
