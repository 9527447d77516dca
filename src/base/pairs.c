#include "base/pairs.h"

#include <string.h>

#include "base/hash.h"
#include "base/wraps.h"

// Returns the chain of a pair by multiply-shift hashing, which is universal (Dietzfelbinger et al., "A reliable
// randomized algorithm for the closest-pair problem", 1997), with a key that nobody outside of the process knows.
SJ_WRAPS static uint32_t *chain_of(const sj_pairs *pairs, uint64_t first, uint32_t second) {
  uint64_t mixed = (first << 32 ^ second) * pairs->key;
  return &pairs->chains.data[(mixed >> 32) & (pairs->chains.count - 1)];
}

static bool grow(stijl_context *context, sj_pairs *pairs) {
  size_t count = pairs->chains.count ? 2 * pairs->chains.count : 256;
  if (!pairs->key) pairs->key = sj_hash_key_random().low | 1;
  if (!sj_array_reserve(context, &pairs->chains, count - pairs->chains.count)) return false;
  memset(pairs->chains.data, 0, count * sizeof *pairs->chains.data);
  pairs->chains.count = count;
  for (size_t i = 0; i < pairs->entries.count; i++) {
    sj_pair *entry = &pairs->entries.data[i];
    uint32_t *chain = chain_of(pairs, entry->first, entry->second);
    entry->next = *chain;
    *chain = (uint32_t)i + 1;
  }
  return true;
}

bool sj_pairs_find(const sj_pairs *pairs, uint64_t first, uint32_t second, uint32_t *value) {
  if (!pairs->chains.count) return false;
  for (uint32_t i = *chain_of(pairs, first, second); i; i = pairs->entries.data[i - 1].next) {
    const sj_pair *entry = &pairs->entries.data[i - 1];
    if (entry->first != first || entry->second != second) continue;
    *value = entry->value;
    return true;
  }
  return false;
}

bool sj_pairs_add(stijl_context *context, sj_pairs *pairs, uint64_t first, uint32_t second, uint32_t value) {
  if (pairs->entries.count >= UINT32_MAX || !sj_array_reserve(context, &pairs->entries, 1)) return false;
  if (pairs->entries.count >= pairs->chains.count && !grow(context, pairs)) return false;
  uint32_t *chain = chain_of(pairs, first, second);
  pairs->entries.data[pairs->entries.count++] = (sj_pair){first, second, value, *chain};
  *chain = (uint32_t)pairs->entries.count;
  return true;
}

void sj_pairs_clear(sj_pairs *pairs) { pairs->entries.count = pairs->chains.count = 0; }

void sj_pairs_finish(stijl_context *context, sj_pairs *pairs) {
  sj_arrays_finish(context, &pairs->entries, &pairs->chains);
}
