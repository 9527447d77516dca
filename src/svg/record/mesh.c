// Records mesh gradients: a picture of the patches, about as large as it is seen, in the outline of all of them, which
// stays sharp.
//
// A patch is a Coons patch: a point of it is what its upper and lower side have there, and its left and right one, less
// what the corners alone would give (S. A. Coons, Surfaces for Computer-Aided Design of Space Forms, 1967).
#include <math.h>

#include "geometry/curve.h"
#include "image/image.h"
#include "svg/record/record.h"

#define MAX_PIXELS (1 << 20)  // colours change slowly, so that a larger picture would show no more
#define MARGIN 2              // pixels beyond the patches, which sampling reads
#define STEP 4.0f             // pixels of a patch in which its colours are interpolated linearly
#define WORK_VERTEX 40        // steps of the budget
#define WORK_PIXEL 2

enum { ALPHA = 3, CHANNELS };

typedef struct vertex {
  float x, y;
  float color[CHANNELS];
} vertex;

// The picture, and which of its pixels have a colour.
typedef struct canvas {
  stijl_image *image;
  unsigned char *known;
  int width, height;
} canvas;

// A patch in pixels, with what its colours are made of: by channel, value and slopes at each corner.
typedef struct patch {
  stijl_point p[12];
  float value[4][CHANNELS], along_u[4][CHANNELS], along_v[4][CHANNELS];
  bool bicubic;
} patch;

// --- colours ---

static const float *color_of(const stijl_color *c) { return &c->r; }

// Returns the slope at the middle one of three values: half of the difference of the others, none at an extremum, and
// none so steep that a curve would overshoot (F. N. Fritsch and R. E. Carlson, Monotone Piecewise Cubic Interpolation,
// 1980). It is what Inkscape takes.
static float slope_between(float before, float value, float behind) {
  float a = value - before, b = behind - value, slope = 0.5f * (a + b);
  if (a * b <= 0.0f) return 0.0f;
  float most = 3.0f * fminf(fabsf(a), fabsf(b));
  return fabsf(slope) > most ? copysignf(most, slope) : slope;
}

// A mesh as a grid of corners.
typedef struct grid {
  const sj_tree_patch *patches;
  int columns, rows;
} grid;

static float corner(const grid *g, int column, int row, int channel) {
  int x = column < g->columns ? column : g->columns - 1, y = row < g->rows ? row : g->rows - 1;
  static const int of[2][2] = {{0, 1}, {3, 2}};
  return color_of(&g->patches[y * g->columns + x].colors[of[row > y][column > x]])[channel];
}

// Returns the slope at place `at` of a line of corners 0..last, `step` of which one goes from a corner to the next. At
// either end it is that of the parabola through the two corners there with the slope of the inner one.
static float slope_at(const grid *g, int column, int row, int dx, int dy, int channel) {
  int at = dx ? column : row, last = dx ? g->columns : g->rows;
  float value = corner(g, column, row, channel);
  if (last < 2)
    return at ? value - corner(g, column - dx, row - dy, channel) : corner(g, column + dx, row + dy, channel) - value;
  if (at == 0)
    return 2.0f * (corner(g, column + dx, row + dy, channel) - value) -
           slope_at(g, column + dx, row + dy, dx, dy, channel);
  if (at == last)
    return 2.0f * (value - corner(g, column - dx, row - dy, channel)) -
           slope_at(g, column - dx, row - dy, dx, dy, channel);
  return slope_between(corner(g, column - dx, row - dy, channel), value, corner(g, column + dx, row + dy, channel));
}

static void find_colors(const grid *g, int column, int row, patch *out) {
  static const int right[4] = {0, 1, 1, 0}, below[4] = {0, 0, 1, 1};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < CHANNELS; k++) {
      int x = column + right[i], y = row + below[i];
      out->value[i][k] = corner(g, x, y, k);
      if (!out->bicubic) continue;
      out->along_u[i][k] = slope_at(g, x, y, 1, 0, k);
      out->along_v[i][k] = slope_at(g, x, y, 0, 1, k);
    }
}

// Cubic Hermite weights of the values and slopes at both ends.
typedef struct weights {
  float value[2], slope[2];
} weights;

static weights weights_at(float t, bool cubic) {
  float s = 1.0f - t;
  if (!cubic) return (weights){{s, t}, {0.0f, 0.0f}};
  return (weights){{s * s * (1.0f + 2.0f * t), t * t * (3.0f - 2.0f * t)}, {t * s * s, -t * t * s}};
}

static void color_at(const patch *q, float u, float v, float *out) {
  static const int at[2][2] = {{0, 1}, {3, 2}};
  weights x = weights_at(u, q->bicubic), y = weights_at(v, q->bicubic);
  for (int k = 0; k < CHANNELS; k++) {
    float sum = 0.0f;
    for (int j = 0; j < 2; j++)
      for (int i = 0; i < 2; i++) {
        int c = at[j][i];
        sum += x.value[i] * y.value[j] * q->value[c][k] + x.slope[i] * y.value[j] * q->along_u[c][k] +
               x.value[i] * y.slope[j] * q->along_v[c][k];
      }
    out[k] = fminf(fmaxf(sum, 0.0f), 1.0f);
  }
}

// --- places ---

static vertex vertex_at(const patch *q, float u, float v) {
  const stijl_point *p = q->p;
  stijl_point top = sj_cubic_at(p[0], p[1], p[2], p[3], u), bottom = sj_cubic_at(p[9], p[8], p[7], p[6], u);
  stijl_point left = sj_cubic_at(p[0], p[11], p[10], p[9], v), right = sj_cubic_at(p[3], p[4], p[5], p[6], v);
  float s = 1.0f - u, t = 1.0f - v;
  vertex out;
  out.x = t * top.x + v * bottom.x + s * left.x + u * right.x -
          (t * (s * p[0].x + u * p[3].x) + v * (s * p[9].x + u * p[6].x));
  out.y = t * top.y + v * bottom.y + s * left.y + u * right.y -
          (t * (s * p[0].y + u * p[3].y) + v * (s * p[9].y + u * p[6].y));
  color_at(q, u, v, out.color);
  return out;
}

static float side_length(const stijl_point *p, int a, int b, int c, int d) {
  int at[4] = {a, b, c, d};
  float sum = 0.0f;
  for (int i = 0; i < 3; i++) {
    float x = p[at[i + 1]].x - p[at[i]].x, y = p[at[i + 1]].y - p[at[i]].y;
    sum += sqrtf(x * x + y * y);
  }
  return sum;
}

static int steps_for(float a, float b) {
  float steps = ceilf(fmaxf(a, b) / STEP);
  return steps >= 1.0f ? (int)fminf(steps, 4096.0f) : 1;
}

// --- pixels ---

// Returns a premultiplied pixel, red in the lowest byte.
static uint32_t pixel_of(const float *color) {
  uint32_t pixel = (uint32_t)(255.0f * color[ALPHA] + 0.5f) << 24;
  for (int k = 0; k < ALPHA; k++) pixel |= (uint32_t)(255.0f * color[k] * color[ALPHA] + 0.5f) << (8 * k);
  return pixel;
}

// Paints the pixels whose centres lie in a triangle or on its border.
static void draw_triangle(canvas *c, const vertex *a, const vertex *b, const vertex *d) {
  float area = (b->x - a->x) * (d->y - a->y) - (d->x - a->x) * (b->y - a->y);
  float x0 = ceilf(fminf(a->x, fminf(b->x, d->x)) - 0.5f), x1 = floorf(fmaxf(a->x, fmaxf(b->x, d->x)) - 0.5f);
  float y0 = ceilf(fminf(a->y, fminf(b->y, d->y)) - 0.5f), y1 = floorf(fmaxf(a->y, fmaxf(b->y, d->y)) - 0.5f);
  if (area == 0.0f) return;
  x0 = fmaxf(x0, 0.0f), y0 = fmaxf(y0, 0.0f);
  x1 = fminf(x1, (float)(c->width - 1)), y1 = fminf(y1, (float)(c->height - 1));
  for (float y = y0; y <= y1; y++)
    for (float x = x0; x <= x1; x++) {
      float px = x + 0.5f, py = y + 0.5f;
      float wb = ((px - a->x) * (d->y - a->y) - (d->x - a->x) * (py - a->y)) / area;
      float wd = ((b->x - a->x) * (py - a->y) - (px - a->x) * (b->y - a->y)) / area;
      float wa = 1.0f - wb - wd;
      // A little beyond its border, so that rounding leaves no hole between two triangles.
      if (wa < -1e-4f || wb < -1e-4f || wd < -1e-4f) continue;
      float v[CHANNELS];
      for (int k = 0; k < CHANNELS; k++)
        v[k] = fminf(fmaxf(wa * a->color[k] + wb * b->color[k] + wd * d->color[k], 0.0f), 1.0f);
      uint32_t *row = (uint32_t *)(void *)(c->image->pixels + (size_t)y * c->image->stride);
      row[(size_t)x] = pixel_of(v);
      c->known[(size_t)y * (size_t)c->width + (size_t)x] = 1;
    }
}

static bool draw_patch(sj_recorder *r, const patch *q, canvas *c) {
  int across = steps_for(side_length(q->p, 0, 1, 2, 3), side_length(q->p, 6, 7, 8, 9));
  int down = steps_for(side_length(q->p, 3, 4, 5, 6), side_length(q->p, 9, 10, 11, 0));
  vertex *rows = sj_alloc_array(r->context, (size_t)across + 1, 2 * sizeof *rows);
  if (!rows) {
    sj_record_fail_memory(r);
    return false;
  }
  vertex *above = rows, *below = rows + across + 1;
  bool good = true;
  for (int j = 0; j <= down && good; j++) {
    good = sj_context_check(r->context, (uint64_t)(across + 1) * WORK_VERTEX);
    for (int i = 0; i <= across; i++) below[i] = vertex_at(q, (float)i / (float)across, (float)j / (float)down);
    for (int i = 0; j && i < across; i++) {
      draw_triangle(c, &above[i], &above[i + 1], &below[i]);
      draw_triangle(c, &above[i + 1], &below[i + 1], &below[i]);
    }
    vertex *other = above;
    above = below;
    below = other;
  }
  sj_free(r->context, rows);
  if (!good) r->result = sj_budget_spent(r->message);
  return good;
}

// Gives each pixel without a colour that of one beside it which has one.
static void spread_colors(canvas *c, unsigned char round) {
  static const int dx[8] = {-1, 1, 0, 0, -1, 1, -1, 1}, dy[8] = {0, 0, -1, 1, -1, -1, 1, 1};
  uint32_t *pixels = (uint32_t *)(void *)c->image->pixels;
  for (int y = 0; y < c->height; y++)
    for (int x = 0; x < c->width; x++) {
      size_t at = (size_t)y * (size_t)c->width + (size_t)x;
      for (int i = 0; i < 8 && !c->known[at]; i++) {
        int nx = x + dx[i], ny = y + dy[i];
        if (nx < 0 || ny < 0 || nx >= c->width || ny >= c->height) continue;
        size_t near = (size_t)ny * (size_t)c->width + (size_t)nx;
        if (!c->known[near] || c->known[near] > round) continue;
        pixels[(size_t)y * (c->image->stride / 4) + (size_t)x] =
            pixels[(size_t)ny * (c->image->stride / 4) + (size_t)nx];
        c->known[at] = (unsigned char)(round + 1);
      }
    }
}

// --- the scene ---

static void add_outline(const patch *q, stijl_path *path) {
  const stijl_point *p = q->p;
  // All go round the same way, so that what two of them share is filled once.
  float area = 0.0f;
  for (int i = 0; i < 12; i++) {
    stijl_point a = p[i], b = p[(i + 1) % 12];
    area += a.x * b.y - b.x * a.y;
  }
  int step = area < 0.0f ? 11 : 1;
  stijl_path_move_to(path, p[0].x, p[0].y);
  for (int i = 0; i < 4; i++) {
    stijl_point a = p[(3 * i + 1) * step % 12], b = p[(3 * i + 2) * step % 12], end = p[(3 * i + 3) * step % 12];
    stijl_path_cubic_to(path, a.x, a.y, b.x, b.y, end.x, end.y);
  }
  stijl_path_close(path);
}

static void draw_mesh(sj_recorder *r, const grid *g, bool bicubic, const stijl_matrix *to_pixels, canvas *c,
                      stijl_path *outline) {
  for (int i = 0; i < g->columns * g->rows && sj_recording(r); i++) {
    patch q = {.bicubic = bicubic};
    for (int k = 0; k < 12; k++) q.p[k] = stijl_matrix_apply(*to_pixels, g->patches[i].points[k]);
    find_colors(g, i % g->columns, i / g->columns, &q);
    add_outline(&q, outline);
    draw_patch(r, &q, c);
  }
}

stijl_scene *sj_record_mesh_tile(sj_recorder *r, const sj_tree *tree, const sj_tree_server *mesh,
                                 const sj_pattern_tile *tile) {
  int columns = (int)mesh->columns, rows = (int)((mesh->patches.end - mesh->patches.first) / mesh->columns);
  grid g = {&tree->patches.data[mesh->patches.first], columns, rows};
  canvas c = {.width = tile->width, .height = tile->height};
  size_t pixels = (size_t)c.width * (size_t)c.height;
  stijl_scene *scene = NULL;
  stijl_path *outline = sj_record_take_path(r);
  c.image = sj_image_create_blank(r->context, c.width, c.height, STIJL_FORMAT_RGBA8);
  c.known = sj_alloc_zero(r->context, pixels);
  if (!c.image || !c.known) {
    sj_record_fail_memory(r);
  } else if (!sj_context_check(r->context, pixels * WORK_PIXEL)) {
    r->result = sj_budget_spent(r->message);
  } else if (outline) {
    draw_mesh(r, &g, mesh->bicubic, &tile->matrix, &c, outline);
    for (unsigned char i = 1; i <= MARGIN; i++) spread_colors(&c, i);
    stijl_paint paint = STIJL_PAINT_INIT;
    paint.kind = STIJL_PAINT_IMAGE;
    paint.image = c.image;
    paint.sampling = STIJL_SAMPLING_BILINEAR;
    if (sj_recording(r) && sj_record_check(r, stijl_scene_create(r->context, NULL, &scene))) {
      stijl_scene_fill(scene, outline, STIJL_FILL_NONZERO, NULL, &paint);
      stijl_result result = stijl_scene_finish(scene);
      if (result != STIJL_OK) sj_record_fail(r, result, "%s", stijl_scene_message(scene));
    }
  }
  stijl_image_destroy(c.image);
  sj_free(r->context, c.known);
  sj_record_give_path(r, outline);
  if (sj_recording(r)) return scene;
  stijl_scene_destroy(scene);
  return NULL;
}

bool sj_mesh_rect(const sj_tree *tree, const sj_tree_server *mesh, stijl_rect *out) {
  *out = (stijl_rect){INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (uint32_t i = mesh->patches.first; i < mesh->patches.end; i++)
    for (int k = 0; k < 12; k++) {
      stijl_point p = tree->patches.data[i].points[k];
      *out = (stijl_rect){fminf(out->x0, p.x), fminf(out->y0, p.y), fmaxf(out->x1, p.x), fmaxf(out->y1, p.y)};
    }
  return out->x1 > out->x0 && out->y1 > out->y0;
}

bool sj_mesh_pixels(const stijl_matrix *seen, const stijl_rect *rect, sj_pattern_tile *tile) {
  float width = rect->x1 - rect->x0, height = rect->y1 - rect->y0;
  if (!sj_tile_pixels(seen, width, height, &tile->width, &tile->height)) return false;
  float shrink = sqrtf((float)MAX_PIXELS / ((float)tile->width * (float)tile->height));
  if (shrink < 1.0f) {
    tile->width = (int)fmaxf((float)tile->width * shrink, 1.0f);
    tile->height = (int)fmaxf((float)tile->height * shrink, 1.0f);
  }
  tile->matrix = stijl_matrix_multiply(
      stijl_matrix_translate(MARGIN, MARGIN),
      stijl_matrix_multiply(stijl_matrix_scale((float)tile->width / width, (float)tile->height / height),
                            stijl_matrix_translate(-rect->x0, -rect->y0)));
  tile->width += 2 * MARGIN;
  tile->height += 2 * MARGIN;
  return stijl_matrix_is_finite(tile->matrix);
}
