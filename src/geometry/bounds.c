#include <math.h>

#include "geometry/path.h"

static void include(stijl_rect *box, float x, float y) {
  if (x < box->x0) box->x0 = x;
  if (y < box->y0) box->y0 = y;
  if (x > box->x1) box->x1 = x;
  if (y > box->y1) box->y1 = y;
}

// Returns the box of some points, which is empty (x0 > x1) without any.
static stijl_rect box_of(const stijl_point *points, size_t count) {
  stijl_rect box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (size_t i = 0; i < count; i++) include(&box, points[i].x, points[i].y);
  return box;
}

bool stijl_path_control_bounds(const stijl_path *path, stijl_rect *out) {
  stijl_rect unused;
  if (!out) out = &unused;
  if (!path || path->points.count == 0) {
    *out = (stijl_rect){0};
    return false;
  }
  *out = box_of(path->points.data, path->points.count);
  return true;
}

// The following widen the range low..high, which holds the ends of a curve in one coordinate, by the whole curve. An
// extreme lies at an end, or where the derivative is zero.

static void widen(double v, float *low, float *high) {
  if ((float)v < *low) *low = (float)v;
  if ((float)v > *high) *high = (float)v;
}

static void widen_quad(float f0, float f1, float f2, float *low, float *high) {
  if (f1 >= *low && f1 <= *high) return;  // the range holds all control points, and so the curve
  double p0 = (double)f0, p1 = (double)f1, p2 = (double)f2;
  double t = (p0 - p1) / (p0 - 2.0 * p1 + p2);
  if (t > 0.0 && t < 1.0) widen((p0 * (1.0 - t) + p1 * t) * (1.0 - t) + (p1 * (1.0 - t) + p2 * t) * t, low, high);
}

static void widen_cubic_at(double t, const double *p, float *low, float *high) {
  if (!(t > 0.0 && t < 1.0)) return;
  double s = 1.0 - t;
  widen(s * s * s * p[0] + 3.0 * s * s * t * p[1] + 3.0 * s * t * t * p[2] + t * t * t * p[3], low, high);
}

static void widen_cubic(float f0, float f1, float f2, float f3, float *low, float *high) {
  if (f1 >= *low && f1 <= *high && f2 >= *low && f2 <= *high) return;
  const double p[4] = {(double)f0, (double)f1, (double)f2, (double)f3};
  // The derivative is 3 (a t^2 + 2 b t + c).
  double a = p[3] - p[0] + 3.0 * (p[1] - p[2]), b = p[0] - 2.0 * p[1] + p[2], c = p[1] - p[0];
  double discriminant = b * b - a * c;
  if (discriminant < 0.0) return;
  // The roots are q / a and c / q, with the sign in q chosen so that nothing cancels.
  double q = b >= 0.0 ? -b - sqrt(discriminant) : -b + sqrt(discriminant);
  if (a != 0.0) widen_cubic_at(q / a, p, low, high);
  if (q != 0.0) widen_cubic_at(c / q, p, low, high);
}

bool stijl_path_bounds(const stijl_path *path, stijl_rect *out) {
  stijl_rect unused;
  if (!out) out = &unused;
  if (!path || path->points.count == 0) {
    *out = (stijl_rect){0};
    return false;
  }
  stijl_rect box = box_of(NULL, 0);
  const stijl_point *p = path->points.data;
  for (size_t i = 0; i < path->verbs.count; i++) {
    switch (path->verbs.data[i]) {
      case STIJL_PATH_MOVE:
      case STIJL_PATH_LINE:
        include(&box, p[0].x, p[0].y);
        p += 1;
        break;
      case STIJL_PATH_QUAD:
        // p[-1] is the current point: every subpath begins with a MOVE.
        include(&box, p[1].x, p[1].y);
        widen_quad(p[-1].x, p[0].x, p[1].x, &box.x0, &box.x1);
        widen_quad(p[-1].y, p[0].y, p[1].y, &box.y0, &box.y1);
        p += 2;
        break;
      case STIJL_PATH_CUBIC:
        include(&box, p[2].x, p[2].y);
        widen_cubic(p[-1].x, p[0].x, p[1].x, p[2].x, &box.x0, &box.x1);
        widen_cubic(p[-1].y, p[0].y, p[1].y, p[2].y, &box.y0, &box.y1);
        p += 3;
        break;
      default: break;
    }
  }
  *out = box;
  return true;
}
