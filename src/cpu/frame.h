// Renders a frame on the CPU: threads flatten the encoded draws and sort their lines into bands of pixel rows; then
// threads paint the bands, each through all draws that touch it, in painting order.
#ifndef SJ_CPU_FRAME_H
#define SJ_CPU_FRAME_H

#include <stdatomic.h>

#include "base/irect.h"
#include "base/pool.h"
#include "cpu/filter.h"
#include "cpu/sums.h"

#define SJ_UNSORTED UINT32_MAX
#define SJ_RECTANGLE (UINT32_MAX - 1)

// The lines of a draw, and where they are.
typedef struct sj_shape {
  stijl_irect box;        // canvas pixels: the part of the draw's box that its lines can touch; empty: nothing to paint
  uint32_t chunk;
  uint32_t starts;        // index into the chunk's starts; or SJ_UNSORTED: each band goes through all of its lines; or
                          // SJ_RECTANGLE: there are none, as the draw is an upright rectangle
  union {
    struct {
      size_t first, count;
    };
    stijl_irect edges;    // of the rectangle, in 24.8
  };
  bool hides;             // it is opaque, and fills so many pixels that it is worth finding out what it hides
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
// The pixels of a rectangle that are wholly covered.
static inline stijl_irect sj_shape_inside(const sj_shape *shape) {
  stijl_irect e = shape->edges;
  return sj_irect_intersect(shape->box, (stijl_irect){(e.x0 + 255) >> 8, (e.y0 + 255) >> 8, e.x1 >> 8, e.y1 >> 8});
}

// A part of a draw that is seen in a band: of the draw at this place in the list of the bands' draws, or of the clear.
typedef struct sj_part {
  uint32_t draw;
  stijl_irect box;  // from the band's corner
} sj_part;

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
  int32_t *sums;       // the cells' arrays, in one block of memory
  uint8_t *touched;
  void *cell_memory;
  size_t cell_bytes;
  sj_long_sums long_sums;
  sj_lines sorted;     // scratch for sorting lines into bands
  sj_lines glyph_lines;               // of the batch's glyphs
  SJ_ARRAY(sj_glyph_lines) glyphs;  // one for each of the encoded scene's
  SJ_ARRAY(uint64_t) hidden;        // scratch for finding what is hidden in a band
  SJ_ARRAY(sj_part) parts;          // what is seen of the band's draws that are partly hidden, the last draw first
  uint32_t *pixels;    // a band's pixels, when they cannot be painted in place, and as many for each open layer
  void *pixel_memory;
  size_t pixel_bytes;
  bool cleared;        // they are the background, as the band before has left them
  uint32_t *ramps;     // of gradients that the band at work has drawn with last: SJ_RAMPS, each with SJ_RAMP_ROOM
  uint32_t ramp_numbers[SJ_RAMPS];
  bool failed;         // memory ran out
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
  bool clamp;  // what the target holds is clamped first (sj_clamp_row): the scene blends with it
  bool reads;  // the caller reads the target's pixels next
  bool direct;    // the target's rows are painted in place
  bool measures;  // whether they are depends on how much each batch paints
  size_t stream_from;  // targets of this many bytes and more are stored past the cache
  uint64_t part_of;    // of a target of so many pixels, where that is drawn in parts; or 0
  bool streams;        // this one is, each band when it is done
  bool parallel;  // several threads work at the pass
  // Bands.
  int band_shift, band_rows, bands;  // 2^band_shift rows each, the last one fewer
  size_t stride;  // pixels of a band's row: the region's width in whole blocks
  // The batch of draws at work.
  uint32_t batch_first, batch_end;
  // Layers that are open where the batch begins and where it ends, by their pushes, the outermost first; and their
  // pixels, which wait for the next batch: one canvas of the region's size for each.
  SJ_ARRAY(uint32_t) open_first, open_end;
  uint32_t *saved;
  void *saved_memory;
  size_t saved_bytes;
  uint32_t limit_lines;    // of a batch, for tests; 0: as usual
  uint32_t force_rows;     // of a band, a power of two, for the lab; 0: as many as are best
  uint64_t batch_lines;    // how many lines a batch may have, by the draws' guesses
  atomic_size_t lines_made; // how many the batch at work has so far
  atomic_bool overflow;    // they are too many: the batch is begun again with fewer draws
  atomic_uint large_draw;  // a draw whose lines alone are too many for a batch, or SJ_NO_DRAW
  sj_rounds rounds;
  SJ_ARRAY(sj_chunk) chunks;
  void *first_lines;  // one block of memory for all lines of the first batch; chunks that outgrow it have their own
  SJ_ARRAY(sj_shape) shapes;        // one for each draw of the batch
  // Bands that have pixels of the frame: of the target's own where it need not be changed, or painted by a batch.
  SJ_ARRAY(bool) begun;
  SJ_ARRAY(uint32_t) band_starts;   // bands + 1: where each band's list begins in band_draws
  SJ_ARRAY(uint32_t) band_draws;
  SJ_ARRAY(uint32_t) band_hiders;   // where in its list each band's last draw is that hides others, plus 1; else its start
  sj_worker *workers;  // one for each thread
  uint64_t max_layer_bytes;
  sj_surfaces surfaces;  // of filters
  // Statistics: what passes add to.
  double flatten_ms;
  uint64_t lines;
} sj_frame;

stijl_result sj_frame_init(sj_frame *frame, stijl_context *context, const sj_kernels *kernels, int threads);
void sj_frame_finish(sj_frame *frame);

// Draws frame->pass into the target. On failure the message says which limit or memory.
stijl_result sj_frame_render(sj_frame *frame, stijl_message *message);

// passes.c: draws all passes of a scene but the last into their surfaces, which are among encoded->all_images from then on;
// those that no pass needs any more are gone. `background` is the frame's. Uses the frame's target. sj_surfaces_finish frees
// those that are left.
stijl_result sj_draw_surfaces(sj_frame *frame, sj_encoded *encoded, uint32_t background, stijl_message *message);
void sj_surfaces_finish(sj_encoded *encoded);
// Whether the batch at work is the first to paint a band, which then begins with the background, not with what the target has.
static inline bool sj_begins_clear(const sj_frame *frame, uint32_t band) {
  return !frame->begun.data[band] && !frame->keep;
}
// Gives working memory back.
void sj_frame_trim(sj_frame *frame);
// Whether a band has a part of the layer that the push begins.
bool sj_layer_in_rows(const sj_frame *frame, uint32_t push, stijl_irect rows);

// Targets from this size on are stored past the cache: a band is painted in memory that stays in the cache, and then copied.
// Stores in place would have the processor load the target's lines first, for nothing. The tiger at 4096 px takes 0.73 of the
// time on a Sapphire Rapids core, 0.06 of them because copying a pixel also clears it; at 2048 px, 16 MiB, it takes the same.
// But who encodes a PNG of it next takes a tenth longer for all: the caller tells (stijl_render_params).
#define SJ_STREAM_FROM (32 * 1024 * 1024)
// place.c: decides where bands are painted, as far as it is known before anything is flattened, and for the batch that is.
void sj_begin_place(sj_frame *frame);
void sj_choose_place(sj_frame *frame);
// How many pixels of a draw's box are painted, about, by the lines from the first on.
uint64_t sj_painted(const sj_frame *frame, const sj_lines *lines, size_t first, stijl_irect box);

// flatten.c
// A batch of draws ends once its draws are guessed to make this many lines of 16 bytes: at the next draw where no layer
// is open; or, if there is none before the lines are twice as many, where the fewest layers are open.
// A draw that has more lines than this itself is painted in rounds (rounds.c).
#define SJ_BATCH_LINES (1u << 21)
// The lines that a draw may have that is painted at once.
size_t sj_most_lines(const sj_frame *frame);
// How many lines a draw makes, about.
uint32_t sj_guess_lines(const k_draw *draw);
// What a draw takes to flatten, in units of about 8 ns.
size_t sj_draw_weight(const k_draw *draw);
// Cuts the batch into chunks of about equal work: several for each thread, so that all threads end at about the same
// time; a single thread gets one. False without memory.
bool sj_make_chunks(sj_frame *frame);
// Flattens the draws of a chunk, a task (user: the frame). Where memory is out, or the budget is spent, the chunk's lines have
// failed; where there are too many for a batch, frame->overflow is set.
void sj_flatten_chunk(void *user, uint32_t chunk, int thread);
// Sorts a draw's lines, the last of the chunk's, by band. False without memory, or when the budget is spent.
bool sj_sort_lines(sj_frame *frame, sj_chunk *chunk, sj_shape *shape, const sj_band_range *bands, sj_lines *sorted);
// Each task by any of the threads, or by this one.
void sj_frame_run(sj_frame *frame, size_t count, sj_pool_task task);
bool sj_reserve_chunks(sj_frame *frame, size_t count);

// rounds.c: paints all bands with a batch of one draw whose lines are too many at a time. Without memory, or when the budget
// is spent, false.
bool sj_paint_in_rounds(sj_frame *frame);

// glyphs.c: appends the lines of a glyph run's instances, up to where they are more than `most`, and tells their box in
// 24.8. False without memory, or when the budget is spent.
bool sj_flatten_glyphs(const sj_frame *frame, sj_worker *worker, const k_run *run, bool far, size_t most,
                       sj_lines *lines, stijl_irect *box);
// Forgets the lines of glyphs.
void sj_forget_glyphs(sj_worker *worker);
// Flattens a draw's segments, up to where their lines are more than `most`. Where it has many, the clock is read now and
// then. False without memory, or when the budget is spent.
bool sj_flatten_segments(const sj_frame *frame, const k_draw *draw, size_t most, sj_lines *lines, bool *past_right);

// band.c: one band through the batch's draws; false without memory, or when the budget is spent.
bool sj_paint_band(sj_frame *frame, uint32_t band, sj_worker *worker);
// Adds the chunks' lines to the sums of a band; likewise.
bool sj_gather_band(sj_frame *frame, uint32_t band, sj_worker *worker);
size_t sj_cell_stride(size_t width);
size_t sj_touched_stride(size_t stride);
void sj_worker_finish(sj_worker *worker);

// hidden.c: finds the parts of a band's draws that later ones hide. False without memory.
bool sj_find_hidden(const sj_frame *frame, sj_worker *worker, uint32_t index, stijl_irect band);
uint64_t sj_frame_scratch_bytes(const sj_frame *frame);

double sj_now_ms(void);

#endif
