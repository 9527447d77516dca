#include "geometry/dash.h"

#include <math.h>

#include "base/budget.h"
#include "geometry/arc_length.h"
#include "geometry/path.h"

// A dot, that is a dash without length, becomes a line of this share of its segment's largest coordinate.
#define DOT_SHARE (1.0 / 16384.0)

// The job's budget is charged for this many dashes at a time, with this much work for each.
#define CHARGED_DASHES 256
#define WORK_DASH 100

typedef struct vector {
  double x, y;
} vector;

typedef struct dasher {
  const float *dashes;
  size_t count, period;  // `period` is `count`, or twice that where `count` is odd
  double total;          // the length of a period
  stijl_matrix measure;
  uint64_t allowed;  // how many segments and dashes may still be made
  stijl_path *out;

  // Where in the pattern each subpath starts.
  size_t first_index;
  double first_remaining;

  // The place in the pattern while it runs along a subpath.
  size_t index;                  // even: in a dash; odd: in a gap
  double remaining;              // the length that is left of the dash or gap
  bool drawing;                  // a dash is open at the end of `out`
  size_t dash_verb, dash_point;  // where that dash begins in `out`

  // The subpath.
  size_t out_verb, out_point;  // where its dashes begin in `out`
  bool moved;                  // it has a segment with a length
  bool ended_first;            // its first dash has ended, at the two indices below
  size_t first_verb_end, first_point_end;
  bool first_is_dot;
  bool limit;  // more than `allowed` would be made

  sj_arc_length arc;  // of the current segment
} dasher;

static bool is_on(const dasher *d) { return (d->index & 1) == 0; }

static void advance(dasher *d) {
  d->index = d->index + 1 < d->period ? d->index + 1 : 0;
  d->remaining = (double)d->dashes[d->index % d->count];
}

// Counts a segment or dash that is about to be made. Returns false when there are too many.
static bool spend(dasher *d) {
  if (d->allowed == 0) {
    d->limit = true;
    return false;
  }
  d->allowed--;
  if (d->allowed % CHARGED_DASHES == 0 && !sj_context_check(d->out->context, CHARGED_DASHES * WORK_DASH))
    d->out->status = STIJL_ERROR_OUT_OF_MEMORY;
  return true;
}

static vector lerp(vector a, vector b, double t) { return (vector){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}; }

static vector to_vector(stijl_point p) { return (vector){(double)p.x, (double)p.y}; }
static stijl_point to_point(vector v) { return (stijl_point){sj_path_clamp(v.x), sj_path_clamp(v.y)}; }

// Returns the blossom (polar form) of a Bézier curve with `count` control points, which has count - 1 arguments. With
// all of them t it is the curve's point at t, and with some of them t0 and the others t1 it is a control point of the
// piece from t0 to t1 (Ramshaw, "Blossoms are polar forms", 1989).
static vector blossom(const stijl_point *p, int count, const double *t) {
  vector v[4];
  for (int i = 0; i < count; i++) v[i] = to_vector(p[i]);
  for (int level = 1; level < count; level++) {
    for (int i = 0; i < count - level; i++) v[i] = lerp(v[i], v[i + 1], t[level - 1]);
  }
  return v[0];
}

static stijl_point point_at(const stijl_point *p, int count, double t) {
  if (t <= 0.0) return p[0];
  if (t >= 1.0) return p[count - 1];
  return to_point(blossom(p, count, (double[3]){t, t, t}));
}

// Returns the direction of a curve at t, not normalised. Where the derivative vanishes it is the chord's.
static vector direction_at(const stijl_point *p, int count, double t) {
  stijl_point hodograph[3];
  for (int i = 0; i + 1 < count; i++) hodograph[i] = (stijl_point){p[i + 1].x - p[i].x, p[i + 1].y - p[i].y};
  vector v = blossom(hodograph, count - 1, (double[3]){t, t, t});
  if (v.x == 0.0 && v.y == 0.0) {
    vector a = to_vector(p[0]), b = to_vector(p[count - 1]);
    v = (vector){b.x - a.x, b.y - a.y};
  }
  return v;
}

// Appends the piece of a segment from t0 to t1 to the open dash.
static void append_piece(dasher *d, const stijl_point *p, int count, double t0, double t1) {
  static const stijl_path_verb verbs[] = {[2] = STIJL_PATH_LINE, [3] = STIJL_PATH_QUAD, [4] = STIJL_PATH_CUBIC};
  if (!spend(d)) return;
  stijl_point piece[3];
  for (int i = 1; i < count; i++) {
    double t[3];
    for (int k = 0; k < 3; k++) t[k] = k < i ? t1 : t0;
    // Blossoms are symmetric, so it only matters how many arguments are t1. Whole segments keep their very points.
    piece[i - 1] = (t0 == 0.0 && t1 == 1.0) || (i == count - 1 && t1 == 1.0) ? p[i] : to_point(blossom(p, count, t));
  }
  sj_path_append(d->out, verbs[count], piece, count - 1);
}

static void begin_dash(dasher *d, stijl_point at) {
  if (!spend(d)) return;
  d->dash_verb = d->out->verbs.count;
  d->dash_point = d->out->points.count;
  sj_path_append(d->out, STIJL_PATH_MOVE, &at, 1);
  d->drawing = true;
}

// Ends the open dash at t of a segment, whose direction there is that of the dash if it is a dot.
static void end_dash(dasher *d, const stijl_point *p, int count, double t) {
  d->drawing = false;
  stijl_path *out = d->out;
  if (out->status || d->limit) return;
  bool dot = true;
  stijl_point at = out->points.data[d->dash_point];
  for (size_t i = d->dash_point + 1; dot && i < out->points.count; i++) {
    dot = out->points.data[i].x == at.x && out->points.data[i].y == at.y;
  }
  if (dot) {
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
      if (fabs((double)p[i].x) > largest) largest = fabs((double)p[i].x);
      if (fabs((double)p[i].y) > largest) largest = fabs((double)p[i].y);
    }
    vector v = direction_at(p, count, t);
    double length = sqrt(v.x * v.x + v.y * v.y);
    double step = length > 0.0 ? 0.5 * DOT_SHARE * largest / length : 0.0;
    out->verbs.count = d->dash_verb + 1;
    out->points.count = d->dash_point + 1;
    out->points.data[d->dash_point] = to_point((vector){(double)at.x - v.x * step, (double)at.y - v.y * step});
    stijl_point end = to_point((vector){(double)at.x + v.x * step, (double)at.y + v.y * step});
    sj_path_append(out, STIJL_PATH_LINE, &end, 1);
  }
  if (!d->ended_first) {
    d->ended_first = true;
    d->first_verb_end = out->verbs.count;
    d->first_point_end = out->points.count;
    d->first_is_dot = dot;
  }
}

// Runs the pattern along one segment.
static void dash_segment(dasher *d, const stijl_point *p, int count) {
  sj_arc_length_init(&d->arc, p, count, &d->measure);
  double length = d->arc.length;
  if (!(length > 0.0)) return;
  // If there will be too many dashes, it is known here, before they take memory. It also keeps out dashes that are so
  // short that adding them to a length would not change it.
  if (length / d->total * ((double)d->period * 0.5) > (double)d->allowed + (double)d->period) {
    d->limit = true;
    return;
  }
  d->moved = true;
  double at = 0.0, t = 0.0;
  while (!d->limit && !d->out->status) {
    // Strictly less, so that no dash begins at the very end of the segment.
    bool ends = d->remaining < length - at;
    double next = ends ? at + d->remaining : length;
    double next_t = !ends ? 1.0 : d->remaining > 0.0 ? sj_arc_length_parameter(&d->arc, next) : t;
    if (is_on(d)) {
      if (!d->drawing) begin_dash(d, point_at(p, count, t));
      if (next_t > t) append_piece(d, p, count, t, next_t);
      if (ends) end_dash(d, p, count, next_t);
    }
    if (!ends) {
      d->remaining -= length - at;
      return;
    }
    at = next;
    t = next_t;
    advance(d);
  }
}

// Joins the last dash of a closed subpath to the first, which it runs into, by moving the first one's segments behind
// it.
static void join_ends(dasher *d) {
  stijl_path *out = d->out;
  size_t verbs = d->first_verb_end - d->out_verb, points = d->first_point_end - d->out_point;
  if (!sj_array_reserve(out->context, &out->verbs, verbs) || !sj_array_reserve(out->context, &out->points, points)) {
    out->status = STIJL_ERROR_OUT_OF_MEMORY;
    return;
  }
  // The first dash's MOVE is left out, since the last dash ends in its point. Then everything behind the first dash
  // moves down over it.
  for (size_t i = 1; i < verbs; i++) out->verbs.data[out->verbs.count++] = out->verbs.data[d->out_verb + i];
  for (size_t i = 1; i < points; i++) out->points.data[out->points.count++] = out->points.data[d->out_point + i];
  for (size_t i = d->first_verb_end; i < out->verbs.count; i++) out->verbs.data[i - verbs] = out->verbs.data[i];
  for (size_t i = d->first_point_end; i < out->points.count; i++) out->points.data[i - points] = out->points.data[i];
  out->verbs.count -= verbs;
  out->points.count -= points;
}

typedef struct subpath {
  const unsigned char *verbs;
  size_t verb_count;
  const stijl_point *points;
  size_t point_count;
  bool closed;
} subpath;

// Replaces the dashes of the subpath by the subpath itself.
static void copy_subpath(dasher *d, const subpath *s) {
  d->out->verbs.count = d->out_verb;
  d->out->points.count = d->out_point;
  d->out->open = false;
  const stijl_point *p = s->points;
  for (size_t i = 0; i < s->verb_count && spend(d); i++) {
    int count = sj_path_verb_points(s->verbs[i]);
    sj_path_append(d->out, (stijl_path_verb)s->verbs[i], p, count);
    p += count;
  }
}

static void dash_subpath(dasher *d, const subpath *s) {
  d->index = d->first_index;
  d->remaining = d->first_remaining;
  d->drawing = d->moved = d->ended_first = d->first_is_dot = false;
  d->out_verb = d->out->verbs.count;
  d->out_point = d->out->points.count;
  bool started_on = is_on(d);

  const stijl_point *current = s->points, *last = s->points;
  int last_count = 1;
  stijl_point closing[2];
  for (size_t i = 1; i < s->verb_count && !d->limit && !d->out->status; i++) {
    int count = s->verbs[i] == STIJL_PATH_LINE ? 2 : s->verbs[i] == STIJL_PATH_QUAD ? 3 : 4;
    if (s->verbs[i] == STIJL_PATH_CLOSE) {
      closing[0] = *current;
      closing[1] = s->points[0];
      dash_segment(d, closing, 2);
      if (d->arc.length > 0.0) last = closing, last_count = 2;
      continue;
    }
    dash_segment(d, current, count);
    if (d->arc.length > 0.0) last = current, last_count = count;
    current += count - 1;
  }
  if (d->limit || d->out->status) return;
  if (!d->moved) {
    if (started_on) copy_subpath(d, s);
    return;
  }
  if (!d->drawing) return;
  if (s->closed && started_on && !d->ended_first) {
    copy_subpath(d, s);
    return;
  }
  bool join = s->closed && started_on && !d->first_is_dot;
  if (join) {
    d->drawing = false;
    join_ends(d);
  } else {
    end_dash(d, last, last_count, 1.0);
  }
}

// Finds where in the pattern each subpath starts. Returns false when the pattern leaves the path solid.
static bool start_pattern(dasher *d, float offset) {
  d->total = 0.0;
  for (size_t i = 0; i < d->count; i++) {
    if (d->dashes[i] < 0.0f) return false;
    d->total += (double)d->dashes[i];
  }
  d->period = d->count;
  if (d->count % 2) {
    d->period *= 2;
    d->total *= 2.0;
  }
  if (!(d->total > 0.0)) return false;
  bool gaps = d->count % 2 != 0;
  for (size_t i = 1; !gaps && i < d->count; i += 2) gaps = d->dashes[i] > 0.0f;
  if (!gaps) return false;
  double into = fmod((double)offset, d->total);  // how far into the period; fmod is exact
  if (into < 0.0) into += d->total;
  d->index = 0;
  d->remaining = (double)d->dashes[0];
  // The loop ends after a period, even if rounding left a bit of `into`.
  for (size_t i = 0; i < d->period && into >= d->remaining && into > 0.0; i++) {
    into -= d->remaining;
    advance(d);
  }
  d->first_index = d->index;
  d->first_remaining = d->remaining > into ? d->remaining - into : 0.0;
  return true;
}

stijl_result sj_path_dash(const stijl_path *path, const float *dashes, size_t count, float offset,
                          const stijl_matrix *measure, uint64_t max_segments, stijl_path *out) {
  if (!path || !out || path == out || (!dashes && count) || !isfinite(offset)) return STIJL_ERROR_INVALID_ARGUMENT;
  if (measure && !stijl_matrix_is_finite(*measure)) return STIJL_ERROR_INVALID_ARGUMENT;
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(dashes[i])) return STIJL_ERROR_INVALID_ARGUMENT;
  }
  if (path->status) return path->status;
  if (out->status) return out->status;

  dasher d = {.dashes = dashes, .count = count, .allowed = max_segments, .out = out};
  d.measure = measure ? *measure : stijl_matrix_identity();
  if (count == 0 || count > SIZE_MAX / 2 || !start_pattern(&d, offset)) {
    if (path->verbs.count > max_segments) return STIJL_ERROR_LIMIT;
    stijl_path_add_path(out, path, NULL);
    return out->status;
  }

  size_t point = 0;
  for (size_t verb = 0; verb < path->verbs.count && !d.limit && !out->status;) {
    subpath s = {.verbs = path->verbs.data + verb, .points = path->points.data + point};
    do {
      unsigned char v = s.verbs[s.verb_count++];
      s.point_count += (size_t)sj_path_verb_points(v);
      s.closed = v == STIJL_PATH_CLOSE;
      verb++;
    } while (verb < path->verbs.count && path->verbs.data[verb] != STIJL_PATH_MOVE);
    point += s.point_count;
    dash_subpath(&d, &s);
  }
  return d.limit ? STIJL_ERROR_LIMIT : out->status;
}
