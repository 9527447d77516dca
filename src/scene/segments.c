// Paths to segments, a subpath at a time: room is made once, then the loop over its verbs only copies.
#include "scene/scene.h"

_Static_assert(STIJL_PATH_LINE == K_SEGMENT_LINE && STIJL_PATH_QUAD == K_SEGMENT_QUAD &&
                   STIJL_PATH_CUBIC == K_SEGMENT_CUBIC,
               "a verb is the kind of its segment and the number of its points");

typedef struct {
  const unsigned char *verbs;  // those after the MOVE
  size_t count;                // of them, without the CLOSE
  bool closed;
  const stijl_point *points;   // from the start on
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

static bool same(stijl_point a, stijl_point b) { return a.x == b.x && a.y == b.y; }

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
  s->points[s->last + 1] = k_vec_make(to.x, to.y);
  add(s, K_SEGMENT_LINE, !same(from, to));
}

static void add_verbs(sink *s, const subpath *sub) {
  const stijl_point *p = sub->points;  // the current point
  s->points[0] = k_vec_make(p->x, p->y);
  for (size_t i = 0; i < sub->count; i++) {
    uint32_t kind = sub->verbs[i];
    if (kind == K_SEGMENT_LINE) {
      add_line(s, p[0], p[1]);
      p++;
      continue;
    }
    bool moved = false;
    for (uint32_t k = 1; k <= kind; k++) {
      s->points[s->last + k] = k_vec_make(p[k].x, p[k].y);
      moved |= !same(p[0], p[k]);
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

static bool add_subpath(stijl_scene *scene, const subpath *sub, bool stroke, sj_path_range *out) {
  if (sub->count == 0 && !sub->closed) return true;
  // One more of each for the line that closes it.
  if (!sj_array_reserve(scene->context, &scene->points, sub->point_count + 1) ||
      !sj_array_reserve(scene->context, &scene->segments, sub->count + 1)) {
    sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
    return false;
  }
  sink to = {.segments = scene->segments.data + scene->segments.count,
             .points = scene->points.data + scene->points.count,
             .first_segment = (uint32_t)scene->segments.count,
             .first_point = (uint32_t)scene->points.count,
             .flags = stroke ? K_SEGMENT_JOIN : 0};
  add_verbs(&to, sub);
  if (!stroke || sub->closed) add_line(&to, sub->points[sub->point_count - 1], sub->points[0]);
  if (stroke && to.count) end_stroke(to.segments, to.count, to.first_segment, sub->closed);
  if (stroke && !to.count) to.segments[to.count++] = (k_segment){.flags = K_SEGMENT_DOT, .point = to.first_point};
  if (!to.count) return true;
  if (to.count > scene->limits.max_segments - scene->segments.count) {
    sj_scene_fail(scene, STIJL_ERROR_LIMIT, "more than %llu path segments (max_segments)",
                  (unsigned long long)scene->limits.max_segments);
    return false;
  }
  scene->segments.count += to.count;
  scene->points.count += to.last + 1;
  include_points(&out->box, to.points, to.last + 1);
  uint64_t lines = out->lines + (uint64_t)to.count + (uint64_t)to.curves * (SJ_CURVE_LINES - 1);
  out->lines = (uint32_t)(lines < UINT32_MAX / 2 ? lines : UINT32_MAX / 2);
  return true;
}

static bool build(stijl_scene *scene, const stijl_path *path, bool stroke, sj_path_range *out) {
  *out = (sj_path_range){.segment = (uint32_t)scene->segments.count, .box = {1e30f, 1e30f, -1e30f, -1e30f}};
  const unsigned char *verbs;
  const stijl_point *points;
  size_t count = stijl_path_verbs(path, &verbs);
  size_t point_count = stijl_path_points(path, &points);
  if (point_count > UINT32_MAX / 2 - scene->points.count - 2 * count) {
    sj_scene_fail(scene, STIJL_ERROR_LIMIT, "more than 2^31 path points");
    return false;
  }
  for (size_t i = 0; i < count;) {  // at a MOVE
    subpath sub = {.verbs = verbs + i + 1, .points = points, .point_count = 1};
    for (i++; i < count && verbs[i] != STIJL_PATH_MOVE && verbs[i] != STIJL_PATH_CLOSE; i++) sub.point_count += verbs[i];
    sub.count = (size_t)(verbs + i - sub.verbs);
    sub.closed = i < count && verbs[i] == STIJL_PATH_CLOSE;
    i += sub.closed;
    points += sub.point_count;
    if (!add_subpath(scene, &sub, stroke, out)) return false;
  }
  out->segment_count = (uint32_t)scene->segments.count - out->segment;
  return true;
}

bool sj_scene_add_fill_path(stijl_scene *scene, const stijl_path *path, sj_path_range *out) {
  return build(scene, path, false, out);
}

bool sj_scene_add_stroke_path(stijl_scene *scene, const stijl_path *path, sj_path_range *out) {
  return build(scene, path, true, out);
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
