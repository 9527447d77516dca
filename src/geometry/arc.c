// Elliptical arcs as cubics: SVG 2, Appendix B.2 "Elliptical arc implementation notes" (SVG 1.1, F.6).
#include <math.h>

#include "geometry/path.h"
#include "geometry/trig.h"

typedef struct vector {
  double x, y;
} vector;

typedef struct ellipse {
  double cx, cy, rx, ry, sine, cosine;
} ellipse;

// Transforms a vector from the unit circle to the ellipse; the centre is not added.
static vector stretch(const ellipse *e, double u, double v) {
  double x = u * e->rx, y = v * e->ry;
  return (vector){e->cosine * x - e->sine * y, e->sine * x + e->cosine * y};
}

// One cubic from `start`, at the unit vector (u0, v0), to `end` at (u1, v1), at most a good quarter turn further.
// `half` is the tangent of half the angle, negative against the clock. The control points are found from the ends, not
// from the centre, which may be too far away for that.
static void add_piece(stijl_path *path, const ellipse *e, vector start, double u0, double v0, vector end, double u1,
                      double v1, double half) {
  // The tangents' length is 4/3 tan(angle / 4); halving the angle takes a square root only.
  double k = 4.0 / 3.0 * (half / (1.0 + sqrt(1.0 + half * half)));
  vector from = stretch(e, -v0 * k, u0 * k), to = stretch(e, v1 * k, -u1 * k);
  stijl_point points[3] = {{sj_path_clamp(start.x + from.x), sj_path_clamp(start.y + from.y)},
                           {sj_path_clamp(end.x + to.x), sj_path_clamp(end.y + to.y)},
                           {sj_path_clamp(end.x), sj_path_clamp(end.y)}};
  sj_path_append(path, STIJL_PATH_CUBIC, points, 3);
}

void sj_path_arc(stijl_path *path, double x0, double y0, double rx, double ry, double x_axis_rotation, bool large_arc,
                 bool sweep, double x, double y) {
  if (!path || path->status) return;
  if (!isfinite(rx) || !isfinite(ry) || !isfinite(x_axis_rotation)) {
    path->status = STIJL_ERROR_INVALID_ARGUMENT;
    return;
  }
  stijl_point end = {(float)x, (float)y};
  double dx = (x0 - x) * 0.5, dy = (y0 - y) * 0.5;
  // B.2.5: no arc at all between equal points, and a line where a radius is zero.
  if (dx == 0.0 && dy == 0.0) return;
  if (rx == 0.0 || ry == 0.0) {
    sj_path_append(path, STIJL_PATH_LINE, &end, 1);
    return;
  }
  rx = fabs(rx);
  ry = fabs(ry);
  ellipse e;
  sj_sincos_degrees(x_axis_rotation, &e.sine, &e.cosine);
  // (B.2.4, step 1)
  double xp = e.cosine * dx + e.sine * dy, yp = e.cosine * dy - e.sine * dx;
  double px = xp / rx, py = yp / ry;
  double lambda = px * px + py * py;  // of the chord's half, the square of the sine of half the angle
  if (!isfinite(lambda)) {
    sj_path_append(path, STIJL_PATH_LINE, &end, 1);
    return;
  }
  // B.2.5, step 3: radii that do not reach are scaled up until they just do. Then the centre is the chord's middle.
  double center = 0.0;
  if (lambda > 1.0) {
    double scale = sqrt(lambda);
    rx *= scale;
    ry *= scale;
    px /= scale;
    py /= scale;
  } else {
    // (step 2), in the unit circle's coordinates: the centre is perpendicular to the chord p, and the numerator of the
    // root is 1 - lambda there.
    center = sqrt((1.0 - lambda) / lambda);
    if (large_arc == sweep) center = -center;
  }
  double ux = center * py, uy = -center * px;
  if (!isfinite(ux) || !isfinite(uy)) {
    sj_path_append(path, STIJL_PATH_LINE, &end, 1);
    return;
  }
  // (step 3), with the chord's middle formed so that the ends need not be small.
  e.rx = rx;
  e.ry = ry;
  e.cx = e.cosine * (ux * rx) - e.sine * (uy * ry) + (x0 + x) * 0.5;
  e.cy = e.sine * (ux * rx) + e.cosine * (uy * ry) + (y0 + y) * 0.5;

  // (step 4) without angles: unit vectors to both ends, quarter turns from the first as long as the second is not
  // within the next, and what is left. A mirrored sweep is the same with v negated.
  double u = px - ux, v = py - uy, u1 = -px - ux, v1 = -py - uy;
  double turn = sweep ? 1.0 : -1.0;
  double cross = (u * v1 - v * u1) * turn, dot = u * u1 + v * v1;
  int quarters;
  if (dot >= 0.0) {
    // Rounding cannot make a nearly full turn a nearly empty one, or the other way round: the flag decides.
    quarters = cross > 0.0 ? 0 : 3;
    if (dot > 0.0) quarters = large_arc ? 3 : 0;
  } else {
    quarters = cross >= 0.0 ? 1 : 2;
  }
  // A rest this small, of a unit circle, is rounding: it would be a segment without a direction.
  const double nothing = 1e-6;
  vector start = {x0, y0}, stop = {x, y};
  for (int i = 0; i < quarters; i++) {
    double next_u = -v * turn, next_v = u * turn;
    if (fabs(next_u - u1) < nothing && fabs(next_v - v1) < nothing) {
      add_piece(path, &e, start, u, v, stop, u1, v1, turn);
      return;
    }
    vector next = stretch(&e, next_u, next_v);
    next.x += e.cx;
    next.y += e.cy;
    add_piece(path, &e, start, u, v, next, next_u, next_v, turn);
    start = next;
    u = next_u;
    v = next_v;
  }
  // Where no quarter turn came before, half the angle follows from the chord: the difference of the vectors to its ends
  // is too small to tell a very small angle.
  double half = (u * v1 - v * u1) / (1.0 + u * u1 + v * v1);
  if (quarters == 0) half = turn * sqrt(lambda / (1.0 - lambda));
  add_piece(path, &e, start, u, v, stop, u1, v1, half);
}

void stijl_path_arc_to(stijl_path *path, float rx, float ry, float x_axis_rotation, bool large_arc, bool sweep, float x,
                       float y) {
  if (!path || path->status) return;
  if (!sj_path_coordinate_ok(x) || !sj_path_coordinate_ok(y)) {
    path->status = STIJL_ERROR_INVALID_ARGUMENT;
    return;
  }
  stijl_point from = sj_path_current(path);
  sj_path_arc(path, (double)from.x, (double)from.y, (double)rx, (double)ry, (double)x_axis_rotation, large_arc, sweep,
              (double)x, (double)y);
}
