#include "lab/heat.h"

#include <math.h>
#include <string.h>

#include "scene/encode.h"

enum { GRID = 16, TIME = 0, COMMANDS, EDGES, LAYERS, OVERDRAW, MAPS };

typedef struct maps {
  double of[MAPS][GRID][GRID];
} maps;

typedef struct run {
  sj_lab *lab;
  int width, height;
  maps maps;
} run;

static stijl_irect tile_of(const run *r, int x, int y) {
  return (stijl_irect){r->width * x / GRID, r->height * y / GRID, r->width * (x + 1) / GRID,
                       r->height * (y + 1) / GRID};
}

// --- Counting ---

// Measures time and edges by drawing each tile by itself.
static stijl_result time_tiles(run *r, stijl_renderer *renderer, const stijl_scene *scene, uint32_t *pixels) {
  stijl_result result = STIJL_OK;
  for (int y = 0; y < GRID; y++)
    for (int x = 0; x < GRID && result == STIJL_OK; x++) {
      stijl_target target = STIJL_TARGET_INIT;
      target.width = r->width;
      target.height = r->height;
      target.region = tile_of(r, x, y);
      target.pixels = pixels;
      target.stride = (size_t)r->width * 4;
      double *us = &r->maps.of[TIME][y][x];
      *us = INFINITY;
      if (target.region.x0 == target.region.x1 || target.region.y0 == target.region.y1) *us = 0;
      for (int n = 0; n < 2 && result == STIJL_OK && *us > 0; n++) {
        stijl_render_stats s;
        stijl_render_stats_init(&s, sizeof s);
        result = stijl_render(renderer, scene, &target, NULL, r->lab->message);
        stijl_renderer_stats(renderer, &s);
        *us = fmin(*us, s.render_ms * 1e3);
        r->maps.of[EDGES][y][x] = (double)s.lines;
      }
    }
  return result;
}

// Returns how many pixels a draw's box and a tile share.
static double shared_area(const k_draw *draw, stijl_irect tile) {
  double w = fmin(draw->x1, tile.x1) - fmax(draw->x0, tile.x0), h = fmin(draw->y1, tile.y1) - fmax(draw->y0, tile.y0);
  return w > 0 && h > 0 ? w * h : 0;
}

// Counts commands, layers and overdraw of a tile by the boxes of the draws of the target.
static void count_tile(run *r, const sj_encoded *encoded, int x, int y) {
  const k_pass *pass = &encoded->passes.data[encoded->passes.count - 1];
  stijl_irect tile = tile_of(r, x, y);
  double area = (double)(tile.x1 - tile.x0) * (tile.y1 - tile.y0), painted = 0;
  uint32_t commands = 0, depth = 0, deepest = 0;
  for (uint32_t i = pass->first; i < pass->end; i++) {
    const k_draw *draw = &encoded->draws.data[i];
    double shared = shared_area(draw, tile);
    if (draw->op == K_DRAW_POP) depth -= shared_area(&encoded->draws.data[draw->paint], tile) > 0;
    if (!(shared > 0)) continue;
    commands++;
    if (draw->op == K_DRAW_PUSH && ++depth > deepest) deepest = depth;
    if (draw->op != K_DRAW_PUSH) painted += shared / area;
  }
  r->maps.of[COMMANDS][y][x] = commands;
  r->maps.of[LAYERS][y][x] = deepest;
  r->maps.of[OVERDRAW][y][x] = painted;
}

static stijl_result count_tiles(run *r, const stijl_scene *scene) {
  static const stijl_matrix identity = {1, 0, 0, 1, 0, 0};
  stijl_irect all = {0, 0, r->width, r->height};
  sj_encoded *encoded = sj_alloc_zero(r->lab->context, sizeof *encoded);
  if (!encoded) return sj_fail_memory(r->lab->message);
  stijl_result result = sj_encode(r->lab->context, scene, identity, all, encoded, r->lab->message);
  for (int i = 0; i < GRID * GRID && result == STIJL_OK; i++) count_tile(r, encoded, i % GRID, i / GRID);
  sj_encoded_finish(r->lab->context, encoded);
  sj_free(r->lab->context, encoded);
  return result;
}

// --- Drawing ---

typedef struct encoder {
  sj_lab_text *out;
  unsigned char left[3];
  uint32_t count;
} encoder;

static void put_base64(encoder *e) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  uint32_t bits =
      (uint32_t)e->left[0] << 16 | (uint32_t)(e->count > 1 ? e->left[1] : 0) << 8 | (e->count > 2 ? e->left[2] : 0);
  char four[5] = {digits[bits >> 18], digits[bits >> 12 & 63], e->count > 1 ? digits[bits >> 6 & 63] : '=',
                  e->count > 2 ? digits[bits & 63] : '=', 0};
  sj_lab_add_all(e->out, four);
  e->count = 0;
}

static bool write_base64(void *user, const void *data, size_t bytes) {
  encoder *e = user;
  const unsigned char *from = data;
  for (size_t i = 0; i < bytes; i++) {
    e->left[e->count++] = from[i];
    if (e->count == 3) put_base64(e);
  }
  return !e->out->failed;
}

enum { ACROSS = 3, SIDE = 340, GAP = 20, TITLE = 24 };

static double scale_of(const run *r) { return (double)SIDE / (r->width > r->height ? r->width : r->height); }
static int row_height(const run *r) { return (int)ceil(r->height * scale_of(r)) + TITLE + GAP; }

static stijl_result begin_maps(run *r, const uint32_t *pixels, sj_lab_text *svg) {
  int width = ACROSS * (SIDE + GAP), height = (MAPS + ACROSS - 1) / ACROSS * row_height(r);
  encoder e = {.out = svg};
  sj_lab_add(svg,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
             "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
             width, height, width, height, width, height);
  sj_lab_add(svg, "<defs><image id=\"picture\" width=\"%d\" height=\"%d\" href=\"data:image/png;base64,", r->width,
             r->height);
  stijl_result result = stijl_png_encode(r->lab->context, r->width, r->height, STIJL_FORMAT_RGBA8, pixels,
                                         (size_t)r->width * 4, NULL, write_base64, &e, r->lab->message);
  if (e.count) put_base64(&e);
  sj_lab_add_all(svg, "\"/></defs>\n");
  return result;
}

static void find_most(const run *r, int map, double *most, double *mean) {
  *most = *mean = 0;
  for (int i = 0; i < GRID * GRID; i++) {
    *most = fmax(*most, r->maps.of[map][i / GRID][i % GRID]);
    *mean += r->maps.of[map][i / GRID][i % GRID] / (GRID * GRID);
  }
}

// Writes the picture beneath tiles that are the redder the more there is in them.
static void write_map(const run *r, int map, sj_lab_text *svg) {
  static const char *const names[MAPS] = {"microseconds", "commands", "edges", "layers at a time", "times painted"};
  double most, mean;
  find_most(r, map, &most, &mean);
  sj_lab_add(svg,
             "<g transform=\"translate(%d %d)\">\n<text y=\"-6\" font-family=\"sans-serif\" "
             "font-size=\"13\">%s: at most %.3g, %.3g in the mean</text>\n<g transform=\"scale(%.6f)\">\n"
             "<use href=\"#picture\" opacity=\"0.4\"/>\n",
             map % ACROSS * (SIDE + GAP), map / ACROSS * row_height(r) + TITLE, names[map], most, mean, scale_of(r));
  for (int i = 0; i < GRID * GRID && most > 0; i++) {
    stijl_irect t = tile_of(r, i % GRID, i / GRID);
    double share = r->maps.of[map][i / GRID][i % GRID] / most;
    if (share > 0.005)
      sj_lab_add(svg,
                 "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#d73027\" fill-opacity=\"%.2f\" "
                 "shape-rendering=\"crispEdges\"/>\n",
                 t.x0, t.y0, t.x1 - t.x0, t.y1 - t.y0, 0.75 * share);
  }
  sj_lab_add_all(svg, "</g>\n</g>\n");
}

static void say(const run *r) {
  double most[MAPS], mean[MAPS], at[MAPS];
  int hottest = 0;
  for (int m = 0; m < MAPS; m++) find_most(r, m, &most[m], &mean[m]);
  for (int i = 0; i < GRID * GRID; i++)
    if (r->maps.of[TIME][i / GRID][i % GRID] == most[TIME]) hottest = i;
  for (int m = 0; m < MAPS; m++) at[m] = r->maps.of[m][hottest / GRID][hottest % GRID];
  stijl_irect t = tile_of(r, hottest % GRID, hottest / GRID);
  sj_lab_say(r->lab->page,
             "The costliest of %d x %d tiles, from %d, %d, takes %.1f times the mean (CPU): %.0f commands (mean %.0f), "
             "%.0f edges (%.0f), %.0f layers at a time (%.1f), painted %.1f times (%.1f). The page has maps.",
             GRID, GRID, t.x0, t.y0, most[TIME] / mean[TIME], at[COMMANDS], mean[COMMANDS], at[EDGES], mean[EDGES],
             at[LAYERS], mean[LAYERS], at[OVERDRAW], mean[OVERDRAW]);
}

stijl_result sj_lab_draw_heat(sj_lab *lab, stijl_renderer *renderer, const stijl_scene *scene, int width, int height,
                              uint32_t *pixels) {
  run *r = sj_alloc_zero(lab->context, sizeof *r);
  if (!r) return sj_fail_memory(lab->message);
  sj_lab_text svg = {.context = lab->context};
  r->lab = lab;
  r->width = width;
  r->height = height;
  // The picture has to be encoded before timing overwrites it.
  stijl_result result = begin_maps(r, pixels, &svg);
  if (result == STIJL_OK) result = count_tiles(r, scene);
  if (result == STIJL_OK) result = time_tiles(r, renderer, scene, pixels);
  if (result == STIJL_OK) {
    for (int i = 0; i < MAPS; i++) write_map(r, i, &svg);
    sj_lab_add_all(&svg, "</svg>\n");
    say(r);
    sj_lab_picture(lab->page,
                   "Where the work is on the CPU: the redder, the more. Commands, layers and what is painted "
                   "are counted by the boxes of what is drawn.",
                   &svg);
  }
  sj_lab_text_finish(&svg);
  sj_free(lab->context, r);
  return result;
}
