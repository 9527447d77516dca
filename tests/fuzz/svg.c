// A document, plain or gzipped, is loaded and made into a scene with small limits, then drawn at 64 x 64.
#include <stdlib.h>

#include "fuzz.h"
#include "stijl/stijl.h"

enum { SIZE = 64 };

uint64_t fuzz_complete;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.limits = (stijl_svg_limits){.max_bytes = 1 << 16, .max_elements = 300, .max_depth = 32, .max_seconds = 2.0};
  params.image_limits.max_pixels = 1 << 12;
  stijl_message message;
  stijl_svg *svg = NULL;
  stijl_result result = stijl_svg_load(NULL, data, size, &params, &svg, &message);
  if ((result == STIJL_OK) != (svg != NULL) || (result == STIJL_OK) != (message.text[0] == 0)) abort();
  if (!svg) return 0;
  float width, height;
  stijl_svg_size(svg, &width, &height);
  if (!(width >= 0.0f) || !(height >= 0.0f)) abort();
  stijl_scene *scene = NULL;
  result = stijl_svg_scene(svg, SIZE, SIZE, &scene, &message);
  if ((result == STIJL_OK) != (scene != NULL)) abort();
  stijl_svg_destroy(svg);
  if (!scene) return 0;
  static uint8_t pixels[SIZE * SIZE * 4];
  stijl_renderer_params renderer_params = STIJL_RENDERER_PARAMS_INIT;
  renderer_params.threads = 1;
  renderer_params.max_layer_bytes = 1 << 22;
  stijl_renderer *renderer;
  if (stijl_renderer_create(NULL, &renderer_params, &renderer, &message) == STIJL_OK) {
    stijl_target target = {.size = sizeof target,
                           .width = SIZE,
                           .height = SIZE,
                           .format = STIJL_FORMAT_RGBA8,
                           .pixels = pixels,
                           .stride = SIZE * 4};
    if (stijl_render(renderer, scene, &target, NULL, &message) == STIJL_OK) fuzz_complete++;
    stijl_renderer_destroy(renderer);
  }
  stijl_scene_destroy(scene);
  return 0;
}
