#include "image/checksum.h"

#include <pthread.h>
#include <string.h>

#define CRC_POLYNOMIAL 0xedb88320u  // with its bits reversed
#define ADLER_BASE 65521u           // the largest prime below 2^16
// The most bytes n whose sums fit into 32 bits: 255 n (n + 1) / 2 + (n + 1) (ADLER_BASE - 1) < 2^32.
#define ADLER_PIECE 5552u

// The CRC is computed eight bytes at a time. tables[k][b] is the effect of byte b followed by k zero bytes.
static uint32_t tables[8][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_tables(void) {
  for (uint32_t b = 0; b < 256; b++) {
    uint32_t crc = b;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? CRC_POLYNOMIAL : 0);
    tables[0][b] = crc;
  }
  for (int k = 1; k < 8; k++)
    for (uint32_t b = 0; b < 256; b++) {
      uint32_t crc = tables[k - 1][b];
      tables[k][b] = crc >> 8 ^ tables[0][crc & 0xff];
    }
}

uint32_t sj_crc32(uint32_t crc, const void *data, size_t bytes) {
  const unsigned char *p = data;
  pthread_once(&once, make_tables);
  crc = ~crc;
  for (; bytes >= 8; bytes -= 8, p += 8) {
    uint32_t lo, hi;
    memcpy(&lo, p, 4);
    memcpy(&hi, p + 4, 4);
    lo ^= crc;
    crc = tables[7][lo & 0xff] ^ tables[6][lo >> 8 & 0xff] ^ tables[5][lo >> 16 & 0xff] ^ tables[4][lo >> 24] ^
          tables[3][hi & 0xff] ^ tables[2][hi >> 8 & 0xff] ^ tables[1][hi >> 16 & 0xff] ^ tables[0][hi >> 24];
  }
  for (; bytes; bytes--, p++) crc = crc >> 8 ^ tables[0][(crc ^ *p) & 0xff];
  return ~crc;
}

// Bytes that are summed at once, in vectors.
#define ADLER_BLOCK 32u

uint32_t sj_adler32(uint32_t adler, const void *data, size_t bytes) {
  const unsigned char *p = data;
  uint32_t s1 = adler & 0xffff, s2 = adler >> 16;
  while (bytes) {
    size_t piece = bytes < ADLER_PIECE ? bytes : ADLER_PIECE;
    size_t i = 0;
    for (; i + ADLER_BLOCK <= piece; i += ADLER_BLOCK) {
      uint32_t sum = 0, weighted = 0;
      for (uint32_t k = 0; k < ADLER_BLOCK; k++) {
        sum += p[i + k];
        weighted += (ADLER_BLOCK - k) * p[i + k];
      }
      s2 += ADLER_BLOCK * s1 + weighted;
      s1 += sum;
    }
    for (; i < piece; i++) {
      s1 += p[i];
      s2 += s1;
    }
    s1 %= ADLER_BASE;
    s2 %= ADLER_BASE;
    p += piece;
    bytes -= piece;
  }
  return s2 << 16 | s1;
}

uint32_t sj_adler32_combine(uint32_t first, uint32_t second, uint64_t second_bytes) {
  // The second sum started from s1 = 1, so what comes before it adds the first s1, less 1, to each of its s1.
  uint64_t n = second_bytes % ADLER_BASE, before = (first & 0xffff) + (ADLER_BASE - 1);
  uint64_t s1 = (before + (second & 0xffff)) % ADLER_BASE;
  uint64_t s2 = ((first >> 16) + (second >> 16) + n * (before % ADLER_BASE)) % ADLER_BASE;
  return (uint32_t)(s2 << 16 | s1);
}
