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

size_t sj_html_number(int list, uint32_t number, char out[24]) {
  size_t length = 0;
  bool upper = list == SJ_LIST_UPPER_ALPHA || list == SJ_LIST_UPPER_ROMAN;
  if ((list == SJ_LIST_LOWER_ROMAN || list == SJ_LIST_UPPER_ROMAN) && number < 4000) {
    length = roman(number, out);
  } else {
    bool alpha = list == SJ_LIST_LOWER_ALPHA || list == SJ_LIST_UPPER_ALPHA;
    char back[16];
    size_t count = 0;
    for (uint32_t n = number; n; n = alpha ? (n - 1) / 26 : n / 10)
      back[count++] = alpha ? (char)('a' + (n - 1) % 26) : (char)('0' + n % 10);
    while (count) out[length++] = back[--count];
  }
  for (size_t i = 0; upper && i < length; i++) out[i] = (char)(out[i] - 'a' + 'A');
  out[length++] = '.';
  out[length++] = ' ';
  return length;
}
