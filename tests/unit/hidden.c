// What later opaque draws hide is left out: pictures are the same as where draws are painted one by one, and rectangles
// the same as other paths of their shape.
#include <string.h>

#include "isas.h"
#include "picture.h"
#include "random.h"
#include "render/renderer.h"

enum { MAX_WIDTH = 1300, MAX_HEIGHT = 300, IMAGE = 24 };

typedef struct scenery {
  sj_random random;
  stijl_scene *scene;
  stijl_path *path;
  stijl_image *images[2];  // opaque, and not
  int width, height;
} scenery;

static bool one_in(scenery *s, int n) { return sj_random_int(&s->random, 0, n) == 0; }

static float between(scenery *s, float lo, float hi) {
  float x = sj_random_float(&s->random, lo, hi);
  return one_in(s, 3) ? (float)(int)x : x;  // often on the border of a pixel
}

static stijl_color random_color(scenery *s) {
  stijl_color c = {between(s, 0, 1), sj_random_float(&s->random, 0, 1), between(s, 0, 1), 1};
  if (one_in(s, 4)) c.a = sj_random_float(&s->random, 0, 1);
  return c;
}

static stijl_paint random_paint(scenery *s) {
  static stijl_stop stops[2];
  stops[0] = (stijl_stop){0.0f, random_color(s)};
  stops[1] = (stijl_stop){1.0f, random_color(s)};
  stijl_point a = {between(s, 0, 300), between(s, 0, 300)}, b = {between(s, 0, 300), between(s, 0, 300)};
  switch (sj_random_int(&s->random, 0, 8)) {
    case 0: return stijl_paint_linear(a, b, stops, 2);
    case 1: return stijl_paint_radial(a, 0.0f, a, 90.0f, stops, 2);
    case 2: return stijl_paint_radial(a, 10.0f, b, 90.0f, stops, 2);
    case 3:
    case 4: {
      stijl_paint p = stijl_paint_image(s->images[one_in(s, 3)], (stijl_sampling)sj_random_int(&s->random, 0, 3));
      p.spread_x = (stijl_spread)sj_random_int(&s->random, 0, 4);
      p.spread_y = (stijl_spread)sj_random_int(&s->random, 0, 4);
      p.transform = stijl_matrix_multiply(stijl_matrix_translate(a.x, a.y), stijl_matrix_rotate(b.x));
      if (one_in(s, 5)) p.opacity = 0.5f;
      return p;
    }
    default: return stijl_paint_solid(random_color(s));
  }
}

// Makes a rectangle, mostly; sometimes with too many corners to be taken for one.
static void random_path(scenery *s, bool bent) {
  float x = between(s, -60.0f, (float)s->width), y = between(s, -60.0f, (float)s->height);
  float w = between(s, 1.0f, 500.0f), h = between(s, 1.0f, 250.0f);
  stijl_path_clear(s->path);
  if (bent) {
    stijl_path_add_ellipse(s->path, x, y, w, h);
    return;
  }
  stijl_path_add_rect(s->path, x, y, w, h);
}

static void record(scenery *s) {
  int open = 0;
  for (int draws = sj_random_int(&s->random, 2, 40); draws > 0; draws--) {
    stijl_paint paint = random_paint(s);
    paint.aliased = one_in(s, 8);
    stijl_matrix m = one_in(s, 6) ? stijl_matrix_rotate(between(s, 0.0f, 90.0f)) : stijl_matrix_identity();
    random_path(s, one_in(s, 4));
    int kind = sj_random_int(&s->random, 0, 12);
    if (kind == 0) {
      stijl_scene_fill_all(s->scene, &paint);
    } else if (kind <= 2 && open < 4) {
      stijl_layer layer = STIJL_LAYER_INIT;
      if (one_in(s, 2)) layer.opacity = between(s, 0.2f, 1.0f);
      if (one_in(s, 3)) layer.blend = (stijl_blend)sj_random_int(&s->random, 0, STIJL_BLEND_PLUS_LIGHTER + 1);
      if (!one_in(s, 3)) layer.clip = s->path;
      layer.clip_transform = &m;
      stijl_scene_push_layer(s->scene, &layer);
      open++;
    } else if (kind == 3 && open) {
      stijl_scene_pop_layer(s->scene);
      open--;
    } else if (kind == 4) {
      stijl_stroke stroke = STIJL_STROKE_INIT;
      stroke.width = between(s, 1.0f, 200.0f);
      stijl_scene_stroke(s->scene, s->path, &stroke, &m, &paint);
    } else {
      stijl_scene_fill(s->scene, s->path, (stijl_fill_rule)sj_random_int(&s->random, 0, 2), &m, &paint);
    }
  }
  while (open--) stijl_scene_pop_layer(s->scene);
}

static stijl_image *make_image(sj_random *r, bool opaque) {
  uint32_t pixels[IMAGE * IMAGE];
  for (int i = 0; i < IMAGE * IMAGE; i++) pixels[i] = sj_random_u32(r) | 0xff000000u;
  if (!opaque) pixels[IMAGE * IMAGE - 1] = 0x80402010u;
  stijl_image *image = NULL;
  CHECK_INT(stijl_image_create(NULL, IMAGE, IMAGE, STIJL_FORMAT_RGBA8, pixels, IMAGE * 4, &image), STIJL_OK);
  return image;
}

static void check_same(stijl_renderer *renderer, const scenery *s, const uint8_t *expected, uint64_t seed,
                       const char *what) {
  static uint8_t pixels[MAX_WIDTH * MAX_HEIGHT * 4];
  memset(pixels, 0x77, sizeof pixels);
  if (!sj_test_draw(renderer, s->scene, s->width, s->height, (stijl_irect){0, 0, s->width, s->height}, NULL, pixels))
    return;
  for (int i = 0; i < s->width * s->height * 4; i++) {
    if (pixels[i] == expected[i]) continue;
    sj_test_fail(what, 0, "seed %llu: (%d, %d) of %d x %d differs", (unsigned long long)seed, i / 4 % s->width,
                 i / 4 / s->width, s->width, s->height);
    return;
  }
}

// With batches of one draw nothing but the clear is ever hidden.
TEST(draws) {
  static uint8_t expected[MAX_WIDTH * MAX_HEIGHT * 4];
  stijl_renderer *one_by_one = sj_test_cpu(STIJL_ISA_SCALAR, 1), *best = sj_test_cpu(STIJL_ISA_AUTO, 1);
  stijl_renderer *scalar = sj_test_cpu(STIJL_ISA_SCALAR, 1), *three = sj_test_cpu(STIJL_ISA_AUTO, 3);
  stijl_renderer *streams = sj_test_cpu(STIJL_ISA_AUTO, 1), *in_batches = sj_test_cpu(STIJL_ISA_AUTO, 1);
  sj_renderer_limit_batches(one_by_one, 1);
  sj_renderer_stream_from(streams, 0);
  sj_renderer_stream_from(in_batches, 0);
  sj_renderer_limit_batches(in_batches, 100);
  for (uint64_t seed = 0; seed < 300; seed++) {
    scenery s = {.random = sj_random_seed(seed)};
    s.width = sj_random_int(&s.random, 1, one_in(&s, 2) ? MAX_WIDTH : 200);
    s.height = sj_random_int(&s.random, 1, MAX_HEIGHT);
    CHECK_INT(stijl_scene_create(NULL, NULL, &s.scene), STIJL_OK);
    CHECK_INT(stijl_path_create(NULL, &s.path), STIJL_OK);
    for (int i = 0; i < 2; i++) s.images[i] = make_image(&s.random, i == 0);
    record(&s);
    CHECK_INT(stijl_scene_finish(s.scene), STIJL_OK);
    memset(expected, 0x33, sizeof expected);
    sj_test_draw(one_by_one, s.scene, s.width, s.height, (stijl_irect){0, 0, s.width, s.height}, NULL, expected);
    check_same(scalar, &s, expected, seed, "scalar");
    check_same(best, &s, expected, seed, "best");
    check_same(three, &s, expected, seed, "three threads");
    check_same(streams, &s, expected, seed, "past the cache");
    check_same(in_batches, &s, expected, seed, "past the cache in batches");
    for (int i = 0; i < 2; i++) stijl_image_destroy(s.images[i]);
    stijl_path_destroy(s.path);
    stijl_scene_destroy(s.scene);
  }
  stijl_renderer_destroy(one_by_one);
  stijl_renderer_destroy(scalar);
  stijl_renderer_destroy(best);
  stijl_renderer_destroy(three);
  stijl_renderer_destroy(streams);
  stijl_renderer_destroy(in_batches);
}

// Makes a scene of a rectangle, or of the same with a corner in the middle of each side, twice: too many lines for a
// rectangle.
static stijl_scene *rectangle_scene(uint64_t seed, bool cornered) {
  stijl_scene *scene = NULL;
  stijl_path *path = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  sj_random r = sj_random_seed(seed);
  for (int i = 0; i < 30; i++) {
    float x0 = sj_random_float(&r, -20, 80), x1 = x0 + sj_random_float(&r, 0, i % 2 ? 2 : 70);
    float y0 = sj_random_float(&r, -20, 60), y1 = y0 + sj_random_float(&r, 0, i % 3 ? 3 : 60);
    stijl_path_clear(path);
    float x[] = {x0, x1, x1, x0, x0}, y[] = {y0, y0, y1, y1, y0};
    stijl_path_move_to(path, x[0], y[0]);
    for (int k = 1; k < 5; k++) {
      for (int n = 1; cornered && n < 3; n++)
        stijl_path_line_to(path, x[k - 1] + (x[k] - x[k - 1]) * 0.4f * (float)n,
                           y[k - 1] + (y[k] - y[k - 1]) * 0.4f * (float)n);
      if (k < 4) stijl_path_line_to(path, x[k], y[k]);
    }
    stijl_path_close(path);
    stijl_color c = {0.9f, 0.5f, 0.2f, i % 4 ? 0.6f : 1.0f};
    stijl_stop stops[] = {{0, c}, {1, {0.1f, 0.7f, 0.4f, 1.0f}}};
    stijl_paint paint =
        i % 5 ? stijl_paint_solid(c) : stijl_paint_linear((stijl_point){10, 0}, (stijl_point){60, 9}, stops, 2);
    stijl_matrix m =
        i % 7 ? stijl_matrix_identity() : stijl_matrix_multiply(stijl_matrix_translate(70, 0), stijl_matrix_rotate(90));
    if (i % 6) {
      stijl_scene_fill(scene, path, i % 2 ? STIJL_FILL_EVENODD : STIJL_FILL_NONZERO, &m, &paint);
      continue;
    }
    stijl_layer layer = STIJL_LAYER_INIT;
    layer.clip = path;
    layer.clip_transform = &m;
    layer.blend = i % 12 ? STIJL_BLEND_MULTIPLY : STIJL_BLEND_NORMAL;
    stijl_scene_push_layer(scene, &layer);
    stijl_scene_fill_all(scene, &paint);
    stijl_scene_pop_layer(scene);
  }
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  stijl_path_destroy(path);
  return scene;
}

TEST(rectangles) {
  enum { WIDTH = 83, HEIGHT = 61 };
  static uint8_t pixels[2][WIDTH * HEIGHT * 4];
  EACH_ISA(isa, STIJL_ISA_SCALAR) {
    stijl_renderer *renderer = sj_test_cpu(isa, 1);
    for (uint64_t seed = 0; seed < 100; seed++) {
      for (int cornered = 0; cornered < 2; cornered++) {
        stijl_scene *scene = rectangle_scene(seed, cornered);
        sj_test_draw(renderer, scene, WIDTH, HEIGHT, (stijl_irect){0, 0, WIDTH, HEIGHT}, NULL, pixels[cornered]);
        stijl_scene_destroy(scene);
      }
      if (memcmp(pixels[0], pixels[1], sizeof pixels[0]))
        sj_test_fail(stijl_isa_name(isa), 0, "rectangles of seed %d", (int)seed);
    }
    stijl_renderer_destroy(renderer);
  }
}
