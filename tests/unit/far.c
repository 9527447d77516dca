// Paths with points far from the canvas, 10^5 to 10^8 pixels: there floats are so coarse that curves and lines leave
// the hull of their points, and what leaves out segments by their hull has to know by how much. Scalar code, every
// instruction set and, with STIJL_TEST_DEVICE, that GPU must draw the same, as a whole and in regions.
#include <math.h>

#include "gpu/device.h"
#include "isas.h"
#include "picture.h"

enum { WIDTH = 72, HEIGHT = 56, DRAWS = 2, SEGMENTS = 2, CASES = 1000 };

typedef struct picture {
  uint8_t pixels[HEIGHT][WIDTH * 4];
} picture;

// --- Scenes ---

static float far_away(sj_random *r) {
  float sign = sj_random_int(r, 0, 2) ? 1.0f : -1.0f;
  if (sj_random_int(r, 0, 20) == 0) return sign * powf(10.0f, sj_random_float(r, 8.0f, 8.99f));
  return sign * powf(10.0f, sj_random_float(r, 4.0f, 8.0f));
}

// Makes coordinates of a segment's points on one axis: mostly all on one side of the canvas, those that are not far
// away within some pixels of it.
static void random_axis(sj_random *r, float size, float v[4]) {
  int side = sj_random_int(r, -1, 2);
  for (int i = 0; i < 4; i++) {
    bool away = sj_random_int(r, 0, 2);
    float beyond = powf(10.0f, sj_random_float(r, -2.0f, 2.0f));
    if (side == 0)
      v[i] = away ? far_away(r) : sj_random_float(r, -20.0f, size + 20.0f);
    else if (away)
      v[i] = (float)side * fabsf(far_away(r));
    else
      v[i] = side < 0 ? -beyond : size + beyond;
  }
  // Often they end at rest there, so that many chords are near.
  if (sj_random_int(r, 0, 2)) v[2] = v[3];
  if (sj_random_int(r, 0, 2)) v[1] = v[2];
}

static void add_segment(sj_random *r, stijl_path *path) {
  float x[4], y[4];
  random_axis(r, WIDTH, x);
  random_axis(r, HEIGHT, y);
  if (sj_random_int(r, 0, 3)) stijl_path_move_to(path, x[0], y[0]);
  switch (sj_random_int(r, 0, 5)) {
    case 0: stijl_path_line_to(path, x[3], y[3]); break;
    case 1:
    case 2: stijl_path_quad_to(path, x[1], y[1], x[3], y[3]); break;
    default: stijl_path_cubic_to(path, x[1], y[1], x[2], y[2], x[3], y[3]); break;
  }
  if (sj_random_int(r, 0, 4) == 0) stijl_path_close(path);
}

static stijl_stroke random_stroke(sj_random *r) {
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = powf(10.0f, sj_random_float(r, -1.0f, 6.0f));
  stroke.cap = (stijl_cap)sj_random_int(r, 0, 3);
  stroke.join = (stijl_join)sj_random_int(r, 0, 4);
  stroke.miter_limit = powf(10.0f, sj_random_float(r, 0.0f, 4.0f));
  return stroke;
}

// Returns the identity, or a scale or a rotation as well.
static stijl_matrix random_matrix(sj_random *r) {
  if (sj_random_int(r, 0, 2)) return stijl_matrix_identity();
  float s = sj_random_float(r, 0.5f, 2.0f);
  stijl_matrix m =
      stijl_matrix_multiply(stijl_matrix_rotate(sj_random_float(r, 0.0f, 360.0f)), stijl_matrix_scale(s, s));
  if (sj_random_int(r, 0, 2)) m.a = m.d = s, m.b = m.c = 0.0f;
  return m;
}

static stijl_scene *random_scene(uint64_t n) {
  sj_random r = sj_random_seed(n);
  stijl_scene *scene = NULL;
  stijl_path *path = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  for (int i = 0; i < DRAWS; i++) {
    stijl_path_clear(path);
    stijl_path_move_to(path, sj_random_float(&r, 0, WIDTH), sj_random_float(&r, 0, HEIGHT));
    for (int k = sj_random_int(&r, 0, SEGMENTS); k >= 0; k--) add_segment(&r, path);
    stijl_paint paint = stijl_paint_solid((stijl_color){sj_random_float(&r, 0, 1), sj_random_float(&r, 0, 1), 1, 0.6f});
    stijl_matrix m = random_matrix(&r);
    stijl_stroke stroke = random_stroke(&r);
    if (sj_random_int(&r, 0, 3) == 0)
      stijl_scene_stroke(scene, path, &stroke, &m, &paint);
    else
      stijl_scene_fill(scene, path, (stijl_fill_rule)sj_random_int(&r, 0, 2), &m, &paint);
  }
  stijl_path_destroy(path);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  return scene;
}

// --- Drawing ---

static void draw_region(stijl_renderer *renderer, const stijl_scene *scene, stijl_irect region, picture *out) {
  sj_test_draw(renderer, scene, WIDTH, HEIGHT, region, NULL, out->pixels);
}

// Draws in four regions around x, y, or in one where these are 0.
static void draw(stijl_renderer *renderer, const stijl_scene *scene, int x, int y, picture *out) {
  memset(out, 0x5a, sizeof *out);
  draw_region(renderer, scene, (stijl_irect){x, y, WIDTH, HEIGHT}, out);
  if (x == 0) return;
  draw_region(renderer, scene, (stijl_irect){0, 0, x, y}, out);
  draw_region(renderer, scene, (stijl_irect){x, 0, WIDTH, y}, out);
  draw_region(renderer, scene, (stijl_irect){0, y, x, HEIGHT}, out);
}

static void compare(uint64_t n, const char *name, const picture *got, const picture *expected) {
  int differ = 0, first = -1;
  for (int i = 0; i < WIDTH * HEIGHT; i++) {
    int x = i % WIDTH * 4, y = i / WIDTH;
    if (memcmp(&got->pixels[y][x], &expected->pixels[y][x], 4) == 0) continue;
    if (!differ++) first = i;
  }
  if (differ)
    sj_test_fail(__FILE__, __LINE__, "case %llu, %s: %d pixels differ, the first at %d, %d", (unsigned long long)n,
                 name, differ, first % WIDTH, first / WIDTH);
}

// Draws every scene with scalar code as a whole, and compares it with others, in turn as a whole and in regions.
static void check_all(stijl_renderer *const *others, const char *const *names, int count) {
  static picture expected, got;
  stijl_renderer *scalar = sj_test_cpu(STIJL_ISA_SCALAR, 1);
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(CASES)) && !sj_test_failed(); n++) {
    stijl_scene *scene = random_scene(n);
    draw(scalar, scene, 0, 0, &expected);
    int x = 1 + (int)(n * 29 % (WIDTH - 1)), y = 1 + (int)(n * 17 % (HEIGHT - 1));
    for (int i = 0; i < count; i++) {
      bool parts = ((int)n + i) & 1;
      draw(others[i], scene, parts ? x : 0, parts ? y : 0, &got);
      compare(n, names[i], &got, &expected);
    }
    stijl_scene_destroy(scene);
  }
  stijl_renderer_destroy(scalar);
}

// --- Tests ---

TEST(instruction_sets) {
  stijl_renderer *others[MOST_ISAS];
  const char *names[MOST_ISAS];
  int count = 0;
  EACH_ISA(isa, STIJL_ISA_SCALAR) {
    others[count] = sj_test_cpu(isa, 1);
    names[count++] = stijl_isa_name(isa);
  }
  check_all(others, names, count);
  for (int i = 0; i < count; i++) stijl_renderer_destroy(others[i]);
}

// Makes a scene of one stroke, 16 wide, and destroys the path.
static stijl_scene *stroked(stijl_path *path, stijl_join join, float miter_limit) {
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = 16.0f;
  stroke.join = join;
  stroke.miter_limit = miter_limit;
  stijl_matrix pen = stijl_matrix_identity();
  stroke.pen = &pen;  // strokes with a pen are not drawn as the outline of what they cover
  stijl_paint paint = stijl_paint_solid((stijl_color){0, 0, 1, 1});
  stijl_scene_stroke(scene, path, &stroke, NULL, &paint);
  stijl_path_destroy(path);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  return scene;
}

// Makes a scene of a miter that runs to the right and ends near the middle of the canvas, at `reach` half widths from
// its corner.
static stijl_scene *sharp_miter(float reach, double turn, float miter_limit) {
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  float x = 36.0f - 8.0f * reach, y = 28.0f;
  stijl_path_move_to(path, x - 500.0f * (float)cos(turn / 2), y - 500.0f * (float)sin(turn / 2));
  stijl_path_line_to(path, x, y);
  stijl_path_line_to(path, x - 500.0f * (float)cos(turn / 2), y + 500.0f * (float)sin(turn / 2));
  return stroked(path, STIJL_JOIN_MITER, miter_limit);
}

// Miters that rounding lets out, though they are longer than their limit: they are drawn whole, as with a higher limit.
TEST(sharp_miters) {
  static picture expected, got, none;
  stijl_renderer *scalar = sj_test_cpu(STIJL_ISA_SCALAR, 1);
  sj_random r = sj_random_seed(7);
  int drawn = 0;
  for (int i = 0; i < 2000 && !sj_test_failed(); i++) {
    float limit = sj_random_float(&r, 300.0f, 1400.0f), reach = limit * sj_random_float(&r, 0.9f, 1.1f);
    stijl_scene *scene = sharp_miter(reach, 2 * asin(1 / (double)reach), limit);
    stijl_scene *longer = sharp_miter(reach, 2 * asin(1 / (double)reach), 2000.0f);
    draw(scalar, scene, 0, 0, &got);
    draw(scalar, longer, 0, 0, &expected);
    if (memcmp(&got, &none, sizeof none) != 0) {
      compare((uint64_t)i, "the higher limit", &got, &expected);
      drawn++;
    }
    stijl_scene_destroy(scene);
    stijl_scene_destroy(longer);
  }
  printf("# %d drawn\n", drawn);
  CHECK(drawn > 100);
  stijl_renderer_destroy(scalar);
}

// Makes a scene of a turn whose miter is cut off at the limit, drawn on its own, or with far squares that make the
// stroke's box larger than any miter.
static stijl_scene *clipped_miter(double turn, double angle, float limit, bool squares) {
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  for (int i = 0; i < 3; i++) {
    double a = angle + (i == 0 ? turn / 2 : -turn / 2), length = i == 1 ? 0.0 : 2.0;
    (i ? stijl_path_line_to : stijl_path_move_to)(path, 36.0f - (float)(length * cos(a)),
                                                  28.0f - (float)(length * sin(a)));
  }
  for (float at = -9000.0f; squares && at <= 9000.0f; at += 18000.0f) stijl_path_add_rect(path, at, at, 1.0f, 1.0f);
  return stroked(path, STIJL_JOIN_MITER_CLIP, limit);
}

// The two corners of a miter that is cut off lie farther away than its limit says, and are drawn all the same.
TEST(clipped_miters) {
  static picture expected, got, none;
  stijl_renderer *scalar = sj_test_cpu(STIJL_ISA_SCALAR, 1);
  sj_random r = sj_random_seed(8);
  for (int i = 0; i < 500 && !sj_test_failed(); i++) {
    float limit = sj_random_float(&r, 1.0f, 3.0f);
    double turn = (double)sj_random_float(&r, 0.05f, 2.0f), angle = (double)sj_random_float(&r, 0.0f, 6.3f);
    stijl_scene *alone = clipped_miter(turn, angle, limit, false), *boxed = clipped_miter(turn, angle, limit, true);
    draw(scalar, alone, 0, 0, &got);
    draw(scalar, boxed, 0, 0, &expected);
    CHECK(memcmp(&got, &none, sizeof none) != 0);
    compare((uint64_t)i, "a larger box", &got, &expected);
    stijl_scene_destroy(alone);
    stijl_scene_destroy(boxed);
  }
  stijl_renderer_destroy(scalar);
}

TEST(gpu) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  check_all(&gpu, (const char *[]){"GPU"}, 1);
  stijl_renderer_destroy(gpu);
}
