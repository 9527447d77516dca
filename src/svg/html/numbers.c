// Writes the numbers of list items.
#include "svg/html/html.h"

static size_t roman(uint32_t number, char *out) {
  static const struct {
    uint32_t value;
    const char *text;
  } parts[] = {{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"},
               {40, "xl"},  {10, "x"},   {9, "ix"},  {5, "v"},    {4, "iv"},  {1, "i"}};
  size_t length = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    for (; number >= parts[i].value; number -= parts[i].value)
      for (const char *c = parts[i].text; *c; c++) out[length++] = *c;
  return length;
}

// As CSS Counter Styles has it, letters have no 0, and Roman numbers neither 0 nor 4000: those are decimal.
size_t sj_html_number(int list, uint32_t number, char out[24]) {
  bool letters = number && (list == SJ_LIST_LOWER_ALPHA || list == SJ_LIST_UPPER_ALPHA);
  bool numerals = number && number < 4000 && (list == SJ_LIST_LOWER_ROMAN || list == SJ_LIST_UPPER_ROMAN);
  size_t length = 0;
  if (numerals) {
    length = roman(number, out);
  } else {
    char back[16];
    size_t count = 0;
    uint32_t n = number;
    do {
      back[count++] = letters ? (char)('a' + (n - 1) % 26) : (char)('0' + n % 10);
      n = letters ? (n - 1) / 26 : n / 10;
    } while (n);
    while (count) out[length++] = back[--count];
  }
  bool upper = list == SJ_LIST_UPPER_ALPHA || list == SJ_LIST_UPPER_ROMAN;
  for (size_t i = 0; (letters || numerals) && upper && i < length; i++) out[i] = (char)(out[i] - 'a' + 'A');
  out[length++] = '.';
  out[length++] = ' ';
  return length;
}
