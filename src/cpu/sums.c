// Draws whose sums might overflow 32 bits: K_SUM_LINES lines at a time are added in the usual way, and their sums are
// then moved to sums of 64 bits. In the end these are replaced by sums of 32 bits that give the same coverage. So all
// other code knows 32 bits only, and ordinary draws pay for no more than the comparison of a count.
#include "cpu/sums.h"

#include "cpu/cells.h"

#include <string.h>

void sj_long_sums_finish(sj_long_sums *scratch) {
  sj_free(scratch->context, scratch->sums);
  sj_free(scratch->context, scratch->row_lines);
  *scratch = (sj_long_sums){.context = scratch->context, .budget = scratch->budget};
}

void sj_cover_aliased(const sj_cells *cells, stijl_irect box, int x, int y, const sj_lines *lines, size_t first,
                      size_t count) {
  int ox = x * K_SUBPIXELS, oy = y * K_SUBPIXELS;
  for (size_t i = first; i < first + count; i++) {
    if (lines->y0[i] == lines->y1[i]) continue;
    k_edge edge = k_edge_make(lines->x0[i] - ox, lines->y0[i] - oy, lines->x1[i] - ox, lines->y1[i] - oy);
    int end = k_min(k_beyond(edge.y1), box.y1);
    for (int row = k_max(k_beyond(edge.y0), box.y0); row < end; row++) sj_add_step(cells, box, edge, row);
  }
}

// Makes room to count the lines of this many rows.
static bool reserve_rows(sj_long_sums *scratch, size_t rows) {
  if (rows < scratch->row_count) return true;
  size_t count = 2 * (rows + 1);
  sj_free(scratch->context, scratch->row_lines);
  scratch->row_lines = sj_alloc_array(scratch->context, count, sizeof *scratch->row_lines);
  scratch->row_count = scratch->row_lines ? rows + 1 : 0;
  if (scratch->row_lines) memset(scratch->row_lines, 0, count * sizeof *scratch->row_lines);
  return scratch->row_lines != NULL;
}

static bool reserve_sums(sj_long_sums *scratch, size_t count) {
  if (count <= scratch->sum_count) return true;
  sj_free(scratch->context, scratch->sums);
  scratch->sums = sj_alloc_array(scratch->context, count, sizeof *scratch->sums);
  scratch->sum_count = scratch->sums ? count : 0;
  if (scratch->sums) memset(scratch->sums, 0, count * sizeof *scratch->sums);
  return scratch->sums != NULL;
}

// Returns whether more than K_SUM_LINES lines touch any row. As many touch a row as begin in it or above, less those
// that end above.
static bool is_crowded(sj_long_sums *scratch, stijl_irect box, int y, const sj_lines *lines, size_t first,
                       size_t count) {
  enum { AT_ONCE = 256 };
  uint32_t *begins = scratch->row_lines, *ends = begins + scratch->row_count;
  int rows = box.y1 - box.y0, top = (y + box.y0) * K_SUBPIXELS;
  for (size_t i = 0; i < count; i += AT_ONCE) {
    // This loop only computes rows, so that the compiler makes vectors of it. A line above or below all rows begins and
    // ends in the same one, and so counts for none.
    int from[AT_ONCE], to[AT_ONCE], n = (int)k_min(count - i, AT_ONCE);
    const int32_t *y0 = lines->y0 + first + i, *y1 = lines->y1 + first + i;
    for (int k = 0; k < n; k++) {
      int lo = (k_min(y0[k], y1[k]) - top) >> 8, hi = (k_max(y0[k], y1[k]) - top + K_SUBPIXELS - 1) >> 8;
      from[k] = k_max(0, k_min(rows, lo));
      to[k] = k_max(0, k_min(rows, hi));
    }
    for (int k = 0; k < n; k++) {
      begins[from[k]]++;
      ends[to[k]]++;
    }
  }
  uint32_t most = 0, now = 0;
  for (int row = 0; row <= rows; row++) {
    now = now + begins[row] - ends[row];
    most = k_max(most, now);
    begins[row] = ends[row] = 0;
  }
  return most > K_SUM_LINES;
}

// The prefix sum of a row up to the present column, and its shortened form.
typedef struct {
  k_long sum;
  int last;
} running_sum;

static void move_block(int32_t *sums, k_long *totals) {
  for (int i = 0; i < SJ_BLOCK; i++) {
    totals[i] = k_long_add(totals[i], k_long_of(sums[i]));
    sums[i] = 0;
  }
}

static void shorten_block(int32_t *sums, k_long *totals, running_sum *run, bool evenodd) {
  for (int i = 0; i < SJ_BLOCK; i++) {
    run->sum = k_long_add(run->sum, totals[i]);
    totals[i] = (k_long){0, 0};
    int now = k_long_shorten(run->sum, evenodd);
    sums[i] = now - run->last;
    run->last = now;
  }
}

// Adds the cells' sums to the long ones, and clears them; or, with `back`, the reverse: the cells get sums whose prefix
// sums are shortened.
static void move_sums(k_long *totals, const sj_cells *cells, stijl_irect box, bool back, bool evenodd) {
  // Blocks may have been touched up to three columns past the box's last one.
  int first = box.x0 / SJ_BLOCK, last = (box.x1 + 2) / SJ_BLOCK;
  for (int row = box.y0; row < box.y1; row++) {
    const uint8_t *touched = cells->touched + (size_t)row * cells->touched_stride;
    running_sum run = {{0, 0}, 0};
    for (int block = first; block <= last; block++) {
      if (!touched[block]) continue;
      size_t at = (size_t)row * cells->stride + (size_t)block * SJ_BLOCK;
      if (back)
        shorten_block(cells->sums + at, totals + at, &run, evenodd);
      else
        move_block(cells->sums + at, totals + at);
    }
  }
}

void sj_gather_lines(stijl_budget *budget, sj_cover cover, const sj_cells *cells, stijl_irect box, int x, int y,
                     const sj_lines *lines, size_t first, size_t count, k_long *totals) {
  for (size_t end = first + count; first < end && sj_budget_look(budget); first += K_SUM_LINES) {
    cover(cells, box, x, y, lines, first, k_min(end - first, K_SUM_LINES));
    move_sums(totals, cells, box, false, false);
  }
}

void sj_take_gathered(const sj_cells *cells, stijl_irect box, bool evenodd, k_long *totals) {
  move_sums(totals, cells, box, true, evenodd);
}

bool sj_add_many_lines(sj_long_sums *scratch, sj_cover cover, const sj_cells *cells, stijl_irect box, int x, int y,
                       const sj_lines *lines, size_t first, size_t count, bool evenodd) {
  if (!reserve_rows(scratch, (size_t)(box.y1 - box.y0))) return false;
  size_t end = first + count;
  // Lines may each cross the whole width, so the clock is read now and then. When it ends the frame the sums are wrong,
  // and are not painted.
  if (!is_crowded(scratch, box, y, lines, first, count)) {
    for (; first < end && sj_budget_look(scratch->budget); first += K_SUM_LINES)
      cover(cells, box, x, y, lines, first, k_min(end - first, K_SUM_LINES));
    return true;
  }
  if (!reserve_sums(scratch, (size_t)box.y1 * cells->stride)) return false;
  sj_gather_lines(scratch->budget, cover, cells, box, x, y, lines, first, count, scratch->sums);
  sj_take_gathered(cells, box, evenodd, scratch->sums);
  return true;
}
