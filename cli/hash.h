// A hash of 64 bits (FNV-1a). It is not safe from whoever wants two inputs to share one.
#ifndef CLI_HASH_H
#define CLI_HASH_H

#include <stddef.h>
#include <stdint.h>

#define CLI_HASH_OF_NOTHING 0xcbf29ce484222325u

// Stands before a function whose arithmetic wraps on purpose, as src/base/wraps.h has it for the library.
#ifdef __clang__
#define CLI_WRAPS __attribute__((no_sanitize("unsigned-integer-overflow")))
#else
#define CLI_WRAPS
#endif

// Returns a hash with a byte or a word added.
CLI_WRAPS static inline uint64_t cli_hash_add(uint64_t hash, uint64_t word) { return (hash ^ word) * 0x100000001b3u; }

// Returns the hash of some bytes.
static inline uint64_t cli_hash(const void *data, size_t bytes) {
  const unsigned char *byte = data;
  uint64_t hash = CLI_HASH_OF_NOTHING;
  for (size_t i = 0; i < bytes; i++) hash = cli_hash_add(hash, byte[i]);
  return hash;
}

#endif
