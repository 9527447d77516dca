#include "cpu/frame.h"

#include <string.h>
#include <time.h>

#include "base/pages.h"
#include "base/wraps.h"
#include "kernel/coverage.h"

// The memory of a band's pixels and sums, about, so that they stay in the second-level cache. On a Zen 5 core, whose
// cache has 1 MiB, the tiger at 4096 px takes 10.3 ms with this, 11.3 with half of it, 12.4 with a quarter. On a Sapphire
// Rapids core, whose cache has 2 MiB, twice as much takes 0.93 to 1.0 of the time; but how much memory a frame takes would
// then depend on the machine.
#define BAND_BYTES (512 * 1024)
// The same with the pixels of the layers that are open at a time: 60 of them, 1000 px wide, take 0.4 of the time.
#define LAYERS_BYTES (2 * BAND_BYTES)
// A batch of draws ends once its draws are guessed to make this many lines of 16 bytes: at the next draw where no layer
// is open; or, if there is none before the lines are twice as many, where the fewest layers are open.
// A draw that has more lines than this itself is painted in rounds (rounds.c).
#define BATCH_LINES (1u << 21)
#define DRAW_LINES 4  // a draw takes memory itself: as much as this many lines
// A batch that turns out to make more lines than this, or to need longer lists of draws for its bands, is made smaller.
#define MAX_LINES (1u << 22)
#define MAX_LISTED (1u << 24)
#define COUNT_LINES (1u << 16)  // a thread adds its lines to the common count after this many
// Segments that are flattened before it is asked whether to read the clock and whether lines are too many; one may become
// 50,000 lines.
#define LOOK_SEGMENTS 128
// Targets from this size on are stored past the cache: a band is painted in memory that stays in the cache, and then copied.
// Stores in place would have the processor load the target's lines first, for nothing. The tiger at 4096 px takes 0.73 of the
// time on a Sapphire Rapids core, 0.06 of them because copying a pixel also clears it; at 2048 px, 16 MiB, it takes the same.
#define STREAM_FROM (32 * 1024 * 1024)
// A target whose rows do not begin where vectors do is painted in such memory as well, if draws cover it this many times:
// otherwise each load and store of pixels touches two cache lines. 100 large stars take 0.91 of the time so, an image drawn
// once 1.3 times as long.
#define OFTEN 8
#define SHARED_PIXELS (128 * 128)  // smaller targets are left to one thread
// Threads are not started for less work, since that takes about 0.1 ms. It is counted in the weight of draws, one of
// which takes about 60 ns.
#define START_WORK 4096
#define PIXELS_OF_WORK 128  // that a draw fills in about that time

// A draw with fewer lines, or in fewer bands, is not sorted: each of its bands goes through all of its lines, which
// takes less time.
#define MIN_SORT_LINES 64
#define MIN_SORT_BANDS 4

// Lines among which a rectangle is looked for: four, and those that stand for what is left of the draw's box.
#define RECTANGLE_LINES 6
// Opaque draws that fill fewer pixels do not hide anything.
#define MIN_HIDING_PIXELS 4096

double sj_now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

stijl_result sj_frame_init(sj_frame *frame, stijl_context *context, const sj_kernels *kernels, int threads) {
  *frame = (sj_frame){.context = context, .kernels = kernels, .stream_from = STREAM_FROM, .surfaces = {.context = context}};
  frame->pool = sj_pool_create(context, threads);
  frame->workers = sj_alloc_array(context, (size_t)threads, sizeof *frame->workers);
  if (!frame->pool || !frame->workers) {
    sj_frame_finish(frame);
    return STIJL_ERROR_OUT_OF_MEMORY;
  }
  for (int i = 0; i < threads; i++) frame->workers[i] = (sj_worker){.context = context, .sorted = {.context = context}, .glyph_lines = {.context = context}, .long_sums = {.context = context}};
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
  sj_array_finish(context, &frame->shapes);
  sj_array_finish(context, &frame->band_starts);
  sj_array_finish(context, &frame->band_draws);
  sj_array_finish(context, &frame->band_hiders);
  sj_array_finish(context, &frame->open_first);
  sj_array_finish(context, &frame->open_end);
}

void sj_frame_finish(sj_frame *frame) {
  stijl_context *context = frame->context;
  sj_frame_trim(frame);
  sj_free(context, frame->workers);
  sj_pool_destroy(frame->pool);
  *frame = (sj_frame){0};
}

uint64_t sj_frame_scratch_bytes(const sj_frame *frame) {
  uint64_t bytes = frame->saved_bytes + frame->shapes.capacity * sizeof *frame->shapes.data +
                   (frame->band_starts.capacity + frame->band_draws.capacity + frame->band_hiders.capacity) *
                       sizeof(uint32_t);
  for (size_t i = 0; i < frame->chunks.capacity; i++) {
    const sj_chunk *chunk = &frame->chunks.data[i];
    bytes += chunk->lines.capacity * 16 + chunk->starts.capacity * sizeof(uint32_t);
  }
  for (int i = 0; i < sj_pool_threads(frame->pool); i++) {
    const sj_worker *worker = &frame->workers[i];
    bytes += worker->cell_bytes + worker->pixel_bytes + worker->sorted.capacity * 16;
    bytes += worker->glyph_lines.capacity * 16 + worker->glyphs.capacity * sizeof *worker->glyphs.data;
    bytes += worker->hidden.capacity * sizeof(uint64_t) + worker->parts.capacity * sizeof(sj_part);
    bytes += worker->long_sums.sum_count * sizeof(k_long) + worker->long_sums.row_count * 2 * sizeof(uint32_t);
  }
  return bytes;
}

// --- Flattening and sorting ------------------------------------------------------------------------------------------

// The box of the pixels that lines touch, from the lines' box in fixed point.
static stijl_irect pixel_box(stijl_irect b) {
  if (b.x0 > b.x1) return (stijl_irect){0, 0, 0, 0};
  return (stijl_irect){b.x0 >> 8, b.y0 >> 8, (b.x1 + 255) >> 8, (b.y1 + 255) >> 8};
}

// The bands that a line touches, counted from the shape's first. False when it touches none of them.
static bool bands_of(const sj_band_range *bands, int y0, int y1, int *first, int *last) {
  int lo = (k_min(y0, y1) >> 8) - bands->top, hi = ((k_max(y0, y1) - 1) >> 8) - bands->top;
  if (hi < 0 || lo >= bands->count << bands->shift || y0 == y1) return false;
  *first = k_max(lo, 0) >> bands->shift;
  *last = k_min(hi >> bands->shift, bands->count - 1);
  return true;
}

// A line that touches several bands is repeated in each. Differences of counts wrap. The clock is read now and then, as
// lines may be millions, each in all of the bands.
SJ_WRAPS bool sj_sort_lines(sj_frame *frame, sj_chunk *chunk, sj_shape *shape, const sj_band_range *bands,
                            sj_lines *sorted) {
  sj_lines *lines = &chunk->lines;
  size_t entries = (size_t)bands->count + 1;
  if (!sj_array_reserve(frame->context, &chunk->starts, entries)) return false;
  uint32_t *starts = chunk->starts.data + chunk->starts.count;
  memset(starts, 0, entries * sizeof *starts);
  // A line adds 1 to the count of its first band and subtracts 1 after its last; the prefix sums then are the bands'
  // counts. Most lines are in the same band as the line before: its count stays in a register.
  int lo, hi, band = 0;
  uint32_t here = 0;
  for (size_t i = shape->first; i < lines->count; i++) {
    if (!bands_of(bands, lines->y0[i], lines->y1[i], &lo, &hi)) continue;
    if (lo != band || hi != band) {
      starts[band] += here;
      starts[band + 1] -= here;
      starts[lo]++;
      starts[hi]--;
      band = hi;
      here = 0;
    }
    here++;
  }
  starts[band] += here;
  starts[band + 1] -= here;
  size_t total = 0;
  for (uint32_t b = 0, n = 0; b < (uint32_t)bands->count; b++) {
    n += starts[b];
    starts[b] = (uint32_t)(shape->first + total);
    total += n;
  }
  starts[bands->count] = (uint32_t)(shape->first + total);
  if (total > UINT32_MAX - shape->first - SJ_LINES_PAD) return false;
  size_t extra = total > shape->count ? total - shape->count : 0;
  sorted->count = 0;
  if (!sj_lines_reserve(sorted, shape->count) || !sj_lines_reserve(lines, extra)) return false;
  int32_t *from[4] = {sorted->x0, sorted->y0, sorted->x1, sorted->y1};
  int32_t *to[4] = {lines->x0, lines->y0, lines->x1, lines->y1};
  for (int k = 0; k < 4; k++) memcpy(from[k], to[k] + shape->first, shape->count * sizeof **from);
  band = 0;
  uint32_t at = starts[0], passed = 0;
  for (size_t i = 0; i < shape->count; i++) {
    if (!bands_of(bands, from[1][i], from[3][i], &lo, &hi)) continue;
    if (lo != band || hi != band) {
      passed += (uint32_t)(hi - lo) + 1;
      if (passed > COUNT_LINES) {
        if (!sj_budget_look(frame->scene->budget)) return false;
        passed = 0;
      }
      starts[band] = at;
      for (band = lo; band < hi; band++) {
        at = starts[band]++;
        for (int k = 0; k < 4; k++) to[k][at] = from[k][i];
      }
      at = starts[band];
    }
    for (int k = 0; k < 4; k++) to[k][at] = from[k][i];
    at++;
  }
  starts[band] = at;
  // Each start has moved to its end, which is the next one's start.
  memmove(starts + 1, starts, (size_t)bands->count * sizeof *starts);
  starts[0] = (uint32_t)shape->first;
  shape->starts = (uint32_t)chunk->starts.count;
  chunk->starts.count += entries;
  lines->count = shape->first + total;
  shape->count = total;
  return true;
}

// The clock is read now and then, as each segment may become some ten thousand lines, or is one of millions of which
// none is seen.
bool sj_flatten_segments(const sj_frame *frame, const k_draw *draw, size_t most, sj_lines *lines, bool *past_right) {
  if (draw->segment_count <= LOOK_SEGMENTS) {
    *past_right = frame->kernels->flatten(frame->scene, draw, lines);
    return !lines->failed;
  }
  k_draw piece = *draw;
  *past_right = false;
  size_t passed = 0;  // segments and lines since the clock was read
  size_t first = lines->count;
  for (uint32_t left = draw->segment_count; left && !lines->failed && lines->count - first <= most;
       left -= piece.segment_count) {
    piece.segment_count = k_min(left, LOOK_SEGMENTS);
    size_t before = lines->count;
    *past_right |= frame->kernels->flatten(frame->scene, &piece, lines);
    piece.segment += piece.segment_count;
    passed += piece.segment_count + (lines->count - before);
    if (passed <= COUNT_LINES) continue;
    if (!sj_budget_look(frame->scene->budget)) return false;
    passed = 0;
  }
  return !lines->failed;
}

size_t sj_most_lines(const sj_frame *frame) { return frame->limit_lines ? frame->limit_lines : BATCH_LINES; }

// Whether a draw's lines are those of an upright rectangle: two verticals, one up and one down between the same heights,
// and horizontals, which count for nothing. The right one may have been left out.
static bool find_rectangle(const sj_lines *lines, sj_shape *shape, bool past_right) {
  if (shape->count > RECTANGLE_LINES) return false;
  int found = 0, x[2] = {0, shape->box.x1 * K_SUBPIXELS}, from[2] = {0, 0}, to[2] = {0, 0};
  for (size_t i = shape->first; i < shape->first + shape->count; i++) {
    if (lines->y0[i] == lines->y1[i]) continue;
    if (lines->x0[i] != lines->x1[i] || found == 2) return false;
    x[found] = lines->x0[i];
    from[found] = lines->y0[i];
    to[found++] = lines->y1[i];
  }
  if (found == 2 ? from[0] != to[1] || to[0] != from[1] || past_right : found == 0 || !past_right) return false;
  shape->edges = (stijl_irect){k_min(x[0], x[1]), k_min(from[0], to[0]), k_max(x[0], x[1]), k_max(from[0], to[0])};
  return true;
}

// Whether it is worth finding out what an opaque draw hides.
static bool is_hiding(const k_draw *draw, const sj_shape *shape) {
  if (!(draw->flags & K_DRAW_OPAQUE) || shape->starts != SJ_RECTANGLE) return false;
  stijl_irect inside = sj_shape_inside(shape);
  return (int64_t)(inside.x1 - inside.x0) * (inside.y1 - inside.y0) >= MIN_HIDING_PIXELS;
}

static stijl_irect scaled(stijl_irect box) {
  return (stijl_irect){box.x0 * K_SUBPIXELS, box.y0 * K_SUBPIXELS, box.x1 * K_SUBPIXELS, box.y1 * K_SUBPIXELS};
}

static bool flatten_draw(sj_frame *frame, uint32_t chunk_index, uint32_t draw_index, sj_worker *worker,
                         sj_spender *spender) {
  sj_chunk *chunk = &frame->chunks.data[chunk_index];
  const k_draw *draw = &frame->scene->draws.data[draw_index];
  sj_shape *shape = &frame->shapes.data[draw_index - frame->batch_first];
  *shape = (sj_shape){.box = {draw->x0, draw->y0, draw->x1, draw->y1}, .chunk = chunk_index, .starts = SJ_UNSORTED};
  bool lines = draw->op == K_DRAW_FILL || draw->op == K_DRAW_STROKE || (draw->flags & K_DRAW_CLIP);
  if (!lines) {
    shape->starts = SJ_RECTANGLE;
    shape->edges = scaled(shape->box);
    shape->hides = is_hiding(draw, shape);
    return true;
  }
  shape->first = chunk->lines.count;
  size_t most = sj_most_lines(frame);
  bool past_right = false;
  stijl_irect box;  // in 24.8
  if (draw->flags & K_DRAW_GLYPHS) {
    const k_run *run = sj_run_of(frame->scene, draw);
    if (!sj_flatten_glyphs(frame, worker, run, (draw->flags & K_DRAW_FAR) != 0, most, &chunk->lines, &box)) return false;
  } else {
    if (!sj_flatten_segments(frame, draw, most, &chunk->lines, &past_right)) return false;
    box = frame->kernels->line_box(&chunk->lines, shape->first);
  }
  shape->count = chunk->lines.count - shape->first;
  if (shape->count > most) {
    atomic_store_explicit(&frame->large_draw, draw_index, memory_order_relaxed);
    atomic_store_explicit(&frame->overflow, true, memory_order_relaxed);
    return true;
  }
  if (!sj_spend(spender, shape->count * SJ_WORK_LINE)) return false;
  box = pixel_box(box);
  if (past_right) box.x1 = shape->box.x1;
  box = sj_irect_intersect(shape->box, box);
  if (sj_irect_is_empty(box)) {
    chunk->lines.count = shape->first;
    shape->count = 0;
    // A pop keeps its box even without lines, as the layer must be ended in every band where it was begun.
    if (draw->op != K_DRAW_POP) shape->box = (stijl_irect){0, 0, 0, 0};
    return true;
  }
  if (draw->op != K_DRAW_POP) shape->box = box;
  size_t first = shape->first;
  if (!(draw->flags & K_DRAW_ALIASED) && find_rectangle(&chunk->lines, shape, past_right)) {
    chunk->lines.count = first;
    shape->starts = SJ_RECTANGLE;
    shape->hides = is_hiding(draw, shape);
    return true;
  }
  sj_band_range bands = {.shift = frame->band_shift};
  bands.first = (shape->box.y0 - frame->region.y0) >> frame->band_shift;
  bands.count = ((shape->box.y1 - 1 - frame->region.y0) >> frame->band_shift) - bands.first + 1;
  bands.top = frame->region.y0 + (bands.first << frame->band_shift);
  if (bands.count < MIN_SORT_BANDS || shape->count < MIN_SORT_LINES) return true;
  return sj_sort_lines(frame, chunk, shape, &bands, &worker->sorted);
}

static void flatten_chunk(void *user, uint32_t index, int thread) {
  sj_frame *frame = user;
  sj_chunk *chunk = &frame->chunks.data[index];
  chunk->lines.count = chunk->starts.count = 0;
  // All memory is taken at once: growing in steps would touch twice as much, and a new process pays for each page that
  // it touches first.
  if (!sj_lines_reserve(&chunk->lines, chunk->expected_lines)) return;
  sj_spender spender = {.budget = frame->scene->budget};
  size_t counted = 0, most = frame->limit_lines ? 2 * frame->limit_lines : MAX_LINES;
  for (uint32_t i = chunk->first_draw; i < chunk->end_draw; i++) {
    if (!flatten_draw(frame, index, i, &frame->workers[thread], &spender)) {
      chunk->lines.failed = true;
      return;
    }
    if (chunk->lines.count - counted < (frame->limit_lines ? 1 : COUNT_LINES)) continue;
    size_t made = chunk->lines.count - counted;
    counted = chunk->lines.count;
    if (atomic_fetch_add_explicit(&frame->lines_made, made, memory_order_relaxed) + made > most)
      atomic_store_explicit(&frame->overflow, true, memory_order_relaxed);
    if (atomic_load_explicit(&frame->overflow, memory_order_relaxed) && frame->batch_end - frame->batch_first > 1) return;
  }
  if (!sj_budget_check(spender.budget, spender.work)) chunk->lines.failed = true;
}

static size_t draw_weight(const k_draw *draw) {
  return 8 + (size_t)draw->segment_count * (draw->op == K_DRAW_STROKE ? 4 : 1);
}

static size_t room_for(size_t lines) { return (lines + SJ_LINES_PAD + 15) & ~(size_t)15; }

// Takes the memory for all lines of the first batch in one block. A new process pays for each page that it touches
// first, and only a large block can have huge pages.
static bool share_lines(sj_frame *frame) {
  size_t total = 0;
  for (size_t i = 0; i < frame->chunks.count; i++) total += room_for(frame->chunks.data[i].expected_lines);
  int32_t *block = sj_alloc_pages(frame->context, total * 4 * sizeof *block, &frame->first_lines);
  if (!block) return false;
  for (size_t i = 0; i < frame->chunks.count; i++) {
    sj_lines *lines = &frame->chunks.data[i].lines;
    size_t room = room_for(frame->chunks.data[i].expected_lines);
    lines->capacity = room;
    lines->x0 = block;
    lines->y0 = block + room;
    lines->x1 = block + 2 * room;
    lines->y1 = block + 3 * room;
    block += 4 * room;
  }
  return true;
}

bool sj_reserve_chunks(sj_frame *frame, size_t count) {
  size_t old = frame->chunks.capacity;
  frame->chunks.count = 0;
  if (!sj_array_reserve(frame->context, &frame->chunks, count)) return false;
  for (size_t i = old; i < frame->chunks.capacity; i++)
    frame->chunks.data[i] = (sj_chunk){.lines = {.context = frame->context}};
  return true;
}

// Cuts the batch into chunks of about equal work: several for each thread, so that all threads end at about the same
// time; a single thread gets one.
static bool make_chunks(sj_frame *frame) {
  size_t total = 0;
  for (uint32_t i = frame->batch_first; i < frame->batch_end; i++) total += draw_weight(&frame->scene->draws.data[i]);
  size_t wanted = frame->parallel ? (size_t)sj_pool_threads(frame->pool) * 8 : 1;
  size_t each = total / wanted + 1;
  if (each < 512) each = 512;
  if (!sj_reserve_chunks(frame, wanted + 1)) return false;
  for (uint32_t i = frame->batch_first; i < frame->batch_end;) {
    sj_chunk *chunk = &frame->chunks.data[frame->chunks.count++];
    chunk->lines.failed = false;
    chunk->first_draw = i;
    size_t lines = 0;
    for (size_t weight = 0; i < frame->batch_end && weight < each; i++) {
      weight += draw_weight(&frame->scene->draws.data[i]);
      lines += frame->scene->draws.data[i].lines;
    }
    chunk->expected_lines = lines < BATCH_LINES ? lines : BATCH_LINES;
    chunk->end_draw = i;
  }
  return frame->first_lines || share_lines(frame);
}

// --- Bands -----------------------------------------------------------------------------------------------------------

static stijl_irect layer_box(const sj_frame *frame, uint32_t push) {
  const k_draw *draw = &frame->scene->draws.data[push];
  return (stijl_irect){draw->x0, draw->y0, draw->x1, draw->y1};
}

bool sj_layer_in_rows(const sj_frame *frame, uint32_t push, stijl_irect rows) {
  stijl_irect box = layer_box(frame, push);
  return box.x0 < box.x1 && box.y0 < rows.y1 && box.y1 > rows.y0;
}

// A layer is ended in the bands where it was begun, though its pop's box may be smaller than its push's.
static bool draw_bands(const sj_frame *frame, uint32_t index, uint32_t *first, uint32_t *last) {
  const k_draw *draw = &frame->scene->draws.data[frame->batch_first + index];
  stijl_irect box = draw->op == K_DRAW_POP ? layer_box(frame, draw->paint) : frame->shapes.data[index].box;
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

static size_t pixels_of(const sj_frame *frame) {
  return (size_t)(frame->region.y1 - frame->region.y0) * frame->stride;
}

// Whether the boxes of the pass's draws have so many pixels, together.
static bool has_area(const sj_frame *frame, uint64_t pixels) {
  uint64_t area = 0;
  for (uint32_t i = frame->pass->first; i < frame->pass->end && area < pixels; i++) {
    const k_draw *draw = &frame->scene->draws.data[i];
    area += (uint64_t)(draw->x1 - draw->x0) * (uint64_t)(draw->y1 - draw->y0);
  }
  return area >= pixels;
}

// Decides whether the target's rows are painted in place, and whether they are stored past the cache.
static void choose_place(sj_frame *frame) {
  const stijl_target *target = &frame->target;
  size_t width = (size_t)(frame->region.x1 - frame->region.x0), vector = frame->kernels->vector_bytes;
  uintptr_t begins = (uintptr_t)target->pixels | target->stride;
  frame->streams = frame->kernels->stream && !frame->keep && stijl_format_bytes(target->format) == sizeof(uint32_t) &&
                   pixels_of(frame) * sizeof(uint32_t) >= frame->stream_from;
  frame->direct = !frame->streams && target->format == STIJL_FORMAT_RGBA8 && width % SJ_BLOCK == 0 &&
                  begins % sizeof(uint32_t) == 0 &&
                  (begins % vector == 0 || frame->keep || !has_area(frame, OFTEN * pixels_of(frame)));
}

// Whether there are several threads, and either they run already or there is work for longer than they take to start.
static bool is_parallel(const sj_frame *frame) {
  if (sj_pool_threads(frame->pool) == 1) return false;
  if (frame->eager || sj_pool_started(frame->pool)) return true;
  uint64_t work = pixels_of(frame) / PIXELS_OF_WORK;
  for (uint32_t i = frame->pass->first; i < frame->pass->end && work < START_WORK; i++) {
    const k_draw *draw = &frame->scene->draws.data[i];
    uint64_t pixels = (uint64_t)(draw->x1 - draw->x0) * (uint64_t)(draw->y1 - draw->y0);
    work += draw_weight(draw) + pixels / PIXELS_OF_WORK;
  }
  return work >= START_WORK;
}

void sj_frame_run(sj_frame *frame, size_t count, sj_pool_task task) {
  if (frame->parallel) {
    sj_pool_run(frame->pool, (uint32_t)count, task, frame);
    return;
  }
  for (uint32_t i = 0; i < count; i++) task(frame, i, 0);
}

// Whether threads share the bands.
static bool is_shared(const sj_frame *frame) { return frame->parallel && pixels_of(frame) >= SHARED_PIXELS; }

// The memory that the threads already hold for layers.
static uint64_t frame_layer_bytes(const sj_frame *frame) {
  uint64_t bytes = 0;
  for (int i = 0; i < sj_pool_threads(frame->pool); i++) bytes += frame->workers[i].pixel_bytes;
  return bytes;
}

_Thread_local int sj_frame_force_rows;

// The number of a band's rows, as a power of two: few enough that a band fits the cache, that each thread has several
// bands, and that layers stay within their limit. -1 when not even one row does.
static int choose_band_shift(const sj_frame *frame) {
  size_t height = (size_t)(frame->region.y1 - frame->region.y0), threads = (size_t)sj_pool_threads(frame->pool);
  size_t row = frame->stride * sizeof(uint32_t);
  size_t rows = BAND_BYTES / row, nested = LAYERS_BYTES / (row * (frame->pass->depth + 1));
  if (rows > nested) rows = nested;
  if (rows > height) rows = height;
  if (is_shared(frame) && rows > height / (threads * 4) + 1) rows = height / (threads * 4) + 1;
  if (rows < 8) rows = 8;
  if (sj_frame_force_rows > 0) rows = (size_t)sj_frame_force_rows;
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

// Whether a draw's lines alone are too many for a batch, as is guessed or was found.
static bool is_large(const sj_frame *frame, uint32_t draw) {
  return draw == atomic_load_explicit(&frame->large_draw, memory_order_relaxed) ||
         (draw < frame->pass->end && frame->scene->draws.data[draw].lines > sj_most_lines(frame));
}

// Finds the end of the batch that begins at batch_first, and the layers that are open there. A large draw is a batch for
// itself.
static bool find_batch(sj_frame *frame) {
  uint64_t lines = 0;
  size_t depth = frame->open_first.count, least = SIZE_MAX;
  uint32_t i = frame->batch_first, count = frame->pass->end;
  frame->batch_end = count;
  for (; i < count; i++) {
    const k_draw *draw = &frame->scene->draws.data[i];
    if (i > frame->batch_first && (is_large(frame, i) || is_large(frame, i - 1))) {
      frame->batch_end = i;
      break;
    }
    if (lines >= frame->batch_lines && i > frame->batch_first && depth < least) {
      least = depth;
      frame->batch_end = i;
    }
    if (least == 0 || (least < SIZE_MAX && lines >= 2 * frame->batch_lines)) break;
    depth += draw->op == K_DRAW_PUSH;
    depth -= draw->op == K_DRAW_POP;
    lines += draw->lines + DRAW_LINES;
  }
  if (i == count) frame->batch_end = count;
  frame->open_end.count = 0;
  if (frame->batch_end == count) return true;
  if (!sj_array_reserve(frame->context, &frame->open_end, frame->open_first.count)) return false;
  for (size_t k = 0; k < frame->open_first.count; k++) frame->open_end.data[frame->open_end.count++] = frame->open_first.data[k];
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

// Whether one of the batch's draws was found to be large.
static bool holds_large(const sj_frame *frame) {
  uint32_t large = atomic_load_explicit(&frame->large_draw, memory_order_relaxed);
  return large >= frame->batch_first && large < frame->batch_end;
}

static bool is_too_large(const sj_frame *frame) {
  return atomic_load_explicit(&frame->overflow, memory_order_relaxed) &&
         (frame->batch_end - frame->batch_first > 1 || holds_large(frame));
}

// Nothing is painted when the batch is_too_large.
static stijl_result render_batch(sj_frame *frame, stijl_message *message) {
  double start = sj_now_ms();
  uint32_t draws = frame->batch_end - frame->batch_first;
  frame->shapes.count = 0;
  atomic_store_explicit(&frame->lines_made, 0, memory_order_relaxed);
  atomic_store_explicit(&frame->overflow, false, memory_order_relaxed);
  if (!reserve_saved(frame)) return sj_fail_memory(message);
  if (!sj_array_reserve(frame->context, &frame->shapes, draws) || !make_chunks(frame)) return sj_fail_memory(message);
  frame->shapes.count = draws;
  for (int i = 0; i < sj_pool_threads(frame->pool); i++) sj_forget_glyphs(&frame->workers[i]);
  sj_frame_run(frame, frame->chunks.count, flatten_chunk);
  uint64_t lines = 0;
  for (size_t i = 0; i < frame->chunks.count; i++) {
    if (frame->chunks.data[i].lines.failed) return sj_fail_memory(message);
    lines += frame->chunks.data[i].lines.count;
  }
  if (!is_too_large(frame) && !list_bands(frame)) return sj_fail_memory(message);
  if (is_too_large(frame)) return STIJL_OK;
  frame->lines += lines;
  frame->flatten_ms += sj_now_ms() - start;
  sj_frame_run(frame, (size_t)frame->bands, paint_band);
  for (int i = 0; i < sj_pool_threads(frame->pool); i++)
    if (frame->workers[i].failed) return sj_fail_memory(message);
  return STIJL_OK;
}

static stijl_result render_large(sj_frame *frame, stijl_message *message) {
  const k_draw *draw = &frame->scene->draws.data[frame->batch_first];
  const sj_shape shape = {.box = {draw->x0, draw->y0, draw->x1, draw->y1}, .starts = SJ_UNSORTED};
  frame->shapes.count = 0;
  if (!reserve_saved(frame) || !sj_array_push(frame->context, &frame->shapes, shape) ||
      !list_bands(frame) || !sj_paint_in_rounds(frame))
    return sj_fail_memory(message);
  return STIJL_OK;
}

stijl_result sj_frame_render(sj_frame *frame, stijl_message *message) {
  size_t width = (size_t)(frame->region.x1 - frame->region.x0);
  frame->stride = (width + SJ_BLOCK - 1) & ~(size_t)(SJ_BLOCK - 1);
  frame->parallel = is_parallel(frame);
  if (is_shared(frame)) sj_pool_start(frame->pool);
  choose_place(frame);
  frame->band_shift = choose_band_shift(frame);
  if (frame->band_shift < 0)
    return sj_fail(message, STIJL_ERROR_LIMIT, "%u nested layers of %zu pixels need more than max_layer_bytes (%llu)",
                   frame->pass->depth, width, (unsigned long long)frame->max_layer_bytes);
  frame->band_rows = 1 << frame->band_shift;
  frame->bands = (frame->region.y1 - frame->region.y0 + frame->band_rows - 1) / frame->band_rows;
  for (int i = 0; i < sj_pool_threads(frame->pool); i++)
    frame->workers[i].failed = frame->workers[i].cleared = frame->workers[i].sorted.failed = false;
  frame->batch_first = frame->pass->first;
  frame->batch_lines = frame->limit_lines ? frame->limit_lines : BATCH_LINES;
  frame->open_first.count = 0;
  atomic_store_explicit(&frame->large_draw, SJ_NO_DRAW, memory_order_relaxed);
  do {  // also for a scene without draws, which clears the target
    if (!find_batch(frame)) return sj_fail_memory(message);
    bool large = is_large(frame, frame->batch_first);
    stijl_result result = large ? render_large(frame, message) : render_batch(frame, message);
    if (result != STIJL_OK) return result;
    if (!large && is_too_large(frame)) {
      if (!holds_large(frame)) frame->batch_lines /= 4;
      continue;
    }
    frame->batch_first = frame->batch_end;
    // The layers that are open at the batch's end are those that the next one begins with.
    frame->open_first.count = 0;
    if (!sj_array_reserve(frame->context, &frame->open_first, frame->open_end.count)) return sj_fail_memory(message);
    for (size_t k = 0; k < frame->open_end.count; k++) frame->open_first.data[frame->open_first.count++] = frame->open_end.data[k];
  } while (frame->batch_first < frame->pass->end);
  return STIJL_OK;
}
