// Bloom filters of strings: one string can lie in another only if its 64 bits are among those of the other.
#ifndef SJ_CSS_BLOOM_H
#define SJ_CSS_BLOOM_H

#include "base/wraps.h"
#include "dom/atoms.h"

// Longer strings have all bits set: they hold so many pairs of bytes that a filter would exclude almost nothing.
#define SJ_BLOOM_MAX_LENGTH 256

SJ_WRAPS static inline uint64_t sj_bloom_pair(char a, char b) {
  uint32_t h = ((uint32_t)(unsigned char)sj_lower(a) << 8 | (unsigned char)sj_lower(b)) * 0x9e3779b1u;
  return (uint64_t)1 << (h >> 26);
}

// Returns the filter of a string: a bit for each pair of neighbouring bytes, without regard to ASCII case.
static inline uint64_t sj_bloom(const char *text, size_t length) {
  if (length > SJ_BLOOM_MAX_LENGTH) return ~(uint64_t)0;
  uint64_t bits = 0;
  for (size_t i = 1; i < length; i++) bits |= sj_bloom_pair(text[i - 1], text[i]);
  return bits;
}

#endif
