// Large blocks of working memory.
#ifndef SJ_BASE_PAGES_H
#define SJ_BASE_PAGES_H

#include "base/context.h"

// At least `bytes`, aligned to 64, contents undefined; NULL without memory. *block is what sj_free takes. Blocks from half
// a MiB on ask the system for huge pages: a new process pays 1.4 us for each small page it touches first, and 60 us for a
// huge one of 512 (measured on a virtual machine).
void *sj_alloc_pages(stijl_context *context, size_t bytes, void **block);

#endif
