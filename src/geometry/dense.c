#include "geometry/dense.h"

#include <math.h>
#include <stdlib.h>

#include "geometry/path.h"

#define LEAST_VERBS 3  // a stroke of fewer is none
#define DENSE 4        // the share of its box that a stroke covers

static float least(float a, float b) { return a < b ? a : b; }
static float most(float a, float b) { return a > b ? a : b; }

// Returns the quarter of the plane that a direction lies in, counted from +x to +y.
static int quarter(stijl_point v) { return v.x > 0 && v.y >= 0 ? 0 : v.y > 0 ? 1 : v.x < 0 ? 2 : 3; }

// Returns by how many quarters the direction turns from a to b.
static int turn(stijl_point a, stijl_point b) {
  int quarters = (quarter(b) - quarter(a)) & 3;
  if (quarters == 2) return (double)a.x * (double)b.y - (double)a.y * (double)b.x >= 0 ? 2 : -2;
  return quarters == 3 ? -1 : quarters;
}

static bool is_point(stijl_point p) { return p.x == 0 && p.y == 0; }

// Returns whether a path is one closed polygon that turns around more than once, as stars do: it crosses itself
// (Whitney, "On regular closed curves in the plane", 1937).
static bool is_star(const stijl_path *path) {
  size_t count = path->points.count;
  const stijl_point *p = path->points.data;
  if (path->verbs.count != count + 1 || path->verbs.data[count] != STIJL_PATH_CLOSE) return false;
  for (size_t i = 1; i < count; i++)
    if (path->verbs.data[i] != STIJL_PATH_LINE) return false;
  stijl_point first = {0, 0}, last = {0, 0};
  int quarters = 0;
  for (size_t i = 0; i < count; i++) {
    stijl_point to = p[i + 1 < count ? i + 1 : 0], v = {to.x - p[i].x, to.y - p[i].y};
    if (is_point(v)) continue;
    if (is_point(last))
      first = v;
    else
      quarters += turn(last, v);
    last = v;
  }
  return !is_point(last) && abs(quarters + turn(last, first)) > 4;
}

// Returns whether a stroke covers much of its box, as hatching does. Lengths are the larger one of both coordinates'.
static bool covers_much(const stijl_path *path, const stijl_stroke *stroke) {
  const stijl_point *p = path->points.data;
  float x0 = p->x, y0 = p->y, x1 = x0, y1 = y0, length = 0;
  for (size_t i = 0; i < path->verbs.count; i++)
    for (int k = sj_path_verb_points(path->verbs.data[i]); k; k--, p++) {
      if (path->verbs.data[i] != STIJL_PATH_MOVE) length += most(fabsf(p->x - p[-1].x), fabsf(p->y - p[-1].y));
      x0 = least(x0, p->x);
      y0 = least(y0, p->y);
      x1 = most(x1, p->x);
      y1 = most(y1, p->y);
    }
  float width = stroke->width;
  return length * width * DENSE > (x1 - x0 + width) * (y1 - y0 + width);
}

bool sj_stroke_is_dense(const stijl_path *path, const stijl_stroke *stroke) {
  return path->verbs.count >= LEAST_VERBS && (covers_much(path, stroke) || is_star(path));
}
