// The time: to measure with, and as text.
#ifndef STIJL_CLI_CLOCK_H
#define STIJL_CLI_CLOCK_H

#include <stdio.h>
#include <time.h>

static inline double cli_now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

typedef struct cli_time_text {
  char text[64];
} cli_time_text;

// Writes 2026-01-31T23:59:59.123456789Z (RFC 3339), and returns it.
static inline const char *cli_time(const struct timespec *time, cli_time_text *out) {
  struct tm utc;
  size_t used = gmtime_r(&time->tv_sec, &utc) ? strftime(out->text, 32, "%Y-%m-%dT%H:%M:%S", &utc) : 0;
  snprintf(out->text + used, sizeof out->text - used, ".%09ldZ", (long)time->tv_nsec);
  return out->text;
}

#endif
