#include "base/pages.h"

#include <stdint.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#define HUGE_PAGE ((size_t)2 << 20)
#define HUGE_FROM (HUGE_PAGE / 4)  // smaller blocks do not ask for huge pages

void *sj_alloc_pages(stijl_context *context, size_t bytes, void **block) {
  size_t alignment = 64;
#ifdef MADV_HUGEPAGE
  if (bytes >= HUGE_FROM) alignment = HUGE_PAGE;
#endif
  *block = bytes < SIZE_MAX - 2 * HUGE_PAGE
               ? sj_alloc(context, ((bytes + alignment - 1) & ~(alignment - 1)) + alignment)
               : NULL;
  if (!*block) return NULL;
  char *aligned = (char *)*block + (alignment - (uintptr_t)*block % alignment) % alignment;
#ifdef MADV_HUGEPAGE
  if (alignment == HUGE_PAGE) madvise(aligned, (bytes + alignment - 1) & ~(alignment - 1), MADV_HUGEPAGE);
#endif
  return aligned;
}
