// Contours that lie beside one another get one direction when a fill is recorded. The coverage of a pixel is the sum of
// its lines' areas (docs/architecture.md, "Arithmetic"), so where contours of opposite directions share a pixel, their
// areas would cancel: a seam between shapes that meet. Neither fill rule tells the difference: what is turned together
// is a group, whose boxes no other contour of the path overlaps, so that nothing else winds around its points.
#include <math.h>
#include <string.h>

#include "geometry/path.h"
#include "scene/scene.h"

// Groups are looked for in a grid with about one cell for each contour. Where contours are so uneven that they are in
// more cells than this, or more pairs of them in one cell, each as many times as there are contours, all stay as they
// are.
#define MAX_CELLS 16
#define MAX_PAIRS 64
#define MAX_SIDE 2048  // cells
// Of the largest coordinate: what sums of a few floats may be off by, and far less than is seen.
#define ROUNDING 0x1p-18f

typedef struct {
  uint32_t segment, count;
  uint32_t group;  // another contour of its group, and so on to one that names itself
  double area;     // area_of; of a group in the end
  stijl_rect box;  // of its control points
} contour;

typedef SJ_ARRAY(contour) contours;

typedef struct {
  stijl_context *context;
  contours list;
  double x, y, x_scale, y_scale;  // from points to cells
  float rounding_x, rounding_y;   // boxes that overlap by no more than this do so for rounding
  uint32_t side;                  // of the grid
  uint32_t *starts, *entries;     // of each cell; numbers of contours
} orienter;

typedef struct {
  uint32_t x0, y0, x1, y1;  // the last ones included
} cells;

static uint32_t last_point(const k_segment *s) { return s->point + (s->flags & K_SEGMENT_KIND); }

static stijl_rect box_of(const k_vec *p, size_t count) {
  stijl_rect b = {p[0].x, p[0].y, p[0].x, p[0].y};
  for (size_t i = 1; i < count; i++) {
    b.x0 = k_min(b.x0, p[i].x);
    b.y0 = k_min(b.y0, p[i].y);
    b.x1 = k_max(b.x1, p[i].x);
    b.y1 = k_max(b.y1, p[i].y);
  }
  return b;
}

// Returns twice the area of the polygon of a contour's control points.
static double area_of(const stijl_scene *scene, const contour *c) {
  const k_segment *first = &scene->segments.data[c->segment];
  const k_vec *p = scene->points.data;
  double area = 0, x = p[first->point].x, y = p[first->point].y;
  for (uint32_t i = first->point, end = last_point(first + c->count - 1); i < end; i++)
    area += ((double)p[i].x - x) * ((double)p[i + 1].y - y) - ((double)p[i + 1].x - x) * ((double)p[i].y - y);
  return area;
}

// Finds the contour behind `c`, of which only `segment` and `count` count (at first 0 behind the path's begin), and its
// box. False where there is none. A segment begins where the one before it ends, unless it is a contour's first.
static bool next_contour(const stijl_scene *scene, const sj_path_range *path, contour *c) {
  const k_segment *segments = scene->segments.data;
  uint32_t end = path->segment + path->segment_count, i = c->segment + c->count, next = i + 1;
  if (i == end) return false;
  while (next < end && segments[next].point == last_point(&segments[next - 1])) next++;
  *c = (contour){.segment = i, .count = next - i};
  uint32_t first = segments[i].point;
  c->box = box_of(scene->points.data + first, last_point(&segments[next - 1]) - first + 1);
  return true;
}

bool sj_scene_may_orient(const stijl_scene *scene, const sj_path_range *path) {
  bool back = false, forth = false;
  stijl_rect all = path->box;
  for (contour c = {.segment = path->segment}; next_contour(scene, path, &c);) {
    if (c.box.x0 <= all.x0 && c.box.y0 <= all.y0 && c.box.x1 >= all.x1 && c.box.y1 >= all.y1) return false;
    double area = area_of(scene, &c);
    back |= area < 0;
    forth |= area > 0;
  }
  return back && forth;
}

static bool list_contours(orienter *o, const stijl_scene *scene, const sj_path_range *path) {
  for (contour c = {.segment = path->segment}; next_contour(scene, path, &c);) {
    c.group = (uint32_t)o->list.count;
    c.area = area_of(scene, &c);
    if (!sj_array_push(o->context, &o->list, c)) return false;
  }
  return true;
}

static void lay_grid(orienter *o, stijl_rect box) {
  o->side = (uint32_t)k_min(ceil(sqrt((double)o->list.count)), (double)MAX_SIDE);
  o->x = box.x0;
  o->y = box.y0;
  double width = (double)box.x1 - o->x, height = (double)box.y1 - o->y;
  o->rounding_x = ROUNDING * k_max(k_abs(box.x0), k_abs(box.x1));
  o->rounding_y = ROUNDING * k_max(k_abs(box.y0), k_abs(box.y1));
  o->x_scale = width > 0 ? o->side / width : 0;
  o->y_scale = height > 0 ? o->side / height : 0;
}

static uint32_t cell_of(const orienter *o, double distance, double scale) {
  return (uint32_t)k_min(distance * scale, (double)(o->side - 1));
}

static cells cells_of(const orienter *o, const contour *c) {
  return (cells){cell_of(o, (double)c->box.x0 - o->x, o->x_scale), cell_of(o, (double)c->box.y0 - o->y, o->y_scale),
                 cell_of(o, (double)c->box.x1 - o->x, o->x_scale), cell_of(o, (double)c->box.y1 - o->y, o->y_scale)};
}

// Puts the contours into the cells that their boxes touch. *few is false where there would be too many entries.
static bool fill_cells(orienter *o, bool *few) {
  size_t count = o->list.count, total = 0;
  for (size_t i = 0; i < count && total <= MAX_CELLS * count; i++) {
    cells c = cells_of(o, &o->list.data[i]);
    total += (size_t)(c.x1 - c.x0 + 1) * (c.y1 - c.y0 + 1);
  }
  *few = total <= MAX_CELLS * count;
  if (!*few) return true;
  size_t all = (size_t)o->side * o->side;
  o->starts = sj_alloc_zero(o->context, (all + 2) * sizeof *o->starts);
  o->entries = sj_alloc_array(o->context, total, sizeof *o->entries);
  if (!o->starts || !o->entries) return false;
  // Cells are counted two places on, so that a cell's start, once it is used up, is the next one's.
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < count; i++) {
      cells c = cells_of(o, &o->list.data[i]);
      for (uint32_t y = c.y0; y <= c.y1; y++)
        for (uint32_t x = c.x0; x <= c.x1; x++) {
          uint32_t *start = &o->starts[(size_t)y * o->side + x];
          if (pass)
            o->entries[start[1]++] = i;
          else
            start[2]++;
        }
    }
    for (size_t i = 2; !pass && i < all + 2; i++) o->starts[i] += o->starts[i - 1];
  }
  return true;
}

static uint32_t group_of(contour *list, uint32_t i) {
  while (list[i].group != i) i = list[i].group = list[list[i].group].group;
  return i;
}

static bool overlap(const orienter *o, const stijl_rect *a, const stijl_rect *b) {
  float x = o->rounding_x, y = o->rounding_y;
  return a->x0 + x < b->x1 && b->x0 + x < a->x1 && a->y0 + y < b->y1 && b->y0 + y < a->y1;
}

// Joins contours whose boxes overlap. False where there are too many pairs in the same cells.
static bool join_groups(orienter *o) {
  contour *list = o->list.data;
  size_t pairs = 0;
  for (size_t cell = 0; cell < (size_t)o->side * o->side; cell++) {
    for (uint32_t i = o->starts[cell]; i < o->starts[cell + 1]; i++) {
      pairs += i - o->starts[cell];
      if (pairs > MAX_PAIRS * o->list.count) return false;
      for (uint32_t k = o->starts[cell]; k < i; k++) {
        uint32_t a = o->entries[i], b = o->entries[k];
        if (overlap(o, &list[a].box, &list[b].box)) list[group_of(list, a)].group = group_of(list, b);
      }
    }
  }
  return true;
}

static void turn(stijl_scene *scene, const contour *c) {
  k_segment *s = scene->segments.data + c->segment;
  uint32_t point = s[0].point, last = last_point(&s[c->count - 1]);
  k_vec *p = scene->points.data;
  for (uint32_t i = point, k = last; i < k; i++, k--) {
    k_vec held = p[i];
    p[i] = p[k];
    p[k] = held;
  }
  for (uint32_t i = 0, k = c->count - 1; i < k; i++, k--) {
    uint32_t held = s[i].flags;
    s[i].flags = s[k].flags;
    s[k].flags = held;
  }
  for (uint32_t i = 0; i < c->count; i++) {
    s[i].point = point;
    point = last_point(&s[i]);
  }
}

// Turns the groups that run against most of the area.
static void turn_groups(orienter *o, stijl_scene *scene) {
  contour *list = o->list.data;
  double total = 0;
  for (uint32_t i = 0; i < o->list.count; i++) total += list[i].area;
  for (uint32_t i = 0; i < o->list.count; i++) {
    uint32_t group = group_of(list, i);
    if (group != i) list[group].area += list[i].area;
  }
  for (uint32_t i = 0; i < o->list.count; i++) {
    double area = list[group_of(list, i)].area;
    if (total < 0 ? area > 0 : area < 0) turn(scene, &list[i]);
  }
}

void sj_scene_turn_forwards(stijl_scene *scene, const sj_path_range *path) {
  double area = 0;
  for (contour c = {.segment = path->segment}; next_contour(scene, path, &c);) area += area_of(scene, &c);
  if (area >= 0) return;
  for (contour c = {.segment = path->segment}; next_contour(scene, path, &c);) turn(scene, &c);
}

bool sj_scene_orient(stijl_scene *scene, const sj_path_range *path) {
  orienter o = {.context = scene->context};
  bool ok = list_contours(&o, scene, path), few = false;
  lay_grid(&o, path->box);
  ok = ok && fill_cells(&o, &few);
  if (ok && few && join_groups(&o)) turn_groups(&o, scene);
  sj_array_finish(o.context, &o.list);
  sj_free(o.context, o.starts);
  sj_free(o.context, o.entries);
  if (!ok) sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
  return ok;
}
