// Contours that meet leave no seam, whatever their directions, and what was inside stays inside.
#include "picture.h"
#include "processor.h"
#include "random.h"
#include "scene/scene.h"

enum { SIZE = 48 };

static uint8_t pixels[SIZE * SIZE * 4];

static stijl_path *path_of(const char *data) {
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  CHECK_INT(stijl_path_add_svg(path, data, strlen(data), NULL), STIJL_OK);
  return path;
}

static void finish(stijl_scene *scene, uint8_t *out) {
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  stijl_renderer *renderer = sj_test_cpu(STIJL_ISA_SCALAR, 1);
  memset(out, 0, sizeof pixels);
  sj_test_draw(renderer, scene, SIZE, SIZE, (stijl_irect){0, 0, SIZE, SIZE}, NULL, out);
  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
}

// Draws paths as one shape (`together`), or the first alone.
static void draw(const stijl_path *const *paths, size_t count, bool together, stijl_fill_rule rule, uint8_t *out) {
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  stijl_paint paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  if (together)
    stijl_scene_fill_paths(scene, paths, count, rule, NULL, &paint);
  else
    stijl_scene_fill(scene, paths[0], rule, NULL, &paint);
  finish(scene, out);
}

// Draws a path as the outline of a glyph.
static void draw_glyph(const stijl_path *path, uint8_t *out) {
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  const stijl_paint paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  const stijl_matrix matrix = STIJL_MATRIX_IDENTITY;
  const stijl_instance instance = {.outline = stijl_scene_add_outline(scene, path)};
  const stijl_glyph_run run = {sizeof run, &instance, 1, &matrix, 1};
  stijl_scene_fill_glyphs(scene, &run, NULL, &paint);
  finish(scene, out);
}

static int count_open(const uint8_t *from) {
  int open = 0;
  for (int i = 0; i < SIZE * SIZE; i++) open += from[4 * i + 3] != 255;
  return open;
}

static void draw_data(const char *data, stijl_fill_rule rule, uint8_t *out) {
  stijl_path *path = path_of(data);
  draw((const stijl_path *const *)&path, 1, false, rule, out);
  stijl_path_destroy(path);
}

TEST(halves_that_run_against_each_other) {
  static const char *const data[] = {
      "M0 0H48V20.5H0Z M0 20.5V48H48V20.5Z",
      "M0 0H48V20.5H0Z m0 20.5v27.5h48v-27.5z",
      "M0 0H20.3V48H0Z M48 0H20.3V48H48Z",
      "M0 0H16.1V48H0Z M16.1 0V48H32.2V0Z M32.2 0H48V48H32.2Z",
  };
  for (size_t n = 0; n < sizeof data / sizeof *data; n++) {
    for (int rule = 0; rule < 2; rule++) {
      draw_data(data[n], (stijl_fill_rule)rule, pixels);
      int open = count_open(pixels);
      if (open) sj_test_fail(__FILE__, __LINE__, "%s, rule %d: %d pixels are not full", data[n], rule, open);
    }
    stijl_path *path = path_of(data[n]);
    draw_glyph(path, pixels);
    stijl_path_destroy(path);
    int open = count_open(pixels);
    if (open) sj_test_fail(__FILE__, __LINE__, "%s, as a glyph: %d pixels are not full", data[n], open);
  }
}

// Rings beside one another, some of whose holes run as their outlines do and so are none by the non-zero rule; and
// islands in holes. Turned or not, each draws what it draws alone.
TEST(groups_are_turned_whole) {
  static const char *const shapes[] = {
      "M1 1H21V21H1Z M5 5V17H17V5Z",
      "M1 1V21H21V1Z M5 5H17V17H5Z",
      "M1 1V21H21V1Z M5 5V17H17V5Z",
      "M1 1V21H21V1Z M5 5H17V17H5Z M8 8V14H14V8Z",
      "M1 11C1 -2 21 -2 21 11Q21 21 11 21Q1 21 1 11Z",
      "M21 11Q21 21 11 21Q1 21 1 11C1 -2 21 -2 21 11Z M6 6H10V16H6Z",
  };
  enum { SHAPES = sizeof shapes / sizeof *shapes };
  static uint8_t alone[SHAPES][sizeof pixels];
  for (int rule = 0; rule < 2; rule++) {
    for (int i = 0; i < SHAPES; i++) draw_data(shapes[i], (stijl_fill_rule)rule, alone[i]);
    for (int a = 0; a < SHAPES; a++)
      for (int b = 0; b < SHAPES; b++) {
        stijl_path *both = path_of(shapes[a]), *second = path_of(shapes[b]);
        stijl_matrix aside = stijl_matrix_translate(22, 24);
        stijl_path_add_path(both, second, &aside);
        draw((const stijl_path *const *)&both, 1, false, (stijl_fill_rule)rule, pixels);
        for (int y = 0; y < 22; y++) {
          CHECK(!memcmp(pixels + y * SIZE * 4, alone[a] + y * SIZE * 4, 22 * 4));
          CHECK(!memcmp(pixels + ((y + 24) * SIZE + 22) * 4, alone[b] + y * SIZE * 4, 22 * 4));
        }
        stijl_path_destroy(both);
        stijl_path_destroy(second);
      }
  }
}

// Overlapping contours are a group, and keep their directions: where they run against each other nothing is inside.
TEST(overlaps_stay) {
  draw_data("M0 0H30V48H0Z M20 0V48H48V0Z", STIJL_FILL_NONZERO, pixels);
  for (int x = 0; x < SIZE; x++) CHECK_INT(pixels[4 * (SIZE * 9 + x) + 3], x >= 20 && x < 30 ? 0 : 255);
}

static void stroke_data(const char *data, uint8_t *out) {
  stijl_scene *scene = NULL;
  stijl_path *path = path_of(data);
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = 1.5f;
  stijl_paint paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  stijl_scene_stroke(scene, path, &stroke, NULL, &paint);
  stijl_path_destroy(path);
  finish(scene, out);
}

// A stroked line that is drawn twice, as rough.js does, looks as if it were drawn once. Another line is another.
TEST(lines_drawn_twice) {
  static uint8_t once[sizeof pixels];
  stroke_data("M4 9L44 31", once);
  static const char *const same[] = {"M4 9L44 31M4 9L44 31", "M4 9L44 31M4 9C20.0001 17.8 30 23.3 44 31",
                                     "M4 9L44 31M4 9Q24 20 44 31M4 9L44 31", "M4 9L44 31M44 31.0002L4 9.0002M44 31L4 9",
                                     "M4 9L44 31M4 9L44 31Z"};
  static const char *const other[] = {"M4 9L44 31M4 9C14 14.6 24 20.1 44 31", "M4 9L44 31M4 9C-4 4.6 24 20 44 31",
                                      "M4 9L44 31M4 9L44 30.9"};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    stroke_data(same[i], pixels);
    CHECK(memcmp(once, pixels, sizeof pixels) == 0);
  }
  for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
    stroke_data(other[i], pixels);
    CHECK(memcmp(once, pixels, sizeof pixels) != 0);
  }
}

// A mesh of triangles in any directions, whose boxes all overlap.
TEST(mesh) {
  enum { CELLS = 6, POINTS = CELLS + 1, TRIANGLES = CELLS * CELLS * 2 };
  sj_random r = sj_random_seed(7);
  stijl_point p[POINTS][POINTS];
  for (int y = 0; y < POINTS; y++)
    for (int x = 0; x < POINTS; x++) {
      bool edge = x == 0 || y == 0 || x == CELLS || y == CELLS;
      p[y][x] = (stijl_point){(float)(8 * x) + (edge ? 0 : (float)sj_random_int(&r, -300, 300) * 0.01f),
                              (float)(8 * y) + (edge ? 0 : (float)sj_random_int(&r, -300, 300) * 0.01f)};
    }
  stijl_path *paths[TRIANGLES];
  for (int i = 0; i < TRIANGLES; i++) {
    int x = i / 2 % CELLS, y = i / 2 / CELLS;
    stijl_point a = p[y][x + 1], b = p[y + 1][x], c = i & 1 ? p[y][x] : p[y + 1][x + 1];
    bool back = sj_random_int(&r, 0, 2);
    CHECK_INT(stijl_path_create(NULL, &paths[i]), STIJL_OK);
    stijl_path_move_to(paths[i], a.x, a.y);
    stijl_path_line_to(paths[i], back ? c.x : b.x, back ? c.y : b.y);
    stijl_path_line_to(paths[i], back ? b.x : c.x, back ? b.y : c.y);
    stijl_path_close(paths[i]);
  }
  for (int rule = 0; rule < 2; rule++) {
    draw((const stijl_path *const *)paths, TRIANGLES, true, (stijl_fill_rule)rule, pixels);
    int open = 0;
    for (int i = 0; i < SIZE * SIZE; i++) open += pixels[4 * i + 3] < 254;
    CHECK_INT(open, 0);
  }
  for (int i = 0; i < TRIANGLES; i++) stijl_path_destroy(paths[i]);
}

TEST(no_paths) {
  stijl_scene *scene = NULL;
  stijl_paint paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  stijl_scene_fill_paths(scene, NULL, 0, STIJL_FILL_NONZERO, NULL, &paint);
  CHECK_INT(scene->draws.count, 0);
  const stijl_path *none[1] = {NULL};
  stijl_scene_fill_paths(scene, none, 1, STIJL_FILL_NONZERO, NULL, &paint);
  CHECK_INT(stijl_scene_finish(scene), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_scene_destroy(scene);
}

// Recording takes time in proportion, however contours lie: in a grid, all in one place, or all around one another.
TEST(time_is_bounded) {
  for (int kind = 0; kind < 3; kind++) {
    double least[2] = {1e9, 1e9};
    for (int turn = 0; turn < 6; turn++) {
      int count = turn & 1 ? 80000 : 20000, side = turn & 1 ? 283 : 142;
      stijl_path *path = NULL;
      stijl_scene *scene = NULL;
      CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
      CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
      for (int i = 0; i < count; i++) {
        float x = (float)(i % side), y = (float)(i / side), size = 1;
        if (kind == 1) x = y = i ? 0.25f : 1000;
        if (kind == 2) {
          size = 2 * (float)i + 1;
          x = y = -(float)i;
        }
        stijl_path_move_to(path, x, y);
        stijl_path_line_to(path, i & 1 ? x : x + size, i & 1 ? y + size : y);
        stijl_path_line_to(path, x + size, y + size);
        stijl_path_close(path);
      }
      stijl_paint paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
      double start = sj_test_processor_seconds();
      stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
      double seconds = sj_test_processor_seconds() - start;
      if (seconds < least[turn & 1]) least[turn & 1] = seconds;
      CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
      stijl_scene_destroy(scene);
      stijl_path_destroy(path);
    }
    if (least[1] > 12 * least[0] + 0.005)
      sj_test_fail(__FILE__, __LINE__, "kind %d: %g s of 20,000 contours, %g of 80,000", kind, least[0], least[1]);
  }
}
