// What the processor has.
#ifndef SJ_BASE_PROCESSORS_H
#define SJ_BASE_PROCESSORS_H

#include <stddef.h>

// Returns how many processors this process may use, at least 1 and at most 256, the most threads that any interface
// takes. In a browser it counts this thread and the helpers that the page has lent (base/wasi/pthread.h).
int sj_processors(void);

// The size of a core's second-level cache in bytes; 0 where the system does not tell.
size_t sj_second_cache_bytes(void);

#endif
