// The time, to measure with.
#ifndef STIJL_CLI_CLOCK_H
#define STIJL_CLI_CLOCK_H

#include <time.h>

static inline double cli_now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

#endif
