// Blocks of deflate (RFC 1951). A block gathers literals and matches, and then writes them with codes made for them.
#ifndef SJ_IMAGE_DEFLATE_BLOCK_H
#define SJ_IMAGE_DEFLATE_BLOCK_H

#include "base/array.h"
#include "image/deflate.h"

#define SJ_MAX_MATCH 258u  // bytes
#define SJ_MIN_MATCH 3u
#define SJ_DISTANCES 30  // symbols

// Some literals, and then the same match `repeat` times. Without a match the length is 0.
typedef struct sj_sequence {
  uint32_t literals;  // how many bytes
  uint16_t length, distance, repeat;
} sj_sequence;

// How many bits a literal, a match's length and a distance's symbol took in the previous block, including the extra
// bits of lengths and distances. The choice of matches expects the same of the next block.
typedef struct sj_deflate_costs {
  uint8_t literal[256], length[SJ_MAX_MATCH + 1], distance[SJ_DISTANCES];
} sj_deflate_costs;

typedef struct sj_deflate_block {
  stijl_context *context;
  sj_sequence *sequences;
  uint8_t *literals;
  size_t sequence_count, literal_count, max_sequences, max_literals;
  sj_deflate_costs costs;
  sj_byte_array *output;
  uint64_t bits;  // not yet in the output; the lowest comes first
  int bit_count;
} sj_deflate_block;

// Makes a block that can hold so many sequences and literals. Four more bytes may be written behind the literals.
// Returns false when memory is short.
bool sj_deflate_block_init(sj_deflate_block *block, stijl_context *context, size_t max_sequences, size_t max_literals);
void sj_deflate_block_finish(sj_deflate_block *block);

// Empties the block, which will be appended to `output`, and forgets the costs.
void sj_deflate_block_begin(sj_deflate_block *block, sj_byte_array *output);
// Writes the block and empties it. `last` marks it as the stream's last one. Returns false when memory is short.
bool sj_deflate_block_put(sj_deflate_block *block, bool last);
// Does the same, but fills the output up to a whole byte, so that another stream may follow.
bool sj_deflate_block_end(sj_deflate_block *block, bool last);

// Returns the symbol of a distance, and how many extra bits it has (RFC 1951, 3.2.5).
static inline int sj_distance_symbol(uint32_t distance, int *extra_bits) {
  uint32_t d = distance - 1;
  *extra_bits = 0;
  if (d < 4) return (int)d;
  int e = 30 - __builtin_clz(d);
  *extra_bits = e;
  return 2 * (e + 1) + (int)(d >> e & 1);
}

#endif
