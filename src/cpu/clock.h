// The time in milliseconds, of a clock that is never set.
#ifndef SJ_CPU_CLOCK_H
#define SJ_CPU_CLOCK_H

#include <time.h>

static inline double sj_now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

#endif
