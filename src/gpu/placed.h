// What an encoded draw takes of the stages: tiles, words, sums. For the host, which writes the records of draws, and
// for shaders/encode.comp, which writes the same.
#ifndef SJ_GPU_PLACED_H
#define SJ_GPU_PLACED_H

#include "gpu/layout.h"
#include "kernel/scene.h"

// Returns the tiles of the region that a box of pixels touches.
K_FN k_pixels g_tiles_of(k_pixels box, int region_x, int region_y) {
  k_pixels t;
  t.x0 = (box.x0 - region_x) >> G_TILE_SHIFT;
  t.y0 = (box.y0 - region_y) >> G_TILE_SHIFT;
  t.x1 = (box.x1 - region_x + G_TILE - 1) >> G_TILE_SHIFT;
  t.y1 = (box.y1 - region_y + G_TILE - 1) >> G_TILE_SHIFT;
  return t;
}

// Returns how many g_word each of a path's tile rows has.
K_FN uint g_words_across(k_pixels tiles) { return k_uint(tiles.x1 - tiles.x0 + 31) / 32u; }

// Returns whether a draw may be for the stage of small fills, wherever it is; `flags` are K_DRAW_*.
K_FN bool g_may_be_small(uint op, uint flags, uint segments, uint lines) {
  return op == K_DRAW_FILL && (flags & (K_DRAW_ALIASED | K_DRAW_GLYPHS)) == 0u && segments != 0u && lines == segments &&
         segments <= G_SMALL_LINES;
}
// Returns whether such a draw is small where it is.
K_FN bool g_is_small_at(uint flags, k_pixels box, k_pixels tiles) {
  return (flags & K_DRAW_FAR) == 0u && tiles.x1 - tiles.x0 <= G_SMALL_TILES && tiles.y1 - tiles.y0 <= G_SMALL_TILES &&
         g_small_pitch(box.x1 - box.x0) * (box.y1 - box.y0) <= G_SMALL_PIXELS;
}

// Returns how often each segment of a draw may wind around a pixel (gpu/windings.h tells why); 0 stands for two of them
// once. `bend` is what a curved stroke's pen adds.
K_FN uint g_windings_each(bool stroke, bool curved, bool far, uint bend) {
  if (!stroke) return curved ? (far ? 256u : 4u) : far ? 1u : 0u;
  return curved ? (far ? 256u : 8u) + bend : far ? 12u : 6u;
}
// Returns whether this many segments may wind around a pixel more often than `most` times.
K_FN bool g_winds_often(uint segments, uint each, uint most) {
  return each == 0u ? segments / 2u + (segments & 1u) > most : segments > most / each;
}

#endif
