// Saved scenes: what comes back draws the same, and what was damaged does not come back.
#include <stdlib.h>
#include <string.h>

#include "image/checksum.h"
#include "scene/ramp.h"
#include "stijl/stijl.h"
#include "test.h"

enum { SIDE = 48 };

typedef struct bytes {
  uint8_t *data;
  size_t count, limit;
} bytes;

static bool append(void *user, const void *data, size_t count) {
  bytes *b = user;
  if (b->limit && b->count + count > b->limit) return false;
  b->data = realloc(b->data, b->count + count);
  if (!b->data) abort();
  memcpy(b->data + b->count, data, count);
  b->count += count;
  return true;
}

static stijl_scene *begin(void) {
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  return scene;
}

// Makes a filter of every kind of primitive.
static stijl_filter *make_filter(const stijl_scene *scene) {
  stijl_filter *f;
  CHECK_INT(stijl_filter_create(NULL, &f), STIJL_OK);
  stijl_rect region = {2, 2, 40, 44};
  stijl_filter_options options = {sizeof options, true, &region};
  int soft = stijl_filter_blur(f, NULL, STIJL_FILTER_SOURCE, 2, 1, STIJL_FILTER_EDGE_DUPLICATE);
  int flood = stijl_filter_flood(f, &options, (stijl_color){0.2f, 0.4f, 1, 0.5f});
  int in = stijl_filter_composite(f, NULL, flood, soft, STIJL_FILTER_IN);
  float matrix[20];
  stijl_color_matrix_hue_rotate(40, matrix);
  in = stijl_filter_color_matrix(f, NULL, in, matrix);
  const float table[] = {0, 0.3f, 1};
  const stijl_transfer functions[4] = {{STIJL_TRANSFER_TABLE, table, 3, 0, 0, 0},
                                       {.kind = STIJL_TRANSFER_GAMMA, .a = 1, .exponent = 2}};
  in = stijl_filter_transfer(f, NULL, in, functions);
  in = stijl_filter_arithmetic(f, NULL, in, STIJL_FILTER_SOURCE, (float[]){0, 0.5f, 0.5f, 0});
  in = stijl_filter_morphology(f, NULL, in, true, 1, 1);
  stijl_convolution kernel = STIJL_CONVOLUTION_INIT;
  kernel.kernel = (float[]){0, 1, 0, 1, 2, 1, 0, 1, 0};
  in = stijl_filter_convolve(f, &options, in, &kernel);
  stijl_turbulence noise = STIJL_TURBULENCE_INIT;
  noise.frequency_x = noise.frequency_y = 0.1f;
  int clouds = stijl_filter_turbulence(f, &options, &noise);
  in = stijl_filter_displace(f, NULL, in, clouds, 3, STIJL_CHANNEL_R, STIJL_CHANNEL_G);
  stijl_light light = STIJL_LIGHT_INIT;
  light.elevation = 60;
  int lit = stijl_filter_diffuse_light(f, &options, in, &light);
  in = stijl_filter_blend(f, NULL, in, lit, STIJL_BLEND_MULTIPLY);
  int shown = stijl_filter_scene(f, NULL, scene, NULL);
  int tiles = stijl_filter_tile(f, NULL, shown, (stijl_rect){4, 4, 12, 12});
  stijl_filter_merge(f, &options, (int[]){tiles, in, STIJL_FILTER_SOURCE}, 3);
  CHECK_INT(stijl_filter_status(f), STIJL_OK);
  return f;
}

// Records every kind of draw, paint and layer.
static stijl_scene *record(void) {
  stijl_path *path;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_move_to(path, 3, 4);
  stijl_path_cubic_to(path, 40, -10, -5, 60, 44, 30);
  stijl_path_quad_to(path, 30, 5, 9, 41);
  stijl_path_close(path);
  stijl_path_add_ellipse(path, 24, 24, 9, 15);
  stijl_scene *tile = begin(), *scene = begin();
  stijl_paint solid = stijl_paint_solid((stijl_color){0.2f, 0.7f, 0.4f, 0.8f});
  solid.aliased = true;
  stijl_scene_fill(tile, path, STIJL_FILL_EVENODD, NULL, &solid);
  stijl_layer inner = STIJL_LAYER_INIT;
  inner.clip = path;
  inner.blend = STIJL_BLEND_SCREEN;
  stijl_scene_push_layer(tile, &inner);
  stijl_scene_fill_all(tile, &solid);
  stijl_scene_push_mask(tile, STIJL_MASK_LUMINANCE);
  stijl_scene_fill(tile, path, STIJL_FILL_NONZERO, NULL, &solid);
  stijl_scene_pop_mask(tile);
  stijl_scene_pop_layer(tile);
  CHECK_INT(stijl_scene_finish(tile), STIJL_OK);
  const stijl_stop stops[] = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 0.5f}}};
  uint8_t alpha[3][5];
  memset(alpha, 0xa3, sizeof alpha);
  const uint8_t colors[3][3][4] = {{{255, 0, 0, 255}, {0, 255, 0, 128}}, {{0, 0, 255, 64}}};
  stijl_image *grey, *color;
  CHECK_INT(stijl_image_create(NULL, 5, 3, STIJL_FORMAT_A8, alpha, 5, &grey), STIJL_OK);
  CHECK_INT(stijl_image_create(NULL, 3, 3, STIJL_FORMAT_RGBA8_STRAIGHT, colors, 12, &color), STIJL_OK);
  stijl_paint paints[] = {stijl_paint_linear((stijl_point){0, 0}, (stijl_point){40, 9}, stops, 2),
                          stijl_paint_radial((stijl_point){20, 20}, 30, (stijl_point){22, 19}, 2, stops, 2),
                          stijl_paint_sweep((stijl_point){24, 24}, 10, 300, stops, 2),
                          stijl_paint_image(color, STIJL_SAMPLING_BICUBIC),
                          stijl_paint_image(grey, STIJL_SAMPLING_NEAREST),
                          stijl_paint_scene(tile, (stijl_rect){2, 2, 20, 25})};
  paints[2].lead_angle = 45.5;
  stijl_matrix pen = stijl_matrix_scale(2, 1);
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = 3;
  stroke.join = STIJL_JOIN_ROUND;
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.clip = path;
  layer.clip_rule = STIJL_FILL_EVENODD;
  stijl_path *rect;
  CHECK_INT(stijl_path_create(NULL, &rect), STIJL_OK);
  stijl_path_add_rect(rect, 4, 4, 30, 30);
  stijl_filter *filter = make_filter(tile);
  stijl_scene_add_outline(scene, rect);
  const uint32_t outline = stijl_scene_add_outline(scene, path);
  const stijl_matrix matrices[] = {{0.2f, 0, 0, 0.2f, 0, 0}, {0.1f, 0.1f, -0.2f, 0.1f, 3, 1}};
  for (int i = 0; i < 6; i++) {
    stijl_matrix m = stijl_matrix_translate((float)i, 2);
    const stijl_instance instances[] = {{outline, 0, 3, 4}, {0, 1, 9.5f, (float)i}, {outline, 1, 21, 11.3f}};
    stijl_glyph_run run = {sizeof run, instances, 3, matrices, 2};
    stijl_scene_fill_glyphs(scene, &run, &m, &paints[(i + 1) % 6]);
    paints[i].opacity = 0.9f;
    layer.opacity = 1.0f - 0.1f * (float)i;
    layer.blend = (stijl_blend)i;
    layer.clip = i & 1 ? path : rect;
    layer.filter = i == 4 ? filter : NULL;
    stijl_scene_push_layer(scene, &layer);
    stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, &m, &paints[i]);
    stroke.pen = i & 1 ? &pen : NULL;
    stijl_scene_stroke(scene, path, &stroke, &m, &paints[5 - i]);
    stijl_scene_add_scene(scene, tile, &m);
    stijl_scene_push_mask(scene, (stijl_mask)(i % 3));
    stijl_scene_fill_all(scene, &paints[i]);
    stijl_scene_pop_mask(scene);
    stijl_scene_pop_layer(scene);
  }
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  stijl_scene_destroy(tile);
  stijl_filter_destroy(filter);
  stijl_image_destroy(grey);
  stijl_image_destroy(color);
  stijl_path_destroy(path);
  stijl_path_destroy(rect);
  return scene;
}

static stijl_result draw(const stijl_scene *scene, uint32_t pixels[SIDE][SIDE]) {
  stijl_renderer *renderer;
  CHECK_INT(stijl_renderer_create(NULL, NULL, &renderer, NULL), STIJL_OK);
  stijl_target target = {.size = sizeof target, .width = SIDE, .height = SIDE, .pixels = pixels, .stride = SIDE * 4};
  stijl_result result = stijl_render(renderer, scene, &target, NULL, NULL);
  stijl_renderer_destroy(renderer);
  return result;
}

static stijl_result load(const bytes *file, stijl_scene **out, stijl_message *message) {
  stijl_result result = stijl_scene_load(NULL, file->data, file->count, NULL, out, NULL, message);
  CHECK((result == STIJL_OK) == (*out != NULL));
  CHECK((result == STIJL_OK) == (message->text[0] == 0));
  return result;
}

TEST(what_comes_back_draws_the_same) {
  stijl_scene *scene = record(), *loaded;
  bytes file = {0}, again = {0};
  stijl_canvas canvas = {sizeof canvas, 480, 320, {0.5f, 0.25f, 1, 1}}, read = STIJL_CANVAS_INIT;
  stijl_message message;
  CHECK_INT(stijl_scene_save(scene, &canvas, append, &file, &message), STIJL_OK);
  CHECK(stijl_scene_is_saved(file.data, file.count));
  CHECK(!stijl_scene_is_saved("<svg", 4));
  CHECK(!stijl_scene_is_saved(NULL, 0));
  CHECK_INT(stijl_scene_load(NULL, file.data, file.count, NULL, &loaded, &read, &message), STIJL_OK);
  CHECK(memcmp(&canvas, &read, sizeof canvas) == 0);
  static uint32_t expected[SIDE][SIDE], got[SIDE][SIDE];
  CHECK_INT(draw(scene, expected), STIJL_OK);
  CHECK_INT(draw(loaded, got), STIJL_OK);
  CHECK(memcmp(expected, got, sizeof got) == 0);
  CHECK(expected[20][20] != 0);
  stijl_rect a, b;
  CHECK_INT(stijl_scene_bounds(scene, &a), stijl_scene_bounds(loaded, &b));
  CHECK(memcmp(&a, &b, sizeof a) == 0);
  CHECK_INT(stijl_scene_save(loaded, &canvas, append, &again, &message), STIJL_OK);
  CHECK(again.count == file.count && memcmp(again.data, file.data, file.count) == 0);
  // It can be drawn within another scene, too.
  stijl_scene *outer = begin();
  stijl_scene_add_scene(outer, loaded, NULL);
  CHECK_INT(stijl_scene_finish(outer), STIJL_OK);
  CHECK_INT(draw(outer, got), STIJL_OK);
  CHECK(memcmp(expected, got, sizeof got) == 0);
  stijl_scene_destroy(outer);
  stijl_scene_destroy(scene);
  stijl_scene_destroy(loaded);
  free(file.data);
  free(again.data);
}

static bytes saved(void) {
  stijl_scene *scene = record();
  bytes file = {0};
  CHECK_INT(stijl_scene_save(scene, NULL, append, &file, NULL), STIJL_OK);
  stijl_scene_destroy(scene);
  return file;
}

TEST(damage_is_found) {
  bytes file = saved();
  stijl_scene *scene;
  stijl_message message;
  for (size_t i = 0; i < file.count; i += i < 200 ? 1 : 97) {
    file.data[i] ^= 0x20;
    CHECK_INT(load(&file, &scene, &message), STIJL_ERROR_MALFORMED);
    CHECK(strchr(message.text, '\n') == NULL);
    file.data[i] ^= 0x20;
    bytes cut = {file.data, i, 0};
    CHECK_INT(load(&cut, &scene, &message), STIJL_ERROR_MALFORMED);
  }
  CHECK_INT(load(&file, &scene, &message), STIJL_OK);
  stijl_scene_destroy(scene);
  free(file.data);
}

static void seal(bytes *file) {
  uint32_t crc = sj_crc32(0, file->data, file->count - 4);
  memcpy(file->data + file->count - 4, &crc, sizeof crc);
}

// Whoever makes the checksum right gets a picture or an error, and what comes back is a scene as any other.
TEST(every_word_is_checked) {
  bytes file = saved();
  static const uint32_t values[] = {0, 1, 5, 0x7fffffff, 0x80000000, 0xffffffff, 0x7f800000, 0x7fc00000};
  int refused = 0, drawn = 0;
  for (size_t at = 8; at + 8 <= file.count; at += 4) {
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
      uint32_t before;
      memcpy(&before, file.data + at, 4);
      memcpy(file.data + at, &values[k], 4);
      seal(&file);
      stijl_scene *scene;
      stijl_message message;
      stijl_result result = load(&file, &scene, &message);
      static uint32_t pixels[SIDE][SIDE];
      if (result == STIJL_OK && k == at / 4 % 8) {
        result = draw(scene, pixels);
        CHECK(result == STIJL_OK || result == STIJL_ERROR_LIMIT);
        drawn++;
      }
      refused += !scene;
      stijl_scene_destroy(scene);
      memcpy(file.data + at, &before, 4);
    }
  }
  CHECK(refused > 1000);
  CHECK(drawn > 100);
  free(file.data);
}

// Images that were made of colours above their alpha come back; one that somebody put into a file is refused.
TEST(images_are_premultiplied) {
  stijl_scene *scene = begin(), *loaded;
  const uint8_t texels[8] = {250, 9, 3, 77, 41, 42, 43, 40};
  stijl_image *image = NULL;
  CHECK_INT(stijl_image_create(NULL, 2, 1, STIJL_FORMAT_RGBA8, texels, 8, &image), STIJL_OK);
  CHECK(memcmp(stijl_image_pixels(image, NULL), (const uint8_t[]){77, 9, 3, 77, 40, 40, 40, 40}, 8) == 0);
  stijl_scene_image(scene, image, STIJL_SAMPLING_NEAREST, 1, NULL);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  bytes file = {0};
  stijl_message message;
  CHECK_INT(stijl_scene_save(scene, NULL, append, &file, &message), STIJL_OK);
  CHECK_INT(load(&file, &loaded, &message), STIJL_OK);
  stijl_scene_destroy(loaded);
  size_t at = 0;
  while (at < file.count && memcmp(file.data + at, stijl_image_pixels(image, NULL), 8) != 0) at += 4;
  CHECK(at < file.count);
  if (at < file.count) file.data[at + 2] = 78;
  seal(&file);
  CHECK_INT(load(&file, &loaded, &message), STIJL_ERROR_MALFORMED);
  CHECK_STR(message.text, "the saved scene is damaged: image 0 has a pixel whose colour is above its alpha");
  stijl_image_destroy(image);
  stijl_scene_destroy(scene);
  free(file.data);
}

// Checks that the file shows what the scene does, something at (x, 24) among it.
static void check_same_pixels(const stijl_scene *before, const bytes *file, int x) {
  static uint32_t pixels[2][SIDE][SIDE];
  stijl_scene *after = NULL;
  stijl_message message;
  CHECK_INT(load(file, &after, &message), STIJL_OK);
  CHECK_INT(draw(before, pixels[0]), STIJL_OK);
  if (after) CHECK_INT(draw(after, pixels[1]), STIJL_OK);
  CHECK(memcmp(pixels[0], pixels[1], sizeof pixels[0]) == 0 && pixels[0][24][x]);
  stijl_scene_destroy(after);
}

enum { COUNTS = 8 + 4 + 24, PIECES = COUNTS + 60 };

// Puts entries, which ramps were before version 4, in the place of the only ramp's pieces.
static void put_entries(bytes *file, const stijl_stop *stops, size_t count) {
  k_ramp_piece pieces[K_RAMP_SIZE];
  uint32_t entries[K_RAMP_SIZE + 1];  // and room for the checksum
  size_t made = sj_ramp_make(stops, count, 1.0f, pieces);
  sj_ramp_entries(pieces, made, entries);
  memmove(file->data + PIECES, file->data + PIECES + 4, file->count - PIECES - 4);
  file->count -=
      4 + 4 + made * sizeof *pieces + 4;  // the count of pieces; the ramp's number of them, they, the checksum
  append(file, entries, sizeof entries);
  file->data[8] = 3;
  seal(file);
}

// Before glyph runs, files had five counts less.
TEST(version_1_is_read) {
  enum { NEW = COUNTS + 44 };
  stijl_scene *before = begin();
  stijl_path *path;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_add_ellipse(path, 24, 24, 9, 15);
  stijl_paint paint = stijl_paint_solid((stijl_color){0.2f, 0.7f, 0.4f, 0.8f});
  stijl_scene_fill(before, path, STIJL_FILL_NONZERO, NULL, &paint);
  CHECK_INT(stijl_scene_finish(before), STIJL_OK);
  bytes file = {0};
  CHECK_INT(stijl_scene_save(before, NULL, append, &file, NULL), STIJL_OK);
  file.data[8] = 1;
  memmove(file.data + NEW, file.data + NEW + 20, file.count - NEW - 20);
  file.count -= 20;
  seal(&file);
  check_same_pixels(before, &file, 24);
  stijl_path_destroy(path);
  stijl_scene_destroy(before);
  free(file.data);
}

// Version 3's ramps were entries. The turns of version 2's sweeps began where their gradients did.
TEST(versions_2_and_3_are_read) {
  enum { LEAD = 4 * 14, PAINT = 4 * 21 };
  stijl_scene *before = begin();
  const stijl_stop stops[] = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 0.5f}}};
  stijl_paint paint = stijl_paint_sweep((stijl_point){24, 24}, 10, 300, stops, 2);
  stijl_scene_fill_all(before, &paint);
  CHECK_INT(stijl_scene_finish(before), STIJL_OK);
  bytes file = {0};
  CHECK_INT(stijl_scene_save(before, NULL, append, &file, NULL), STIJL_OK);
  put_entries(&file, stops, 2);
  check_same_pixels(before, &file, 30);
  file.data[8] = 2;
  size_t at = file.count - 4 - K_RAMP_SIZE * 4 - PAINT + LEAD;  // the paint, its ramp and the checksum are the last
  float lead;
  memcpy(&lead, file.data + at, sizeof lead);
  CHECK(lead == 0.0f);
  memmove(file.data + at, file.data + at + 4, file.count - at - 4);
  file.count -= 4;
  seal(&file);
  check_same_pixels(before, &file, 30);
  stijl_scene_destroy(before);
  free(file.data);
}

TEST(later_versions_are_named) {
  bytes file = saved();
  stijl_scene *scene;
  stijl_message message;
  file.data[8] = 77;
  seal(&file);
  CHECK_INT(load(&file, &scene, &message), STIJL_ERROR_UNSUPPORTED);
  CHECK(strstr(message.text, "version 77") != NULL);
  free(file.data);
}

TEST(limits) {
  bytes file = saved();
  stijl_scene *scene;
  stijl_message message;
  stijl_scene_limits limits = STIJL_SCENE_LIMITS_INIT;
  limits.max_draws = 20;
  CHECK_INT(stijl_scene_load(NULL, file.data, file.count, &limits, &scene, NULL, &message), STIJL_ERROR_LIMIT);
  CHECK(strstr(message.text, "max_draws") != NULL);
  limits = (stijl_scene_limits)STIJL_SCENE_LIMITS_INIT;
  limits.max_layers = 1;
  CHECK_INT(stijl_scene_load(NULL, file.data, file.count, &limits, &scene, NULL, &message), STIJL_ERROR_LIMIT);
  limits = (stijl_scene_limits)STIJL_SCENE_LIMITS_INIT;
  limits.max_segments = 10;
  CHECK_INT(stijl_scene_load(NULL, file.data, file.count, &limits, &scene, NULL, &message), STIJL_ERROR_LIMIT);
  free(file.data);
}

// A filter without primitives is the shortest there is.
TEST(empty_filter) {
  stijl_scene *scene = begin(), *loaded = NULL;
  stijl_filter *filter = NULL;
  CHECK_INT(stijl_filter_create(NULL, &filter), STIJL_OK);
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.filter = filter;
  stijl_scene_push_layer(scene, &layer);
  stijl_scene_pop_layer(scene);
  stijl_filter_destroy(filter);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  bytes file = {NULL, 0, 0};
  stijl_message message = {""};
  CHECK_INT(stijl_scene_save(scene, NULL, append, &file, &message), STIJL_OK);
  CHECK_INT(stijl_scene_load(NULL, file.data, file.count, NULL, &loaded, NULL, &message), STIJL_OK);
  CHECK_STR(message.text, "");
  free(file.data);
  stijl_scene_destroy(loaded);
  stijl_scene_destroy(scene);
}

TEST(saving_fails) {
  stijl_scene *scene = record(), *unfinished = begin();
  bytes file = {.limit = 600};
  stijl_message message;
  CHECK_INT(stijl_scene_save(scene, NULL, append, &file, &message), STIJL_ERROR_IO);
  CHECK_INT(stijl_scene_save(unfinished, NULL, append, &file, &message), STIJL_ERROR_INVALID_STATE);
  CHECK_INT(stijl_scene_save(NULL, NULL, append, &file, &message), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_canvas canvas = STIJL_CANVAS_INIT;
  canvas.width = 0;
  CHECK_INT(stijl_scene_save(scene, &canvas, append, &file, &message), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_scene_destroy(scene);
  stijl_scene_destroy(unfinished);
  free(file.data);
}
