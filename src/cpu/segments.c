#include "cpu/segments.h"

// How many segments are flattened before the clock may be read and lines are counted. One may become tens of thousands
// of lines.
#define LOOK_SEGMENTS 128

// Flattens a draw's segments. The clock is read now and then, as each segment may become tens of thousands of lines, or
// be one of millions of which none is seen.
bool sj_flatten_segments(const sj_frame *frame, const k_draw *draw, size_t most, sj_lines *lines, bool *past_right) {
  if (draw->segment_count <= LOOK_SEGMENTS) {
    *past_right = frame->kernels->flatten(frame->scene, draw, lines);
    return !lines->failed;
  }
  k_draw piece = *draw;
  *past_right = false;
  size_t passed = 0;  // segments and lines since the clock was read
  size_t first = lines->count;
  for (uint32_t left = draw->segment_count; left && !lines->failed && lines->count - first <= most;
       left -= piece.segment_count) {
    piece.segment_count = k_min(left, LOOK_SEGMENTS);
    size_t before = lines->count;
    *past_right |= frame->kernels->flatten(frame->scene, &piece, lines);
    piece.segment += piece.segment_count;
    passed += piece.segment_count + (lines->count - before);
    if (passed <= SJ_COUNT_LINES) continue;
    if (!sj_budget_look(frame->scene->budget)) return false;
    passed = 0;
  }
  return !lines->failed;
}
