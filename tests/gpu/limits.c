// The GPU against scalar code where things are small, deep, or go wrong. Large ones: large.c; random scenes:
// tests/fuzz/scene.c; golden pictures and documents: tests/golden.
#include <stdlib.h>

#include "gpu/device.h"
#include "base/trial.h"
#include "gpu/job.h"

TEST(sizes) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  static const int sizes[][2] = {{1, 1}, {1, 300}, {16, 16}, {17, 15}, {20000, 3}, {3, 20000}, {300, 200}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    job empty = begin(sizes[i][0], sizes[i][1]);
    compare(&empty, gpu, "empty");
    compare_shapes(gpu, sizes[i][0], sizes[i][1], 12, i, "shapes");
  }
  stijl_renderer_destroy(gpu);
}

// Where the device cannot add 64 bits at a time.
TEST(narrow) {
  stijl_renderer *gpu = open_with("fault", "narrow");
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  compare_shapes(gpu, 700, 300, 100, 1, "32 bits at a time");
  stijl_renderer_destroy(gpu);
}

// Where shared memory is as small as Vulkan allows.
TEST(little_shared_memory) {
  stijl_renderer *gpu = open_with("fault", "shared");
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  compare_shapes(gpu, 700, 300, 100, 1, "16 KiB of shared memory");
  stijl_renderer_destroy(gpu);
}

// As if all sums might leave 32 bits.
TEST(long_sums) {
  stijl_renderer *gpu = open_with("windings", "1");
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  compare_shapes(gpu, 700, 300, 100, 1, "all sums long");
  compare_shapes(gpu, 90, 60, 20, 2, "narrow rows");
  stijl_renderer_destroy(gpu);
}

// The row where a line comes in from the right touches nothing, and the next row what the lines after it touch.
TEST(from_the_right) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  job j = begin(512, 64);
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_move_to(path, 932, 8);
  stijl_path_line_to(path, 300, 24);
  stijl_path_line_to(path, 100, 40);
  stijl_path_line_to(path, 120, 60);
  stijl_path_close(path);
  stijl_paint paint = stijl_paint_solid((stijl_color){1, 0, 0, 1});
  stijl_scene_fill(j.scene, path, STIJL_FILL_NONZERO, NULL, &paint);
  stijl_path_destroy(path);
  compare(&j, gpu, "from the right");
  stijl_renderer_destroy(gpu);
}

// Compares pixels that come into memory in pieces, each in shares, by several threads: every byte of the region is
// written as the CPU writes it, and none beside it; also where the first try has no room, and where they are drawn
// over.
static void compare_pieces(const job *j, stijl_renderer *cpu, int threads, stijl_format format, bool keep) {
  stijl_renderer_params params = sj_test_gpu_params();
  params.threads = threads;
  stijl_renderer *gpu = NULL;
  CHECK_INT(stijl_renderer_create(NULL, &params, &gpu, NULL), STIJL_OK);
  stijl_irect region = {3, 5, j->width - 2, j->height - 1};
  size_t row = (size_t)(region.x1 - region.x0) * stijl_format_bytes(format), stride = row + 12;
  size_t bytes = stride * (size_t)(region.y1 - region.y0);
  uint8_t *pixels[2] = {malloc(bytes), malloc(bytes)};
  if (!pixels[0] || !pixels[1]) abort();
  for (int i = 0; i < 2; i++) {
    memset(pixels[i], 0x5a, bytes);
    stijl_target target = {.size = sizeof target,
                           .width = j->width,
                           .height = j->height,
                           .region = region,
                           .format = format,
                           .pixels = pixels[i],
                           .stride = stride};
    stijl_render_params how = STIJL_RENDER_PARAMS_INIT;
    how.keep = keep;
    CHECK_INT(stijl_render(i ? gpu : cpu, j->scene, &target, &how, NULL), STIJL_OK);
  }
  CHECK(memcmp(pixels[0], pixels[1], bytes) == 0);
  stijl_render_stats stats = {.size = sizeof stats};
  stijl_renderer_stats(gpu, &stats);
  CHECK(stats.retries > 0);
  free(pixels[0]);
  free(pixels[1]);
  stijl_renderer_destroy(gpu);
}

TEST(pieces) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  job j = begin(1206, 1407);  // three pieces and a bit
  add_shapes(&j, 80, 77);
  CHECK_INT(stijl_scene_finish(j.scene), STIJL_OK);
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  stijl_renderer *cpu = NULL;
  CHECK_INT(stijl_renderer_create(NULL, &params, &cpu, NULL), STIJL_OK);
  sj_trial_set("tiles", "16");
  compare_pieces(&j, cpu, 1, STIJL_FORMAT_RGBA8, false);
  compare_pieces(&j, cpu, 5, STIJL_FORMAT_BGRA8_STRAIGHT, false);
  compare_pieces(&j, cpu, 5, STIJL_FORMAT_A8, false);
  compare_pieces(&j, cpu, 3, STIJL_FORMAT_BGRA8, true);
  sj_trial_set("tiles", NULL);
  stijl_renderer_destroy(cpu);
  stijl_scene_destroy(j.scene);
}

// Makes a scene whose colour is a gradient's, to be painted with.
static stijl_scene *shaded(stijl_color from, stijl_color to) {
  job j = begin(20, 20);
  stijl_stop stops[2] = {{0, from}, {1, to}};
  stijl_paint paint = stijl_paint_linear((stijl_point){0, 0}, (stijl_point){20, 20}, stops, 2);
  fill_rect(&j, 1, 1, 17, 18, &paint);
  CHECK_INT(stijl_scene_finish(j.scene), STIJL_OK);
  return j.scene;
}

// The surfaces of a level lie on one sheet. Their passes are in the order of the scenes within, their paints in the
// order in which they are asked for; here the last one's lie between those of the others.
TEST(paints_of_a_sheet) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_scene *tiles[] = {shaded((stijl_color){1, 0, 0, 1}, (stijl_color){0, 0, 1, 1}),
                          shaded((stijl_color){0, 1, 0, 1}, (stijl_color){1, 0, 1, 1}),
                          shaded((stijl_color){1, 1, 0, 1}, (stijl_color){0, 1, 1, 1})};
  static const int order[] = {0, 1, 2, 1};
  job j = begin(200, 60);
  for (int i = 0; i < 4; i++) {
    stijl_paint paint = stijl_paint_scene(tiles[order[i]], (stijl_rect){0, 0, 20, 20});
    fill_rect(&j, i == 1 ? 900 : (float)i * 50, 3, 47, 50, &paint);
  }
  compare(&j, gpu, "paints of a sheet");
  for (int i = 0; i < 3; i++) stijl_scene_destroy(tiles[i]);
  stijl_renderer_destroy(gpu);
}

TEST(tiny_buffers) {
  stijl_renderer *gpu = open_with("tiles", "1");
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  compare_shapes(gpu, 200, 150, 40, 1, "one tile at first");
  stijl_render_stats stats = {.size = sizeof stats};
  compare_shapes(gpu, 200, 150, 400, 2, "more tiles");
  stijl_renderer_stats(gpu, &stats);
  CHECK_INT(stats.retries, 0);  // the second frame knows
  CHECK(stats.dispatches <= 8);
  stijl_renderer_destroy(gpu);
}

TEST(bands) {
  stijl_renderer *gpu = open_with("range", "262144");
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  compare_shapes(gpu, 300, 500, 60, 3, "bands");
  stijl_render_stats stats = {.size = sizeof stats};
  stijl_renderer_stats(gpu, &stats);
  CHECK(stats.bands > 1);
  job layered = begin(300, 500);
  for (int i = 0; i < 8; i++) {
    stijl_layer layer = STIJL_LAYER_INIT;
    layer.opacity = 0.7f;
    layer.blend = (stijl_blend)i;
    stijl_scene_push_layer(layered.scene, &layer);
    add_shapes(&layered, 4, (uint64_t)i);
    stijl_scene_pop_layer(layered.scene);
  }
  compare(&layered, gpu, "bands with layers");
  stijl_renderer_destroy(gpu);
}

// 40 images of which a storage range holds five, each drawn twice; gradients between them, and a group of two images.
TEST(paged_images) {
  stijl_renderer *gpu = open_with("range", "65536");
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  enum { IMAGES = 40 };
  sj_random r = sj_random_seed(11);
  job j = begin(150, 90);
  stijl_image *images[IMAGES];
  for (int i = 0; i < IMAGES; i++) images[i] = random_image(&r, 60 + i % 5, 50);
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_stop stops[] = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 0.5f}}};
  stijl_paint gradient = stijl_paint_linear((stijl_point){0, 0}, (stijl_point){150, 90}, stops, 2);
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.opacity = 0.6f;
  for (int i = 0; i < IMAGES * 2; i++) {
    stijl_path_clear(path);
    stijl_path_add_ellipse(path, sj_random_float(&r, 0, 150), sj_random_float(&r, 0, 90), 25, 20);
    stijl_paint paint = stijl_paint_image(images[i % IMAGES], (stijl_sampling)(i % 3));
    paint.transform = stijl_matrix_translate(sj_random_float(&r, 0, 100), sj_random_float(&r, 0, 50));
    if (i % 10 == 4) stijl_scene_push_layer(j.scene, &layer);
    stijl_scene_fill(j.scene, path, STIJL_FILL_NONZERO, NULL, i % 7 == 0 ? &gradient : &paint);
    if (i % 10 == 5) stijl_scene_pop_layer(j.scene);
  }
  compare(&j, gpu, "paged images");
  stijl_render_stats stats = {.size = sizeof stats};
  stijl_renderer_stats(gpu, &stats);
  CHECK(stats.submits >= 2 * IMAGES / 5);
  job single = begin(150, 90);
  stijl_image *large = random_image(&r, 130, 127);  // over 65536 bytes
  stijl_paint paint = stijl_paint_image(large, STIJL_SAMPLING_NEAREST);
  stijl_scene_fill_all(single.scene, &paint);
  CHECK_INT(stijl_scene_finish(single.scene), STIJL_OK);
  uint8_t *pixels = malloc((size_t)150 * 90 * 4);
  if (!pixels) abort();
  stijl_target target = {
      .size = sizeof target, .width = 150, .height = 90, .format = STIJL_FORMAT_RGBA8, .pixels = pixels, .stride = 600};
  stijl_message message = {""};
  CHECK_INT(stijl_render(gpu, single.scene, &target, NULL, &message), STIJL_ERROR_LIMIT);
  CHECK(strstr(message.text, "130 x 127") != NULL);
  free(pixels);
  stijl_scene_destroy(single.scene);
  stijl_image_destroy(large);
  for (int i = 0; i < IMAGES; i++) stijl_image_destroy(images[i]);
  stijl_path_destroy(path);
  stijl_renderer_destroy(gpu);
}

// So many that strokes are flattened apart from fills.
TEST(fills_and_strokes) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  job j = begin(400, 300);
  sj_random r = sj_random_seed(1);
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  for (int i = 0; i < 1400; i++) {
    stijl_path_clear(path);
    float x = sj_random_float(&r, 0, 400), y = sj_random_float(&r, 0, 300);
    stijl_path_move_to(path, x, y);
    for (int k = 0; k < 60; k++) {
      float p[4];
      for (int c = 0; c < 4; c++) p[c] = (c & 1 ? y : x) + sj_random_float(&r, -15, 15);
      if (k % 9)
        stijl_path_line_to(path, p[0], p[1]);
      else
        stijl_path_quad_to(path, p[0], p[1], p[2], p[3]);
    }
    stijl_paint paint = stijl_paint_solid(random_color(&r, i % 3 == 0));
    stijl_stroke stroke = STIJL_STROKE_INIT;
    stroke.width = sj_random_float(&r, 0.5f, 2);
    if (i % 5 < 2)
      stijl_scene_stroke(j.scene, path, &stroke, NULL, &paint);
    else
      stijl_scene_fill(j.scene, path, STIJL_FILL_EVENODD, NULL, &paint);
  }
  stijl_path_destroy(path);
  compare(&j, gpu, "fills and strokes");
  stijl_renderer_destroy(gpu);
}

// Fills of straight lines that may cross each other and the canvas's borders. One in a hundred has many lines.
static void add_polygons(job *j, int count, float largest, uint64_t seed) {
  sj_random r = sj_random_seed(seed);
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  for (int i = 0; i < count; i++) {
    stijl_path_clear(path);
    float x = sj_random_float(&r, -9, (float)j->width + 9), y = sj_random_float(&r, -9, (float)j->height + 9);
    float w = sj_random_float(&r, 0, largest), h = sj_random_float(&r, 0, largest);
    for (int subpaths = sj_random_int(&r, 1, 3); subpaths > 0; subpaths--) {
      stijl_path_move_to(path, x + sj_random_float(&r, 0, w), y + sj_random_float(&r, 0, h));
      for (int k = i % 100 ? sj_random_int(&r, 1, 12) : sj_random_int(&r, 60, 400); k > 0; k--)
        stijl_path_line_to(path, x + sj_random_float(&r, 0, w), y + sj_random_float(&r, 0, h));
      stijl_path_close(path);
    }
    stijl_paint paint = stijl_paint_solid(random_color(&r, i % 3 == 0));
    stijl_scene_fill(j->scene, path, i % 4 ? STIJL_FILL_NONZERO : STIJL_FILL_EVENODD, NULL, &paint);
  }
  stijl_path_destroy(path);
}

// Compares small draws alone, and where there are enough of them beside others.
static void compare_small(stijl_renderer *gpu, const char *name) {
  job few = begin(150, 130);
  add_polygons(&few, 30, 16, 1);
  compare(&few, gpu, name);
  job all = begin(500, 300);
  add_polygons(&all, 3000, 22, 2);
  compare(&all, gpu, name);
  job mixed = begin(500, 300);
  for (uint64_t i = 0; i < 6; i++) {
    stijl_layer layer = STIJL_LAYER_INIT;
    layer.opacity = 0.7f;
    if (i & 1) stijl_scene_push_layer(mixed.scene, &layer);
    add_polygons(&mixed, 900, i == 3 ? 100.0f : 24.0f, 3 + i);
    add_shapes(&mixed, 9, i);
    if (i & 1) stijl_scene_pop_layer(mixed.scene);
  }
  compare(&mixed, gpu, name);
}

TEST(small_fills) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  compare_small(gpu, "small fills");
  stijl_renderer_destroy(gpu);
  gpu = open_with("tiles", "1");
  compare_small(gpu, "small fills, one tile at first");
  stijl_renderer_destroy(gpu);
  gpu = open_with("range", "1048576");
  compare_small(gpu, "small fills in parts");
  stijl_renderer_destroy(gpu);
}

static void add_deep_clips(job *j, int depth) {
  stijl_path *clip = NULL;
  CHECK_INT(stijl_path_create(NULL, &clip), STIJL_OK);
  for (int i = 0; i < depth; i++) {
    stijl_path_clear(clip);
    stijl_path_add_ellipse(clip, 16.0f + (float)(i % 3), 16, 30.0f - (float)(i % 17), 28);
    stijl_layer layer = STIJL_LAYER_INIT;
    layer.clip = clip;
    stijl_scene_push_layer(j->scene, &layer);
    if (i % 5 == 0) add_shapes(j, 1, (uint64_t)i);
  }
  for (int i = 0; i < depth; i++) stijl_scene_pop_layer(j->scene);
  stijl_path_destroy(clip);
}

TEST(deep_clips) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  static const int depths[] = {2, 3, 4, 5, 40, 300, 10000};
  for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
    job j = begin(32, 32);
    add_deep_clips(&j, depths[i]);
    compare(&j, gpu, "deep clips");
  }
  stijl_renderer_destroy(gpu);
}

// Adds opaque draws that fill tiles in layers of all kinds: in clips they hide what is before them, the layers below
// too, but not where some layer is not opaque after all, or a mask makes holes later.
static void add_layers(job *j, sj_random *r, stijl_path *path, int depth) {
  for (int i = sj_random_int(r, 2, 6); i > 0; i--) {
    stijl_path_clear(path);
    float x = sj_random_float(r, -60, 60), y = sj_random_float(r, -40, 40);
    if (i % 2)
      stijl_path_add_rect(path, x, y, sj_random_float(r, 60, 200), sj_random_float(r, 40, 140));
    else
      stijl_path_add_ellipse(path, x + 60, y + 40, sj_random_float(r, 30, 120), sj_random_float(r, 20, 90));
    stijl_paint paint = stijl_paint_solid(random_color(r, sj_random_int(r, 0, 4) != 0));
    int kind = sj_random_int(r, 0, 8);
    if (depth == 7 || kind < 3) {
      stijl_scene_fill(j->scene, path, STIJL_FILL_NONZERO, NULL, &paint);
      continue;
    }
    stijl_layer layer = STIJL_LAYER_INIT;
    if (kind != 3) layer.clip = path;
    if (kind == 4) layer.opacity = 0.6f;
    if (kind == 5) layer.blend = STIJL_BLEND_MULTIPLY;
    stijl_scene_push_layer(j->scene, &layer);
    add_layers(j, r, path, depth + 1);
    if (sj_random_int(r, 0, 6) == 0) {
      stijl_scene_push_mask(j->scene, i % 3 ? STIJL_MASK_ALPHA : STIJL_MASK_LUMINANCE);
      add_layers(j, r, path, 6);
      stijl_scene_pop_mask(j->scene);
    }
    stijl_scene_pop_layer(j->scene);
  }
}

TEST(opaque_in_layers) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  for (int i = 0; i < 20; i++) {
    sj_random r = sj_random_seed((uint64_t)i);
    job j = begin(150, 100);
    add_layers(&j, &r, path, 0);
    compare_frames(&j, gpu, "opaque draws in layers", 1);
  }
  stijl_path_destroy(path);
  stijl_renderer_destroy(gpu);
}

// Batches that end within layers, masks and clips: after some draws, and after each.
TEST(split_layers) {
  static const char *const turns[] = {"8", "60"};
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  for (int i = 0; i < 2; i++) {
    stijl_renderer *gpu = open_with("turns", turns[i]);
    if (!gpu) {
      stijl_path_destroy(path);
      SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
    }
    for (int seed = 0; seed < 2 * i; seed++) {
      sj_random r = sj_random_seed((uint64_t)seed);
      job j = begin(150, 100);
      add_layers(&j, &r, path, 0);
      compare_frames(&j, gpu, "batches within layers", 1);
    }
    job deep = begin(32, 32);
    add_deep_clips(&deep, 12);
    compare_frames(&deep, gpu, "batches within deep clips", 1);
    stijl_renderer_destroy(gpu);
  }
  stijl_path_destroy(path);
}

static stijl_scene *tile_scene(uint64_t seed, const stijl_scene *inner, stijl_image *image) {
  job j = begin(40, 30);
  add_shapes(&j, 6, seed);
  if (inner) {
    stijl_paint paint = stijl_paint_scene(inner, (stijl_rect){3, 2, 25.5f, 20});
    fill_rect(&j, 2, 2, 30, 17, &paint);
  }
  stijl_paint paint = stijl_paint_image(image, STIJL_SAMPLING_BILINEAR);
  paint.transform = stijl_matrix_translate(20, 4);
  fill_rect(&j, 20, 4, 9, 7, &paint);
  CHECK_INT(stijl_scene_finish(j.scene), STIJL_OK);
  return j.scene;
}

// Patterns in patterns, which the device draws, or where there is no room for all of them beside the images, the CPU;
// in frames whose surfaces have different sizes, and with an image that stays.
TEST(surfaces) {
  static const char *const rooms[][2] = {{"tiles", "1"}, {"range", "262144"}, {"", ""}};
  sj_random r = sj_random_seed(3);
  stijl_image *image = random_image(&r, 9, 7);
  stijl_scene *inner = tile_scene(1, NULL, image), *tile = tile_scene(2, inner, image);
  for (int i = 0; i < 3; i++) {
    stijl_renderer *gpu = rooms[i][0][0] ? open_with(rooms[i][0], rooms[i][1]) : sj_test_gpu();
    for (int scale = 1; gpu && scale <= 9; scale += 4) {
      job j = begin(300, 200);
      stijl_paint paint = stijl_paint_scene(tile, (stijl_rect){0, 0, 40, 30});
      float s = (float)scale * 0.7f;
      paint.transform = stijl_matrix_multiply(stijl_matrix_scale(s, s), stijl_matrix_rotate(20));
      paint.opacity = 0.8f;
      add_shapes(&j, 5, 8);
      fill_rect(&j, 10, 10, 250, 170, &paint);
      paint.spread_x = STIJL_SPREAD_NONE;
      fill_rect(&j, 100, 20, 190, 170, &paint);
      compare(&j, gpu, "surfaces");
    }
    stijl_renderer_destroy(gpu);
    if (!gpu) break;
  }
  stijl_image_destroy(image);
  stijl_scene_destroy(inner);
  stijl_scene_destroy(tile);
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
}

TEST(repeat) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  double us = 0;
  CHECK_INT(stijl_renderer_repeat(gpu, 2, &us, NULL), STIJL_ERROR_INVALID_STATE);
  compare_shapes(gpu, 300, 200, 60, 5, "repeat");
  // A frame begins beside the end of the one before: neither leaves anything wrong to those after.
  CHECK_INT(stijl_renderer_repeat(gpu, 20, &us, NULL), STIJL_OK);
  CHECK(us > 0);
  compare_shapes(gpu, 300, 200, 60, 5, "repeated");
  stijl_renderer_destroy(gpu);
}
