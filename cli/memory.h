// How memory is kept and touched in a process that draws one picture.
#ifndef STIJL_CLI_MEMORY_H
#define STIJL_CLI_MEMORY_H

#include <stddef.h>

// Keeps freed memory for reuse by all threads.
void cli_memory_keep(void);
// For stijl_context_params.
void *cli_memory_reallocate(void *user, void *ptr, size_t bytes);
// Memory for a picture's pixels, to be freed. NULL: there is none.
void *cli_memory_for_pixels(size_t bytes);

#endif
