#include "geometry/dense.h"

#include <math.h>
#include <stdlib.h>

#include "geometry/path.h"
#include "geometry/vector.h"

#define LEAST_VERBS 3  // a stroke of fewer is none
#define DENSE 4        // the share of its box that a stroke covers
// Lines that go on from others, so many, are a plot, such as of noise: their union would take five times as long as to
// draw them (1,000 points at 640 x 480: 27 ms, and drawn as it is 8 with all of the figure), for each frame anew.
#define PLOT 256
#define MOST_VERBS 4096  // more are dashes along a plot
#define MAX_SHARED 64    // lines of polygons that are compared
#define SHARP (-0.5)     // the cosine of a turn whose sides are 60 degrees apart

static float least(float a, float b) { return a < b ? a : b; }
static float most(float a, float b) { return a > b ? a : b; }

// A subpath that is a closed polygon.
typedef struct {
  const stijl_point *p;
  size_t count;
} polygon;

static sj_vector line_of(const polygon *g, size_t i) {
  stijl_point a = g->p[i], b = g->p[i + 1 < g->count ? i + 1 : 0];
  return sj_vector_of((stijl_point){b.x - a.x, b.y - a.y});
}

// Returns whether a path is made of closed polygons alone.
static bool is_of_polygons(const stijl_path *path) {
  size_t count = path->verbs.count;
  const unsigned char *verbs = path->verbs.data;
  if (verbs[count - 1] != STIJL_PATH_CLOSE) return false;
  for (size_t i = 0; i < count; i++) {
    bool begins = i == 0 || verbs[i - 1] == STIJL_PATH_CLOSE;
    if (verbs[i] != STIJL_PATH_CLOSE && verbs[i] != (begins ? STIJL_PATH_MOVE : STIJL_PATH_LINE)) return false;
  }
  return true;
}

// Returns the polygon behind `g`, of which *verb is the MOVE, and goes on to the next one's.
static polygon next_polygon(const stijl_path *path, polygon g, size_t *verb) {
  polygon next = {g.p ? g.p + g.count : path->points.data, 0};
  while (path->verbs.data[*verb] != STIJL_PATH_CLOSE) {
    next.count++;
    ++*verb;
  }
  ++*verb;
  return next;
}

// Returns whether a polygon turns around more than once, as stars do: then it crosses itself (Whitney, "On regular
// closed curves in the plane", 1937).
static bool is_star(const polygon *g) {
  sj_vector first = {0, 0}, last = {0, 0};
  int quarters = 0;
  for (size_t i = 0; i < g->count; i++) {
    sj_vector v = line_of(g, i);
    if (sj_is_point(v)) continue;
    if (sj_is_point(last))
      first = v;
    else
      quarters += sj_turn(last, v);
    last = v;
  }
  return !sj_is_point(last) && abs(quarters + sj_turn(last, first)) > 4;
}

static bool any_star(const stijl_path *path) {
  polygon g = {NULL, 0};
  for (size_t verb = 0; verb < path->verbs.count;) {
    g = next_polygon(path, g, &verb);
    if (g.count > 4 && is_star(&g)) return true;
  }
  return false;
}

static bool same(stijl_point a, stijl_point b) { return a.x == b.x && a.y == b.y; }

// Returns whether two polygons of a path have a line in common, as the faces of a solid do, or one comes back along a
// line, as candlesticks do. It compares all pairs of lines.
static bool shares_lines(const stijl_path *path) {
  stijl_point ends[MAX_SHARED][2];
  size_t count = 0;
  polygon g = {NULL, 0};
  for (size_t verb = 0; verb < path->verbs.count;) {
    g = next_polygon(path, g, &verb);
    size_t others = count, lines = 0;
    for (size_t i = 0; i < g.count; i++) lines += !sj_is_point(line_of(&g, i));
    for (size_t i = 0; i < g.count; i++) {
      stijl_point a = g.p[i], b = g.p[i + 1 < g.count ? i + 1 : 0];
      if (same(a, b)) continue;
      if (count == MAX_SHARED) return false;
      // Of a line there and back its own do not count: it is no polygon.
      for (size_t k = 0; k < (lines > 2 ? count : others); k++)
        if ((same(a, ends[k][0]) && same(b, ends[k][1])) || (same(a, ends[k][1]) && same(b, ends[k][0]))) return true;
      ends[count][0] = a;
      ends[count++][1] = b;
    }
  }
  return false;
}

// Returns whether a stroke covers much of its box, as hatching does, and is no plot. Lengths are the larger one of both
// coordinates'.
static bool covers_much(const stijl_path *path, const stijl_stroke *stroke) {
  const stijl_point *p = path->points.data;
  const unsigned char *verbs = path->verbs.data;
  float x0 = p->x, y0 = p->y, x1 = x0, y1 = y0, length = 0;
  size_t joined = 0;
  for (size_t i = 0; i < path->verbs.count; i++) {
    joined += i && verbs[i] == STIJL_PATH_LINE && verbs[i - 1] == STIJL_PATH_LINE;
    for (int k = sj_path_verb_points(verbs[i]); k; k--, p++) {
      if (verbs[i] != STIJL_PATH_MOVE) length += most(fabsf(p->x - p[-1].x), fabsf(p->y - p[-1].y));
      x0 = least(x0, p->x);
      y0 = least(y0, p->y);
      x1 = most(x1, p->x);
      y1 = most(y1, p->y);
    }
  }
  float width = stroke->width;
  return joined <= PLOT && length * width * DENSE > (x1 - x0 + width) * (y1 - y0 + width);
}

static bool is_near(stijl_point a, stijl_point b, float distance) {
  return fabsf(a.x - b.x) < distance && fabsf(a.y - b.y) < distance;
}

// Returns whether an open subpath begins and ends where the one before it does, as those of lines that a program draws
// by hand: it draws each twice. One that stays within a width, as a dash may, is no line.
static bool draws_twice(const stijl_path *path, float width) {
  const stijl_point *p = path->points.data, *first = p, *before = NULL, *before_last = NULL;
  size_t count = path->verbs.count;
  const unsigned char *verbs = path->verbs.data;
  bool is_line = false;
  for (size_t i = 0; i < count; i++) {
    if (verbs[i] == STIJL_PATH_MOVE) {
      first = p++;
      is_line = false;
      continue;
    }
    for (int k = sj_path_verb_points(verbs[i]); k; k--) is_line |= !is_near(*p++, *first, width);
    if (i + 1 < count && verbs[i + 1] != STIJL_PATH_MOVE) continue;
    if (!is_line || verbs[i] == STIJL_PATH_CLOSE) {
      before = NULL;
      continue;
    }
    if (before && is_near(*first, *before, width) && is_near(p[-1], *before_last, width)) return true;
    before = first;
    before_last = p - 1;
  }
  return false;
}

bool sj_stroke_is_dense(const stijl_path *path, const stijl_stroke *stroke) {
  if (path->verbs.count < LEAST_VERBS || path->verbs.count > MOST_VERBS) return false;
  return covers_much(path, stroke) || draws_twice(path, stroke->width) ||
         (is_of_polygons(path) && (any_star(path) || shares_lines(path)));
}

// --- spikes ---

// Returns the direction from p[0] to the first of the points behind it that is elsewhere, which are `step` apart.
static sj_vector direction(const stijl_point *p, int count, int step) {
  sj_vector v = {0, 0};
  for (int i = 1; i <= count && sj_is_point(v); i++) v = sj_difference(sj_vector_of(p[i * step]), sj_vector_of(*p));
  return v;
}

bool sj_stroke_has_spikes(const stijl_path *path) {
  const stijl_point *p = path->points.data;
  sj_vector first = {0, 0}, back = {0, 0};  // in which a subpath begins, and from its end so far
  bool curved = false, first_curved = false;
  stijl_point line[2] = {{0, 0}, {0, 0}};  // that closes it
  for (size_t i = 0; i < path->verbs.count; i++) {
    unsigned char verb = path->verbs.data[i];
    int count = sj_path_verb_points(verb);
    if (verb == STIJL_PATH_MOVE) {
      first = back = (sj_vector){0, 0};
      line[1] = *p++;
      continue;
    }
    bool closes = verb == STIJL_PATH_CLOSE, curves = count > 1;
    line[0] = p[-1];
    const stijl_point *from = closes ? line : p - 1, *to = closes ? line + 1 : p + count - 1;
    sj_vector u = direction(from, (int)(to - from), 1);
    p += count;
    if (!sj_is_point(u)) {
      if ((curves || curved) && sj_turns_beyond(u, sj_along(back, -1), SHARP)) return true;
      if (sj_is_point(first)) {
        first = u;
        first_curved = curves;
      }
      back = direction(to, (int)(to - from), -1);
      curved = curves;
    }
    if (closes && (curved || first_curved) && sj_turns_beyond(first, sj_along(back, -1), SHARP)) return true;
  }
  return false;
}
