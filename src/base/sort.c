#include "base/sort.h"

#include <string.h>

// Runs of this many elements are sorted by insertion, and then merged.
#define RUN ((size_t)8)
#define MAX_ELEMENT 64  // bytes

static void insert(char *data, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char element[MAX_ELEMENT];
  for (size_t i = 1; i < count; i++) {
    size_t j = i;
    while (j > 0 && compare(data + (j - 1) * size, data + i * size) > 0) j--;
    if (j == i) continue;
    memcpy(element, data + i * size, size);
    memmove(data + (j + 1) * size, data + j * size, (i - j) * size);
    memcpy(data + j * size, element, size);
  }
}

bool sj_sort(stijl_context *context, void *data, size_t count, size_t size,
             int (*compare)(const void *, const void *)) {
  if (size > MAX_ELEMENT) return false;
  char *from = data;
  for (size_t start = 0; start < count; start += RUN)
    insert(from + start * size, count - start < RUN ? count - start : RUN, size, compare);
  if (count <= RUN) return true;
  char *other = sj_alloc_array(context, count, size), *to = other;
  if (!other) return false;
  // Each pass merges pairs of sorted runs of `width` elements from one array into the other.
  for (size_t width = RUN; width < count; width *= 2) {
    char *out = to;
    for (size_t start = 0; start < count; start += 2 * width) {
      size_t i = start, middle = count - start > width ? start + width : count;
      size_t j = middle, end = count - middle > width ? middle + width : count;
      while (i < middle || j < end) {
        bool left = j == end || (i < middle && compare(from + i * size, from + j * size) <= 0);
        memcpy(out, from + (left ? i++ : j++) * size, size);
        out += size;
      }
    }
    char *swap = from;
    from = to;
    to = swap;
  }
  if (from == other) memcpy(data, other, count * size);
  sj_free(context, other);
  return true;
}
