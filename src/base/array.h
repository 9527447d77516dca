// Growing arrays of plain values. Use them like this:
//   SJ_ARRAY(int) a = {0};
//   if (!sj_array_push(context, &a, 7)) ...  // memory is short
//   sj_array_finish(context, &a);
#ifndef SJ_BASE_ARRAY_H
#define SJ_BASE_ARRAY_H

#include <stdint.h>

#include "base/context.h"
#include "base/shared.h"

#define SJ_ARRAY(type)      \
  struct {                  \
    type *data;             \
    size_t count, capacity; \
  }

// Enlarges a block so that it holds at least `need` elements of `element` bytes, and updates *capacity. Returns NULL,
// with nothing changed, when memory is short.
SJ_SHARED void *sj_array_grow(stijl_context *context, void *data, size_t *capacity, size_t element, size_t need);

// Makes room for `extra` more elements. The result is false when memory is short.
#define sj_array_reserve(context, a, extra)                                             \
  ((a)->capacity - (a)->count >= (size_t)(extra) ||                                     \
   sj_array_store_((void *)&(a)->data, sizeof(a)->data,                                 \
                   sj_array_grow(context, (a)->data, &(a)->capacity, sizeof *(a)->data, \
                                 (size_t)(extra) > SIZE_MAX - (a)->count ? SIZE_MAX : (a)->count + (size_t)(extra))))

// Appends a value. The result is false when memory is short.
#define sj_array_push(context, a, ...) \
  (sj_array_reserve(context, a, 1) && ((a)->data[(a)->count++] = __VA_ARGS__, true))

// The address of element `at`, which may be one past the last. It is NULL for an array without memory, because C does
// not define adding even 0 to a NULL pointer.
#define sj_array_at(a, at) ((a)->data ? (a)->data + (at) : NULL)

#define sj_array_finish(context, a) \
  do {                              \
    sj_free(context, (a)->data);    \
    (a)->data = NULL;               \
    (a)->count = (a)->capacity = 0; \
  } while (0)

// Frees several arrays: sj_arrays_finish(context, &a, &b). Each argument must be the address of an SJ_ARRAY.
#define sj_arrays_finish(context, ...) sj_arrays_finish_(context, (void *const[]){__VA_ARGS__, NULL})
SJ_SHARED void sj_arrays_finish_(stijl_context *context, void *const *arrays);

// Stores `pointer` in the pointer at `slot`, unless it is NULL; false then. memcpy lets `slot` be a pointer of any type
// without breaking the rules of aliasing.
SJ_SHARED bool sj_array_store_(void *slot, size_t bytes, void *pointer);

#endif
