// How memory is kept and touched in a process that draws one picture.
#ifndef STIJL_CLI_MEMORY_H
#define STIJL_CLI_MEMORY_H

#include <stddef.h>

// Keeps freed memory for reuse by all threads.
void cli_memory_keep(void);
// Keeps, in a process that draws many, some MiB of what a picture took for the next one. With the C library's defaults
// each would touch the memory of its encoder anew, 140 pages of an icon of 1024 px.
void cli_memory_reuse(void);
// Returns freed memory to the system instead, from half a MiB on, so that a limit that is asked for holds for the whole
// process: arrays that grow would leave holes of their former sizes behind.
void cli_memory_return(void);
// Asks for huge pages for what follows on the heap, where memory is kept: worth it for what touches more than some 60
// pages. Does so once a process, from any thread.
void cli_memory_enlarge(void);
// Reallocates memory, for stijl_context_params.
void *cli_memory_reallocate(void *user, void *ptr, size_t bytes);
// Returns memory for a picture's pixels, which the caller frees; NULL: there is none.
void *cli_memory_for_pixels(size_t bytes);

#endif
