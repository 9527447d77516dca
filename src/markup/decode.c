#include "markup/decode.h"

#include <string.h>

static uint32_t unit(const unsigned char *at, bool big) {
  return big ? (uint32_t)at[0] << 8 | at[1] : (uint32_t)at[1] << 8 | at[0];
}

// Converts text to UTF-8, and returns its length in bytes, as the function below does. Where `out` is NULL both only
// count.
static size_t from_single(const unsigned char *data, size_t bytes, const uint16_t *upper, char *out) {
  size_t count = 0;
  for (size_t i = 0; i < bytes; i++)
    count += sj_utf8_put(data[i] < 0x80 ? data[i] : upper[data[i] - 0x80], out ? out + count : NULL);
  return count;
}

static size_t from_utf16(const unsigned char *data, size_t bytes, bool big, char *out) {
  size_t count = 0;
  for (size_t i = 0; i < bytes; i += 2) {
    uint32_t c = i + 1 < bytes ? unit(data + i, big) : SJ_REPLACEMENT_CHARACTER;
    bool high = c >= 0xd800 && c < 0xdc00, low = c >= 0xdc00 && c < 0xe000;
    uint32_t next = high && i + 3 < bytes ? unit(data + i + 2, big) : 0;
    if (next >= 0xdc00 && next < 0xe000) {
      c = 0x10000 + ((c - 0xd800) << 10) + (next - 0xdc00);
      i += 2;
    } else if (high || low) {
      c = SJ_REPLACEMENT_CHARACTER;
    }
    count += sj_utf8_put(c, out ? out + count : NULL);
  }
  return count;
}

bool sj_decode(stijl_context *context, const char *data, size_t bytes, const uint16_t *upper, sj_decoded *out) {
  bool utf8 = bytes >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0;
  bool little = bytes >= 2 && memcmp(data, "\xff\xfe", 2) == 0, big = bytes >= 2 && memcmp(data, "\xfe\xff", 2) == 0;
  bool wide = little || big;
  size_t mark = utf8 ? 3 : wide ? 2 : 0;
  if (mark) {
    data += mark;
    bytes -= mark;
  }
  *out = (sj_decoded){.text = data, .bytes = bytes};
  if (utf8 || (!wide && !upper)) return true;
  const unsigned char *from = (const unsigned char *)data;
  out->bytes = wide ? from_utf16(from, bytes, big, NULL) : from_single(from, bytes, upper, NULL);
  out->text = out->made = sj_alloc(context, out->bytes + 1);
  if (!out->made) return false;
  if (wide)
    from_utf16(from, bytes, big, out->made);
  else
    from_single(from, bytes, upper, out->made);
  out->made[out->bytes] = 0;
  return true;
}
