// A hash of bytes for tables whose keys come from untrusted input: SipHash-1-3. Its key is known to nobody outside of
// the process, so nobody can make a file whose strings collide. A hash differs from run to run, so it may only decide
// where something lies in a table, never what a result is.
#ifndef SJ_BASE_HASH_H
#define SJ_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct sj_hash_key {
  uint64_t low, high;
} sj_hash_key;

// Returns a new random key. Each table should have its own.
sj_hash_key sj_hash_key_random(void);

uint64_t sj_hash(sj_hash_key key, const void *data, size_t bytes);

// Computes SipHash with `rounds` after each 8 bytes and `last_rounds` at the end; sj_hash has 1 and 3. With a fixed key
// it also serves where a checksum must be the same in each process.
uint64_t sj_siphash(int rounds, int last_rounds, sj_hash_key key, const void *data, size_t bytes);

#endif
