#include "pyramid.h"

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t up(int64_t pixels, int64_t unit) { return (pixels + unit - 1) / unit; }

// Returns how often `pixels` have to be halved until they are no more than `limit`.
static int halvings_to(int64_t pixels, int64_t limit) {
  int n = 0;
  while (up(pixels, (int64_t)1 << n) > limit) n++;
  return n;
}

cli_pyramid cli_pyramid_make(cli_layout layout, int64_t width, int64_t height, int tile_size, int overlap) {
  int64_t smallest = layout == CLI_LAYOUT_DEEP_ZOOM ? 1 : tile_size;
  return (cli_pyramid){layout, width, height, tile_size, overlap, 1 + halvings_to(larger(width, height), smallest)};
}

cli_level cli_pyramid_level(const cli_pyramid *p, int level) {
  int halvings = p->levels - 1 - level;
  int64_t unit = (int64_t)1 << halvings;
  cli_level l = {.width = up(p->width, unit), .height = up(p->height, unit), .halvings = halvings};
  l.columns = (uint32_t)up(l.width, p->tile_size);
  l.rows = (uint32_t)up(l.height, p->tile_size);
  bool numbered = p->layout == CLI_LAYOUT_XYZ || p->layout == CLI_LAYOUT_PMTILES;
  l.order = numbered ? level : halvings_to(larger(l.columns, l.rows), 1);
  return l;
}

cli_tile_box cli_pyramid_box(const cli_pyramid *p, cli_tile tile) {
  cli_level l = cli_pyramid_level(p, tile.level);
  int64_t x = (int64_t)tile.x * p->tile_size, y = (int64_t)tile.y * p->tile_size;
  cli_tile_box box = {.x0 = larger(x - p->overlap, 0),
                      .y0 = larger(y - p->overlap, 0),
                      .x1 = smaller(x + p->tile_size + p->overlap, l.width),
                      .y1 = smaller(y + p->tile_size + p->overlap, l.height)};
  bool full = p->layout == CLI_LAYOUT_XYZ || p->layout == CLI_LAYOUT_PMTILES;
  box.width = full ? p->tile_size : (int)(box.x1 - box.x0);
  box.height = full ? p->tile_size : (int)(box.y1 - box.y0);
  return box;
}

uint64_t cli_pyramid_tiles(const cli_pyramid *p, int first, int last) {
  uint64_t tiles = 0;
  for (int i = first; i <= last; i++) {
    cli_level l = cli_pyramid_level(p, i);
    tiles += (uint64_t)l.columns * l.rows;
  }
  return tiles;
}
