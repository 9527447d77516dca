// How often a draw may wind around a pixel at most: where that is more than sums of 32 bits hold, its sums are long. The
// pixels do not depend on what is said here, as long as it is not too little; the time does.
//
// Within one row of pixels a draw's lines, or those of a part of it, go up and down equally often at each height, since
// they close. So no sum is more windings than half as many as lines cross a height.
// - A line crosses a height once. One that is cut at the sides of the guard band becomes three, of which the middle one may
//   end a rounding beyond its end: twice.
// - A curve of a fill crosses it three times, and more often only where its points lie so close that they are off by
//   rounding: three times still in 3 million curves with double and triple roots within the guard band, 84 times in those
//   with control points 10^7 pixels away.
// - A stroked line has two sides; at each end three lines of a corner's outside and two of its inside, or of a cap.
// - A stroked curve has more lines a chord, but all are wound one way, so that what counts is how many chords have the
//   pixel beside them: all of those around the centre of a bend that is tighter than the pen is wide. A curve turns by
//   2 pi at most, which takes so many times arc_density chords. Found in 100,000 curves, most of them with such bends:
//   2.2 + 4.4 * arc_density at most.
#ifndef SJ_GPU_WINDINGS_H
#define SJ_GPU_WINDINGS_H

#include "kernel/pen.h"
#include "kernel/scene.h"

// `pen`: of a stroke.
static inline uint64_t sj_windings_of(const k_draw *draw, const k_pen *pen) {
  bool curved = draw->lines != draw->segment_count, far = draw->flags & K_DRAW_FAR;
  uint64_t segments = draw->segment_count;
  if (draw->op != K_DRAW_STROKE) return curved ? segments * (far ? 256 : 4) : far ? segments : (segments + 1) / 2;
  if (!curved) return segments * (far ? 12 : 6);
  return segments * ((far ? 256 : 8) + (uint64_t)(16.0f * pen->arc_density));
}

#endif
