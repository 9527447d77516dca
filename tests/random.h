// Random numbers for tests and fuzz harnesses.
#ifndef SJ_RANDOM_H
#define SJ_RANDOM_H

#include <stdint.h>

#include "base/wraps.h"

// A random stream for case n: seed with n, the same everywhere (PCG-XSH-RR 64/32, O'Neill 2014).
typedef struct sj_random {
  uint64_t state;
} sj_random;

SJ_WRAPS static inline uint32_t sj_random_u32(sj_random *r) {
  uint64_t old = r->state;
  r->state = old * 6364136223846793005u + 1442695040888963407u;
  uint32_t x = (uint32_t)(((old >> 18) ^ old) >> 27), rotate = (uint32_t)(old >> 59);
  return x >> rotate | x << ((32 - rotate) & 31);
}

SJ_WRAPS static inline sj_random sj_random_seed(uint64_t n) {
  sj_random r = {0};
  sj_random_u32(&r);
  r.state += n;
  sj_random_u32(&r);
  return r;
}

// Returns a number with lo <= number < hi.
static inline int sj_random_int(sj_random *r, int lo, int hi) {
  return lo + (int)(((uint64_t)sj_random_u32(r) * (uint64_t)((int64_t)hi - lo)) >> 32);
}

static inline float sj_random_float(sj_random *r, float lo, float hi) {
  return lo + (hi - lo) * ((float)(sj_random_u32(r) >> 8) * 0x1p-24f);
}

#endif
