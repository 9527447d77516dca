// A hash of bytes for tables whose keys come from untrusted input: SipHash-1-3 with a key that nobody outside of the
// process knows, so that no file can be made whose strings collide. A hash may only decide where something lies in a
// table, never what a result is: it differs from run to run.
#ifndef SJ_BASE_HASH_H
#define SJ_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct sj_hash_key {
  uint64_t low, high;
} sj_hash_key;

// A new random key: one for each table.
sj_hash_key sj_hash_key_random(void);

uint64_t sj_hash(sj_hash_key key, const void *data, size_t bytes);

// The family that sj_hash is of: `rounds` after each 8 bytes and `last_rounds` in the end. For tests.
uint64_t sj_siphash(int rounds, int last_rounds, sj_hash_key key, const void *data, size_t bytes);

#endif
