// The application's device, buffers and images: what is drawn into them against scalar code in memory.
#include "vulkan/device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/trial.h"
#include "gpu/app.h"
#include "stijl/filter.h"

// --- Scenes and what they must look like ---

// Makes a scene of ellipses. `layer`: what each of them is drawn in; NULL: none.
static stijl_scene *make_layered_scene(uint64_t seed, int count, int width, int height, const stijl_layer *layer) {
  sj_random r = sj_random_seed(seed);
  stijl_scene *scene = NULL;
  stijl_path *path = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  for (int i = 0; i < count; i++) {
    float x = sj_random_float(&r, 0, (float)width), y = sj_random_float(&r, 0, (float)height);
    stijl_path_clear(path);
    stijl_path_add_ellipse(path, x, y, sj_random_float(&r, 2, 60), sj_random_float(&r, 2, 60));
    stijl_paint paint = stijl_paint_solid((stijl_color){sj_random_float(&r, 0, 1), sj_random_float(&r, 0, 1),
                                                        sj_random_float(&r, 0, 1), sj_random_float(&r, 0.2f, 1)});
    if (layer) stijl_scene_push_layer(scene, layer);
    stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
    if (layer) stijl_scene_pop_layer(scene);
  }
  stijl_path_destroy(path);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  return scene;
}

static stijl_scene *make_scene(uint64_t seed, int count, int width, int height) {
  return make_layered_scene(seed, count, width, height, NULL);
}

static void draw_scalar(const stijl_scene *scene, const stijl_target *target, bool keep) {
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.isa = STIJL_ISA_SCALAR;
  params.threads = 1;
  stijl_renderer *cpu = NULL;
  CHECK_INT(stijl_renderer_create(NULL, &params, &cpu, NULL), STIJL_OK);
  stijl_render_params render = STIJL_RENDER_PARAMS_INIT;
  render.background = (stijl_color){0.2f, 0.4f, 0.6f, 0.5f};
  render.keep = keep;
  CHECK_INT(stijl_render(cpu, scene, target, &render, NULL), STIJL_OK);
  stijl_renderer_destroy(cpu);
}

static bool draw(stijl_renderer *gpu, const stijl_scene *scene, const stijl_vulkan_target *target, bool keep,
                 const stijl_vulkan_frame *frame) {
  stijl_render_params render = STIJL_RENDER_PARAMS_INIT;
  render.background = (stijl_color){0.2f, 0.4f, 0.6f, 0.5f};
  render.keep = keep;
  stijl_message message = {""};
  stijl_result result = stijl_vulkan_render(gpu, scene, target, &render, frame, &message);
  if (result != STIJL_OK) sj_test_fail("stijl_vulkan_render", 0, "%s", message.text);
  return result == STIJL_OK;
}

static void same(const uint8_t *a, const uint8_t *b, size_t bytes, const char *name) {
  size_t differ = 0, first = bytes;
  for (size_t i = bytes; i-- > 0;)
    if (a[i] != b[i]) {
      differ++;
      first = i;
    }
  if (differ)
    sj_test_fail(name, (int)first, "%zu bytes differ, the first is %d, expected %d", differ, a[first], b[first]);
}

static stijl_scene *make_blended_scene(uint64_t seed, int count, int width, int height) {
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.blend = STIJL_BLEND_OVERLAY;
  return make_layered_scene(seed, count, width, height, &layer);
}

// Fills bytes with anything, colours above their alpha too, but the same anywhere.
static void fill_pattern(uint8_t *bytes, size_t count) {
  sj_random r = sj_random_seed(count);
  for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)sj_random_u32(&r);
}

static const stijl_format formats[] = {STIJL_FORMAT_RGBA8, STIJL_FORMAT_BGRA8, STIJL_FORMAT_RGBA8_STRAIGHT,
                                       STIJL_FORMAT_BGRA8_STRAIGHT, STIJL_FORMAT_A8};
enum { FORMATS = sizeof formats / sizeof *formats };

static bool is_premultiplied(stijl_format f) { return f == STIJL_FORMAT_RGBA8 || f == STIJL_FORMAT_BGRA8; }

// Makes the application's buffer for a target, and memory of as many bytes; both have a pattern.
static app_shared begin_buffer(app *a, stijl_vulkan_target *target, size_t bytes, uint8_t **expected) {
  app_shared b = app_buffer(a, bytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  *expected = malloc(bytes);
  if (!*expected) abort();
  fill_pattern(*expected, bytes);
  memcpy(b.bytes, *expected, bytes);
  target->buffer = b.handle;
  return b;
}

// Returns the target in such memory that is like one in the buffer.
static stijl_target memory_like(const stijl_vulkan_target *target, uint8_t *bytes) {
  return (stijl_target){.size = sizeof(stijl_target),
                        .width = target->width,
                        .height = target->height,
                        .region = target->region,
                        .format = target->format,
                        .pixels = bytes + target->offset,
                        .stride = target->stride};
}

// Compares a buffer, and what is beside it: every byte. `direct`: it lies so that fine draws into it, if the format and
// the region's width allow that.
static void compare_buffer(app *a, stijl_renderer *gpu, stijl_format format, stijl_irect region, bool keep,
                           bool direct) {
  enum { WIDTH = 213, HEIGHT = 170 };
  uint64_t seed = (uint64_t)format + 1;
  stijl_scene *scene = direct ? make_blended_scene(seed, 12, WIDTH, HEIGHT) : make_scene(seed, 30, WIDTH, HEIGHT);
  stijl_vulkan_target target = STIJL_VULKAN_TARGET_INIT;
  target.width = WIDTH;
  target.height = HEIGHT;
  target.region = region;
  target.format = format;
  size_t width = (size_t)(region.x1 ? region.x1 - region.x0 : WIDTH);
  size_t height = (size_t)(region.x1 ? region.y1 - region.y0 : HEIGHT);
  target.offset = direct ? 512 : 532;
  target.stride = direct ? (width * 4 + 15) / 16 * 16 + 48 : (width * stijl_format_bytes(format) + 3) / 4 * 4 + 36;
  size_t bytes = target.offset + target.stride * height + 100;
  uint8_t *expected;
  app_shared b = begin_buffer(a, &target, bytes, &expected);
  stijl_target memory = memory_like(&target, expected);
  draw_scalar(scene, &memory, keep);
  draw(gpu, scene, &target, keep, NULL);
  same(b.bytes, expected, bytes, keep ? "buffer, drawn over" : "buffer");
  free(expected);
  app_free_buffer(a, b);
  stijl_scene_destroy(scene);
}

TEST(buffers) {
  app a;
  if (!app_open(&a)) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_renderer *gpu = app_renderer(&a), *banded = app_renderer_with(&a, "range", "65536");
  for (int i = 0; i < FORMATS * 4; i++) {
    stijl_irect region = i & 1 ? (stijl_irect){17, 3, 150, 149} : (stijl_irect){0, 0, 0, 0};
    compare_buffer(&a, gpu, formats[i / 4], region, i & 2, false);
    compare_buffer(&a, banded, formats[i / 4], region, i & 2, false);
  }
  for (int i = 0; i < 2 * 5; i++) {
    stijl_irect region = {17, 3, 17 + (int[]){4, 60, 64, 133, 196}[i / 2], 3 + (int[]){146, 147, 160, 155, 144}[i / 2]};
    compare_buffer(&a, gpu, STIJL_FORMAT_RGBA8, region, i & 1, true);
    compare_buffer(&a, banded, STIJL_FORMAT_RGBA8, region, i & 1, true);
  }
  stijl_render_stats stats = {.size = sizeof stats};
  stijl_renderer_stats(banded, &stats);
  CHECK(stats.bands > 1);
  stijl_renderer_destroy(banded);
  stijl_renderer_destroy(gpu);
  app_close(&a);
}

// Each alpha with each colour, there and back.
TEST(all_pixels) {
  app a;
  if (!app_open(&a)) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  enum { BYTES = 256 * 256 * 4 };
  a.device.features = NULL;  // it is trusted, and used as if it had no more than is asked for
  stijl_renderer *gpu = app_renderer(&a);
  stijl_scene *scene = make_scene(0, 0, 256, 256);
  app_shared b = app_buffer(&a, BYTES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  uint8_t *expected = malloc(BYTES);
  if (!expected) abort();
  for (int f = 0; f < FORMATS; f++) {
    for (int i = 0; i < 256 * 256; i++) {
      int alpha = i / 256, color = is_premultiplied(formats[f]) && i % 256 > alpha ? alpha : i % 256;
      expected[i * 4] = (uint8_t)color;
      expected[i * 4 + 1] = (uint8_t)(color / 2);
      expected[i * 4 + 2] = (uint8_t)(is_premultiplied(formats[f]) ? alpha - color : 255 - color);
      expected[i * 4 + 3] = (uint8_t)alpha;
    }
    memcpy(b.bytes, expected, BYTES);
    stijl_target memory = {.size = sizeof memory,
                           .width = 256,
                           .height = 256,
                           .format = formats[f],
                           .pixels = expected,
                           .stride = BYTES / 256};
    stijl_vulkan_target target = STIJL_VULKAN_TARGET_INIT;
    target.width = target.height = 256;
    target.format = formats[f];
    target.buffer = b.handle;
    target.stride = BYTES / 256;
    draw_scalar(scene, &memory, true);
    draw(gpu, scene, &target, true, NULL);
    same(b.bytes, expected, BYTES, "all pixels");
  }
  free(expected);
  app_free_buffer(&a, b);
  stijl_scene_destroy(scene);
  stijl_renderer_destroy(gpu);
  app_close(&a);
}

static void compare_image(app *a, stijl_renderer *gpu, stijl_format format, stijl_irect region, bool keep) {
  enum { WIDTH = 190, HEIGHT = 175, BYTES = WIDTH * HEIGHT * 4 };
  bool blue_first = format == STIJL_FORMAT_BGRA8 || format == STIJL_FORMAT_BGRA8_STRAIGHT;
  uint64_t seed = (uint64_t)format + 7;
  bool whole = region.x1 == 0;
  stijl_scene *scene = whole ? make_blended_scene(seed, 12, WIDTH, HEIGHT) : make_scene(seed, 30, WIDTH, HEIGHT);
  VkFormat image_format = blue_first ? VK_FORMAT_B8G8R8A8_UNORM : VK_FORMAT_R8G8B8A8_SRGB;
  app_picture image = app_image(a, WIDTH, HEIGHT, image_format);
  app_shared b = app_buffer(a, BYTES, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  uint8_t *expected = malloc(BYTES);
  if (!expected) abort();
  fill_pattern(expected, BYTES);
  memcpy(b.bytes, expected, BYTES);
  app_copy_image(a, &image, b, true);
  size_t start = ((size_t)region.y0 * WIDTH + (size_t)region.x0) * 4;
  stijl_target memory = {.size = sizeof memory,
                         .width = WIDTH,
                         .height = HEIGHT,
                         .region = region,
                         .format = format,
                         .pixels = expected + start,
                         .stride = (size_t)WIDTH * 4};
  stijl_vulkan_target target = STIJL_VULKAN_TARGET_INIT;
  target.width = WIDTH;
  target.height = HEIGHT;
  target.region = region;
  target.format = format;
  target.image = image.handle;
  target.image_format = image_format;
  target.layer = 1;
  target.layout_before = (int)image.layout;
  target.layout_after = (int)(image.layout = VK_IMAGE_LAYOUT_GENERAL);
  draw_scalar(scene, &memory, keep);
  draw(gpu, scene, &target, keep, NULL);
  app_copy_image(a, &image, b, false);
  same(b.bytes, expected, BYTES, keep ? "image, drawn over" : "image");
  free(expected);
  app_free_buffer(a, b);
  app_free_image(a, image);
  stijl_scene_destroy(scene);
}

TEST(images) {
  app a;
  if (!app_open(&a)) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_renderer *gpu = app_renderer(&a), *banded = app_renderer_with(&a, "range", "65536");
  for (int i = 0; i < 4 * 4; i++) {
    stijl_irect region = i & 1 ? (stijl_irect){17, 3, 150, 149} : (stijl_irect){0, 0, 0, 0};
    compare_image(&a, gpu, formats[i / 4], region, i & 2);
    compare_image(&a, banded, formats[i / 4], region, i & 2);
    // Drawn over although the first attempt has no room.
    stijl_renderer *small = app_renderer_with(&a, "tiles", "1");
    compare_image(&a, small, formats[i / 4], region, i & 2);
    stijl_renderer_destroy(small);
  }
  stijl_renderer_destroy(banded);
  stijl_renderer_destroy(gpu);
  app_close(&a);
}

// --- Frames in flight ---

TEST(growth_in_flight) {
  app a;
  if (!app_open(&a)) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  enum { SIZE = 300, BYTES = SIZE * SIZE * 4 };
  stijl_renderer *gpu = app_renderer_with(&a, "tiles", "1");
  stijl_scene *scene = make_scene(3, 60, SIZE, SIZE);
  app_shared b = app_buffer(&a, BYTES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  uint8_t *expected = malloc(BYTES), *before = malloc(BYTES);
  if (!expected || !before) abort();
  fill_pattern(before, BYTES);
  memcpy(b.bytes, before, BYTES);
  stijl_target memory = {.size = sizeof memory,
                         .width = SIZE,
                         .height = SIZE,
                         .format = STIJL_FORMAT_RGBA8,
                         .pixels = expected,
                         .stride = BYTES / SIZE};
  draw_scalar(scene, &memory, false);
  stijl_vulkan_target target = STIJL_VULKAN_TARGET_INIT;
  target.width = target.height = SIZE;
  target.buffer = b.handle;
  target.stride = BYTES / SIZE;
  stijl_vulkan_frame frame = STIJL_VULKAN_FRAME_INIT;
  frame.in_flight = true;
  bool painted = false;
  CHECK_INT(stijl_vulkan_finish(gpu, &painted, NULL), STIJL_OK);
  CHECK(painted);  // there was none
  draw(gpu, scene, &target, false, &frame);
  CHECK_INT(stijl_vulkan_finish(gpu, &painted, NULL), STIJL_OK);
  CHECK(!painted);
  same(b.bytes, before, BYTES, "a frame without room");
  draw(gpu, scene, &target, false, &frame);
  CHECK_INT(stijl_vulkan_finish(gpu, &painted, NULL), STIJL_OK);
  CHECK(painted);
  same(b.bytes, expected, BYTES, "drawn again");
  // Nobody asks about a frame; the next one waits for it, and so does the end.
  stijl_scene *other = make_scene(4, 200, SIZE, SIZE);
  draw(gpu, other, &target, false, &frame);
  draw(gpu, scene, &target, false, &frame);
  stijl_renderer_destroy(gpu);
  same(b.bytes, expected, BYTES, "the last of two");
  stijl_scene_destroy(other);
  stijl_scene_destroy(scene);
  free(expected);
  free(before);
  app_free_buffer(&a, b);
  app_close(&a);
}

// Draws a frame that differs from the others by its transform, into a buffer of its own or memory.
static void draw_scaled(stijl_renderer *renderer, const stijl_scene *scene, int i, const stijl_vulkan_target *target,
                        const stijl_target *memory) {
  stijl_render_params render = STIJL_RENDER_PARAMS_INIT;
  render.transform = stijl_matrix_scale(0.4f + 0.2f * (float)i, 0.9f);
  render.background = (stijl_color){0.1f * (float)i, 0.4f, 0.6f, 0.5f};
  stijl_vulkan_frame frame = STIJL_VULKAN_FRAME_INIT;
  frame.in_flight = true;
  stijl_message message = {""};
  stijl_result result = memory ? stijl_render(renderer, scene, memory, &render, &message)
                               : stijl_vulkan_render(renderer, scene, target, &render, &frame, &message);
  if (result != STIJL_OK) sj_test_fail("drawing", i, "%s", message.text);
}

// One renderer leaves frames in flight, one after the other: of a scene, of two in turn, with too little room at first,
// and where the loops of stages are cut into many batches.
TEST(frames_in_flight) {
  app a;
  if (!app_open(&a)) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  enum { SIZE = 200, BYTES = SIZE * SIZE * 4, FRAMES = 7 };
  static const char *const rooms[][2] = {
      {"tiles", "100000"}, {"tiles", "1"}, {"turns", "200"}, {"tiles", "100000"}, {"tiles", "100000"}};
  stijl_filter *filter = NULL;
  CHECK_INT(stijl_filter_create(NULL, &filter), STIJL_OK);
  stijl_filter_drop_shadow(filter, NULL, STIJL_FILTER_SOURCE, 2, 3, 4, 4, (stijl_color){0, 0, 0.5f, 0.8f});
  stijl_layer filtered = STIJL_LAYER_INIT;
  filtered.filter = filter;
  // In the last room every other frame has filters, each as large as the frame is scaled.
  stijl_scene *scenes[] = {make_scene(3, 60, SIZE, SIZE), make_scene(5, 90, SIZE, SIZE),
                           make_layered_scene(4, 12, SIZE, SIZE, &filtered)};
  stijl_filter_destroy(filter);
  app_shared b[FRAMES];
  uint8_t *expected = malloc(BYTES);
  if (!expected) abort();
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  stijl_renderer *cpu = NULL;
  CHECK_INT(stijl_renderer_create(NULL, &params, &cpu, NULL), STIJL_OK);
  for (int i = 0; i < FRAMES; i++) b[i] = app_buffer(&a, BYTES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  for (int k = 0; k < 10; k++) {
    int room = k % 5;
    sj_trial_set("resident", k < 5 ? NULL : "1");  // the device encodes the draws
    stijl_renderer *gpu = app_renderer_with(&a, rooms[room][0], rooms[room][1]);
    sj_trial_set("resident", NULL);
    bool painted = false;
    for (int tries = 0; tries < 8 && !painted; tries++) {
      for (int i = 0; i < FRAMES; i++) {
        memset(b[i].bytes, 0x5a, BYTES);
        stijl_vulkan_target target = STIJL_VULKAN_TARGET_INIT;
        target.width = target.height = SIZE;
        target.buffer = b[i].handle;
        target.stride = BYTES / SIZE;
        draw_scaled(gpu, scenes[room >= 3 ? (i & 1) * (room - 2) : 0], i, &target, NULL);
      }
      CHECK_INT(stijl_vulkan_finish(gpu, &painted, NULL), STIJL_OK);
    }
    CHECK(painted);
    for (int i = 0; i < FRAMES; i++) {
      stijl_target memory = {.size = sizeof memory,
                             .width = SIZE,
                             .height = SIZE,
                             .format = STIJL_FORMAT_RGBA8,
                             .pixels = expected,
                             .stride = BYTES / SIZE};
      draw_scaled(cpu, scenes[room >= 3 ? (i & 1) * (room - 2) : 0], i, NULL, &memory);
      same(b[i].bytes, expected, BYTES, rooms[room][0]);
    }
    stijl_renderer_destroy(gpu);
  }
  for (int i = 0; i < FRAMES; i++) app_free_buffer(&a, b[i]);
  for (int i = 0; i < 3; i++) stijl_scene_destroy(scenes[i]);
  stijl_renderer_destroy(cpu);
  free(expected);
  app_close(&a);
}

// Two renderers leave frames in flight in turn, each on a queue of its own where the device has two: then frames run
// side by side.
TEST(queues) {
  app a;
  if (!app_open(&a)) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  enum { SIZE = 300, BYTES = SIZE * SIZE * 4, FRAMES = 8, ROUNDS = 5 };
  stijl_renderer *gpus[2];
  for (uint32_t i = 0; i < 2; i++) {
    a.vk.GetDeviceQueue(a.vk.device, a.vk.family, i % a.vk.queues, &a.device.queue);
    gpus[i] = app_renderer(&a);
  }
  stijl_renderer *cpu = NULL;
  CHECK_INT(stijl_renderer_create(NULL, NULL, &cpu, NULL), STIJL_OK);
  stijl_scene *scenes[2] = {make_scene(3, 60, SIZE, SIZE), make_scene(5, 300, SIZE, SIZE)};
  app_shared b[FRAMES];
  uint8_t *expected = malloc(BYTES);
  if (!expected) abort();
  for (int i = 0; i < FRAMES; i++) b[i] = app_buffer(&a, BYTES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < FRAMES; i++) {
      stijl_vulkan_target target = STIJL_VULKAN_TARGET_INIT;
      target.width = target.height = SIZE;
      target.buffer = b[i].handle;
      target.stride = BYTES / SIZE;
      draw_scaled(gpus[i & 1], scenes[i >> 1 & 1], i, &target, NULL);
    }
    bool painted[2];
    for (int i = 0; i < 2; i++) CHECK_INT(stijl_vulkan_finish(gpus[i], &painted[i], NULL), STIJL_OK);
    if (!round) continue;  // buffers have grown
    CHECK(painted[0] && painted[1]);
  }
  for (int i = 0; i < FRAMES; i++) {
    stijl_target memory = STIJL_TARGET_INIT;
    memory.width = memory.height = SIZE;
    memory.pixels = expected;
    memory.stride = BYTES / SIZE;
    draw_scaled(cpu, scenes[i >> 1 & 1], i, NULL, &memory);
    same(b[i].bytes, expected, BYTES, "two queues");
    app_free_buffer(&a, b[i]);
  }
  for (int i = 0; i < 2; i++) stijl_renderer_destroy(gpus[i]);
  for (int i = 0; i < 2; i++) stijl_scene_destroy(scenes[i]);
  stijl_renderer_destroy(cpu);
  free(expected);
  app_close(&a);
}

// Frames are repeated into memory of the renderer's own: the application's buffer is what the frame has left in it, and
// may be gone.
TEST(repeat) {
  app a;
  if (!app_open(&a)) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  enum { SIZE = 200, BYTES = SIZE * SIZE * 4 };
  stijl_renderer *gpu = app_renderer_with(&a, "tiles", "1");
  stijl_scene *scene = make_scene(3, 60, SIZE, SIZE);
  app_shared b = app_buffer(&a, BYTES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  uint8_t *pattern = malloc(BYTES);
  if (!pattern) abort();
  fill_pattern(pattern, BYTES);
  stijl_vulkan_target target = STIJL_VULKAN_TARGET_INIT;
  target.width = target.height = SIZE;
  target.buffer = b.handle;
  target.stride = BYTES / SIZE;
  stijl_vulkan_frame frame = STIJL_VULKAN_FRAME_INIT;
  frame.in_flight = true;
  double us = 0;
  // What a frame that had no room was bound to is gone, once the buffers have grown.
  draw(gpu, scene, &target, false, &frame);
  CHECK_INT(stijl_renderer_repeat(gpu, 2, &us, NULL), STIJL_ERROR_INVALID_STATE);
  for (int i = 0; i < 2; i++) {
    frame.in_flight = i == 0;
    draw(gpu, scene, &target, false, &frame);
    bool painted = false;
    CHECK_INT(stijl_vulkan_finish(gpu, &painted, NULL), STIJL_OK);
    memcpy(b.bytes, pattern, BYTES);
    for (int again = 0; again < 2; again++) CHECK_INT(stijl_renderer_repeat(gpu, 2, &us, NULL), STIJL_OK);
    same(b.bytes, pattern, BYTES, "repeated");
  }
  uint8_t *expected = malloc(BYTES);
  if (!expected) abort();
  stijl_target memory = {.size = sizeof memory,
                         .width = SIZE,
                         .height = SIZE,
                         .format = STIJL_FORMAT_RGBA8,
                         .pixels = expected,
                         .stride = BYTES / SIZE};
  draw_scalar(scene, &memory, false);
  draw(gpu, scene, &target, false, NULL);
  same(b.bytes, expected, BYTES, "drawn after it was repeated");
  app_free_buffer(&a, b);
  CHECK_INT(stijl_renderer_repeat(gpu, 2, &us, NULL), STIJL_OK);
  free(pattern);
  free(expected);
  stijl_scene_destroy(scene);
  stijl_renderer_destroy(gpu);
  app_close(&a);
}

static VkSemaphore make_semaphore(app *a, bool timeline) {
  VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                    .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
  VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = timeline ? &type : NULL};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  app_must(a->CreateSemaphore(a->vk.device, &info, NULL, &semaphore), "making a semaphore");
  return semaphore;
}

static uint64_t value_of(app *a, VkSemaphore semaphore) {
  uint64_t value = 0;
  app_must(a->GetSemaphoreCounterValue(a->vk.device, semaphore, &value), "reading a semaphore");
  return value;
}

// --- Many pictures ---

enum { ALBUM = 12 };

static void make_album(stijl_scene *const scenes[3], stijl_picture pictures[ALBUM]) {
  for (int i = 0; i < ALBUM; i++) {
    int x = i % 4 * 51 + 5, y = i / 4 * 55 + 3;
    pictures[i] = (stijl_picture)STIJL_PICTURE_INIT;
    pictures[i].scene = scenes[i % 3];
    pictures[i].transform = stijl_matrix_translate((float)i * 0.3f, -(float)i);
    pictures[i].background = (stijl_color){0.2f, 0.4f, 0.6f, 0.2f * (float)(i % 6)};
    pictures[i].place = (stijl_irect){x, y, x + 30 + i, y + 40 + i};
  }
}

// Compares many pictures in buffers, in place and not, and in an image, by a renderer that draws all together and by
// one that has not enough room for that.
static void compare_many(app *a, stijl_renderer *gpu, const stijl_picture pictures[ALBUM], stijl_format format,
                         bool direct, bool in_flight) {
  enum { WIDTH = 213, HEIGHT = 170 };
  stijl_vulkan_target target = STIJL_VULKAN_TARGET_INIT;
  target.width = WIDTH;
  target.height = HEIGHT;
  target.format = format;
  target.region = (stijl_irect){4, 1, 212, 168};
  size_t width = 208, height = 167;
  target.offset = direct ? 512 : 532;
  target.stride = direct ? width * 4 + 48 : width * stijl_format_bytes(format) + 36;
  size_t bytes = target.offset + target.stride * height + 100;
  uint8_t *expected;
  app_shared b = begin_buffer(a, &target, bytes, &expected);
  stijl_target memory = memory_like(&target, expected);
  stijl_renderer *cpu = NULL;
  CHECK_INT(stijl_renderer_create(NULL, NULL, &cpu, NULL), STIJL_OK);
  CHECK_INT(stijl_render_many(cpu, pictures, ALBUM, &memory, NULL, NULL), STIJL_OK);
  stijl_renderer_destroy(cpu);
  stijl_vulkan_frame frame = STIJL_VULKAN_FRAME_INIT;
  frame.in_flight = in_flight;
  for (int tries = 0, painted = 0; tries < 3 && !painted; tries++) {
    stijl_message message = {""};
    bool done = true;
    if (stijl_vulkan_render_many(gpu, pictures, ALBUM, &target, NULL, &frame, &message) != STIJL_OK)
      sj_test_fail("many", 0, "%s", message.text);
    CHECK_INT(stijl_vulkan_finish(gpu, &done, NULL), STIJL_OK);
    painted = done;
  }
  same(b.bytes, expected, bytes, "many, buffer");
  free(expected);
  app_free_buffer(a, b);
}

static void compare_many_image(app *a, stijl_renderer *gpu, const stijl_picture pictures[ALBUM]) {
  enum { WIDTH = 213, HEIGHT = 170, BYTES = WIDTH * HEIGHT * 4 };
  app_picture image = app_image(a, WIDTH, HEIGHT, VK_FORMAT_R8G8B8A8_UNORM);
  app_shared b = app_buffer(a, BYTES, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  uint8_t *expected = malloc(BYTES);
  if (!expected) abort();
  stijl_vulkan_target target = STIJL_VULKAN_TARGET_INIT;
  target.width = WIDTH;
  target.height = HEIGHT;
  target.image = image.handle;
  target.image_format = VK_FORMAT_R8G8B8A8_UNORM;
  target.layer = 1;
  target.layout_before = VK_IMAGE_LAYOUT_UNDEFINED;
  target.layout_after = (int)(image.layout = VK_IMAGE_LAYOUT_GENERAL);
  stijl_target memory = {
      .size = sizeof memory, .width = WIDTH, .height = HEIGHT, .pixels = expected, .stride = (size_t)WIDTH * 4};
  stijl_renderer *cpu = NULL;
  CHECK_INT(stijl_renderer_create(NULL, NULL, &cpu, NULL), STIJL_OK);
  CHECK_INT(stijl_render_many(cpu, pictures, ALBUM, &memory, NULL, NULL), STIJL_OK);
  stijl_renderer_destroy(cpu);
  CHECK_INT(stijl_vulkan_render_many(gpu, pictures, ALBUM, &target, NULL, NULL, NULL), STIJL_OK);
  app_copy_image(a, &image, b, false);
  same(b.bytes, expected, BYTES, "many, image");
  free(expected);
  app_free_buffer(a, b);
  app_free_image(a, image);
}

TEST(many) {
  app a;
  if (!app_open(&a)) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_filter *filter = NULL;
  CHECK_INT(stijl_filter_create(NULL, &filter), STIJL_OK);
  stijl_filter_drop_shadow(filter, NULL, STIJL_FILTER_SOURCE, 2, 3, 4, 4, (stijl_color){0, 0, 0.5f, 0.8f});
  stijl_layer shadow = STIJL_LAYER_INIT;
  shadow.filter = filter;
  stijl_scene *scenes[] = {make_scene(1, 20, 50, 50), make_blended_scene(2, 6, 50, 50),
                           make_layered_scene(3, 3, 50, 50, &shadow)};
  stijl_picture pictures[ALBUM];
  make_album(scenes, pictures);
  stijl_renderer_params little = STIJL_RENDERER_PARAMS_INIT;
  little.max_layer_bytes = 30000;  // enough for each picture alone, whatever the compiler makes of random scenes
  stijl_renderer *renderers[3] = {app_renderer(&a), app_renderer_with(&a, "range", "65536")};
  CHECK_INT(stijl_vulkan_renderer_create(NULL, &little, &a.device, &renderers[2], NULL), STIJL_OK);
  for (int i = 0; i < 3; i++) {
    for (int f = 0; f < FORMATS - (i == 2); f++) compare_many(&a, renderers[i], pictures, formats[f], false, f & 1);
    compare_many(&a, renderers[i], pictures, STIJL_FORMAT_RGBA8, true, false);
    compare_many(&a, renderers[i], pictures, STIJL_FORMAT_RGBA8, true, true);
    compare_many_image(&a, renderers[i], pictures);
  }
  stijl_render_stats stats = {.size = sizeof stats};
  for (int i = 0; i < 2; i++) {
    compare_many(&a, renderers[0], pictures, STIJL_FORMAT_RGBA8, true, false);
    stijl_renderer_stats(renderers[0], &stats);
  }
  CHECK_INT(stats.submits, 1);
  uint32_t together = stats.draws;
  stijl_renderer_stats(renderers[2], &stats);
  CHECK(stats.draws < together / 3);  // those of the last picture
  for (int i = 0; i < 3; i++) stijl_renderer_destroy(renderers[i]);
  for (int i = 0; i < 3; i++) stijl_scene_destroy(scenes[i]);
  stijl_filter_destroy(filter);
  app_close(&a);
}

// Two renderers take turns on one device; each frame waits for the one before, and draws over it.
TEST(semaphores) {
  app a;
  if (!app_open(&a)) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  enum { SIZE = 128, BYTES = SIZE * SIZE * 4, FRAMES = 6 };
  stijl_renderer *gpus[2] = {app_renderer(&a), app_renderer(&a)};
  VkSemaphore timeline = make_semaphore(&a, true), binary = make_semaphore(&a, false);
  app_shared b = app_buffer(&a, BYTES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  uint8_t *expected = malloc(BYTES);
  if (!expected) abort();
  stijl_target memory = {.size = sizeof memory,
                         .width = SIZE,
                         .height = SIZE,
                         .format = STIJL_FORMAT_BGRA8,
                         .pixels = expected,
                         .stride = BYTES / SIZE};
  stijl_vulkan_target target = STIJL_VULKAN_TARGET_INIT;
  target.width = target.height = SIZE;
  target.format = STIJL_FORMAT_BGRA8;
  target.buffer = b.handle;
  target.stride = BYTES / SIZE;
  stijl_vulkan_semaphore wait[2] = {{timeline, 1}, {binary, 0}}, signal[2] = {{timeline, 2}, {binary, 0}};
  VkSemaphoreSignalInfo start = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = timeline, .value = 1};
  app_must(a.SignalSemaphore(a.vk.device, &start), "signalling");
  for (uint32_t i = 0; i < FRAMES; i++) {
    stijl_vulkan_frame frame = STIJL_VULKAN_FRAME_INIT;
    stijl_scene *scene = make_scene(i, 10, SIZE, SIZE);
    wait[0].value = i + 1;
    signal[0].value = i + 2;
    frame.wait = wait;
    frame.wait_count = i ? 2 : 1;  // a binary one must have been signalled
    frame.signal = signal;
    frame.signal_count = i + 1 < FRAMES ? 2 : 1;
    frame.in_flight = i % 3 == 1;
    draw_scalar(scene, &memory, i % 3 == 2);
    draw(gpus[i & 1], scene, &target, i % 3 == 2, &frame);
    stijl_scene_destroy(scene);
  }
  bool painted = false;
  for (int i = 0; i < 2; i++) {
    CHECK_INT(stijl_vulkan_finish(gpus[i], &painted, NULL), STIJL_OK);
    CHECK(painted);
  }
  app_must(a.QueueWaitIdle(a.vk.queue), "waiting");
  CHECK_INT(value_of(&a, timeline), FRAMES + 1);
  same(b.bytes, expected, BYTES, "frames in a row");
  a.DestroySemaphore(a.vk.device, timeline, NULL);
  a.DestroySemaphore(a.vk.device, binary, NULL);
  free(expected);
  app_free_buffer(&a, b);
  for (int i = 0; i < 2; i++) stijl_renderer_destroy(gpus[i]);
  app_close(&a);
}

typedef struct worker {
  app *a;
  uint64_t seed;
  uint8_t *expected, *got;
} worker;

enum { WORKER_SIZE = 150, WORKER_BYTES = WORKER_SIZE * WORKER_SIZE * 4 };

static void *work(void *user) {
  worker *w = user;
  stijl_renderer *gpu = app_renderer(w->a);
  app_shared b = app_buffer(w->a, WORKER_BYTES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  for (uint64_t i = 0; i < 10; i++) {
    stijl_scene *scene = make_scene(w->seed + i, 20, WORKER_SIZE, WORKER_SIZE);
    stijl_target memory = {.size = sizeof memory,
                           .width = WORKER_SIZE,
                           .height = WORKER_SIZE,
                           .format = STIJL_FORMAT_RGBA8,
                           .pixels = w->expected,
                           .stride = (size_t)WORKER_SIZE * 4};
    stijl_vulkan_target target = STIJL_VULKAN_TARGET_INIT;
    target.width = target.height = WORKER_SIZE;
    target.buffer = b.handle;
    target.stride = memory.stride;
    draw_scalar(scene, &memory, false);
    draw(gpu, scene, &target, false, NULL);
    memcpy(w->got, b.bytes, WORKER_BYTES);
    same(w->got, w->expected, WORKER_BYTES, "threads");
    memory.pixels = w->got;  // and into memory
    stijl_render_params render = STIJL_RENDER_PARAMS_INIT;
    render.background = (stijl_color){0.2f, 0.4f, 0.6f, 0.5f};
    CHECK_INT(stijl_render(gpu, scene, &memory, &render, NULL), STIJL_OK);
    same(w->got, w->expected, WORKER_BYTES, "threads, memory");
    stijl_scene_destroy(scene);
  }
  app_free_buffer(w->a, b);
  stijl_renderer_destroy(gpu);
  return NULL;
}

TEST(threads) {
  app a;
  if (!app_open(&a)) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  a.device.lock_queue = app_lock;
  a.device.unlock_queue = app_unlock;
  a.device.user = &a;
  worker workers[2];
  pthread_t threads[2];
  for (uint64_t i = 0; i < 2; i++) {
    workers[i] = (worker){&a, 100 * i, malloc(WORKER_BYTES), malloc(WORKER_BYTES)};
    if (!workers[i].expected || !workers[i].got || pthread_create(&threads[i], NULL, work, &workers[i]) != 0) abort();
  }
  for (int i = 0; i < 2; i++) {
    pthread_join(threads[i], NULL);
    free(workers[i].expected);
    free(workers[i].got);
  }
  CHECK(atomic_load(&a.locked) >= 40);
  app_close(&a);
}

// --- What is refused ---

static void refused(app *a, const stijl_vulkan_device *device, stijl_result expected, const char *part) {
  stijl_renderer *renderer = NULL;
  stijl_message message = {""};
  CHECK_INT(stijl_vulkan_renderer_create(NULL, NULL, device, &renderer, &message), expected);
  CHECK(renderer == NULL);
  if (!strstr(message.text, part)) sj_test_fail("message", 0, "\"%s\" lacks \"%s\"", message.text, part);
}

TEST(bad_devices) {
  app a;
  if (!app_open(&a)) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_vulkan_device d = a.device;
  refused(&a, NULL, STIJL_ERROR_INVALID_ARGUMENT, "missing");
  d.queue = NULL;
  refused(&a, &d, STIJL_ERROR_INVALID_ARGUMENT, "queue");
  d = a.device;
  d.size = 8;
  refused(&a, &d, STIJL_ERROR_INVALID_ARGUMENT, "not initialised");
  d = a.device;
  d.lock_queue = app_lock;
  refused(&a, &d, STIJL_ERROR_INVALID_ARGUMENT, "unlock");
  d = a.device;
  d.queue_family = 77;
  refused(&a, &d, STIJL_ERROR_INVALID_ARGUMENT, "queue family 77");
  d = a.device;
  VkPhysicalDeviceMaintenance4Features m4 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES};
  VkPhysicalDeviceScalarBlockLayoutFeatures sbl = {.sType =
                                                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES};
  d.features = &m4;
  refused(&a, &d, STIJL_ERROR_INVALID_ARGUMENT, "scalarBlockLayout");
  stijl_message message = {""};
  CHECK_INT(stijl_vulkan_enable(&sbl, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK(strstr(message.text, "maintenance4") != NULL);
  sbl.pNext = &m4;
  m4.maintenance4 = VK_FALSE;
  d.features = &sbl;
  refused(&a, &d, STIJL_ERROR_INVALID_ARGUMENT, "maintenance4");
  CHECK_INT(stijl_vulkan_enable(&sbl, &message), STIJL_OK);
  CHECK(sbl.scalarBlockLayout && m4.maintenance4);
  stijl_renderer *renderer = NULL;
  CHECK_INT(stijl_vulkan_renderer_create(NULL, NULL, &d, &renderer, &message), STIJL_OK);
  CHECK_INT(stijl_renderer_backend(renderer), STIJL_BACKEND_VULKAN);
  stijl_renderer_destroy(renderer);
  PFN_vkGetInstanceProcAddr get = a.device.get_instance_proc_addr;
  CHECK_INT(stijl_vulkan_check(get, a.device.instance, a.device.physical_device, &message), STIJL_OK);
  CHECK_INT(stijl_vulkan_check(get, NULL, NULL, &message), STIJL_ERROR_INVALID_ARGUMENT);
  sj_trial_set("fault", "feature");
  CHECK_INT(stijl_vulkan_check(get, a.device.instance, a.device.physical_device, &message), STIJL_ERROR_UNSUPPORTED);
  CHECK(strstr(message.text, "scalarBlockLayout") != NULL);
  refused(&a, &a.device, STIJL_ERROR_UNSUPPORTED, "lacks");
  sj_trial_set("fault", NULL);
  app_close(&a);
}

static void bad_target(stijl_renderer *gpu, const stijl_scene *scene, const stijl_vulkan_target *target, bool keep,
                       const stijl_vulkan_frame *frame, const char *part) {
  stijl_message message = {""};
  stijl_render_params render = STIJL_RENDER_PARAMS_INIT;
  render.keep = keep;
  CHECK_INT(stijl_vulkan_render(gpu, scene, target, &render, frame, &message), STIJL_ERROR_INVALID_ARGUMENT);
  if (!strstr(message.text, part)) sj_test_fail("message", 0, "\"%s\" lacks \"%s\"", message.text, part);
}

TEST(bad_targets) {
  app a;
  if (!app_open(&a)) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  enum { SIZE = 64 };
  stijl_renderer *gpu = app_renderer(&a);
  stijl_scene *scene = make_scene(0, 3, SIZE, SIZE);
  app_shared b = app_buffer(&a, SIZE * SIZE * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  app_picture image = app_image(&a, SIZE, SIZE, VK_FORMAT_R8G8B8A8_UNORM);
  stijl_vulkan_target buffer = STIJL_VULKAN_TARGET_INIT, t;
  buffer.width = buffer.height = SIZE;
  t = buffer;
  bad_target(gpu, scene, &t, false, NULL, "either a buffer or an image");
  buffer.buffer = b.handle;
  buffer.stride = (size_t)SIZE * 4;
  t = buffer;
  t.image = image.handle;
  bad_target(gpu, scene, &t, false, NULL, "either a buffer or an image");
  bad_target(gpu, scene, NULL, false, NULL, "no target");
#define WRONG(field, value, part) \
  t = buffer;                     \
  t.field = value;                \
  bad_target(gpu, scene, &t, false, NULL, part)
  WRONG(size, 8, "not initialised");
  WRONG(width, 0, "size");
  WRONG(height, 40000, "size");
  WRONG(region.x1, SIZE + 1, "region");
  WRONG(format, (stijl_format)9, "format");
  WRONG(offset, 2, "multiples of 4");
  WRONG(stride, (size_t)SIZE * 4 + 1, "multiples of 4");
  WRONG(stride, (size_t)SIZE * 4 - 4, "stride");
  WRONG(stride, (size_t)SIZE * 400, "ends before");
  WRONG(offset, UINT64_MAX - 3, "ends before");
  WRONG(stride, UINT64_MAX - 3, "ends before");
#undef WRONG
  stijl_vulkan_target drawn = STIJL_VULKAN_TARGET_INIT;
  drawn.width = drawn.height = SIZE;
  drawn.image = image.handle;
  drawn.image_format = VK_FORMAT_R8G8B8A8_UNORM;
  drawn.layout_after = VK_IMAGE_LAYOUT_GENERAL;
  bad_target(gpu, scene, &drawn, true, NULL, "layout_before");
  t = drawn;
  t.layout_after = VK_IMAGE_LAYOUT_UNDEFINED;
  bad_target(gpu, scene, &t, false, NULL, "layout_after");
  t = drawn;
  t.format = STIJL_FORMAT_BGRA8;
  bad_target(gpu, scene, &t, false, NULL, "red and blue");
  t = drawn;
  t.format = STIJL_FORMAT_A8;
  bad_target(gpu, scene, &t, false, NULL, "four bytes");
  t = drawn;
  t.image_format = VK_FORMAT_R16G16B16A16_SFLOAT;
  bad_target(gpu, scene, &t, false, NULL, "VK_FORMAT_R8G8B8A8");
  stijl_vulkan_frame frame = STIJL_VULKAN_FRAME_INIT;
  frame.wait_count = 1;
  bad_target(gpu, scene, &buffer, false, &frame, "semaphores");
  frame.wait_count = 0;
  frame.signal_count = 100;
  bad_target(gpu, scene, &buffer, false, &frame, "semaphores");
  // Afterwards it still draws.
  draw(gpu, scene, &buffer, false, NULL);
  bool painted;
  CHECK_INT(stijl_vulkan_finish(gpu, NULL, NULL), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_renderer *cpu = NULL;
  stijl_message message = {""};
  CHECK_INT(stijl_renderer_create(NULL, NULL, &cpu, NULL), STIJL_OK);
  CHECK_INT(stijl_vulkan_render(cpu, scene, &buffer, NULL, NULL, &message), STIJL_ERROR_UNSUPPORTED);
  CHECK_INT(stijl_vulkan_finish(cpu, &painted, &message), STIJL_ERROR_UNSUPPORTED);
  CHECK(strstr(message.text, "CPU") != NULL);
  stijl_renderer_destroy(cpu);
  app_free_image(&a, image);
  app_free_buffer(&a, b);
  stijl_scene_destroy(scene);
  stijl_renderer_destroy(gpu);
  app_close(&a);
}

TEST(lost_device) {
  app a;
  if (!app_open(&a)) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  enum { SIZE = 16 };
  stijl_renderer *gpu = app_renderer_with(&a, "fault", "lost");
  stijl_scene *scene = make_scene(0, 1, SIZE, SIZE);
  app_shared b = app_buffer(&a, SIZE * SIZE * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  stijl_vulkan_target target = STIJL_VULKAN_TARGET_INIT;
  target.width = target.height = SIZE;
  target.buffer = b.handle;
  target.stride = (size_t)SIZE * 4;
  stijl_message message = {""};
  CHECK_INT(stijl_vulkan_render(gpu, scene, &target, NULL, NULL, &message), STIJL_ERROR_DEVICE);
  CHECK(strstr(message.text, "lost") != NULL);
  stijl_renderer_destroy(gpu);
  stijl_scene_destroy(scene);
  app_free_buffer(&a, b);
  app_close(&a);
}
