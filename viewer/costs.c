#include "costs.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

struct costs {
  stijl_context *context;
  stijl_renderer *renderer;  // once there is something to measure
  stijl_scene *scene;
  stijl_path *path;
  costs_block *blocks;
  unsigned char *pixels;
  int width, height, columns, rows;
  int measured;  // blocks, row by row
};

costs *costs_create(stijl_context *context) {
  costs *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->context = context;
  if (stijl_scene_create(context, NULL, &c->scene) == STIJL_OK && stijl_path_create(context, &c->path) == STIJL_OK)
    return c;
  costs_destroy(c);
  return NULL;
}

void costs_destroy(costs *c) {
  if (!c) return;
  stijl_renderer_destroy(c->renderer);
  stijl_scene_destroy(c->scene);
  stijl_path_destroy(c->path);
  free(c->blocks);
  free(c->pixels);
  free(c);
}

bool costs_begin(costs *c, int width, int height) {
  c->measured = 0;
  if (c->blocks && costs_size_is(c, width, height)) return true;
  free(c->blocks);
  free(c->pixels);
  c->width = width;
  c->height = height;
  c->columns = (width + COSTS_BLOCK - 1) / COSTS_BLOCK;
  c->rows = (height + COSTS_BLOCK - 1) / COSTS_BLOCK;
  c->blocks = malloc((size_t)c->columns * (size_t)c->rows * sizeof *c->blocks);
  c->pixels = malloc((size_t)width * (size_t)height * 4);
  if (!c->blocks || !c->pixels) c->columns = c->rows = 0;
  return c->blocks && c->pixels;
}

bool costs_done(const costs *c) { return c->measured == c->columns * c->rows; }

bool costs_size_is(const costs *c, int width, int height) { return c->width == width && c->height == height; }

static stijl_irect block_rect(const costs *c, int block) {
  int x = block % c->columns * COSTS_BLOCK, y = block / c->columns * COSTS_BLOCK;
  int x1 = x + COSTS_BLOCK, y1 = y + COSTS_BLOCK;
  return (stijl_irect){x, y, x1 < c->width ? x1 : c->width, y1 < c->height ? y1 : c->height};
}

// Measures a block. The second of two frames is the one with warm caches; the lesser time counts.
static stijl_result measure_block(costs *c, const stijl_scene *scene, const stijl_render_params *params,
                                  stijl_message *message) {
  stijl_target target = STIJL_TARGET_INIT;
  target.width = c->width;
  target.height = c->height;
  target.region = block_rect(c, c->measured);
  target.pixels = c->pixels;
  target.stride = (size_t)c->width * 4;
  costs_block *block = &c->blocks[c->measured];
  block->of[COSTS_TIME] = INFINITY;
  for (int i = 0; i < 2; i++) {
    stijl_result result = stijl_render(c->renderer, scene, &target, params, message);
    if (result != STIJL_OK) return result;
    stijl_render_stats stats;
    stijl_render_stats_init(&stats, sizeof stats);
    stijl_renderer_stats(c->renderer, &stats);
    block->of[COSTS_TIME] = fmin(block->of[COSTS_TIME], stats.render_ms * 1e3);
    block->of[COSTS_DRAWS] = stats.draws;
    block->of[COSTS_EDGES] = (double)stats.lines;
  }
  c->measured++;
  return STIJL_OK;
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

bool costs_measure(costs *c, const stijl_scene *scene, const stijl_render_params *params, double ms,
                   stijl_message *message) {
  double end = now_ms() + ms;
  stijl_renderer_params one = STIJL_RENDERER_PARAMS_INIT;
  one.backend = STIJL_BACKEND_CPU;
  one.threads = 1;
  if (!c->renderer && stijl_renderer_create(c->context, &one, &c->renderer, message) != STIJL_OK) return false;
  while (!costs_done(c) && now_ms() < end)
    if (measure_block(c, scene, params, message) != STIJL_OK) return false;
  return true;
}

const costs_block *costs_at(const costs *c, double x, double y) {
  if (!(x >= 0 && y >= 0 && x < c->width && y < c->height)) return NULL;
  int block = (int)y / COSTS_BLOCK * c->columns + (int)x / COSTS_BLOCK;
  return block < c->measured ? &c->blocks[block] : NULL;
}

void costs_find(const costs *c, int map, double *most, double *mean) {
  *most = *mean = 0;
  for (int i = 0; i < c->measured; i++) {
    *most = fmax(*most, c->blocks[i].of[map]);
    *mean += c->blocks[i].of[map] / c->measured;
  }
}

const stijl_scene *costs_scene(costs *c, int map) {
  double most, mean;
  costs_find(c, map, &most, &mean);
  stijl_scene_reset(c->scene);
  for (int i = 0; i < c->measured && most > 0; i++) {
    stijl_irect r = block_rect(c, i);
    stijl_paint paint =
        stijl_paint_solid((stijl_color){0.84f, 0.19f, 0.15f, (float)(0.75 * c->blocks[i].of[map] / most)});
    stijl_path_clear(c->path);
    stijl_path_add_rect(c->path, (float)r.x0, (float)r.y0, (float)(r.x1 - r.x0), (float)(r.y1 - r.y0));
    stijl_scene_fill(c->scene, c->path, STIJL_FILL_NONZERO, NULL, &paint);
  }
  return stijl_scene_finish(c->scene) == STIJL_OK ? c->scene : NULL;
}
