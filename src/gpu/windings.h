// Bounds how often a draw may wind around a pixel. Where that is more than sums of 32 bits hold, the draw gets sums of
// 64 bits, its long sums, which take more time. A bound that is too high costs that time; one that is too low would
// cost correct pixels.
//
// The lines of a draw close, so at each height equally many go up as down. A sum therefore has at most half as many
// windings as there are lines that cross one height:
// - A line crosses a height once. One that is cut at the sides of the guard band becomes three lines; rounding may move
//   the end of the middle one past the start of the next, so it counts as two.
// - A cubic of a fill crosses a height three times. Its chords do so more often only where its points are so close to
//   one another that rounding changes their order. Tried with 3 million curves with double and triple roots: never more
//   than three within the guard band, up to 84 with control points 10^7 pixels away.
// - A stroked line has two sides. Each of its corners has at most three lines on the outside and two on the inside.
// - A stroked curve has more lines a chord, but they are all wound the same way. So what counts is how many chords have
//   the pixel within the pen's width: all those of a bend that is tighter than the pen is wide, when the pixel is at
//   its centre. A curve turns by at most 2 pi, which takes 2 pi arc_density chords. The most found in 100,000 curves,
//   most of them with such bends, were 2.2 + 4.4 arc_density.
#ifndef SJ_GPU_WINDINGS_H
#define SJ_GPU_WINDINGS_H

#include "gpu/placed.h"
#include "kernel/pen.h"

// Returns what a curved stroke's pen adds to how often each of its segments winds.
static inline uint32_t sj_pen_bend(const k_pen *pen) { return (uint32_t)(16.0f * pen->arc_density); }

// Returns how often a draw may wind around a pixel. What covers a pixel of a glyph run are glyphs whose boxes have it:
// `crowd` of k_run bounds their segments.
//
// `pen` is the stroke's and `run` the glyph run's; NULL for other draws.
static inline uint64_t sj_windings_of(const k_draw *draw, const k_pen *pen, const k_run *run) {
  bool curved = draw->lines != draw->segment_count, far = draw->flags & K_DRAW_FAR, stroke = draw->op == K_DRAW_STROKE;
  uint64_t segments = run && !far ? run->crowd : draw->segment_count;
  uint32_t each = g_windings_each(stroke, curved, far, stroke && curved ? sj_pen_bend(pen) : 0);
  return each ? segments * each : (segments + 1) / 2;
}

#endif
