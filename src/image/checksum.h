// The checksums of PNG: CRC-32 of chunks, Adler-32 of the zlib stream (RFC 1950, RFC 1952).
#ifndef SJ_IMAGE_CHECKSUM_H
#define SJ_IMAGE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

// Starts from 0 and may go on from an earlier result.
uint32_t sj_crc32(uint32_t crc, const void *data, size_t bytes);

// Adler-32 starts from 1.
uint32_t sj_adler32(uint32_t adler, const void *data, size_t bytes);
// Adler-32 of two pieces together, from that of each. The second has `second_bytes` bytes, and its sum started from 1.
uint32_t sj_adler32_combine(uint32_t first, uint32_t second, uint64_t second_bytes);

// Adler-32 of pixels, run by run: the two sums, not yet reduced. 64 bits hold a row of 32767 pixels.
typedef struct sj_adler {
  uint64_t s1, s2;
} sj_adler;

static inline sj_adler sj_adler_begin(uint32_t adler) { return (sj_adler){adler & 0xffff, adler >> 16}; }

// Adds n pixels, each the lowest `bytes` bytes b0, b1, ... of `pixel`. With s1 the sum of the bytes so far and s2 the
// sum of all s1, one pixel whose sum is t adds t to s1, and bytes s1 + u to s2, where u = bytes b0 + (bytes - 1) b1 +
// ...; so n of them add n t to s1, and n (bytes s1 + u) + bytes t n (n - 1) / 2 to s2.
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
