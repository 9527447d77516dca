// What crosses between the host and the shaders, declared once: scalar block layout, 32 bit members only. What is read
// or written much is an array of uvec4 to the shaders: one access of 16 bytes instead of four.
#ifndef SJ_GPU_LAYOUT_H
#define SJ_GPU_LAYOUT_H

#include "kernel/platform.h"

#define G_TILE 16
#define G_TILE_SHIFT 4
#define G_TILE_PIXELS 256

// The loops of an invocation take at most so many turns together, in every stage: llvmpipe ends all loops of one after
// 65,535, in silence, and counts for lanes side by side what the slowest of each loop takes. The host sees to it: it ends
// batches before a bin has too many draws, and gives workgroups less to do (gpu/turns.h has the bounds). Not counted are
// loops of [[unroll]], which compilers unroll.
#define G_MAX_TURNS 49152

// The workgroups' sizes, and how many items each works on.
#define G_FLATTEN_SHIFT 7
#define G_FLATTEN_GROUP (1 << G_FLATTEN_SHIFT)
#define G_FLATTEN_SEGMENTS 128  // at most
#define G_FLATTEN_CURVED 32     // where there are curves, or strokes, of which each may have two corners, a lane each
#define G_RANK_GROUP 128        // rows at most
#define G_COVER_GROUP 256
#define G_COVER_EDGES 128  // at most; places in lists of 7 bits, and 2^24 units
#define G_RESOLVE_TILES 16
#define G_SMALL_GROUP 64

#define G_SMALL_CELLS 512

// A small fill consists of so many lines at most; its box has so many pixels, and as many tiles across and down.
#define G_SMALL_LINES 256
#define G_SMALL_PIXELS (4 * G_SMALL_CELLS)
#define G_SMALL_TILES 8
// Its rows are odd numbers of pixels apart: lanes of different rows then are in different banks of shared memory.
K_FN int g_small_pitch(int width) { return width | 1; }

// Layers below the one that is open: so many in registers, the rest in a buffer.
#define G_REGISTER_LEVELS 3

// A bin is what a workgroup of coarse looks after: a lane a tile, for several draws at a time.
#define G_BIN_X_SHIFT 3
#define G_BIN_Y_SHIFT 2
#define G_BIN_TILES 32

// Bindings of the one descriptor set.
#define G_POINTS 0     // k_vec, of the scene
#define G_SEGMENTS 1   // k_segment, of the scene
#define G_PATHS 2      // g_path, one a draw
#define G_PENS 3       // k_pen
#define G_PAINTS 4     // k_paint, whose source is an index into the texels
#define G_RECORDS 5    // g_record, one a draw
#define G_BLOCKS 6     // of flatten's workgroups the first g_span, of rank's the first draw; g_span; g_small
#define G_TEXELS 7     // images
#define G_CONTROL 8    // g_control, then a g_list for each tile of the region
#define G_WORDS 9      // g_word, per draw and tile row
#define G_BINS 10      // bit sets of draws, one a bin; zero between frames
#define G_TILES 11     // g_tile, one a touched tile
#define G_SUMS 12      // G_TILE_SUMS ints a touched tile; zero between frames
#define G_COVERAGE 13  // 64 words of four bytes a touched tile, zero outside of its draw's box
#define G_EDGES 14     // ivec4: an edge as kernel/coverage.h has it, without its slopes
#define G_TAGS 15      // of each edge: its draw << 1 | whether it ran upwards
#define G_COMMANDS 16  // g_command
#define G_TARGET 17    // pixels
#define G_SPILL 18     // deep layers
#define G_RAMPS 19     // gradients' colours, k_pixel
#define G_MARKS 20     // which strips of tiles lines cross, four words a g_word; zero between frames
#define G_CARRIES 21   // as sums: what they carry beyond 32 bits, of draws with G_LONG_SUMS
#define G_BINDINGS 22

// A draw for the stages behind flatten. Coordinates count from the region's corner, two of 16 bits in a word.
K_STRUCT(g_record) {
  uint info;          // bits 0..2 K_DRAW_*, 3 even-odd, 4 path, 5 opaque, 6 in a layer, 7 masked, 8..15 opacity,
                      // 16..20 blend, 21..23 paint kind, 0 for one colour, 24 open,
                      // 25 long sums
  uint box0, box1;    // the pixels it paints, half open
  uint tile0, tile1;  // the tiles it takes part in: of a layer's end those of its begin
  uint color;         // one colour, or the index of the paint; of a push its pop, or itself where that is in no batch yet
  uint words;         // mask words a tile row; 0: no path
  uint word;          // the first of them
  uint row;           // draws' tile rows, numbered through
  uint outer;         // of a push: the push of the layer below
  uint unused0, unused1;
};

// And for flatten.
K_STRUCT(g_path) {
  k_matrix matrix;  // to device pixels
  uint pen;
  uint far;  // whether it may leave the guard band
};

// A draw's segments in a list of segments for flatten.
K_STRUCT(g_span) {
  uint draw;
  uint item;   // the first one's number in the list
  uint shift;  // from there to its index in the scene
};

// A small fill, which has neither rows nor items.
K_STRUCT(g_small) { uint draw, segment, segment_count; };

#define G_EVENODD 8u
#define G_PATH 16u
#define G_OPAQUE 32u
#define G_IN_LAYER 64u
#define G_MASKED 128u  // a layer that a mask is applied to
#define G_LONG_SUMS (1u << 25)  // it may have more windings than sums of 32 bits hold
#define G_OPEN (1u << 24)  // a push whose layer is still open at the end of the batch

// 32 tiles of a draw's row. Touched tiles - those that lines cross - are numbered: `rank` is that of the first here.
// What covers each tile stands in two bit planes.
K_STRUCT(g_word) { uint touched, rank, kind0, kind1; };

#define G_NONE 0u  // nothing
#define G_FULL 1u
#define G_TOUCHED 2u  // the touched tile's own coverage
#define G_EXIT 3u     // the exit of the last touched tile to the left

// A tile has four strips of four pixel rows. Marks have a bit for each, so those of 8 tiles in a word: the sums of a strip
// that no line crosses are zero, and not read.
#define G_STRIP_SHIFT 2
#define G_MARK_SHIFT 3
#define G_MARK_WORDS 4  // of a g_word
// Flatten has a tile's number and its strips in 32 bits, all ones for none.
#define G_MAX_WORDS ((1u << 23) - 1u)

// A touched tile. Coverage to its right, as far as the next touched tile, is that of its exit.
K_STRUCT(g_tile) {
  uint draw;
  uint place;      // x | y << 16, in tiles, | strips that lines cross << 28
  uint row_first;  // of its draw's row the first touched tile, and how many
  uint row_count;
  uint exit0, exit1, exit2, exit3;  // a byte a pixel row
};

// Their places, for shaders that index the exits and so look at the words. (An array in the structure would give its
// layout to the shaders' own arrays of the same type, which SPIR-V forbids.)
#define G_TILE_WORDS 8
#define G_TILE_EXITS 4

// 16 x 16 sums, and of each pixel row one more. Where one workgroup of resolve has all tiles of the draw's row, this is
// what the last column adds to the next tile's first, and all 17 together are 512 times the cover of all lines. Elsewhere
// it is just that, which other workgroups read. With what is left free a tile begins a line of 128 bytes. (68,000 strokes:
// 808 us, not 813.)
#define G_TILE_SUMS 288
#define G_TILE_EXTRA 256

// Sums lie in squares of 4 by 4, 64 bytes: what an edge touches then are few transactions of memory. (68,000 strokes:
// cover takes 266 us and resolve 236; with 2 columns and 8 rows 279 and 251.) Four of a row are side by side, for resolve.
K_FN uint g_sum_of(uint x, uint y) { return (x >> 2) * 64u + y * 4u + (x & 3u); }

K_FN bool g_row_is_whole(uint words, uint first, uint count) {
  return words == 1u && first / G_RESOLVE_TILES == (first + count - 1u) / G_RESOLVE_TILES;
}

// What fine does to a tile, one after the other.
K_STRUCT(g_command) {
  uint info;   // the record's above bit 7, below: bits 0..1 G_*, 2 box, 3..4 what to do, 6 on an empty layer
  uint color;  // the record's
  uint place;  // the touched tile
  uint draw;
};

#define G_COVER 3u
#define G_BOX 4u  // through the record's box as well; the coverage of touched tiles is that already
#define G_OP 24u
#define G_PAINT 0u
#define G_PUSH 8u
#define G_POP 16u
#define G_ON_EMPTY 64u  // pushes and pops: nothing is painted yet in the layer below

// A tile's commands.
K_STRUCT(g_list) { uint first, count; };

// What a frame needs of the buffers that grow.
K_STRUCT(g_needs) {
  uint tiles, edges;
  uint small;  // tiles of small fills: of them there is only coverage, behind the others'
  uint commands;
};

K_FN bool g_fits(g_needs needs, g_needs capacity) {
  return needs.tiles <= capacity.tiles && needs.edges <= capacity.edges && needs.small <= capacity.small &&
         needs.commands <= capacity.commands;
}

K_STRUCT(g_control) {
  // Counted while the frame runs; zero between frames.
  g_needs counted;
  uint done;                       // workgroups of coarse that have finished
  uint cover_x, cover_y, cover_z;  // workgroups
  uint resolve_x, resolve_y, resolve_z;
  // The frame's, also when they are more than fit; then nothing is painted.
  g_needs needed;
};

// Of g_params.
#define G_KEEP 1u  // what the target holds is drawn over
// Layers are open at the begin of the batch, and at its end: then the target holds what is drawn in the deepest one, and
// the spilled layers are kept, all of each tile's, with their number.
#define G_RESUME 2u
#define G_SUSPEND 4u

// Push constants.
K_STRUCT(g_params) {
  uint draws, items, rows;
  g_needs capacity;
  uint width, height;  // of the region
  uint tiles_x, tiles_y;
  uint stride;  // pixels of a row of the target: whole tiles
  uint bins_x, bins;
  uint bin_words;         // words of a bin's set
  uint segments_at_once;  // of a workgroup of flatten
  uint rows_at_once;      // of a workgroup of rank
  uint edges_at_once;     // of a workgroup of cover
  uint flatten_block, span;  // where flatten's part of the blocks begins, and its g_span
  uint rank_block;           // and rank's
  uint small, small_block;  // small fills, and where they are in the blocks
  int region_x, region_y;
  uint background;
  uint flags;  // G_KEEP ...
  uint open;   // layers open at the begin of the batch
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
  uint own_stride;     // of the renderer's own pixels
  g_needs capacity;
};

#endif
