// The lines and joins of a stroke become polygons, all of one direction, and then their union (union.h).
#include "geometry/winding_stroke.h"

#include <math.h>

#include "geometry/path.h"
#include "geometry/union.h"

#define MAX_LINES 4096

// Coordinates of the union: what floats tell apart.
#define UNITS 0x1p24

// Chords of a round join leave the circle by less than a 1024th of its radius: the cosine of half of what one turns.
// From a quarter of a circle on so many halvings suffice.
#define FLAT (1.0 - 1.0 / 1024.0)
#define HALVINGS 5
#define MAX_CORNERS (2 + 2 * (1 << HALVINGS))

// Of thinner strokes, and of miters that long, rounding to units would show.
#define LEAST_RADIUS 256.0  // units
#define MOST_REACH 64.0     // times the path's own

typedef struct {
  double x, y;
} vector;

// --- which paths ---

// Returns the quarter of the plane that a direction lies in, counted from +x to +y.
static int quarter(vector v) { return v.x > 0 && v.y >= 0 ? 0 : v.y > 0 ? 1 : v.x < 0 ? 2 : 3; }

// Returns by how many quarters the direction turns from a to b.
static int turn(vector a, vector b) {
  int quarters = (quarter(b) - quarter(a)) & 3;
  if (quarters == 2) return a.x * b.y - a.y * b.x >= 0 ? 2 : -2;
  return quarters == 3 ? -1 : quarters;
}

// A polygon of a path; all 0 before the first one.
typedef struct {
  const stijl_path *path;
  size_t verb, point;  // of the subpath's first line, and of its start
  size_t count;        // of its lines, the one that closes it not included
} polygons;

// Goes to the next subpath. Returns false when there is none, or when it is not a closed polygon.
static bool next_polygon(polygons *p, bool *odd) {
  const stijl_path *path = p->path;
  size_t verb = p->verb + p->count + (p->count > 0), point = p->point + p->count + (p->count > 0);
  *odd = false;
  if (verb >= path->verbs.count) return false;
  *p = (polygons){path, verb + 1, point, 0};
  while (p->verb + p->count < path->verbs.count && path->verbs.data[p->verb + p->count] == STIJL_PATH_LINE) p->count++;
  *odd =
      !p->count || p->verb + p->count >= path->verbs.count || path->verbs.data[p->verb + p->count] != STIJL_PATH_CLOSE;
  return !*odd;
}

static vector line_of(const stijl_point *p, size_t count, size_t i) {
  stijl_point a = p[i], b = p[i < count ? i + 1 : 0];
  return (vector){(double)b.x - (double)a.x, (double)b.y - (double)a.y};
}

static bool is_point(vector v) { return v.x == 0 && v.y == 0; }

bool sj_path_winds(const stijl_path *path) {
  polygons p = {.path = path};
  bool winds = false, odd;
  if (path->verbs.count > MAX_LINES) return false;
  while (next_polygon(&p, &odd)) {
    if (p.count < 4) continue;  // five lines are the fewest of a star
    const stijl_point *points = path->points.data + p.point;
    vector first = {0, 0}, last = {0, 0};
    int quarters = 0;
    for (size_t i = 0; i <= p.count; i++) {
      vector v = line_of(points, p.count, i);
      if (is_point(v)) continue;
      if (is_point(first))
        first = v;
      else
        quarters += turn(last, v);
      last = v;
    }
    if (!is_point(first)) quarters += turn(last, first);
    winds |= quarters <= -8 || quarters >= 8;
  }
  return winds && !odd;
}

// All pairs of so many lines are looked at.
#define MAX_SHARED 64

bool sj_path_shares_lines(const stijl_path *path) {
  polygons p = {.path = path};
  stijl_point ends[MAX_SHARED][2];
  size_t count = 0;
  bool shares = false, odd;
  if (path->verbs.count > 2 * MAX_SHARED) return false;
  while (next_polygon(&p, &odd)) {
    const stijl_point *points = path->points.data + p.point;
    size_t others = count, lines = 0;
    for (size_t i = 0; i <= p.count; i++) lines += !is_point(line_of(points, p.count, i));
    // Of a line there and back its own do not count: it is no polygon.
    for (size_t i = 0; i <= p.count; i++) {
      stijl_point a = points[i], b = points[i < p.count ? i + 1 : 0];
      if (is_point(line_of(points, p.count, i))) continue;
      if (count == MAX_SHARED) return false;
      for (size_t k = 0; k < (lines > 2 ? count : others) && !shares; k++) {
        stijl_point c = ends[k][0], d = ends[k][1];
        shares = (a.x == c.x && a.y == c.y && b.x == d.x && b.y == d.y) ||
                 (a.x == d.x && a.y == d.y && b.x == c.x && b.y == c.y);
      }
      ends[count][0] = a;
      ends[count++][1] = b;
    }
  }
  return shares && !odd;
}

// --- the polygons of its stroke ---

typedef struct {
  stijl_context *context;
  sj_union_lines lines;
  double scale, radius;
  const stijl_stroke *stroke;
  bool failed;
} outliner;

// Adds a polygon around a point of the path; corners are offsets from it.
static void add_polygon(outliner *o, vector at, const vector *corners, size_t count) {
  double area = 0;
  for (size_t i = 0; i < count; i++) {
    vector a = corners[i], b = corners[i + 1 < count ? i + 1 : 0];
    area += a.x * b.y - a.y * b.x;
  }
  int32_t x[MAX_CORNERS], y[MAX_CORNERS];
  for (size_t i = 0; i < count; i++) {
    vector c = corners[area < 0 ? count - 1 - i : i];
    x[i] = (int32_t)floor((at.x + c.x) * o->scale + 0.5);
    y[i] = (int32_t)floor((at.y + c.y) * o->scale + 0.5);
  }
  for (size_t i = 0; i < count; i++) {
    size_t next = i + 1 < count ? i + 1 : 0;
    if (!sj_array_push(o->context, &o->lines, (sj_union_line){x[i], y[i], x[next], y[next]})) o->failed = true;
  }
}

static vector along(vector v, double length) { return (vector){v.x * length, v.y * length}; }
static vector sum(vector a, vector b) { return (vector){a.x + b.x, a.y + b.y}; }
static vector unit(vector v) {
  double length = sqrt(v.x * v.x + v.y * v.y);
  return (vector){v.x / length, v.y / length};
}

// Appends the arc from behind `a` to b, two unit vectors, by halves, of which there are at most `depth`.
static size_t add_arc(const outliner *o, vector a, vector b, int depth, vector *out, size_t count) {
  vector middle = sum(a, b);
  double half = 0.5 * sqrt(middle.x * middle.x + middle.y * middle.y);  // the cosine of half the turn
  if (depth && half < FLAT) {
    middle = unit(middle);
    count = add_arc(o, a, middle, depth - 1, out, count);
    return add_arc(o, middle, b, depth - 1, out, count);
  }
  out[count++] = along(b, o->radius);
  return count;
}

// Adds what a join covers beside the lines that meet there: outside of the turn from direction u to v.
static void add_join(outliner *o, vector at, vector u, vector v) {
  double cosine = u.x * v.x + u.y * v.y, side = u.x * v.y - u.y * v.x > 0 ? 1 : -1;
  vector a = {side * u.y, -side * u.x}, b = {side * v.y, -side * v.x};  // unit normals on the outside
  vector corners[MAX_CORNERS] = {{0, 0}, along(a, o->radius)};
  size_t count = 2;
  double limit = (double)o->stroke->miter_limit;
  if (o->stroke->join == STIJL_JOIN_ROUND) {
    vector middle = cosine > -0.999999 ? unit(sum(a, b)) : u;
    count = add_arc(o, a, middle, HALVINGS, corners, count);
    count = add_arc(o, middle, b, HALVINGS, corners, count);
  } else {
    // Miter length / width = 1 / sin(half the angle between the lines); its square is 2 / (1 + cosine).
    if (o->stroke->join == STIJL_JOIN_MITER && limit * limit * (1 + cosine) >= 2 && cosine > -0.999999)
      corners[count++] = along(sum(a, b), o->radius / (1 + cosine));
    corners[count++] = along(b, o->radius);
  }
  add_polygon(o, at, corners, count);
}

static void add_stroke(outliner *o, const stijl_point *p, size_t count) {
  vector first = {0, 0}, last = {0, 0};
  for (size_t i = 0; i <= count; i++) {
    vector v = line_of(p, count, i), at = {(double)p[i].x, (double)p[i].y};
    if (is_point(v)) continue;
    vector u = unit(v), n = {-u.y * o->radius, u.x * o->radius};
    add_polygon(o, at, (vector[]){n, sum(v, n), sum(v, along(n, -1)), along(n, -1)}, 4);
    if (is_point(first))
      first = u;
    else
      add_join(o, at, last, u);
    last = u;
  }
  if (!is_point(first)) add_join(o, (vector){(double)p[0].x, (double)p[0].y}, last, first);
}

bool sj_path_stroke_union(const stijl_path *path, const stijl_stroke *stroke, uint64_t max_steps, stijl_path *out,
                          uint64_t *steps) {
  outliner o = {.context = path->context, .radius = 0.5 * (double)stroke->width, .stroke = stroke};
  double reach = o.radius * fmax((double)stroke->miter_limit, 1), most = 0;
  for (size_t i = 0; i < path->points.count; i++)
    most = fmax(most, fmax(fabs((double)path->points.data[i].x), fabs((double)path->points.data[i].y)));
  int exponent;
  frexp((most + reach) / UNITS, &exponent);
  o.scale = ldexp(1.0, -exponent);
  *steps = 0;
  if (reach > MOST_REACH * most || o.radius * o.scale < LEAST_RADIUS) return false;
  polygons p = {.path = path};
  bool odd;
  while (next_polygon(&p, &odd)) add_stroke(&o, path->points.data + p.point, p.count);
  sj_union_lines result = {0};
  bool good = !o.failed && sj_union(o.context, &o.lines, max_steps, &result, steps) &&
              sj_union_contours(o.context, &result, 1 / o.scale, out);
  sj_array_finish(o.context, &o.lines);
  sj_array_finish(o.context, &result);
  return good;
}
