#include "geometry/path.h"

#include <string.h>

// How far the control points of a cubic lie from its ends, as a share of the radius, where it stands for a quarter of
// an ellipse: 4/3 (sqrt(2) - 1). The radius is then off by at most 2.8e-4 of itself.
#define QUARTER_ARC 0.5522847498307936

void sj_path_forget(stijl_context *context, sj_path_findings *findings) {
  if (!findings) return;
  sj_united *united = atomic_load_explicit(&findings->united, memory_order_relaxed);
  atomic_store_explicit(&findings->fill_is_apart, false, memory_order_relaxed);
  atomic_store_explicit(&findings->united, NULL, memory_order_relaxed);
  while (united) {
    sj_united *next = united->next;
    stijl_path_destroy(united->path);
    sj_free(context, united);
    united = next;
  }
}

// Forgets what was found out of the path, which changes.
static void forget(stijl_path *path) { sj_path_forget(path->context, path->findings); }

const sj_united *sj_path_find_united(const stijl_path *path, const sj_united_key *key) {
  if (!path->findings) return NULL;
  const sj_united *u = atomic_load_explicit(&path->findings->united, memory_order_acquire);
  while (u && memcmp(&u->key, key, sizeof *key) != 0) u = u->next;
  return u;
}

bool sj_path_keep_united(const stijl_path *path, const sj_united_key *key, uint64_t steps, stijl_path *united,
                         bool *kept) {
  *kept = false;
  if (!path->findings) return true;
  _Atomic(sj_united *) *last = &path->findings->united;
  sj_united *made = sj_alloc_zero(path->context, sizeof *made);
  if (!made) return false;
  *made = (sj_united){.key = *key, .steps = steps, .path = united};
  made->next = atomic_load_explicit(last, memory_order_acquire);
  do {
    int count = 0;
    for (const sj_united *u = made->next; u; u = u->next) count++;
    *kept = count < SJ_MOST_UNITED;
  } while (*kept &&
           !atomic_compare_exchange_weak_explicit(last, &made->next, made, memory_order_acq_rel, memory_order_acquire));
  if (!*kept) sj_free(path->context, made);
  return true;
}

stijl_result stijl_path_create(stijl_context *context, stijl_path **out) {
  if (!out) return STIJL_ERROR_INVALID_ARGUMENT;
  context = sj_context(context);
  *out = sj_alloc_zero(context, sizeof **out);
  if (!*out) return STIJL_ERROR_OUT_OF_MEMORY;
  (*out)->findings = &(*out)->own;
  (*out)->context = context;
  return STIJL_OK;
}

void stijl_path_destroy(stijl_path *path) {
  if (!path) return;
  forget(path);
  sj_arrays_finish(path->context, &path->verbs, &path->points);
  sj_free(path->context, path);
}

stijl_result stijl_path_status(const stijl_path *path) { return path ? path->status : STIJL_ERROR_INVALID_ARGUMENT; }

void stijl_path_clear(stijl_path *path) {
  if (!path) return;
  forget(path);
  path->status = STIJL_OK;
  path->verbs.count = path->points.count = 0;
  path->start = (stijl_point){0.0f, 0.0f};
  path->open = false;
}

stijl_point sj_path_current(const stijl_path *path) {
  return path->open ? path->points.data[path->points.count - 1] : path->start;
}

void sj_path_append(stijl_path *path, stijl_path_verb verb, const stijl_point *points, int count) {
  if (!path || path->status) return;
  forget(path);
  for (int i = 0; i < count; i++) {
    if (!sj_path_coordinate_ok(points[i].x) || !sj_path_coordinate_ok(points[i].y)) {
      path->status = STIJL_ERROR_INVALID_ARGUMENT;
      return;
    }
  }
  // Memory for a MOVE that may have to be inserted is reserved first, so that a failure leaves no half segment.
  if (!sj_array_reserve(path->context, &path->verbs, 2) || !sj_array_reserve(path->context, &path->points, count + 1)) {
    path->status = STIJL_ERROR_OUT_OF_MEMORY;
    return;
  }
  if (verb == STIJL_PATH_MOVE) {
    path->start = points[0];
  } else if (!path->open) {
    path->verbs.data[path->verbs.count++] = STIJL_PATH_MOVE;
    path->points.data[path->points.count++] = path->start;
  }
  path->open = verb != STIJL_PATH_CLOSE;
  path->verbs.data[path->verbs.count++] = (unsigned char)verb;
  for (int i = 0; i < count; i++) path->points.data[path->points.count++] = points[i];
}

void stijl_path_move_to(stijl_path *path, float x, float y) {
  sj_path_append(path, STIJL_PATH_MOVE, (stijl_point[]){{x, y}}, 1);
}

void stijl_path_line_to(stijl_path *path, float x, float y) {
  sj_path_append(path, STIJL_PATH_LINE, (stijl_point[]){{x, y}}, 1);
}

void stijl_path_quad_to(stijl_path *path, float x1, float y1, float x, float y) {
  sj_path_append(path, STIJL_PATH_QUAD, (stijl_point[]){{x1, y1}, {x, y}}, 2);
}

void stijl_path_cubic_to(stijl_path *path, float x1, float y1, float x2, float y2, float x, float y) {
  sj_path_append(path, STIJL_PATH_CUBIC, (stijl_point[]){{x1, y1}, {x2, y2}, {x, y}}, 3);
}

void stijl_path_close(stijl_path *path) {
  // Closing a subpath that is closed already, or an empty path, does nothing.
  if (path && path->open) sj_path_append(path, STIJL_PATH_CLOSE, NULL, 0);
}

void stijl_path_add_rect(stijl_path *path, float x, float y, float width, float height) {
  stijl_path_move_to(path, x, y);
  stijl_path_line_to(path, x + width, y);
  stijl_path_line_to(path, x + width, y + height);
  stijl_path_line_to(path, x, y + height);
  stijl_path_close(path);
}

// Appends a quarter of an axis-parallel ellipse, from p to q. The tangents at its ends meet in `corner`.
static void quarter_to(stijl_path *path, stijl_point p, stijl_point corner, stijl_point q) {
  const float k = (float)QUARTER_ARC;
  stijl_path_cubic_to(path, p.x + (corner.x - p.x) * k, p.y + (corner.y - p.y) * k, q.x + (corner.x - q.x) * k,
                      q.y + (corner.y - q.y) * k, q.x, q.y);
}

// Limits a corner's radius to half of the rectangle's size, and gives it the sign of the size, so that a rectangle of
// negative size gets mirrored corners. NaN stays NaN.
static float clamp_radius(float radius, float size) {
  float half = size * 0.5f;
  if (radius < 0.0f) radius = 0.0f;
  if (half < 0.0f) return radius > -half ? half : -radius;
  return radius > half ? half : radius;
}

void stijl_path_add_round_rect(stijl_path *path, float x, float y, float width, float height, float rx, float ry) {
  rx = clamp_radius(rx, width);
  ry = clamp_radius(ry, height);
  if (rx == 0.0f || ry == 0.0f) {
    stijl_path_add_rect(path, x, y, width, height);
    return;
  }
  // As SVG 2, 10.2 has it, the path starts behind the top left corner, and straight parts without length are left out.
  float x1 = x + width, y1 = y + height;
  bool straight_x = rx * 2.0f != width, straight_y = ry * 2.0f != height;
  stijl_path_move_to(path, x + rx, y);
  if (straight_x) stijl_path_line_to(path, x1 - rx, y);
  quarter_to(path, (stijl_point){x1 - rx, y}, (stijl_point){x1, y}, (stijl_point){x1, y + ry});
  if (straight_y) stijl_path_line_to(path, x1, y1 - ry);
  quarter_to(path, (stijl_point){x1, y1 - ry}, (stijl_point){x1, y1}, (stijl_point){x1 - rx, y1});
  if (straight_x) stijl_path_line_to(path, x + rx, y1);
  quarter_to(path, (stijl_point){x + rx, y1}, (stijl_point){x, y1}, (stijl_point){x, y1 - ry});
  if (straight_y) stijl_path_line_to(path, x, y + ry);
  quarter_to(path, (stijl_point){x, y + ry}, (stijl_point){x, y}, (stijl_point){x + rx, y});
  stijl_path_close(path);
}

void stijl_path_add_ellipse(stijl_path *path, float cx, float cy, float rx, float ry) {
  const stijl_point right = {cx + rx, cy}, bottom = {cx, cy + ry}, left = {cx - rx, cy}, top = {cx, cy - ry};
  stijl_path_move_to(path, right.x, right.y);
  quarter_to(path, right, (stijl_point){right.x, bottom.y}, bottom);
  quarter_to(path, bottom, (stijl_point){left.x, bottom.y}, left);
  quarter_to(path, left, (stijl_point){left.x, top.y}, top);
  quarter_to(path, top, (stijl_point){right.x, top.y}, right);
  stijl_path_close(path);
}

void stijl_path_add_path(stijl_path *path, const stijl_path *other, const stijl_matrix *matrix) {
  if (!path || path->status) return;
  if (!other || other->status) {
    path->status = other ? other->status : STIJL_ERROR_INVALID_ARGUMENT;
    return;
  }
  size_t verbs = other->verbs.count, points = other->points.count;
  if (verbs == 0) return;
  forget(path);
  if (!sj_array_reserve(path->context, &path->verbs, verbs) ||
      !sj_array_reserve(path->context, &path->points, points)) {
    path->status = STIJL_ERROR_OUT_OF_MEMORY;
    return;
  }
  // These are read after reserving memory, which moves them if `other` is `path`.
  const unsigned char *from_verbs = other->verbs.data;
  const stijl_point *from = other->points.data;
  stijl_point *to = path->points.data + path->points.count;
  for (size_t i = 0; i < points; i++) {
    to[i] = matrix ? stijl_matrix_apply(*matrix, from[i]) : from[i];
    if (!sj_path_coordinate_ok(to[i].x) || !sj_path_coordinate_ok(to[i].y)) {
      path->status = STIJL_ERROR_INVALID_ARGUMENT;
      return;
    }
  }
  for (size_t i = 0; i < verbs; i++) path->verbs.data[path->verbs.count + i] = from_verbs[i];
  stijl_point start = matrix ? stijl_matrix_apply(*matrix, other->start) : other->start;
  bool open = other->open;
  path->verbs.count += verbs;
  path->points.count += points;
  path->start = start;
  path->open = open;
}

bool stijl_path_is_empty(const stijl_path *path) { return !path || path->verbs.count == 0; }

size_t stijl_path_verbs(const stijl_path *path, const unsigned char **out) {
  if (out) *out = path ? path->verbs.data : NULL;
  return path ? path->verbs.count : 0;
}

size_t stijl_path_points(const stijl_path *path, const stijl_point **out) {
  if (out) *out = path ? path->points.data : NULL;
  return path ? path->points.count : 0;
}
