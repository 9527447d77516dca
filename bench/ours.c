#include "ours.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ours_check(stijl_result result, const char *message) {
  if (result == STIJL_OK) return;
  fprintf(stderr, "stijl: %s: %s\n", stijl_result_string(result), message);
  exit(1);
}

static stijl_isa isa_by_name(const char *name) {
  for (int isa = STIJL_ISA_AUTO; stijl_isa_name((stijl_isa)isa); isa++)
    if (strcmp(stijl_isa_name((stijl_isa)isa), name) == 0) return (stijl_isa)isa;
  fprintf(stderr, "stijl: no instruction set is called %s\n", name);
  exit(2);
}

int ours_option(ours *o, int argc, char **argv) {
  if (strcmp(argv[0], "--stats") == 0) {
    o->stats = true;
    return 1;
  }
  if (strcmp(argv[0], "--isa") != 0 || argc < 2) return 0;
  o->renderer.isa = isa_by_name(argv[1]);
  return 2;
}

typedef struct job {
  const ours *o;
  stijl_renderer *renderer;
  stijl_target target;
  stijl_render_params params;
} job;

static void frame(void *user) {
  job *j = user;
  stijl_message message = {""};
  if (j->o->record) {
    stijl_scene_reset(j->o->scene);
    j->o->record(j->o->scene, j->o->what);
    ours_check(stijl_scene_finish(j->o->scene), stijl_scene_message(j->o->scene));
  }
  ours_check(stijl_render(j->renderer, j->o->scene, &j->target, &j->params, &message), message.text);
}

static void print_stats(const stijl_renderer *renderer) {
  stijl_render_stats s = {.size = sizeof s};
  stijl_renderer_stats(renderer, &s);
  fprintf(stderr,
          "isa %s, threads %d: encode %.3f ms, render %.3f ms (flatten %.3f), %u draws, %llu lines, %u bands, "
          "%.1f MiB scratch\n",
          stijl_isa_name(stijl_renderer_isa(renderer)), stijl_renderer_threads(renderer), s.encode_ms, s.render_ms,
          s.flatten_ms, s.draws, (unsigned long long)s.lines, s.bands, (double)s.scratch_bytes / 1048576.0);
}

void ours_frames(ours *o, const char *peer, const bench_options *options) {
  job j = {.o = o, .params = STIJL_RENDER_PARAMS_INIT};
  stijl_message message = {""};
  o->renderer.threads = options->threads;
  ours_check(stijl_renderer_create(NULL, &o->renderer, &j.renderer, &message), message.text);
  int height = options->height ? options->height : options->size;
  size_t stride = (size_t)options->size * 4, bytes = stride * (size_t)height;
  uint8_t *pixels = malloc(bytes);
  if (!pixels) ours_check(STIJL_ERROR_OUT_OF_MEMORY, "pixels");
  // A first touch is slow, and not the renderer's. (Zeros would be left to the system by the compiler, as calloc.)
  memset(pixels, 1, bytes);
  j.target = (stijl_target){.size = sizeof(stijl_target),
                            .width = options->size,
                            .height = height,
                            .format = STIJL_FORMAT_RGBA8,
                            .pixels = pixels,
                            .stride = stride};
  j.params.transform = o->transform;
  j.params.background = (stijl_color){1, 1, 1, 1};
  bench_frames(peer, options, frame, &j);
  if (o->stats) print_stats(j.renderer);
  bench_dump(options, pixels, stride, 0, 1, 2);
  free(pixels);
  stijl_renderer_destroy(j.renderer);
  stijl_scene_destroy(o->scene);
}
