// stijl as an adapter of filters.py: an SVG document, whose scene is drawn again and again.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"
#include "stijl/render.h"
#include "stijl/svg.h"

static void check(stijl_result result, const char *what) {
  if (result == STIJL_OK) return;
  fprintf(stderr, "bench_svg: %s: %s\n", what, stijl_result_string(result));
  exit(1);
}

static stijl_scene *load(const char *name, int size) {
  stijl_message message = {""};
  FILE *file = fopen(name, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) {
    perror(name);
    exit(1);
  }
  size_t bytes = (size_t)ftell(file);
  char *text = malloc(bytes);
  rewind(file);
  if (!text || fread(text, 1, bytes, file) != bytes) check(STIJL_ERROR_IO, name);
  fclose(file);
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  stijl_svg *svg;
  stijl_scene *scene;
  check(stijl_svg_load(NULL, text, bytes, &params, &svg, &message), message.text);
  check(stijl_svg_scene(svg, (float)size, (float)size, &scene, &message), message.text);
  stijl_svg_destroy(svg);
  free(text);
  return scene;
}

typedef struct job {
  stijl_renderer *renderer;
  stijl_scene *scene;
  stijl_target target;
  stijl_render_params params;
} job;

static void frame(void *user) {
  job *j = user;
  stijl_message message = {""};
  check(stijl_render(j->renderer, j->scene, &j->target, &j->params, &message), message.text);
}

int main(int argc, char **argv) {
  bench_options options = bench_read_options(argc, argv);
  stijl_message message = {""};
  stijl_renderer_params renderer_params = STIJL_RENDERER_PARAMS_INIT;
  renderer_params.threads = options.threads;
  job j = {.scene = load(options.file, options.size), .params = STIJL_RENDER_PARAMS_INIT};
  check(stijl_renderer_create(NULL, &renderer_params, &j.renderer, &message), message.text);
  size_t stride = (size_t)options.size * 4;
  uint8_t *pixels = malloc(stride * (size_t)options.size);
  if (!pixels) check(STIJL_ERROR_OUT_OF_MEMORY, "pixels");
  memset(pixels, 1, stride * (size_t)options.size);  // a first touch is slow, and not the renderer's
  j.target = (stijl_target){.size = sizeof(stijl_target),
                            .width = options.size,
                            .height = options.size,
                            .format = STIJL_FORMAT_RGBA8,
                            .pixels = pixels,
                            .stride = stride};
  j.params.background = (stijl_color){1, 1, 1, 1};
  bench_frames("stijl", &options, frame, &j);
  bench_dump(&options, pixels, stride, 0, 1, 2);
  free(pixels);
  stijl_renderer_destroy(j.renderer);
  stijl_scene_destroy(j.scene);
  return 0;
}
