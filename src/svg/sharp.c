// Draws shapes whose shape-rendering asks for no anti-aliasing: a pixel is painted when its centre lies inside, as in
// browsers. The shape is converted to the pixels that the scene is made for while it is recorded, and becomes a path
// along the borders of whole pixels. So all renderers draw the same.

#include <math.h>
#include <stdlib.h>

#include "cpu/kernels.h"
#include "kernel/coverage.h"
#include "svg/convert.h"

// Limits: how many rows the lines of one shape may cross, counted for each line, and those of all shapes; and how many
// rectangles all shapes may have. What exceeds them is drawn with anti-aliasing: so much detail looks the same either
// way.
#define MAX_CROSSINGS ((size_t)1 << 20)
#define MAX_ALL_CROSSINGS ((uint64_t)1 << 25)
#define MAX_RECTANGLES ((uint64_t)1 << 19)

// Where a line crosses the height of a row's pixel centres: `column` is the first whose centre lies right of the line.
typedef struct crossing {
  int row, column, winding;
} crossing;

typedef struct span {
  int x0, x1, top;
} span;

typedef SJ_ARRAY(span) span_list;

typedef struct sharpener {
  sj_convert *c;
  SJ_ARRAY(crossing) crossings;
  span_list open, next;  // rectangles that reach down to the row before, and to this one
  int right;             // the right side of the box
  stijl_path *path;
  uint64_t rectangles;
} sharpener;

// The first row or column whose centre lies beyond a coordinate. As in browsers, a centre on the upper or left side of
// a shape is outside, and one on the lower or right side inside. So a line that is one pixel wide always covers one
// pixel.
static int round_to_pixels(int fixed) { return (fixed + K_SUBPIXELS / 2) >> 8; }

// Finds all crossings. False when there are too many, or when memory is out and the conversion has failed.
static bool find_crossings(sharpener *s, const sj_lines *lines, stijl_irect box) {
  size_t count = 0;
  s->right = box.x1;
  for (int fill = 0; fill < 2; fill++) {
    for (size_t i = 0; i < lines->count; i++) {
      if (lines->y0[i] == lines->y1[i]) continue;
      k_edge edge = k_edge_make(lines->x0[i], lines->y0[i], lines->x1[i], lines->y1[i]);
      int first = k_max(round_to_pixels(edge.y0), box.y0), end = k_min(round_to_pixels(edge.y1), box.y1);
      if (!fill && first < end) count += (size_t)(end - first);
      for (int row = first; fill && row < end; row++) {
        int column = round_to_pixels(k_edge_x(edge, row * K_SUBPIXELS + K_SUBPIXELS / 2));
        column = k_max(box.x0, k_min(column, box.x1));
        s->crossings.data[s->crossings.count++] = (crossing){row, column, edge.winding};
      }
    }
    if (fill) break;
    s->c->sharp_crossings += count;
    if (count > MAX_CROSSINGS || s->c->sharp_crossings > MAX_ALL_CROSSINGS) return false;
    if (!sj_array_reserve(s->c->context, &s->crossings, count)) {
      sj_convert_fail_memory(s->c);
      return false;
    }
  }
  return true;
}

static int compare(const void *left, const void *right) {
  const crossing *a = left, *b = right;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  return (a->column > b->column) - (a->column < b->column);
}

static void close_rectangle(sharpener *s, span open, int bottom) {
  s->rectangles++;
  stijl_path_add_rect(s->path, (float)open.x0, (float)open.top, (float)(open.x1 - open.x0), (float)(bottom - open.top));
}

static bool is_inside(int winding, bool evenodd) { return evenodd ? winding & 1 : winding != 0; }

// Adds the spans of a row. Where a span is the same as one in the row above, it makes that one's rectangle longer.
static bool add_row(sharpener *s, const crossing *at, size_t count, bool evenodd) {
  int row = at->row, winding = 0;
  s->next.count = 0;
  size_t above = 0;
  for (size_t i = 0; i < count;) {
    int x0 = at[i].column;
    while (i < count && at[i].column == x0) winding += at[i++].winding;
    if (!is_inside(winding, evenodd)) continue;
    // Lines right of the box are not among the crossings: a span without an end reaches the box's right side.
    int x1 = s->right;
    while (i < count && is_inside(winding, evenodd)) {
      x1 = at[i].column;
      while (i < count && at[i].column == x1) winding += at[i++].winding;
    }
    if (is_inside(winding, evenodd)) x1 = s->right;
    if (x0 >= x1) continue;
    span made = {x0, x1, row};
    while (above < s->open.count && s->open.data[above].x1 <= x0) close_rectangle(s, s->open.data[above++], row);
    if (above < s->open.count && s->open.data[above].x0 == x0 && s->open.data[above].x1 == made.x1) {
      made.top = s->open.data[above++].top;
    } else {
      while (above < s->open.count && s->open.data[above].x0 < made.x1) close_rectangle(s, s->open.data[above++], row);
    }
    if (!sj_array_push(s->c->context, &s->next, made)) return false;
  }
  while (above < s->open.count) close_rectangle(s, s->open.data[above++], row);
  span_list swap = s->open;
  s->open = s->next;
  s->next = swap;
  return true;
}

static bool make_path(sharpener *s, bool evenodd) {
  const crossing *at = s->crossings.data;
  size_t count = s->crossings.count;
  if (count) qsort(s->crossings.data, count, sizeof *at, compare);
  int last = 0;
  for (size_t i = 0; i < count;) {
    size_t end = i;
    while (end < count && at[end].row == at[i].row) end++;
    if (s->open.count && at[i].row > last + 1) {
      for (size_t k = 0; k < s->open.count; k++) close_rectangle(s, s->open.data[k], last + 1);
      s->open.count = 0;
    }
    if (!add_row(s, at + i, end - i, evenodd)) {
      sj_convert_fail_memory(s->c);
      return false;
    }
    last = at[i].row;
    i = end;
    if (s->c->sharp_rectangles + s->rectangles > MAX_RECTANGLES) return false;
  }
  for (size_t k = 0; k < s->open.count; k++) close_rectangle(s, s->open.data[k], last + 1);
  return sj_convert_check(s->c, stijl_path_status(s->path));
}

// Flattens what is drawn, in pixels of the scene; `box` gets the pixels that may change. False when the shape has to be
// drawn with anti-aliasing.
static bool flatten(sj_convert *c, const stijl_path *path, const stijl_stroke *stroke, const stijl_matrix *matrix,
                    sj_lines *lines, stijl_irect *box) {
  stijl_scene *scene;
  if (!sj_convert_check(c, stijl_scene_create(c->context, NULL, &scene))) return false;
  stijl_paint paint = stijl_paint_solid((stijl_color){0.0f, 0.0f, 0.0f, 1.0f});
  if (stroke)
    stijl_scene_stroke(scene, path, stroke, matrix, &paint);
  else
    stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, matrix, &paint);
  sj_encoded encoded = {0};
  *box = (stijl_irect){0, 0, 0, 0};
  stijl_irect region = {0, 0, c->scene_width, c->scene_height};
  bool made =
      stijl_scene_finish(scene) == STIJL_OK && sj_encode(c->context, scene, stijl_matrix_identity(), region, &encoded, NULL) == STIJL_OK;
  if (made && encoded.draws.count) {
    const k_draw *draw = &encoded.draws.data[0];
    *box = (stijl_irect){draw->x0, draw->y0, draw->x1, draw->y1};
    sj_kernels_for(STIJL_ISA_SCALAR)->flatten(&encoded, draw, lines);
  }
  sj_encoded_finish(c->context, &encoded);
  stijl_scene_destroy(scene);
  return made && !lines->failed;
}

// Widens strokes thinner than a pixel, which would miss most centres, to one pixel, and makes their colour fainter in
// turn.
static void widen(stijl_stroke *stroke, const stijl_matrix *matrix, stijl_paint *paint) {
  const stijl_matrix *pen = stroke->pen ? stroke->pen : matrix;
  float width = stroke->width * sqrtf(fabsf(pen->a * pen->d - pen->b * pen->c));
  if (!(width > 0.0f) || width >= 1.0f) return;
  stroke->width /= width;
  paint->opacity *= width;
}

bool sj_draw_sharp(sj_convert *c, const stijl_path *path, const stijl_stroke *stroke, stijl_fill_rule rule,
                   const stijl_matrix *matrix, const stijl_paint *paint) {
  stijl_paint moved = *paint;
  stijl_stroke wide;
  if (stroke) {
    wide = *stroke;
    widen(&wide, matrix, &moved);
    stroke = &wide;
  }
  sharpener s = {.c = c, .path = sj_convert_path(c)};
  sj_lines lines = {.context = c->context};
  stijl_irect box;
  bool made = s.path && flatten(c, path, stroke, matrix, &lines, &box) && find_crossings(&s, &lines, box) &&
              make_path(&s, !stroke && rule == STIJL_FILL_EVENODD);
  c->sharp_rectangles += s.rectangles;
  if (made && s.crossings.count) {
    moved.transform = stijl_matrix_multiply(*matrix, paint->transform);
    made = stijl_matrix_is_finite(moved.transform);
    if (made) stijl_scene_fill(c->scene, s.path, STIJL_FILL_NONZERO, NULL, &moved);
  }
  sj_lines_finish(&lines);
  sj_array_finish(c->context, &s.crossings);
  sj_array_finish(c->context, &s.open);
  sj_array_finish(c->context, &s.next);
  sj_convert_give_path(c, s.path);
  return made || c->result != STIJL_OK;
}
