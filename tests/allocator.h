// An allocator that counts blocks, and refuses what a test asks it to refuse.
#ifndef SJ_TEST_ALLOCATOR_H
#define SJ_TEST_ALLOCATOR_H

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "stijl/stijl.h"
#include "test.h"

typedef struct sj_test_allocator {
  atomic_long requests;  // so far; freeing is none
  long refused;          // the number of the request to refuse, and of all after it when `forever`; LONG_MAX: none
  bool forever;
  atomic_long live;  // blocks
} sj_test_allocator;

static inline void *sj_test_reallocate(void *user, void *ptr, size_t bytes) {
  sj_test_allocator *a = user;
  if (bytes == 0) {
    if (ptr) atomic_fetch_sub(&a->live, 1);
    free(ptr);
    return NULL;
  }
  long request = atomic_fetch_add(&a->requests, 1);
  if (a->forever ? request >= a->refused : request == a->refused) return NULL;
  void *block = realloc(ptr, bytes);
  if (block && !ptr) atomic_fetch_add(&a->live, 1);
  return block;
}

// Makes a context with that allocator, which outlives it; NULL where that refused the memory for it.
static inline stijl_context *sj_test_context(sj_test_allocator *a) {
  stijl_context_params params = STIJL_CONTEXT_PARAMS_INIT;
  params.reallocate = sj_test_reallocate;
  params.user = a;
  stijl_context *context = NULL;
  stijl_result result = stijl_context_create(&params, &context);
  CHECK(result == STIJL_OK || result == STIJL_ERROR_OUT_OF_MEMORY);
  return context;
}

#endif
