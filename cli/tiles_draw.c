// One tile: its pixels and its file.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "encode.h"
#include "memory.h"
#include "tiles.h"

stijl_matrix cli_tiles_transform(const cli_tiles *t, int halvings) {
  stijl_matrix m = t->drawing->transform;
  float *const values[] = {&m.a, &m.b, &m.c, &m.d, &m.e, &m.f};
  for (int i = 0; i < 6; i++) *values[i] = ldexpf(*values[i], -halvings);
  return m;
}

// Finds what a target is cleared to.
static bool find_background(cli_tile_drawer *d, cli_failure *failure) {
  stijl_scene *nothing = NULL;
  stijl_target target = STIJL_TARGET_INIT;
  target.width = target.height = 1;
  target.pixels = &d->background;
  target.stride = sizeof d->background;
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.background = d->tiles->drawing->background;
  stijl_message message = {""};
  stijl_result result = stijl_scene_create(d->renderer->context, NULL, &nothing);
  if (result == STIJL_OK) result = stijl_scene_finish(nothing);
  if (result == STIJL_OK) result = stijl_render(d->renderer->renderer, nothing, &target, &params, &message);
  stijl_scene_destroy(nothing);
  return result == STIJL_OK || cli_fail_with_advice(failure, result, message.text);
}

bool cli_tile_drawer_create(const cli_tiles *tiles, cli_store *store, cli_renderer *renderer, cli_tile_drawer *d,
                            cli_failure *failure) {
  size_t side = (size_t)tiles->pyramid.tile_size + 2 * (size_t)tiles->pyramid.overlap;
  *d = (cli_tile_drawer){tiles, renderer, NULL, cli_memory_for_pixels(side * side * sizeof *d->pixels), 0};
  stijl_budget_params params = tiles->options->render.budget;
  params.asked_pixels = 0;  // how large a tile is the user says
  bool good = (d->pixels && stijl_budget_create(renderer->context, &params, &renderer->budget) == STIJL_OK) ||
              cli_fail(failure, "out of memory");
  good = good && find_background(d, failure);
  if (good && tiles->options->shrink)
    good = (d->shrinker = cli_tile_shrinker_create(tiles, store, renderer->context, d->background, failure)) != NULL;
  if (good) return true;
  cli_tile_drawer_destroy(d);
  return false;
}

void cli_tile_drawer_destroy(cli_tile_drawer *d) {
  free(d->pixels);
  cli_tile_shrinker_destroy(d->shrinker);
  if (d->renderer) {
    stijl_budget_destroy(d->renderer->budget);
    d->renderer->budget = NULL;
  }
  *d = (cli_tile_drawer){0};
}

bool cli_tile_drawer_paint(cli_tile_drawer *d, int level_number, const cli_tile_box *box, uint32_t *pixels,
                           cli_failure *failure) {
  cli_level level = cli_pyramid_level(&d->tiles->pyramid, level_number);
  stijl_target target = STIJL_TARGET_INIT;
  target.width = (int)level.width;
  target.height = (int)level.height;
  target.region = (stijl_irect){(int)box->x0, (int)box->y0, (int)box->x1, (int)box->y1};
  target.pixels = pixels;
  target.stride = (size_t)box->width * sizeof *pixels;
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.background = d->tiles->drawing->background;
  params.transform = cli_tiles_transform(d->tiles, level.halvings);
  params.budget = d->renderer->budget;
  params.reads = true;
  stijl_budget_restart(d->renderer->budget);
  stijl_message message = {""};
  stijl_result result = stijl_render(d->renderer->renderer, d->tiles->drawing->scene, &target, &params, &message);
  return result == STIJL_OK || cli_fail_with_advice(failure, result, message.text);
}

// Fills what is right of the picture and below it, where tiles have one size.
static void fill_outside(cli_tile_drawer *d, const cli_tile_box *box) {
  int width = (int)(box->x1 - box->x0), height = (int)(box->y1 - box->y0);
  for (int y = 0; y < box->height; y++)
    for (int x = y < height ? width : 0; x < box->width; x++)
      d->pixels[(size_t)y * (size_t)box->width + (size_t)x] = d->background;
}

static bool is_blank(const cli_tile_drawer *d, const cli_tile_box *box) {
  size_t rest = (size_t)box->width * (size_t)box->height - 1;
  return d->pixels[0] == d->background && memcmp(d->pixels, d->pixels + 1, rest * sizeof *d->pixels) == 0;
}

bool cli_tile_picture_append(void *user, const void *data, size_t bytes) {
  cli_tile_picture *p = user;
  if (bytes > p->capacity - p->bytes) {
    size_t capacity = 2 * p->capacity + bytes + 4096;
    unsigned char *larger = realloc(p->data, capacity);
    if (!larger) return false;
    p->data = larger;
    p->capacity = capacity;
  }
  memcpy(p->data + p->bytes, data, bytes);
  p->bytes += bytes;
  return true;
}

bool cli_tile_draw(cli_tile_drawer *d, cli_tile tile, cli_tile_picture *picture, cli_failure *failure) {
  cli_tile_box box = cli_pyramid_box(&d->tiles->pyramid, tile);
  bool shrinks = d->shrinker && tile.level < d->tiles->last;
  return (shrinks ? cli_tile_shrink(d->shrinker, tile, &box, d->pixels, failure)
                  : cli_tile_drawer_paint(d, tile.level, &box, d->pixels, failure)) &&
         cli_tile_encode(d, tile, picture, failure);
}

bool cli_tile_encode(cli_tile_drawer *d, cli_tile tile, cli_tile_picture *picture, cli_failure *failure) {
  cli_tile_box box = cli_pyramid_box(&d->tiles->pyramid, tile);
  fill_outside(d, &box);
  picture->bytes = 0;
  picture->blank = is_blank(d, &box);
  if (picture->blank && d->tiles->options->blank == CLI_BLANK_SKIP) return true;
  stijl_target target = STIJL_TARGET_INIT;
  target.width = box.width;
  target.height = box.height;
  target.pixels = d->pixels;
  target.stride = (size_t)box.width * sizeof *d->pixels;
  stijl_message message = {""};
  stijl_result result = cli_encode(d->renderer, &target, 1, cli_tile_picture_append, picture, &message);
  if (result == STIJL_ERROR_IO) return cli_fail(failure, "out of memory");
  return result == STIJL_OK || cli_fail_with_advice(failure, result, message.text);
}
