// Adds any number of lines to the sums of a draw, also more than 32 bits can count.
#ifndef SJ_CPU_SUMS_H
#define SJ_CPU_SUMS_H

#include "base/budget.h"
#include "cpu/kernels.h"
#include "kernel/coverage.h"

// Working memory of one thread, for draws whose sums might overflow 32 bits. All zero between draws.
typedef struct sj_long_sums {
  stijl_context *context;
  stijl_budget *budget;  // of the frame, or NULL
  k_long *sums;          // as many as the cells have
  size_t sum_count;
  uint32_t *row_lines;  // for each row, how many lines begin in it; then for each, how many end in it
  size_t row_count;     // one more than there are rows
} sj_long_sums;

// Does what kernels->cover does, for draws without anti-aliasing. There is only this one for all instruction sets,
// since a line adds a single number to a row.
void sj_cover_aliased(const sj_cells *cells, stijl_irect box, int x, int y, const sj_lines *lines, size_t first,
                      size_t count);

typedef void (*sj_cover)(const sj_cells *cells, stijl_irect box, int x, int y, const sj_lines *lines, size_t first,
                         size_t count);

// Adds lines to the cells, and then moves what they have to sums of 64 bits, of which there are as many as cells. The
// cells are left zero, but their blocks are touched.
void sj_gather_lines(stijl_budget *budget, sj_cover cover, const sj_cells *cells, stijl_irect box, int x, int y,
                     const sj_lines *lines, size_t first, size_t count, k_long *totals);
// Does the reverse: the cells get sums of 32 bits with the same coverage. The totals are left zero.
void sj_take_gathered(const sj_cells *cells, stijl_irect box, bool evenodd, k_long *totals);

// Does what sj_add_lines does, for more than K_SUM_LINES lines.
bool sj_add_many_lines(sj_long_sums *scratch, sj_cover cover, const sj_cells *cells, stijl_irect box, int x, int y,
                       const sj_lines *lines, size_t first, size_t count, bool evenodd);

// Does what `cover` does, for any number of lines. The cells then have sums of 32 bits with the right coverage. Returns
// false when memory is out; then the cells are as they were.
static inline bool sj_add_lines(sj_long_sums *scratch, sj_cover cover, const sj_cells *cells, stijl_irect box, int x,
                                int y, const sj_lines *lines, size_t first, size_t count, bool evenodd) {
  if (count > K_SUM_LINES) return sj_add_many_lines(scratch, cover, cells, box, x, y, lines, first, count, evenodd);
  cover(cells, box, x, y, lines, first, count);
  return true;
}

void sj_long_sums_finish(sj_long_sums *scratch);

#endif
