// The checksums of PNG: chunks have a CRC-32 (RFC 1952), and the zlib stream has an Adler-32 (RFC 1950).
#ifndef SJ_IMAGE_CHECKSUM_H
#define SJ_IMAGE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

// Continues the checksum of what comes before. Of nothing the CRC-32 is 0, and the Adler-32 is 1.
uint32_t sj_crc32(uint32_t crc, const void *data, size_t bytes);
uint32_t sj_adler32(uint32_t adler, const void *data, size_t bytes);
// Returns the Adler-32 of two pieces together from those of each. The second piece has `second_bytes` bytes.
uint32_t sj_adler32_combine(uint32_t first, uint32_t second, uint64_t second_bytes);

// Computes the Adler-32 of pixels by runs. It holds the two sums without reducing them; 64 bits suffice for a row of
// 2^24 pixels.
typedef struct sj_adler {
  uint64_t s1, s2;
} sj_adler;

static inline sj_adler sj_adler_begin(uint32_t adler) { return (sj_adler){adler & 0xffff, adler >> 16}; }

// Adds n equal pixels, each of which is the lowest `bytes` bytes b0, b1, ... of `pixel`. s1 is the sum of the bytes so
// far, plus 1, and s2 the sum of all values of s1. A pixel adds the sum of its bytes, t, to s1. To s2 it adds
// bytes s1 + u, where u = bytes b0 + (bytes - 1) b1 + ... So n pixels add n t to s1, and to s2
// n (bytes s1 + u) + bytes t n (n - 1) / 2.
static inline void sj_adler_pixels(sj_adler *adler, uint32_t pixel, uint64_t n, size_t bytes) {
  uint32_t t = 0, u = 0;
  for (size_t k = 0; k < bytes; k++) {
    t += pixel >> 8 * k & 0xff;
    u += (uint32_t)(bytes - k) * (pixel >> 8 * k & 0xff);
  }
  adler->s2 += n * (bytes * adler->s1 + u) + bytes * t * (n * (n - 1) / 2);
  adler->s1 += n * t;
}

static inline uint32_t sj_adler_end(const sj_adler *adler) {
  return (uint32_t)(adler->s2 % 65521 << 16 | adler->s1 % 65521);
}

#endif
