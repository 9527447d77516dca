// Blocks of deflate (RFC 1951): literals and matches gathered, then written with codes made for them.
#ifndef SJ_IMAGE_DEFLATE_BLOCK_H
#define SJ_IMAGE_DEFLATE_BLOCK_H

#include "base/array.h"
#include "image/deflate.h"

#define SJ_MAX_MATCH 258u
#define SJ_MIN_MATCH 3u
#define SJ_DISTANCES 30

// Literal bytes, then `repeat` times the same match; without a match when the length is 0.
typedef struct sj_sequence {
  uint32_t literals;
  uint16_t length, distance, repeat;
} sj_sequence;

// What symbols cost, in bits, if they do as in the block before; of a distance with its extra bits.
typedef struct sj_deflate_costs {
  uint8_t literal[256], length[SJ_MAX_MATCH + 1], distance[SJ_DISTANCES];
} sj_deflate_costs;

typedef struct sj_deflate_block {
  stijl_context *context;
  sj_sequence *sequences;
  uint8_t *literals;
  size_t sequence_count, literal_count, max_sequences, max_literals;
  sj_deflate_costs costs;
  sj_bytes *output;
  uint64_t bits;  // not yet in the output, from the lowest
  int bit_count;
} sj_deflate_block;

// False without memory. Behind the literals four bytes more may be written.
bool sj_deflate_block_init(sj_deflate_block *block, stijl_context *context, size_t max_sequences, size_t max_literals);
void sj_deflate_block_finish(sj_deflate_block *block);

// Empties the block, and goes on at a byte of `output`.
void sj_deflate_block_begin(sj_deflate_block *block, sj_bytes *output);
// Writes the block and empties it. False without memory.
bool sj_deflate_block_put(sj_deflate_block *block, bool last);
// The same, and what follows begins at a byte.
bool sj_deflate_block_end(sj_deflate_block *block, bool last);

// RFC 1951, 3.2.5: the symbol of a distance.
static inline int sj_distance_symbol(uint32_t distance, int *extra_bits) {
  uint32_t d = distance - 1;
  *extra_bits = 0;
  if (d < 4) return (int)d;
  int e = 30 - __builtin_clz(d);
  *extra_bits = e;
  return 2 * (e + 1) + (int)(d >> e & 1);
}

#endif
