// Prefix codes of limited length, for deflate.
#ifndef SJ_IMAGE_HUFFMAN_H
#define SJ_IMAGE_HUFFMAN_H

#include <stdint.h>

#define SJ_HUFFMAN_MAX_SYMBOLS 288

typedef struct sj_huffman {
  uint8_t lengths[SJ_HUFFMAN_MAX_SYMBOLS];  // bits; 0: not used
  uint16_t codes[SJ_HUFFMAN_MAX_SYMBOLS];   // the first bit of the code is the lowest
} sj_huffman;

// The code for symbols 0..count-1 of these frequencies, optimal unless `max_length` bits are too few for that. At least
// two symbols get a code, so that the code is complete.
void sj_huffman_build(sj_huffman *huffman, const uint32_t *frequencies, int count, int max_length);

#endif
