// The time, of a clock that is never set: to measure with.
#ifndef SJ_BASE_CLOCK_H
#define SJ_BASE_CLOCK_H

#include <time.h>

// Returns the time in microseconds, from some beginning.
static inline double sj_now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

// Returns the time in milliseconds.
static inline double sj_now_ms(void) { return sj_now_us() * 1e-3; }

#endif
