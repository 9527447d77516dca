// Growing arrays of plain values: SJ_ARRAY(int) a = {0}; sj_array_push(context, &a, 7); sj_array_finish(context, &a).
#ifndef SJ_BASE_ARRAY_H
#define SJ_BASE_ARRAY_H

#include <stdint.h>

#include "base/context.h"

#define SJ_ARRAY(type) \
  struct {             \
    type *data;        \
    size_t count, capacity; \
  }

// The block enlarged to hold at least `need` elements, *capacity updated; NULL on failure, with nothing changed.
void *sj_array_grow(stijl_context *context, void *data, size_t *capacity, size_t element, size_t need);

// True when `extra` more elements fit (memory was there).
#define sj_array_reserve(context, a, extra)                                                          \
  ((a)->capacity - (a)->count >= (size_t)(extra) ||                                                  \
   sj_array_store_((void *)&(a)->data, sizeof (a)->data,                                             \
                   sj_array_grow(context, (a)->data, &(a)->capacity, sizeof *(a)->data,              \
                                 (size_t)(extra) > SIZE_MAX - (a)->count ? SIZE_MAX : (a)->count + (size_t)(extra))))

// True when the value was appended.
#define sj_array_push(context, a, ...) \
  (sj_array_reserve(context, a, 1) && ((a)->data[(a)->count++] = __VA_ARGS__, true))

// The address of element `at`, which may be one past the last. NULL for an array without memory: C does not allow to
// add even 0 to a NULL pointer.
#define sj_array_at(a, at) ((a)->data ? (a)->data + (at) : NULL)

#define sj_array_finish(context, a)     \
  do {                                  \
    sj_free(context, (a)->data);        \
    (a)->data = NULL;                   \
    (a)->count = (a)->capacity = 0;     \
  } while (0)

// Writes a pointer through memcpy, so that pointers of any type may be stored without breaking aliasing rules.
bool sj_array_store_(void *slot, size_t bytes, void *pointer);

#endif
