// Many pictures in one call: each has the bits of a frame of its own, by the CPU's threads and by a device
// (STIJL_TEST_DEVICE), whatever the pictures show, wherever they lie and however little room there is.
#include <math.h>
#include <stdlib.h>

#include "base/trial.h"
#include "gpu/device.h"
#include "picture.h"
#include "random_layer.h"

enum { WIDTH = 500, HEIGHT = 400, MOST_SCENES = 24, MOST_PICTURES = 64, MARGIN = 7 };

static uint8_t expected[(HEIGHT + 2) * (WIDTH + MARGIN) * 4], got[sizeof expected];

// --- Scenes ---

static void add_path(sj_random *r, stijl_path *path, bool straight) {
  stijl_path_clear(path);
  stijl_path_move_to(path, random_number(r, -10, 100), random_number(r, -10, 100));
  for (int i = sj_random_int(r, 1, 6); i > 0; i--) {
    float x[6];
    for (int c = 0; c < 6; c++) x[c] = random_number(r, -20, 110);
    if (straight)
      stijl_path_line_to(path, x[0], x[1]);
    else
      stijl_path_cubic_to(path, x[0], x[1], x[2], x[3], x[4], x[5]);
  }
}

static stijl_image *make_image(void) {
  uint8_t texels[9][11][4], *bytes = &texels[0][0][0];
  for (size_t i = 0; i < sizeof texels; i++) bytes[i] = (uint8_t)(i * 37 + (i >> 3) * 11);
  stijl_image *image = NULL;
  CHECK_INT(stijl_image_create(NULL, 11, 9, STIJL_FORMAT_RGBA8_STRAIGHT, texels, sizeof texels[0], &image), STIJL_OK);
  return image;
}

static stijl_paint random_paint(sj_random *r, stijl_stop stops[2], stijl_image *image, const stijl_scene *other) {
  stijl_point a = {random_number(r, 0, 90), random_number(r, 0, 90)}, b = {random_number(r, 0, 90), 30};
  stops[0] = (stijl_stop){0.1f, random_color(r)};
  stops[1] = (stijl_stop){0.9f, random_color(r)};
  stijl_paint paint = stijl_paint_solid(random_color(r));
  switch (sj_random_int(r, 0, other ? 8 : 7)) {
    case 0: paint = stijl_paint_linear(a, b, stops, 2); break;
    case 1: paint = stijl_paint_radial(a, random_number(r, 1, 60), a, 0, stops, 2); break;
    case 2: paint = stijl_paint_sweep(a, 10, 300, stops, 2); break;
    case 3: paint = stijl_paint_image(image, (stijl_sampling)sj_random_int(r, 0, 3)); break;
    case 7: paint = stijl_paint_scene(other, (stijl_rect){0, 0, 30, 40}); break;
    default: break;
  }
  paint.spread_x = paint.spread_y = (stijl_spread)sj_random_int(r, 0, 3);
  paint.aliased = !sj_random_int(r, 0, 6);
  return paint;
}

static void add_shapes(sj_random *r, stijl_scene *scene, int count, bool straight, const stijl_scene *other) {
  stijl_image *image = make_image();
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  for (int i = 0; i < count; i++) {
    stijl_stop stops[2];
    stijl_paint paint = random_paint(r, stops, image, other);
    stijl_matrix m = random_matrix(r);
    add_path(r, path, straight);
    stijl_stroke stroke = STIJL_STROKE_INIT;
    stroke.width = random_number(r, 0, 7);
    if (i % 2 && !straight)
      stijl_scene_stroke(scene, path, &stroke, sj_random_int(r, 0, 2) ? &m : NULL, &paint);
    else
      stijl_scene_fill(scene, path, (stijl_fill_rule)(i % 3 == 0), sj_random_int(r, 0, 2) ? &m : NULL, &paint);
  }
  stijl_path_destroy(path);
  stijl_image_destroy(image);
}

static void add_glyphs(sj_random *r, stijl_scene *scene) {
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_instance instances[20];
  uint32_t first = 0;
  for (int i = 0; i < 4; i++) {
    add_path(r, path, i & 1);
    uint32_t outline = stijl_scene_add_outline(scene, path);
    if (!i) first = outline;
  }
  stijl_matrix matrices[2] = {stijl_matrix_scale(0.2f, 0.3f), stijl_matrix_rotate(20)};
  for (int i = 0; i < 20; i++)
    instances[i] =
        (stijl_instance){first + (uint32_t)i % 4, (uint32_t)i / 15, random_number(r, 0, 90), random_number(r, 0, 90)};
  stijl_glyph_run run = STIJL_GLYPH_RUN_INIT;
  run.instances = instances;
  run.instance_count = 20;
  run.matrices = matrices;
  run.matrix_count = 2;
  stijl_paint paint = stijl_paint_solid(random_color(r));
  stijl_scene_fill_glyphs(scene, &run, NULL, &paint);
  stijl_path_destroy(path);
}

// Adds a layer with a clip, a blend mode and a mask, and a scene within.
static void add_layers(sj_random *r, stijl_scene *scene, const stijl_scene *other) {
  stijl_path *clip = NULL;
  CHECK_INT(stijl_path_create(NULL, &clip), STIJL_OK);
  stijl_path_add_ellipse(clip, 45, 45, 40, 30);
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.opacity = 0.7f;
  layer.blend = (stijl_blend)sj_random_int(r, 0, 16);
  layer.clip = clip;
  stijl_scene_push_layer(scene, &layer);
  add_shapes(r, scene, 4, false, NULL);
  layer.blend = STIJL_BLEND_MULTIPLY;
  stijl_scene_push_layer(scene, &layer);
  if (other) stijl_scene_add_scene(scene, other, &(stijl_matrix){0.7f, 0.1f, -0.2f, 0.8f, 9, 5});
  stijl_scene_push_mask(scene, STIJL_MASK_LUMINANCE);
  add_shapes(r, scene, 2, false, NULL);
  stijl_scene_pop_mask(scene);
  stijl_scene_pop_layer(scene);
  stijl_scene_pop_layer(scene);
  stijl_path_destroy(clip);
}

// Adds what lies below a layer, blurred.
static void add_glass(sj_random *r, stijl_scene *scene) {
  add_shapes(r, scene, 3, false, NULL);
  stijl_filter *filter = NULL;
  CHECK_INT(stijl_filter_create(NULL, &filter), STIJL_OK);
  int below = stijl_filter_backdrop(filter, NULL);
  stijl_filter_blur(filter, NULL, below, 3, 3, STIJL_FILTER_EDGE_NONE);
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.filter = filter;
  stijl_scene_push_layer(scene, &layer);
  random_shape(r, scene);
  stijl_scene_pop_layer(scene);
  stijl_filter_destroy(filter);
}

static stijl_scene *make_scene(sj_random *r, int kind, const stijl_scene *other) {
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  if (kind == 0) random_layer(r, scene, 1);
  if (kind == 1) add_shapes(r, scene, sj_random_int(r, 1, 12), false, NULL);
  if (kind == 2) add_shapes(r, scene, sj_random_int(r, 1, 12), false, other);
  if (kind == 3) add_glyphs(r, scene);
  if (kind == 4) add_layers(r, scene, other);
  if (kind == 5) add_shapes(r, scene, 60, true, NULL);
  if (kind == 6) add_glass(r, scene);
  if (kind == 7) add_shapes(r, scene, 20, true, NULL);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  return scene;
}
enum { KINDS = 9 };  // the last one is empty

// --- Pictures ---

typedef struct album {
  stijl_scene *scenes[MOST_SCENES];
  stijl_picture pictures[MOST_PICTURES];
  size_t count;
  stijl_irect region;
  stijl_format format;
} album;

static stijl_matrix random_view(sj_random *r) {
  stijl_matrix m = stijl_matrix_translate(random_number(r, -20, 20), random_number(r, -20, 20));
  if (sj_random_int(r, 0, 2)) return m;
  return stijl_matrix_multiply(m, random_matrix(r));
}

// Puts pictures of all sizes on shelves with gaps of any width.
static void place_pictures(album *a, sj_random *r, int side) {
  int x = a->region.x0, y = a->region.y0, height = 0;
  a->count = 0;
  while (a->count < MOST_PICTURES) {
    int w = sj_random_int(r, 1, side), h = sj_random_int(r, 1, side);
    if (x + w > a->region.x1) x = a->region.x0, y += height + sj_random_int(r, 0, 5), height = 0;
    if (x + w > a->region.x1 || y + h > a->region.y1) break;
    stijl_picture made = STIJL_PICTURE_INIT;
    made.place = (stijl_irect){x, y, x + w, y + h};
    a->pictures[a->count++] = made;
    x += w + sj_random_int(r, 0, 9) * sj_random_int(r, 0, 2);
    if (h > height) height = h;
  }
  // In any order.
  for (size_t i = 0; i < a->count; i++) {
    size_t k = (size_t)sj_random_int(r, 0, (int)a->count);
    stijl_picture other = a->pictures[k];
    a->pictures[k] = a->pictures[i];
    a->pictures[i] = other;
  }
}

static album make_album(sj_random *r, int first_kind, int kinds, int side) {
  album a = {.format = (stijl_format)sj_random_int(r, 0, 5), .region = {0, 0, WIDTH, HEIGHT}};
  if (sj_random_int(r, 0, 2)) a.region = (stijl_irect){13, 9, WIDTH - 21, HEIGHT - 3};
  for (int i = 0; i < MOST_SCENES; i++)
    a.scenes[i] = make_scene(r, first_kind + i % kinds, i ? a.scenes[sj_random_int(r, 0, i)] : NULL);
  place_pictures(&a, r, side);
  for (size_t i = 0; i < a.count; i++) {
    stijl_picture *p = &a.pictures[i];
    p->scene = a.scenes[sj_random_int(r, 0, MOST_SCENES)];
    p->transform = random_view(r);
    if (sj_random_int(r, 0, 2)) p->background = random_color(r);
  }
  return a;
}

static void free_album(const album *a) {
  for (int i = 0; i < MOST_SCENES; i++) stijl_scene_destroy(a->scenes[i]);
}

// Returns the target, beside which no byte may change.
static stijl_target target_of(const album *a, uint8_t *pixels) {
  size_t each = stijl_format_bytes(a->format);
  memset(pixels, 0x5a, sizeof expected);
  return (stijl_target){.size = sizeof(stijl_target),
                        .width = WIDTH,
                        .height = HEIGHT,
                        .region = a->region,
                        .format = a->format,
                        .pixels = pixels + each,
                        .stride = (WIDTH + MARGIN) * each};
}

// Draws each picture by itself, by scalar code.
static bool draw_expected(const album *a) {
  static stijl_renderer *cpu;
  if (!cpu) cpu = sj_test_cpu(STIJL_ISA_SCALAR, 1);
  stijl_target whole = target_of(a, expected);
  size_t each = stijl_format_bytes(a->format);
  for (int y = a->region.y0; y < a->region.y1; y++)
    memset((uint8_t *)whole.pixels + (size_t)(y - a->region.y0) * whole.stride, 0,
           (size_t)(a->region.x1 - a->region.x0) * each);
  for (size_t i = 0; i < a->count; i++) {
    const stijl_picture *p = &a->pictures[i];
    stijl_target target = whole;
    target.width = p->place.x1 - p->place.x0;
    target.height = p->place.y1 - p->place.y0;
    target.region = (stijl_irect){0, 0, 0, 0};
    target.pixels = (uint8_t *)whole.pixels + (size_t)(p->place.y0 - a->region.y0) * whole.stride +
                    (size_t)(p->place.x0 - a->region.x0) * each;
    stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
    params.transform = p->transform;
    params.background = p->background;
    stijl_message message = {""};
    if (stijl_render(cpu, p->scene, &target, &params, &message) != STIJL_OK) {
      sj_test_fail(__FILE__, __LINE__, "picture %zu: %s", i, message.text);
      return false;
    }
  }
  return true;
}

static bool draw_many(const album *a, stijl_renderer *renderer, const char *name, uint64_t n) {
  stijl_target target = target_of(a, got);
  stijl_message message = {""};
  stijl_result result = stijl_render_many(renderer, a->pictures, a->count, &target, NULL, &message);
  // Some surfaces are larger than what the device then is said to have.
  if (result == STIJL_ERROR_LIMIT && strcmp(name, "range") == 0) return true;
  if (result != STIJL_OK) {
    sj_test_fail(name, (int)n, "%s", message.text);
    return false;
  }
  size_t differ = 0, first = 0, each = stijl_format_bytes(a->format);
  for (size_t i = 0; i < sizeof expected; i++)
    if (expected[i] != got[i]) {
      if (!differ++) first = i / each - 1;
    }
  if (differ)
    sj_test_fail(name, (int)n, "%zu bytes differ, the first at %zu, %zu of the region", differ,
                 first % (WIDTH + MARGIN), first / (WIDTH + MARGIN));
  return !differ;
}

// Compares pictures as they are, again, with other views, and with fewer of them.
static bool compare(album *a, stijl_renderer *renderer, sj_random *r, const char *name, uint64_t n) {
  if (!draw_expected(a) || !draw_many(a, renderer, name, n) || !draw_many(a, renderer, name, n)) return false;
  for (size_t i = 0; i < a->count; i++) a->pictures[i].transform = random_view(r);
  if (!draw_expected(a) || !draw_many(a, renderer, name, n)) return false;
  a->count = (a->count + 1) / 2;
  return draw_expected(a) && draw_many(a, renderer, name, n);
}

static void compare_albums(stijl_renderer *renderer, uint64_t count, const char *name) {
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(count)); n++) {
    sj_random r = sj_random_seed(n);
    // All kinds of scenes beside one another, or one.
    bool all = n % 2 == 0;
    album a = make_album(&r, all ? 0 : (int)(n / 2 % KINDS), all ? KINDS : 1, n % 3 ? 90 : 300);
    bool good = compare(&a, renderer, &r, name, n);
    free_album(&a);
    if (!good) break;
  }
}

// --- Tests ---

TEST(cpu) {
  for (int threads = 1; threads < 4; threads += 2) {
    stijl_renderer *renderer = sj_test_cpu(STIJL_ISA_AUTO, threads);
    compare_albums(renderer, 60, "cpu");
    stijl_renderer_destroy(renderer);
  }
}

static stijl_renderer *open_gpu(const char *name, const char *value, int threads, uint64_t max_layer_bytes) {
  stijl_renderer_params params = sj_test_gpu_params();
  params.threads = threads;
  if (max_layer_bytes) params.max_layer_bytes = max_layer_bytes;
  stijl_renderer *renderer = NULL;
  stijl_message message = {""};
  if (name) sj_trial_set(name, value);
  if (stijl_renderer_create(NULL, &params, &renderer, &message) != STIJL_OK) sj_test_fail("gpu", 0, "%s", message.text);
  if (name) sj_trial_set(name, NULL);
  return renderer;
}

TEST(gpu) {
  static const struct {
    const char *name, *value;
    int threads;
    uint64_t count;
  } trials[] = {{NULL, NULL, 1, 72},        {NULL, NULL, 3, 72},        {"tiles", "1", 3, 40},
                {"range", "120000", 3, 40}, {"range", "300000", 1, 40}, {"turns", "100", 3, 40},
                {"windings", "1", 1, 40},   {"shares", "3", 1, 24},     {"ramps", "1", 3, 40}};
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  for (size_t i = 0; i < sizeof trials / sizeof *trials && !sj_test_failed(); i++) {
    stijl_renderer *gpu = open_gpu(trials[i].name, trials[i].value, trials[i].threads, 0);
    if (!gpu) return;
    compare_albums(gpu, trials[i].count, trials[i].name ? trials[i].name : "gpu");
    stijl_renderer_destroy(gpu);
  }
}

// --- What is refused ---

static stijl_result try_many(stijl_renderer *renderer, const stijl_picture *pictures, size_t count, stijl_irect region,
                             stijl_message *message) {
  stijl_target target = {
      .size = sizeof target, .width = WIDTH, .height = HEIGHT, .region = region, .pixels = got, .stride = WIDTH * 4};
  message->text[0] = 0;
  return stijl_render_many(renderer, pictures, count, &target, NULL, message);
}

static void check_refused(stijl_renderer *renderer) {
  sj_random r = sj_random_seed(1);
  stijl_scene *scene = make_scene(&r, 1, NULL), *unfinished = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &unfinished), STIJL_OK);
  stijl_irect all = {0, 0, 0, 0}, part = {10, 10, 60, 60};
  stijl_message message = {""};
  stijl_picture p[3] = {STIJL_PICTURE_INIT, STIJL_PICTURE_INIT, STIJL_PICTURE_INIT};
  for (int i = 0; i < 3; i++) {
    p[i].scene = scene;
    p[i].place = (stijl_irect){10 + i * 20, 10, 30 + i * 20, 30};
  }
  memset(got, 0x5a, sizeof got);
  CHECK_INT(try_many(renderer, p, 3, part, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_STR(message.text, "picture 2: the place is empty, or not within the target's region");
  static const stijl_irect bad[] = {{0, 0, 0, 0},
                                    {-1, 0, 5, 5},
                                    {0, -2147483647, 5, 5},
                                    {5, 5, 5, 9},
                                    {9, 9, 5, 5},
                                    {0, 0, WIDTH + 1, 5},
                                    {0, 0, 5, HEIGHT + 1},
                                    {0, 0, 2147483647, 2147483647},
                                    {-2147483647 - 1, 0, 2147483647, 5}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    stijl_picture one = p[0];
    one.place = bad[i];
    CHECK_INT(try_many(renderer, &one, 1, all, &message), STIJL_ERROR_INVALID_ARGUMENT);
  }
  // By one pixel, in any order.
  p[1].place = (stijl_irect){29, 29, 40, 60};
  CHECK_INT(try_many(renderer, p, 3, all, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_STR(message.text, "picture 1: its place overlaps another");
  p[1].place = (stijl_irect){29, 2, 40, 11};
  CHECK_INT(try_many(renderer, p, 3, all, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_STR(message.text, "picture 0: its place overlaps another");
  p[1].place = (stijl_irect){30, 30, 40, 60};
  p[1].scene = NULL;
  CHECK_INT(try_many(renderer, p, 3, all, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_STR(message.text, "picture 1: no scene is given");
  p[1].scene = unfinished;
  CHECK_INT(try_many(renderer, p, 3, all, &message), STIJL_ERROR_INVALID_STATE);
  CHECK_STR(message.text, "picture 1: the scene is not finished");
  p[1].scene = scene;
  p[1].transform.a = (float)NAN;
  CHECK_INT(try_many(renderer, p, 3, all, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_STR(message.text, "picture 1: the transform is not finite");
  p[1].transform.a = 1;
  p[0].size = p[1].size = p[2].size = 24;
  CHECK_INT(try_many(renderer, p, 3, all, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_STR(message.text, "picture 0: stijl_picture.size is 24: the struct was not initialised");
  p[0].size = sizeof *p;
  CHECK_INT(try_many(renderer, p, 3, all, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(try_many(renderer, NULL, 3, all, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_render_many(NULL, p, 3, NULL, NULL, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_render_many(renderer, p, 3, NULL, NULL, &message), STIJL_ERROR_INVALID_ARGUMENT);
  for (size_t i = 0; i < sizeof got; i++)
    if (got[i] != 0x5a) {
      sj_test_fail(__FILE__, __LINE__, "what is refused has drawn");
      break;
    }
  // No pictures leave the region transparent.
  CHECK_INT(try_many(renderer, NULL, 0, part, &message), STIJL_OK);
  CHECK(got[0] == 0 && got[49 * 4 + 3] == 0 && got[50 * 4] == 0x5a);
  // A struct of a later version, whose fields are not set.
  struct {
    stijl_picture picture;
    size_t unknown;
  } later[2] = {{p[1], 0}, {p[2], 0}};
  for (int i = 0; i < 2; i++) later[i].picture.size = sizeof *later;
  CHECK_INT(try_many(renderer, &later[0].picture, 2, all, &message), STIJL_OK);
  later[1].unknown = 1;
  CHECK_INT(try_many(renderer, &later[0].picture, 2, all, &message), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_scene_destroy(unfinished);
  stijl_scene_destroy(scene);
}

// Checks a picture that needs more memory for its layers than the renderer may have, among others.
static void check_limits(stijl_renderer *renderer, bool all) {
  stijl_scene *plain = NULL, *deep = NULL;
  stijl_path *path = NULL;
  stijl_filter *blur = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &plain), STIJL_OK);
  CHECK_INT(stijl_scene_create(NULL, NULL, &deep), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  CHECK_INT(stijl_filter_create(NULL, &blur), STIJL_OK);
  stijl_filter_blur(blur, NULL, STIJL_FILTER_SOURCE, 5, 5, STIJL_FILTER_EDGE_NONE);
  stijl_path_add_ellipse(path, 20, 20, 18, 13);
  stijl_paint paint = stijl_paint_solid((stijl_color){1, 0.5f, 0, 1});
  stijl_scene_fill(plain, path, STIJL_FILL_NONZERO, NULL, &paint);
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.filter = blur;
  stijl_scene_push_layer(deep, &layer);
  stijl_scene_fill_all(deep, &paint);
  stijl_scene_pop_layer(deep);
  stijl_path_destroy(path);
  stijl_filter_destroy(blur);
  CHECK_INT(stijl_scene_finish(plain), STIJL_OK);
  CHECK_INT(stijl_scene_finish(deep), STIJL_OK);
  album a = {.format = STIJL_FORMAT_RGBA8, .region = {0, 0, WIDTH, HEIGHT}, .count = 5};
  for (int i = 0; i < 5; i++) {
    a.pictures[i] = (stijl_picture)STIJL_PICTURE_INIT;
    a.pictures[i].scene = plain;
    a.pictures[i].place = (stijl_irect){i * 50, 3, i * 50 + 45, 50};
  }
  a.pictures[2].scene = deep;
  a.pictures[2].place = (stijl_irect){10, 60, 400, 390};
  stijl_target target = target_of(&a, got);
  stijl_message message = {""};
  stijl_result result = stijl_render_many(renderer, a.pictures, 5, &target, NULL, &message);
  if (result != STIJL_OK) {
    CHECK_INT(result, STIJL_ERROR_LIMIT);
    CHECK(strncmp(message.text, "picture 2: ", 11) == 0);
  }
  CHECK(result == STIJL_OK || !all);
  CHECK(draw_expected(&a));
  size_t rows = result == STIJL_OK ? HEIGHT : 58;
  CHECK(memcmp(expected, got, rows * (WIDTH + MARGIN) * 4) == 0);
  stijl_scene_destroy(plain);
  stijl_scene_destroy(deep);
}

// Checks that a budget bounds all pictures together.
static void check_budget(stijl_renderer *renderer) {
  sj_random r = sj_random_seed(3);
  album a = make_album(&r, 1, 1, 90);
  stijl_target target = target_of(&a, got);
  stijl_message message = {""};
  stijl_budget_params params = STIJL_BUDGET_PARAMS_INIT;
  for (int i = 0; i < 3; i++) {
    stijl_budget *budget = NULL;
    params.max_work = i ? 0 : 1000;
    CHECK_INT(stijl_budget_create(NULL, &params, &budget), STIJL_OK);
    if (i == 2) stijl_budget_cancel(budget);
    stijl_result result = stijl_render_many(renderer, a.pictures, a.count, &target, budget, &message);
    CHECK_INT(result, i == 0 ? STIJL_ERROR_LIMIT : i == 1 ? STIJL_OK : STIJL_ERROR_CANCELLED);
    stijl_budget_destroy(budget);
  }
  free_album(&a);
}

TEST(refused) {
  for (int threads = 1; threads < 4; threads += 2) {
    stijl_renderer *renderer = sj_test_cpu(STIJL_ISA_AUTO, threads);
    check_refused(renderer);
    check_budget(renderer);
    stijl_renderer_destroy(renderer);
    stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
    params.threads = threads;
    params.max_layer_bytes = 100000;
    CHECK_INT(stijl_renderer_create(NULL, &params, &renderer, NULL), STIJL_OK);
    check_limits(renderer, false);
    stijl_renderer_destroy(renderer);
  }
}

TEST(refused_gpu) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_renderer *gpu = open_gpu(NULL, NULL, 3, 0);
  check_refused(gpu);
  check_budget(gpu);
  check_limits(gpu, true);
  stijl_renderer_destroy(gpu);
  gpu = open_gpu(NULL, NULL, 3, 100000);
  check_limits(gpu, false);
  stijl_renderer_destroy(gpu);
}
