// Elliptical arcs as cubics: SVG 2, Appendix B.2 "Elliptical arc implementation notes" (SVG 1.1, F.6).
#include <math.h>

#include "geometry/path.h"
#include "geometry/trig.h"

typedef struct ellipse {
  double cx, cy, rx, ry, sine, cosine;
} ellipse;

// From the unit circle to the ellipse.
static stijl_point on_ellipse(const ellipse *e, double u, double v) {
  double x = u * e->rx, y = v * e->ry;
  return (stijl_point){(float)(e->cosine * x - e->sine * y + e->cx), (float)(e->sine * x + e->cosine * y + e->cy)};
}

// One cubic from the unit vector (u0, v0) to (u1, v1), at most a good quarter turn apart. `end` is used as it is, so
// that the arc ends exactly where it should.
static void add_piece(stijl_path *path, const ellipse *e, double u0, double v0, double u1, double v1, stijl_point end) {
  // The tangents' length is 4/3 tan(angle / 4), and both half-angle steps need nothing but a square root.
  double half = (u0 * v1 - v0 * u1) / (1.0 + u0 * u1 + v0 * v1);
  double k = 4.0 / 3.0 * (half / (1.0 + sqrt(1.0 + half * half)));
  stijl_point points[3] = {on_ellipse(e, u0 - k * v0, v0 + k * u0), on_ellipse(e, u1 + k * v1, v1 - k * u1), end};
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
  double lambda = px * px + py * py;
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
  for (int i = 0; i < quarters; i++) {
    double next_u = -v * turn, next_v = u * turn;
    if (fabs(next_u - u1) < nothing && fabs(next_v - v1) < nothing) break;
    add_piece(path, &e, u, v, next_u, next_v, on_ellipse(&e, next_u, next_v));
    u = next_u;
    v = next_v;
  }
  add_piece(path, &e, u, v, u1, v1, end);
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
