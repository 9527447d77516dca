// Our own renderer as an adapter of the benchmark; public interface only. Before the positional arguments of frames.h:
//   --redraw      a frame draws the finished scene again; without, it records it first
//   --isa NAME    force an instruction set
//   --copies N    draw N x N of the scene, side by side, on the same canvas; implies --redraw
//   --stats       print what the renderer says of the last frame on standard error
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ours.h"

static stijl_color to_color(uint32_t rgba) {
  return (stijl_color){dl_channel(rgba, 0), dl_channel(rgba, 1), dl_channel(rgba, 2), dl_channel(rgba, 3)};
}

static stijl_path *build_path(const dl_path *source) {
  stijl_path *path = NULL;
  ours_check(stijl_path_create(NULL, &path), "path");
  const float *p = source->points;
  for (size_t i = 0; i < source->command_count; i++) {
    switch (source->commands[i]) {
      case 'M': stijl_path_move_to(path, p[0], p[1]), p += 2; break;
      case 'L': stijl_path_line_to(path, p[0], p[1]), p += 2; break;
      case 'C': stijl_path_cubic_to(path, p[0], p[1], p[2], p[3], p[4], p[5]), p += 6; break;
      default: stijl_path_close(path); break;
    }
  }
  ours_check(stijl_path_status(path), "path");
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
  if (!calls.paths || !calls.draws) ours_check(STIJL_ERROR_OUT_OF_MEMORY, "draws");
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

static void record(stijl_scene *scene, const void *what) {
  const draw_calls *calls = what;
  for (size_t i = 0; i < calls->count; i++) {
    const draw_call *call = &calls->draws[i];
    if (call->stroked)
      stijl_scene_stroke(scene, call->path, &call->stroke, NULL, &call->paint);
    else
      stijl_scene_fill(scene, call->path, call->rule, NULL, &call->paint);
  }
}

// n x n of the scene, in the space of one.
static stijl_scene *tile(stijl_scene *one, const dl_list *list, int n) {
  stijl_scene *scene = NULL;
  ours_check(stijl_scene_create(NULL, NULL, &scene), "scene");
  float scale = 1.0f / (float)n;
  for (int y = 0; y < n; y++) {
    for (int x = 0; x < n; x++) {
      stijl_matrix m = {scale, 0, 0, scale, (float)x * scale * list->width, (float)y * scale * list->height};
      stijl_scene_add_scene(scene, one, &m);
    }
  }
  ours_check(stijl_scene_finish(scene), stijl_scene_message(scene));
  stijl_scene_destroy(one);
  return scene;
}

int main(int argc, char **argv) {
  ours o = OURS_INIT;
  int copies = 1;
  bool redraw = false;
  while (argc > 1 && strncmp(argv[1], "--", 2) == 0) {
    int taken = ours_option(&o, argc - 1, argv + 1);
    if (!taken && strcmp(argv[1], "--copies") == 0 && argc > 2) {
      copies = atoi(argv[2]);
      taken = 2;
    } else if (!taken) {
      redraw |= strcmp(argv[1], "--redraw") == 0;
      taken = 1;
    }
    argc -= taken;
    argv += taken;
  }
  bench_options options = bench_read_options(argc, argv);
  draw_calls calls = prepare(&options.list);
  ours_check(stijl_scene_create(NULL, NULL, &o.scene), "scene");
  record(o.scene, &calls);
  ours_check(stijl_scene_finish(o.scene), stijl_scene_message(o.scene));
  if (copies > 1) o.scene = tile(o.scene, &options.list, copies);
  float scale = (float)options.size / options.list.width;
  o.transform = stijl_matrix_scale(scale, scale);
  o.record = redraw || copies > 1 ? NULL : record;
  o.what = &calls;
  ours_frames(&o, "stijl", &options);
  free_calls(&calls);
  return 0;
}
