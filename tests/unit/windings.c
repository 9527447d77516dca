// Every winding counts, in every instruction set, however many there are.
#include "../windings.h"

#include <stdlib.h>

#include "cpu/sums.h"
#include "gpu/windings.h"
#include "isas.h"
#include "picture.h"
#include "scene/encode.h"

static void check_everywhere(const windings *w) {
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  windings_draw(scene, w);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  EACH_ISA(isa, STIJL_ISA_SCALAR) {
    stijl_renderer *renderer = sj_test_cpu(isa, 1);
    static uint8_t pixels[WINDINGS_HEIGHT * WINDINGS_WIDTH * 4];
    windings_render(renderer, scene, WINDINGS_WIDTH, WINDINGS_HEIGHT, (stijl_irect){0}, pixels);
    windings_check(w, pixels, stijl_isa_name(isa));
    // In four parts, whose borders lie in the middle of the shape.
    memset(pixels, 0x5a, sizeof pixels);
    for (int part = 0; w->count < 100000 && part < 4; part++) {
      int x = part & 1 ? 5 : 0, y = part & 2 ? 4 : 0;
      stijl_irect region = {x, y, part & 1 ? WINDINGS_WIDTH : 5, part & 2 ? WINDINGS_HEIGHT : 4};
      windings_render(renderer, scene, WINDINGS_WIDTH, WINDINGS_HEIGHT, region, pixels + (y * WINDINGS_WIDTH + x) * 4);
    }
    if (w->count < 100000) windings_check(w, pixels, "regions");
    stijl_renderer_destroy(renderer);
  }
  stijl_scene_destroy(scene);
}

static const uint32_t counts[] = {1, 2, 16383, 16384, 16385, 32767, 32768, 32769, 65536, 65537};
enum { COUNTS = sizeof counts / sizeof *counts };

TEST(fills) {
  for (int i = 0; i < COUNTS; i++)
    for (int rule = 0; rule < 2; rule++)
      for (int turn = 0; turn < WINDINGS_TURNS; turn++)
        check_everywhere(&(windings){counts[i], (windings_turn)turn, false, (stijl_fill_rule)rule, false});
}

TEST(strokes) {
  for (int i = 0; i < COUNTS; i++)
    check_everywhere(&(windings){counts[i], WINDINGS_MIXED, true, STIJL_FILL_NONZERO, false});
}

TEST(runs) {
  for (int i = 0; i < COUNTS; i++)
    for (int turn = 0; turn < WINDINGS_TURNS; turn++)
      check_everywhere(&(windings){.count = counts[i], .turn = (windings_turn)turn, .run = true});
}

// 2^20: a multiple of what 32 bits hold.
TEST(million) {
  check_everywhere(&(windings){1048576, WINDINGS_FORWARDS, false, STIJL_FILL_NONZERO, false});
  check_everywhere(&(windings){1048577, WINDINGS_BACKWARDS, false, STIJL_FILL_EVENODD, false});
  check_everywhere(&(windings){1048577, WINDINGS_MIXED, false, STIJL_FILL_NONZERO, false});
  check_everywhere(&(windings){1048576, WINDINGS_FORWARDS, true, STIJL_FILL_NONZERO, false});
}

// Curves, and strokes with joins and round caps, over several bands of rows: every set and number of threads as the
// scalar code on one.
TEST(bands) {
  enum { WIDTH = 200, HEIGHT = 136, COUNT = 33000 };
  static uint8_t expected[HEIGHT * WIDTH * 4], pixels[HEIGHT * WIDTH * 4];
  for (int kind = 0; kind < 4; kind++) {
    stijl_scene *scene = NULL;
    stijl_path *path = NULL;
    CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
    CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
    for (int i = 0; i < COUNT; i++) {
      bool apart = i >= 32768;
      float x = apart ? 60.0f : 100.3f, y = apart ? 70.0f : 60.2f;
      if (kind == 0) {
        stijl_path_add_ellipse(path, x, y, 7.0f, 30.0f);
      } else {
        stijl_path_move_to(path, x, y);
        stijl_path_line_to(path, x + 6.0f, y - 40.0f);
        stijl_path_line_to(path, x + 9.0f, y + 3.0f);
        if (kind == 1) stijl_path_close(path);
      }
    }
    stijl_paint paint = stijl_paint_solid((stijl_color){1, 0.5f, 0, 0.75f});
    stijl_stroke stroke = STIJL_STROKE_INIT;
    stroke.width = 5.0f;
    stroke.cap = STIJL_CAP_SQUARE;
    if (kind < 3)
      stijl_scene_fill(scene, path, kind == 2 ? STIJL_FILL_EVENODD : STIJL_FILL_NONZERO, NULL, &paint);
    else
      stijl_scene_stroke(scene, path, &stroke, NULL, &paint);
    stijl_path_destroy(path);
    CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
    EACH_ISA(isa, STIJL_ISA_SCALAR)
    for (int threads = 1; threads <= 7; threads += 6) {
      stijl_renderer *renderer = sj_test_cpu(isa, threads);
      if (!renderer) continue;
      bool first = isa == STIJL_ISA_SCALAR && threads == 1;
      windings_render(renderer, scene, WIDTH, HEIGHT, (stijl_irect){0}, first ? expected : pixels);
      if (!first && memcmp(pixels, expected, sizeof pixels) != 0)
        sj_test_fail(__FILE__, __LINE__, "kind %d, %s, %d threads: other pixels", kind, stijl_isa_name(isa), threads);
      stijl_renderer_destroy(renderer);
    }
    // Where all lie over one another it is full.
    if (kind != 2) CHECK_INT(expected[(58 * WIDTH + (kind ? 108 : 100)) * 4 + 3], 191);
    stijl_scene_destroy(scene);
  }
}

// Rows that few lines touch are added as always, whatever the number of lines; sums of 64 bits are those of 32 bits
// where these hold them.
TEST(long_sums) {
  static const int64_t values[] = {0,
                                   1,
                                   -1,
                                   131071,
                                   131072,
                                   131073,
                                   -131072,
                                   200000,
                                   -400000,
                                   2147483647,
                                   2147483648,
                                   -2147483648ll,
                                   -2147483649ll,
                                   4294967296,
                                   -4294967296,
                                   4295098368,
                                   281474976710656,
                                   -281474976841728};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    for (size_t j = 0; j < sizeof values / sizeof *values; j++) {
      int64_t sum = values[i] + values[j];
      k_long a = {(uint32_t)values[i], (int32_t)(values[i] >> 32)},
             b = {(uint32_t)values[j], (int32_t)(values[j] >> 32)};
      k_long r = k_long_add(a, b);
      CHECK_INT(r.low, (uint32_t)sum);
      CHECK_INT(r.high, (int32_t)(sum >> 32));
      for (int evenodd = 0; evenodd < 2; evenodd++) {
        int64_t area = sum < 0 ? -sum : sum;
        if (evenodd) area = area % 262144 > 131072 ? 262144 - area % 262144 : area % 262144;
        int expected = area >= 131072 ? 255 : (int)(area >> 9);
        CHECK_INT(k_coverage(k_winding_rule(evenodd), k_long_shorten(r, evenodd)), expected);
      }
    }
}

// --- What the GPU takes for the most windings of a draw --------------------------------------------------------------

enum { WINDOW = 64, STRIDE = WINDOW + SJ_CELLS_PAD };

// Returns the most windings around a pixel of the window about zero.
static double windings_seen(const sj_encoded *scene, const k_draw *draw) {
  static _Alignas(64) int32_t sums[WINDOW * STRIDE];
  static uint8_t touched[WINDOW * 8];
  sj_lines lines = {.context = sj_context(NULL)};
  const sj_kernels *kernels = sj_kernels_for(STIJL_ISA_AUTO);
  kernels->flatten(scene, draw, &lines);
  sj_cells cells = {sums, touched, STRIDE, 8};
  int most = 0;
  if (lines.count <= K_SUM_LINES)
    kernels->cover(&cells, (stijl_irect){0, 0, WINDOW, WINDOW}, -WINDOW / 2, -WINDOW / 2, &lines, 0, lines.count);
  for (int row = 0; row < WINDOW; row++) {
    int sum = 0;
    for (int column = 0; column < WINDOW; column++) {
      sum += sums[row * STRIDE + column];
      most = k_max(most, k_max(k_abs(sum), k_abs(sums[row * STRIDE + column])));
    }
  }
  memset(sums, 0, sizeof sums);
  sj_lines_finish(&lines);
  return (double)most / K_FULL_AREA;
}

static float bend(sj_random *r, float size) { return sj_random_float(r, -size, size); }

// Makes an arc about zero, or at some t a bend about zero of a curve that runs far beyond.
static void random_bend(sj_random *r, float reach, float radius, stijl_point p[4]) {
  float t = sj_random_float(r, 0, 1), speed = sj_random_float(r, 0, 1);
  speed = reach * speed * speed * speed * speed;
  // By powers of its parameter from t on; the second derivative makes the bend.
  float x[4] = {radius, 0, -0.5f * speed * speed / radius, bend(r, reach)};
  float y[4] = {0, speed, sj_random_int(r, 0, 2) ? 0 : bend(r, reach), bend(r, reach)};
  for (int axis = 0; axis < 2; axis++) {
    const float *c = axis ? y : x;
    float d0 = c[0] - c[1] * t + c[2] * t * t - c[3] * t * t * t, d1 = c[1] - 2 * c[2] * t + 3 * c[3] * t * t;
    float d2 = c[2] - 3 * c[3] * t, at[4] = {d0, d0 + d1 / 3, d0 + (2 * d1 + d2) / 3, d0 + d1 + d2 + c[3]};
    for (int i = 0; i < 4; i++) *(axis ? &p[i].y : &p[i].x) = at[i];
  }
}

TEST(most_windings) {
  double closest = 0.0;
  for (uint64_t n = 0; sj_test_cases(&n, 3000); n++) {
    sj_random r = sj_random_seed(n);
    float scale = sj_random_float(&r, 0, 1), reach = 20000.0f * scale * scale * scale + 4.0f;
    stijl_stroke stroke = STIJL_STROKE_INIT;
    stroke.width = sj_random_float(&r, 0.5f, n % 2 ? 200.0f : 20.0f);
    stroke.cap = (stijl_cap)sj_random_int(&r, 0, 3);
    stroke.join = (stijl_join)sj_random_int(&r, 0, 4);
    stijl_point p[4];
    random_bend(&r, reach, sj_random_float(&r, 0.1f, 0.5f * stroke.width), p);
    stijl_path *path = NULL;
    stijl_scene *scene = NULL;
    CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
    CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
    stijl_path_move_to(path, p[0].x, p[0].y);
    if (n % 8 < 6)
      stijl_path_cubic_to(path, p[1].x, p[1].y, p[2].x, p[2].y, p[3].x, p[3].y);
    else
      for (int i = 1; i < 4; i++) stijl_path_line_to(path, p[i].x * 0.001f, p[i].y * 0.001f);
    if (n % 3 == 0) stijl_path_close(path);
    stijl_paint paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
    if (n % 5)
      stijl_scene_stroke(scene, path, &stroke, NULL, &paint);
    else
      stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
    CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
    sj_encoded encoded = {0};
    stijl_irect window = {-WINDOW / 2, -WINDOW / 2, WINDOW / 2, WINDOW / 2};
    CHECK_INT(sj_encode(sj_context(NULL), scene, stijl_matrix_identity(), window, &encoded, NULL), STIJL_OK);
    for (size_t i = 0; i < encoded.draws.count; i++) {
      const k_draw *draw = &encoded.draws.data[i];
      double seen = windings_seen(&encoded, draw);
      double most =
          (double)sj_windings_of(draw, draw->op == K_DRAW_STROKE ? &encoded.pens.data[draw->pen] : NULL, NULL);
      if (seen > most)
        sj_test_fail(__FILE__, __LINE__, "case %llu: %g windings, %g at most", (unsigned long long)n, seen, most);
      closest = k_max(closest, seen / most);
    }
    sj_encoded_finish(sj_context(NULL), &encoded);
    stijl_scene_destroy(scene);
    stijl_path_destroy(path);
  }
  // Not because there was nothing to see.
  CHECK(closest > 0.2);
}

// Returns how many segments those instances have whose box holds a point.
static uint32_t segments_at(const sj_encoded *encoded, const k_run *run, const stijl_scene *scene, float x, float y) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < run->instance_count; i++) {
    const k_instance *at = &encoded->instances.data[run->instance + i];
    const k_glyph *glyph = &encoded->glyphs.data[at->glyph];
    stijl_rect box = {1e30f, 1e30f, -1e30f, -1e30f};
    for (uint32_t k = 0; k < glyph->segment_count; k++) {
      k_vec p = k_transform(glyph->matrix, scene->points.data[scene->segments.data[glyph->segment + k].point]);
      box = (stijl_rect){k_min(box.x0, p.x), k_min(box.y0, p.y), k_max(box.x1, p.x), k_max(box.y1, p.y)};
    }
    float px = x - (float)at->x / K_SUBPIXELS, py = y - (float)at->y / K_SUBPIXELS;
    if (px >= box.x0 && px <= box.x1 && py >= box.y0 && py <= box.y1) count += glyph->segment_count;
  }
  return count;
}

// Glyphs that cover one pixel are counted together, as are those that meet in a tile; a page of glyphs does not count
// as a crowd.
TEST(crowds) {
  enum { MOST = 3000, POINTS = 60 };
  static stijl_instance instances[MOST];
  for (uint64_t n = 0; sj_test_cases(&n, 40); n++) {
    sj_random r = sj_random_seed(n);
    stijl_path *path = NULL;
    stijl_scene *scene = NULL;
    CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
    CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
    for (int i = 0; i < 9; i++) {
      float x = sj_random_float(&r, -3, 9), y = sj_random_float(&r, -9, 2);
      if (i)
        stijl_path_line_to(path, x, y);
      else
        stijl_path_move_to(path, x, y);
    }
    float spread = n % 4 ? sj_random_float(&r, 5, 300) : 1500.0f, size = n % 4 ? sj_random_float(&r, 0.3f, 20) : 1.0f;
    uint32_t outline = stijl_scene_add_outline(scene, path);
    for (int i = 0; i < MOST; i++)
      instances[i] =
          (stijl_instance){outline, 0, sj_random_float(&r, -spread, spread), sj_random_float(&r, -spread, spread)};
    stijl_matrix m = {size, 0, 0, size, 0, 0};
    stijl_glyph_run run = {sizeof run, instances, MOST, &m, 1};
    stijl_scene_fill_glyphs(scene, &run, NULL, &(stijl_paint)STIJL_PAINT_INIT);
    CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
    sj_encoded encoded = {0};
    stijl_irect window = {-2000, -2000, 2000, 2000};
    CHECK_INT(sj_encode(sj_context(NULL), scene, stijl_matrix_identity(), window, &encoded, NULL), STIJL_OK);
    const k_run *made = sj_run_of(&encoded, &encoded.draws.data[0]);
    if (n % 4 == 0) CHECK(made->crowd < 1000);
    for (int i = 0; i < POINTS; i++) {
      uint32_t seen = segments_at(&encoded, made, scene, sj_random_float(&r, -spread, spread),
                                  sj_random_float(&r, -spread, spread));
      if (seen > made->crowd)
        sj_test_fail(__FILE__, __LINE__, "case %llu: %u segments, %u at most", (unsigned long long)n, seen,
                     made->crowd);
    }
    sj_encoded_finish(sj_context(NULL), &encoded);
    stijl_scene_destroy(scene);
    stijl_path_destroy(path);
  }
}
