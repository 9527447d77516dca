// A table from pairs of numbers, such as a font's and a glyph's, to numbers.
#ifndef SJ_BASE_PAIRS_H
#define SJ_BASE_PAIRS_H

#include "base/array.h"

typedef struct sj_pair {
  uint64_t first;
  uint32_t second, value;
  uint32_t next;  // in its chain, + 1
} sj_pair;

typedef struct sj_pairs {
  SJ_ARRAY(sj_pair) entries;
  SJ_ARRAY(uint32_t) chains;  // their number is a power of two
  uint64_t key;
} sj_pairs;

// False where the pair is not in the table.
bool sj_pairs_find(const sj_pairs *pairs, uint64_t first, uint32_t second, uint32_t *value);
// Adds a pair that is not in the table yet. False when memory is out.
bool sj_pairs_add(stijl_context *context, sj_pairs *pairs, uint64_t first, uint32_t second, uint32_t value);
// Empties the table, and keeps its memory.
void sj_pairs_clear(sj_pairs *pairs);
void sj_pairs_finish(stijl_context *context, sj_pairs *pairs);

#endif
