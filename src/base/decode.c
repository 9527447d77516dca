#include "base/decode.h"

#include <string.h>

#define REPLACEMENT 0xfffdu  // for what is not a character

// Writes nothing where `out` is NULL. Returns the bytes that the character takes.
static size_t put(uint32_t c, char *out) {
  unsigned char bytes[4];
  size_t count = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  if (!out) return count;
  static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t i = count - 1; i > 0; i--, c >>= 6) bytes[i] = (unsigned char)(0x80 | (c & 0x3f));
  bytes[0] = (unsigned char)(lead[count] | c);
  memcpy(out, bytes, count);
  return count;
}

static uint32_t unit(const unsigned char *at, bool big) {
  return big ? (uint32_t)at[0] << 8 | at[1] : (uint32_t)at[1] << 8 | at[0];
}

// Both count the bytes of the text when `out` is NULL.
static size_t from_single(const unsigned char *data, size_t bytes, const uint16_t *upper, char *out) {
  size_t count = 0;
  for (size_t i = 0; i < bytes; i++)
    count += put(data[i] < 0x80 ? data[i] : upper[data[i] - 0x80], out ? out + count : NULL);
  return count;
}

static size_t from_utf16(const unsigned char *data, size_t bytes, bool big, char *out) {
  size_t count = 0;
  for (size_t i = 0; i < bytes; i += 2) {
    uint32_t c = i + 1 < bytes ? unit(data + i, big) : REPLACEMENT;
    bool high = c >= 0xd800 && c < 0xdc00, low = c >= 0xdc00 && c < 0xe000;
    uint32_t next = high && i + 3 < bytes ? unit(data + i + 2, big) : 0;
    if (next >= 0xdc00 && next < 0xe000) {
      c = 0x10000 + ((c - 0xd800) << 10) + (next - 0xdc00);
      i += 2;
    } else if (high || low) {
      c = REPLACEMENT;
    }
    count += put(c, out ? out + count : NULL);
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

bool sj_is_utf8(const char *data, size_t bytes) {
  const unsigned char *at = (const unsigned char *)data, *end = at + bytes;
  while (at < end) {
    unsigned char lead = *at++;
    if (lead < 0x80) continue;
    // What may follow the lead byte: no overlong forms, no surrogates, nothing beyond U+10FFFF (Unicode, table 3-7).
    unsigned char first = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    unsigned char last = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    int more = lead >= 0xc2 && lead < 0xe0 ? 1 : lead >= 0xe0 && lead < 0xf0 ? 2 : lead >= 0xf0 && lead < 0xf5 ? 3 : 0;
    if (!more || end - at < more || *at < first || *at > last) return false;
    for (at++; --more; at++)
      if ((*at & 0xc0) != 0x80) return false;
  }
  return true;
}
