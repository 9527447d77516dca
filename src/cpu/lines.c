#include "cpu/lines.h"

#include <string.h>

bool sj_lines_grow(sj_lines *lines, size_t extra) {
  if (lines->failed) return false;
  size_t need = lines->count + extra + SJ_LINES_PAD;
  size_t grown = lines->capacity * 2 > need ? lines->capacity * 2 : need;
  if (grown < 1024) grown = 1024;
  int32_t *block = grown < SIZE_MAX / 16 ? sj_alloc(lines->context, grown * 4 * sizeof *block) : NULL;
  if (!block) {
    lines->failed = true;
    return false;
  }
  int32_t *old = lines->x0, **arrays[4] = {&lines->x0, &lines->y0, &lines->x1, &lines->y1};
  for (int i = 0; i < 4; i++) {
    if (lines->count) memcpy(block + (size_t)i * grown, *arrays[i], lines->count * sizeof *block);
    *arrays[i] = block + (size_t)i * grown;
  }
  sj_free(lines->context, old);
  lines->capacity = grown;
  return true;
}

void sj_lines_finish(sj_lines *lines) {
  sj_free(lines->context, lines->x0);
  *lines = (sj_lines){.context = lines->context};
}
