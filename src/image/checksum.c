#include "image/checksum.h"

#include <string.h>

#include "image/run.h"

#define CRC_POLYNOMIAL 0xedb88320u  // bits reversed
#define ADLER_BASE 65521u           // the largest prime below 2^16

void sj_crc32_init(sj_crc32_tables *t) {
  for (uint32_t b = 0; b < 256; b++) {
    uint32_t crc = b;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? CRC_POLYNOMIAL : 0);
    t->tables[0][b] = crc;
  }
  for (int k = 1; k < 8; k++)
    for (uint32_t b = 0; b < 256; b++) {
      uint32_t crc = t->tables[k - 1][b];
      t->tables[k][b] = crc >> 8 ^ t->tables[0][crc & 0xff];
    }
}

uint32_t sj_crc32(const sj_crc32_tables *t, uint32_t crc, const void *data, size_t bytes) {
  const unsigned char *p = data;
  crc = ~crc;
  for (; bytes >= 8; bytes -= 8, p += 8) {
    uint32_t lo, hi;
    memcpy(&lo, p, 4);
    memcpy(&hi, p + 4, 4);
    lo ^= crc;
    crc = t->tables[7][lo & 0xff] ^ t->tables[6][lo >> 8 & 0xff] ^ t->tables[5][lo >> 16 & 0xff] ^
          t->tables[4][lo >> 24] ^ t->tables[3][hi & 0xff] ^ t->tables[2][hi >> 8 & 0xff] ^
          t->tables[1][hi >> 16 & 0xff] ^ t->tables[0][hi >> 24];
  }
  for (; bytes; bytes--, p++) crc = crc >> 8 ^ t->tables[0][(crc ^ *p) & 0xff];
  return ~crc;
}

// With s1 the sum of the bytes so far and s2 the sum of all s1, a pixel of B bytes b0, b1, ... whose sum is t adds t to
// s1 and B s1 + u to s2, where u = B b0 + (B - 1) b1 + ...; n equal pixels add n t to s1 and
// n B s1 + B t n (n - 1) / 2 + n u to s2. Runs make most of a drawn picture, so rows are summed run by run; 64 bits
// hold a row of 32767 pixels without a reduction in between.
uint32_t sj_adler32_pixels(uint32_t adler, const uint32_t *row, size_t pixels, size_t pixel_bytes) {
  uint64_t s1 = adler & 0xffff, s2 = adler >> 16;
  for (size_t i = 0; i < pixels;) {
    uint32_t p = row[i];
    uint64_t t = 0, u = 0;
    for (size_t k = 0; k < pixel_bytes; k++) {
      uint32_t byte = p >> 8 * k & 0xff;
      t += byte;
      u += (pixel_bytes - k) * byte;
    }
    uint64_t n = 1;
    if (i + 1 < pixels && row[i + 1] == p) n += sj_run_length(row + i + 1, pixels - i - 1, p);
    s2 += n * (pixel_bytes * s1 + u) + pixel_bytes * t * (n * (n - 1) / 2);
    s1 += n * t;
    i += n;
  }
  return (uint32_t)(s2 % ADLER_BASE << 16 | s1 % ADLER_BASE);
}

uint32_t sj_adler32_byte(uint32_t adler, uint8_t byte) {
  uint32_t s1 = ((adler & 0xffff) + byte) % ADLER_BASE, s2 = ((adler >> 16) + s1) % ADLER_BASE;
  return s2 << 16 | s1;
}

uint32_t sj_adler32_combine(uint32_t first, uint32_t second, uint64_t second_bytes) {
  uint64_t n = second_bytes % ADLER_BASE, before = (first & 0xffff) + (ADLER_BASE - 1);  // `second` began with s1 = 1
  uint64_t s1 = (before + (second & 0xffff)) % ADLER_BASE;
  uint64_t s2 = ((first >> 16) + (second >> 16) + n * (before % ADLER_BASE)) % ADLER_BASE;
  return (uint32_t)(s2 << 16 | s1);
}
