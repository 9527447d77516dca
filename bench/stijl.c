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

// What few draws need.
typedef struct draw_extra {
  stijl_stroke stroke;
  stijl_layer layer;
  stijl_stop stops[DL_MAX_STOPS];
} draw_extra;

// What a draw needs, made before the frames, as the other adapters do.
typedef struct draw_call {
  dl_kind kind;
  stijl_fill_rule rule;
  const stijl_path *path;
  stijl_paint paint;
  draw_extra *extra;  // not of fills with a colour
} draw_call;

static void prepare_paint(draw_call *call, const dl_paint *p, stijl_image *const *images) {
  size_t count = (size_t)p->stop_count;
  for (size_t i = 0; i < count; i++)
    call->extra->stops[i] = (stijl_stop){p->stops[i].offset, to_color(p->stops[i].rgba)};
  stijl_point from = {p->x0, p->y0};
  switch (p->kind) {
    case DL_SOLID: call->paint = stijl_paint_solid(to_color(p->rgba)); break;
    case DL_LINEAR:
      call->paint = stijl_paint_linear(from, (stijl_point){p->x1, p->y1}, call->extra->stops, count);
      break;
    case DL_RADIAL: call->paint = stijl_paint_radial(from, p->x1, from, 0, call->extra->stops, count); break;
    case DL_SWEEP: call->paint = stijl_paint_sweep(from, 0, 360, call->extra->stops, count); break;
    case DL_IMAGE:
      call->paint = stijl_paint_image(images[p->image], (stijl_sampling)p->sampling);
      call->paint.spread_x = call->paint.spread_y = STIJL_SPREAD_REPEAT;
      call->paint.transform =
          (stijl_matrix){p->matrix[0], p->matrix[1], p->matrix[2], p->matrix[3], p->matrix[4], p->matrix[5]};
      break;
  }
}

static void prepare_layer(draw_call *call, const dl_draw *d) {
  static const char *const blends[] = {"normal", "multiply", "screen", "overlay", NULL};
  call->extra->layer = (stijl_layer)STIJL_LAYER_INIT;
  if (d->kind == DL_CLIP) {
    call->extra->layer.clip = call->path;
    call->extra->layer.clip_rule = call->rule;
    return;
  }
  call->extra->layer.opacity = d->opacity;
  int blend = 0;
  while (blends[blend] && strcmp(blends[blend], d->blend) != 0) blend++;
  ours_check(blends[blend] ? STIJL_OK : STIJL_ERROR_UNSUPPORTED, d->blend);
  call->extra->layer.blend = (stijl_blend)blend;
}

static void prepare_draw(draw_call *call, const dl_draw *d, const stijl_path *path, stijl_image *const *images) {
  static const stijl_cap caps[] = {
      [DL_BUTT] = STIJL_CAP_BUTT, [DL_ROUND_CAP] = STIJL_CAP_ROUND, [DL_SQUARE] = STIJL_CAP_SQUARE};
  static const stijl_join joins[] = {
      [DL_MITER] = STIJL_JOIN_MITER, [DL_ROUND_JOIN] = STIJL_JOIN_ROUND, [DL_BEVEL] = STIJL_JOIN_BEVEL};
  call->kind = d->kind;
  call->path = path;
  call->rule = d->even_odd ? STIJL_FILL_EVENODD : STIJL_FILL_NONZERO;
  if (d->kind != DL_FILL || d->paint.kind != DL_SOLID) {
    call->extra = calloc(1, sizeof *call->extra);
    if (!call->extra) ours_check(STIJL_ERROR_OUT_OF_MEMORY, "draws");
  }
  if (d->kind == DL_CLIP || d->kind == DL_LAYER) prepare_layer(call, d);
  if (d->kind == DL_FILL || d->kind == DL_STROKE) prepare_paint(call, &d->paint, images);
  if (d->kind != DL_STROKE) return;
  call->extra->stroke = (stijl_stroke)STIJL_STROKE_INIT;
  call->extra->stroke.width = d->width;
  call->extra->stroke.cap = caps[d->cap];
  call->extra->stroke.join = joins[d->join];
  call->extra->stroke.miter_limit = d->miter_limit;
  call->extra->stroke.dashes = d->dash_count ? d->dashes : NULL;
  call->extra->stroke.dash_count = (size_t)d->dash_count;
}

static stijl_image *build_image(const dl_image *source) {
  stijl_image *image = NULL;
  ours_check(stijl_image_create(NULL, source->width, source->height, STIJL_FORMAT_RGBA8, source->pixels,
                                (size_t)source->width * 4, &image),
             "image");
  return image;
}

typedef struct draw_calls {
  stijl_path **paths;
  stijl_image **images;
  draw_call *draws;
  size_t path_count, image_count, count;
} draw_calls;

static draw_calls prepare(const dl_list *list) {
  draw_calls calls = {.path_count = list->path_count, .image_count = list->image_count, .count = list->draw_count};
  calls.images = calloc(list->image_count + 1, sizeof *calls.images);
  calls.paths = calloc(list->path_count, sizeof *calls.paths);
  calls.draws = calloc(list->draw_count, sizeof *calls.draws);
  if (!calls.images || !calls.paths || !calls.draws) ours_check(STIJL_ERROR_OUT_OF_MEMORY, "draws");
  for (size_t i = 0; i < list->path_count; i++) calls.paths[i] = build_path(&list->paths[i]);
  for (size_t i = 0; i < list->image_count; i++) calls.images[i] = build_image(&list->images[i]);
  for (size_t i = 0; i < list->draw_count; i++)
    prepare_draw(&calls.draws[i], &list->draws[i], calls.paths[list->draws[i].path], calls.images);
  return calls;
}

static void free_calls(draw_calls *calls) {
  for (size_t i = 0; i < calls->path_count; i++) stijl_path_destroy(calls->paths[i]);
  for (size_t i = 0; i < calls->image_count; i++) stijl_image_destroy(calls->images[i]);
  for (size_t i = 0; i < calls->count; i++) free(calls->draws[i].extra);
  free(calls->paths);
  free(calls->images);
  free(calls->draws);
}

static void record(stijl_scene *scene, const void *what) {
  const draw_calls *calls = what;
  for (size_t i = 0; i < calls->count; i++) {
    const draw_call *call = &calls->draws[i];
    switch (call->kind) {
      case DL_FILL: stijl_scene_fill(scene, call->path, call->rule, NULL, &call->paint); break;
      case DL_STROKE: stijl_scene_stroke(scene, call->path, &call->extra->stroke, NULL, &call->paint); break;
      case DL_CLIP:
      case DL_LAYER: stijl_scene_push_layer(scene, &call->extra->layer); break;
      case DL_POP: stijl_scene_pop_layer(scene); break;
    }
  }
}

// Makes a scene of n x n of another, in the space of one.
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
