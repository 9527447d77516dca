// Checks of many floats at a time.
#ifndef SJ_BASE_FLOATS_H
#define SJ_BASE_FLOATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Returns whether each of `count` floats, which need not be aligned, is a number below 2^100 in magnitude, so that sums
// of a few of them are finite. By the bits and without branches, since a compiler turns that into vectors.
static inline bool sj_floats_are_tame(const void *floats, size_t count) {
  const int32_t bits_of_2_to_100 = (127 + 100) << 23;
  const unsigned char *at = floats;
  int32_t wild = 0;
  for (size_t i = 0; i < count; i++) {
    int32_t bits;
    memcpy(&bits, at + i * sizeof bits, sizeof bits);
    wild |= (bits & 0x7fffffff) >= bits_of_2_to_100 ? -1 : 0;
  }
  return !wild;
}

#endif
