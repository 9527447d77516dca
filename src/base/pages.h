// Large blocks of working memory.
#ifndef SJ_BASE_PAGES_H
#define SJ_BASE_PAGES_H

#include "base/context.h"

// Returns at least `bytes` of uninitialised memory, aligned to 64 bytes; NULL when memory is short. *block is what
// sj_free takes. Blocks of half a MiB or more ask the system for huge pages: touching a small page for the first time
// costs a process 1.4 us, and touching a huge one, which replaces 512 of them, 60 us (measured on a virtual machine).
void *sj_alloc_pages(stijl_context *context, size_t bytes, void **block);

#endif
