#include "base/array.h"

#include <string.h>

// An array's first block has about so many bytes: there may be as many arrays as elements in a document.
#define FIRST_BYTES 64

void *sj_array_grow(stijl_context *context, void *data, size_t *capacity, size_t element, size_t need) {
  size_t grown = *capacity + *capacity / 2;
  if (grown < need) grown = need;
  if (grown < FIRST_BYTES / element) grown = FIRST_BYTES / element;
  if (grown > PTRDIFF_MAX / element) return NULL;
  void *block = sj_realloc(context, data, grown * element);
  if (block) *capacity = grown;
  return block;
}

bool sj_array_store_(void *slot, size_t bytes, void *pointer) {
  if (!pointer) return false;
  memcpy(slot, &pointer, bytes);
  return true;
}

// Frees arrays up to a NULL. All arrays are structures of the same members but for the type that `data` points to, so
// one of bytes stands for each.
void sj_arrays_finish_(stijl_context *context, void *const *arrays) {
  for (; *arrays; arrays++) {
    SJ_ARRAY(char) array;
    memcpy(&array, *arrays, sizeof array);
    sj_array_finish(context, &array);
    memcpy(*arrays, &array, sizeof array);
  }
}
