#include "geometry/arc_length.h"

#include <math.h>

#include "base/search.h"

#define MAX_DEPTH 18  // how often a piece may be halved

// Returns the length of the derivative.
static double speed(const sj_arc_length *arc, double t) {
  double x = (arc->cx[2] * t + arc->cx[1]) * t + arc->cx[0];
  double y = (arc->cy[2] * t + arc->cy[1]) * t + arc->cy[0];
  return sqrt(x * x + y * y);
}

// Returns the length from t0 to t1, by Gauss-Legendre quadrature with 8 nodes (Abramowitz and Stegun, table 25.4).
static double integrate(const sj_arc_length *arc, double t0, double t1) {
  static const double node[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
  static const double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  double middle = (t0 + t1) * 0.5, half = (t1 - t0) * 0.5, sum = 0.0;
  for (int i = 0; i < 4; i++) {
    sum += weight[i] * (speed(arc, middle - half * node[i]) + speed(arc, middle + half * node[i]));
  }
  return sum * half;
}

// Splits 0..1 into pieces, halving until the length of a piece agrees with that of its halves, which are then kept.
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
    // The error of the halves is far below the difference, so a tenth of the tolerance for each piece is strict enough.
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
  size_t next = 1, end = (size_t)arc->count;
  SJ_SEARCH(next, end, i, arc->start[i] <= length);
  // Newton's method, within a bracket. Near a cusp, where the speed vanishes, it becomes bisection.
  double t0 = arc->t[next - 1], t1 = arc->t[next];
  double piece = arc->start[next] - arc->start[next - 1], target = length - arc->start[next - 1];
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

// Goes through the segments of a path, including the lines that close it.
typedef struct segment_walk {
  const unsigned char *verbs;
  size_t left;
  const stijl_point *points;
  stijl_point start, at;
} segment_walk;

static segment_walk walk_begin(const stijl_path *path) {
  segment_walk w = {0};
  w.left = stijl_path_verbs(path, &w.verbs);
  stijl_path_points(path, &w.points);
  return w;
}

// Finds the points of the next segment, and returns how many they are, 2 to 4; 0 at the end.
static int walk_next(segment_walk *w, stijl_point *piece) {
  for (; w->left > 0; w->left--) {
    unsigned char verb = *w->verbs++;
    if (verb == STIJL_PATH_MOVE) {
      w->start = w->at = *w->points++;
      continue;
    }
    int count = verb == STIJL_PATH_CUBIC ? 3 : verb == STIJL_PATH_QUAD ? 2 : 1;
    piece[0] = w->at;
    if (verb == STIJL_PATH_CLOSE)
      piece[1] = w->start;
    else
      for (int k = 1; k <= count; k++) piece[k] = *w->points++;
    w->at = piece[count];
    w->left--;
    return count + 1;
  }
  return 0;
}

double sj_path_length(const stijl_path *path) {
  segment_walk w = walk_begin(path);
  stijl_matrix identity = stijl_matrix_identity();
  stijl_point piece[4];
  sj_arc_length arc;
  double sum = 0.0;
  for (int count; (count = walk_next(&w, piece)) != 0; sum += arc.length) {
    sj_arc_length_init(&arc, piece, count, &identity);
  }
  return sum;
}

// Finds the point at a distance along a segment, and the direction if there is one.
static void point_in_piece(const stijl_point *piece, int count, const sj_arc_length *arc, double distance,
                           stijl_point *at, stijl_point *direction) {
  double t = distance <= arc->length ? sj_arc_length_parameter(arc, distance) : 1.0;
  // The direction of a line is the difference of its points, that of a curve its derivative.
  double dx, dy, s = 1.0 - t;
  if (count == 2) {
    dx = (double)piece[1].x - (double)piece[0].x, dy = (double)piece[1].y - (double)piece[0].y;
    *at = (stijl_point){(float)((double)piece[0].x + t * dx), (float)((double)piece[0].y + t * dy)};
  } else {
    // A quadratic is raised to a cubic.
    double x[4], y[4];
    for (int k = 0; k < 4; k++) {
      stijl_point p = count == 4 ? piece[k] : piece[k == 0 ? 0 : k == 3 ? 2 : 1];
      x[k] = (double)p.x, y[k] = (double)p.y;
    }
    for (int k = 1; count == 3 && k < 3; k++) {
      stijl_point end = piece[k == 1 ? 0 : 2];
      x[k] = (2.0 * x[k] + (double)end.x) / 3.0, y[k] = (2.0 * y[k] + (double)end.y) / 3.0;
    }
    double b0 = s * s * s, b1 = 3.0 * s * s * t, b2 = 3.0 * s * t * t, b3 = t * t * t;
    *at = (stijl_point){(float)(b0 * x[0] + b1 * x[1] + b2 * x[2] + b3 * x[3]),
                        (float)(b0 * y[0] + b1 * y[1] + b2 * y[2] + b3 * y[3])};
    dx = s * s * (x[1] - x[0]) + 2.0 * s * t * (x[2] - x[1]) + t * t * (x[3] - x[2]);
    dy = s * s * (y[1] - y[0]) + 2.0 * s * t * (y[2] - y[1]) + t * t * (y[3] - y[2]);
    // The derivative vanishes where a control point lies on its end. The chord then gives the direction.
    if (dx * dx + dy * dy < 1e-12 * arc->length * arc->length) dx = x[3] - x[0], dy = y[3] - y[0];
  }
  double size = sqrt(dx * dx + dy * dy);
  if (size > 0.0) *direction = (stijl_point){(float)(dx / size), (float)(dy / size)};
}

bool sj_path_measure(stijl_context *context, const stijl_path *path, sj_measured_path *out) {
  segment_walk w = walk_begin(path);
  stijl_matrix identity = stijl_matrix_identity();
  sj_measured_piece piece;
  sj_arc_length arc;
  out->pieces.count = 0;
  out->length = 0.0;
  out->empty = w.left == 0;
  if (!out->empty) out->first = w.points[0];
  while ((piece.count = walk_next(&w, piece.points)) != 0) {
    sj_arc_length_init(&arc, piece.points, piece.count, &identity);
    piece.start = out->length;
    out->length += arc.length;
    if (arc.length > 0.0 && !sj_array_push(context, &out->pieces, piece)) return false;
  }
  return true;
}

bool sj_measured_point_at(const sj_measured_path *path, double distance, stijl_point *at, stijl_point *direction) {
  size_t next = 1, end = path->pieces.count;
  if (path->empty) return false;
  *at = path->first;
  *direction = (stijl_point){0.0f, 0.0f};
  if (!end) return true;
  SJ_SEARCH(next, end, i, path->pieces.data[i].start < distance);
  const sj_measured_piece *piece = &path->pieces.data[next - 1];
  stijl_matrix identity = stijl_matrix_identity();
  sj_arc_length arc;
  sj_arc_length_init(&arc, piece->points, piece->count, &identity);
  point_in_piece(piece->points, piece->count, &arc, distance - piece->start, at, direction);
  return true;
}

void sj_measured_finish(stijl_context *context, sj_measured_path *path) { sj_array_finish(context, &path->pieces); }
