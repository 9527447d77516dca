#include "print.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool failed;

bool cli_print_failed(void) { return failed; }

int32_t cli_next_character(const char **at, const char *end) {
  const unsigned char *s = (const unsigned char *)*at;
  size_t left = (size_t)(end - *at), length;
  unsigned lo = 0x80, hi = 0xbf;
  (*at)++;
  if (s[0] < 0x80) return s[0];
  if (s[0] >= 0xc2 && s[0] <= 0xdf) {
    length = 2;
  } else if (s[0] >= 0xe0 && s[0] <= 0xef) {
    length = 3;
    if (s[0] == 0xe0) lo = 0xa0;
    if (s[0] == 0xed) hi = 0x9f;
  } else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
    length = 4;
    if (s[0] == 0xf0) lo = 0x90;
    if (s[0] == 0xf4) hi = 0x8f;
  } else {
    return -1;
  }
  if (left < length || s[1] < lo || s[1] > hi) return -1;
  int32_t c = s[0] & (0x7f >> length);
  for (size_t i = 1; i < length; i++) {
    if (s[i] < 0x80 || s[i] > 0xbf) return -1;
    c = c << 6 | (s[i] & 0x3f);
  }
  *at += length - 1;
  return c;
}

bool cli_is_control(int32_t c) {
  return (c >= 0 && c < 0x20) || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

#define ESCAPED_BYTES 12

// Returns the next character as it is shown: the bytes of the text themselves, or `escaped`. Moves *at behind it.
static const char *shown(const char **at, const char *end, char escaped[ESCAPED_BYTES], size_t *length) {
  const char *from = *at;
  int32_t c = cli_next_character(at, end);
  *length = (size_t)(*at - from);
  if (c >= 0 && !cli_is_control(c)) return from;
  bool byte = c < 0x80;
  *length = (size_t)snprintf(escaped, ESCAPED_BYTES, byte ? "\\x%02x" : "\\u{%04x}",
                             byte ? (unsigned)(unsigned char)*from : (unsigned)c);
  return escaped;
}

void cli_escape(char *out, size_t room, const char *text, size_t length) {
  const char *end = text + length;
  size_t used = 0;
  while (text < end) {
    char escaped[ESCAPED_BYTES];
    size_t bytes;
    const char *piece = shown(&text, end, escaped, &bytes);
    if (used + bytes >= room) break;
    memcpy(out + used, piece, bytes);
    used += bytes;
  }
  out[used] = 0;
}

static void print(const char *text, const char *end) {
  while (text < end) {
    char escaped[ESCAPED_BYTES];
    size_t bytes;
    const char *piece = shown(&text, end, escaped, &bytes);
    fwrite(piece, 1, bytes, stdout);
  }
}

void cli_print(const char *format, ...) {
  char small[512], *line = small;
  va_list args;
  va_start(args, format);
  int length = vsnprintf(small, sizeof small, format, args);
  va_end(args);
  if (length >= (int)sizeof small && (line = malloc((size_t)length + 1))) {
    va_start(args, format);
    vsnprintf(line, (size_t)length + 1, format, args);
    va_end(args);
  }
  if (length < 0 || !line) {
    failed = true;
    return;
  }
  print(line, line + length);
  putchar('\n');
  if (line != small) free(line);
}

void cli_print_lines(const char *text) {
  while (*text) {
    size_t length = strcspn(text, "\n");
    print(text, text + length);
    text += length;
    if (*text) putchar(*text++);
  }
}
