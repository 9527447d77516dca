#include "memory.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

// From half a MiB on memory is aligned for, and asked to be in, huge pages: touching one the first time takes about as
// long as touching 50 small ones of its 512.
#define HUGE_PAGE_BYTES ((size_t)2 << 20)
#define LARGE_BYTES (HUGE_PAGE_BYTES / 4)
#define HEAP_BYTES ((size_t)32 << 20)

static bool kept;
static void
    *volatile filler;  // of the heap up to its first huge page; never touched, but the compiler must not leave it out
static atomic_uint large_blocks;
static atomic_bool enlarged;

// Keeps memory in the process. A new one pays for each page that it touches first; with the C library's defaults it
// would do so again for each large block and each thread.
void cli_memory_keep(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, (int)HEAP_BYTES);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_TOP_PAD, 1 << 20);
  mallopt(M_ARENA_MAX, 1);
  kept = true;
#endif
}

void cli_memory_reuse(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 8 << 20);
#endif
}

void cli_memory_return(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, (int)LARGE_BYTES);
  mallopt(M_TRIM_THRESHOLD, (int)LARGE_BYTES);
  mallopt(M_ARENA_MAX, 1);
#endif
}

// Asks for huge pages. A block that makes the heap large enough is freed again, and what lies before its first huge
// page is taken.
void cli_memory_enlarge(void) {
  if (!kept || atomic_exchange(&enlarged, true)) return;
#ifdef MADV_HUGEPAGE
  size_t size = HEAP_BYTES - HUGE_PAGE_BYTES;
  char *volatile block = malloc(size);
  if (!block) return;
  uintptr_t from = (uintptr_t)block, end = (from + size) & ~(HUGE_PAGE_BYTES - 1);
  // The head of the next block stands before the page.
  size_t before = HUGE_PAGE_BYTES - from % HUGE_PAGE_BYTES;
  madvise(block + before, end - from - before, MADV_HUGEPAGE);
  free(block);
  filler = malloc(before - 2 * sizeof(size_t));
#endif
}

void *cli_memory_reallocate(void *user, void *ptr, size_t bytes) {
  (void)user;
  if (!bytes) {
    free(ptr);
    return NULL;
  }
  // The sums of a thread are one such block; more are surfaces of filters, each about as large as the picture.
  if (bytes >= LARGE_BYTES && atomic_fetch_add_explicit(&large_blocks, 1, memory_order_relaxed) == 1)
    cli_memory_enlarge();
  return realloc(ptr, bytes);
}

void *cli_memory_for_pixels(size_t bytes) {
  if (bytes < LARGE_BYTES) return malloc(bytes);
  bytes = (bytes + HUGE_PAGE_BYTES - 1) & ~(HUGE_PAGE_BYTES - 1);
  void *pixels = NULL;
  if (posix_memalign(&pixels, HUGE_PAGE_BYTES, bytes) != 0) return NULL;
#ifdef MADV_HUGEPAGE
  madvise(pixels, bytes, MADV_HUGEPAGE);
#endif
  // Memory is given by the page when first touched. Large pictures are left to the threads that paint them.
  if (bytes <= 8 * HUGE_PAGE_BYTES)
    for (size_t i = 0; i < bytes; i += 4096) ((volatile char *)pixels)[i] = 0;
  return pixels;
}
