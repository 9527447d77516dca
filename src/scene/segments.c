// Paths to segments, a subpath at a time: room is made once, then the loops over its verbs and points only copy.
#include <string.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include "geometry/path.h"
#include "scene/scene.h"

_Static_assert(STIJL_PATH_LINE == K_SEGMENT_LINE && STIJL_PATH_QUAD == K_SEGMENT_QUAD &&
                   STIJL_PATH_CUBIC == K_SEGMENT_CUBIC,
               "a verb is the kind of its segment and the number of its points");

typedef struct {
  const unsigned char *verbs;  // those after the MOVE
  size_t count;                // of them, without the CLOSE
  bool closed;
  const stijl_point *points;  // from the start on
  size_t point_count;
} subpath;

// The arrays that segments are appended to. Behind the counts there is room, which may be written without being
// counted.
typedef struct {
  k_segment *segments;
  k_vec *points;
  uint32_t first_segment, first_point;  // their indices in the scene
  uint32_t flags;                       // of every segment
  uint32_t count, curves;
  uint32_t last;  // the last point, which is the first of the next segment
} sink;

// So many lines are looked at whether a line repeats one.
#define RECENT 4u

// A path that is stroked.
typedef struct {
  // What is no farther apart is the same place: of strokes of up to 32 pixels that changes coverage by 2 of 255 at
  // most.
  float slack;
  bool unfolds;                    // lines there and back are one line with caps
  uint32_t recent[RECENT], lines;  // the last segments that are all of a subpath and straight, and how many there were
} stroke;

static inline k_vec point(stijl_point p) { return sj_without_subnormals(k_vec_make(p.x, p.y)); }

static inline bool same(k_vec a, k_vec b) { return a.x == b.x && a.y == b.y; }

// Counts the segment whose points have been written behind the last one; a segment without length is not counted, and
// so the next one overwrites it. There is no branch, since it could not be predicted.
static inline void add(sink *s, uint32_t kind, bool moved) {
  s->segments[s->count] = (k_segment){kind | s->flags, s->first_point + s->last, s->first_segment + s->count + 1};
  s->count += moved;
  s->curves += moved && kind != K_SEGMENT_LINE;
  s->last += moved ? kind : 0;
}

// Adds a line between two points of the path. Both are read from the path, so that no line waits for the one before it.
static inline void add_line(sink *s, stijl_point from, stijl_point to) {
  k_vec end = point(to);
  s->points[s->last + 1] = end;
  add(s, K_SEGMENT_LINE, !same(point(from), end));
}

static void add_verbs(sink *s, const subpath *sub) {
  const stijl_point *p = sub->points;  // the current point
  s->points[0] = point(*p);
  for (size_t i = 0; i < sub->count; i++) {
    uint32_t kind = sub->verbs[i];
    if (kind == K_SEGMENT_LINE) {
      add_line(s, p[0], p[1]);
      p++;
      continue;
    }
    bool moved = false;
    for (uint32_t k = 1; k <= kind; k++) {
      k_vec next = point(p[k]);
      s->points[s->last + k] = next;
      moved |= !same(point(p[0]), next);
    }
    p += kind;
    add(s, kind, moved);
  }
}

// Ends a stroked subpath: each segment is joined to the next and the last to the first; an open subpath has caps
// instead.
static void end_stroke(k_segment *segments, uint32_t count, uint32_t first, bool closed) {
  segments[count - 1].next = first;
  if (closed) return;
  segments[0].flags |= K_SEGMENT_CAP_START;
  segments[count - 1].flags = (segments[count - 1].flags & ~K_SEGMENT_JOIN) | K_SEGMENT_CAP_END;
}

static void include_points(stijl_rect *box, const k_vec *points, size_t count) {
  stijl_rect b = *box;
  for (size_t i = 0; i < count; i++) {
    k_vec p = points[i];
    b.x0 = p.x < b.x0 ? p.x : b.x0;
    b.y0 = p.y < b.y0 ? p.y : b.y0;
    b.x1 = p.x > b.x1 ? p.x : b.x1;
    b.y1 = p.y > b.y1 ? p.y : b.y1;
  }
  *box = b;
}

// Two points: x, y, x, y.
typedef float two_points __attribute__((vector_size(16)));
typedef int32_t two_masks __attribute__((vector_size(16)));

static inline two_points load_two(const stijl_point *p) {
  two_points v;
  memcpy(&v, p, sizeof v);
  return v;
}

// Returns the lesser coordinates; the second function returns the greater ones. Coordinates of paths are numbers.
static inline two_points least(two_points a, two_points b) {
#ifdef __SSE__
  return (two_points)_mm_min_ps((__m128)a, (__m128)b);
#else
  two_masks less = a < b;
  return (two_points)(((two_masks)a & less) | ((two_masks)b & ~less));
#endif
}

static inline two_points most(two_points a, two_points b) {
#ifdef __SSE__
  return (two_points)_mm_max_ps((__m128)a, (__m128)b);
#else
  two_masks more = a > b;
  return (two_points)(((two_masks)a & more) | ((two_masks)b & ~more));
#endif
}

// Does the same as sj_without_subnormals, for two points.
static inline two_points without_subnormals(two_points v) {
  const two_points smallest = {0x1p-126f, 0x1p-126f, 0x1p-126f, 0x1p-126f};
  return (two_points)((two_masks)v & ((v >= smallest) | (v <= -smallest)));
}

// Returns the two points with the other one first.
static inline two_points turned(two_points v) { return (two_points){v[2], v[3], v[0], v[1]}; }

// Copies a subpath's points, and adds them to the box. Whether none is the same as the one before it.
static bool copy_points(k_vec *to, const stijl_point *from, size_t count, stijl_rect *box) {
  stijl_rect b = *box;
  two_points low = {b.x0, b.y0, b.x0, b.y0}, high = {b.x1, b.y1, b.x1, b.y1};
  two_masks equal = {0};
  for (size_t i = 0; i + 2 < count; i += 2) {
    two_points v = without_subnormals(load_two(from + i));
    two_masks e = v == without_subnormals(load_two(from + i + 1));
    equal |= e & (two_masks){e[1], e[0], e[3], e[2]};
    low = least(v, low);
    high = most(v, high);
    memcpy(to + i, &v, sizeof v);
  }
  // The last two, of which the first may be there already.
  if (count == 1) {
    to[0] = point(from[0]);
    two_points v = {to[0].x, to[0].y, to[0].x, to[0].y};
    low = least(v, low);
    high = most(v, high);
  } else {
    two_points v = without_subnormals(load_two(from + count - 2));
    two_masks e = v == turned(v);
    equal |= e & (two_masks){e[1], e[0], e[3], e[2]};
    low = least(v, low);
    high = most(v, high);
    memcpy(to + count - 2, &v, sizeof v);
  }
  low = least(low, turned(low));
  high = most(high, turned(high));
  *box = (stijl_rect){low[0], low[1], high[0], high[1]};
  return !(equal[0] | equal[2]);
}

// Makes the segments of the verbs up to where the subpath ends, and finds that out.
static inline void find_subpath(sink *s, subpath *sub, const unsigned char *end) {
  const unsigned char *verb = sub->verbs;
  uint32_t point = s->first_point, number = s->first_segment, curves = 0;
  k_segment *segment = s->segments;
  for (; verb < end && (unsigned)(*verb - STIJL_PATH_LINE) <= STIJL_PATH_CUBIC - STIJL_PATH_LINE; verb++) {
    uint32_t kind = *verb;
    *segment++ = (k_segment){kind | s->flags, point, ++number};
    point += kind;
    curves += kind != K_SEGMENT_LINE;
  }
  sub->count = (size_t)(verb - sub->verbs);
  sub->closed = verb < end && *verb == STIJL_PATH_CLOSE;
  s->count = (uint32_t)sub->count;
  s->curves = curves;
  s->last = point - s->first_point;
  sub->point_count = (size_t)s->last + 1;
}

// Returns whether a segment is the line between its ends, but for `slack`.
static bool is_line(const k_vec *p, uint32_t last, float slack) {
  k_vec v = k_vec_make(p[last].x - p[0].x, p[last].y - p[0].y);
  float square = k_dot(v, v);
  for (uint32_t i = 1; i < last; i++) {
    k_vec c = k_vec_make(p[i].x - p[0].x, p[i].y - p[0].y);
    float along = k_dot(c, v), across = k_cross(c, v);
    if (!(along >= 0.0f && along <= square && across * across <= slack * slack * square)) return false;
  }
  return true;
}

// So many lines are looked at whether all lie along one. Programs that draw connectors (draw.io) let short ones go on
// beyond their end and back.
#define FOLDS 16u

static uint32_t farthest(const k_vec *p, uint32_t count, k_vec from) {
  float most = -1.0f;
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++) {
    k_vec v = k_vec_make(p[i].x - from.x, p[i].y - from.y);
    float square = k_dot(v, v);
    found = square > most ? i : found;
    most = square > most ? square : most;
  }
  return found;
}

// Makes lines that go there and back along one that line: they would cover all that they pass again. Returns whether
// they do.
static bool unfold(sink *s, float slack) {
  if (s->count < 2 || s->count > FOLDS || s->last != s->count) return false;
  k_vec *p = s->points, to = p[farthest(p, s->last + 1, p[0])], from = p[farthest(p, s->last + 1, to)];
  k_vec v = k_vec_make(to.x - from.x, to.y - from.y);
  float square = k_dot(v, v), before = 0.0f;
  bool forwards = false, backwards = false;
  if (!(square < 1e30f)) return false;
  for (uint32_t i = 0; i <= s->last; i++) {
    k_vec c = k_vec_make(p[i].x - from.x, p[i].y - from.y);
    float along = k_dot(c, v), across = k_cross(c, v);
    if (!(across * across <= slack * slack * square)) return false;
    forwards |= i && along > before;
    backwards |= i && along < before;
    before = along;
  }
  if (!forwards || !backwards) return false;
  p[0] = from;
  p[1] = to;
  s->count = s->last = 1;
  return true;
}

// Cuts off lines that leave a straight one and come back, as those of candlesticks do: each becomes a line with caps.
// Returns how many there are.
static uint32_t cut_spikes(sink *s, float slack, k_vec out[FOLDS / 2][2]) {
  k_vec *p = s->points;
  uint32_t found = 0;
  if (s->count > FOLDS || s->last != s->count) return 0;
  for (uint32_t i = 2; i + 2 <= s->last;) {
    const k_vec straight[3] = {p[i - 2], p[i - 1], p[i + 2]};
    if (!same(p[i - 1], p[i + 1]) || !is_line(straight, 2, slack)) {
      i++;
      continue;
    }
    out[found][0] = p[i - 1];
    out[found++][1] = p[i];
    memmove(p + i, p + i + 2, (s->last - i - 1) * sizeof *p);
    s->last -= 2;
    s->count -= 2;
  }
  return found;
}

static bool is_near(k_vec a, k_vec b, float slack) { return k_abs(a.x - b.x) <= slack && k_abs(a.y - b.y) <= slack; }

// Returns whether an open subpath repeats a line, in whichever direction. Programs that draw as if by hand (rough.js,
// which Mermaid uses) draw each line twice, and the coverage of both would add up at their edges.
static bool repeats(const stijl_scene *scene, const sink *s, stroke *path) {
  k_vec from = s->points[0], to = s->points[s->last];
  if (s->count != 1 || !is_line(s->points, s->last, path->slack)) return false;
  for (uint32_t i = 0; i < RECENT && i < path->lines; i++) {
    const k_segment *line = &scene->segments.data[path->recent[i]];
    k_vec p = scene->points.data[line->point], q = scene->points.data[line->point + (line->flags & K_SEGMENT_KIND)];
    bool forwards = is_near(p, from, path->slack) && is_near(q, to, path->slack);
    if (forwards || (is_near(p, to, path->slack) && is_near(q, from, path->slack))) return true;
  }
  path->recent[path->lines++ % RECENT] = s->first_segment;
  return false;
}

// Adds a subpath's segments, for which there is room. `stroked` is NULL for a fill.
static bool add_subpath(stijl_scene *scene, subpath *sub, const unsigned char *end, stroke *stroked,
                        sj_path_range *out) {
  sink to = {.segments = scene->segments.data + scene->segments.count,
             .points = scene->points.data + scene->points.count,
             .first_segment = (uint32_t)scene->segments.count,
             .first_point = (uint32_t)scene->points.count,
             .flags = stroked ? K_SEGMENT_JOIN : 0};
  find_subpath(&to, sub, end);
  if (sub->count == 0 && !sub->closed) return true;
  stijl_rect box = out->box;
  // Few paths have segments without length, which are left out one by one.
  bool whole = copy_points(to.points, sub->points, sub->point_count, &box);
  if (!whole) {
    to.count = to.curves = to.last = 0;
    add_verbs(&to, sub);
  }
  if (!stroked || sub->closed) {  // a line from the last point, which is there even where segments were left out
    to.points[to.last + 1] = to.points[0];
    add(&to, K_SEGMENT_LINE, !same(to.points[to.last], to.points[0]));
  }
  bool open = !sub->closed;
  k_vec spikes[FOLDS / 2][2];
  uint32_t spike_count = 0;
  if (stroked && stroked->unfolds && !to.curves) {
    if (unfold(&to, stroked->slack))
      open = true;
    else
      spike_count = cut_spikes(&to, stroked->slack, spikes);
  }
  if (stroked && open && repeats(scene, &to, stroked)) return true;
  if (stroked && to.count) end_stroke(to.segments, to.count, to.first_segment, !open);
  if (stroked && !to.count) to.segments[to.count++] = (k_segment){.flags = K_SEGMENT_DOT, .point = to.first_point};
  if (!to.count) return true;
  if (to.count + spike_count > scene->limits.max_segments - scene->segments.count) {
    sj_scene_fail(scene, STIJL_ERROR_LIMIT, "more than %llu path segments (max_segments)",
                  (unsigned long long)scene->limits.max_segments);
    return false;
  }
  scene->segments.count += to.count;
  scene->points.count += to.last + 1;
  // They take less room than what they were cut off.
  for (uint32_t i = 0; i < spike_count; i++) {
    scene->segments.data[scene->segments.count] =
        (k_segment){K_SEGMENT_LINE | K_SEGMENT_CAP_START | K_SEGMENT_CAP_END, (uint32_t)scene->points.count, 0};
    scene->segments.data[scene->segments.count].next = (uint32_t)scene->segments.count;
    memcpy(scene->points.data + scene->points.count, spikes[i], sizeof spikes[i]);
    scene->segments.count++;
    scene->points.count += 2;
  }
  to.count += spike_count;
  out->box = box;
  uint64_t lines = out->lines + (uint64_t)to.count + (uint64_t)to.curves * (SJ_CURVE_LINES - 1);
  out->lines = (uint32_t)(lines < UINT32_MAX / 2 ? lines : UINT32_MAX / 2);
  return true;
}

// Makes room. A subpath may have a segment and a point more than the path, for the line that closes it; its MOVE is no
// segment.
static bool reserve(stijl_scene *scene, const stijl_path *path) {
  size_t verbs = path->verbs.count, points = path->points.count, moves = 0;
  if (scene->points.capacity - scene->points.count < points + verbs)
    for (size_t i = 0; i < verbs; i++) moves += path->verbs.data[i] == STIJL_PATH_MOVE;
  return sj_array_reserve(scene->context, &scene->points, points + moves) &&
         sj_array_reserve(scene->context, &scene->segments, verbs);
}

static bool build(stijl_scene *scene, const stijl_path *path, stroke *stroked, sj_path_range *out) {
  *out = (sj_path_range){.segment = (uint32_t)scene->segments.count, .box = {1e30f, 1e30f, -1e30f, -1e30f}};
  const unsigned char *verb = path->verbs.data;
  size_t count = path->verbs.count, point_count = path->points.count;
  if (!count) return true;
  if (point_count > UINT32_MAX / 2 - scene->points.count - 2 * count) {
    sj_scene_fail(scene, STIJL_ERROR_LIMIT, "more than 2^31 path points");
    return false;
  }
  if (!reserve(scene, path)) {
    sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
    return false;
  }
  const unsigned char *end = verb + count;
  const stijl_point *points = path->points.data;
  while (verb < end) {  // at a MOVE
    subpath sub = {.verbs = verb + 1, .points = points};
    if (!add_subpath(scene, &sub, end, stroked, out)) return false;
    points += sub.point_count;
    verb = sub.verbs + sub.count + sub.closed;
  }
  out->segment_count = (uint32_t)scene->segments.count - out->segment;
  return true;
}

bool sj_scene_add_fill_path(stijl_scene *scene, const stijl_path *path, sj_path_range *out) {
  return build(scene, path, NULL, out);
}

bool sj_scene_add_stroke_path(stijl_scene *scene, const stijl_path *path, float width, bool unfolds,
                              sj_path_range *out) {
  return build(scene, path, &(stroke){.slack = width / 4096.0f, .unfolds = unfolds}, out);
}

void sj_scene_measure_path(const stijl_scene *scene, sj_path_range *path) {
  path->box = (stijl_rect){1e30f, 1e30f, -1e30f, -1e30f};
  uint64_t lines = 0;
  for (uint32_t i = 0; i < path->segment_count; i++) {
    const k_segment *segment = &scene->segments.data[path->segment + i];
    uint32_t kind = segment->flags & K_SEGMENT_KIND;
    include_points(&path->box, scene->points.data + segment->point, kind + 1);
    lines += kind > K_SEGMENT_LINE ? SJ_CURVE_LINES : 1;
  }
  path->lines = (uint32_t)(lines < UINT32_MAX / 2 ? lines : UINT32_MAX / 2);
}
