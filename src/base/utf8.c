#include "base/utf8.h"

int32_t sj_utf8_next(const char **at, const char *end) {
  static const int32_t least[] = {0, 0x80, 0x800, 0x10000};  // smaller characters must not be written this long
  const unsigned char *p = (const unsigned char *)(*at)++;
  if (*p < 0x80) return *p;
  int more = *p >> 5 == 6 ? 1 : *p >> 4 == 14 ? 2 : *p >> 3 == 30 ? 3 : 0;
  if (!more || end - *at < more) return -1;
  int32_t c = *p & (0x3f >> more);
  for (int i = 1; i <= more; i++) {
    if (p[i] >> 6 != 2) return -1;
    c = c << 6 | (p[i] & 0x3f);
  }
  bool surrogate = c >= 0xd800 && c < 0xe000;
  if (c < least[more] || c > 0x10ffff || surrogate) return -1;
  *at += more;
  return c;
}

size_t sj_utf8_put(uint32_t c, char *out) {
  static const uint32_t lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
  size_t count = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  if (!out) return count;
  for (size_t i = count - 1; i > 0; i--, c >>= 6) out[i] = (char)(0x80 | (c & 0x3f));
  out[0] = (char)(lead[count] | c);
  return count;
}

bool sj_is_control(int32_t c) {
  return (c >= 0 && c < 0x20) || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

bool sj_is_utf8(const char *data, size_t bytes) {
  const char *at = data, *end = data + bytes;
  while (at < end) {
    if ((unsigned char)*at < 0x80)
      at++;
    else if (sj_utf8_next(&at, end) < 0)
      return false;
  }
  return true;
}
