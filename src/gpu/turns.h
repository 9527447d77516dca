// Bounds of the turns (passes through loop bodies) that shaders take, from which follows how much a workgroup may get
// to do so that it stays below SJ_VK_MAX_TURNS (vulkan/commands.h). Stages that are not here stay below it because of
// constants of layout.h:
// - small takes at most 15,000: a box in 5 parts, in each of them 4 lines a lane through at most 512 pixels, then 16
//   rows of 128 pixels;
// - resolve takes at most 1,000: the 4096 tiles of a draw's row shared by 16 lanes, then the row's words and bins;
// - transfer takes 4;
// - flatten notices when a loop has been ended before its end (layout.h, g_needs.shares), since the lines of a
// segment's
//   stroke, and the tiles that they cross, cannot be counted beforehand;
// - matching of selectors (css_*.comp) counts its turns, or works in parts (css/layout.h).
#ifndef SJ_GPU_TURNS_H
#define SJ_GPU_TURNS_H

#include "gpu/layout.h"
#include "kernel/paint.h"
#include "kernel/scene.h"

// --- Coarse and fine: a bin's draws, all of which may be in each of its tiles ---

// Turns for a draw of one colour: coarse takes 2.5 to 4 (a lane goes through the 32 tiles for some of the draws, and
// where there are layers one lane goes through all draws), and fine 2.5.
#define SJ_TURNS_DRAW 4u

// Turns for a draw in a bin. `paint` is NULL where the draw has one colour. `chunk`: how many pixels a lane of fine
// has.
static inline uint32_t sj_turns_of(const k_paint *paint, uint32_t chunk) {
  if (!paint) return SJ_TURNS_DRAW;
  uint32_t pixel = paint->kind == K_PAINT_IMAGE && paint->sampling == K_SAMPLING_BICUBIC ? 25 : 1;
  return SJ_TURNS_DRAW + pixel * chunk;
}

// --- Rank: rows of draws ---

// Returns how many rows of tiles a workgroup of rank may get: a power of two, at most `most`. `tiles`: how many tiles a
// row of the region has.
static inline uint32_t sj_rows_for_turns(uint32_t most, uint32_t tiles, uint32_t turns) {
  // A lane goes through the words of its row. Then the lanes share the tiles of all rows: for each they search its row,
  // and go through that row's words.
  uint64_t words = (tiles + 31) / 32;
  while (most > 1 && 4 * words + tiles / 8 + 30 + ((uint64_t)most * tiles / G_RANK_GROUP + 1) * (8 + words) > turns)
    most /= 2;
  return most;
}

// --- Cover: edges ---

// Returns how many edges a workgroup of cover may get: a power of two, at most `most`. `width` and `height` are the
// region's, in pixels. For each of its units a lane searches the edge, and goes through the unit's columns; it counts
// the strips of one edge.
static inline uint32_t sj_edges_for_turns(uint32_t most, uint32_t width, uint32_t height, uint32_t turns) {
  // Units have 8 columns. An edge has at most three times the region's width of columns in all rows together, and in
  // each row a unit that is not full.
  uint64_t units = 3 * (uint64_t)width / 8 + 9 * (uint64_t)height / 8 + 8, strips = (height >> G_STRIP_SHIFT) + 1;
  while (most > 1 && ((uint64_t)most * units / G_COVER_GROUP + 1) * 20 + strips > turns) most /= 2;
  return most;
}

#endif
