#include "cpu/flatten.h"

#include <math.h>
#include <string.h>

#include "base/pages.h"
#include "base/wraps.h"
#include "cpu/glyphs.h"
#include "cpu/place.h"
#include "cpu/segments.h"
#include "kernel/coverage.h"

// A batch that turns out to make more lines than this is made smaller.
#define MAX_LINES (1u << 22)

// A draw with fewer lines, or in fewer bands, is not sorted: each of its bands goes through all of its lines, which
// takes less time.
#define MIN_SORT_LINES 64
#define MIN_SORT_BANDS 4

// Lines among which a rectangle is looked for: four, and those that stand for what is left of the draw's box.
#define RECTANGLE_LINES 6
// Opaque draws that fill fewer pixels do not hide anything.
#define MIN_HIDING_PIXELS 4096

// Returns the box of the pixels that lines touch, from the lines' box in fixed point.
static stijl_irect pixel_box(stijl_irect b) {
  if (b.x0 > b.x1) return (stijl_irect){0, 0, 0, 0};
  return (stijl_irect){b.x0 >> 8, b.y0 >> 8, (b.x1 + 255) >> 8, (b.y1 + 255) >> 8};
}

// Finds the bands that a line touches, counted from the shape's first. Returns false if it touches none of them.
static bool bands_of(const sj_band_range *bands, int y0, int y1, int *first, int *last) {
  int lo = (k_min(y0, y1) >> 8) - bands->top, hi = ((k_max(y0, y1) - 1) >> 8) - bands->top;
  if (hi < 0 || lo >= bands->count << bands->shift || y0 == y1) return false;
  *first = k_max(lo, 0) >> bands->shift;
  *last = k_min(hi >> bands->shift, bands->count - 1);
  return true;
}

// Sorts the lines of a shape by band. A line that touches several bands is repeated in each. Differences of counts
// wrap. The clock is read now and then, as there may be millions of lines, each in all of the bands. Returns false when
// memory is short or the budget is spent.
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
      if (passed > SJ_COUNT_LINES) {
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

size_t sj_most_lines(const sj_frame *frame) { return frame->limit_lines ? frame->limit_lines : SJ_BATCH_LINES; }

// Returns whether a draw's lines are those of an upright rectangle: two verticals, one up and one down between the same
// heights, and horizontals, which count for nothing. The right one may have been left out.
static bool find_rectangle(const sj_lines *lines, sj_shape *shape, bool past_right) {
  if (shape->count > RECTANGLE_LINES) return false;
  int found = 0, x[2] = {0, shape->box.x1 * K_SUBPIXELS}, from[2] = {0, 0}, to[2] = {0, 0};
  int top = shape->box.y0 * K_SUBPIXELS, bottom = shape->box.y1 * K_SUBPIXELS;  // heights beyond count for nothing
  for (size_t i = shape->first; i < shape->first + shape->count; i++) {
    if (lines->y0[i] == lines->y1[i]) continue;
    int y0 = k_max(top, k_min(bottom, lines->y0[i])), y1 = k_max(top, k_min(bottom, lines->y1[i]));
    if (y0 == y1) continue;
    if (lines->x0[i] != lines->x1[i] || found == 2) return false;
    x[found] = lines->x0[i];
    from[found] = y0;
    to[found++] = y1;
  }
  if (found == 2 ? from[0] != to[1] || to[0] != from[1] || past_right : found == 0 || !past_right) return false;
  shape->edges = (stijl_irect){k_min(x[0], x[1]), k_min(from[0], to[0]), k_max(x[0], x[1]), k_max(from[0], to[0])};
  return true;
}

// Returns whether it is worth finding out what an opaque draw hides.
static bool is_hiding(const k_draw *draw, const sj_shape *shape) {
  if (!(draw->flags & K_DRAW_OPAQUE) || shape->starts != SJ_RECTANGLE) return false;
  stijl_irect inside = sj_shape_inside(shape);
  return (int64_t)(inside.x1 - inside.x0) * (inside.y1 - inside.y0) >= MIN_HIDING_PIXELS;
}

static stijl_irect scaled(stijl_irect box) {
  return (stijl_irect){box.x0 * K_SUBPIXELS, box.y0 * K_SUBPIXELS, box.x1 * K_SUBPIXELS, box.y1 * K_SUBPIXELS};
}

// Drops a draw without lines of its own, as it paints nothing. A pop keeps its box even so, since the layer must be
// ended in every band where it was begun.
static void drop_lines(const k_draw *draw, sj_shape *shape) {
  shape->count = 0;
  if (draw->op != K_DRAW_POP) shape->box = (stijl_irect){0, 0, 0, 0};
}

// Returns whether the lines from the shape's first on are too many, and notes it.
static bool has_too_many(sj_frame *frame, uint32_t draw_index, const sj_shape *shape) {
  if (shape->count <= sj_most_lines(frame)) return false;
  atomic_store_explicit(&frame->large_draw, draw_index, memory_order_relaxed);
  atomic_store_explicit(&frame->overflow, true, memory_order_relaxed);
  return true;
}

static inline void begin_shape(sj_shape *shape, const k_draw *draw, uint32_t chunk) {
  shape->box = (stijl_irect){draw->x0, draw->y0, draw->x1, draw->y1};
  shape->chunk = chunk;
  shape->starts = SJ_UNSORTED;
  shape->first = shape->count = 0;
  shape->pops = draw->op == K_DRAW_POP;
  shape->hides = shape->small = false;
}

// Makes the shape a rectangle, which needs no lines, if its lines are those of one. Returns whether they are.
static bool become_rectangle(const k_draw *draw, const sj_lines *lines, sj_shape *shape, bool past_right) {
  if ((draw->flags & K_DRAW_ALIASED) || !find_rectangle(lines, shape, past_right)) return false;
  shape->starts = SJ_RECTANGLE;
  shape->hides = is_hiding(draw, shape);
  return true;
}

// Returns whether the draw can be painted as an sj_small, as all of its lines lie within the shape's box.
static bool is_small(const k_draw *draw, const sj_shape *shape) {
  stijl_irect box = shape->box;
  return (draw->flags & (K_DRAW_SOLID | K_DRAW_ALIASED)) == K_DRAW_SOLID && draw->op != K_DRAW_POP &&
         box.x1 - box.x0 <= SJ_SMALL_COLUMNS && box.y1 - box.y0 <= SJ_SMALL_ROWS && shape->count <= SJ_SMALL_LINES;
}

static bool flatten_draw(sj_frame *frame, uint32_t chunk_index, uint32_t draw_index, sj_worker *worker,
                         sj_spender *spender) {
  sj_chunk *chunk = &frame->chunks.data[chunk_index];
  const k_draw *draw = &frame->scene->draws.data[draw_index];
  sj_shape *shape = &frame->shapes.data[draw_index - frame->batch_first];
  begin_shape(shape, draw, chunk_index);
  bool lines = draw->op == K_DRAW_FILL || draw->op == K_DRAW_STROKE || (draw->flags & K_DRAW_CLIP);
  if (!lines) {
    shape->starts = SJ_RECTANGLE;
    shape->edges = scaled(shape->box);
    shape->hides = is_hiding(draw, shape);
    chunk->painted += sj_box_pixels(draw);
    return true;
  }
  shape->first = chunk->lines.count;
  size_t most = sj_most_lines(frame);
  bool past_right = false;
  stijl_irect box;  // in 24.8
  if (draw->flags & K_DRAW_GLYPHS) {
    const k_run *run = sj_run_of(frame->scene, draw);
    if (!sj_flatten_glyphs(frame, worker, run, (draw->flags & K_DRAW_FAR) != 0, most, &chunk->lines, &box))
      return false;
  } else {
    if (!sj_flatten_segments(frame, draw, most, &chunk->lines, &past_right)) return false;
    box = frame->kernels->line_box(&chunk->lines, shape->first);
  }
  shape->count = chunk->lines.count - shape->first;
  if (has_too_many(frame, draw_index, shape)) return true;
  if (!sj_spend(spender, shape->count * SJ_WORK_LINE)) return false;
  stijl_irect whole = pixel_box(box);
  if (past_right) whole.x1 = shape->box.x1;
  box = sj_irect_intersect(shape->box, whole);
  if (sj_irect_is_empty(box)) {
    chunk->lines.count = shape->first;
    drop_lines(draw, shape);
    return true;
  }
  if (draw->op != K_DRAW_POP) shape->box = box;
  size_t first = shape->first;
  chunk->painted += sj_painted(frame, &chunk->lines, first, shape->box);
  shape->small = !past_right && sj_irect_equal(box, whole) && is_small(draw, shape);
  if (become_rectangle(draw, &chunk->lines, shape, past_right)) {
    chunk->lines.count = first;
    return true;
  }
  sj_band_range bands = {.shift = frame->band_shift};
  bands.first = (shape->box.y0 - frame->region.y0) >> frame->band_shift;
  bands.count = ((shape->box.y1 - 1 - frame->region.y0) >> frame->band_shift) - bands.first + 1;
  bands.top = frame->region.y0 + (bands.first << frame->band_shift);
  if (bands.count < MIN_SORT_BANDS || shape->count < MIN_SORT_LINES) return true;
  return sj_sort_lines(frame, chunk, shape, &bands, &worker->sorted);
}

// Small fills are flattened together, since of each alone the vectors would be filled to a third: the fewest have
// SMALL_SEGMENTS, and none is worth to be sorted or to look for a tighter box than its points have.
#define SMALL_DRAWS 32
#define SMALL_SEGMENTS 64
#define SMALL_SIDE 32

static bool is_simple(const k_draw *draw) {
  return draw->op == K_DRAW_FILL && !(draw->flags & (K_DRAW_GLYPHS | K_DRAW_CUT | K_DRAW_FAR)) &&
         draw->segment_count <= SMALL_SEGMENTS && draw->x1 - draw->x0 <= SMALL_SIDE &&
         draw->y1 - draw->y0 <= SMALL_SIDE;
}

// Returns how many draws are small from this one on, up to a limit.
static uint32_t count_small(const k_draw *draws, uint32_t limit) {
  uint32_t count = 0;
  if (limit > SMALL_DRAWS) limit = SMALL_DRAWS;
  while (count < limit && is_simple(&draws[count])) count++;
  return count;
}

static bool flatten_small(sj_frame *frame, uint32_t chunk_index, uint32_t first, uint32_t count, sj_spender *spender) {
  sj_chunk *chunk = &frame->chunks.data[chunk_index];
  sj_lines *lines = &chunk->lines;
  const k_draw *draws = &frame->scene->draws.data[first];
  size_t ends[SMALL_DRAWS], start = lines->count, kept = start;
  frame->kernels->flatten_fills(frame->scene, draws, count, lines, ends);
  if (lines->failed || !sj_spend(spender, (lines->count - start) * SJ_WORK_LINE)) return false;
  for (uint32_t i = 0; i < count; start = ends[i++]) {
    sj_shape *shape = &frame->shapes.data[first + i - frame->batch_first];
    begin_shape(shape, &draws[i], chunk_index);
    shape->first = start;
    shape->count = ends[i] - start;
    if (has_too_many(frame, first + i, shape)) continue;
    chunk->painted += sj_box_pixels(&draws[i]);
    shape->small = is_small(&draws[i], shape);
    if (!shape->count)
      drop_lines(&draws[i], shape);
    else if (!become_rectangle(&draws[i], lines, shape, false))
      kept = ends[i];
  }
  lines->count = kept;
  return true;
}

void sj_flatten_chunk(void *user, uint32_t index, int thread) {
  sj_frame *frame = user;
  sj_chunk *chunk = &frame->chunks.data[index];
  chunk->lines.count = chunk->starts.count = 0;
  chunk->painted = 0;
  // All memory is taken at once: growing in steps would touch twice as much, and a new process pays for each page that
  // it touches first.
  if (!sj_lines_reserve(&chunk->lines, chunk->expected_lines)) return;
  sj_spender spender = {.budget = frame->scene->budget};
  size_t counted = 0, most = frame->limit_lines ? 2 * frame->limit_lines : MAX_LINES;
  for (uint32_t i = chunk->first_draw, small; i < chunk->end_draw; i += small ? small : 1) {
    small = count_small(&frame->scene->draws.data[i], chunk->end_draw - i);
    if (!(small ? flatten_small(frame, index, i, small, &spender)
                : flatten_draw(frame, index, i, &frame->workers[thread], &spender))) {
      chunk->lines.failed = true;
      return;
    }
    if (chunk->lines.count - counted < (frame->limit_lines ? 1 : SJ_COUNT_LINES)) continue;
    size_t made = chunk->lines.count - counted;
    counted = chunk->lines.count;
    if (atomic_fetch_add_explicit(&frame->lines_made, made, memory_order_relaxed) + made > most)
      atomic_store_explicit(&frame->overflow, true, memory_order_relaxed);
    if (atomic_load_explicit(&frame->overflow, memory_order_relaxed) && frame->batch_end - frame->batch_first > 1)
      return;
  }
  if (!sj_budget_check(spender.budget, spender.work)) chunk->lines.failed = true;
}

// Returns how many lines a draw's path becomes, about. The scene's guess has as many lines for a small curve as for a
// large one; where the size of the path is known, most have fewer. A quarter of a circle of radius r becomes sqrt(3.4
// r) chords (k_chords); other curves of a path are smaller than it about as often as they bend more.
static uint32_t guess_center_lines(const k_draw *draw) {
  if (draw->flags & (K_DRAW_GLYPHS | K_DRAW_CUT | K_DRAW_FAR) || draw->lines <= draw->segment_count) return draw->lines;
  // The root of twice the side, from 2 to the scene's guess.
  int side = k_min(k_min(draw->x1 - draw->x0, draw->y1 - draw->y0), SJ_CURVE_LINES * SJ_CURVE_LINES / 2);
  int root = (int)sqrtf((float)(2 * side)), whole = root + (root * root < 2 * side);
  uint32_t chords = (uint32_t)k_max(whole, 2);
  uint32_t curves = (draw->lines - draw->segment_count) / (SJ_CURVE_LINES - 1);
  return draw->lines - curves * (SJ_CURVE_LINES - chords);
}

// Guesses how many lines a draw has. A stroke has two sides, and joins of up to four lines, or of more where they are
// round.
uint32_t sj_guess_lines(const k_draw *draw) {
  uint64_t lines = guess_center_lines(draw);
  if (draw->op == K_DRAW_STROKE && !(draw->flags & K_DRAW_CUT)) lines = 2 * lines + 4 * (uint64_t)draw->segment_count;
  return (uint32_t)k_min(lines, UINT32_MAX / 2);
}

size_t sj_draw_weight(const k_draw *draw) {
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

static void add_chunk(sj_frame *frame, uint32_t first, uint32_t end, uint64_t lines) {
  sj_chunk *chunk = &frame->chunks.data[frame->chunks.count++];
  chunk->lines.failed = false;
  chunk->first_draw = first;
  chunk->end_draw = end;
  chunk->expected_lines = lines < SJ_BATCH_LINES ? (size_t)lines : SJ_BATCH_LINES;
}

// Makes chunks of about equal weight. Draws are looked at only where there are to be several chunks: 100,000 small
// draws take 0.97 of the time so.
static bool share_draws(sj_frame *frame, size_t wanted) {
  const k_draw *draws = frame->scene->draws.data;
  size_t total = 0;
  for (uint32_t i = frame->batch_first; i < frame->batch_end; i++) total += sj_draw_weight(&draws[i]);
  size_t each = total / wanted + 1;
  if (each < 512) each = 512;
  if (!sj_reserve_chunks(frame, wanted + 1)) return false;
  for (uint32_t i = frame->batch_first; i < frame->batch_end;) {
    uint32_t first = i;
    uint64_t lines = 0;
    for (size_t weight = 0; i < frame->batch_end && weight < each; i++) {
      weight += sj_draw_weight(&draws[i]);
      lines += sj_guess_lines(&draws[i]);
    }
    add_chunk(frame, first, i, lines);
  }
  return true;
}

bool sj_make_chunks(sj_frame *frame) {
  if (frame->parallel) {
    if (!share_draws(frame, (size_t)sj_pool_threads(frame->pool) * 8)) return false;
  } else {
    if (!sj_reserve_chunks(frame, 1)) return false;
    if (frame->batch_first < frame->batch_end)
      add_chunk(frame, frame->batch_first, frame->batch_end, frame->batch_guess);
  }
  return frame->first_lines || share_lines(frame);
}
