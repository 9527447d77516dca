// Layers whose filters read what is below them.
#include <string.h>

#include "picture.h"

#define SIDE 40
#define RED 0xff0000ffu
#define GREEN 0xff00ff00u
#define CYAN 0xffffff00u  // inverted red; green is inverted to magenta
#define MAGENTA 0xffff00ffu

static uint32_t pixels[SIDE][SIDE];

static stijl_scene *begin(void) {
  stijl_scene *scene = NULL;
  CHECK(stijl_scene_create(NULL, NULL, &scene) == STIJL_OK);
  return scene;
}

static void rect(stijl_scene *scene, float x, float y, float width, float height, stijl_color color) {
  stijl_path *path;
  CHECK(stijl_path_create(NULL, &path) == STIJL_OK);
  stijl_path_add_rect(path, x, y, width, height);
  stijl_paint paint = stijl_paint_solid(color);
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
  stijl_path_destroy(path);
}
static const stijl_color red = {1, 0, 0, 1}, green = {0, 1, 0, 1}, black = {0, 0, 0, 1};

static void render(const stijl_scene *scene, stijl_irect region) {
  stijl_renderer *renderer = sj_test_cpu(STIJL_ISA_AUTO, 0);
  sj_test_draw(renderer, scene, SIDE, SIDE, region, NULL, pixels[0]);
  stijl_renderer_destroy(renderer);
}

static void finish_and_draw(stijl_scene *scene) {
  CHECK(stijl_scene_finish(scene) == STIJL_OK);
  CHECK_STR(stijl_scene_message(scene), "");
  render(scene, (stijl_irect){0, 0, SIDE, SIDE});
  stijl_scene_destroy(scene);
}

// Begins a layer that shows what is below it, blurred and inverted, where it draws.
static void push_pane(stijl_scene *scene, float blur, const stijl_matrix *transform) {
  stijl_filter *f;
  CHECK(stijl_filter_create(NULL, &f) == STIJL_OK);
  int below = stijl_filter_blur(f, NULL, stijl_filter_backdrop(f, NULL), blur, blur, STIJL_FILTER_EDGE_NONE);
  below = stijl_filter_invert(f, below, 1.0f);
  stijl_filter_composite(f, NULL, below, STIJL_FILTER_SOURCE_ALPHA, STIJL_FILTER_IN);
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.filter = f;
  layer.filter_transform = transform;
  stijl_scene_push_layer(scene, &layer);
  stijl_filter_destroy(f);
}

static void pane(stijl_scene *scene, float x, float y, float width, float height) {
  push_pane(scene, 0.0f, NULL);
  rect(scene, x, y, width, height, black);
  stijl_scene_pop_layer(scene);
}

TEST(what_is_below_is_seen) {
  stijl_scene *scene = begin();
  rect(scene, 0, 0, 20, 40, red);
  rect(scene, 20, 0, 20, 20, green);
  pane(scene, 10, 10, 20, 20);
  rect(scene, 12, 12, 2, 2, green);  // above the layer
  finish_and_draw(scene);
  CHECK_INT(pixels[5][5], RED);
  CHECK_INT(pixels[15][15], CYAN);
  CHECK_INT(pixels[15][25], MAGENTA);
  CHECK_INT(pixels[13][13], GREEN);
  CHECK_INT(pixels[25][25], 0);
}

TEST(panes_lie_over_each_other) {
  stijl_scene *scene = begin();
  rect(scene, 0, 0, 40, 40, red);
  pane(scene, 5, 5, 20, 20);
  pane(scene, 15, 15, 20, 20);
  finish_and_draw(scene);
  CHECK_INT(pixels[10][10], CYAN);
  CHECK_INT(pixels[20][20], RED);  // inverted twice
  CHECK_INT(pixels[30][30], CYAN);
}

// A layer is the root of what its own layers see.
TEST(only_the_layer_around_is_seen) {
  stijl_scene *scene = begin();
  rect(scene, 0, 0, 40, 40, red);
  stijl_layer around = STIJL_LAYER_INIT;
  stijl_scene_push_layer(scene, &around);
  rect(scene, 0, 0, 20, 40, green);
  pane(scene, 10, 10, 20, 20);
  stijl_scene_pop_layer(scene);
  finish_and_draw(scene);
  CHECK_INT(pixels[15][15], MAGENTA);
  CHECK_INT(pixels[15][25], RED);
  CHECK_INT(pixels[35][5], GREEN);
}

TEST(a_scene_within_sees_its_own_draws) {
  stijl_scene *scene = begin(), *inner = begin();
  rect(inner, 0, 0, 20, 40, green);
  pane(inner, 10, 10, 20, 20);
  CHECK(stijl_scene_finish(inner) == STIJL_OK);
  rect(scene, 0, 0, 40, 40, red);
  stijl_scene_add_scene(scene, inner, NULL);
  stijl_scene_destroy(inner);
  finish_and_draw(scene);
  CHECK_INT(pixels[15][15], MAGENTA);
  CHECK_INT(pixels[15][25], RED);
}

// A rotation by half a turn moves every pixel's centre to another's.
TEST(turned_filters_see_it_in_place) {
  stijl_scene *scene = begin();
  rect(scene, 0, 0, 20, 40, red);
  rect(scene, 20, 0, 20, 40, green);
  stijl_matrix turn = stijl_matrix_multiply(stijl_matrix_translate(40, 40), stijl_matrix_rotate(180));
  push_pane(scene, 0.0f, &turn);
  rect(scene, 10, 10, 20, 20, black);
  stijl_scene_pop_layer(scene);
  finish_and_draw(scene);
  CHECK_INT(pixels[15][12], CYAN);
  CHECK_INT(pixels[15][28], MAGENTA);
  CHECK_INT(pixels[5][5], RED);
}

// What a blur reads from beyond a region's edges is drawn for it.
TEST(regions_have_halos) {
  static uint32_t whole[SIDE][SIDE];
  stijl_scene *scene = begin();
  rect(scene, 3, 0, 14, 40, red);
  rect(scene, 23, 4, 17, 20, green);
  push_pane(scene, 4.0f, NULL);
  rect(scene, 8, 8, 26, 26, black);
  stijl_scene_pop_layer(scene);
  pane(scene, 2, 15, 30, 6);
  CHECK(stijl_scene_finish(scene) == STIJL_OK);
  render(scene, (stijl_irect){0, 0, SIDE, SIDE});
  memcpy(whole, pixels, sizeof whole);
  memset(pixels, 0, sizeof pixels);
  for (int y = 0; y < SIDE; y += 8)
    for (int x = 0; x < SIDE; x += 10) render(scene, (stijl_irect){x, y, x + 10, y + 8});
  CHECK(memcmp(whole, pixels, sizeof whole) == 0);
  stijl_scene_destroy(scene);
}

TEST(masks_come_later) {
  stijl_scene *scene = begin();
  stijl_layer around = STIJL_LAYER_INIT;
  stijl_scene_push_layer(scene, &around);
  rect(scene, 0, 0, 40, 40, red);
  stijl_scene_push_mask(scene, STIJL_MASK_ALPHA);
  rect(scene, 0, 0, 20, 20, black);
  stijl_scene_pop_mask(scene);
  push_pane(scene, 0.0f, NULL);
  CHECK(stijl_scene_finish(scene) == STIJL_ERROR_INVALID_STATE);
  CHECK_STR(stijl_scene_message(scene),
            "a layer whose filter reads the backdrop comes before the masks of the layer around it");
  stijl_scene_destroy(scene);
}

static size_t written;
static unsigned char file[1 << 16];
static bool append(void *user, const void *data, size_t count) {
  (void)user;
  if (count > sizeof file - written) return false;
  memcpy(file + written, data, count);
  written += count;
  return true;
}

TEST(saved_scenes_have_it) {
  stijl_scene *scene = begin(), *back;
  stijl_message message = {""};
  rect(scene, 0, 0, 40, 40, red);
  pane(scene, 5, 5, 20, 20);
  CHECK(stijl_scene_finish(scene) == STIJL_OK);
  written = 0;
  CHECK(stijl_scene_save(scene, NULL, append, NULL, &message) == STIJL_OK);
  stijl_scene_destroy(scene);
  CHECK(stijl_scene_load(NULL, file, written, NULL, &back, NULL, &message) == STIJL_OK);
  CHECK_STR(message.text, "");
  render(back, (stijl_irect){0, 0, SIDE, SIDE});
  CHECK_INT(pixels[10][10], CYAN);
  CHECK_INT(pixels[30][30], RED);
  stijl_scene_destroy(back);
}

// A hundred panes over each other need no more surfaces at a time than a few.
TEST(surfaces_are_free_when_they_are_read) {
  stijl_scene *scene = begin();
  rect(scene, 0, 0, 40, 40, red);
  for (int i = 0; i < 100; i++) pane(scene, 0, 0, 40, 40);
  CHECK(stijl_scene_finish(scene) == STIJL_OK);
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.max_layer_bytes = 10 * SIDE * SIDE * 4;
  stijl_renderer *renderer;
  stijl_message message = {""};
  CHECK(stijl_renderer_create(NULL, &params, &renderer, &message) == STIJL_OK);
  stijl_target target = {.size = sizeof target,
                         .width = SIDE,
                         .height = SIDE,
                         .format = STIJL_FORMAT_RGBA8,
                         .pixels = pixels,
                         .stride = sizeof pixels[0]};
  CHECK(stijl_render(renderer, scene, &target, NULL, &message) == STIJL_OK);
  CHECK_STR(message.text, "");
  CHECK_INT(pixels[10][10], RED);
  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
}
