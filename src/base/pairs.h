// A hash table from pairs of numbers, such as those of a font and a glyph, to numbers.
#ifndef SJ_BASE_PAIRS_H
#define SJ_BASE_PAIRS_H

#include "base/array.h"

typedef struct sj_pair {
  uint64_t first;
  uint32_t second, value;
  uint32_t next;  // the index of the next entry in the chain, plus 1; 0 at its end
} sj_pair;

typedef struct sj_pairs {
  SJ_ARRAY(sj_pair) entries;
  SJ_ARRAY(uint32_t) chains;  // the index of each chain's first entry, plus 1; there are 2^n chains
  uint64_t key;               // of the hash; odd
} sj_pairs;

// Finds a pair's value. Returns false when the pair is not in the table.
bool sj_pairs_find(const sj_pairs *pairs, uint64_t first, uint32_t second, uint32_t *value);
// Adds a pair, which must not be in the table yet. Returns false when memory is short.
bool sj_pairs_add(stijl_context *context, sj_pairs *pairs, uint64_t first, uint32_t second, uint32_t value);
// Empties the table, but keeps its memory.
void sj_pairs_clear(sj_pairs *pairs);
// Frees the memory.
void sj_pairs_finish(stijl_context *context, sj_pairs *pairs);

#endif
