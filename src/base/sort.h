// Sorting that takes n log n whatever the input.
#ifndef SJ_BASE_SORT_H
#define SJ_BASE_SORT_H

#include "base/context.h"

// Stable. `compare` is below, at or above zero as in qsort. False when memory is short, the elements then are in some
// order; few elements take none.
bool sj_sort(stijl_context *context, void *data, size_t count, size_t size, int (*compare)(const void *, const void *));

#endif
