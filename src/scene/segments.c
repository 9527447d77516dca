// Paths to segments.
#include "scene/scene.h"

typedef struct {
  stijl_scene *scene;
  sj_path_range *out;
  bool stroke;
  k_vec start, last;          // of the subpath
  uint32_t first_segment;     // of the subpath
  bool open;                  // a subpath has begun
  bool drawn;                 // and has a segment or asked for one, even without length
} builder;

static bool same(k_vec a, k_vec b) { return a.x == b.x && a.y == b.y; }

static bool add_point(builder *b, k_vec p) {
  stijl_rect *box = &b->out->box;
  if (p.x < box->x0) box->x0 = p.x;
  if (p.y < box->y0) box->y0 = p.y;
  if (p.x > box->x1) box->x1 = p.x;
  if (p.y > box->y1) box->y1 = p.y;
  return sj_array_push(b->scene->context, &b->scene->points, p);
}

#define CURVE_LINES 24  // a guess of what a curve becomes

static bool add_segment(builder *b, uint32_t kind, const k_vec *points, int count) {
  stijl_scene *s = b->scene;
  b->drawn = true;
  bool still = true;
  for (int i = 0; i < count; i++) still = still && same(points[i], b->last);
  if (still && kind != K_SEGMENT_DOT) return true;
  if (s->segments.count >= s->limits.max_segments) {
    sj_scene_fail(s, STIJL_ERROR_LIMIT, "more than %llu path segments (max_segments)",
                  (unsigned long long)s->limits.max_segments);
    return false;
  }
  // Within a subpath the last point is shared.
  bool shared = s->segments.count > b->first_segment;
  uint32_t first = (uint32_t)(s->points.count - (shared ? 1 : 0));
  bool ok = shared || add_point(b, b->last);
  for (int i = 0; i < count; i++) ok = ok && add_point(b, points[i]);
  k_segment segment = {.flags = kind, .point = first};
  ok = ok && sj_array_push(s->context, &s->segments, segment);
  if (!ok) {
    sj_scene_fail(s, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
    return false;
  }
  uint32_t lines = kind > K_SEGMENT_LINE ? CURVE_LINES : 1;
  b->out->lines += b->out->lines < UINT32_MAX / 2 ? lines : 0;
  if (count) b->last = points[count - 1];
  return true;
}

static bool end_subpath(builder *b, bool closed) {
  stijl_scene *s = b->scene;
  if (!b->open) return true;
  b->open = false;
  if (!b->stroke || closed)
    if (b->drawn && !same(b->last, b->start) && !add_segment(b, K_SEGMENT_LINE, &b->start, 1)) return false;
  if (!b->stroke || !b->drawn) return true;
  uint32_t count = (uint32_t)(s->segments.count - b->first_segment);
  if (count == 0) {
    b->last = b->start;
    return add_segment(b, K_SEGMENT_DOT, NULL, 0);
  }
  k_segment *segments = s->segments.data + b->first_segment;
  for (uint32_t i = 0; i < count; i++) {
    segments[i].flags |= K_SEGMENT_JOIN;
    segments[i].next = b->first_segment + (i + 1 == count ? 0 : i + 1);
  }
  if (!closed) {
    segments[0].flags |= K_SEGMENT_CAP_START;
    segments[count - 1].flags = (segments[count - 1].flags & ~K_SEGMENT_JOIN) | K_SEGMENT_CAP_END;
  }
  return true;
}

static void begin_subpath(builder *b, k_vec p) {
  b->start = b->last = p;
  b->first_segment = (uint32_t)b->scene->segments.count;
  b->open = true;
  b->drawn = false;
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
  builder b = {.scene = scene, .out = out, .stroke = stroke};
  const stijl_point *p = points;
  for (size_t i = 0; i < count; i++) {
    k_vec v[3];
    bool ok = true;
    int used = verbs[i] == STIJL_PATH_CUBIC ? 3 : verbs[i] == STIJL_PATH_QUAD ? 2 : verbs[i] == STIJL_PATH_CLOSE ? 0 : 1;
    for (int k = 0; k < used; k++) v[k] = k_vec_make(p[k].x, p[k].y);
    p += used;
    if (verbs[i] != STIJL_PATH_MOVE && !b.open) begin_subpath(&b, b.start);  // after a close
    switch (verbs[i]) {
      case STIJL_PATH_MOVE:
        ok = end_subpath(&b, false);
        begin_subpath(&b, v[0]);
        break;
      case STIJL_PATH_LINE: ok = add_segment(&b, K_SEGMENT_LINE, v, 1); break;
      case STIJL_PATH_QUAD: ok = add_segment(&b, K_SEGMENT_QUAD, v, 2); break;
      case STIJL_PATH_CUBIC: ok = add_segment(&b, K_SEGMENT_CUBIC, v, 3); break;
      default:
        b.drawn = true;
        ok = end_subpath(&b, true);
        break;
    }
    if (!ok) return false;
  }
  if (!end_subpath(&b, false)) return false;
  out->segment_count = (uint32_t)scene->segments.count - out->segment;
  return true;
}

bool sj_scene_add_fill_path(stijl_scene *scene, const stijl_path *path, sj_path_range *out) {
  return build(scene, path, false, out);
}

bool sj_scene_add_stroke_path(stijl_scene *scene, const stijl_path *path, sj_path_range *out) {
  return build(scene, path, true, out);
}
