// A fuzz harness is one file with this function. It links with libFuzzer (meson -Dfuzz=true, clang), or with replay.c,
// which runs a folder of inputs and seeded mutations of them as an ordinary test.
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "counting.h"
#include "stijl/budget.h"

// Returns 0. A finding is a crash, an abort, a sanitizer's report, or an input that takes too long.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Counts what an input went all the way through: parsed, drawn, compared. Where hardly any does the harness tests
// nothing, and replay.c fails.
extern uint64_t fuzz_complete;

// A budget with an allocator that counts, for one input. The library takes all its memory from the budget's context.
typedef struct fuzz_memory {
  stijl_context *context;
  stijl_budget *budget;
  long blocks;  // that live
  size_t max_memory;
} fuzz_memory;

static inline void *fuzz_reallocate(void *user, void *ptr, size_t bytes) {
  fuzz_memory *m = user;
  m->blocks += bytes ? !ptr : -(ptr != NULL);
  if (!bytes) {
    free(ptr);
    return NULL;
  }
  void *block = realloc(ptr, bytes);
  if (!block) abort();
  return block;
}

static inline stijl_context *fuzz_memory_begin(fuzz_memory *m, size_t max_memory) {
  *m = (fuzz_memory){.max_memory = max_memory};
  counting_begin();
  stijl_context_params params = STIJL_CONTEXT_PARAMS_INIT;
  params.reallocate = fuzz_reallocate;
  params.user = m;
  stijl_budget_params limits = STIJL_BUDGET_PARAMS_INIT;
  limits.max_memory = max_memory;
  if (stijl_context_create(&params, &m->context) || stijl_budget_create(m->context, &limits, &m->budget)) abort();
  return stijl_budget_context(m->budget);
}

// Checks that everything is freed by now, and that the process, libraries included, has kept to the limit.
static inline void fuzz_memory_end(fuzz_memory *m) {
  stijl_budget_destroy(m->budget);
  stijl_context_destroy(m->context);
  if (m->blocks) abort();
  if (counting_peak() > m->max_memory + m->max_memory / 4 + (1 << 20)) abort();
}

#endif
