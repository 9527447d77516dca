#include "counting.h"

#include <stdlib.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>

static _Atomic(long long) live, peak;
static long long first;

// Allocates as glibc's own functions do: those below replace these in the whole process.
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *ptr, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern void __libc_free(void *ptr);

static void *added(void *ptr) {
  long long now = atomic_fetch_add(&live, (long long)malloc_usable_size(ptr)) + (long long)malloc_usable_size(ptr);
  for (long long was = atomic_load(&peak); now > was && !atomic_compare_exchange_weak(&peak, &was, now);) {
  }
  return ptr;
}

void *malloc(size_t bytes) { return added(__libc_malloc(bytes)); }
void *calloc(size_t count, size_t bytes) { return added(__libc_calloc(count, bytes)); }
void *memalign(size_t alignment, size_t bytes) { return added(__libc_memalign(alignment, bytes)); }
void *aligned_alloc(size_t alignment, size_t bytes) { return added(__libc_memalign(alignment, bytes)); }

int posix_memalign(void **out, size_t alignment, size_t bytes) {
  *out = added(__libc_memalign(alignment, bytes));
  return *out ? 0 : ENOMEM;
}

void free(void *ptr) {
  atomic_fetch_sub(&live, (long long)malloc_usable_size(ptr));
  __libc_free(ptr);
}

void *realloc(void *ptr, size_t bytes) {
  size_t before = malloc_usable_size(ptr);
  void *moved = __libc_realloc(ptr, bytes);
  if (moved || !bytes) {
    atomic_fetch_sub(&live, (long long)before);
    added(moved);
  }
  return moved;
}

void counting_begin(void) {
  first = atomic_load(&live);
  atomic_store(&peak, first);
}

size_t counting_peak(void) { return (size_t)(atomic_load(&peak) - first); }

#else
void counting_begin(void) {}
size_t counting_peak(void) { return 0; }
#endif
