#include "cpu/place.h"

// A target whose rows do not begin where vectors do is painted in memory of its own, if this many times its pixels are
// painted: otherwise each load and store of pixels touches two cache lines. 100 large stars take 0.91 of the time so,
// an image drawn once 1.3 times as long.
#define OFTEN 16
// Boxes with fewer pixels count as painted wholly.
#define LARGE_BOX (64 * 64)

static uint64_t pixels_of(const sj_frame *frame) {
  return (uint64_t)(frame->region.y1 - frame->region.y0) * frame->stride;
}

// Returns whether the boxes of the pass's draws have this many pixels together.
static bool has_area(const sj_frame *frame, uint64_t pixels) {
  uint64_t area = 0;
  for (uint32_t i = frame->pass->first; i < frame->pass->end && area < pixels; i++)
    area += sj_box_pixels(&frame->scene->draws.data[i]);
  return area >= pixels;
}

void sj_begin_place(sj_frame *frame) {
  const stijl_target *target = &frame->target;
  size_t width = (size_t)(frame->region.x1 - frame->region.x0), vector = frame->kernels->vector_bytes;
  uintptr_t begins = (uintptr_t)target->pixels | target->stride;
  bool large = k_max(pixels_of(frame), frame->part_of) * sizeof(uint32_t) >= frame->stream_from;
  frame->streams = large && !frame->keep && !frame->reads && frame->kernels->stream &&
                   stijl_format_bytes(target->format) == sizeof(uint32_t);
  frame->direct = !frame->streams && target->format == STIJL_FORMAT_RGBA8 && width % SJ_BLOCK == 0 &&
                  begins % sizeof(uint32_t) == 0;
  frame->measures = frame->direct && begins % vector != 0 && !frame->keep && has_area(frame, OFTEN * pixels_of(frame));
}

void sj_choose_place(sj_frame *frame) {
  if (!frame->measures) return;
  uint64_t painted = 0;
  for (size_t i = 0; i < frame->chunks.count; i++) painted += frame->chunks.data[i].painted;
  frame->direct = painted < OFTEN * pixels_of(frame);
}

// Returns the area between lines and the right side of the box, where lines that were left out add nothing. Thin
// strokes have large boxes of which they fill little.
static uint64_t area_of(const sj_lines *lines, size_t first, stijl_irect box) {
  int x0 = box.x0 * K_SUBPIXELS, y0 = box.y0 * K_SUBPIXELS, x1 = box.x1 * K_SUBPIXELS, y1 = box.y1 * K_SUBPIXELS;
  int64_t sum = 0;
  for (size_t i = first; i < lines->count; i++) {
    int height = k_max(y0, k_min(y1, lines->y1[i])) - k_max(y0, k_min(y1, lines->y0[i]));
    int middle = lines->x0[i] / 2 + lines->x1[i] / 2;
    sum += (int64_t)height * (x1 - k_max(x0, k_min(x1, middle)));
  }
  return (uint64_t)(sum < 0 ? -sum : sum) / (K_SUBPIXELS * K_SUBPIXELS);
}

uint64_t sj_painted(const sj_frame *frame, const sj_lines *lines, size_t first, stijl_irect box) {
  uint64_t pixels = (uint64_t)(box.x1 - box.x0) * (uint64_t)(box.y1 - box.y0);
  if (!frame->measures || pixels < LARGE_BOX) return pixels;
  return k_min(area_of(lines, first, box), pixels);
}
