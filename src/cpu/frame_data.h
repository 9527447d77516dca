// What the files that render a frame on the CPU share: the frame, its bands, and the memory of its threads.
#ifndef SJ_CPU_FRAME_DATA_H
#define SJ_CPU_FRAME_DATA_H

#include <stdatomic.h>

#include "base/irect.h"
#include "base/pool.h"
#include "cpu/filter.h"
#include "cpu/sums.h"

#define SJ_UNSORTED UINT32_MAX
#define SJ_RECTANGLE (UINT32_MAX - 1)

// The lines of a draw, and where they are.
typedef struct sj_shape {
  stijl_irect box;  // canvas pixels: the part of the draw's box that its lines can touch; empty: nothing to paint
  uint32_t chunk;
  uint32_t starts;  // index into the chunk's starts; or SJ_UNSORTED: each band goes through all of its lines; or
                    // SJ_RECTANGLE: there are none, as the draw is an upright rectangle
  union {
    struct {
      size_t first, count;
    };
    stijl_irect edges;  // of the rectangle, in 24.8
  };
  bool pops;   // it ends a layer
  bool hides;  // it is opaque, and fills so many pixels that it is worth finding out what it hides
  bool small;  // it can be painted as an sj_small
} sj_shape;

// A contiguous run of draws, or in rounds.c of one draw's segments, flattened by one task.
typedef struct sj_chunk {
  uint32_t first_draw, end_draw;
  size_t expected_lines;  // a guess
  uint64_t painted;       // pixels that its draws paint, about
  sj_lines lines;
  SJ_ARRAY(uint32_t) starts;  // of each sorted draw: where each band's lines begin, and where the last end
  uint32_t next, end;         // rounds.c: the segments, or glyphs, that are left
  sj_shape part;              // the lines of this round
} sj_chunk;

// Bands of 2^shift rows each, from the canvas row `top` on.
typedef struct sj_band_range {
  int first, count, shift, top;
} sj_band_range;

// rounds.c: the sums of the draw that is painted in rounds, for some bands.
typedef struct sj_rounds {
  bool active;
  uint32_t first, end;  // the bands
  k_long *sums;
  uint8_t *touched;
} sj_rounds;

static inline uint64_t sj_box_pixels(const k_draw *draw) {
  return (uint64_t)(draw->x1 - draw->x0) * (uint64_t)(draw->y1 - draw->y0);
}

#define SJ_NO_DRAW UINT32_MAX
#define SJ_WORK_LINE 16  // the work that the budget is charged for a line: for making, sorting and painting it

// Returns the pixels of a rectangle that are wholly covered.
static inline stijl_irect sj_shape_inside(const sj_shape *shape) {
  stijl_irect e = shape->edges;
  return sj_irect_intersect(shape->box, (stijl_irect){(e.x0 + 255) >> 8, (e.y0 + 255) >> 8, e.x1 >> 8, e.y1 >> 8});
}

// A part of a draw that is seen in a band: of the draw at this place in the list of the bands' draws, or of the clear.
typedef struct sj_seen_part {
  uint32_t draw;
  stijl_irect box;  // from the band's corner
} sj_seen_part;

#define SJ_CLEAR UINT32_MAX

// A glyph's lines around its origin, among a worker's; `first` is SJ_NO_LINES where they are not made yet.
typedef struct sj_glyph_lines {
  size_t first, count;
  stijl_irect box;  // in 24.8
} sj_glyph_lines;

#define SJ_NO_LINES SIZE_MAX

#define SJ_RAMPS 8
#define SJ_NO_RAMP UINT32_MAX

// Working memory of one thread.
typedef struct sj_worker {
  stijl_context *context;
  int32_t *sums;  // the cells' arrays, in one block of memory
  uint8_t *touched;
  void *cell_memory;
  size_t cell_bytes;
  sj_long_sums long_sums;
  sj_lines sorted;                  // scratch for sorting lines into bands
  sj_lines glyph_lines;             // of the batch's glyphs
  SJ_ARRAY(sj_glyph_lines) glyphs;  // one for each of the encoded scene's
  SJ_ARRAY(uint64_t) hidden;        // scratch for finding what is hidden in a band
  SJ_ARRAY(sj_seen_part) parts;     // what is seen of the band's draws that are partly hidden, the last draw first
  uint32_t *pixels;  // a band's pixels, when they cannot be painted in place, and as many for each open layer
  void *pixel_memory;
  size_t pixel_bytes;
  bool cleared;     // the pixels are the background, as the band before has left them
  uint32_t *ramps;  // of gradients that the band at work has drawn with last: SJ_RAMPS, each with SJ_RAMP_ROOM
  uint32_t ramp_numbers[SJ_RAMPS];
  bool failed;  // memory ran out
} sj_worker;

typedef struct sj_frame {
  stijl_context *context;
  const sj_kernels *kernels;
  sj_pool *pool;
  bool eager;  // threads are started whatever there is to do
  const sj_encoded *scene;
  const k_pass *pass;  // the one at work
  // The target.
  stijl_target target;
  stijl_irect region;
  uint32_t background;  // premultiplied
  bool keep;
  bool clamp;          // what the target holds is clamped first (sj_clamp_row): the scene blends with it
  bool reads;          // the caller reads the target's pixels next
  bool direct;         // the target's rows are painted in place
  bool measures;       // whether `direct` stays true depends on how much each batch paints
  size_t stream_from;  // targets of this many bytes and more are stored past the cache
  uint64_t part_of;    // the pixels of the target of which this is a part, or 0 where it is drawn whole
  bool streams;        // this target is stored past the cache, each band when it is done
  bool parallel;       // several threads work at the pass
  // Bands.
  int band_shift, band_rows, bands;  // 2^band_shift rows each, the last one fewer
  size_t stride;                     // pixels of a band's row: the region's width in whole blocks
  // The batch of draws at work.
  uint32_t batch_first, batch_end;
  uint64_t batch_guess;  // how many lines it has, about
  bool batch_large;      // it is one draw that has too many
  // Layers that are open where the batch begins and where it ends, by their pushes, the outermost first; and their
  // pixels, which wait for the next batch: one canvas of the region's size for each.
  SJ_ARRAY(uint32_t) open_first, open_end;
  uint32_t *saved;
  void *saved_memory;
  size_t saved_bytes;
  uint32_t limit_lines;      // of a batch, for tests; 0: as usual
  uint32_t force_rows;       // of a band, a power of two, for the lab; 0: as many as are best
  uint64_t batch_lines;      // how many lines a batch may have, by the draws' guesses
  atomic_size_t lines_made;  // how many the batch at work has so far
  atomic_bool overflow;      // they are too many: the batch is begun again with fewer draws
  atomic_uint large_draw;    // a draw whose lines alone are too many for a batch, or SJ_NO_DRAW
  sj_rounds rounds;
  SJ_ARRAY(sj_chunk) chunks;
  void *first_lines;  // one block of memory for all lines of the first batch; chunks that outgrow it have their own
  SJ_ARRAY(sj_shape) shapes;  // one for each draw of the batch
  // Bands that have pixels of the frame: of the target's own where it need not be changed, or painted by a batch.
  SJ_ARRAY(bool) begun;
  SJ_ARRAY(uint32_t) band_starts;  // bands + 1: where each band's list begins in band_draws
  SJ_ARRAY(uint32_t) band_draws;
  SJ_ARRAY(uint32_t)
  band_hiders;         // where in its list each band's last draw is that hides others, plus 1; else its start
  sj_worker *workers;  // one for each thread
  uint64_t max_layer_bytes;
  sj_surfaces surfaces;  // of filters
  // Statistics: what passes add to.
  double flatten_ms;
  uint64_t lines;
} sj_frame;

// Returns whether the batch at work is the first to paint a band, which then begins with the background, not with what
// the target has.
static inline bool sj_begins_clear(const sj_frame *frame, uint32_t band) {
  return !frame->begun.data[band] && !frame->keep;
}

static inline stijl_irect sj_layer_box(const sj_frame *frame, uint32_t push) {
  const k_draw *draw = &frame->scene->draws.data[push];
  return (stijl_irect){draw->x0, draw->y0, draw->x1, draw->y1};
}

// Returns whether a band has a part of the layer that the push begins.
static inline bool sj_layer_in_rows(const sj_frame *frame, uint32_t push, stijl_irect rows) {
  stijl_irect box = sj_layer_box(frame, push);
  return box.x0 < box.x1 && box.y0 < rows.y1 && box.y1 > rows.y0;
}

// Runs each task on any of the threads, or on this one alone.
static inline void sj_frame_run(sj_frame *frame, size_t count, sj_pool_task task) {
  if (frame->parallel) {
    sj_pool_run(frame->pool, (uint32_t)count, task, frame);
    return;
  }
  for (uint32_t i = 0; i < count; i++) task(frame, i, 0);
}

#endif
