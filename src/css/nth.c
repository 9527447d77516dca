// Reads An+B: CSS Syntax Level 3, section 6.
#include "css/selector.h"

// Larger numbers are taken for this one: it exceeds any number of siblings, and sums of two do not overflow.
#define MAX_STEP 1000000000

static void skip_space(const char *text, size_t end, size_t *at) {
  for (;;) {
    while (*at < end && sj_is_css_space(text[*at])) ++*at;
    if (*at + 1 >= end || text[*at] != '/' || text[*at + 1] != '*') return;
    *at += 2;
    while (*at < end && !(text[*at] == '*' && *at + 1 < end && text[*at + 1] == '/')) ++*at;
    *at = *at + 2 < end ? *at + 2 : end;
  }
}

static bool digits(const char *text, size_t end, size_t *at, int32_t *out) {
  int64_t value = 0;
  size_t start = *at;
  for (; *at < end && text[*at] >= '0' && text[*at] <= '9'; ++*at)
    if (value < MAX_STEP) value = value * 10 + (text[*at] - '0');
  *out = (int32_t)(value < MAX_STEP ? value : MAX_STEP);
  return *at > start;
}

static bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
         c == '\\' || (unsigned char)c >= 0x80;
}

static bool word(const char *text, size_t end, size_t *at, const char *lower, size_t length) {
  if (end - *at < length || !sj_equal_ignoring_case(text + *at, lower, length)) return false;
  if (*at + length < end && is_name_byte(text[*at + length])) return false;
  *at += length;
  return true;
}

bool sj_css_parse_nth(const char *text, size_t end, size_t *at, int32_t *a, int32_t *b) {
  skip_space(text, end, at);
  *a = 2;
  *b = 1;
  if (word(text, end, at, "odd", 3)) return true;
  *b = 0;
  if (word(text, end, at, "even", 4)) return true;
  int32_t sign = 1, value;
  if (*at < end && (text[*at] == '+' || text[*at] == '-')) sign = text[(*at)++] == '-' ? -1 : 1;
  bool has_digits = digits(text, end, at, &value);
  if (*at >= end || sj_lower(text[*at]) != 'n') {
    *a = 0;
    *b = sign * value;
    return has_digits && (*at >= end || !is_name_byte(text[*at]));
  }
  ++*at;
  *a = sign * (has_digits ? value : 1);
  *b = 0;
  size_t behind = *at;
  skip_space(text, end, &behind);
  if (behind >= end || (text[behind] != '+' && text[behind] != '-')) return *at >= end || !is_name_byte(text[*at]);
  sign = text[behind++] == '-' ? -1 : 1;
  skip_space(text, end, &behind);
  if (!digits(text, end, &behind, &value)) return false;
  *b = sign * value;
  *at = behind;
  return *at >= end || !is_name_byte(text[*at]);
}
