// Finds how far a stroke reaches: the box of its outline, by the corners that its offsets, joins and caps have.
#include "svg/resolve/extent.h"

#include <math.h>

#include "geometry/curve.h"

// A curve is cut into so many pieces. From one to the next its outline turns so little that the box is right to 1/1000
// of the curve's size.
#define PIECES 32

typedef struct outline {
  const stijl_stroke *stroke;
  stijl_matrix matrix;  // from the pen's space
  float radius;
  float disc_x, disc_y;  // half the width and height of the pen's box
  sj_box *box;
} outline;

static void add_point(const outline *o, float x, float y) {
  stijl_point p = stijl_matrix_apply(o->matrix, (stijl_point){x, y});
  if (isfinite(p.x) && isfinite(p.y)) sj_box_add(o->box, (stijl_rect){p.x, p.y, p.x, p.y});
}

static void add_disc(const outline *o, stijl_point at) {
  stijl_point p = stijl_matrix_apply(o->matrix, at);
  if (!isfinite(p.x) || !isfinite(p.y)) return;
  sj_box_add(o->box, (stijl_rect){p.x - o->disc_x, p.y - o->disc_y, p.x + o->disc_x, p.y + o->disc_y});
}

// Adds the points on both sides of `at`, `ahead` radii ahead of it.
static void add_sides(const outline *o, stijl_point at, stijl_point along, float ahead) {
  float r = o->radius, x = at.x + ahead * r * along.x, y = at.y + ahead * r * along.y;
  add_point(o, x - r * along.y, y + r * along.x);
  add_point(o, x + r * along.y, y - r * along.x);
}

// Adds a cap; `out` points away from the line.
static void add_cap(const outline *o, stijl_point at, stijl_point out) {
  if (o->stroke->cap == STIJL_CAP_ROUND)
    add_disc(o, at);
  else
    add_sides(o, at, out, o->stroke->cap == STIJL_CAP_SQUARE ? 1.0f : 0.0f);
}

static void add_join(const outline *o, stijl_point at, stijl_point in, stijl_point out) {
  float cross = in.x * out.y - in.y * out.x, cosine = in.x * out.x + in.y * out.y;
  if (o->stroke->join == STIJL_JOIN_ROUND) add_disc(o, at);
  if (o->stroke->join == STIJL_JOIN_ROUND || o->stroke->join == STIJL_JOIN_BEVEL || !(1.0f + cosine > 1e-6f)) return;
  // The miter's length in radii, along the sum of the normals of the outer side.
  float length = sqrtf(2.0f / (1.0f + cosine));
  if (length > o->stroke->miter_limit) {
    if (o->stroke->join != STIJL_JOIN_MITER_CLIP) return;
    length = o->stroke->miter_limit;
  }
  float x = in.y + out.y, y = -(in.x + out.x), size = sqrtf(x * x + y * y);
  float reach = (cross > 0.0f ? length : -length) * o->radius / size;
  add_point(o, at.x + reach * x, at.y + reach * y);
}

// --- the walk ---

typedef struct walk {
  const outline *o;
  stijl_point start, at;
  stijl_point first, last;  // directions at the start and the end of what was drawn
  bool drawn;               // something with a length was drawn
} walk;

static bool unit(stijl_point from, stijl_point to, stijl_point *out) {
  float x = to.x - from.x, y = to.y - from.y, length = sqrtf(x * x + y * y);
  *out = (stijl_point){x / length, y / length};
  return length > 0.0f && isfinite(length);
}

// Walks a line. `smooth` means that it continues the curve that the last one belongs to, so that there is no join.
static void walk_line(walk *w, stijl_point to, bool smooth) {
  stijl_point along, middle;
  if (!unit(w->at, to, &along)) return;
  if (!w->drawn) {
    w->first = along;
  } else if (!smooth) {
    add_join(w->o, w->at, w->last, along);
  } else if (unit((stijl_point){-w->last.x, -w->last.y}, along, &middle)) {
    add_sides(w->o, w->at, middle, 0.0f);
  }
  add_sides(w->o, w->at, along, 0.0f);
  add_sides(w->o, to, along, 0.0f);
  w->drawn = true;
  w->last = along;
  w->at = to;
}

// Walks a curve by its chords.
static void walk_cubic(walk *w, stijl_point p1, stijl_point p2, stijl_point p3) {
  stijl_point p0 = w->at;
  for (int i = 1; i <= PIECES; i++)
    walk_line(w, i == PIECES ? p3 : sj_cubic_at(p0, p1, p2, p3, (float)i / PIECES), i > 1);
}

static void end_subpath(walk *w, bool closed, bool any) {
  if (closed) walk_line(w, w->start, false);
  if (!w->drawn) {
    // Of a point, round and square caps make a dot.
    if (any && w->o->stroke->cap != STIJL_CAP_BUTT) add_cap(w->o, w->start, (stijl_point){1.0f, 0.0f});
    if (any && w->o->stroke->cap == STIJL_CAP_SQUARE) add_cap(w->o, w->start, (stijl_point){-1.0f, 0.0f});
  } else if (closed) {
    add_join(w->o, w->start, w->last, w->first);
  } else {
    add_cap(w->o, w->start, (stijl_point){-w->first.x, -w->first.y});
    add_cap(w->o, w->at, w->last);
  }
  w->drawn = false;
  w->at = w->start;
}

void sj_stroke_extent(const stijl_path *path, const stijl_stroke *stroke, const stijl_matrix *matrix, sj_box *box) {
  const unsigned char *verbs;
  const stijl_point *p;
  size_t count = stijl_path_verbs(path, &verbs);
  stijl_path_points(path, &p);
  float radius = 0.5f * stroke->width;
  outline o = {.stroke = stroke,
               .matrix = *matrix,
               .radius = radius,
               .disc_x = radius * sqrtf(matrix->a * matrix->a + matrix->c * matrix->c),
               .disc_y = radius * sqrtf(matrix->b * matrix->b + matrix->d * matrix->d),
               .box = box};
  walk w = {.o = &o};
  bool any = false;  // there was a segment since the last move
  for (size_t i = 0; i < count; i++) {
    switch ((stijl_path_verb)verbs[i]) {
      case STIJL_PATH_MOVE:
        end_subpath(&w, false, any);
        any = false;
        w.start = w.at = *p++;
        break;
      case STIJL_PATH_LINE:
        walk_line(&w, *p++, false);
        any = true;
        break;
      case STIJL_PATH_QUAD:
        walk_cubic(&w, sj_between(w.at, p[0], 2.0f / 3.0f), sj_between(p[1], p[0], 2.0f / 3.0f), p[1]);
        p += 2;
        any = true;
        break;
      case STIJL_PATH_CUBIC:
        walk_cubic(&w, p[0], p[1], p[2]);
        p += 3;
        any = true;
        break;
      case STIJL_PATH_CLOSE:
        end_subpath(&w, true, true);
        any = false;
        break;
    }
  }
  end_subpath(&w, false, any);
}
