// What a call has written piece by piece, for tests that read it again.
#ifndef SJ_TEST_WRITTEN_H
#define SJ_TEST_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Whoever has it frees `data`, which has room for one byte more.
typedef struct sj_test_written {
  uint8_t *data;
  size_t bytes;
} sj_test_written;

// Appends to a sj_test_written, as the library's calls that write ask for it.
static inline bool sj_test_append(void *user, const void *data, size_t bytes) {
  sj_test_written *to = user;
  to->data = realloc(to->data, to->bytes + bytes + 1);
  if (!to->data) abort();
  memcpy(to->data + to->bytes, data, bytes);
  to->bytes += bytes;
  return true;
}

#endif
