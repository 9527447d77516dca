// The outline of what lines wind around, and strokes that are drawn as one.
#include "geometry/union.h"

#include <math.h>
#include <stdlib.h>

#include "base/context.h"
#include "base/wraps.h"
#include "geometry/winding_stroke.h"
#include "picture.h"
#include "processor.h"
#include "random.h"

static sj_union_lines lines, outline;

static void add(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  if (!sj_array_push(sj_context(NULL), &lines, (sj_union_line){x0, y0, x1, y1})) abort();
}

static void add_polygon(const int32_t (*p)[2], int count) {
  for (int i = 0; i < count; i++) add(p[i][0], p[i][1], p[(i + 1) % count][0], p[(i + 1) % count][1]);
}

static int32_t any(sj_random *r, int32_t reach) { return sj_random_int(r, -reach, reach + 1); }

// Rectangles on a grid, in any directions, that share edges and corners.
static void add_rectangles(sj_random *r) {
  for (int i = sj_random_int(r, 2, 50); i; i--) {
    int32_t x = any(r, 9) * 1000, y = any(r, 9) * 1000, w = any(r, 5) * 1000, h = any(r, 5) * 1000;
    int32_t p[4][2] = {{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}};
    add_polygon((const int32_t(*)[2])p, 4);
  }
}

// One polygon through any points.
static void add_scribble(sj_random *r) {
  int32_t p[60][2], count = sj_random_int(r, 3, 61), reach = 1 << sj_random_int(r, 3, 24);
  for (int i = 0; i < count; i++) p[i][0] = any(r, reach), p[i][1] = any(r, reach);
  add_polygon((const int32_t(*)[2])p, count);
}

// Thin bars that are nearly level, or nearly upright.
static void add_bars(sj_random *r) {
  bool turned = sj_random_int(r, 0, 2);
  for (int i = sj_random_int(r, 2, 100); i; i--) {
    int32_t y = any(r, 1 << 23), end = y + any(r, 1 << 18), half = sj_random_int(r, 1, 1 << 16), x = 1 << 23;
    int32_t p[4][2] = {{-x, y - half}, {x, end - half}, {x, end + half}, {-x, y + half}};
    for (int k = 0; turned && k < 4; k++) {
      int32_t swap = p[k][0];
      p[k][0] = p[k][1];
      p[k][1] = swap;
    }
    add_polygon((const int32_t(*)[2])p, 4);
  }
}

static int winding_at(const sj_union_lines *of, double x, double y) {
  int winding = 0;
  for (size_t i = 0; i < of->count; i++) {
    sj_union_line l = of->data[i];
    if ((l.y0 <= y) == (l.y1 <= y)) continue;
    if (l.x0 + ((double)l.x1 - l.x0) * (y - l.y0) / ((double)l.y1 - l.y0) < x) winding += l.y0 <= y ? 1 : -1;
  }
  return winding;
}

static double distance(double x, double y, double x0, double y0, double x1, double y1) {
  double dx = x1 - x0, dy = y1 - y0, square = dx * dx + dy * dy;
  double t = square > 0 ? fmax(0, fmin(1, ((x - x0) * dx + (y - y0) * dy) / square)) : 0;
  return hypot(x - x0 - t * dx, y - y0 - t * dy);
}

// Rounding to units moves a line by one at most.
static bool is_near_a_line(double x, double y) {
  for (size_t i = 0; i < lines.count; i++) {
    sj_union_line l = lines.data[i];
    if (distance(x, y, l.x0, l.y0, l.x1, l.y1) < 2) return true;
  }
  return false;
}

SJ_WRAPS static uint64_t hash_point(int32_t x, int32_t y) {
  uint64_t h = ((uint64_t)(uint32_t)x << 32 | (uint32_t)y) * 0x9e3779b97f4a7c15u;
  h ^= h >> 29;
  return h * 0xbf58476d1ce4e5b9u;
}

// At each point of closed lines as many begin as end.
SJ_WRAPS static bool are_closed(const sj_union_lines *of) {
  uint64_t open = 0;
  for (size_t i = 0; i < of->count; i++) {
    sj_union_line l = of->data[i];
    open += hash_point(l.x0, l.y0) - hash_point(l.x1, l.y1);
  }
  return !open;
}

TEST(unions_wind_once) {
  uint64_t inside = 0, outside = 0;
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(600)) && !sj_test_failed(); n++) {
    sj_random r = sj_random_seed(n);
    lines.count = outline.count = 0;
    (n % 3 == 0 ? add_rectangles : n % 3 == 1 ? add_scribble : add_bars)(&r);
    uint64_t steps;
    CHECK(sj_union(sj_context(NULL), &lines, 1 << 24, &outline, &steps));
    int32_t reach = 1;
    for (size_t i = 0; i < lines.count; i++) reach = abs(lines.data[i].x0) > reach ? abs(lines.data[i].x0) : reach;
    for (int i = 0; i < 300; i++) {
      double x = (double)any(&r, reach) + 0.3, y = (double)any(&r, reach) + 0.7;
      if (is_near_a_line(x, y)) continue;
      int expected = winding_at(&lines, x, y) != 0, got = winding_at(&outline, x, y);
      (expected ? inside++ : outside++);
      if (got != expected)
        sj_test_fail(__FILE__, __LINE__, "case %llu: winding of %g, %g is %d, expected %d", (unsigned long long)n, x, y,
                     got, expected);
    }
    CHECK(are_closed(&outline));
  }
  CHECK(inside && outside);
}

TEST(unions_have_a_limit) {
  sj_random r = sj_random_seed(1);
  lines.count = outline.count = 0;
  add_bars(&r);
  uint64_t steps;
  CHECK(!sj_union(sj_context(NULL), &lines, 100, &outline, &steps));
  CHECK(steps > 100);
}

// --- strokes ---

enum { SIZE = 64, SAMPLES = 32 };

static void star(int points, int step, double radius, double (*p)[2]) {
  for (int i = 0; i < points; i++) {
    double angle = 6.283185307179586 * i * step / points;
    p[i][0] = (double)(float)(SIZE / 2 + radius * cos(angle));
    p[i][1] = (double)(float)(SIZE / 2 + radius * sin(angle));
  }
}

static stijl_path *path_of(double (*p)[2], int count) {
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  for (int i = 0; i < count; i++) (i ? stijl_path_line_to : stijl_path_move_to)(path, (float)p[i][0], (float)p[i][1]);
  stijl_path_close(path);
  return path;
}

TEST(paths_that_wind) {
  double p[9][2];
  star(9, 2, 20, p);
  stijl_path *path = path_of(p, 9);
  CHECK(sj_path_winds(path));
  stijl_path_line_to(path, 1, 1);  // is open
  CHECK(!sj_path_winds(path));
  stijl_path_destroy(path);
  star(9, 1, 20, p);
  path = path_of(p, 9);
  CHECK(!sj_path_winds(path));
  stijl_path_destroy(path);
}

// Two squares side by side, of which one has the line between them backwards.
TEST(paths_that_share_lines) {
  double left[4][2] = {{10, 10}, {20, 10}, {20, 20}, {10, 20}};
  stijl_path *path = path_of(left, 4);
  CHECK(!sj_path_shares_lines(path));
  stijl_path_move_to(path, 30, 10);
  stijl_path_line_to(path, 30, 20);
  stijl_path_line_to(path, 20, 20);
  CHECK(!sj_path_shares_lines(path));
  stijl_path_line_to(path, 20, 10);
  CHECK(!sj_path_shares_lines(path));
  stijl_path_close(path);
  CHECK(sj_path_shares_lines(path));
  double candle[5][2] = {{10, 10}, {14, 10}, {14, 4}, {14, 10}, {20, 10}}, folded[2][2] = {{10, 10}, {20, 10}};
  stijl_path *alone = path_of(candle, 5);
  CHECK(sj_path_shares_lines(alone));
  stijl_path_destroy(alone);
  alone = path_of(folded, 2);
  CHECK(!sj_path_shares_lines(alone));
  stijl_path_destroy(alone);
  // The line is drawn as the others are, of half a pixel on either side.
  static uint8_t pixels[SIZE * SIZE * 4];
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stijl_paint paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  stijl_scene_stroke(scene, path, &stroke, NULL, &paint);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  stijl_renderer *renderer = sj_test_cpu(STIJL_ISA_SCALAR, 1);
  sj_test_draw(renderer, scene, SIZE, SIZE, (stijl_irect){0, 0, SIZE, SIZE}, NULL, pixels);
  for (int x = 19; x < 21; x++) CHECK_INT(pixels[4 * (15 * SIZE + x) + 3], pixels[4 * (15 * SIZE + 9) + 3]);
  stijl_scene_destroy(scene);
  stijl_path_destroy(path);
  stijl_renderer_destroy(renderer);
}

// What a stroke with round joins covers of a pixel is what of it is near the path.
TEST(stars_are_what_is_near) {
  static uint8_t pixels[SIZE * SIZE * 4];
  stijl_renderer *renderer = sj_test_cpu(STIJL_ISA_SCALAR, 1);
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(12)); n++) {
    sj_random r = sj_random_seed(n);
    int points = sj_random_int(&r, 5, 60) | 1, step = sj_random_int(&r, 2, points / 2 + 1);
    double p[61][2], half = 0.5 * (double)sj_random_float(&r, 0.1f, 2);
    star(points, step, 28, p);
    stijl_path *path = path_of(p, points);
    stijl_scene *scene = NULL;
    CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
    stijl_stroke stroke = STIJL_STROKE_INIT;
    stroke.width = (float)(2 * half);
    stroke.join = STIJL_JOIN_ROUND;
    stijl_paint paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
    stijl_scene_stroke(scene, path, &stroke, NULL, &paint);
    CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
    memset(pixels, 0, sizeof pixels);
    sj_test_draw(renderer, scene, SIZE, SIZE, (stijl_irect){0, 0, SIZE, SIZE}, NULL, pixels);
    int worst = 0;
    for (int i = 0; i < SIZE * SIZE; i += 7) {
      int covered = 0;
      for (int k = 0; k < SAMPLES * SAMPLES; k++) {
        double x = i % SIZE + (k % SAMPLES + 0.5) / SAMPLES, y = i / SIZE + (k / SAMPLES + 0.5) / SAMPLES;
        bool near = false;
        for (int a = 0; a < points && !near; a++) {
          const double *from = p[a], *to = p[(a + 1) % points];
          near = distance(x, y, from[0], from[1], to[0], to[1]) <= half;
        }
        covered += near;
      }
      int off = abs(pixels[4 * i + 3] - covered * 255 / (SAMPLES * SAMPLES));
      if (off > worst) worst = off;
    }
    // Samples are off by a 32nd of a pixel along an edge, and more of many edges.
    if (worst > 10)
      sj_test_fail(__FILE__, __LINE__, "{%d/%d}, width %g: a pixel is off by %d", points, step, 2 * half, worst);
    stijl_scene_destroy(scene);
    stijl_path_destroy(path);
  }
  stijl_renderer_destroy(renderer);
}
