// The checksums of PNG: CRC-32 of chunks, Adler-32 of the zlib stream (RFC 1950, RFC 1952).
#ifndef SJ_IMAGE_CHECKSUM_H
#define SJ_IMAGE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

// Eight bytes a step: tables[k][b] is the effect of byte b followed by k zero bytes.
typedef struct sj_crc32_tables {
  uint32_t tables[8][256];
} sj_crc32_tables;

void sj_crc32_init(sj_crc32_tables *t);
// Starts from 0 and may go on from an earlier result.
uint32_t sj_crc32(const sj_crc32_tables *t, uint32_t crc, const void *data, size_t bytes);

// Adler-32 starts from 1. Of `pixels` pixels of the lowest `pixel_bytes` (2..4) bytes of each word, at most 32767.
uint32_t sj_adler32_pixels(uint32_t adler, const uint32_t *row, size_t pixels, size_t pixel_bytes);
uint32_t sj_adler32_byte(uint32_t adler, uint8_t byte);
// Of two pieces one behind the other, `second` (started from 1) of `second_bytes` bytes.
uint32_t sj_adler32_combine(uint32_t first, uint32_t second, uint64_t second_bytes);

#endif
