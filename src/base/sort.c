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

// --- keys ---

// Returns where the run ends that begins at `from`. A run that falls is turned.
static size_t end_run(sj_sort_key *data, size_t from, size_t count) {
  size_t end = from + 1;
  if (end < count && data[end].key < data[from].key) {
    while (end < count && data[end].key < data[end - 1].key) end++;
    for (size_t i = from, k = end - 1; i < k; i++, k--) {
      sj_sort_key swap = data[i];
      data[i] = data[k];
      data[k] = swap;
    }
    return end;
  }
  while (end < count && data[end].key >= data[end - 1].key) end++;
  return end;
}

static void merge(const sj_sort_key *from, size_t middle, size_t end, sj_sort_key *to) {
  for (size_t i = 0, k = middle; i < middle || k < end;)
    *to++ = k == end || (i < middle && from[i].key <= from[k].key) ? from[i++] : from[k++];
}

// Sorts by merging. Each pass merges pairs of runs that follow one another, from one array into the other. Returns
// false when memory is short.
bool sj_sort_keys(stijl_context *context, sj_sort_key *data, size_t count) {
  if (count < 2) return true;
  size_t runs = 0, *ends = sj_alloc_array(context, count, sizeof *ends);
  sj_sort_key *other = sj_alloc_array(context, count, sizeof *other), *from = data, *to = other;
  bool good = ends && other;
  for (size_t at = 0; good && at < count; ends[runs++] = at) at = end_run(data, at, count);
  while (good && runs > 1) {
    size_t start = 0, merged = 0;
    for (size_t i = 0; i < runs; i += 2) {
      size_t end = ends[i + 1 < runs ? i + 1 : i];
      merge(from + start, ends[i] - start, end - start, to + start);
      ends[merged++] = start = end;
    }
    runs = merged;
    sj_sort_key *swap = from;
    from = to;
    to = swap;
  }
  if (good && from == other) memcpy(data, other, count * sizeof *data);
  sj_free(context, other);
  sj_free(context, ends);
  return good;
}
