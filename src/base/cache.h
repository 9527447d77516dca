// Files that only save time: in $XDG_CACHE_HOME/stijl, or ~/.cache/stijl. They may be deleted at any time; without such a
// folder, or in a program that runs with another user's rights, there are none.
#ifndef SJ_BASE_CACHE_H
#define SJ_BASE_CACHE_H

#include "base/context.h"

// The whole of a file (sj_alloc), NULL when there is none. One that others may write is not read.
void *sj_cache_read(stijl_context *context, const char *name, size_t max_bytes, size_t *bytes);
// Writes a file whole or not at all.
void sj_cache_write(const char *name, const void *data, size_t bytes);

#endif
