// Makes prefix codes of limited length, for deflate.
#ifndef SJ_IMAGE_HUFFMAN_H
#define SJ_IMAGE_HUFFMAN_H

#include <stdint.h>

#define SJ_HUFFMAN_MAX_SYMBOLS 288

typedef struct sj_huffman {
  uint8_t lengths[SJ_HUFFMAN_MAX_SYMBOLS];  // in bits; 0: the symbol has no code
  uint16_t codes[SJ_HUFFMAN_MAX_SYMBOLS];   // the first bit of a code is the lowest
} sj_huffman;

// Makes the code for symbols 0 to count - 1 with these frequencies. It is optimal unless that would take more than
// `max_length` bits for a symbol. At least two symbols get a code, so that the code is complete.
void sj_huffman_build(sj_huffman *huffman, const uint32_t *frequencies, int count, int max_length);

#endif
