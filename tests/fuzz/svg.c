// A document, plain or gzipped, is loaded and made into a scene with small limits, then drawn at 64 x 64: by the scalar
// code, and with the same bits by the best instruction set, where subnormal floats are zero, and by the GPU that
// STIJL_TEST_DEVICE (gpu/device.h) asks for.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "gpu/device.h"
#include "render/renderer.h"
#include "stijl/fonts.h"
#include "stijl/stijl.h"
#include "subnormals.h"

enum { SIZE = 64 };

// What takes long to draw shows nothing new.
#define MAX_WORK 100000000

uint64_t fuzz_complete;

// Asks for all that a tree tells.
static void query(const stijl_svg *svg) {
  uint32_t count = stijl_svg_nodes(svg);
  for (uint32_t i = 0; i < count; i++) {
    stijl_svg_node node = STIJL_SVG_NODE_INIT;
    if (stijl_svg_get_node(svg, i, &node) != STIJL_OK) return;  // more than may be taken
    if (node.end <= i || node.end > count || (i && node.parent >= i)) abort();
    for (int which = 0; which <= STIJL_SVG_BOX_LAYER; which++) {
      stijl_rect box;
      bool empty = false;
      stijl_result result = stijl_svg_get_box(svg, i, (stijl_svg_box)which, which > 0, &box, &empty);
      if (result == STIJL_OK && !empty && !(box.x0 <= box.x1 && box.y0 <= box.y1)) abort();
    }
    if (!*node.id) continue;
    // Where several elements have the same id, the first of the document is found, or nothing where it is not drawn.
    uint32_t found = stijl_svg_find(svg, node.id);
    if (found == STIJL_SVG_NO_NODE) continue;
    stijl_svg_node same = STIJL_SVG_NODE_INIT;
    if (stijl_svg_get_node(svg, found, &same) != STIJL_OK || strcmp(same.id, node.id) != 0) abort();
  }
  for (int i = 0; i < 16; i++) {
    uint32_t hit = stijl_svg_hit(svg, (float)(i % 4 * 20), (float)(i / 4 * 20));
    if (hit != STIJL_SVG_NO_NODE && hit >= count) abort();
  }
  stijl_scene *scene = NULL;
  stijl_message message;
  if (count && (stijl_svg_node_scene(svg, count / 2, SIZE, SIZE, &scene, &message) == STIJL_OK) != (scene != NULL))
    abort();
  stijl_scene_destroy(scene);
}

// Makes small fonts of all kinds in place of the system's, which take longer to look through than the document does,
// and are others elsewhere. They are new for each document, so that it alone decides what happens, and from memory, as
// WebAssembly has them.
static stijl_fonts *make_fonts(void) {
#ifdef STIJL_HAVE_TEXT
  static const char *const names[] = {"dejavu.ttf", "stijl-variable.ttf", "stijl-cff.otf", "stijl-color.ttf"};
  static struct {
    unsigned char data[1 << 16];
    size_t bytes;
  } files[sizeof names / sizeof *names];
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  params.system = false;
  stijl_fonts *fonts;
  if (stijl_fonts_create(NULL, &params, &fonts, NULL)) abort();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (!files[i].bytes) {
      char path[512];
      snprintf(path, sizeof path, "%s/%s", FUZZ_FONTS, names[i]);
      FILE *in = fopen(path, "rb");
      if (!in) abort();
      files[i].bytes = fread(files[i].data, 1, sizeof files[i].data, in);
      fclose(in);
    }
    if (stijl_fonts_add_memory(fonts, files[i].data, files[i].bytes, NULL)) abort();
  }
  return fonts;
#else
  return NULL;
#endif
}

static stijl_result render(stijl_renderer *renderer, const stijl_scene *scene, uint8_t *pixels) {
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  stijl_budget_params work = STIJL_BUDGET_PARAMS_INIT;
  work.max_work = MAX_WORK;
  if (stijl_budget_create(NULL, &work, &params.budget) != STIJL_OK) abort();
  stijl_target target = {.size = sizeof target,
                         .width = SIZE,
                         .height = SIZE,
                         .format = STIJL_FORMAT_RGBA8,
                         .pixels = pixels,
                         .stride = SIZE * 4};
  stijl_message message;
  stijl_result result = stijl_render(renderer, scene, &target, &params, &message);
  stijl_budget_destroy(params.budget);
  return result;
}

static stijl_result render_by(const sj_kernels *kernels, const stijl_scene *scene, uint8_t *pixels) {
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.threads = 1;
  params.max_layer_bytes = 1 << 22;
  stijl_renderer *renderer;
  stijl_result result = stijl_renderer_create(NULL, &params, &renderer, NULL);
  if (result != STIJL_OK) return result;
  sj_renderer_use_kernels(renderer, kernels);
  result = render(renderer, scene, pixels);
  stijl_renderer_destroy(renderer);
  return result;
}

static void must_equal(const char *how, stijl_result result, const uint8_t *pixels, const uint8_t *expected) {
  if (result == STIJL_OK && memcmp(pixels, expected, SIZE * SIZE * 4) == 0) return;
  printf("# other pixels than the scalar code's: %s (%s)\n", how, stijl_result_string(result));
  fflush(stdout);
  abort();
}

static void compare(const stijl_scene *scene) {
  static uint8_t expected[SIZE * SIZE * 4], pixels[SIZE * SIZE * 4];
  static stijl_renderer *gpu;
  if (render_by(sj_kernels_for(STIJL_ISA_SCALAR), scene, expected) != STIJL_OK) return;
  fuzz_complete++;
  must_equal("the best instruction set", render_by(sj_kernels_for(STIJL_ISA_AUTO), scene, pixels), pixels, expected);
  if (kernels_without_subnormals())
    must_equal("no subnormals", render_by(kernels_without_subnormals(), scene, pixels), pixels, expected);
  if (!gpu) gpu = sj_test_gpu();
  if (!gpu) return;
  stijl_result result = render(gpu, scene, pixels);
  if (result != STIJL_ERROR_LIMIT) must_equal("the GPU", result, pixels, expected);
}

typedef struct {
  uint8_t *data;
  size_t bytes, room;
} saved;

static bool append(void *user, const void *data, size_t bytes) {
  saved *s = user;
  if (s->bytes + bytes > s->room && !(s->data = realloc(s->data, s->room = 2 * (s->bytes + bytes)))) abort();
  memcpy(s->data + s->bytes, data, bytes);
  s->bytes += bytes;
  return true;
}

// Saves what the document draws; nothing where a limit is reached.
static saved save(const stijl_svg *svg) {
  saved out = {0};
  stijl_scene *scene = NULL;
  stijl_message message;
  if (svg && stijl_svg_scene(svg, SIZE, SIZE, &scene, &message) == STIJL_OK)
    stijl_scene_save(scene, NULL, append, &out, &message);
  stijl_scene_destroy(scene);
  return out;
}

// Checks that a document that is moved to a time draws what one draws that is loaded with it.
static void move(stijl_svg *svg, const uint8_t *data, size_t size, stijl_svg_params *params) {
  stijl_message message;
  stijl_svg_timing timing = STIJL_SVG_TIMING_INIT;
  if (stijl_svg_get_timing(svg, &timing, &message) != STIJL_OK || !timing.animated) return;
  if (!(timing.end >= 0.0) || !(timing.begun >= 0.0) || !(timing.period >= 0.0)) abort();
  static const double times[] = {0.7, STIJL_SVG_END, 0.0, 2.0};
  for (int i = 0; i < 2; i++) {
    params->time = times[(size + (size_t)i) % 4];
    stijl_svg *other = NULL;
    if (stijl_svg_set_time(svg, params->time, &message) != STIJL_OK && message.text[0] == 0) abort();
    stijl_svg_load(NULL, data, size, params, &other, &message);
    saved a = save(svg), b = save(other);
    if (a.bytes && b.bytes && (a.bytes != b.bytes || memcmp(a.data, b.data, a.bytes) != 0)) {
      printf("# moved to %g, it draws something else than when it is loaded\n", params->time);
      fflush(stdout);
      abort();
    }
    free(a.data);
    free(b.data);
    stijl_svg_destroy(other);
  }
}

static void draw(const uint8_t *data, size_t size, stijl_fonts *fonts) {
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.limits = (stijl_svg_limits){.max_bytes = 1 << 16, .max_elements = 300, .max_depth = 32, .max_seconds = 2.0};
  params.image_limits.max_pixels = 1 << 12;
  params.fonts = fonts;
  // Animations at other times, too.
  static const double times[] = {0.0, 0.0, 1.5, STIJL_SVG_END};
  params.time = times[size % 4];
  stijl_message message;
  stijl_svg *svg = NULL;
  stijl_result result = stijl_svg_load(NULL, data, size, &params, &svg, &message);
  if ((result == STIJL_OK) != (svg != NULL) || (result == STIJL_OK) != (message.text[0] == 0)) abort();
  if (!svg) return;
  float width, height;
  stijl_svg_size(svg, &width, &height);
  if (!(width >= 0.0f) || !(height >= 0.0f)) abort();
  stijl_scene *scene = NULL;
  result = stijl_svg_scene(svg, SIZE, SIZE, &scene, &message);
  if ((result == STIJL_OK) != (scene != NULL)) abort();
  query(svg);
  move(svg, data, size, &params);
  stijl_svg_destroy(svg);
  if (!scene) return;
  compare(scene);
  stijl_scene_destroy(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  stijl_fonts *fonts = make_fonts();
  draw(data, size, fonts);
  stijl_fonts_destroy(fonts);
  return 0;
}
