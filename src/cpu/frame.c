#include "cpu/frame.h"

#include <string.h>

#include "base/clock.h"
#include "base/pages.h"
#include "cpu/band.h"
#include "cpu/flatten.h"
#include "cpu/glyphs.h"
#include "cpu/place.h"
#include "cpu/rounds.h"
#include "image/pixel.h"

// How many bytes of pixels a band has, about; its sums take as many. Both so stay in the second-level cache. On a Zen 5
// core, whose cache has 1 MiB, the tiger at 4096 px takes 10.3 ms with this, 11.3 with half of it, 12.4 with a quarter.
// On a Sapphire Rapids core, whose cache has 2 MiB, twice as much takes 0.93 to 1.0 of the time; but how much memory a
// frame takes would then depend on the machine.
#define BAND_BYTES (512 * 1024)
// How many bytes it has with the pixels of the layers that are open at a time: 60 of them, 1000 px wide, take 0.4 of
// the time so.
#define LAYERS_BYTES (2 * BAND_BYTES)
// A batch that turns out to need longer lists of draws for its bands is made smaller.
#define MAX_LISTED (1u << 24)
#define DRAW_LINES 4               // a draw takes memory itself: as much as this many lines
#define SHARED_PIXELS (128 * 128)  // smaller targets are left to one thread
// Threads are not started for less work, since that takes about 0.1 ms. It is counted in the weight of draws, one of
// which takes about 60 ns.
#define START_WORK 4096
#define PIXELS_OF_WORK 128  // that a draw fills in about that time

stijl_result sj_frame_init(sj_frame *frame, stijl_context *context, const sj_kernels *kernels, int threads) {
  *frame = (sj_frame){
      .context = context, .kernels = kernels, .stream_from = SJ_STREAM_FROM, .surfaces = {.context = context}};
  frame->pool = sj_pool_create(context, threads);
  frame->workers = sj_alloc_array(context, (size_t)threads, sizeof *frame->workers);
  if (!frame->pool || !frame->workers) {
    sj_frame_finish(frame);
    return STIJL_ERROR_OUT_OF_MEMORY;
  }
  for (int i = 0; i < threads; i++)
    frame->workers[i] = (sj_worker){.context = context,
                                    .sorted = {.context = context},
                                    .glyph_lines = {.context = context},
                                    .long_sums = {.context = context}};
  return STIJL_OK;
}

void sj_frame_trim(sj_frame *frame) {
  stijl_context *context = frame->context;
  if (frame->workers && frame->pool)
    for (int i = 0; i < sj_pool_threads(frame->pool); i++) sj_worker_finish(&frame->workers[i]);
  for (size_t i = 0; i < frame->chunks.capacity; i++) {
    sj_lines_finish(&frame->chunks.data[i].lines);
    sj_array_finish(context, &frame->chunks.data[i].starts);
  }
  sj_array_finish(context, &frame->chunks);
  sj_surfaces_trim(&frame->surfaces);
  sj_free(context, frame->first_lines);
  frame->first_lines = NULL;
  sj_free(context, frame->saved_memory);
  frame->saved_memory = NULL;
  frame->saved_bytes = 0;
  sj_arrays_finish(context, &frame->shapes, &frame->begun, &frame->band_starts, &frame->band_draws, &frame->band_hiders,
                   &frame->open_first, &frame->open_end);
}

void sj_frame_finish(sj_frame *frame) {
  stijl_context *context = frame->context;
  sj_frame_trim(frame);
  sj_free(context, frame->workers);
  sj_pool_destroy(frame->pool);
  *frame = (sj_frame){0};
}

uint64_t sj_frame_scratch_bytes(const sj_frame *frame) {
  uint64_t bytes =
      frame->saved_bytes + frame->shapes.capacity * sizeof *frame->shapes.data + frame->begun.capacity +
      (frame->band_starts.capacity + frame->band_draws.capacity + frame->band_hiders.capacity) * sizeof(uint32_t);
  for (size_t i = 0; i < frame->chunks.capacity; i++) {
    const sj_chunk *chunk = &frame->chunks.data[i];
    bytes += chunk->lines.capacity * 16 + chunk->starts.capacity * sizeof(uint32_t);
  }
  for (int i = 0; i < sj_pool_threads(frame->pool); i++) {
    const sj_worker *worker = &frame->workers[i];
    bytes += worker->cell_bytes + worker->pixel_bytes + worker->sorted.capacity * 16;
    bytes += worker->glyph_lines.capacity * 16 + worker->glyphs.capacity * sizeof *worker->glyphs.data;
    bytes += worker->hidden.capacity * sizeof(uint64_t) + worker->parts.capacity * sizeof(sj_seen_part);
    bytes += worker->long_sums.sum_count * sizeof(k_long) + worker->long_sums.row_count * 2 * sizeof(uint32_t);
  }
  return bytes;
}

// --- Bands -----------------------------------------------------------------------------------------------------------

// Finds the bands of a draw. A layer is ended in all bands where it was begun, though its pop's box may be smaller than
// its push's. Returns false if there are none.
static bool draw_bands(const sj_frame *frame, uint32_t index, uint32_t *first, uint32_t *last) {
  const sj_shape *shape = &frame->shapes.data[index];
  stijl_irect box = shape->box;
  if (shape->pops) box = sj_layer_box(frame, frame->scene->draws.data[frame->batch_first + index].paint);
  if (box.x0 >= box.x1 || box.y0 >= box.y1) return false;
  *first = (uint32_t)(box.y0 - frame->region.y0) >> frame->band_shift;
  *last = (uint32_t)(box.y1 - 1 - frame->region.y0) >> frame->band_shift;
  return true;
}

// Lists the draws of each band, in painting order.
static bool list_bands(sj_frame *frame) {
  uint32_t draws = frame->batch_end - frame->batch_first, first, last;
  frame->band_starts.count = frame->band_draws.count = 0;
  frame->band_hiders.count = 0;
  if (!sj_array_reserve(frame->context, &frame->band_starts, (size_t)frame->bands + 1) ||
      !sj_array_reserve(frame->context, &frame->band_hiders, (size_t)frame->bands))
    return false;
  uint32_t *starts = frame->band_starts.data;
  memset(starts, 0, ((size_t)frame->bands + 1) * sizeof *starts);
  size_t total = 0;
  for (uint32_t i = 0; i < draws; i++)
    if (draw_bands(frame, i, &first, &last)) {
      total += last - first + 1;
      for (uint32_t b = first; b <= last; b++) starts[b]++;
    }
  if (total > MAX_LISTED && draws > 1) {
    atomic_store_explicit(&frame->overflow, true, memory_order_relaxed);
    return true;
  }
  if (total > UINT32_MAX || !sj_array_reserve(frame->context, &frame->band_draws, total)) return false;
  uint32_t sum = 0, *hiders = frame->band_hiders.data;
  for (int b = 0; b <= frame->bands; b++) {
    uint32_t n = starts[b];
    starts[b] = sum;
    if (b == frame->bands) break;
    hiders[b] = sum;
    sum += n;
  }
  for (uint32_t i = 0; i < draws; i++) {
    if (!draw_bands(frame, i, &first, &last)) continue;
    for (uint32_t b = first; b <= last; b++) frame->band_draws.data[starts[b]++] = frame->batch_first + i;
    if (!frame->shapes.data[i].hides) continue;
    for (uint32_t b = first; b <= last; b++) hiders[b] = starts[b];
  }
  memmove(starts + 1, starts, (size_t)frame->bands * sizeof *starts);
  starts[0] = 0;
  return true;
}

static void paint_band(void *user, uint32_t index, int thread) {
  sj_frame *frame = user;
  sj_worker *worker = &frame->workers[thread];
  if (!sj_paint_band(frame, index, worker)) worker->failed = true;
}

static size_t pixels_of(const sj_frame *frame) { return (size_t)(frame->region.y1 - frame->region.y0) * frame->stride; }

// Returns whether there are several threads, and either they run already or there is work for longer than they take to
// start.
static bool is_parallel(const sj_frame *frame) {
  if (sj_pool_threads(frame->pool) == 1) return false;
  if (frame->eager || sj_pool_started(frame->pool)) return true;
  uint64_t work = pixels_of(frame) / PIXELS_OF_WORK;
  for (uint32_t i = frame->pass->first; i < frame->pass->end && work < START_WORK; i++) {
    const k_draw *draw = &frame->scene->draws.data[i];
    work += sj_draw_weight(draw) + sj_box_pixels(draw) / PIXELS_OF_WORK;
  }
  return work >= START_WORK;
}

// Returns whether threads share the bands.
static bool is_shared(const sj_frame *frame) { return frame->parallel && pixels_of(frame) >= SHARED_PIXELS; }

// Returns the memory that the threads already hold for layers.
static uint64_t frame_layer_bytes(const sj_frame *frame) {
  uint64_t bytes = 0;
  for (int i = 0; i < sj_pool_threads(frame->pool); i++) bytes += frame->workers[i].pixel_bytes;
  return bytes;
}

// Returns the number of a band's rows, as a power of two: few enough that a band fits the cache, that each thread has
// several bands, and that layers stay within their limit. Returns -1 when not even one row does.
static int choose_band_shift(const sj_frame *frame) {
  size_t height = (size_t)(frame->region.y1 - frame->region.y0), threads = (size_t)sj_pool_threads(frame->pool);
  size_t row = frame->stride * sizeof(uint32_t);
  size_t rows = BAND_BYTES / row, nested = LAYERS_BYTES / (row * (frame->pass->depth + 1));
  if (rows > nested) rows = nested;
  if (rows > height) rows = height;
  if (is_shared(frame) && rows > height / (threads * 4) + 1) rows = height / (threads * 4) + 1;
  if (rows < 8) rows = 8;
  if (frame->force_rows) rows = frame->force_rows;
  if (frame->pass->depth) {
    uint64_t memory = sj_budget_memory_left(frame->context) / 2 + frame_layer_bytes(frame);
    if (memory > frame->max_layer_bytes) memory = frame->max_layer_bytes;
    uint64_t fits = memory / ((uint64_t)row * frame->pass->depth * threads);
    if (rows > fits) rows = (size_t)fits;
  }
  int shift = -1;
  for (; rows; rows >>= 1) shift++;
  return shift;
}

// Returns whether a draw's lines alone are too many for a batch, by a guess or because that was found out.
static bool is_large(const sj_frame *frame, uint32_t draw, uint64_t guess) {
  return draw == atomic_load_explicit(&frame->large_draw, memory_order_relaxed) || guess > sj_most_lines(frame);
}

// Finds the end of the batch that begins at batch_first, and the layers that are open there. A large draw is a batch of
// its own. Returns false when memory is out.
static bool find_batch(sj_frame *frame) {
  uint64_t lines = 0, guessed = 0;
  bool large_before = false;
  size_t depth = frame->open_first.count, least = SIZE_MAX;
  uint32_t i = frame->batch_first, count = frame->pass->end;
  frame->batch_end = count;
  frame->batch_large = false;
  for (; i < count; i++) {
    const k_draw *draw = &frame->scene->draws.data[i];
    uint32_t guess = sj_guess_lines(draw);
    bool large = is_large(frame, i, guess);
    if (i == frame->batch_first) frame->batch_large = large;
    if (i > frame->batch_first && (large || large_before)) {
      frame->batch_end = i;
      frame->batch_guess = guessed;
      break;
    }
    if (lines >= frame->batch_lines && i > frame->batch_first && depth < least) {
      least = depth;
      frame->batch_end = i;
      frame->batch_guess = guessed;
    }
    if (least == 0 || (least < SIZE_MAX && lines >= 2 * frame->batch_lines)) break;
    depth += draw->op == K_DRAW_PUSH;
    depth -= draw->op == K_DRAW_POP;
    lines += guess + DRAW_LINES;
    guessed += guess;
    large_before = large;
  }
  if (i == count) {
    frame->batch_end = count;
    frame->batch_guess = guessed;
  }
  frame->open_end.count = 0;
  if (frame->batch_end == count) return true;
  if (!sj_array_reserve(frame->context, &frame->open_end, frame->open_first.count)) return false;
  for (size_t k = 0; k < frame->open_first.count; k++)
    frame->open_end.data[frame->open_end.count++] = frame->open_first.data[k];
  for (i = frame->batch_first; i < frame->batch_end; i++) {
    uint32_t op = frame->scene->draws.data[i].op;
    if (op == K_DRAW_PUSH && !sj_array_push(frame->context, &frame->open_end, i)) return false;
    frame->open_end.count -= op == K_DRAW_POP;
  }
  return true;
}

// Makes room for the pixels of the layers that are open where the batch begins or ends.
static bool reserve_saved(sj_frame *frame) {
  size_t layers = frame->open_end.count > frame->open_first.count ? frame->open_end.count : frame->open_first.count;
  size_t layer = frame->stride * (size_t)(frame->region.y1 - frame->region.y0) * sizeof(uint32_t);
  if (layers > SIZE_MAX / 4 / layer) return false;
  size_t bytes = layers * layer;
  if (bytes <= frame->saved_bytes) return true;
  void *memory;
  uint32_t *saved = sj_alloc_pages(frame->context, bytes, &memory);
  if (!saved) return false;
  if (frame->open_first.count) memcpy(saved, frame->saved, frame->open_first.count * layer);
  sj_free(frame->context, frame->saved_memory);
  frame->saved = saved;
  frame->saved_memory = memory;
  frame->saved_bytes = bytes;
  return true;
}

// Returns whether one of the batch's draws was found to be large.
static bool holds_large(const sj_frame *frame) {
  uint32_t large = atomic_load_explicit(&frame->large_draw, memory_order_relaxed);
  return large >= frame->batch_first && large < frame->batch_end;
}

static bool is_too_large(const sj_frame *frame) {
  return atomic_load_explicit(&frame->overflow, memory_order_relaxed) &&
         (frame->batch_end - frame->batch_first > 1 || holds_large(frame));
}

// Draws a batch. When it is_too_large nothing is painted.
static stijl_result render_batch(sj_frame *frame, stijl_message *message) {
  double start = sj_now_ms();
  uint32_t draws = frame->batch_end - frame->batch_first;
  frame->shapes.count = 0;
  atomic_store_explicit(&frame->lines_made, 0, memory_order_relaxed);
  atomic_store_explicit(&frame->overflow, false, memory_order_relaxed);
  if (!reserve_saved(frame)) return sj_fail_memory(message);
  if (!sj_array_reserve(frame->context, &frame->shapes, draws) || !sj_make_chunks(frame))
    return sj_fail_memory(message);
  frame->shapes.count = draws;
  for (int i = 0; i < sj_pool_threads(frame->pool); i++) sj_forget_glyphs(&frame->workers[i]);
  sj_frame_run(frame, frame->chunks.count, sj_flatten_chunk);
  uint64_t lines = 0;
  for (size_t i = 0; i < frame->chunks.count; i++) {
    if (frame->chunks.data[i].lines.failed) return sj_fail_memory(message);
    lines += frame->chunks.data[i].lines.count;
  }
  if (!is_too_large(frame) && !list_bands(frame)) return sj_fail_memory(message);
  if (is_too_large(frame)) return STIJL_OK;
  frame->lines += lines;
  sj_choose_place(frame);
  frame->flatten_ms += sj_now_ms() - start;
  sj_frame_run(frame, (size_t)frame->bands, paint_band);
  for (int i = 0; i < sj_pool_threads(frame->pool); i++)
    if (frame->workers[i].failed) return sj_fail_memory(message);
  return STIJL_OK;
}

static stijl_result render_large(sj_frame *frame, stijl_message *message) {
  const k_draw *draw = &frame->scene->draws.data[frame->batch_first];
  const sj_shape shape = {
      .box = {draw->x0, draw->y0, draw->x1, draw->y1}, .starts = SJ_UNSORTED, .pops = draw->op == K_DRAW_POP};
  frame->shapes.count = 0;
  if (!reserve_saved(frame) || !sj_array_push(frame->context, &frame->shapes, shape) || !list_bands(frame))
    return sj_fail_memory(message);
  frame->chunks.count = 0;  // it is painted once
  sj_choose_place(frame);
  if (!sj_paint_in_rounds(frame)) return sj_fail_memory(message);
  return STIJL_OK;
}

stijl_result sj_frame_render(sj_frame *frame, stijl_message *message) {
  size_t width = (size_t)(frame->region.x1 - frame->region.x0);
  frame->stride = (width + SJ_BLOCK - 1) & ~(size_t)(SJ_BLOCK - 1);
  frame->parallel = is_parallel(frame);
  if (is_shared(frame)) sj_pool_start(frame->pool);
  sj_begin_place(frame);
  frame->band_shift = choose_band_shift(frame);
  if (frame->band_shift < 0)
    return sj_fail(message, STIJL_ERROR_LIMIT, "%u nested layers of %zu pixels need more than max_layer_bytes (%llu)",
                   frame->pass->depth, width, (unsigned long long)frame->max_layer_bytes);
  frame->band_rows = 1 << frame->band_shift;
  frame->bands = (frame->region.y1 - frame->region.y0 + frame->band_rows - 1) / frame->band_rows;
  frame->begun.count = 0;
  if (!sj_array_reserve(frame->context, &frame->begun, (size_t)frame->bands)) return sj_fail_memory(message);
  // Straight colours lose bits when they are loaded and stored, and so each band is, wherever draws are.
  bool straight = sj_format_is_straight(frame->target.format);
  for (int i = 0; i < frame->bands; i++) frame->begun.data[i] = frame->keep && !frame->clamp && !straight;
  for (int i = 0; i < sj_pool_threads(frame->pool); i++)
    frame->workers[i].failed = frame->workers[i].cleared = frame->workers[i].sorted.failed = false;
  frame->batch_first = frame->pass->first;
  frame->batch_lines = frame->limit_lines ? frame->limit_lines : SJ_BATCH_LINES;
  frame->open_first.count = 0;
  atomic_store_explicit(&frame->large_draw, SJ_NO_DRAW, memory_order_relaxed);
  do {  // also for a scene without draws, which clears the target
    if (!find_batch(frame)) return sj_fail_memory(message);
    stijl_result result = frame->batch_large ? render_large(frame, message) : render_batch(frame, message);
    if (result != STIJL_OK) return result;
    if (!frame->batch_large && is_too_large(frame)) {
      if (!holds_large(frame)) frame->batch_lines /= 4;
      continue;
    }
    frame->batch_first = frame->batch_end;
    // The layers that are open at the batch's end are those that the next one begins with.
    frame->open_first.count = 0;
    if (!sj_array_reserve(frame->context, &frame->open_first, frame->open_end.count)) return sj_fail_memory(message);
    for (size_t k = 0; k < frame->open_end.count; k++)
      frame->open_first.data[frame->open_first.count++] = frame->open_end.data[k];
  } while (frame->batch_first < frame->pass->end);
  return STIJL_OK;
}
