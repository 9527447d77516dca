#include "cpu/hidden.h"

#include <string.h>

#include "kernel/coverage.h"

#define TILE_ROWS 16
#define MAX_PARTS 16            // of a draw; if there were more it is cut to their box
#define MAX_LINES_FOR_PARTS 16  // of a draw with more parts than one, since each part goes through all lines
// When the list has this many parts, all draws that are not in it yet are painted whole.
#define MAX_LISTED_PARTS (1u << 16)

typedef struct {
  sj_worker *worker;
  stijl_irect band;  // in canvas pixels
  int shift;         // a tile has 2^shift columns: so many that there are at most 64 in a row
  int rows;          // of tiles
  uint64_t *hidden;  // of the level at work: a word for each row of tiles, a bit for each tile
} finder;

static uint64_t first_tiles(int count) { return count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1; }

// Returns a bit for each of the tiles from..end - 1 of a row.
static uint64_t tile_range(int from, int end) { return from < end ? first_tiles(end) & ~first_tiles(from) : 0; }

static stijl_irect to_band(const finder *f, stijl_irect box) {
  box = sj_irect_intersect(box, f->band);
  return (stijl_irect){box.x0 - f->band.x0, box.y0 - f->band.y0, box.x1 - f->band.x0, box.y1 - f->band.y0};
}

static bool add_part(finder *f, uint32_t draw, stijl_irect box) {
  return sj_array_push(f->worker->context, &f->worker->parts, (sj_seen_part){draw, box});
}

// Lists the parts of a draw that are seen, unless all of it is; where none is, one that is empty. Returns false when
// memory is out.
static bool list_parts(finder *f, uint32_t draw, stijl_irect box, size_t most) {
  if (sj_irect_is_empty(box)) return true;
  int first = box.y0 / TILE_ROWS, end = (box.y1 - 1) / TILE_ROWS + 1;
  uint64_t tiles = tile_range(box.x0 >> f->shift, ((box.x1 - 1) >> f->shift) + 1), any = 0;
  for (int row = first; row < end; row++) any |= f->hidden[row];
  if (!(any & tiles)) return true;
  size_t start = f->worker->parts.count;
  stijl_irect seen = {0, 0, 0, 0};
  for (int row = first, next; row < end; row = next) {
    uint64_t left = tiles & ~f->hidden[row];
    for (next = row + 1; next < end && (tiles & ~f->hidden[next]) == left; next++) {
    }
    while (left) {
      int from = __builtin_ctzll(left), to = from;
      while (to < 64 && left >> to & 1) to++;
      left &= ~first_tiles(to);
      stijl_irect part =
          sj_irect_intersect(box, (stijl_irect){from << f->shift, row * TILE_ROWS, to << f->shift, next * TILE_ROWS});
      seen = sj_irect_unite(seen, part);
      if (!add_part(f, draw, part)) return false;
    }
  }
  size_t count = f->worker->parts.count - start;
  if (count && count <= most) return true;
  f->worker->parts.count = start;
  return add_part(f, draw, seen);
}

// Notes that the tiles that lie within the box are hidden from now on.
static void hide(finder *f, stijl_irect box) {
  if (sj_irect_is_empty(box)) return;
  int width = f->band.x1 - f->band.x0, height = f->band.y1 - f->band.y0, size = 1 << f->shift;
  // Tiles on the right and the lower side may be cut.
  int end = box.x1 == width ? 64 : box.x1 >> f->shift, last = box.y1 == height ? f->rows : box.y1 / TILE_ROWS;
  uint64_t tiles = tile_range((box.x0 + size - 1) >> f->shift, end);
  for (int row = (box.y0 + TILE_ROWS - 1) / TILE_ROWS; row < last; row++) f->hidden[row] |= tiles;
}

bool sj_find_hidden(const sj_frame *frame, sj_worker *worker, uint32_t index, stijl_irect band) {
  worker->parts.count = 0;
  uint32_t start = frame->band_starts.data[index], end = frame->band_starts.data[index + 1];
  if (frame->band_hiders.data[index] == start) return true;
  finder f = {.worker = worker, .band = band, .shift = 4};
  while ((band.x1 - band.x0 - 1) >> f.shift >= 64) f.shift++;
  f.rows = (band.y1 - band.y0 + TILE_ROWS - 1) / TILE_ROWS;
  size_t bytes = (size_t)f.rows * sizeof *f.hidden, levels = frame->pass->depth + (size_t)1;
  worker->hidden.count = 0;
  if (!sj_array_reserve(worker->context, &worker->hidden, levels * (size_t)f.rows)) return false;
  memset(worker->hidden.data, 0, levels * bytes);
  f.hidden = worker->hidden.data;
  for (size_t i = 0; i < frame->open_end.count; i++)
    if (sj_layer_in_rows(frame, frame->open_end.data[i], band)) f.hidden += f.rows;
  // Behind the last draw that hides any there are but levels to keep count of.
  if (!frame->pass->depth) end = frame->band_hiders.data[index];
  for (uint32_t i = end; i > start;) {
    i--;
    uint32_t number = frame->band_draws.data[i];
    const k_draw *draw = &frame->scene->draws.data[number];
    const sj_shape *shape = &frame->shapes.data[number - frame->batch_first];
    bool lines = shape->starts != SJ_RECTANGLE && shape->count > MAX_LINES_FOR_PARTS;
    if (!list_parts(&f, i, to_band(&f, shape->box), lines ? 1 : MAX_PARTS)) return false;
    if (worker->parts.count >= MAX_LISTED_PARTS) return true;
    if (draw->op == K_DRAW_POP) {
      memcpy(f.hidden + f.rows, f.hidden, bytes);
      f.hidden += f.rows;
    } else if (draw->op == K_DRAW_PUSH) {
      f.hidden -= f.rows;
    } else if (shape->hides) {
      hide(&f, to_band(&f, sj_shape_inside(shape)));
    }
  }
  return !sj_begins_clear(frame, index) || list_parts(&f, SJ_CLEAR, to_band(&f, band), MAX_PARTS);
}
