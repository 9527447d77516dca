// How much memory HarfBuzz takes, which has no allocator of its own. It is counted before it is taken: as much as a
// table of a face, a plan of shaping and a text can need at most.
#ifndef SJ_TEXT_SHAPING_MEMORY_H
#define SJ_TEXT_SHAPING_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The most that HarfBuzz takes for a table, in bytes.
typedef struct sj_table_memory {
  size_t face;      // as long as the face is open
  size_t plan;      // for each plan
  bool multiplies;  // text may get many times as long
} sj_table_memory;

// Looks at a table before HarfBuzz does. Whatever is in it, the table is read within its length, and in a time that is
// bounded. Returns false when the table is to be left out, since it is of a version that nobody knows, or too large for
// counting.
bool sj_table_memory_of(uint32_t tag, const unsigned char *data, size_t bytes, sj_table_memory *out);

// Returns how much shaping so many characters takes.
size_t sj_shaping_bytes(uint32_t characters, bool multiplies);

#define SJ_FACE_BYTES ((size_t)16 << 10)  // for a face, without what its tables take
#define SJ_PLAN_BYTES ((size_t)16 << 10)  // for a plan, likewise

#endif
