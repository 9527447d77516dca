// A table of the functions that exist once for each instruction set. The scalar ones are the definition, and all others
// give the same bits.
#ifndef SJ_CPU_KERNELS_H
#define SJ_CPU_KERNELS_H

#include "cpu/filter_kernels.h"
#include "cpu/lines.h"
#include "scene/encode.h"
#include "stijl/render.h"

#define SJ_RAMP_ROOM (K_RAMP_SIZE + 16)  // entries: whole vectors are stored

#define SJ_BLOCK 16  // columns, whose sums fill one cache line

// The sums of kernel/coverage.h, for the rows and columns of one draw. All zero between draws.
typedef struct sj_cells {
  int32_t *sums;          // rows * stride, 64-byte aligned
  uint8_t *touched;       // rows * touched_stride: 1 where a block of SJ_BLOCK columns has sums
  size_t stride;          // sums of a row: whole blocks, and at least SJ_CELLS_PAD more than the row has columns
  size_t touched_stride;  // bytes: at least one for each block of the stride, and a multiple of 8
} sj_cells;

// Whether vectors paint small draws in their own way. It is 13 KB of code, which a page would have to load.
#ifdef __wasm__
#define SJ_PAINTS_SMALL 0
#else
#define SJ_PAINTS_SMALL 1
#endif

#define SJ_CELLS_PAD 16

// What colours a draw. Pixels are premultiplied RGBA8; columns and rows count from the band's corner.
typedef struct sj_painter {
  uint32_t *pixels;  // rows of `stride` pixels, 64-byte aligned when rows are whole blocks
  size_t stride;
  int x, y;        // the canvas pixel at column 0, row 0
  uint32_t color;  // used where there is neither a paint nor a layer
  const k_paint *paint;
  const uint32_t *ramp;  // gradients
  const stijl_image *image;
  const uint32_t *layer;  // the layer's pixels, from the same corner
  size_t layer_stride;
  uint32_t blend;
  uint32_t opacity;  // 0..255, multiplies the coverage
  bool opaque;       // the source is opaque everywhere, blended normally at full opacity
} sj_painter;

// A small fill or stroke in one colour. All of its lines lie within its box, whose sides have at most the following
// numbers of pixels, so that what they add to a row of sums is within one block, which is one cache line.
#define SJ_SMALL_COLUMNS (SJ_BLOCK - 2)
#define SJ_SMALL_ROWS 32
#define SJ_SMALL_LINES 64
typedef struct sj_small {
  int x, y;          // the canvas pixel at column 0, row 0; SJ_BLOCK columns from there on are in the band
  int width, rows;   // of the box, from there on
  int top, bottom;   // the rows of the box that are in the band
  uint32_t *pixels;  // at column 0, row `top`
  uint32_t color;
  bool opaque, evenodd, rectangle;
  union {
    struct {
      size_t first, count;  // its lines
    };
    stijl_irect edges;  // of the rectangle, in 24.8
  };
} sj_small;

// Those that are painted together have so many lines and rows at most.
#define SJ_SMALL_DRAWS 32
#define SJ_SMALL_ALL_LINES 256
#define SJ_SMALL_ALL_ROWS 128
#define SJ_SMALL_SUMS ((SJ_SMALL_ALL_ROWS + 1) * SJ_BLOCK)  // of the last row a vector may reach beyond

typedef struct sj_kernels {
  stijl_isa isa;
  size_t vector_bytes;  // rows of pixels that begin at multiples of this are painted faster
  // Appends the lines of a fill, a stroke or a clip path, without those that change nothing in the draw's box. Returns
  // whether lines right of the box were left out: then there is coverage as far as the box's right side, though the
  // lines' own box may end before. When memory is out lines->failed is set.
  bool (*flatten)(const sj_encoded *scene, const k_draw *draw, sj_lines *lines);
  // Appends the lines of fills that are not cut by their boxes (neither K_DRAW_CUT nor K_DRAW_FAR), and tells where
  // those of each end.
  void (*flatten_fills)(const sj_encoded *scene, const k_draw *draws, uint32_t count, sj_lines *lines, size_t *ends);
  // Does what sj_line_box does.
  stijl_irect (*line_box)(const sj_lines *lines, size_t first);
  // Adds lines[first..first+count) to the sums of the rows and columns of `box`, which counts from the band's corner
  // (x, y) and lies within the cells. Lines left of the box count at its first column. At most K_SUM_LINES lines touch
  // a row; sums.h takes any number.
  void (*cover)(const sj_cells *cells, stijl_irect box, int x, int y, const sj_lines *lines, size_t first,
                size_t count);
  // Paints the box through the sums, by the fill rule, and sets the sums back to zero.
  void (*sweep)(const sj_cells *cells, stijl_irect box, bool evenodd, const sj_painter *painter);
  // Sets the box's pixels.
  void (*clear)(uint32_t *pixels, size_t stride, stijl_irect box, uint32_t color);
  // Moves rows of pixels to memory past the cache, and sets those that they were to `color`. `pitch` is how many bytes
  // rows of `to` are apart. It is NULL where no instruction does this.
  void (*stream)(void *to, size_t pitch, uint32_t *pixels, size_t stride, int width, int height, uint32_t color);
  // Paints the box through an upright rectangle, which is in 24.8 and counts from the band's corner as well.
  void (*fill)(stijl_irect rectangle, stijl_irect box, const sj_painter *painter);
  // Paints small draws one after the other, through sums (SJ_SMALL_SUMS of them) that are zero before and afterwards.
  // `stride` is that of the pixels. Where it is NULL, all draws are painted one by one.
  void (*paint_small)(int32_t *sums, const sj_lines *lines, const sj_small *draws, uint32_t count, size_t stride);
  // Makes all entries of a ramp, as sj_ramp_entries does; `out` has room for SJ_RAMP_ROOM.
  void (*ramp)(const k_ramp_piece *pieces, size_t count, uint32_t *out);
  sj_filter_kernels filter;
} sj_kernels;

// Returns the functions of an instruction set, or NULL if this build or machine lacks it. STIJL_ISA_AUTO gives the
// best.
const sj_kernels *sj_kernels_for(stijl_isa isa);

#endif
