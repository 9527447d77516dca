// The geometry of a pyramid of tiles: its levels, each half as large as the one above it, and where the tiles of each
// lie.
#ifndef STIJL_CLI_PYRAMID_H
#define STIJL_CLI_PYRAMID_H

#include <stdbool.h>
#include <stdint.h>

typedef enum cli_layout {
  CLI_LAYOUT_DEEP_ZOOM,  // level 0 is one pixel; tiles of the right and lower edge are smaller
  CLI_LAYOUT_XYZ,        // level 0 is one tile; all tiles have one size, the picture is in the upper left
  CLI_LAYOUT_IIIF,       // level 0 is the largest that fits into one tile
  CLI_LAYOUT_PMTILES     // as CLI_LAYOUT_XYZ
} cli_layout;

typedef struct cli_pyramid {
  cli_layout layout;
  int64_t width, height;  // pixels of the highest level, 1..2^31-1
  int tile_size;          // pixels a side, without overlap
  int overlap;            // pixels that a tile shows of each of its neighbours
  int levels;
} cli_pyramid;

typedef struct cli_level {
  int64_t width, height;   // pixels, of which the last ones may stand for less than others
  uint32_t columns, rows;  // of tiles
  int halvings;            // of the highest level
  int order;               // of the Hilbert curve through its tiles
} cli_level;

typedef struct cli_tile {
  int level;
  uint32_t x, y;
} cli_tile;

// Where a tile shows something, in pixels of its level, and the size of its picture, which is larger where tiles have
// one size.
typedef struct cli_tile_box {
  int64_t x0, y0, x1, y1;
  int width, height;
} cli_tile_box;

cli_pyramid cli_pyramid_make(cli_layout layout, int64_t width, int64_t height, int tile_size, int overlap);
cli_level cli_pyramid_level(const cli_pyramid *pyramid, int level);
cli_tile_box cli_pyramid_box(const cli_pyramid *pyramid, cli_tile tile);
// Returns how many tiles these levels have.
uint64_t cli_pyramid_tiles(const cli_pyramid *pyramid, int first, int last);

#endif
