// Text in whatever encoding to UTF-8.
#ifndef SJ_BASE_DECODE_H
#define SJ_BASE_DECODE_H

#include <stdint.h>

#include "base/context.h"

typedef struct sj_decoded {
  const char *text;
  size_t bytes;
  char *made;  // the block that holds the text, to be freed by sj_free; NULL when it lies in what was given
} sj_decoded;

// A byte order mark tells the encoding, and is left out; without one it is that of `upper` (base/encodings.h). Text
// that is UTF-8 is neither copied nor checked. False: memory is short.
bool sj_decode(stijl_context *context, const char *data, size_t bytes, const uint16_t *upper, sj_decoded *out);

bool sj_is_utf8(const char *data, size_t bytes);

#endif
