// A merge sort: its time is bounded by n log n even for hostile input, unlike that of some qsorts.
#ifndef SJ_BASE_SORT_H
#define SJ_BASE_SORT_H

#include "base/context.h"

// Sorts `count` elements of `size` bytes (at most 64); equal ones keep their order. `compare` is that of qsort. Returns
// false when memory is short, and the elements are in an unspecified order. Up to 8 elements need no memory.
bool sj_sort(stijl_context *context, void *data, size_t count, size_t size, int (*compare)(const void *, const void *));

// A number that stands for something.
typedef struct sj_sort_key {
  uint64_t key;
  uint32_t value;
} sj_sort_key;

// Sorts by the keys; equal ones keep their order. What is in order for the most part, or backwards, takes less time.
// Returns false when memory is short, and the elements are in an unspecified order.
bool sj_sort_keys(stijl_context *context, sj_sort_key *data, size_t count);

#endif
