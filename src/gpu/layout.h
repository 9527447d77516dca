// The data that the host and the shaders exchange, and that stages pass to one another, declared once for C and GLSL:
// scalar block layout, members of 32 bits only. Shaders declare the buffers they read or write most as arrays of uvec4,
// and load these structures from them by shaders/load.glsl: that is one access of 16 bytes where members would take
// four. So many of them, or so many words, a structure has (tests/gpu/layout.c):
#define G_PATH_QUADS 2u
#define G_PEN_QUADS 5u
#define G_PAINT_QUADS 6u
#define G_RECORD_QUADS 3u
#define G_PARAM_QUADS 8u
#define G_TILE_QUADS 2u
#define G_SPAN_WORDS 3u
#define G_GLYPH_SPAN_WORDS 9u
#define G_SMALL_WORDS 3u
//
//
// Names that begin with G_ and g_ are those of this file (docs/architecture.md, "Names").
#ifndef SJ_GPU_LAYOUT_H
#define SJ_GPU_LAYOUT_H

#include "kernel/place.h"

#define G_TILE 16
#define G_TILE_SHIFT 4
#define G_TILE_PIXELS 256

// The sizes of the stages' workgroups, and how many items each workgroup takes.
#define G_FLATTEN_SHIFT 7
#define G_MAX_SHARES (1u << 14)
#define G_FLATTEN_GROUP (1 << G_FLATTEN_SHIFT)
#define G_FLATTEN_SEGMENTS 128  // at most
#define G_FLATTEN_CURVED 32     // at most, with curves or strokes: a stroke may need a lane for each of two corners
#define G_RANK_GROUP 128        // lanes, and rows of tiles at most
#define G_COVER_GROUP 256
#define G_COVER_EDGES 128  // at most: cover's list has 7 bits for an edge, and 24 for the number of units
#define G_RESOLVE_TILES 16
#define G_SMALL_GROUP 64

#define G_SMALL_CELLS 512  // sums that a workgroup of the stage for small fills has in shared memory

// A fill counts as small when it has at most this many lines, and its box at most this many pixels and, across as well
// as down, this many tiles.
#define G_SMALL_LINES 256
#define G_SMALL_PIXELS (4 * G_SMALL_CELLS)
#define G_SMALL_TILES 8
// Returns how many words apart rows of sums are: an odd number, so that lanes which add to the same column of different
// rows use different banks of shared memory, and need not wait for each other.
K_FN int g_small_pitch(int width) { return width | 1; }

// Fine keeps the pixels of the lowest layers below the open one in registers, this many, and those of others in a
// buffer.
#define G_REGISTER_LEVELS 3

// A bin is the block of 8 x 4 tiles whose lists one workgroup of coarse writes: 32, so that a set of tiles is one word.
#define G_BIN_X_SHIFT 3
#define G_BIN_Y_SHIFT 2
#define G_BIN_TILES 32

// Bindings. Each stage declares those that it uses, and has descriptor sets of these.
#define G_POINTS 0     // k_vec, of the scene
#define G_SEGMENTS 1   // k_segment, of the scene
#define G_PATHS 2      // g_path, one a draw
#define G_PENS 3       // k_pen
#define G_PAINTS 4     // k_paint, whose source is an index into the texels
#define G_RECORDS 5    // g_record, one a draw
#define G_BLOCKS 6     // flatten workgroups' first g_span, rank workgroups' first draws; then the g_span, the g_small
#define G_TEXELS 7     // images
#define G_CONTROL 8    // g_control
#define G_WORDS 9      // g_word, per draw and tile row
#define G_BINS 10      // bit sets of draws, one a bin; zero between frames
#define G_TILES 11     // g_tile, one a touched tile
#define G_SUMS 12      // G_TILE_SUMS ints for each tile of g_params.capacity, then the extras; zero between frames
#define G_COVERAGE 13  // a byte a pixel, 256 a touched tile; zero outside of its draw's box
#define G_EDGES 14     // ivec4: an edge as kernel/coverage.h has it, without its slopes
#define G_TAGS 15      // of each edge: its g_tag
#define G_COMMANDS 16  // g_command
#define G_TARGET 17    // pixels
#define G_SPILL 18     // deep layers
#define G_RAMPS 19     // gradients' colours, k_pixel
#define G_MARKS 20     // which strips of tiles lines cross, four words a g_word; zero between frames
// For draws with G_LONG_SUMS: laid out as the sums, their upper 32 bits; or while none are long, for each strip
// of each tile row, in the numbering of g_record.row, how many lines cross it: the sign bit is set once they are too
// many.
#define G_CARRIES 21
// g_needs: what the whole frame counted (where that is more than the capacity, fine painted nothing), then a g_list for
// each tile of the region. They are not in the control's binding, so that the next frame's flatten, which counts there,
// may begin while fine reads here.
#define G_LISTS 22
#define G_BINDINGS 23
// Beyond these, WebGPU alone has a buffer of parameters, and those of filters (filter_layout.h).
#define G_WEB_PARAMS 23
#define G_WEB_ITEMS 24
#define G_WEB_ITEM_WORDS 25
#define G_WEB_BINDINGS 26
// And Vulkan alone has the beginning of G_LISTS once more, where the host reads it. (WebGPU's host copies it.)
#define G_TOLD 23
// What encode.comp makes the draws of (g_encoding).
#define G_SOURCES 24  // g_source, one a recorded draw; then their g_transform
#define G_USES 25     // g_pen_use, then g_paint_use
#define G_TOTALS 26   // two uvec4 a workgroup: what its draws add up to; then those of G_GROUPS_OF_...
#define G_VK_BINDINGS 27

// Packs two coordinates of 16 bits into a word.
K_FN uint g_pair(int x, int y) { return k_uint(x) | k_uint(y) << 16; }
K_FN int g_x(uint pair) { return k_int(pair & 0xffffu); }
K_FN int g_y(uint pair) { return k_int(pair >> 16); }

// What a draw is, in a word; commands have the part from G_OPACITY_SHIFT on.
#define G_DRAW 7u  // K_DRAW_*
#define G_EVENODD 8u
#define G_PATH 16u
#define G_OPAQUE 32u
#define G_IN_LAYER 64u
#define G_MASKED 128u      // a layer that a mask is applied to
#define G_OPACITY_SHIFT 8  // of layers: 8 bits
#define G_BLEND_SHIFT 16   // of layers: K_BLEND_*, 5 bits
#define G_BLEND_MOST 31u
#define G_KIND_SHIFT 21  // of paints: K_PAINT_*, 3 bits; 0: one colour
#define G_KIND (7u << G_KIND_SHIFT)
#define G_OPEN (1u << 24)       // a push whose layer is still open at the end of the batch
#define G_LONG_SUMS (1u << 25)  // it might have more windings than sums of 32 bits hold (gpu/windings.h)
#define G_ALIASED (1u << 26)    // without anti-aliasing
#define G_OF_COMMAND (~0u << G_OPACITY_SHIFT)

K_FN uint g_draw_of(uint info) { return info & G_DRAW; }
K_FN uint g_opacity_of(uint info) { return info >> G_OPACITY_SHIFT & 255u; }
K_FN uint g_blend_of(uint info) { return info >> G_BLEND_SHIFT & G_BLEND_MOST; }
K_FN uint g_kind_of(uint info) { return (info & G_KIND) >> G_KIND_SHIFT; }

// A draw, as all stages but flatten see it. Coordinates are pairs, and count from the region's corner.
K_STRUCT(g_record) {
  uint info;          // G_DRAW ...
  uint box0, box1;    // the pixels it paints: left | top, right | bottom, half open
  uint tile0, tile1;  // the tiles it takes part in, half open; a pop has its push's
  uint color;         // the colour, or the index of the paint; a push has the index of its pop, or of itself where the
                      // pop is in a later batch
  uint words;         // how many g_word each of its tile rows has; 0 where it has no path
  uint word;          // the index of the first of them
  uint row;           // the number of its first tile row, in a numbering of all draws' tile rows
  uint outer;         // of a push: the push of the layer below
  int origin_x, origin_y;  // on a sheet: the draw's device pixel that is the region's corner
};

// A draw, as flatten sees it.
K_STRUCT(g_path) {
  k_matrix matrix;  // to device pixels
  uint pen;
  uint flags;  // G_PATH_*
};

#define G_PATH_FAR 1u      // its lines may leave the guard band, and so have to be cut (kernel/clip.h)
#define G_PATH_ALIASED 2u  // it is drawn without anti-aliasing
#define G_PATH_GLYPHS 4u   // it has no matrix of its own: each of its spans is an instance of a glyph

// Flatten works on items: the segments of all draws of a batch, numbered one after another. A span is a run of items
// that one draw has.
K_STRUCT(g_span) {
  uint draw;
  uint item;   // its first item
  uint shift;  // what to add to an item to get the segment's index in the scene (modulo 2^32)
};

// A span in batches with glyph runs. Those of runs have a matrix of their own, without translation, and what moves
// their lines, or where these are far their control points: as k_instance has it.
K_STRUCT(g_glyph_span) {
  uint draw, item, shift;  // as g_span
  int x, y;
  float a, b, c, d;
};

// A fill that the stage for small fills draws. It has no rows for rank and no items for flatten.
K_STRUCT(g_small) { uint draw, segment, segment_count; };

// Returns an edge's tag.
K_FN uint g_tag(uint draw, bool upwards) { return draw << 1 | (upwards ? 1u : 0u); }
K_FN uint g_tag_draw(uint tag) { return tag >> 1; }
K_FN bool g_tag_is_up(uint tag) { return (tag & 1u) != 0u; }

// 32 tiles of one of a draw's tile rows, a bit each. `touched`: the tiles that lines cross. They are numbered through
// all draws, left to right in a row; `rank` is the number of the first one here. What covers each tile is a number of
// two bits, G_NONE to G_EXIT: `kind0` has the lower bits and `kind1` the upper ones.
K_STRUCT(g_word) { uint touched, rank, kind0, kind1; };

#define G_NONE 0u     // no pixel is covered
#define G_FULL 1u     // all pixels are
#define G_TOUCHED 2u  // it is touched: its own bytes of coverage
#define G_EXIT 3u     // each pixel row by one value: the exit of the last touched tile to its left

// A tile consists of four strips of four pixel rows. Flatten marks each strip that a line crosses by a bit: 8 tiles a
// word. The sums of the other strips are zero, and resolve need not read them.
#define G_STRIP_SHIFT 2
#define G_STRIPS 4u
#define G_MARK_SHIFT 3
#define G_MARK_WORDS 4  // words of marks for the 32 tiles of a g_word
// How many g_word a batch may have. Flatten packs a tile, numbered as the bits of all g_word, and its four strips into
// 32 bits, where all ones stand for no tile.
#define G_MAX_WORDS ((1u << 23) - 1u)

// A touched tile. Its exit is the coverage, in each of its pixel rows, of all pixels to its right as far as the next
// touched tile: no line crosses those, so it is the same for all of a row.
K_STRUCT(g_tile) {
  uint draw;
  uint place;                       // see g_place
  uint row_first;                   // the first touched tile of the draw's tile row that it is in
  uint row_count;                   // how many touched tiles that row has
  uint exit0, exit1, exit2, exit3;  // a byte a pixel row
};

// Where a tile is, in tiles, and which of its strips lines cross.
#define G_STRIPS_SHIFT 28
K_FN uint g_place(uint x, uint y, uint strips) { return x | y << 16 | strips << G_STRIPS_SHIFT; }
K_FN int g_place_x(uint place) { return g_x(place); }
K_FN int g_place_y(uint place) { return g_y(place) & ((1 << (G_STRIPS_SHIFT - 16)) - 1); }
K_FN uint g_place_strips(uint place) { return place >> G_STRIPS_SHIFT; }

// Where the exits begin in the words of a g_tile, for shaders that index them. (As an array in the structure they would
// give its layout to the shaders' own arrays of that type, which SPIR-V forbids.)
#define G_TILE_EXITS 4u

// The sums of a touched tile: 16 x 16 for its pixels, and one more for each pixel row, its extra. A tile has to know
// what the tiles left of it in its row add to its pixels, 512 times the cover of all their lines.
// - Where one workgroup of resolve has all touched tiles of the draw's row (g_row_is_whole), the extra is what the last
//   column adds to the column right of it. The row's 16 sums and its extra then give 512 times the cover together.
// - Where several workgroups share the row, the extra is that number itself: one load tells it to another workgroup.
// The extras of all tiles follow the sums of all tiles, which begin at multiples of 128 bytes. (68,000 strokes: 808 us,
// not 813.)
#define G_TILE_SUMS 256

// Returns where a pixel's sum is among its tile's: squares of 4 by 4 pixels are 64 consecutive bytes, so that what an
// edge adds takes few transactions of memory, whatever its direction. (68,000 strokes: cover takes 266 us and resolve
// 236; with 2 columns by 8 rows 279 and 251.) Four sums of a row are side by side, because resolve loads them together.
K_FN uint g_sum_of(uint x, uint y) { return (x >> 2) * 64u + y * 4u + (x & 3u); }

K_FN bool g_row_is_whole(uint words, uint first, uint count) {
  return words == 1u && first / G_RESOLVE_TILES == (first + count - 1u) / G_RESOLVE_TILES;
}

// One step of what fine does to a tile: it paints a draw, or begins or ends a layer.
K_STRUCT(g_command) {
  uint info;   // G_COVER ...; from G_OPACITY_SHIFT on the record's
  uint color;  // the record's
  uint place;  // G_TOUCHED: the tile's rank; G_EXIT: that of the touched tile whose exit it is
  uint draw;
};

#define G_COVER 3u  // G_NONE ...
#define G_BOX 4u  // the draw's box cuts through the tile; not needed for G_TOUCHED, whose bytes are zero outside of it
#define G_OP 24u  // one of the following three
#define G_PAINT 0u
#define G_PUSH 8u
#define G_POP 16u
#define G_ON_EMPTY 64u  // of pushes and pops: nothing is painted yet in the layer below, so it need not be kept

// The commands of a tile.
K_STRUCT(g_list) { uint first, count; };

// How much a frame needs of each buffer that grows, or how much room there is.
K_STRUCT(g_needs) {
  uint tiles, edges;
  uint small;  // tiles of small fills: they have coverage only, which lies after that of `tiles`
  uint commands;
  // Among how many workgroups flatten shares the lines of a run of segments. More are needed where one workgroup's
  // loops were ended before their end.
  uint shares;
  // Where the device encodes the draws (g_encoding): their g_word, or their tile rows where these are more; all ones
  // where a bin has more draws than loops may go through, which no room helps. Else 0.
  uint words;
  // 1 where more lines of one draw cross a strip of pixel rows than sums of 32 bits surely hold. The capacity is 0
  // until a frame of the scene has needed it; then it is 1, and draws that may have so many lines (gpu/windings.h) have
  // long sums.
  uint crowded;
};

K_FN bool g_fits(g_needs needs, g_needs capacity) {
  return needs.tiles <= capacity.tiles && needs.edges <= capacity.edges && needs.small <= capacity.small &&
         needs.commands <= capacity.commands && needs.shares <= capacity.shares && needs.words <= capacity.words &&
         needs.crowded <= capacity.crowded;
}

K_STRUCT(g_control) {
  // Counted while the frame runs; zero between frames.
  g_needs counted;
  uint done;                       // workgroups of coarse that have finished
  uint cover_x, cover_y, cover_z;  // workgroups, for indirect dispatch
  uint resolve_x, resolve_y, resolve_z;
  // What encode.comp has found, where the device encodes the draws; the stages that are specialised for that read it in
  // place of what g_params tells of other frames.
  uint items0, items1;  // of flatten's two lists
  uint rows, small;
  uint most;  // how many draws a bin may have
};

// Flags of g_params.
#define G_KEEP 1u  // begin with the pixels of the target, not with the background
// A batch may begin (G_RESUME) and end (G_SUSPEND) inside layers. Between two such batches the target holds the pixels
// of the deepest open layer, and the spill buffer those of the layers below it, and how many there are, for every tile.
#define G_RESUME 2u
#define G_SUSPEND 4u

// The push constants of all stages.
K_STRUCT(g_params) {
  uint draws, items, rows;  // of the batch: draws, flatten's segments, rank's tile rows
  g_needs capacity;
  uint width, height;  // of the region
  uint tiles_x;        // tiles in a row of the region
  uint stride;         // pixels from row to row of the target
  uint bins_x, bins;
  uint segments_at_once;     // how many a workgroup of flatten takes
  uint rows_at_once;         // how many a workgroup of rank takes
  uint edges_at_once;        // how many a workgroup of cover takes
  uint flatten_block, span;  // where in G_BLOCKS flatten's part begins, and where its g_span do
  uint rank_block;           // where rank's part begins
  uint small, small_block;   // how many small fills there are, and where in G_BLOCKS they begin
  int region_x, region_y;
  uint background;
  uint flags;         // G_KEEP ...
  uint open;          // how many layers are open at the begin of the batch
  uint first_tile;    // the first tile of this dispatch of fine, counted row by row
  uint spill_levels;  // how many layers of a tile the spill buffer has room for
};

  // --- Encoding: draws as they were recorded become what the stages read ---

#define G_ENCODE_GROUP 256  // lanes, and workgroups at most
#define G_SOURCE_QUADS 3u
#define G_TRANSFORM_QUADS 2u

// A recorded fill or stroke, or one of the whole region.
K_STRUCT(g_source) {
  uint draw;  // K_DRAW_FILL, K_DRAW_STROKE or K_DRAW_ALL | its flags << G_SOURCE_FLAGS
  uint segment, segment_count, lines;
  k_box box;       // of the path
  uint transform;  // the index of its g_transform
  uint pen;        // of strokes: the index of its pen and its g_pen_use
  uint paint;      // the colour, or the index of its paint and its g_paint_use
  uint unused;
};
#define G_SOURCE_FLAGS 8

// The matrix from a draw's space to that of the scene.
K_STRUCT(g_transform) {
  k_matrix matrix;
  uint unused0, unused1;
};

// What a frame has of a pen beside the k_pen.
K_STRUCT(g_pen_use) {
  float reach;  // how far strokes reach from their path, in pixels; below 0: the pen draws nothing
  uint bend;    // as for g_windings_each
};

// What a frame has of a paint beside the k_paint.
K_STRUCT(g_paint_use) {
  uint info;  // a record's G_OPAQUE and G_KIND; G_USE_NOTHING, G_USE_COLOR
  uint color;
};
#define G_USE_NOTHING 1u  // it draws nothing
#define G_USE_COLOR 2u    // it has become one colour

// Where in G_TOTALS, in uvec4, the numbers of workgroups are of the stages that follow, for indirect dispatch. (They
// are not in the control, which these stages write.)
#define G_GROUPS_OF_FLATTEN (2u * G_ENCODE_GROUP)  // of the first list, then of the second
#define G_GROUPS_OF_SMALL (G_GROUPS_OF_FLATTEN + 2u)
#define G_GROUPS_OF_RANK (G_GROUPS_OF_FLATTEN + 3u)
#define G_TOTAL_QUADS (G_GROUPS_OF_FLATTEN + 4u)

// The push constants of encode.comp.
K_STRUCT(g_encoding) {
  k_matrix view;    // from the scene to the pixels
  k_pixels region;  // what is drawn
  uint draws;       // how many there are
  uint turns;       // each lane of a workgroup takes so many
  uint write;       // 0: the workgroups' totals are made; 1: records
  uint flags;       // G_ENCODE_*
  uint words;       // how many g_word, and how many rows, there is room for
  uint windings;    // draws that may wind around a pixel more often have long sums
  uint most;        // as in g_control
  uint paint_use;   // where in G_USES the g_paint_use begin, in words
  // As in g_params, of each list of flatten.
  uint at_once0, at_once1, shares0, shares1, rows_at_once;
  uint block1, span0, span1, rank_block, small_block;
};
#define G_ENCODE_APART 1u  // strokes are in flatten's second list
#define G_ENCODE_SMALL 2u  // small fills have their stage

  // --- Ramps: of pieces that were uploaded ---

#define G_RAMP_GROUP 256
#define G_RAMP_PIECE_WORDS 9u  // of a k_ramp_piece

// The push constants of ramp.comp.
K_STRUCT(g_ramp_params) {
  uint ramps;   // how many; each has two words, its first piece and how many it has
  uint pieces;  // the word where the pieces begin
};

  // --- Transfer: to and from the application's buffers ---

#define G_TRANSFER_GROUP 256
#define G_TRANSFER_STRAIGHT 1u
#define G_TRANSFER_BLUE_FIRST 2u
#define G_TRANSFER_ALPHA 4u
#define G_TRANSFER_CLAMP 8u  // loading lowers colours that are above their alpha to it

// The push constants of transfer.comp.
K_STRUCT(g_transfer) {
  uint width, height;  // pixels
  uint first, stride;  // where the application's pixels begin in its buffer, and how far rows are apart, in words
  uint format;         // G_TRANSFER_*
  uint load;           // 1: from the application's buffer to the renderer's own; 0: the other way
  uint own_stride;     // of the renderer's own pixels
  g_needs capacity;
};

#endif
