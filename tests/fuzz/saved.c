// Saved scenes: what is read is drawn, and saved as it was. The checksum is made right first, as it would keep every
// mutation out.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "image/checksum.h"
#include "stijl/stijl.h"

uint64_t fuzz_complete;

typedef struct bytes {
  uint8_t *data;
  size_t count, capacity;
} bytes;

static bool append(void *user, const void *data, size_t count) {
  bytes *b = user;
  if (b->count + count > b->capacity) {
    b->capacity = 2 * (b->count + count);
    b->data = realloc(b->data, b->capacity);
    if (!b->data) abort();
  }
  if (count) memcpy(b->data + b->count, data, count);
  b->count += count;
  return true;
}

// Returns the input in whole words, with the right checksum behind it.
static bytes whole_file(const uint8_t *data, size_t size) {
  bytes file = {0};
  size_t words = size / 4;
  if (words > 1) append(&file, data, (words - 1) * 4);
  uint32_t crc = sj_crc32(0, file.data, file.count);
  append(&file, &crc, sizeof crc);
  return file;
}

static stijl_scene *load(stijl_context *context, const bytes *file, stijl_canvas *canvas) {
  stijl_scene_limits limits = STIJL_SCENE_LIMITS_INIT;
  limits.max_segments = 1 << 16;
  limits.max_draws = 1 << 12;
  limits.max_layers = 64;
  stijl_scene *scene;
  stijl_message message = {""};
  stijl_result result = stijl_scene_load(context, file->data, file->count, &limits, &scene, canvas, &message);
  if ((result == STIJL_OK) == (message.text[0] != 0) || (result == STIJL_OK) != (scene != NULL)) abort();
  return scene;
}

static void draw(const stijl_scene *scene, stijl_budget *budget, const stijl_canvas *canvas) {
  enum { SIDE = 40 };
  static stijl_renderer *renderer;
  if (!renderer) {
    stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
    params.threads = 1;
    params.max_layer_bytes = 1 << 20;
    if (stijl_renderer_create(NULL, &params, &renderer, NULL) != STIJL_OK) abort();
  }
  static uint32_t pixels[SIDE][SIDE];
  stijl_target target = {
      .size = sizeof target, .width = SIDE, .height = SIDE, .pixels = pixels, .stride = sizeof pixels[0]};
  stijl_render_params how = STIJL_RENDER_PARAMS_INIT;
  how.transform = stijl_matrix_scale((float)SIDE / (float)canvas->width, (float)SIDE / (float)canvas->height);
  how.background = canvas->background;
  how.budget = budget;
  stijl_result result = stijl_render(renderer, scene, &target, &how, NULL);
  if (result != STIJL_OK && result != STIJL_ERROR_LIMIT) abort();
  fuzz_complete += result == STIJL_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bytes file = whole_file(data, size), first = {0}, second = {0};
  stijl_budget_params params = STIJL_BUDGET_PARAMS_INIT;
  params.max_work = 50000000;
  stijl_budget *budget;
  if (stijl_budget_create(NULL, &params, &budget) != STIJL_OK) abort();
  stijl_canvas canvas = STIJL_CANVAS_INIT;
  stijl_scene *scene = load(NULL, &file, &canvas);
  if (scene) {
    draw(scene, budget, &canvas);
    if (stijl_scene_save(scene, &canvas, append, &first, NULL) != STIJL_OK) abort();
    stijl_scene *again = load(NULL, &first, &canvas);
    if (!again || stijl_scene_save(again, &canvas, append, &second, NULL) != STIJL_OK) abort();
    if (first.count != second.count || memcmp(first.data, second.data, first.count) != 0) abort();
    stijl_scene_destroy(again);
  }
  stijl_scene_destroy(scene);
  stijl_budget_destroy(budget);
  free(file.data);
  free(first.data);
  free(second.data);
  return 0;
}
