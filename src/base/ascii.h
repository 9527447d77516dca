// ASCII characters, whatever the locale.
#ifndef SJ_BASE_ASCII_H
#define SJ_BASE_ASCII_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool sj_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool sj_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
// Returns whether the character is white space of XML or CSS: space, tab, line feed, form feed, carriage return.
static inline bool sj_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r' && c != '\v'); }
static inline char sj_to_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

// Returns the value of a hexadecimal digit; -1 for other characters.
static inline int sj_hex_digit(char c) {
  if (sj_is_digit(c)) return c - '0';
  c = sj_to_lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Returns whether two texts of one length are equal but for the case of ASCII letters.
static inline bool sj_equal_ignoring_case(const char *a, const char *b, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (sj_to_lower(a[i]) != sj_to_lower(b[i])) return false;
  return true;
}

// Returns whether a text is one of the words, but for its own case. Words are in lower case, with a space between each
// two.
static inline bool sj_is_among(const char *words, const char *text, size_t length) {
  for (size_t word; (word = strcspn(words, " ")) > 0; words += word + (words[word] == ' '))
    if (word == length && sj_equal_ignoring_case(words, text, length)) return true;
  return false;
}

#endif
