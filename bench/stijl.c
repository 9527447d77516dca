// Our own renderer as an adapter of the benchmark; public interface only. Before the positional arguments of frames.h:
//   --redraw      a frame draws the finished scene again; without, it records it first
//   --isa NAME    force an instruction set
//   --copies N    draw N x N of the scene, side by side, on the same canvas; implies --redraw
//   --stats       print what the renderer says of the last frame on standard error
#include "stijl/stijl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"

static void check(stijl_result result, const char *message) {
  if (result == STIJL_OK) return;
  fprintf(stderr, "bench_stijl: %s: %s\n", stijl_result_string(result), message);
  exit(1);
}

static stijl_color to_color(uint32_t rgba) {
  return (stijl_color){dl_channel(rgba, 0), dl_channel(rgba, 1), dl_channel(rgba, 2), dl_channel(rgba, 3)};
}

static stijl_path *build_path(const dl_path *source) {
  stijl_path *path = NULL;
  check(stijl_path_create(NULL, &path), "path");
  const float *p = source->points;
  for (size_t i = 0; i < source->command_count; i++) {
    switch (source->commands[i]) {
      case 'M': stijl_path_move_to(path, p[0], p[1]), p += 2; break;
      case 'L': stijl_path_line_to(path, p[0], p[1]), p += 2; break;
      case 'C': stijl_path_cubic_to(path, p[0], p[1], p[2], p[3], p[4], p[5]), p += 6; break;
      default: stijl_path_close(path); break;
    }
  }
  check(stijl_path_status(path), "path");
  return path;
}

// What a draw needs, made before the frames, as the other adapters do.
typedef struct draw_call {
  const stijl_path *path;
  bool stroked;
  stijl_fill_rule rule;
  stijl_stroke stroke;
  stijl_stop stops[DL_MAX_STOPS];
  stijl_paint paint;
} draw_call;

static void prepare_draw(draw_call *call, const dl_draw *d, const stijl_path *path) {
  static const stijl_cap caps[] = {
      [DL_BUTT] = STIJL_CAP_BUTT, [DL_ROUND_CAP] = STIJL_CAP_ROUND, [DL_SQUARE] = STIJL_CAP_SQUARE};
  static const stijl_join joins[] = {
      [DL_MITER] = STIJL_JOIN_MITER, [DL_ROUND_JOIN] = STIJL_JOIN_ROUND, [DL_BEVEL] = STIJL_JOIN_BEVEL};
  call->path = path;
  call->stroked = d->stroke;
  call->rule = d->even_odd ? STIJL_FILL_EVENODD : STIJL_FILL_NONZERO;
  for (int i = 0; i < d->paint.stop_count; i++)
    call->stops[i] = (stijl_stop){d->paint.stops[i].offset, to_color(d->paint.stops[i].rgba)};
  call->paint = d->paint.linear ? stijl_paint_linear((stijl_point){d->paint.x0, d->paint.y0},
                                                     (stijl_point){d->paint.x1, d->paint.y1}, call->stops,
                                                     (size_t)d->paint.stop_count)
                                : stijl_paint_solid(to_color(d->paint.rgba));
  call->stroke = (stijl_stroke)STIJL_STROKE_INIT;
  call->stroke.width = d->width;
  call->stroke.cap = caps[d->cap];
  call->stroke.join = joins[d->join];
  call->stroke.miter_limit = d->miter_limit;
}

typedef struct draw_calls {
  stijl_path **paths;
  draw_call *draws;
  size_t path_count, count;
} draw_calls;

static draw_calls prepare(const dl_list *list) {
  draw_calls calls = {.path_count = list->path_count, .count = list->draw_count};
  calls.paths = calloc(list->path_count, sizeof *calls.paths);
  calls.draws = calloc(list->draw_count, sizeof *calls.draws);
  if (!calls.paths || !calls.draws) check(STIJL_ERROR_OUT_OF_MEMORY, "draws");
  for (size_t i = 0; i < list->path_count; i++) calls.paths[i] = build_path(&list->paths[i]);
  for (size_t i = 0; i < list->draw_count; i++)
    prepare_draw(&calls.draws[i], &list->draws[i], calls.paths[list->draws[i].path]);
  return calls;
}

static void free_calls(draw_calls *calls) {
  for (size_t i = 0; i < calls->path_count; i++) stijl_path_destroy(calls->paths[i]);
  free(calls->paths);
  free(calls->draws);
}

static void record(stijl_scene *scene, const draw_calls *calls) {
  for (size_t i = 0; i < calls->count; i++) {
    const draw_call *call = &calls->draws[i];
    if (call->stroked)
      stijl_scene_stroke(scene, call->path, &call->stroke, NULL, &call->paint);
    else
      stijl_scene_fill(scene, call->path, call->rule, NULL, &call->paint);
  }
  check(stijl_scene_finish(scene), stijl_scene_message(scene));
}

// n x n of the scene, in the space of one.
static stijl_scene *tile(stijl_scene *one, const dl_list *list, int n) {
  stijl_scene *scene = NULL;
  check(stijl_scene_create(NULL, NULL, &scene), "scene");
  float scale = 1.0f / (float)n;
  for (int y = 0; y < n; y++) {
    for (int x = 0; x < n; x++) {
      stijl_matrix m = {scale, 0, 0, scale, (float)x * scale * list->width, (float)y * scale * list->height};
      stijl_scene_add_scene(scene, one, &m);
    }
  }
  check(stijl_scene_finish(scene), stijl_scene_message(scene));
  stijl_scene_destroy(one);
  return scene;
}

typedef struct job {
  const draw_calls *calls;  // recorded in each frame; NULL: the scene is drawn again
  stijl_renderer *renderer;
  stijl_scene *scene;
  stijl_target target;
  stijl_render_params params;
} job;

static void frame(void *user) {
  job *j = user;
  stijl_message message;
  if (j->calls) {
    stijl_scene_reset(j->scene);
    record(j->scene, j->calls);
  }
  check(stijl_render(j->renderer, j->scene, &j->target, &j->params, &message), message.text);
}

static stijl_isa isa_by_name(const char *name) {
  for (int isa = STIJL_ISA_AUTO; stijl_isa_name((stijl_isa)isa); isa++)
    if (strcmp(stijl_isa_name((stijl_isa)isa), name) == 0) return (stijl_isa)isa;
  fprintf(stderr, "bench_stijl: no instruction set is called %s\n", name);
  exit(2);
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

int main(int argc, char **argv) {
  stijl_renderer_params renderer_params = STIJL_RENDERER_PARAMS_INIT;
  int copies = 1;
  bool redraw = false, stats = false;
  for (; argc > 1 && strncmp(argv[1], "--", 2) == 0; argc--, argv++) {
    bool has_value = argc > 2 && strcmp(argv[1], "--stats") != 0 && strcmp(argv[1], "--redraw") != 0;
    if (strcmp(argv[1], "--isa") == 0 && has_value)
      renderer_params.isa = isa_by_name(argv[2]);
    else if (strcmp(argv[1], "--copies") == 0 && has_value)
      copies = atoi(argv[2]);
    else if (strcmp(argv[1], "--redraw") == 0)
      redraw = true;
    else if (strcmp(argv[1], "--stats") == 0)
      stats = true;
    if (has_value) argc--, argv++;
  }
  bench_options options = bench_read_options(argc, argv);
  renderer_params.threads = options.threads;

  stijl_message message;
  draw_calls calls = prepare(&options.list);
  job j = {.calls = redraw || copies > 1 ? NULL : &calls, .params = STIJL_RENDER_PARAMS_INIT};
  check(stijl_scene_create(NULL, NULL, &j.scene), "scene");
  record(j.scene, &calls);
  if (copies > 1) j.scene = tile(j.scene, &options.list, copies);
  check(stijl_renderer_create(NULL, &renderer_params, &j.renderer, &message), message.text);
  size_t stride = (size_t)options.size * 4;
  uint8_t *pixels = malloc(stride * (size_t)options.size);
  if (!pixels) check(STIJL_ERROR_OUT_OF_MEMORY, "pixels");
  // A first touch is slow, and not the renderer's. (Zeros would be left to the system by the compiler, as calloc.)
  memset(pixels, 1, stride * (size_t)options.size);
  j.target = (stijl_target){.size = sizeof(stijl_target),
                            .width = options.size,
                            .height = options.size,
                            .format = STIJL_FORMAT_RGBA8,
                            .pixels = pixels,
                            .stride = stride};
  float scale = (float)options.size / options.list.width;
  j.params.transform = stijl_matrix_scale(scale, scale);
  j.params.background = (stijl_color){1, 1, 1, 1};

  bench_frames("stijl", &options, frame, &j);
  if (stats) print_stats(j.renderer);
  bench_dump(&options, pixels, stride, 0, 1, 2);
  free(pixels);
  stijl_renderer_destroy(j.renderer);
  stijl_scene_destroy(j.scene);
  free_calls(&calls);
  return 0;
}
