// The processor's time, for tests of how long something takes: unlike the clock's it does not grow on a busy machine.
#ifndef SJ_TEST_PROCESSOR_H
#define SJ_TEST_PROCESSOR_H

#include <time.h>

// Returns the seconds that all threads of the process have used together.
static inline double sj_test_processor_seconds(void) {
  struct timespec t;
#ifdef CLOCK_PROCESS_CPUTIME_ID
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
#else  // some C libraries for WebAssembly
  clock_gettime(CLOCK_MONOTONIC, &t);
#endif
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
