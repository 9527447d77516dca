#include "cpu/lines.h"

#include <string.h>

#include "base/pages.h"
#include "kernel/platform.h"

bool sj_lines_grow(sj_lines *lines, size_t extra) {
  if (lines->failed) return false;
  size_t need = lines->count + extra + SJ_LINES_PAD;
  size_t grown = lines->capacity * 2 > need ? lines->capacity * 2 : need;
  if (grown < 1024) grown = 1024;
  void *memory = NULL;
  int32_t *block = grown < SIZE_MAX / 16 ? sj_alloc_pages(lines->context, grown * 4 * sizeof *block, &memory) : NULL;
  if (!block) {
    lines->failed = true;
    return false;
  }
  int32_t **arrays[4] = {&lines->x0, &lines->y0, &lines->x1, &lines->y1};
  for (int i = 0; i < 4; i++) {
    if (lines->count) memcpy(block + (size_t)i * grown, *arrays[i], lines->count * sizeof *block);
    *arrays[i] = block + (size_t)i * grown;
  }
  sj_free(lines->context, lines->memory);
  lines->memory = memory;
  lines->capacity = grown;
  return true;
}

void sj_lines_finish(sj_lines *lines) {
  sj_free(lines->context, lines->memory);
  *lines = (sj_lines){.context = lines->context};
}

stijl_irect sj_line_box(const sj_lines *lines, size_t first) {
  stijl_irect box = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
  for (size_t i = first; i < lines->count; i++) {
    box.x0 = k_min(box.x0, k_min(lines->x0[i], lines->x1[i]));
    box.y0 = k_min(box.y0, k_min(lines->y0[i], lines->y1[i]));
    box.x1 = k_max(box.x1, k_max(lines->x0[i], lines->x1[i]));
    box.y1 = k_max(box.y1, k_max(lines->y0[i], lines->y1[i]));
  }
  return box;
}
