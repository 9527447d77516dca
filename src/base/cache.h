// Files that only save time, in $XDG_CACHE_HOME/stijl or ~/.cache/stijl. They may be deleted at any time. Where neither
// folder can be found, and in programs that run with another user's rights, nothing is read or written.
#ifndef SJ_BASE_CACHE_H
#define SJ_BASE_CACHE_H

#include "base/context.h"

// Returns a file's content, which the caller frees with sj_free, and its size. Returns NULL when there is no such file,
// it is larger than max_bytes, it belongs to another user or others may write to it, or memory is short.
void *sj_cache_read(stijl_context *context, const char *name, size_t max_bytes, size_t *bytes);
// Writes a file, completely or not at all. That it cannot be written is no error.
void sj_cache_write(const char *name, const void *data, size_t bytes);

#endif
