// Canvases of more than 32,767 pixels a side: whatever the regions they are drawn in, by scalar code, every instruction
// set, on any number of threads and, with STIJL_TEST_DEVICE, by that GPU, the bits are the same; and the picture is the
// one that small canvases show.
#include <math.h>
#include <stdlib.h>

#include "allocator.h"
#include "gpu/device.h"
#include "isas.h"
#include "picture.h"
#include "random_layer.h"
#include "scene/block.h"

enum { WIDTH = 180, HEIGHT = 150, CASES = 120, MOST = 2147483647 };

typedef struct picture {
  uint32_t pixels[HEIGHT][WIDTH];
} picture;

// Where a window of a canvas is.
typedef struct window {
  int width, height;  // of the canvas
  int x, y;
} window;

// --- Scenes ---

static stijl_image *make_image(void) {
  uint8_t texels[5][7][4];
  for (int i = 0; i < 5 * 7 * 4; i++) texels[i / 28][i / 4 % 7][i % 4] = (uint8_t)(i % 4 == 3 ? 255 : i * 53);
  stijl_image *image = NULL;
  CHECK_INT(stijl_image_create(NULL, 7, 5, STIJL_FORMAT_RGBA8, texels, sizeof texels[0], &image), STIJL_OK);
  return image;
}

static const stijl_stop stops[] = {{0.0f, {1, 0, 0, 1}}, {0.4f, {0, 1, 0.2f, 0.7f}}, {1.0f, {0.1f, 0, 1, 1}}};

static stijl_paint random_paint(sj_random *r, const stijl_image *image, const stijl_scene *tile) {
  stijl_point p = {random_number(r, 0, 90), random_number(r, 0, 90)},
              q = {p.x + random_number(r, 5, 60), random_number(r, 0, 90)};
  stijl_paint paint = stijl_paint_solid(random_color(r));
  switch (sj_random_int(r, 0, 7)) {
    case 0: paint = stijl_paint_linear(p, q, stops, 3); break;
    case 1: paint = stijl_paint_radial(p, random_number(r, 5, 50), q, random_number(r, 0, 5), stops, 3); break;
    case 2: paint = stijl_paint_sweep(p, 20, random_number(r, 30, 300), stops, 3); break;
    case 3: paint = stijl_paint_image(image, (stijl_sampling)sj_random_int(r, 0, 3)); break;
    case 4:
      if (tile) paint = stijl_paint_scene(tile, (stijl_rect){p.x, p.y, p.x + 9.5f, p.y + 7.25f});
      break;
    default: return paint;
  }
  paint.spread_x = (stijl_spread)sj_random_int(r, 0, 3);
  paint.spread_y = (stijl_spread)sj_random_int(r, 0, 3);
  if (sj_random_int(r, 0, 2)) paint.transform = random_matrix(r);
  paint.opacity = random_number(r, 0.4f, 1.0f);
  return paint;
}

static void random_path(sj_random *r, stijl_path *path) {
  stijl_path_clear(path);
  stijl_path_move_to(path, random_number(r, -20, 110), random_number(r, -20, 110));
  for (int i = sj_random_int(r, 1, 5); i > 0; i--)
    stijl_path_cubic_to(path, random_number(r, -20, 110), random_number(r, -20, 110), random_number(r, -20, 110),
                        random_number(r, -20, 110), random_number(r, -20, 110), random_number(r, -20, 110));
  if (sj_random_int(r, 0, 2)) stijl_path_close(path);
}

static void random_stroke(sj_random *r, stijl_scene *scene, const stijl_path *path, const stijl_matrix *m,
                          const stijl_paint *paint) {
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stijl_matrix pen = random_matrix(r);
  static const float dashes[] = {7, 3};
  stroke.width = random_number(r, 0.05f, 8);
  stroke.cap = (stijl_cap)sj_random_int(r, 0, 3);
  stroke.join = (stijl_join)sj_random_int(r, 0, 4);
  if (!sj_random_int(r, 0, 3)) stroke.pen = &pen;
  if (!sj_random_int(r, 0, 3)) stroke.dashes = dashes, stroke.dash_count = 2;
  stijl_scene_stroke(scene, path, &stroke, m, paint);
}

static void random_glyphs(sj_random *r, stijl_scene *scene, const stijl_path *path, const stijl_matrix *m,
                          const stijl_paint *paint) {
  stijl_instance instances[6];
  stijl_matrix shape = stijl_matrix_scale(0.2f, 0.3f);
  uint32_t outline = stijl_scene_add_outline(scene, path);
  for (int i = 0; i < 6; i++)
    instances[i] = (stijl_instance){outline, 0, random_number(r, 0, 90), random_number(r, 0, 90)};
  stijl_glyph_run run = {sizeof run, instances, 6, &shape, 1};
  stijl_scene_fill_glyphs(scene, &run, m, paint);
}

// Makes a scene. `filters`: with layers with filters, too.
static stijl_scene *random_scene(sj_random *r, int draws, bool filters, const stijl_image *image,
                                 const stijl_scene *within) {
  stijl_scene *scene = NULL;
  stijl_path *path = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  int open = 0;
  for (int i = 0; i < draws; i++) {
    random_path(r, path);
    stijl_matrix m = random_matrix(r);
    stijl_paint paint = random_paint(r, image, within);
    paint.aliased = !sj_random_int(r, 0, 5);
    switch (sj_random_int(r, 0, 9)) {
      case 0: random_stroke(r, scene, path, &m, &paint); break;
      case 1: random_glyphs(r, scene, path, &m, &paint); break;
      case 2:
        if (within) stijl_scene_add_scene(scene, within, &m);
        break;
      case 3:
        if (filters) random_layer(r, scene, 1);
        break;
      case 4: {
        stijl_layer layer = STIJL_LAYER_INIT;
        layer.opacity = 0.7f;
        if (sj_random_int(r, 0, 2)) layer.clip = path, layer.clip_transform = &m;
        stijl_scene_push_layer(scene, &layer);
        open++;
        break;
      }
      case 5:
        if (!open) break;
        stijl_scene_push_mask(scene, STIJL_MASK_ALPHA);
        random_shape(r, scene);
        stijl_scene_pop_mask(scene);
        stijl_scene_pop_layer(scene);
        open--;
        break;
      default: stijl_scene_fill(scene, path, STIJL_FILL_EVENODD, &m, &paint); break;
    }
  }
  while (open-- > 0) stijl_scene_pop_layer(scene);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  stijl_path_destroy(path);
  return scene;
}

// Makes a scene of about 90 units, and of such scenes.
static stijl_scene *scene_of(uint64_t n, bool filters) {
  sj_random r = sj_random_seed(n);
  stijl_image *image = make_image();
  stijl_scene *tile = random_scene(&r, 4, false, image, NULL), *within = random_scene(&r, 6, filters, image, tile);
  stijl_scene *scene = random_scene(&r, 12, filters, image, within);
  stijl_scene_destroy(within);
  stijl_scene_destroy(tile);
  stijl_image_destroy(image);
  return scene;
}

// --- Drawing ---

static bool draw_region(stijl_renderer *renderer, const stijl_scene *scene, window w, stijl_irect part,
                        const stijl_render_params *params, picture *out) {
  stijl_target target = STIJL_TARGET_INIT;
  target.width = w.width;
  target.height = w.height;
  target.region = (stijl_irect){w.x + part.x0, w.y + part.y0, w.x + part.x1, w.y + part.y1};
  target.pixels = &out->pixels[part.y0][part.x0];
  target.stride = sizeof out->pixels[0];
  stijl_message message = {""};
  stijl_result result = stijl_render(renderer, scene, &target, params, &message);
  if (result != STIJL_OK) sj_test_fail(__FILE__, __LINE__, "%s", message.text);
  return result == STIJL_OK;
}

static const stijl_irect all = {0, 0, WIDTH, HEIGHT};

static void draw(stijl_renderer *renderer, const stijl_scene *scene, window w, const stijl_render_params *params,
                 picture *out) {
  memset(out, 0x5a, sizeof *out);
  draw_region(renderer, scene, w, all, params, out);
}

// Draws in tiles of so many pixels a side.
static void draw_tiles(stijl_renderer *renderer, const stijl_scene *scene, window w, const stijl_render_params *params,
                       int side, picture *out) {
  memset(out, 0x5a, sizeof *out);
  for (int y = 0; y < HEIGHT; y += side)
    for (int x = 0; x < WIDTH; x += side) {
      stijl_irect part = {x, y, x + side < WIDTH ? x + side : WIDTH, y + side < HEIGHT ? y + side : HEIGHT};
      if (!draw_region(renderer, scene, w, part, params, out)) return;
    }
}

static bool same(uint64_t n, const char *what, const picture *got, const picture *expected) {
  return sj_test_same_pixels(n, what, got->pixels[0], expected->pixels[0], WIDTH, HEIGHT);
}

// Returns a window about a corner of blocks; what is drawn is near them.
static window window_of(sj_random *r, int width, int height) {
  int columns = width / SJ_BLOCK_SIDE, rows = height / SJ_BLOCK_SIDE;
  return (window){width, height, sj_random_int(r, 1, columns) * SJ_BLOCK_SIDE - sj_random_int(r, 0, WIDTH),
                  sj_random_int(r, 1, rows) * SJ_BLOCK_SIDE - sj_random_int(r, 0, HEIGHT)};
}

static stijl_matrix view_of(sj_random *r, window w, float largest) {
  float s = sj_random_int(r, 0, 2) ? 1.7f : powf(10.0f, random_number(r, 0.0f, largest));
  stijl_matrix m =
      stijl_matrix_multiply(stijl_matrix_rotate(sj_random_int(r, 0, 3) ? 0.0f : 30.0f), stijl_matrix_scale(s, s));
  // Some place of the scene is in the window.
  stijl_point p = stijl_matrix_apply(m, (stijl_point){random_number(r, 0, 90), random_number(r, 0, 90)});
  m.e = (float)(w.x + WIDTH / 2) - p.x;
  m.f = (float)(w.y + HEIGHT / 2) - p.y;
  return m;
}

static void check_tilings(uint64_t n, int width, int height) {
  static stijl_renderer *scalar, *others[MOST_ISAS];
  static size_t count;
  if (!scalar) {
    scalar = sj_test_cpu(STIJL_ISA_SCALAR, 1);
    EACH_ISA(isa, STIJL_ISA_SSE)
    others[count++] = sj_test_cpu(isa, isa % 2 ? 2 : 7);
  }
  sj_random r = sj_random_seed(n + (uint64_t)width);
  window w = window_of(&r, width, height);
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.transform = view_of(&r, w, n % 2 ? 0.3f : 2.0f);  // filters of large scales read millions of pixels
  params.background = (stijl_color){1, 1, 1, sj_random_int(&r, 0, 2) ? 1.0f : 0.0f};
  stijl_scene *scene = scene_of(n, n % 2);
  static picture whole, got;
  draw(scalar, scene, w, &params, &whole);
  draw_tiles(scalar, scene, w, &params, sj_random_int(&r, 20, 100), &got);
  same(n, "tiles", &got, &whole);
  stijl_renderer *best = count ? others[n % count] : scalar;
  draw(best, scene, w, &params, &got);
  same(n, "another instruction set", &got, &whole);
  draw_tiles(best, scene, w, &params, sj_random_int(&r, 20, 100), &got);
  same(n, "its tiles", &got, &whole);
  stijl_scene_destroy(scene);
}

TEST(tilings_have_the_same_bits) {
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(CASES)); n++) {
    check_tilings(n, 70000, 50000);
    check_tilings(n, MOST, MOST);
  }
}

// Small parts of other canvases are encoded from the draws that an index finds.
TEST(parts_of_many_draws) {
  enum { SIDE = 4 };
  static uint32_t whole[SIDE * HEIGHT][SIDE * WIDTH];
  stijl_renderer *renderer = sj_test_cpu(STIJL_ISA_AUTO, 1);
  for (uint64_t n = 0; sj_test_cases(&n, 6); n++) {
    sj_random r = sj_random_seed(n);
    stijl_image *image = make_image();
    stijl_scene *within = random_scene(&r, 8, n % 2, image, NULL), *scene = random_scene(&r, 400, false, image, within);
    stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
    params.transform = stijl_matrix_scale(5.5f, 4.5f);
    sj_test_draw(renderer, scene, SIDE * WIDTH, SIDE * HEIGHT, (stijl_irect){0, 0, SIDE * WIDTH, SIDE * HEIGHT},
                 &params, whole);
    for (int i = 0; i < SIDE * SIDE; i++) {
      window w = {SIDE * WIDTH, SIDE * HEIGHT, i % SIDE * WIDTH, i / SIDE * HEIGHT};
      static picture got, expected;
      for (int y = 0; y < HEIGHT; y++) memcpy(expected.pixels[y], &whole[w.y + y][w.x], sizeof expected.pixels[y]);
      draw(renderer, scene, w, &params, &got);
      same(n, "a part", &got, &expected);
    }
    stijl_scene_destroy(scene);
    stijl_scene_destroy(within);
    stijl_image_destroy(image);
  }
  stijl_renderer_destroy(renderer);
}

TEST(gpu_has_the_same_bits) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("STIJL_TEST_DEVICE is not set");
  stijl_renderer *cpu = sj_test_cpu(STIJL_ISA_AUTO, 1);
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(CASES / 3)); n++) {
    sj_random r = sj_random_seed(n);
    window w = window_of(&r, MOST, n % 3 ? MOST : 50000);
    stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
    params.transform = view_of(&r, w, n % 2 ? 0.3f : 2.0f);
    stijl_scene *scene = scene_of(n, n % 2);
    static picture got, expected;
    draw(cpu, scene, w, &params, &expected);
    draw_tiles(gpu, scene, w, &params, sj_random_int(&r, 60, 180), &got);
    same(n, "the GPU", &got, &expected);
    stijl_scene_destroy(scene);
  }
  stijl_renderer_destroy(cpu);
  stijl_renderer_destroy(gpu);
}

// --- What is drawn ---

// Returns how many of 1000 pixels differ by more than rounding of edges explains.
static double unlike(const picture *a, const picture *b) {
  int count = 0;
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      const uint8_t *p = (const uint8_t *)&a->pixels[y][x], *q = (const uint8_t *)&b->pixels[y][x];
      int most = 0;
      for (int i = 0; i < 4; i++) most = abs(p[i] - q[i]) > most ? abs(p[i] - q[i]) : most;
      count += most > 8;
    }
  return 1000.0 * count / (WIDTH * HEIGHT);
}

static bool is_blank(const picture *p) {
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      if (p->pixels[y][x] != p->pixels[0][0]) return false;
  return true;
}

// A window of a large canvas, however many blocks it is in, shows what a small canvas does.
TEST(large_canvases_show_what_small_ones_do) {
  stijl_renderer *renderer = sj_test_cpu(STIJL_ISA_AUTO, 1);
  int blank = 0, scenes = 0;
  double all_unlike = 0.0;
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(CASES)); n++, scenes++) {
    sj_random r = sj_random_seed(n);
    window w = window_of(&r, 70000, 50000), small = {WIDTH, HEIGHT, 0, 0};
    stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
    params.transform = view_of(&r, w, n % 2 ? 0.3f : 2.0f);
    stijl_scene *scene = scene_of(n, n % 2);
    static picture got, expected;
    draw(renderer, scene, w, &params, &got);
    params.transform.e -= (float)w.x;
    params.transform.f -= (float)w.y;
    draw(renderer, scene, small, &params, &expected);
    double differ = unlike(&got, &expected);
    all_unlike += differ;
    if (differ > 20.0) sj_test_fail(__FILE__, __LINE__, "case %d: %.1f of 1000 pixels differ", (int)n, differ);
    blank += is_blank(&got);
    stijl_scene_destroy(scene);
  }
  printf("# %.2f of 1000 pixels differ, %d of %d blank\n", all_unlike / scenes, blank, scenes);
  CHECK(blank <= scenes / 4);
  stijl_renderer_destroy(renderer);
}

// Draws a scene that is moved by so many pixels, which floats have exactly.
static void draw_moved(stijl_renderer *renderer, const stijl_scene *scene, window w, picture *out) {
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.transform = stijl_matrix_translate((float)w.x, (float)w.y);
  draw(renderer, scene, w, &params, out);
}

TEST(far_away_looks_like_near) {
  static const int blocks[] = {384, 3840, 393216};  // about 10^6, 10^7 and 10^9 pixels
  stijl_renderer *renderer = sj_test_cpu(STIJL_ISA_AUTO, 1);
  static picture near, far;
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(30)); n++) {
    stijl_scene *scene = scene_of(n, n % 2);
    draw_moved(renderer, scene, (window){70000, 50000, 0, 0}, &near);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
      int at = blocks[i] * SJ_BLOCK_SIDE;
      draw_moved(renderer, scene, (window){MOST, MOST, at, at / 2}, &far);
      // Nothing but the block is another.
      same(n, "far away", &far, &near);
    }
    stijl_scene_destroy(scene);
  }
  stijl_renderer_destroy(renderer);
}

// Returns where the edge of a rectangle from x to the right is, in pixels, by the coverage of the column that it
// crosses.
static double edge_of(stijl_renderer *renderer, float x, float scale, int width) {
  stijl_scene *scene = NULL;
  stijl_path *path = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_move_to(path, x, -1.0f);
  stijl_path_line_to(path, 1e6f, -1.0f);
  stijl_path_line_to(path, 1e6f, 1e6f);
  stijl_path_line_to(path, x, 1e6f);
  stijl_paint black = STIJL_PAINT_INIT;
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &black);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.transform = stijl_matrix_scale(scale, scale);
  double exact = (double)x * (double)scale;
  window w = {width, 50000, (int)exact - WIDTH / 2, 40000};
  static picture got;
  draw(renderer, scene, w, &params, &got);
  double covered = 0.0;
  for (int i = 0; i < WIDTH; i++) covered += (double)(got.pixels[HEIGHT / 2][i] >> 24) / 255.0;
  stijl_path_destroy(path);
  stijl_scene_destroy(scene);
  return w.x + WIDTH - covered;
}

TEST(edges_are_where_they_belong) {
  stijl_renderer *renderer = sj_test_cpu(STIJL_ISA_AUTO, 1);
  double worst = 0.0;
  for (uint64_t n = 0; sj_test_cases(&n, 200); n++) {
    sj_random r = sj_random_seed(n);
    float scale = random_number(&r, 200.0f, 900.0f), x = random_number(&r, 40.0f, 199000.0f / scale);
    double exact = (double)x * (double)scale, off = fabs(edge_of(renderer, x, scale, 200000) - exact);
    if (off > worst) worst = off;
  }
  printf("# at most %.5f pixels off\n", worst);
  CHECK(worst < 1.0 / 128.0);
  stijl_renderer_destroy(renderer);
}

// --- What is refused ---

// A renderer that had no memory for a block draws it when there is some.
TEST(memory_may_be_short) {
  stijl_scene *scenes[2] = {scene_of(3, true), scene_of(4, false)};
  for (int k = 0; k < 2; k++) {
    sj_random r = sj_random_seed((uint64_t)k);
    window w = window_of(&r, 70000, 50000);
    stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
    params.transform = view_of(&r, w, 0.0f);
    static picture expected, got;
    stijl_renderer *other = sj_test_cpu(STIJL_ISA_AUTO, 1);
    draw(other, scenes[k], w, &params, &expected);
    stijl_renderer_destroy(other);
    bool refused = true;
    for (long n = 0; refused && !sj_test_failed(); n += n < 400 ? 1 : 37) {
      sj_test_allocator a = {.refused = LONG_MAX};
      stijl_context *context = sj_test_context(&a);
      stijl_renderer_params one = STIJL_RENDERER_PARAMS_INIT;
      one.threads = 1;
      stijl_renderer *renderer = NULL;
      CHECK_INT(stijl_renderer_create(context, &one, &renderer, NULL), STIJL_OK);
      stijl_target target = {
          sizeof target,       w.width, w.height, {w.x, w.y, w.x + WIDTH, w.y + HEIGHT}, STIJL_FORMAT_RGBA8, got.pixels,
          sizeof got.pixels[0]};
      a.refused = atomic_load(&a.requests) + n;
      stijl_result result = stijl_render(renderer, scenes[k], &target, &params, NULL);
      refused = a.requests > a.refused;
      if (result != STIJL_OK) CHECK_INT(result, STIJL_ERROR_OUT_OF_MEMORY);
      CHECK(refused || result == STIJL_OK);
      if (result == STIJL_OK) same((uint64_t)n, "with less memory", &got, &expected);
      a.refused = LONG_MAX;
      draw(renderer, scenes[k], w, &params, &got);
      same((uint64_t)n, "with memory again", &got, &expected);
      stijl_renderer_destroy(renderer);
      stijl_context_destroy(context);
      CHECK_INT(a.live, 0);
    }
    stijl_scene_destroy(scenes[k]);
  }
}

static void expect_refusal(stijl_renderer *renderer, const stijl_scene *scene, int width, int height,
                           stijl_irect region, const char *why) {
  static uint8_t pixels[4];
  stijl_target target = {sizeof target, width, height, region, STIJL_FORMAT_RGBA8, pixels, (size_t)1 << 34};
  stijl_message message = {""};
  CHECK_INT(stijl_render(renderer, scene, &target, NULL, &message), STIJL_ERROR_INVALID_ARGUMENT);
  if (!strstr(message.text, why)) sj_test_fail(__FILE__, __LINE__, "\"%s\" does not say %s", message.text, why);
}

TEST(limits_are_named) {
  stijl_renderer *renderer = sj_test_cpu(STIJL_ISA_AUTO, 1);
  stijl_scene *scene = scene_of(0, false);
  expect_refusal(renderer, scene, 0, 5, (stijl_irect){0, 0, 1, 1}, "1..2147483647");
  expect_refusal(renderer, scene, 40000, 40000, (stijl_irect){0, 0, 0, 0}, "32767 a side");
  expect_refusal(renderer, scene, MOST, MOST, (stijl_irect){0, 0, 40000, 1}, "40000 x 1 pixels is too large");
  expect_refusal(renderer, scene, MOST, MOST, (stijl_irect){-1, 0, 4, 1}, "not within the target");
  expect_refusal(renderer, scene, MOST, MOST, (stijl_irect){-MOST - 1, 0, MOST, 1}, "not within the target");
  stijl_budget_params few = STIJL_BUDGET_PARAMS_INIT;
  few.max_work = 10;
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  CHECK_INT(stijl_budget_create(NULL, &few, &params.budget), STIJL_OK);
  static picture got;
  stijl_target target = {sizeof target, MOST, MOST, all, STIJL_FORMAT_RGBA8, got.pixels, sizeof got.pixels[0]};
  CHECK_INT(stijl_render(renderer, scene, &target, &params, NULL), STIJL_ERROR_LIMIT);
  stijl_budget_destroy(params.budget);
  // The last pixel of all.
  target.region = (stijl_irect){MOST - 1, MOST - 1, MOST, MOST};
  CHECK_INT(stijl_render(renderer, scene, &target, NULL, NULL), STIJL_OK);
  stijl_scene_destroy(scene);
  stijl_renderer_destroy(renderer);
}
