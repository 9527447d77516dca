// Reading decimal numbers, whatever the locale.
#ifndef SJ_GEOMETRY_NUMBER_H
#define SJ_GEOMETRY_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

// The number at the start of the text, as SVG 2 and CSS write it: [+-]? ([0-9]+ | [0-9]* "." [0-9]+) ([eE] [+-]?
// [0-9]+)? Returns the bytes it takes, 0 when there is none. White space is not skipped. At most a few units in the
// last place of the double away from the true value, and the same everywhere; beyond the range of double it is
// +-DBL_MAX or zero.
size_t sj_number_parse(const char *text, size_t length, double *out);

// Rounded to float; beyond its range the largest float, so that the result is always finite. NaN becomes 0.
float sj_number_to_float(double value);

static inline bool sj_is_digit(char c) { return c >= '0' && c <= '9'; }
// XML's and CSS's white space: space, tab, line feed, form feed, carriage return.
static inline bool sj_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r' && c != '\v'); }
static inline bool sj_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static inline char sj_to_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }
// The value of a hexadecimal digit; -1 for other characters.
static inline int sj_hex_digit(char c) {
  if (sj_is_digit(c)) return c - '0';
  c = sj_to_lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#endif
