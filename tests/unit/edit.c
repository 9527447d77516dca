// Finished scenes whose draws are changed: each frame has the bits of a scene that is recorded as the changed one is,
// by the CPU and by a device (STIJL_TEST_DEVICE), which encodes some of the scenes itself.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/trial.h"
#include "gpu/device.h"
#include "random_filter.h"
#include "scene/scene.h"
#include "stijl/stijl.h"
#include "written.h"

enum { WIDTH = 240, HEIGHT = 170, BYTES = WIDTH * HEIGHT * 4, MOST = 1500 };

typedef enum kind { FILL, STROKE, GLYPHS, ALL, IMAGE, SCENE, LAYER, END } kind;

// What is drawn, and how it is to look.
typedef struct item {
  kind kind;
  stijl_matrix transform;
  bool gradient, hidden, filtered;
  stijl_color colors[2];
  float opacity;
  float x, y, size;  // of the shape
  uint32_t number;
} item;

typedef struct parts {
  stijl_image *image;
  stijl_scene *inner;
  stijl_filter *filter;
} parts;

static stijl_color some_color(sj_random *r) {
  stijl_color c = random_color(r);
  c.a = 0.1f + 0.9f * c.a;
  return c;
}

static stijl_matrix some_matrix(sj_random *r) {
  stijl_matrix m = stijl_matrix_translate(random_number(r, -40, 40), random_number(r, -40, 40));
  return sj_random_int(r, 0, 2) ? m : stijl_matrix_multiply(m, stijl_matrix_rotate((float)sj_random_int(r, 0, 8) * 45));
}

// Returns one that makes a fill so large that its lines have to be cut.
static stijl_matrix enlarging(const item *i) {
  float x = i->x + 0.62f * i->size, y = i->y + 0.38f * i->size;
  stijl_matrix larger = stijl_matrix_multiply(stijl_matrix_scale(2e5f, 3e5f), stijl_matrix_translate(-x, -y));
  return stijl_matrix_multiply(stijl_matrix_translate(100, 80), larger);
}

static void vary(sj_random *r, item *i) {
  if (i->kind != ALL) i->transform = some_matrix(r);
  i->gradient = sj_random_int(r, 0, 5) == 0 && i->kind <= ALL;
  i->colors[0] = some_color(r);
  i->colors[1] = some_color(r);
  i->opacity = random_number(r, 0.1f, 1);
}

static size_t make_items(sj_random *r, item *items, size_t count, bool plain) {
  int depth = 0;
  size_t n = 0;
  for (; n < count; n++) {
    item *i = &items[n];
    kind what = (kind)sj_random_int(r, 0, plain ? 3 : 8);
    if (what == ALL && sj_random_int(r, 0, 20)) what = FILL;
    if (what == GLYPHS && plain) what = sj_random_int(r, 0, 2) ? STROKE : SCENE;
    if (what == END && !depth) what = LAYER;
    *i = (item){.kind = what,
                .transform = stijl_matrix_identity(),
                .filtered = sj_random_int(r, 0, 3) == 0,
                .x = random_number(r, -20, WIDTH),
                .y = random_number(r, -20, HEIGHT),
                .size = random_number(r, 2, 70)};
    vary(r, i);
    if (plain && sj_random_int(r, 0, 20)) i->gradient = false;
    depth += (what == LAYER) - (what == END);
  }
  for (; depth; depth--) items[n++] = (item){.kind = END};
  return n;
}

static stijl_paint paint_of(const item *i, stijl_stop stops[2]) {
  stops[0] = (stijl_stop){0, i->colors[0]};
  stops[1] = (stijl_stop){1, i->colors[1]};
  if (!i->gradient) return stijl_paint_solid(i->colors[0]);
  return stijl_paint_linear((stijl_point){i->x, i->y}, (stijl_point){i->x + i->size, i->y}, stops, 2);
}

static void make_path(const item *i, stijl_path *path) {
  stijl_path_clear(path);
  stijl_path_move_to(path, i->x, i->y);
  if (i->kind == STROKE) {
    stijl_path_line_to(path, i->x + i->size, i->y + 9);
  } else {
    stijl_path_quad_to(path, i->x + i->size, i->y, i->x + i->size, i->y + i->size);
    stijl_path_close(path);
  }
}

static void record_layer(stijl_scene *scene, const item *i, const parts *p, stijl_path *path) {
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.opacity = i->opacity;
  layer.clip = path;
  layer.clip_transform = &i->transform;
  if (i->filtered) layer.filter = p->filter;
  stijl_path_clear(path);
  stijl_path_add_rect(path, i->x - 60, i->y - 60, i->x + 100, i->y + 100);
  stijl_scene_push_layer(scene, &layer);
}

static void record_item(stijl_scene *scene, const item *i, const parts *p, stijl_path *path) {
  stijl_stop stops[2];
  stijl_paint paint = paint_of(i, stops);
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = 5;
  make_path(i, path);
  switch (i->kind) {
    case FILL: stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, &i->transform, &paint); break;
    case STROKE: stijl_scene_stroke(scene, path, &stroke, &i->transform, &paint); break;
    case GLYPHS: {
      stijl_instance instances[] = {{stijl_scene_add_outline(scene, path), 0, 0, 0}, {0, 0, 30, 5}};
      instances[1].outline = instances[0].outline;
      stijl_glyph_run run = STIJL_GLYPH_RUN_INIT;
      run.instances = instances;
      run.instance_count = 2;
      stijl_scene_fill_glyphs(scene, &run, &i->transform, &paint);
      break;
    }
    case ALL: stijl_scene_fill_all(scene, &paint); break;
    case IMAGE: stijl_scene_image(scene, p->image, STIJL_SAMPLING_BILINEAR, i->opacity, &i->transform); break;
    case SCENE: stijl_scene_add_scene(scene, p->inner, &i->transform); break;
    case LAYER: record_layer(scene, i, p, path); break;
    case END: stijl_scene_pop_layer(scene); break;
  }
}

// Records the items. Where `fresh`, those that are hidden are left out; else each gets its number.
static stijl_scene *record(item *items, size_t count, const parts *p, bool fresh) {
  stijl_scene *scene = NULL;
  stijl_path *path = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  for (size_t n = 0; n < count; n++) {
    if (fresh && items[n].hidden) {
      int depth = items[n].kind == LAYER;
      for (; depth; depth += (items[n].kind == LAYER) - (items[n].kind == END)) n++;
      continue;
    }
    if (!fresh) items[n].number = stijl_scene_draw_count(scene);
    record_item(scene, &items[n], p, path);
    if (!fresh) CHECK_INT(stijl_scene_draw_count(scene), items[n].number + 1);
  }
  stijl_path_destroy(path);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  return scene;
}

// Changes some items, and the scene that was recorded from them.
static void change(sj_random *r, stijl_scene *scene, item *items, size_t count, size_t changes) {
  for (size_t k = 0; k < changes; k++) {
    item *i = &items[sj_random_int(r, 0, (int)count)], made = *i;
    stijl_stop stops[2];
    if (i->kind == END) continue;
    vary(r, &made);
    stijl_message message = {""};
    stijl_result result = STIJL_OK;
    switch (sj_random_int(r, 0, 4)) {
      case 0:
        i->transform = i->kind == FILL && sj_random_int(r, 0, 30) == 0 ? enlarging(i) : made.transform;
        if (i->kind != ALL) result = stijl_scene_set_transform(scene, i->number, &i->transform, &message);
        break;
      case 1:
        i->hidden = !i->hidden;
        result = stijl_scene_set_hidden(scene, i->number, i->hidden, &message);
        break;
      case 2:
        if (i->kind != LAYER && i->kind != IMAGE) break;
        i->opacity = made.opacity;
        result = stijl_scene_set_opacity(scene, i->number, i->opacity, &message);
        break;
      default: {
        if (i->kind > ALL) break;
        memcpy(i->colors, made.colors, sizeof made.colors);
        if (sj_random_int(r, 0, 9) == 0) i->colors[0].a = 0;
        i->gradient = made.gradient;
        stijl_paint paint = paint_of(i, stops);
        result = stijl_scene_set_paint(scene, i->number, &paint, &message);
      }
    }
    if (result != STIJL_OK) sj_test_fail("changing", i->kind, "%s", message.text);
  }
}

// Canvases of so many pixels a side are drawn in blocks.
enum { LARGE = 40000 };

static void draw(stijl_renderer *renderer, const stijl_scene *scene, stijl_irect region, uint8_t *pixels) {
  bool large = region.x1 > WIDTH;
  stijl_target target = {.size = sizeof target,
                         .width = large ? LARGE : WIDTH,
                         .height = large ? LARGE : HEIGHT,
                         .format = STIJL_FORMAT_RGBA8,
                         .pixels = pixels,
                         .stride = WIDTH * 4,
                         .region = region};
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.background = (stijl_color){1, 1, 1, 1};
  if (large) params.transform = stijl_matrix_scale(LARGE / WIDTH, LARGE / HEIGHT);
  memset(pixels, 0, BYTES);
  stijl_message message = {""};
  if (stijl_render(renderer, scene, &target, &params, &message) != STIJL_OK)
    sj_test_fail("drawing", 0, "%s", message.text);
}

static parts make_parts(void) {
  parts p = {NULL, NULL, NULL};
  uint8_t texels[13][17][4], *bytes = &texels[0][0][0];
  for (size_t i = 0; i < sizeof texels; i++) bytes[i] = (uint8_t)(i * 37 + (i >> 3) * 11);
  CHECK_INT(stijl_image_create(NULL, 17, 13, STIJL_FORMAT_RGBA8_STRAIGHT, texels, sizeof texels[0], &p.image),
            STIJL_OK);
  CHECK_INT(stijl_filter_create(NULL, &p.filter), STIJL_OK);
  stijl_filter_drop_shadow(p.filter, NULL, STIJL_FILTER_SOURCE, 2, 3, 4, 4, (stijl_color){0, 0, 0.5f, 0.8f});
  item items[2] = {{.kind = FILL, .colors = {{1, 0, 0, 0.7f}}, .size = 30, .transform = STIJL_MATRIX_IDENTITY},
                   {.kind = STROKE, .colors = {{0, 0, 1, 1}}, .size = 40, .transform = STIJL_MATRIX_IDENTITY}};
  stijl_scene *innermost = record(items, 2, &p, true);
  p.inner = innermost;
  item outer[3] = {items[0], {.kind = SCENE, .transform = stijl_matrix_translate(11, 7)}, items[1]};
  outer[2].transform = stijl_matrix_rotate(45);
  p.inner = record(outer, 3, &p, true);
  stijl_scene_destroy(innermost);
  return p;
}

static void free_parts(parts *p) {
  stijl_image_destroy(p->image);
  stijl_filter_destroy(p->filter);
  stijl_scene_destroy(p->inner);
}

// Returns how many frames the device has encoded.
static int compare_changes(stijl_renderer *renderer, uint64_t seed, size_t count, bool plain, int rounds) {
  static item items[2 * MOST];
  static uint8_t expected[BYTES], got[BYTES];
  sj_random r = sj_random_seed(seed);
  parts p = make_parts();
  stijl_renderer *fresh = NULL;
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.isa = STIJL_ISA_SCALAR;
  params.threads = 1;
  CHECK_INT(stijl_renderer_create(NULL, &params, &fresh, NULL), STIJL_OK);
  count = make_items(&r, items, count, plain);
  stijl_scene *scene = record(items, count, &p, false);
  const stijl_irect regions[] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {90, 20, 150, 70}, {9950, 9980, 10100, 10100}};
  int encoded = 0;
  draw(renderer, scene, regions[0], got);
  for (int round = 0; round < rounds; round++) {
    change(&r, scene, items, count, round % 3 == 2 ? count : 1 + count / 40);
    stijl_scene *wanted = record(items, count, &p, true);
    for (size_t k = 0; k < sizeof regions / sizeof *regions; k++) {
      draw(fresh, wanted, regions[k], expected);
      draw(renderer, scene, regions[k], got);
      encoded += sj_test_gpu_has_encoded(renderer);
      if (memcmp(expected, got, BYTES) != 0)
        sj_test_fail(plain ? "plain" : "mixed", (int)seed, "round %d, region %zu: other pixels", round, k);
    }
    stijl_scene_destroy(wanted);
  }
  stijl_scene_destroy(scene);
  free_parts(&p);
  stijl_renderer_destroy(fresh);
  return encoded;
}

static stijl_renderer *open_renderer(void) {
  sj_trial_set("resident", "64");
  stijl_renderer *renderer = sj_test_gpu();
  sj_trial_set("resident", NULL);
  if (renderer) return renderer;
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.threads = 3;
  CHECK_INT(stijl_renderer_create(NULL, &params, &renderer, NULL), STIJL_OK);
  return renderer;
}

TEST(changed_scenes) {
  bool gpu = getenv("STIJL_TEST_DEVICE");
  stijl_renderer *renderer = open_renderer();
  int encoded = 0;
  for (uint64_t seed = 0; seed < 12; seed++) {
    compare_changes(renderer, seed, 5 + 9 * (size_t)seed, false, 4);
    encoded += compare_changes(renderer, 100 + seed, 3 + 40 * (size_t)seed, true, 6);
  }
  compare_changes(renderer, 200, 500, false, 4);
  encoded += compare_changes(renderer, 201, MOST, true, 6);
  if (gpu && encoded < 50) sj_test_fail("changed scenes", 0, "the device has encoded %d frames", encoded);
  stijl_renderer_destroy(renderer);
}

// Renderers that draw nothing but small regions, one after the other, some with changes in between.
TEST(changed_regions) {
  static item items[2 * MOST];
  static uint8_t expected[BYTES], got[BYTES];
  const stijl_irect regions[] = {{10, 20, 60, 60}, {10, 20, 60, 60}, {10, 20, 60, 60}, {170, 100, 230, 150}};
  stijl_renderer *renderer = open_renderer(), *fresh = NULL;
  CHECK_INT(stijl_renderer_create(NULL, NULL, &fresh, NULL), STIJL_OK);
  parts p = make_parts();
  sj_random r = sj_random_seed(400);
  size_t count = make_items(&r, items, 600, true);
  stijl_scene *scene = record(items, count, &p, false);
  for (int i = 0; i < 24; i++) {
    if (i % 6 == 5) change(&r, scene, items, count, 200);
    stijl_scene *wanted = record(items, count, &p, true);
    draw(fresh, wanted, regions[i % 4], expected);
    draw(renderer, scene, regions[i % 4], got);
    if (memcmp(expected, got, BYTES) != 0) sj_test_fail("regions", i, "other pixels");
    stijl_scene_destroy(wanted);
  }
  stijl_scene_destroy(scene);
  free_parts(&p);
  stijl_renderer_destroy(fresh);
  stijl_renderer_destroy(renderer);
}

// A saved scene has what was changed, and an added one what it had when it was added.
TEST(copies) {
  static item items[2 * MOST];
  static uint8_t expected[BYTES], got[BYTES];
  stijl_renderer *renderer = NULL;
  CHECK_INT(stijl_renderer_create(NULL, NULL, &renderer, NULL), STIJL_OK);
  parts p = make_parts();
  for (uint64_t seed = 300; seed < 310; seed++) {
    sj_random r = sj_random_seed(seed);
    size_t count = make_items(&r, items, 40, false);
    stijl_scene *scene = record(items, count, &p, false), *outer = NULL;
    change(&r, scene, items, count, 20);
    draw(renderer, scene, (stijl_irect){0, 0, 0, 0}, expected);
    sj_test_written saved = {NULL, 0};
    CHECK_INT(stijl_scene_save(scene, NULL, sj_test_append, &saved, NULL), STIJL_OK);
    CHECK_INT(stijl_scene_create(NULL, NULL, &outer), STIJL_OK);
    stijl_scene_add_scene(outer, scene, NULL);
    change(&r, scene, items, count, 20);
    CHECK_INT(stijl_scene_finish(outer), STIJL_OK);
    draw(renderer, outer, (stijl_irect){0, 0, 0, 0}, got);
    CHECK(memcmp(expected, got, BYTES) == 0);
    stijl_scene_destroy(outer);
    stijl_scene_destroy(scene);
    stijl_message message = {""};
    if (stijl_scene_load(NULL, saved.data, saved.bytes, NULL, &scene, NULL, &message) != STIJL_OK)
      sj_test_fail("loading", (int)seed, "%s", message.text);
    draw(renderer, scene, (stijl_irect){0, 0, 0, 0}, got);
    CHECK(memcmp(expected, got, BYTES) == 0);
    stijl_scene_destroy(scene);
    free(saved.data);
  }
  free_parts(&p);
  stijl_renderer_destroy(renderer);
}

// Gradients that follow one another take no more memory, and what others have stays.
TEST(paints) {
  item items[3] = {{.kind = FILL, .gradient = true, .size = 90, .opacity = 1, .transform = STIJL_MATRIX_IDENTITY}};
  static uint8_t expected[BYTES], got[BYTES];
  sj_random r = sj_random_seed(9);
  stijl_renderer *renderer = NULL;
  CHECK_INT(stijl_renderer_create(NULL, NULL, &renderer, NULL), STIJL_OK);
  for (int i = 0; i < 3; i++) {
    items[i] = items[0];
    items[i].x = (float)i * 50;
    for (int k = 0; k < 2; k++) items[i].colors[k] = some_color(&r);
  }
  stijl_scene *scene = record(items, 3, NULL, false);
  uint64_t bytes = 0;
  for (int i = 0; i < 30000; i++) {
    stijl_stop stops[2];
    items[1].gradient = i % 7 != 0;
    for (int k = 0; k < 2; k++) items[1].colors[k] = some_color(&r);
    stijl_paint paint = paint_of(&items[1], stops);
    if (stijl_scene_set_paint(scene, 1, &paint, NULL) != STIJL_OK) sj_test_fail("paints", i, "not changed");
    if (i == 3000) bytes = stijl_scene_bytes(scene);
  }
  CHECK(stijl_scene_bytes(scene) == bytes);
  stijl_scene *wanted = record(items, 3, NULL, true);
  draw(renderer, wanted, (stijl_irect){0, 0, 0, 0}, expected);
  draw(renderer, scene, (stijl_irect){0, 0, 0, 0}, got);
  CHECK(memcmp(expected, got, BYTES) == 0);
  stijl_scene_destroy(wanted);
  stijl_scene_destroy(scene);
  stijl_renderer_destroy(renderer);
}

// Returns what an exported scene is, as text that the caller frees.
static char *exported(const stijl_scene *scene) {
  sj_test_written file = {NULL, 0};
  stijl_page page = STIJL_PAGE_INIT;
  page.width = page.height = 100;
  CHECK_INT(stijl_scene_write_svg(NULL, scene, &page, sj_test_append, &file, NULL), STIJL_OK);
  file.data[file.bytes] = 0;
  return (char *)file.data;
}

TEST(exports) {
  item items[] = {{.kind = FILL, .colors = {{1, 0, 0, 1}}, .size = 30, .transform = STIJL_MATRIX_IDENTITY},
                  {.kind = LAYER, .opacity = 0.5f, .transform = STIJL_MATRIX_IDENTITY},
                  {.kind = FILL, .colors = {{0, 0, 1, 1}}, .size = 30, .transform = STIJL_MATRIX_IDENTITY},
                  {.kind = END}};
  stijl_scene *scene = record(items, 4, NULL, false);
  char *all = exported(scene);
  items[0].hidden = items[1].hidden = true;
  CHECK_INT(stijl_scene_set_hidden(scene, 0, true, NULL), STIJL_OK);
  char *layer = exported(scene);
  CHECK_INT(stijl_scene_set_hidden(scene, 1, true, NULL), STIJL_OK);
  char *none = exported(scene);
  CHECK(strstr(all, "#ff0000") && strstr(all, "#0000ff"));
  CHECK(!strstr(layer, "#ff0000") && strstr(layer, "#0000ff"));
  CHECK(!strstr(none, "#ff0000") && !strstr(none, "#0000ff"));
  free(all);
  free(layer);
  free(none);
  stijl_scene_destroy(scene);
}

TEST(refused) {
  parts p = make_parts();
  item items[] = {{.kind = FILL, .colors = {{1, 0, 0, 1}}, .size = 30, .transform = STIJL_MATRIX_IDENTITY},
                  {.kind = LAYER, .opacity = 0.5f, .transform = STIJL_MATRIX_IDENTITY},
                  {.kind = END},
                  {.kind = SCENE, .transform = STIJL_MATRIX_IDENTITY}};
  stijl_scene *scene = record(items, 4, &p, false), *open = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &open), STIJL_OK);
  uint64_t serial = scene->serial;
  stijl_message message = {""};
  stijl_paint red = stijl_paint_solid((stijl_color){1, 0, 0, 1}), bad = red;
  stijl_paint image = stijl_paint_image(p.image, STIJL_SAMPLING_NEAREST);
  stijl_matrix wild = {1, 0, 0, 1, (float)INFINITY, 0};
  bad.color.r = (float)NAN;
  CHECK_INT(stijl_scene_draw_count(scene), 4);
  CHECK_INT(stijl_scene_set_hidden(open, 0, true, &message), STIJL_ERROR_INVALID_STATE);
  CHECK(strstr(message.text, "finished"));
  CHECK_INT(stijl_scene_set_hidden(scene, 4, true, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK(strstr(message.text, "none has number 4"));
  CHECK_INT(stijl_scene_set_hidden(scene, 2, true, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK(strstr(message.text, "end of a layer"));
  CHECK_INT(stijl_scene_set_transform(scene, 0, &wild, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_scene_set_paint(scene, 0, &bad, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK(strstr(message.text, "not finite"));
  CHECK_INT(stijl_scene_set_paint(scene, 0, NULL, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_scene_set_paint(scene, 0, &image, &message), STIJL_ERROR_UNSUPPORTED);
  CHECK_INT(stijl_scene_set_paint(scene, 1, &red, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK(strstr(message.text, "has no paint"));
  CHECK_INT(stijl_scene_set_paint(scene, 3, &red, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_scene_set_opacity(scene, 0, 0.5f, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_scene_set_opacity(scene, 1, (float)NAN, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_scene_set_transform(NULL, 0, NULL, NULL), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK(scene->serial == serial);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  CHECK_STR(stijl_scene_message(scene), "");
  CHECK_INT(stijl_scene_set_transform(scene, 1, NULL, NULL), STIJL_OK);
  CHECK(scene->serial != serial);
  stijl_scene_destroy(open);
  stijl_scene_destroy(scene);
  free_parts(&p);
}
