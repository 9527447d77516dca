// A merge sort: its time is bounded by n log n even for hostile input, unlike that of some qsorts.
#ifndef SJ_BASE_SORT_H
#define SJ_BASE_SORT_H

#include "base/context.h"

// Sorts `count` elements of `size` bytes (at most 64); equal ones keep their order. `compare` is that of qsort. Returns
// false when memory is short, and the elements are in an unspecified order. Up to 8 elements need no memory.
bool sj_sort(stijl_context *context, void *data, size_t count, size_t size, int (*compare)(const void *, const void *));

#endif
