// How many turns the loops of the shaders take at most, and how much to give a workgroup so that they stay below
// G_MAX_TURNS (layout.h). What is not here is bounded by constants of layout.h:
// - small: 5 parts of a box, in each 4 lines a lane whose rows have 512 pixels, and then 16 rows of 128: 15,000;
// - resolve: a draw's row of tiles, 4096 at most, for 16 lanes, and its words and bins: 1,000;
// - transfer: 4;
// - matching (css_*.comp): it counts what it does, or works in parts (css/layout.h).
#ifndef SJ_GPU_TURNS_H
#define SJ_GPU_TURNS_H

#include "gpu/layout.h"
#include "kernel/flatten.h"
#include "kernel/paint.h"
#include "kernel/pen.h"
#include "kernel/scene.h"

// --- Coarse and fine: a bin's draws, all of which may be in each of its tiles ---

// Coarse takes 2.5 to 4 turns a draw (its lanes 32 tiles for some draws each, and one lane all draws where there are
// layers), fine 2.5 for what it has in registers.
#define SJ_TURNS_DRAW 4u

// `paint`: NULL for one colour. `chunk`: pixels of a lane of fine.
static inline uint32_t sj_turns_of(const k_paint *paint, uint32_t chunk) {
  if (!paint) return SJ_TURNS_DRAW;
  uint32_t pixel = paint->kind == K_PAINT_IMAGE && paint->sampling == K_SAMPLING_BICUBIC ? 25 : 1;
  return SJ_TURNS_DRAW + pixel * chunk;
}

// --- Rank: rows of draws ---

// A power of two, at most `most`. `tiles`: of a row of the region.
static inline uint32_t sj_rows_for_turns(uint32_t most, uint32_t tiles, uint32_t turns) {
  // A lane goes through the words of its row; then the lanes have the rows' tiles, search the row of each, and go
  // through its words.
  uint64_t words = (tiles + 31) / 32;
  while (most > 1 && 4 * words + tiles / 8 + 30 + ((uint64_t)most * tiles / G_RANK_GROUP + 1) * (8 + words) > turns)
    most /= 2;
  return most;
}

// --- Cover: edges ---

// Likewise. A lane searches each of its units, and goes through their columns.
static inline uint32_t sj_edges_for_turns(uint32_t most, uint32_t width, uint32_t height, uint32_t turns) {
  // Runs of 8 columns in as many rows as there are: the columns of all rows together are at most three times the width,
  // and the first and the last run are not full.
  uint64_t units = 3 * (uint64_t)width / 8 + 9 * (uint64_t)height / 8 + 8;
  while (most > 1 && ((uint64_t)most * units / G_COVER_GROUP + 1) * 20 > turns) most /= 2;
  return most;
}

// --- Flatten: segments ---

// Of how many lines a segment of a draw consists at most. Chords grow with the square root of what a curve bends, in
// pixels; within the guard band that is 4 times the band's diagonal at most.
static inline uint32_t sj_lines_of(const k_draw *draw, const k_pen *pen) {
  bool curved = draw->lines != draw->segment_count;
  uint32_t chords = !curved ? 1 : draw->flags & K_DRAW_FAR ? K_MAX_CHORDS : 1700;
  if (draw->op != K_DRAW_STROKE) return chords;
  // Corners: two of half a turn; along a curve, of two turns together, and one a chord.
  float turn = 6.3f * pen->arc_density;
  uint32_t corner = turn < (float)K_MAX_CHORDS ? (uint32_t)turn + 4 : K_MAX_CHORDS;
  if (!curved) return 2 + 2 * corner;
  if (!(draw->flags & K_DRAW_FAR)) chords = 4096;  // what turns adds to them
  return 4 * chords + 2 * corner;
}

// `lines`: of a segment. Where lines may be cut, three lanes make one.
static inline uint32_t sj_segments_for_turns(uint32_t most, uint32_t lines, bool far, uint32_t turns) {
  uint64_t round = far ? G_FLATTEN_GROUP / 6 * 2 : G_FLATTEN_GROUP, rounds = turns / 12;
  uint64_t segments = rounds * round / lines;
  return segments < 1 ? 1 : segments < most ? (uint32_t)segments : most;
}

#endif
