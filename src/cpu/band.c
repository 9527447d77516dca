#include "cpu/band.h"

#include <string.h>

#include "base/pages.h"
#include "cpu/hidden.h"
#include "image/convert.h"
#include "kernel/composite.h"

typedef struct {
  sj_frame *frame;
  sj_worker *worker;
  stijl_irect rows;  // the band in canvas pixels
  uint32_t *base;    // the pixels below all layers, and their stride
  size_t base_stride;
  size_t layer_pixels;  // how many pixels a layer has
  uint32_t depth;       // how many layers are open
  uint64_t work;        // the steps since the clock was read last
  bool spent;           // the budget is spent
} band;

// The clock is read after this many steps of work.
#define LOOK ((uint64_t)1 << 20)

static void count_work(band *b, uint64_t work) {
  b->work += work;
  if (b->work < LOOK) return;
  b->work = 0;
  if (!sj_budget_look(b->frame->scene->budget)) b->spent = true;
}

// Returns the stride of the cells for a draw of some width; the second function returns that of the flags of their
// blocks. Rows are as narrow as the draw allows, so that the sums of small draws are in few cache lines.
size_t sj_cell_stride(size_t width) { return ((width + SJ_BLOCK - 1) & ~(size_t)(SJ_BLOCK - 1)) + SJ_CELLS_PAD; }
size_t sj_touched_stride(size_t stride) { return (stride / SJ_BLOCK + 7) & ~(size_t)7; }

// Takes the memory for a worker's cells, pixels and layers. Each thread does this for its own, so that they touch new
// pages at the same time.
static bool prepare_worker(const sj_frame *frame, sj_worker *worker) {
  size_t rows = (size_t)frame->band_rows, stride = sj_cell_stride(frame->stride);
  size_t sums = k_max(rows * stride, SJ_SMALL_SUMS) * sizeof(int32_t);
  size_t bytes = sums + rows * sj_touched_stride(stride);
  if (worker->cell_bytes < bytes) {
    sj_free(worker->context, worker->cell_memory);
    worker->cell_bytes = 0;
    worker->sums = sj_alloc_pages(worker->context, bytes, &worker->cell_memory);
    if (!worker->sums) return false;
    memset(worker->sums, 0, bytes);
    worker->cell_bytes = bytes;
  }
  // The cells are cleared only here: every draw leaves them zero, with whatever stride it uses them.
  worker->touched = (uint8_t *)worker->sums + sums;
  size_t layers = frame->pass->depth + (frame->direct ? 0 : 1);
  size_t pixels = layers * rows * frame->stride * sizeof(uint32_t);
  if (worker->pixel_bytes < pixels) {
    sj_free(worker->context, worker->pixel_memory);
    worker->pixel_bytes = 0;
    worker->pixels = sj_alloc_pages(worker->context, pixels, &worker->pixel_memory);
    if (!worker->pixels) return false;
    worker->pixel_bytes = pixels;
  }
  if (frame->scene->ramp_count && !worker->ramps) {
    worker->ramps = sj_alloc_array(worker->context, (size_t)SJ_RAMPS * SJ_RAMP_ROOM, sizeof *worker->ramps);
    if (!worker->ramps) return false;
  }
  for (int i = 0; i < SJ_RAMPS; i++) worker->ramp_numbers[i] = SJ_NO_RAMP;
  return true;
}

void sj_worker_finish(sj_worker *worker) {
  sj_free(worker->context, worker->cell_memory);
  sj_free(worker->context, worker->pixel_memory);
  sj_free(worker->context, worker->ramps);
  sj_lines_finish(&worker->sorted);
  sj_lines_finish(&worker->glyph_lines);
  sj_arrays_finish(worker->context, &worker->glyphs, &worker->hidden, &worker->parts);
  sj_long_sums_finish(&worker->long_sums);
  *worker = (sj_worker){.context = worker->context,
                        .sorted = worker->sorted,
                        .glyph_lines = worker->glyph_lines,
                        .long_sums = worker->long_sums};
}

// Returns the pixels of the layer that is `depth` levels up; 0 stands for the band itself.
static uint32_t *layer_pixels(const band *b, uint32_t depth, size_t *stride) {
  if (depth == 0) {
    *stride = b->base_stride;
    return b->base;
  }
  *stride = b->frame->stride;
  return b->worker->pixels + (size_t)(depth - (b->frame->direct ? 1 : 0)) * b->layer_pixels;
}

static unsigned char *target_row(const sj_frame *frame, int row) {
  return (unsigned char *)frame->target.pixels + (size_t)(row - frame->region.y0) * frame->target.stride;
}

// Takes the next part of what is seen of a draw off the worker's list. Returns false if the list has none.
static bool take_part(const band *b, uint32_t draw, stijl_irect *box) {
  sj_worker *worker = b->worker;
  if (!worker->parts.count || worker->parts.data[worker->parts.count - 1].draw != draw) return false;
  *box = worker->parts.data[--worker->parts.count].box;
  return true;
}

static void begin_band(const band *b, uint32_t index) {
  const sj_frame *frame = b->frame;
  stijl_irect box = {0, 0, frame->region.x1 - frame->region.x0, b->rows.y1 - b->rows.y0};
  if (sj_begins_clear(frame, index)) {
    bool all = !take_part(b, SJ_CLEAR, &box);
    do
      if (!b->worker->cleared) frame->kernels->clear(b->base, b->base_stride, box, frame->background);
    while (!all && take_part(b, SJ_CLEAR, &box));
    return;
  }
  bool clamp = frame->clamp && !frame->begun.data[index];
  if (frame->direct && !clamp) return;
  for (int row = 0; row < box.y1; row++) {
    uint32_t *pixels = b->base + (size_t)row * b->base_stride;
    const void *target = target_row(frame, row + b->rows.y0);
    if (!frame->direct) sj_convert_row(frame->target.format, STIJL_FORMAT_RGBA8, target, pixels, (size_t)box.x1);
    if (clamp) sj_clamp_row(pixels, pixels, (size_t)box.x1);
  }
}

// Stores the pixels of layers that are open where a batch ends, or restores them for the next.
static void copy_layers(band *b, const uint32_t *open, size_t count, bool restore) {
  const sj_frame *frame = b->frame;
  size_t height = (size_t)(frame->region.y1 - frame->region.y0), stride;
  uint32_t depth = 0;
  for (size_t i = 0; i < count; i++) {
    if (!sj_layer_in_rows(frame, open[i], b->rows)) continue;
    uint32_t *pixels = layer_pixels(b, ++depth, &stride);
    for (int row = b->rows.y0; row < b->rows.y1; row++) {
      uint32_t *saved = frame->saved + (i * height + (size_t)(row - frame->region.y0)) * frame->stride;
      uint32_t *own = pixels + (size_t)(row - b->rows.y0) * stride;
      memcpy(restore ? own : saved, restore ? saved : own, frame->stride * sizeof *own);
    }
  }
  if (restore) b->depth = depth;
}

static void end_band(const band *b) {
  const sj_frame *frame = b->frame;
  if (frame->direct) return;
  size_t width = (size_t)(frame->region.x1 - frame->region.x0);
  for (int row = b->rows.y0; row < b->rows.y1; row++) {
    uint32_t *pixels = b->base + (size_t)(row - b->rows.y0) * b->base_stride;
    void *to = frame->streams ? pixels : (void *)target_row(frame, row);
    sj_convert_row(STIJL_FORMAT_RGBA8, frame->target.format, pixels, to, width);
  }
  if (!frame->streams) return;
  frame->kernels->stream(target_row(frame, b->rows.y0), frame->target.stride, b->base, b->base_stride, (int)width,
                         b->rows.y1 - b->rows.y0, frame->background);
  // The last band may have fewer rows, and another batch begins bands above it.
  b->worker->cleared |= b->rows.y1 - b->rows.y0 == frame->band_rows;
}

// Returns the part of a box that is in the band, counted from the band's corner.
static stijl_irect to_band(const band *b, stijl_irect box) {
  return (stijl_irect){box.x0 - b->rows.x0, k_max(box.y0, b->rows.y0) - b->rows.y0, box.x1 - b->rows.x0,
                       k_min(box.y1, b->rows.y1) - b->rows.y0};
}

static void clear_layer(band *b, stijl_irect box) {
  size_t stride;
  uint32_t *pixels = layer_pixels(b, b->depth, &stride);
  count_work(b, 64 + (uint64_t)(box.x1 - box.x0) * (uint64_t)(box.y1 - box.y0) / 16);
  // Whole blocks, since a vector also reads the pixels beside the box, where nothing is covered.
  box.x0 &= ~(SJ_BLOCK - 1);
  box.x1 = (box.x1 + SJ_BLOCK - 1) & ~(SJ_BLOCK - 1);
  b->frame->kernels->clear(pixels, stride, box, 0);
}

static band band_of(sj_frame *frame, uint32_t index, sj_worker *worker) {
  band b = {.frame = frame, .worker = worker, .rows = frame->region, .base_stride = frame->stride};
  b.rows.y0 += (int)index * frame->band_rows;
  b.rows.y1 = k_min(b.rows.y1, b.rows.y0 + frame->band_rows);
  b.layer_pixels = (size_t)frame->band_rows * frame->stride;
  if (frame->direct) {
    b.base = (uint32_t *)(void *)target_row(frame, b.rows.y0);
    b.base_stride = frame->target.stride / sizeof(uint32_t);
  } else {
    b.base = worker->pixels;
  }
  worker->long_sums.budget = frame->scene->budget;
  return b;
}

// Returns the cells of a draw whose box in the band is given. Their rows and columns count from the draw's own corner,
// moved left to a whole block, and so does the box from then on.
static sj_cells cells_of(const band *b, uint32_t index, stijl_irect *box, int *column, int *row) {
  const sj_frame *frame = b->frame;
  *column = box->x0 & ~(SJ_BLOCK - 1);
  *row = box->y0;
  *box = (stijl_irect){box->x0 - *column, 0, box->x1 - *column, box->y1 - *row};
  size_t stride = sj_cell_stride((size_t)box->x1);
  sj_cells cells = {b->worker->sums, b->worker->touched, stride, sj_touched_stride(stride)};
  if (frame->rounds.active) {
    size_t rows = (size_t)(index - frame->rounds.first) * (size_t)frame->band_rows;
    cells.touched = frame->rounds.touched + rows * sj_touched_stride(sj_cell_stride(frame->stride));
  }
  return cells;
}

// Returns the sums that wait for the end of the rounds.
static k_long *totals_of(const sj_frame *frame, uint32_t index) {
  size_t rows = (size_t)(index - frame->rounds.first) * (size_t)frame->band_rows;
  return frame->rounds.sums + rows * sj_cell_stride(frame->stride);
}

static sj_cover cover_of(const sj_frame *frame, const k_draw *draw) {
  return draw->flags & K_DRAW_ALIASED ? sj_cover_aliased : frame->kernels->cover;
}

bool sj_gather_band(sj_frame *frame, uint32_t index, sj_worker *worker) {
  if (!prepare_worker(frame, worker)) return false;
  band b = band_of(frame, index, worker);
  const k_draw *draw = &frame->scene->draws.data[frame->batch_first];
  stijl_irect box = to_band(&b, frame->shapes.data[0].box);
  if (box.y0 >= box.y1) return true;
  int column, row;
  sj_cells cells = cells_of(&b, index, &box, &column, &row);
  for (size_t i = 0; i < frame->chunks.count; i++) {
    const sj_chunk *chunk = &frame->chunks.data[i];
    const uint32_t *starts = chunk->starts.data + (index - frame->rounds.first);
    sj_gather_lines(frame->scene->budget, cover_of(frame, draw), &cells, box, b.rows.x0 + column, b.rows.y0 + row,
                    &chunk->lines, starts[0], starts[1] - starts[0], totals_of(frame, index));
  }
  return true;
}

// Paints a draw through its lines. Returns false when memory is out.
static bool through_lines(band *b, const k_draw *draw, const sj_shape *shape, uint32_t index, stijl_irect box,
                          sj_painter *painter) {
  const sj_frame *frame = b->frame;
  const sj_chunk *chunk = &frame->chunks.data[shape->chunk];
  size_t first = shape->first, count = shape->count;
  if (shape->starts != SJ_UNSORTED) {
    uint32_t first_band = (uint32_t)(shape->box.y0 - frame->region.y0) >> frame->band_shift;
    const uint32_t *starts = chunk->starts.data + shape->starts + (index - first_band);
    first = starts[0];
    count = starts[1] - starts[0];
  }
  int column, row;
  sj_cells cells = cells_of(b, index, &box, &column, &row);
  size_t corner = (size_t)row * painter->stride + (size_t)column;
  painter->pixels += corner;
  if (painter->layer) painter->layer += (size_t)row * painter->layer_stride + (size_t)column;
  painter->x += column;
  painter->y += row;
  bool evenodd = (draw->flags & K_DRAW_EVENODD) != 0;
  count_work(b, count * 16);
  if (frame->rounds.active)
    sj_take_gathered(&cells, box, evenodd, totals_of(frame, index));
  else if (!sj_add_lines(&b->worker->long_sums, cover_of(frame, draw), &cells, box, painter->x, painter->y,
                         &chunk->lines, first, count, evenodd))
    return false;
  frame->kernels->sweep(&cells, box, evenodd, painter);
  return true;
}

// Returns a gradient's ramp, and makes it unless the band has it.
static const uint32_t *find_ramp(band *b, uint32_t number) {
  uint32_t slot = number % SJ_RAMPS, *ramp = b->worker->ramps + (size_t)slot * SJ_RAMP_ROOM;
  if (b->worker->ramp_numbers[slot] != number) {
    const sj_ramp *made_of = &b->frame->scene->ramps[number];
    b->frame->kernels->ramp(b->frame->scene->ramp_pieces + made_of->first, made_of->count, ramp);
    b->worker->ramp_numbers[slot] = number;
    count_work(b, K_RAMP_SIZE / 4);
  }
  return ramp;
}

// Paints what is in a box, which is all or a part of what the band has of the draw.
static bool paint_box(band *b, const k_draw *draw, const sj_shape *shape, uint32_t index, stijl_irect box,
                      sj_painter painter) {
  count_work(b, 64 + (uint64_t)(box.x1 - box.x0) * (uint64_t)k_max(box.y1 - box.y0, 0) / 4);
  // It is hidden, or a pop that paints nothing here but had to end its layer.
  if (box.x0 >= box.x1 || box.y0 >= box.y1) return true;
  if (shape->starts != SJ_RECTANGLE) return through_lines(b, draw, shape, index, box, &painter);
  int x = b->rows.x0 * K_SUBPIXELS, y = b->rows.y0 * K_SUBPIXELS;
  stijl_irect e = shape->edges;
  b->frame->kernels->fill((stijl_irect){e.x0 - x, e.y0 - y, e.x1 - x, e.y1 - y}, box, &painter);
  return true;
}

// Paints a draw, whose place in the list of the bands' draws is `at`.
static bool paint_draw(band *b, uint32_t index, uint32_t at) {
  const sj_frame *frame = b->frame;
  uint32_t draw_index = frame->band_draws.data[at];
  const k_draw *draw = &frame->scene->draws.data[draw_index];
  const sj_shape *shape = &frame->shapes.data[draw_index - frame->batch_first];
  stijl_irect box = to_band(b, shape->box);
  bool whole = !take_part(b, at, &box);
  if (draw->op == K_DRAW_PUSH) {
    b->depth++;
    do clear_layer(b, box);
    while (!whole && take_part(b, at, &box));
    return true;
  }
  sj_painter painter = {.x = b->rows.x0, .y = b->rows.y0, .opacity = 255, .blend = K_BLEND_NORMAL};
  if (draw->op == K_DRAW_POP) {
    painter.layer = layer_pixels(b, b->depth--, &painter.stride);
    painter.opacity = draw->opacity;
    painter.blend = draw->blend;
  } else if (draw->flags & K_DRAW_SOLID) {
    painter.color = draw->paint;
    painter.opaque = (draw->flags & K_DRAW_OPAQUE) != 0;
  } else {
    painter.paint = &frame->scene->paints.data[draw->paint];
    painter.opaque = (draw->flags & K_DRAW_OPAQUE) != 0;
    if (painter.paint->kind == K_PAINT_IMAGE) {
      painter.image = frame->scene->images[painter.paint->source];
      painter.opacity = painter.paint->color;
    } else {
      painter.ramp = find_ramp(b, painter.paint->source);
    }
  }
  painter.layer_stride = painter.stride;
  painter.pixels = layer_pixels(b, b->depth, &painter.stride);
  do {
    if (!paint_box(b, draw, shape, index, box, painter)) return false;
  } while (!whole && take_part(b, at, &box));
  return true;
}

// The data of a band's draws is scattered over memory: each of 50,000 small polygons costs a dozen cache misses,
// together a quarter of the frame, unless it is prefetched. (These functions are always inlined because GCC thinks that
// a function which only prefetches has no effect, and leaves out calls of it.)
#define PREFETCH static inline __attribute__((always_inline)) void

PREFETCH prefetch_draw(const sj_frame *frame, uint32_t index) {
  const char *draw = (const char *)&frame->scene->draws.data[index];
  __builtin_prefetch(draw);
  __builtin_prefetch(draw + sizeof(k_draw) - 1);
  const char *shape = (const char *)&frame->shapes.data[index - frame->batch_first];
  __builtin_prefetch(shape);
  __builtin_prefetch(shape + sizeof(sj_shape) - 1);
}

PREFETCH prefetch_lines(const sj_frame *frame, uint32_t index) {
  const sj_shape *shape = &frame->shapes.data[index - frame->batch_first];
  const sj_lines *lines = &frame->chunks.data[shape->chunk].lines;
  if (shape->starts == SJ_RECTANGLE || !shape->count) return;
  // Prefetches the first vector of each array, which is in one or two cache lines. The processor itself prefetches what
  // follows.
  size_t first = shape->first, last = first + 15;
  const int32_t *arrays[4] = {lines->x0, lines->y0, lines->x1, lines->y1};
  for (int i = 0; i < 4; i++) {
    __builtin_prefetch(arrays[i] + first);
    __builtin_prefetch(arrays[i] + last);
  }
}

// Prefetches what follows in the list of the bands' draws.
PREFETCH prefetch_ahead(const sj_frame *frame, uint32_t at, uint32_t end) {
  const uint32_t *draws = frame->band_draws.data;
  if (at + 24 < end) prefetch_draw(frame, draws[at + 24]);
  if (at + 12 < end) prefetch_lines(frame, draws[at + 12]);
}

// Returns the shape of the draw that has this place in the list of the bands' draws.
static inline const sj_shape *shape_at(const sj_frame *frame, uint32_t at) {
  return &frame->shapes.data[frame->band_draws.data[at] - frame->batch_first];
}

// Sets all fields but the pixels. They are written where they are read, since a copy would wait for each of its parts.
static inline void set_small(sj_small *small, const band *b, const k_draw *draw, const sj_shape *shape) {
  stijl_irect box = shape->box;
  small->x = k_min(box.x0, b->rows.x0 + (int)b->frame->stride - SJ_BLOCK);
  small->y = box.y0;
  small->width = box.x1 - small->x;
  small->rows = box.y1 - box.y0;
  small->top = k_max(b->rows.y0 - box.y0, 0);
  small->bottom = k_min(box.y1, b->rows.y1) - box.y0;
  small->color = draw->paint;
  small->opaque = (draw->flags & K_DRAW_OPAQUE) != 0;
  small->evenodd = (draw->flags & K_DRAW_EVENODD) != 0;
  small->rectangle = shape->starts == SJ_RECTANGLE;
  if (small->rectangle) {
    small->edges = shape->edges;
  } else {
    small->first = shape->first;
    small->count = shape->count;
  }
}

// Paints the small draws from this one on, up to one that is not small or is partly hidden, or until they are as many
// as can be painted together. Returns their number.
static uint32_t paint_small(band *b, uint32_t at, uint32_t end) {
  const sj_frame *frame = b->frame;
  if (!frame->kernels->paint_small) return 0;
  size_t stride, lines = 0, parts = b->worker->parts.count;
  uint32_t *pixels = layer_pixels(b, b->depth, &stride);
  uint32_t partly = parts ? b->worker->parts.data[parts - 1].draw : end;
  uint32_t count = 0, chunk = 0;
  if (partly < end) end = partly;
  int rows = 0;
  sj_small small[SJ_SMALL_DRAWS];
  for (; at + count < end && count < SJ_SMALL_DRAWS; count++) {
    const sj_shape *shape = shape_at(frame, at + count);
    if (!shape->small || (count && shape->chunk != chunk)) break;
    sj_small *s = &small[count];
    set_small(s, b, &frame->scene->draws.data[frame->band_draws.data[at + count]], shape);
    if (s->width > SJ_SMALL_COLUMNS) break;  // where the band ends on the right, columns begin before the box
    if (!s->rectangle) {
      rows += s->rows;
      lines += s->count;
      if (rows > SJ_SMALL_ALL_ROWS || lines > SJ_SMALL_ALL_LINES) break;
      count_work(b, s->count * 16);
    }
    count_work(b, 64 + (uint64_t)s->width * (uint64_t)s->rows / 4);
    s->pixels = pixels + (size_t)(s->y + s->top - b->rows.y0) * stride + (size_t)(s->x - b->rows.x0);
    chunk = shape->chunk;
    prefetch_ahead(frame, at + count, end);
  }
  if (count) frame->kernels->paint_small(b->worker->sums, &frame->chunks.data[chunk].lines, small, count, stride);
  return count;
}

// Returns whether a band is left as it is, since the batch at work has no draws for it. One that has none in any batch
// is begun by the last.
static bool is_left(const sj_frame *frame, uint32_t index) {
  if (frame->band_starts.data[index] != frame->band_starts.data[index + 1]) return false;
  return frame->begun.data[index] || frame->batch_end < frame->pass->end;
}

bool sj_paint_band(sj_frame *frame, uint32_t index, sj_worker *worker) {
  if (is_left(frame, index)) return true;
  if (!prepare_worker(frame, worker)) return false;
  band b = band_of(frame, index, worker);
  if (!sj_budget_look(frame->scene->budget)) return false;
  if (!sj_find_hidden(frame, worker, index, b.rows)) return false;
  begin_band(&b, index);
  copy_layers(&b, frame->open_first.data, frame->open_first.count, true);
  uint32_t end = frame->band_starts.data[index + 1];
  for (uint32_t i = frame->band_starts.data[index], small; i < end; i += small ? small : 1) {
    small = SJ_PAINTS_SMALL && shape_at(frame, i)->small ? paint_small(&b, i, end) : 0;
    if (!small) {
      prefetch_ahead(frame, i, end);
      if (!paint_draw(&b, index, i)) return false;
    }
    if (b.spent) return false;
  }
  copy_layers(&b, frame->open_end.data, frame->open_end.count, false);
  end_band(&b);
  frame->begun.data[index] = true;
  return true;
}
