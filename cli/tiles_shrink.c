// A tile of the level above it: each pixel is the mean of four.
#include <stdlib.h>
#include <string.h>

#include "tiles.h"

// Tiles with overlap show pixels of up to 16 above them, of which the next tile shows some too.
#define SIDE 4
#define MAX_KEPT_SIDE 1024  // larger tiles are not kept

typedef struct kept {
  cli_tile tile;
  bool valid;
  uint32_t *pixels;  // rows of the tile's own width
} kept;

struct cli_tile_shrinker {
  const cli_tiles *tiles;
  cli_store *store;
  stijl_context *context;
  uint32_t background;
  kept above[SIDE][SIDE];  // by the last bits of row and column
  int kept_side;           // how many of them are used
  size_t picture_pixels;   // the most that a tile has
  uint32_t *source;        // what lies above a tile
  cli_tile_picture file;
};

cli_tile_shrinker *cli_tile_shrinker_create(const cli_tiles *tiles, cli_store *store, stijl_context *context,
                                            uint32_t background, cli_failure *failure) {
  cli_tile_shrinker *s = calloc(1, sizeof *s);
  size_t side = (size_t)tiles->pyramid.tile_size + 2 * (size_t)tiles->pyramid.overlap;
  if (s) {
    *s = (cli_tile_shrinker){.tiles = tiles, .store = store, .context = context, .background = background};
    s->kept_side = tiles->pyramid.overlap && side <= MAX_KEPT_SIDE ? SIDE : 1;
    s->picture_pixels = side * side;
    s->source = malloc(4 * side * side * sizeof *s->source);
    if (s->source) return s;
  }
  cli_tile_shrinker_destroy(s);
  cli_fail(failure, "out of memory");
  return NULL;
}

void cli_tile_shrinker_destroy(cli_tile_shrinker *s) {
  if (!s) return;
  for (int i = 0; i < SIDE * SIDE; i++) free(s->above[i / SIDE][i % SIDE].pixels);
  free(s->source);
  free(s->file.data);
  free(s);
}

static bool decode(cli_tile_shrinker *s, const cli_tile_box *box, uint32_t *pixels, cli_failure *failure) {
  stijl_image_reader *reader = NULL;
  stijl_message message = {""};
  stijl_result result = stijl_image_reader_create(s->context, s->file.data, s->file.bytes, NULL, &reader, &message);
  bool fits = result == STIJL_OK && stijl_image_reader_width(reader) == box->width &&
              stijl_image_reader_height(reader) == box->height;
  for (int y = 0; fits && result == STIJL_OK && y < box->height; y++)
    result = stijl_image_reader_row(reader, pixels + (size_t)y * (size_t)box->width, &message);
  stijl_image_reader_destroy(reader);
  if (result != STIJL_OK) return cli_fail_with_advice(failure, result, message.text);
  return fits || cli_fail(failure, "a tile above has another size");
}

// Returns the pixels of a tile above, premultiplied: exactly those that were encoded, since a colour that was divided
// by its alpha and multiplied again is the same. NULL with *failure.
static const uint32_t *get_above(cli_tile_shrinker *s, cli_tile tile, const cli_tile_box *box, cli_failure *failure) {
  kept *k = &s->above[tile.y % (uint32_t)s->kept_side][tile.x % (uint32_t)s->kept_side];
  if (k->valid && k->tile.level == tile.level && k->tile.x == tile.x && k->tile.y == tile.y) return k->pixels;
  if (!k->pixels) k->pixels = malloc(s->picture_pixels * sizeof *k->pixels);
  *k = (kept){tile, false, k->pixels};
  if (!k->pixels) cli_fail(failure, "out of memory");
  if (!k->pixels || !s->store->get(s->store, tile, &s->file, failure)) return NULL;
  if (s->file.bytes) {
    k->valid = decode(s, box, k->pixels, failure);
  } else {
    for (size_t i = 0; i < (size_t)box->width * (size_t)box->height; i++) k->pixels[i] = s->background;
    k->valid = true;
  }
  return k->valid ? k->pixels : NULL;
}

typedef struct rect {
  int64_t x0, y0, x1, y1;
} rect;

// Copies what the tile above shows, without its overlap, of the rectangle of its level.
static void copy_part(cli_tile_shrinker *s, const rect *r, cli_tile tile, const cli_tile_box *box,
                      const uint32_t *pixels) {
  int64_t size = s->tiles->pyramid.tile_size, x0 = tile.x * size, y0 = tile.y * size;
  int64_t x1 = x0 + size < r->x1 ? x0 + size : r->x1, y1 = y0 + size < r->y1 ? y0 + size : r->y1;
  if (x0 < r->x0) x0 = r->x0;
  if (y0 < r->y0) y0 = r->y0;
  for (int64_t y = y0; y < y1; y++)
    memcpy(s->source + (y - r->y0) * (r->x1 - r->x0) + (x0 - r->x0),
           pixels + (y - box->y0) * box->width + (x0 - box->x0), (size_t)(x1 - x0) * sizeof *pixels);
}

static bool gather(cli_tile_shrinker *s, const rect *r, int level, cli_failure *failure) {
  int64_t size = s->tiles->pyramid.tile_size;
  for (int64_t y = r->y0 / size; y <= (r->y1 - 1) / size; y++)
    for (int64_t x = r->x0 / size; x <= (r->x1 - 1) / size; x++) {
      cli_tile tile = {level, (uint32_t)x, (uint32_t)y};
      cli_tile_box box = cli_pyramid_box(&s->tiles->pyramid, tile);
      const uint32_t *pixels = get_above(s, tile, &box, failure);
      if (!pixels) return false;
      copy_part(s, r, tile, &box, pixels);
    }
  return true;
}

// Returns the mean of four pixels, each channel rounded, halves up: two channels at a time, with room for the sum of
// four.
static uint32_t mean(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  const uint32_t low = 0x00ff00ff, half = 0x00020002;
  uint32_t even = (a & low) + (b & low) + (c & low) + (d & low) + half;
  uint32_t odd = (a >> 8 & low) + (b >> 8 & low) + (c >> 8 & low) + (d >> 8 & low) + half;
  return (even >> 2 & low) | (odd >> 2 & low) << 8;
}

bool cli_tile_shrink(cli_tile_shrinker *s, cli_tile tile, const cli_tile_box *box, uint32_t *pixels,
                     cli_failure *failure) {
  cli_level above = cli_pyramid_level(&s->tiles->pyramid, tile.level + 1);
  rect r = {2 * box->x0, 2 * box->y0, 2 * box->x1, 2 * box->y1};
  if (r.x1 > above.width) r.x1 = above.width;
  if (r.y1 > above.height) r.y1 = above.height;
  if (!gather(s, &r, tile.level + 1, failure)) return false;
  int64_t width = r.x1 - r.x0, height = r.y1 - r.y0;
  for (int64_t y = 0; y < box->y1 - box->y0; y++) {
    // Of an odd number of columns or rows the last one counts twice.
    const uint32_t *upper = s->source + 2 * y * width, *lower = 2 * y + 1 < height ? upper + width : upper;
    for (int64_t x = 0; x < box->x1 - box->x0; x++) {
      int64_t right = 2 * x + 1 < width ? 2 * x + 1 : 2 * x;
      pixels[y * box->width + x] = mean(upper[2 * x], upper[right], lower[2 * x], lower[right]);
    }
  }
  return true;
}
