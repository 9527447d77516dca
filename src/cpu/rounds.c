#include "cpu/rounds.h"

#include <string.h>

#include "base/clock.h"
#include "base/pages.h"
#include "cpu/band.h"
#include "cpu/flatten.h"
#include "cpu/glyphs.h"
#include "cpu/segments.h"

#define ROUND_LINES (1u << 20)  // of all threads together
#define STEP 64                 // segments or glyphs between two looks at how many lines there are
#define SUM_BYTES ((size_t)64 << 20)
#define CHUNKS_A_THREAD 4

static void flatten_part(void *user, uint32_t index, int thread) {
  sj_frame *frame = user;
  sj_worker *worker = &frame->workers[thread];
  sj_chunk *chunk = &frame->chunks.data[index];
  sj_lines *lines = &chunk->lines;
  lines->count = chunk->starts.count = 0;
  sj_band_range bands = {(int)frame->rounds.first, (int)(frame->rounds.end - frame->rounds.first), frame->band_shift,
                         frame->region.y0 + ((int)frame->rounds.first << frame->band_shift)};
  k_draw draw = frame->scene->draws.data[frame->batch_first];
  draw.y0 = k_max(draw.y0, bands.top);
  draw.y1 = k_min(draw.y1, bands.top + (bands.count << bands.shift));
  draw.flags |= K_DRAW_CUT;
  if (draw.y0 >= draw.y1) chunk->next = chunk->end;
  size_t most = k_min(ROUND_LINES, sj_most_lines(frame)) / frame->chunks.count, looked = 0, passed = 0;
  bool good = sj_lines_reserve(lines, 1);
  while (good && chunk->next < chunk->end && lines->count <= most) {
    uint32_t count = k_min(chunk->end - chunk->next, STEP);
    bool past_right;
    stijl_irect box;
    if (draw.flags & K_DRAW_GLYPHS) {
      k_run run = *sj_run_of(frame->scene, &draw);
      run.instance += chunk->next;
      run.instance_count = count;
      good = sj_flatten_glyphs(frame, worker, &run, (draw.flags & K_DRAW_FAR) != 0, SIZE_MAX, lines, &box);
    } else {
      k_draw piece = draw;
      piece.segment += chunk->next;
      piece.segment_count = count;
      good = sj_flatten_segments(frame, &piece, SIZE_MAX, lines, &past_right);
    }
    chunk->next += count;
    passed += count;
    if (passed + lines->count - looked < 1u << 16) continue;
    good = good && sj_budget_look(frame->scene->budget);
    looked = lines->count;
    passed = 0;
  }
  chunk->part = (sj_shape){.count = lines->count};
  good = good && sj_budget_check(frame->scene->budget, lines->count * SJ_WORK_LINE) &&
         sj_sort_lines(frame, chunk, &chunk->part, &bands, &worker->sorted);
  if (!good) lines->failed = true;
}

static void gather_band(void *user, uint32_t index, int thread) {
  sj_frame *frame = user;
  sj_worker *worker = &frame->workers[thread];
  if (!sj_gather_band(frame, frame->rounds.first + index, worker)) worker->failed = true;
}

static void paint_band(void *user, uint32_t index, int thread) {
  sj_frame *frame = user;
  sj_worker *worker = &frame->workers[thread];
  if (!sj_paint_band(frame, frame->rounds.first + index, worker)) worker->failed = true;
}

static bool any_worker_failed(const sj_frame *frame) {
  for (int i = 0; i < sj_pool_threads(frame->pool); i++)
    if (frame->workers[i].failed) return true;
  return false;
}

// Gives the chunks equal parts of the draw's segments or glyphs.
static bool share(sj_frame *frame) {
  size_t count = frame->parallel ? (size_t)sj_pool_threads(frame->pool) * CHUNKS_A_THREAD : 1;
  if (!sj_reserve_chunks(frame, count)) return false;
  const k_draw *draw = &frame->scene->draws.data[frame->batch_first];
  uint64_t all = draw->flags & K_DRAW_GLYPHS ? sj_run_of(frame->scene, draw)->instance_count : draw->segment_count;
  for (uint64_t i = 0; i < count; i++) {
    sj_chunk *chunk = &frame->chunks.data[frame->chunks.count++];
    chunk->lines.failed = false;
    chunk->next = (uint32_t)(all * i / count);
    chunk->end = (uint32_t)(all * (i + 1) / count);
  }
  return true;
}

// Flattens and adds the lines of one round. Returns false when it failed.
static bool round_of(sj_frame *frame, bool *more) {
  double start = sj_now_ms();
  sj_frame_run(frame, frame->chunks.count, flatten_part);
  frame->flatten_ms += sj_now_ms() - start;
  *more = false;
  for (size_t i = 0; i < frame->chunks.count; i++) {
    const sj_chunk *chunk = &frame->chunks.data[i];
    if (chunk->lines.failed) return false;
    frame->lines += chunk->lines.count;
    *more = *more || chunk->next < chunk->end;
  }
  sj_frame_run(frame, frame->rounds.end - frame->rounds.first, gather_band);
  return !any_worker_failed(frame);
}

static bool paint(sj_frame *frame) {
  sj_rounds *rounds = &frame->rounds;
  size_t stride = sj_cell_stride(frame->stride), row_bytes = stride * sizeof *rounds->sums + sj_touched_stride(stride);
  size_t band_bytes = row_bytes * (size_t)frame->band_rows, bands = (size_t)frame->bands;
  size_t at_once = k_min(bands, SUM_BYTES / band_bytes + 1);
  void *memory;
  rounds->sums = sj_alloc_pages(frame->context, at_once * band_bytes, &memory);
  if (!rounds->sums) return false;
  rounds->touched = (uint8_t *)(rounds->sums + at_once * (size_t)frame->band_rows * stride);
  bool good = true;
  for (size_t first = 0; good && first < bands; first += at_once) {
    rounds->first = (uint32_t)first;
    rounds->end = (uint32_t)k_min(first + at_once, bands);
    memset(rounds->sums, 0, at_once * band_bytes);
    good = share(frame);
    for (bool more = true; good && more;) good = round_of(frame, &more);
    if (good) sj_frame_run(frame, rounds->end - rounds->first, paint_band);
    good = good && !any_worker_failed(frame);
  }
  sj_free(frame->context, memory);
  return good;
}

bool sj_paint_in_rounds(sj_frame *frame) {
  frame->rounds.active = true;
  for (int i = 0; i < sj_pool_threads(frame->pool); i++) sj_forget_glyphs(&frame->workers[i]);
  bool good = paint(frame);
  frame->rounds = (sj_rounds){0};
  return good;
}
