#include "geometry/arc_length.h"

#include <math.h>

#define MAX_DEPTH 18

static double speed(const sj_arc_length *arc, double t) {
  double x = (arc->cx[2] * t + arc->cx[1]) * t + arc->cx[0];
  double y = (arc->cy[2] * t + arc->cy[1]) * t + arc->cy[0];
  return sqrt(x * x + y * y);
}

// Gauss-Legendre quadrature with 8 nodes (Abramowitz and Stegun, table 25.4).
static double integrate(const sj_arc_length *arc, double t0, double t1) {
  static const double node[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
  static const double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  double middle = (t0 + t1) * 0.5, half = (t1 - t0) * 0.5, sum = 0.0;
  for (int i = 0; i < 4; i++) {
    sum += weight[i] * (speed(arc, middle - half * node[i]) + speed(arc, middle + half * node[i]));
  }
  return sum * half;
}

// Splits 0..1 into pieces whose integral agrees with that of their halves.
static void measure_pieces(sj_arc_length *arc) {
  struct {
    double t1, length;
    int depth;
  } stack[MAX_DEPTH + 2];
  int top = 0;
  stack[top].t1 = 1.0;
  stack[top].length = integrate(arc, 0.0, 1.0);
  stack[top++].depth = 0;
  double t0 = 0.0, sum = 0.0;
  while (top) {
    double t1 = stack[top - 1].t1, length = stack[top - 1].length;
    int depth = stack[top - 1].depth;
    double middle = (t0 + t1) * 0.5;
    double left = integrate(arc, t0, middle), right = integrate(arc, middle, t1);
    // The halves' own error is far below the difference, so a tenth of the tolerance for each piece is plenty.
    bool good = fabs(left + right - length) <= arc->tolerance * 0.1;
    if (!good && depth < MAX_DEPTH && arc->count + 2 * (top + 1) <= SJ_ARC_LENGTH_PIECES) {
      stack[top - 1].length = right;
      stack[top - 1].depth = depth + 1;
      stack[top].t1 = middle;
      stack[top].length = left;
      stack[top++].depth = depth + 1;
      continue;
    }
    arc->t[arc->count] = t0;
    arc->start[arc->count++] = sum;
    sum += left;
    arc->t[arc->count] = middle;
    arc->start[arc->count++] = sum;
    sum += right;
    t0 = t1;
    top--;
  }
  arc->t[arc->count] = 1.0;
  arc->start[arc->count] = sum;
  arc->length = sum;
}

void sj_arc_length_init(sj_arc_length *arc, const stijl_point *points, int count, const stijl_matrix *measure) {
  double x[4], y[4], polygon = 0.0;
  for (int i = 0; i < count; i++) {
    double px = (double)points[i].x, py = (double)points[i].y;
    x[i] = (double)measure->a * px + (double)measure->c * py;
    y[i] = (double)measure->b * px + (double)measure->d * py;
    if (i) polygon += sqrt((x[i] - x[i - 1]) * (x[i] - x[i - 1]) + (y[i] - y[i - 1]) * (y[i] - y[i - 1]));
  }
  arc->count = 0;
  arc->tolerance = polygon < 10.0 ? polygon * 1e-4 : 1e-3;
  if (count == 2 || polygon == 0.0) {
    arc->length = polygon;
    return;
  }
  for (int axis = 0; axis < 2; axis++) {
    const double *p = axis ? y : x;
    double *c = axis ? arc->cy : arc->cx;
    if (count == 3) {
      c[0] = 2.0 * (p[1] - p[0]);
      c[1] = 2.0 * (p[0] - 2.0 * p[1] + p[2]);
      c[2] = 0.0;
    } else {
      c[0] = 3.0 * (p[1] - p[0]);
      c[1] = 6.0 * (p[0] - 2.0 * p[1] + p[2]);
      c[2] = 3.0 * (p[3] - p[0] + 3.0 * (p[1] - p[2]));
    }
  }
  measure_pieces(arc);
}

double sj_arc_length_parameter(const sj_arc_length *arc, double length) {
  if (!(length > 0.0)) return 0.0;
  if (length >= arc->length) return 1.0;
  if (arc->count == 0) return length / arc->length;
  int low = 0, high = arc->count;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (arc->start[middle] <= length) {
      low = middle;
    } else {
      high = middle;
    }
  }
  // Newton's method, kept inside a bracket; near a cusp, where the speed vanishes, it falls back to bisection.
  double t0 = arc->t[low], t1 = arc->t[low + 1];
  double piece = arc->start[low + 1] - arc->start[low], target = length - arc->start[low];
  if (!(piece > 0.0)) return t0;
  double below = t0, above = t1, t = t0 + (t1 - t0) * (target / piece);
  for (int i = 0; i < 24; i++) {
    double error = integrate(arc, t0, t) - target;
    if (fabs(error) <= arc->tolerance * 0.1) break;
    if (error > 0.0) {
      above = t;
    } else {
      below = t;
    }
    double v = speed(arc, t);
    t = v > 0.0 ? t - error / v : above;
    if (!(t > below && t < above)) t = (below + above) * 0.5;
  }
  return t;
}

double sj_path_length(const stijl_path *path) {
  const unsigned char *verbs;
  const stijl_point *points;
  size_t count = stijl_path_verbs(path, &verbs);
  stijl_path_points(path, &points);
  stijl_matrix identity = stijl_matrix_identity();
  sj_arc_length arc;
  stijl_point start = {0.0f, 0.0f}, piece[4] = {start};
  double sum = 0.0;
  for (size_t i = 0; i < count; i++) {
    int taken = verbs[i] == STIJL_PATH_CUBIC ? 3 : verbs[i] == STIJL_PATH_QUAD ? 2 : 1;
    if (verbs[i] == STIJL_PATH_CLOSE)
      piece[1] = start;
    else
      for (int k = 1; k <= taken; k++) piece[k] = *points++;
    if (verbs[i] == STIJL_PATH_MOVE) {
      start = piece[1];
    } else {
      sj_arc_length_init(&arc, piece, taken + 1, &identity);
      sum += arc.length;
    }
    piece[0] = piece[taken];
  }
  return sum;
}
