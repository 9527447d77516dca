#include "gpu/job.h"

#include <stdlib.h>

#include "base/trial.h"
#include "gpu/device.h"
#include "scene/scene.h"

job begin(int width, int height) {
  job j = {NULL, width, height};
  CHECK_INT(stijl_scene_create(NULL, NULL, &j.scene), STIJL_OK);
  j.scene->union_steps = SJ_UNION_STEPS;  // what overlaps itself is drawn as it is
  return j;
}

stijl_color random_color(sj_random *r, bool opaque) {
  float red = sj_random_float(r, 0, 1), green = sj_random_float(r, 0, 1), blue = sj_random_float(r, 0, 1);
  return (stijl_color){red, green, blue, opaque ? 1.0f : sj_random_float(r, 0.1f, 1)};
}

static void draw(const job *j, stijl_renderer *renderer, uint8_t *pixels) {
  stijl_target target = {.size = sizeof target,
                         .width = j->width,
                         .height = j->height,
                         .format = STIJL_FORMAT_RGBA8,
                         .pixels = pixels,
                         .stride = (size_t)j->width * 4};
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.background = (stijl_color){0.2f, 0.4f, 0.6f, 0.5f};
  stijl_message message = {""};
  if (stijl_render(renderer, j->scene, &target, &params, &message) != STIJL_OK)
    sj_test_fail("render", 0, "%s", message.text);
}

// Returns whether there is more than the background to see: else it says nothing when two pictures are equal.
static bool shows_something(stijl_renderer *cpu, const uint8_t *pixels, size_t bytes) {
  job empty = begin(1, 1);
  uint8_t background[4];
  CHECK_INT(stijl_scene_finish(empty.scene), STIJL_OK);
  draw(&empty, cpu, background);
  stijl_scene_destroy(empty.scene);
  for (size_t i = 0; i < bytes; i++)
    if (pixels[i] != background[i % 4]) return true;
  return false;
}

void compare_frames(job *j, stijl_renderer *gpu, const char *name, int frames) {
  CHECK_INT(stijl_scene_finish(j->scene), STIJL_OK);
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.isa = STIJL_ISA_SCALAR;
  params.threads = 1;
  stijl_renderer *cpu = NULL;
  CHECK_INT(stijl_renderer_create(NULL, &params, &cpu, NULL), STIJL_OK);
  size_t bytes = (size_t)j->width * (size_t)j->height * 4;
  uint8_t *a = malloc(bytes), *b = malloc(bytes);
  if (!a || !b || !cpu) abort();
  draw(j, cpu, a);
  if (strcmp(name, "empty") != 0 && !shows_something(cpu, a, bytes)) sj_test_fail(name, 0, "nothing is drawn");
  for (int frame = 0; frame < frames; frame++) {
    memset(b, 0x5a, bytes);
    draw(j, gpu, b);
    size_t differ = 0;
    for (size_t i = 0; i < bytes; i++) differ += a[i] != b[i];
    if (differ) sj_test_fail(name, frame, "%zu bytes differ", differ);
  }
  free(a);
  free(b);
  stijl_renderer_destroy(cpu);
  stijl_scene_destroy(j->scene);
}

void compare(job *j, stijl_renderer *gpu, const char *name) { compare_frames(j, gpu, name, 2); }

stijl_renderer *open_with(const char *name, const char *value) {
  sj_trial_set(name, value);
  stijl_renderer *renderer = sj_test_gpu();
  sj_trial_set(name, NULL);
  return renderer;
}

void add_shapes(job *j, int count, uint64_t seed) {
  sj_random r = sj_random_seed(seed);
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  float w = (float)j->width, h = (float)j->height;
  for (int i = 0; i < count; i++) {
    stijl_path_clear(path);
    stijl_path_move_to(path, sj_random_float(&r, -20, w + 20), sj_random_float(&r, -20, h + 20));
    for (int k = sj_random_int(&r, 1, 5); k > 0; k--) {
      float x[6];
      for (int c = 0; c < 6; c++) x[c] = sj_random_float(&r, -20, (c & 1 ? h : w) + 20);
      stijl_path_cubic_to(path, x[0], x[1], x[2], x[3], x[4], x[5]);
    }
    stijl_paint paint = stijl_paint_solid(random_color(&r, i % 3 == 0));
    if (i % 2) {
      stijl_stroke stroke = STIJL_STROKE_INIT;
      stroke.width = sj_random_float(&r, 0.5f, 9);
      stroke.cap = (stijl_cap)sj_random_int(&r, 0, 3);
      stroke.join = (stijl_join)sj_random_int(&r, 0, 3);
      stijl_scene_stroke(j->scene, path, &stroke, NULL, &paint);
    } else {
      stijl_scene_fill(j->scene, path, i % 4 ? STIJL_FILL_NONZERO : STIJL_FILL_EVENODD, NULL, &paint);
    }
  }
  stijl_path_destroy(path);
}

void compare_shapes(stijl_renderer *gpu, int width, int height, int count, uint64_t seed, const char *name) {
  job j = begin(width, height);
  add_shapes(&j, count, seed);
  compare(&j, gpu, name);
}

stijl_image *random_image(sj_random *r, int width, int height) {
  uint8_t *pixels = malloc((size_t)width * (size_t)height * 4);
  stijl_image *image = NULL;
  if (!pixels) abort();
  for (int i = 0; i < width * height * 4; i++) pixels[i] = (uint8_t)sj_random_u32(r);
  CHECK_INT(stijl_image_create(NULL, width, height, STIJL_FORMAT_RGBA8_STRAIGHT, pixels, (size_t)width * 4, &image),
            STIJL_OK);
  free(pixels);
  return image;
}

void fill_ellipse(job *j, float x, float y, float rx, float ry, stijl_color color) {
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_add_ellipse(path, x, y, rx, ry);
  stijl_paint paint = stijl_paint_solid(color);
  stijl_scene_fill(j->scene, path, STIJL_FILL_NONZERO, NULL, &paint);
  stijl_path_destroy(path);
}

void fill_rect(job *j, float x, float y, float w, float h, const stijl_paint *paint) {
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_add_rect(path, x, y, w, h);
  stijl_scene_fill(j->scene, path, STIJL_FILL_NONZERO, NULL, paint);
  stijl_path_destroy(path);
}
