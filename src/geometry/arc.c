// Approximates elliptical arcs by cubics: SVG 2, appendix B.2 "Elliptical arc implementation notes" (SVG 1.1, F.6).
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

// Appends one cubic, which turns by at most little more than a quarter: from `start`, where the unit circle has the
// vector (u0, v0), to `end`, where it has (u1, v1). `half` is the tangent of half the angle, negative for a turn in the
// negative direction. The control points are computed from the ends, because the centre may be too far away for that.
static void add_piece(stijl_path *path, const ellipse *e, vector start, double u0, double v0, vector end, double u1,
                      double v1, double half) {
  // The control points lie 4/3 tan(angle / 4) from the ends. That follows from tan(angle / 2) with one square root.
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
  // B.2.5: between equal points there is no arc, and with a radius of zero it is a line.
  if (dx == 0.0 && dy == 0.0) return;
  if (rx == 0.0 || ry == 0.0) {
    sj_path_append(path, STIJL_PATH_LINE, &end, 1);
    return;
  }
  rx = fabs(rx);
  ry = fabs(ry);
  ellipse e;
  sj_sincos_degrees(x_axis_rotation, &e.sine, &e.cosine);
  // B.2.4, step 1.
  double xp = e.cosine * dx + e.sine * dy, yp = e.cosine * dy - e.sine * dx;
  double px = xp / rx, py = yp / ry;
  double lambda = px * px + py * py;  // (half the chord in the unit circle)^2, the square of the sine of half the angle
  if (!isfinite(lambda)) {
    sj_path_append(path, STIJL_PATH_LINE, &end, 1);
    return;
  }
  // B.2.5, step 3: radii that are too small are scaled up until they just suffice. Then the centre is the chord's
  // middle.
  double center = 0.0;
  if (lambda > 1.0) {
    double scale = sqrt(lambda);
    rx *= scale;
    ry *= scale;
    px /= scale;
    py /= scale;
  } else {
    // Step 2, in the unit circle's coordinates: the centre lies perpendicular to the chord p, and the numerator under
    // the root becomes 1 - lambda.
    center = sqrt((1.0 - lambda) / lambda);
    if (large_arc == sweep) center = -center;
  }
  double ux = center * py, uy = -center * px;
  if (!isfinite(ux) || !isfinite(uy)) {
    sj_path_append(path, STIJL_PATH_LINE, &end, 1);
    return;
  }
  // Step 3. The chord's middle is half the sum of the ends.
  e.rx = rx;
  e.ry = ry;
  e.cx = e.cosine * (ux * rx) - e.sine * (uy * ry) + (x0 + x) * 0.5;
  e.cy = e.sine * (ux * rx) + e.cosine * (uy * ry) + (y0 + y) * 0.5;

  // Step 4, without angles: from the unit vectors to both ends follows how many whole quarter turns fit between them. A
  // cubic is appended for each, and one for the rest. `turn` is the direction.
  double u = px - ux, v = py - uy, u1 = -px - ux, v1 = -py - uy;
  double turn = sweep ? 1.0 : -1.0;
  double cross = (u * v1 - v * u1) * turn, dot = u * u1 + v * v1;
  int quarters;
  if (dot >= 0.0) {
    // Whether the turn is nearly full or nearly empty is decided by the flag, not by the sign of `cross`, which may be
    // a rounding error.
    quarters = cross > 0.0 ? 0 : 3;
    if (dot > 0.0) quarters = large_arc ? 3 : 0;
  } else {
    quarters = cross >= 0.0 ? 1 : 2;
  }
  // A rest that is this small, in the unit circle, is a rounding error, and would be a segment without a direction.
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
  // Where there was no quarter turn, half the angle follows from the chord, since the cross product of the vectors to
  // its ends is too inaccurate for a very small angle.
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
