// How many threads are worth starting.
#ifndef SJ_BASE_PROCESSORS_H
#define SJ_BASE_PROCESSORS_H

// Returns how many processors this process may use, at least 1 and at most 256, the most threads that any interface
// takes. In a browser it counts this thread and the helpers that the page has lent (base/wasi/pthread.h).
int sj_processors(void);

#endif
