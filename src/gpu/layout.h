// What crosses between the host and the shaders, declared once: scalar block layout, 32 bit members only.
#ifndef SJ_GPU_LAYOUT_H
#define SJ_GPU_LAYOUT_H

#include "kernel/platform.h"

#define G_TILE 16
#define G_TILE_SHIFT 4
#define G_TILE_PIXELS 256

// The workgroups' sizes, and how many items each works on.
#define G_FLATTEN_GROUP 128
#define G_FLATTEN_SEGMENTS 128  // at most
#define G_FLATTEN_QUEUE 256     // two places a lane
#define G_RANK_GROUP 64
#define G_RESOLVE_TILES 16

// Bindings of the one descriptor set.
#define G_POINTS 0     // k_vec, of the scene
#define G_SEGMENTS 1   // k_segment, of the scene
#define G_DRAWS 2      // k_draw
#define G_PENS 3       // k_pen
#define G_PAINTS 4     // k_paint, whose source is an index into the texels
#define G_RECORDS 5    // g_record, one a draw
#define G_BLOCKS 6     // where workgroups begin to look for their draw: flatten's, then rank's
#define G_TEXELS 7     // ramps and images
#define G_CONTROL 8    // g_control, then covers: 512 * cover of a touched tile's lines, one a pixel row
#define G_WORDS 9      // g_word, per draw and tile row
#define G_BINS 10      // bit sets of draws, one a bin of tiles
#define G_TILES 11     // g_tile, one a touched tile
#define G_SUMS 12      // 16 x 16 ints a touched tile, zero between frames
#define G_COVERAGE 13  // 64 words of four bytes a touched tile
#define G_TARGET 14    // pixels
#define G_SPILL 15     // deep layers
#define G_BINDINGS 16

// A draw for the stages behind flatten. Coordinates count from the region's corner, two of 16 bits in a word.
K_STRUCT(g_record) {
  uint info;          // bits 0..2 K_DRAW_*, 3 even-odd, 4 path, 5 opaque where no layer is open, 8..15 opacity,
                      // 16..20 blend, 21..23 paint kind, 0 for one colour
  uint box0, box1;    // the pixels it paints, half open
  uint tile0, tile1;  // the tiles it takes part in: of a layer's end those of its begin
  uint color;         // one colour, or the index of the paint
  uint words;         // mask words a tile row; 0: no path
  uint word;          // the first of them
  uint row;           // draws' tile rows, numbered through
  uint item;          // draws' segments, numbered through
};

#define G_EVENODD 8u
#define G_PATH 16u
#define G_OPAQUE 32u

// 32 tiles of a draw's row: which of them lines touch, and the number of touched tiles before them.
K_STRUCT(g_word) { uint touched, rank; };

// A touched tile. Coverage to its right, as far as the next touched tile, is that of its exit.
K_STRUCT(g_tile) {
  uint draw;
  uint place;     // x | y << 16, in tiles
  uint state;     // bits 0..1 the tile's own coverage, 2..3 its exit's: G_EMPTY, G_SOLID or G_MIXED
  uint exits[4];  // a byte a pixel row
};

#define G_EMPTY 0u
#define G_SOLID 1u
#define G_MIXED 2u

K_STRUCT(g_control) {
  uint tiles;                            // touched tiles, also when they are more than fit
  uint resolve_x, resolve_y, resolve_z;  // workgroups of resolve
  uint unused0, unused1, unused2, unused3;
};

// Push constants.
K_STRUCT(g_params) {
  uint draws, items, rows;
  uint tile_capacity;
  uint width, height;  // of the region
  uint tiles_x, tiles_y;
  uint bin_shift;          // tiles of a bin's side, as a power of two
  uint bins_x, bin_words;  // words of a bin's set
  uint segments_at_once;   // of a workgroup of flatten
  uint rank_blocks;        // where rank's part of the blocks begins
  int region_x, region_y;
  uint background;
  uint keep;
  uint first_tile;  // of this dispatch of fine, in rows of tiles_x
  uint spill_levels;
};

// --- Transfer: to and from the application's buffers ---

#define G_TRANSFER_GROUP 256
#define G_TRANSFER_STRAIGHT 1u
#define G_TRANSFER_BLUE_FIRST 2u
#define G_TRANSFER_ALPHA 4u

// Push constants.
K_STRUCT(g_transfer) {
  uint width, height;  // pixels
  uint first, stride;  // of the buffer, in words
  uint format;         // G_TRANSFER_*
  uint load;           // from the buffer rather than to it
  uint tile_capacity;
};

#endif
