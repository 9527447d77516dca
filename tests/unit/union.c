// The outline of what lines wind around, and strokes that are drawn as one.
#include "geometry/union.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/context.h"
#include "base/wraps.h"
#include "geometry/crossings.h"
#include "geometry/dense.h"
#include "geometry/fill_union.h"
#include "geometry/path.h"
#include "geometry/stroke_union.h"
#include "picture.h"
#include "processor.h"
#include "random.h"
#include "scene/scene.h"

static sj_union_lines lines;
static sj_union_result result;

static void add(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  if (!sj_array_push(sj_context(NULL), &lines, (sj_union_line){x0, y0, x1, y1, 0, 0})) abort();
}

static void add_polygon(const int32_t (*p)[2], int count) {
  for (int i = 0; i < count; i++) add(p[i][0], p[i][1], p[(i + 1) % count][0], p[(i + 1) % count][1]);
}

static int32_t any(sj_random *r, int32_t reach) { return sj_random_int(r, -reach, reach + 1); }

// Adds rectangles on a grid, in any directions, that share edges and corners.
static void add_rectangles(sj_random *r) {
  for (int i = sj_random_int(r, 2, 50); i; i--) {
    int32_t x = any(r, 9) * 1000, y = any(r, 9) * 1000, w = any(r, 5) * 1000, h = any(r, 5) * 1000;
    int32_t p[4][2] = {{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}};
    add_polygon((const int32_t(*)[2])p, 4);
  }
}

// Adds one polygon through any points.
static void add_scribble(sj_random *r) {
  int32_t p[60][2], count = sj_random_int(r, 3, 61), reach = 1 << sj_random_int(r, 3, 24);
  for (int i = 0; i < count; i++) p[i][0] = any(r, reach), p[i][1] = any(r, reach);
  add_polygon((const int32_t(*)[2])p, count);
}

// Adds thin bars that are nearly level, or nearly upright.
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

// Returns whether a point is near a line: rounding to units moves one by one at most.
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

// Returns whether lines are closed: at each point of such lines as many begin as end.
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
    lines.count = result.outline.count = 0;
    (n % 3 == 0 ? add_rectangles : n % 3 == 1 ? add_scribble : add_bars)(&r);
    bool evenodd = n % 2;
    CHECK(sj_union(sj_context(NULL), &lines, evenodd, 1 << 24, &result));
    int32_t reach = 1;
    for (size_t i = 0; i < lines.count; i++) reach = abs(lines.data[i].x0) > reach ? abs(lines.data[i].x0) : reach;
    for (int i = 0; i < 300; i++) {
      double x = (double)any(&r, reach) + 0.3, y = (double)any(&r, reach) + 0.7;
      if (is_near_a_line(x, y)) continue;
      int winding = winding_at(&lines, x, y), got = winding_at(&result.outline, x, y);
      int expected = evenodd ? winding & 1 : winding != 0;
      (expected ? inside++ : outside++);
      if (got != expected || (result.simple && winding != got && winding != -got))
        sj_test_fail(__FILE__, __LINE__, "case %llu: winding of %g, %g is %d, expected %d", (unsigned long long)n, x, y,
                     got, expected);
    }
    CHECK(are_closed(&result.outline));
    size_t count = 0;
    for (size_t i = 0; i < result.outline.count; i++) {
      const sj_union_line *l = &result.outline.data[i], *next = &result.outline.data[l->next];
      CHECK(next->x0 == l->x1 && next->y0 == l->y1);
      count += l->x0 != l->x1 || l->y0 != l->y1;
    }
    CHECK(sj_union_order(sj_context(NULL), &result.outline));
    CHECK_INT(result.outline.count, count);
    CHECK(are_closed(&result.outline));
  }
  CHECK(inside && outside);
}

TEST(unions_have_a_limit) {
  sj_random r = sj_random_seed(1);
  lines.count = result.outline.count = 0;
  add_bars(&r);
  CHECK(!sj_union(sj_context(NULL), &lines, false, 100, &result));
  CHECK(result.steps > 100);
}

// Whether lines are an outline already.
TEST(unions_know_outlines) {
  static const struct {
    int32_t second[4][2];
    bool simple;
  } cases[] = {
      {{{30, 0}, {40, 0}, {40, 10}, {30, 10}}, true},   // apart
      {{{10, 0}, {20, 0}, {20, 10}, {10, 10}}, true},   // beside the first, in its direction
      {{{10, 0}, {10, 10}, {20, 10}, {20, 0}}, false},  // against it
      {{{2, 2}, {2, 8}, {8, 8}, {8, 2}}, true},         // a hole
      {{{2, 2}, {8, 2}, {8, 8}, {2, 8}}, false},        // twice around
      {{{5, 5}, {15, 5}, {15, 15}, {5, 15}}, false},    // overlaps it
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    lines.count = result.outline.count = 0;
    add_polygon((const int32_t[4][2]){{0, 0}, {10, 0}, {10, 10}, {0, 10}}, 4);
    add_polygon(cases[i].second, 4);
    CHECK(sj_union(sj_context(NULL), &lines, false, 1 << 20, &result));
    if (result.simple != cases[i].simple) sj_test_fail(__FILE__, __LINE__, "case %zu", i);
  }
}

// --- paths that overlap themselves ---

static stijl_path *path_from(const char *data) {
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  CHECK_INT(stijl_path_add_svg(path, data, strlen(data), NULL), STIJL_OK);
  return path;
}

TEST(fills_that_may_overlap) {
  static const struct {
    const char *data;
    bool fill, stroke;  // of width 2
  } cases[] = {
      {"M0 0H9V9H0Z", false, false},
      {"M0 0H9V9H0Z M20 0H29V9H20Z", false, false},
      {"M0 0H9V9H0Z M8 0H19V9H8Z", true, true},
      {"M0 0H9V9H0Z M9 0H19V9H9Z", true, true},
      {"M0 0H9V9H0Z M10 0H19V9H10Z", false, true},
      {"M0 0L9 9V0L0 9Z", true, true},
      {"M0 0L9 0 5 5 9 9H0L5 5Z", true, true},
      {"M0 0C20 10 -10 10 10 0", true, false},  // of one curve only fills are looked at
      {"M0 0C20 10 -10 10 10 0H40", true, true},
      {"M0 0C5 10 5 10 10 0", false, false},
      {"M0 0Q5 9 10 0M0 4Q5 -5 10 4", true, true},
      {"M0 0Q5 9 10 0M0 20Q5 29 10 20", false, false},
      {"M0 0H90L0 .5", false, true},
      {"M0 0H50M0 .5H50", false, true},
      {"M0 0C0 5 5 9 9 9S18 5 18 0 13 -9 9 -9 0 -5 0 0Z", false, false},
  };
  stijl_stroke wide = STIJL_STROKE_INIT;
  wide.width = 2;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    stijl_path *path = path_from(cases[i].data);
    sj_crossing_mark marks[64];
    CHECK(path->verbs.count <= sizeof marks / sizeof *marks);
    bool fill, stroke;
    uint64_t steps;
    CHECK(sj_fill_may_overlap(path, marks, &fill, &steps));
    CHECK(sj_stroke_overlaps(path, &wide, false, &stroke));
    if (fill != cases[i].fill || stroke != cases[i].stroke)
      sj_test_fail(__FILE__, __LINE__, "%s: %d, %d", cases[i].data, fill, stroke);
    stijl_path_destroy(path);
  }
}

// Of many segments the answers are the same as one by one.
TEST(overlaps_are_found_among_many) {
  int found = 0;
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(300)) && !sj_test_failed(); n++) {
    sj_random r = sj_random_seed(n);
    stijl_path *path = NULL;
    CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
    int count = sj_random_int(&r, 60, 400);
    float length = sj_random_float(&r, 0.1f, 8);
    stijl_point p[400], q[400];
    for (int i = 0; i < count; i++) {
      p[i] = (stijl_point){sj_random_float(&r, 0, 200), sj_random_float(&r, 0, 200)};
      q[i] = (stijl_point){p[i].x + sj_random_float(&r, -length, length), p[i].y + sj_random_float(&r, -1, 1)};
      stijl_path_move_to(path, p[i].x, p[i].y);
      stijl_path_line_to(path, q[i].x, q[i].y);
    }
    bool expected = false;
    stijl_stroke stroke = STIJL_STROKE_INIT;
    stroke.width = sj_random_float(&r, 0, 0.2f);
    double width = (double)stroke.width;
    for (int i = 0; i < count && !expected; i++)
      for (int k = 0; k < i && !expected; k++) {
        lines.count = 0;
        double d = fmin(fmin(distance((double)p[i].x, (double)p[i].y, (double)p[k].x, (double)p[k].y, (double)q[k].x,
                                      (double)q[k].y),
                             distance((double)q[i].x, (double)q[i].y, (double)p[k].x, (double)p[k].y, (double)q[k].x,
                                      (double)q[k].y)),
                        fmin(distance((double)p[k].x, (double)p[k].y, (double)p[i].x, (double)p[i].y, (double)q[i].x,
                                      (double)q[i].y),
                             distance((double)q[k].x, (double)q[k].y, (double)p[i].x, (double)p[i].y, (double)q[i].x,
                                      (double)q[i].y)));
        double a = ((double)q[i].x - (double)p[i].x) * ((double)p[k].y - (double)p[i].y) -
                   ((double)q[i].y - (double)p[i].y) * ((double)p[k].x - (double)p[i].x);
        double b = ((double)q[i].x - (double)p[i].x) * ((double)q[k].y - (double)p[i].y) -
                   ((double)q[i].y - (double)p[i].y) * ((double)q[k].x - (double)p[i].x);
        double c = ((double)q[k].x - (double)p[k].x) * ((double)p[i].y - (double)p[k].y) -
                   ((double)q[k].y - (double)p[k].y) * ((double)p[i].x - (double)p[k].x);
        double e = ((double)q[k].x - (double)p[k].x) * ((double)q[i].y - (double)p[k].y) -
                   ((double)q[k].y - (double)p[k].y) * ((double)q[i].x - (double)p[k].x);
        expected = d <= width || (a * b < 0 && c * e < 0);
      }
    found += expected;
    bool overlaps;
    CHECK(sj_stroke_overlaps(path, &stroke, false, &overlaps));
    if (overlaps != expected)
      sj_test_fail(__FILE__, __LINE__, "case %llu: expected %d", (unsigned long long)n, expected);
    stijl_path_destroy(path);
  }
  CHECK(found > 0);
}

// Curves that do not cross stay as they are, and the others are cut.
TEST(curves_stay_curves) {
  stijl_path *path = NULL, *out = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &out), STIJL_OK);
  stijl_path_add_ellipse(path, 40, 50, 30, 30);
  stijl_path_add_ellipse(path, 70, 50, 30, 30);
  stijl_path_add_ellipse(path, 200, 50, 20, 20);
  sj_crossing_mark marks[64];
  bool may, simple;
  uint64_t steps;
  CHECK(sj_fill_may_overlap(path, marks, &may, &steps) && may);
  CHECK_INT(sj_path_fill_union(path, marks, 1.0 / 64, false, 1 << 20, out, &simple, &steps), STIJL_OK);
  CHECK(!simple);
  int curves = 0;
  for (size_t i = 0; i < out->verbs.count; i++) curves += out->verbs.data[i] == STIJL_PATH_CUBIC;
  CHECK(curves >= 10 && curves <= 16);
  CHECK(out->verbs.count <= 26);
  // What is left of the curves is where they were: all points are on one of the circles.
  for (size_t i = 0, at = 0; i < out->verbs.count; at += (size_t)sj_path_verb_points(out->verbs.data[i++])) {
    if (out->verbs.data[i] != STIJL_PATH_CUBIC) continue;
    const stijl_point *p = out->points.data + at - 1;
    for (int k = 0; k <= 8; k++) {
      double t = k / 8.0, s = 1 - t, w[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t}, x = 0, y = 0;
      for (int j = 0; j < 4; j++) x += w[j] * (double)p[j].x, y += w[j] * (double)p[j].y;
      double off = fmin(fabs(hypot(x - 40, y - 50) - 30), fabs(hypot(x - 70, y - 50) - 30));
      if (fmin(off, fabs(hypot(x - 200, y - 50) - 20)) > 0.01)
        sj_test_fail(__FILE__, __LINE__, "%g, %g is on no circle", x, y);
    }
  }
  stijl_path_destroy(path);
  stijl_path_destroy(out);
}

static uint8_t alpha_at(stijl_renderer *renderer, const stijl_path *path, int x, int y) {
  static uint8_t pixels[64 * 64 * 4];
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  stijl_paint paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  memset(pixels, 0, sizeof pixels);
  sj_test_draw(renderer, scene, 64, 64, (stijl_irect){0, 0, 64, 64}, NULL, pixels);
  stijl_scene_destroy(scene);
  return pixels[4 * (64 * y + x) + 3];
}

// A path keeps its outline, which is drawn again, until it changes.
TEST(outlines_are_kept) {
  stijl_renderer *renderer = sj_test_cpu(STIJL_ISA_SCALAR, 1);
  stijl_path *path = path_from("M0 0H40V20.5L0 30.5Z M0 30.5V60H40V20.5Z");
  for (int i = 0; i < 2; i++) {
    CHECK_INT(alpha_at(renderer, path, 0, 30), 255);
    CHECK_INT(alpha_at(renderer, path, 20, 25), 255);
    CHECK_INT(alpha_at(renderer, path, 40, 25), 0);
    CHECK(path->own.united != NULL);
  }
  stijl_path_line_to(path, 60, 60);
  stijl_path_line_to(path, 60, 20);
  CHECK(path->own.united == NULL);
  CHECK(alpha_at(renderer, path, 41, 40) > 0);
  stijl_path_destroy(path);
  stijl_renderer_destroy(renderer);
}

// A needle's stroke overlaps itself, its fill does not, whichever is recorded first.
TEST(fills_of_strokes_that_overlap) {
  stijl_path *path = path_from("M0 0H90L0 .5");
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stijl_paint paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  stijl_scene_stroke(scene, path, &stroke, NULL, &paint);
  const sj_united *kept = path->own.united;
  CHECK(kept && !path->own.fill_is_apart);
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
  CHECK(path->own.fill_is_apart && path->own.united == kept);
  CHECK_INT(scene->draws.data[1].path.segment_count, 3);
  stijl_scene_destroy(scene);
  stijl_path_destroy(path);
}

typedef struct {
  const stijl_path *path;
  size_t lines[8];
} recorder;

// Fills a path by either rule and strokes it, at several sizes, and notes how many segments each took.
static void *record_often(void *user) {
  recorder *r = user;
  stijl_paint paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  stijl_stroke stroke = STIJL_STROKE_INIT;
  for (int i = 0; i < 8; i++) {
    stijl_scene *scene = NULL;
    stijl_matrix size = stijl_matrix_scale((float)(1 << i / 2), 1);
    if (stijl_scene_create(NULL, NULL, &scene) != STIJL_OK) break;
    stroke.width = 9;
    if (i % 2) stijl_scene_stroke(scene, r->path, &stroke, &size, &paint);
    stijl_scene_fill(scene, r->path, (stijl_fill_rule)(i % 2), &size, &paint);
    if (stijl_scene_finish(scene) == STIJL_OK) r->lines[i] = scene->segments.count;
    stijl_scene_destroy(scene);
  }
  return NULL;
}

// Threads that record one path find the same outlines, whoever keeps them.
TEST(outlines_are_kept_by_threads) {
  enum { THREADS = 4 };
  for (int n = 0; n < 20; n++) {
    stijl_path *path = path_from("M0 0H40V20.5L0 30.5Z M0 30.5V60H40V20.5Z C20 90 30 10 40 60");
    pthread_t threads[THREADS];
    recorder recorders[THREADS] = {{0}};
    for (int i = 0; i < THREADS; i++) {
      recorders[i].path = path;
      CHECK(pthread_create(&threads[i], NULL, record_often, &recorders[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
      for (int k = 0; k < 8; k++) {
        CHECK(recorders[i].lines[k] > 0);
        CHECK_INT(recorders[i].lines[k], recorders[0].lines[k]);
      }
    stijl_path_destroy(path);
  }
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

// Returns whether strokes that are thin are dense.
static bool is_dense(const stijl_path *path) {
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = 0.1f;
  return sj_stroke_is_dense(path, &stroke);
}

TEST(polygons_that_wind) {
  double p[9][2];
  star(9, 2, 20, p);
  stijl_path *path = path_of(p, 9), *square = path_from("M0 0H9V9H0Z");
  CHECK(is_dense(path));
  stijl_path_add_path(square, path, NULL);
  CHECK(is_dense(square));
  stijl_path_line_to(path, 1, 1);  // is open
  CHECK(!is_dense(path));
  stijl_path_destroy(path);
  stijl_path_destroy(square);
  star(9, 1, 20, p);
  path = path_of(p, 9);
  CHECK(!is_dense(path));
  stijl_path_destroy(path);
}

TEST(lines_that_are_drawn_twice) {
  static const struct {
    const char *data;
    bool dense;
  } cases[] = {{"M0 0M0 0C3 1 6 1 9 0M0 0C3-1 6 1 9 0M9 0C9 2 9 8 9 9", true},  // as by rough.js
               {"M0 0L9 0M.05.02L9 .02", true},
               {"M0 0L9 9M9 9L0 0", false},
               {"M0 0L9 9M0 .2L9 9.2", false},
               {"M0 0L9 0ZM0 0L9 9Z", false},
               {"M5 0A5 5 0 1 1 5 .01M5 .02A5.1 5.1 0 1 1 5.01 .01", true},
               {"M0 0L.04 0M.06 0L.09 0M9 9", false}};  // as of dashes
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    stijl_path *path = path_from(cases[i].data);
    if (is_dense(path) != cases[i].dense) sj_test_fail(__FILE__, __LINE__, "%s", cases[i].data);
    stijl_path_destroy(path);
  }
}

// Two squares side by side, of which one has the line between them backwards.
TEST(paths_that_share_lines) {
  double left[4][2] = {{10, 10}, {20, 10}, {20, 20}, {10, 20}};
  stijl_path *path = path_of(left, 4);
  CHECK(!is_dense(path));
  stijl_path_move_to(path, 30, 10);
  stijl_path_line_to(path, 30, 20);
  stijl_path_line_to(path, 20, 20);
  CHECK(!is_dense(path));
  stijl_path_line_to(path, 20, 10);
  CHECK(!is_dense(path));
  stijl_path_close(path);
  CHECK(is_dense(path));
  double candle[5][2] = {{10, 10}, {14, 10}, {14, 4}, {14, 10}, {20, 10}};
  stijl_path *alone = path_of(candle, 5);
  CHECK(is_dense(alone));
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

// Returns how many steps unions take when a stroke of noise through so many points is recorded, dashed or as a polygon.
static uint64_t steps_of_noise(int points, bool dashed, bool closed) {
  sj_random r = sj_random_seed((uint64_t)points);
  stijl_path *path = NULL;
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  for (int i = 0; i < points; i++) {
    float x = closed ? sj_random_float(&r, 0, 640) : 640 * (float)i / (float)points, y = sj_random_float(&r, 0, 480);
    if (i)
      stijl_path_line_to(path, x, y);
    else
      stijl_path_move_to(path, x, y);
  }
  if (closed) stijl_path_close(path);
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = 3;
  stroke.join = STIJL_JOIN_ROUND;
  stroke.dashes = (float[]){7, 3};
  stroke.dash_count = dashed ? 2 : 0;
  stijl_paint paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  stijl_scene_stroke(scene, path, &stroke, NULL, &paint);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  CHECK_INT(scene->draws.count, 1);
  uint64_t steps = scene->union_steps;
  stijl_scene_destroy(scene);
  stijl_path_destroy(path);
  return steps;
}

// Plots are drawn as they are, since they are recorded for each frame anew; and what seems to take too long is given up
// before it does.
TEST(noise_takes_no_time) {
  CHECK_INT(steps_of_noise(1000, false, false), 0);
  CHECK_INT(steps_of_noise(8000, false, false), 0);
  CHECK_INT(steps_of_noise(1000, true, false), 0);
  CHECK(steps_of_noise(250, false, false) > 0);
  uint64_t steps = steps_of_noise(3000, false, true);
  CHECK(steps > 0 && steps < (uint64_t)1 << 19);
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
