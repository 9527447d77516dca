// Converts text of any encoding to UTF-8.
#ifndef SJ_MARKUP_DECODE_H
#define SJ_MARKUP_DECODE_H

#include <stdint.h>

#include "base/context.h"
#include "base/utf8.h"

typedef struct sj_decoded {
  const char *text;
  size_t bytes;
  char *made;  // the block that holds the text, for sj_free; NULL when `text` points into the given data
} sj_decoded;

// Decodes a text. A byte order mark decides the encoding, and is not part of the text. Without one the encoding is that
// of `upper`, the table that sj_encoding_find returns (NULL: UTF-8). UTF-8 is neither copied nor checked. Returns false
// when memory is short.
bool sj_decode(stijl_context *context, const char *data, size_t bytes, const uint16_t *upper, sj_decoded *out);

#endif
