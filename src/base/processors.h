// How many threads are worth starting.
#ifndef SJ_BASE_PROCESSORS_H
#define SJ_BASE_PROCESSORS_H

// Processors that this process may use; 1 to 256, which is what every interface takes. In a browser: this thread, and
// the helpers that the page has lent.
int sj_processors(void);

#endif
