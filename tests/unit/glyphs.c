// Glyph runs draw what the same outlines as one path would, wherever they are and whatever part is asked for.
#include <stdlib.h>
#include <string.h>

#include "picture.h"

enum { SIDE = 96, MOST = 40 };

typedef struct picture {
  uint8_t pixels[SIDE][SIDE][4];
} picture;

static stijl_scene *begin(void) {
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  return scene;
}

static stijl_path *new_path(void) {
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  return path;
}

static void draw_region(const stijl_scene *scene, stijl_isa isa, int threads, stijl_irect region, picture *out) {
  stijl_renderer *renderer = sj_test_cpu(isa, threads);
  sj_test_draw(renderer, scene, SIDE, SIDE, region, NULL, out->pixels);
  stijl_renderer_destroy(renderer);
}

static void draw(const stijl_scene *scene, stijl_isa isa, int threads, picture *out) {
  draw_region(scene, isa, threads, (stijl_irect){0, 0, SIDE, SIDE}, out);
}

static int difference(const picture *a, const picture *b) {
  int most = 0;
  const uint8_t *p = a->pixels[0][0], *q = b->pixels[0][0];
  for (size_t i = 0; i < sizeof *a; i++) most = abs(p[i] - q[i]) > most ? abs(p[i] - q[i]) : most;
  return most;
}

// Makes an outline in units of an em of 1000, y upwards. Straight ones have a line there and back that is too long for
// them to be recorded as the outline of what they cover.
static void make_outline(sj_random *n, bool straight, stijl_path *path) {
  for (int contour = sj_random_int(n, 1, 3); contour; contour--) {
    stijl_path_move_to(path, (float)sj_random_int(n, -100, 900), (float)sj_random_int(n, -300, 900));
    for (int i = sj_random_int(n, 2, 7); i; i--) {
      float p[6];
      for (int k = 0; k < 6; k++) p[k] = (float)sj_random_int(n, -100, 900);
      if (straight || i % 3 == 0)
        stijl_path_line_to(path, p[0], p[1]);
      else if (i % 3 == 1)
        stijl_path_quad_to(path, p[0], p[1], p[2], p[3]);
      else
        stijl_path_cubic_to(path, p[0], p[1], p[2], p[3], p[4], p[5]);
    }
    stijl_path_close(path);
  }
  if (!straight) return;
  stijl_path_move_to(path, 100000, -100000);
  stijl_path_line_to(path, 400000, -100000);
  stijl_path_close(path);
}

typedef struct words {
  stijl_path *outlines[3];
  stijl_instance instances[MOST];
  stijl_matrix matrices[2];
  size_t count;
} words;

// Makes words. `whole`: straight lines between points that 24.8 holds exactly.
static words make_words(sj_random *n, bool whole) {
  words w = {.count = (size_t)sj_random_int(n, 1, MOST)};
  for (int i = 0; i < 3; i++) make_outline(n, whole, w.outlines[i] = new_path());
  float size = whole ? 0.0078125f : sj_random_float(n, 0.004f, 0.03f);
  w.matrices[0] = (stijl_matrix){size, 0, 0, -size, 0, 0};
  w.matrices[1] = whole ? (stijl_matrix){0, size, size, 0, 1, -2} : (stijl_matrix){size, size / 3, 0, size, 0.4f, 0};
  for (size_t i = 0; i < w.count; i++) {
    float x = sj_random_float(n, -20, SIDE + 10), y = sj_random_float(n, -10, SIDE + 20);
    uint32_t matrix = (uint32_t)sj_random_int(n, 0, 2), outline = (uint32_t)sj_random_int(n, 0, 3);
    w.instances[i] = (stijl_instance){outline, matrix, whole ? (float)(int)x : x, whole ? (float)(int)y : y};
  }
  return w;
}

static void finish_words(words *w) {
  for (int i = 0; i < 3; i++) stijl_path_destroy(w->outlines[i]);
}

static void record_run(stijl_scene *scene, const words *w, const stijl_matrix *m, const stijl_paint *paint) {
  stijl_instance instances[MOST];
  uint32_t numbers[3];
  for (int i = 0; i < 3; i++) numbers[i] = stijl_scene_add_outline(scene, w->outlines[i]);
  memcpy(instances, w->instances, sizeof instances);
  for (size_t i = 0; i < w->count; i++) instances[i].outline = numbers[w->instances[i].outline];
  stijl_glyph_run run = {sizeof run, instances, w->count, w->matrices, 2};
  stijl_scene_fill_glyphs(scene, &run, m, paint);
}

static void record_path(stijl_scene *scene, const words *w, bool whole, const stijl_matrix *m,
                        const stijl_paint *paint) {
  stijl_path *path = new_path();
  // A line there and back, whose box overlaps those of all others: the contours of a path that lie beside one another
  // would be turned to one direction, which instances that are mirrored are not.
  // It is also too long for them to be drawn as the outline of what they cover together.
  float end = whole ? 200000 : 300;
  stijl_path_move_to(path, -end, -end);
  stijl_path_line_to(path, end, end);
  stijl_path_close(path);
  for (size_t i = 0; i < w->count; i++) {
    const stijl_instance *at = &w->instances[i];
    stijl_matrix place = stijl_matrix_multiply(stijl_matrix_translate(at->x, at->y), w->matrices[at->matrix]);
    stijl_path_add_path(path, w->outlines[at->outline], &place);
  }
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, m, paint);
  stijl_path_destroy(path);
}

static void compare_forms(uint64_t n, bool whole, int allowed) {
  sj_random r = sj_random_seed(n);
  words w = make_words(&r, whole);
  if (!whole) w.count = 1;  // several would be the outline of what they cover together
  stijl_matrix m =
      whole ? stijl_matrix_translate(3, -5) : (stijl_matrix){1.1f, 0.2f, -0.3f, 0.9f, sj_random_float(&r, -9, 9), 3.7f};
  stijl_paint paint = stijl_paint_solid((stijl_color){0.2f, 0.5f, 0.9f, n % 2 ? 1.0f : 0.6f});
  paint.aliased = n % 7 == 6 && whole;
  stijl_scene *run = begin(), *path = begin();
  record_run(run, &w, &m, &paint);
  record_path(path, &w, whole, &m, &paint);
  CHECK_INT(stijl_scene_finish(run), STIJL_OK);
  CHECK_INT(stijl_scene_finish(path), STIJL_OK);
  static picture a, b, c;
  draw(run, STIJL_ISA_SCALAR, 1, &a);
  draw(path, STIJL_ISA_SCALAR, 1, &b);
  int off = difference(&a, &b);
  if (off > allowed) sj_test_fail(__FILE__, __LINE__, "case %llu: %d off from the path", (unsigned long long)n, off);
  draw(run, STIJL_ISA_AUTO, 3, &b);
  for (int y = 0; y < SIDE; y += 32)
    for (int x = 0; x < SIDE; x += 48) draw_region(run, STIJL_ISA_AUTO, 1, (stijl_irect){x, y, x + 48, y + 32}, &c);
  if (difference(&a, &b) || difference(&a, &c))
    sj_test_fail(__FILE__, __LINE__, "case %llu: vectors or regions differ", (unsigned long long)n);
  stijl_scene_destroy(run);
  stijl_scene_destroy(path);
  finish_words(&w);
}

// Where nothing has to be rounded the bits are the same.
TEST(same_as_a_path) {
  for (uint64_t n = 0; sj_test_cases(&n, 60); n++) compare_forms(n, true, 0);
}

// Elsewhere an edge may be off by a 256th of a pixel, and where outlines cross themselves their curves are cut: then
// their chords are others, which may be off by a tenth of a pixel.
TEST(near_a_path) {
  for (uint64_t n = 0; sj_test_cases(&n, 60); n++) compare_forms(n, false, 26);
}

// Instances that may leave the guard band, also where only the outline does, before it is moved.
TEST(far) {
  for (uint64_t n = 0; sj_test_cases(&n, 40); n++) {
    sj_random r = sj_random_seed(n);
    words w = make_words(&r, true);
    float by = n % 2 ? 40000.0f : 3e6f;
    w.matrices[0].e += by;
    w.matrices[1].f -= by;
    for (size_t i = 0; i < w.count; i++) {
      if (w.instances[i].matrix)
        w.instances[i].y += by;
      else
        w.instances[i].x -= by;
    }
    stijl_paint paint = stijl_paint_solid((stijl_color){0.2f, 0.5f, 0.9f, 1});
    stijl_scene *scene = begin();
    record_run(scene, &w, NULL, &paint);
    CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
    static picture a, b, c;
    draw(scene, STIJL_ISA_SCALAR, 1, &a);
    draw(scene, STIJL_ISA_AUTO, 2, &b);
    for (int y = 0; y < SIDE; y += 32) draw_region(scene, STIJL_ISA_AUTO, 1, (stijl_irect){0, y, SIDE, y + 32}, &c);
    CHECK_INT(difference(&a, &b), 0);
    CHECK_INT(difference(&a, &c), 0);
    stijl_scene_destroy(scene);
    finish_words(&w);
  }
}

TEST(memory) {
  enum { GLYPHS = 67000 };
  sj_random r = sj_random_seed(1);
  words w = make_words(&r, false);
  stijl_scene *scene = begin();
  uint32_t outline = stijl_scene_add_outline(scene, w.outlines[0]);
  uint64_t before = stijl_scene_bytes(scene);
  stijl_paint paint = STIJL_PAINT_INIT;
  for (int i = 0; i < GLYPHS; i += 50) {
    stijl_instance line[50];
    for (int k = 0; k < 50; k++) line[k] = (stijl_instance){outline, 0, 7.0f * (float)k, (float)i};
    stijl_glyph_run run = {sizeof run, line, 50, w.matrices, 2};
    stijl_scene_fill_glyphs(scene, &run, NULL, &paint);
  }
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  CHECK((stijl_scene_bytes(scene) - before) / GLYPHS <= 64);
  stijl_scene_destroy(scene);
  finish_words(&w);
}

TEST(bounds) {
  stijl_path *square = new_path();
  stijl_path_add_rect(square, 0, 0, 100, 50);
  stijl_scene *scene = begin();
  const stijl_matrix small = {0.1f, 0, 0, -0.1f, 0, 0}, twice = {2, 0, 0, 2, 1, 1};
  const stijl_instance instances[] = {{stijl_scene_add_outline(scene, square), 0, 10, 20}, {0, 0, 30, 20}};
  stijl_glyph_run run = {sizeof run, instances, 2, &small, 1};
  stijl_scene_fill_glyphs(scene, &run, &twice, &(stijl_paint)STIJL_PAINT_INIT);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  stijl_rect box;
  CHECK_INT(stijl_scene_bounds(scene, &box), STIJL_EXTENT_BOUNDED);
  CHECK_NEAR(box.x0, 21, 0.001);
  CHECK_NEAR(box.y0, 31, 0.001);
  CHECK_NEAR(box.x1, 81, 0.001);
  CHECK_NEAR(box.y1, 41, 0.001);
  stijl_scene_destroy(scene);
  stijl_path_destroy(square);
}

static void refused(const stijl_instance *instance, const stijl_matrix *matrix, size_t matrices, const char *why) {
  stijl_path *square = new_path();
  stijl_path_add_rect(square, 0, 0, 1, 1);
  stijl_scene *scene = begin();
  stijl_scene_add_outline(scene, square);
  stijl_glyph_run run = {sizeof run, instance, 1, matrix, matrices};
  stijl_scene_fill_glyphs(scene, &run, NULL, &(stijl_paint)STIJL_PAINT_INIT);
  CHECK_INT(stijl_scene_finish(scene), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK(strstr(stijl_scene_message(scene), why) != NULL);
  stijl_scene_destroy(scene);
  stijl_path_destroy(square);
}

TEST(what_cannot_be_is_refused) {
  const float inf = 1e30f * 1e30f;
  const stijl_matrix identity = STIJL_MATRIX_IDENTITY, infinite = {inf, 0, 0, 1, 0, 0};
  refused(&(stijl_instance){1, 0, 0, 0}, NULL, 0, "out of range");
  refused(&(stijl_instance){0, 1, 0, 0}, NULL, 0, "out of range");
  refused(&(stijl_instance){0, 1, 0, 0}, &identity, 1, "out of range");
  refused(&(stijl_instance){0, 0, inf, 0}, &identity, 1, "out of range");
  refused(&(stijl_instance){0, 0, 0, 0}, &infinite, 1, "not finite");
  refused(NULL, NULL, 0, "no instances");
  stijl_scene *scene = begin();
  stijl_scene_fill_glyphs(scene, NULL, NULL, NULL);
  CHECK_INT(stijl_scene_finish(scene), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_scene_destroy(scene);
}

// However few bytes a scene has: what is drawn is bounded.
TEST(segments_are_limited) {
  stijl_scene_limits limits = STIJL_SCENE_LIMITS_INIT;
  limits.max_segments = 1000;
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, &limits, &scene), STIJL_OK);
  stijl_path *square = new_path();
  stijl_path_add_rect(square, 0, 0, 1, 1);
  stijl_instance instances[251] = {{stijl_scene_add_outline(scene, square), 0, 0, 0}};
  stijl_glyph_run run = {sizeof run, instances, 250, NULL, 0};
  stijl_scene_fill_glyphs(scene, &run, NULL, &(stijl_paint)STIJL_PAINT_INIT);
  CHECK_STR(stijl_scene_message(scene), "");
  run.instance_count = 251;
  stijl_scene_fill_glyphs(scene, &run, NULL, &(stijl_paint)STIJL_PAINT_INIT);
  CHECK_INT(stijl_scene_finish(scene), STIJL_ERROR_LIMIT);
  CHECK(strstr(stijl_scene_message(scene), "max_segments") != NULL);
  stijl_scene_destroy(scene);
  stijl_path_destroy(square);
}
