// UTF-8: every character goes there and back, and nothing else is accepted.
#include "base/utf8.h"

#include <string.h>

#include "test.h"

// Decodes one character, which has to end with the text. Returns -1 if it is refused after one byte, and -2 otherwise.
static int32_t decode(const char *text, size_t length) {
  const char *at = text;
  int32_t c = sj_utf8_next(&at, text + length);
  if (c < 0) return at == text + 1 ? -1 : -2;
  return at == text + length ? c : -2;
}

TEST(every_character_goes_there_and_back) {
  int wrong = 0;
  for (uint32_t c = 0; c <= 0x10ffff; c++) {
    char text[4];
    size_t length = sj_utf8_put(c, text), expected = 1 + (c >= 0x80) + (c >= 0x800) + (c >= 0x10000);
    bool surrogate = c >= 0xd800 && c < 0xe000;
    wrong += length != expected || sj_utf8_put(c, NULL) != expected;
    wrong += decode(text, length) != (surrogate ? -1 : (int32_t)c) || sj_is_utf8(text, length) == surrogate;
    // A character that ends early.
    for (size_t part = 1; part < length; part++) wrong += decode(text, part) != -1 || sj_is_utf8(text, part);
  }
  CHECK_INT(wrong, 0);
}

TEST(nothing_else_is_accepted) {
  static const char *const texts[] = {// Too many or too few continuation bytes.
                                      "\x80", "\xbf", "\xc3(", "\xe2\x82(",
                                      // Longer than necessary.
                                      "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf",
                                      // Beyond U+10FFFF.
                                      "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
                                      // Bytes that never begin a character.
                                      "\xf8\x88\x80\x80\x80", "\xff"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    CHECK_INT(decode(texts[i], strlen(texts[i])), -1);
    CHECK(!sj_is_utf8(texts[i], strlen(texts[i])));
  }
  CHECK(sj_is_utf8("", 0));
  CHECK(sj_is_utf8("a\xc3\xa9z", 4));
  CHECK(!sj_is_utf8("a\xc3\xa9\xff", 4));
}
