// Writes counters and the numbers of list items (CSS Counter Styles 3, 6).
#include <stdio.h>
#include <string.h>

#include "svg/html/html.h"
#include "svg/style/keyword.h"

bool sj_html_find_known_list(sj_value_text name, int *list) {
  static const sj_keyword lists[] = {{"disc", SJ_LIST_DISC},
                                     {"circle", SJ_LIST_CIRCLE},
                                     {"square", SJ_LIST_SQUARE},
                                     {"decimal", SJ_LIST_DECIMAL},
                                     {"decimal-leading-zero", SJ_LIST_LEADING_ZERO},
                                     {"lower-alpha", SJ_LIST_LOWER_ALPHA},
                                     {"lower-latin", SJ_LIST_LOWER_ALPHA},
                                     {"upper-alpha", SJ_LIST_UPPER_ALPHA},
                                     {"upper-latin", SJ_LIST_UPPER_ALPHA},
                                     {"lower-greek", SJ_LIST_LOWER_GREEK},
                                     {"lower-roman", SJ_LIST_LOWER_ROMAN},
                                     {"upper-roman", SJ_LIST_UPPER_ROMAN},
                                     {"none", SJ_LIST_NONE},
                                     {0}};
  return sj_parse_keyword(lists, name.text, name.length, list);
}

static size_t roman(int32_t number, char *out) {
  static const struct {
    int32_t value;
    const char *text;
  } parts[] = {{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"},
               {40, "xl"},  {10, "x"},   {9, "ix"},  {5, "v"},    {4, "iv"},  {1, "i"}};
  size_t length = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    for (; number >= parts[i].value; number -= parts[i].value)
      for (const char *c = parts[i].text; *c; c++) out[length++] = *c;
  return length;
}

// Writes a number above 0 in letters, the last of which counts ones.
static size_t letters(int32_t number, bool greek, char *out) {
  uint8_t back[8];
  int32_t base = greek ? 24 : 26;
  size_t count = 0, length = 0;
  for (; number > 0; number = (number - 1) / base) back[count++] = (uint8_t)((number - 1) % base);
  while (count) {
    uint32_t letter = back[--count];
    if (!greek) out[length++] = (char)('a' + letter);
    if (greek) letter += 0x3b1 + (letter > 16);  // without the final sigma
    if (greek) out[length++] = (char)(0xc0 | letter >> 6);
    if (greek) out[length++] = (char)(0x80 | (letter & 63));
  }
  return length;
}

// Writes a number. Letters have no 0, and Roman numbers neither 0 nor 4000: those are decimal.
size_t sj_html_number(int list, int32_t number, char out[SJ_HTML_NUMBER_BYTES]) {
  static const char *const bullets[] = {"\u2022", "\u25e6", "\u25a0"};  // as browsers have them
  size_t length = 0;
  switch (list) {
    case SJ_LIST_NONE: return 0;
    case SJ_LIST_DISC:
    case SJ_LIST_CIRCLE:
    case SJ_LIST_SQUARE: memcpy(out, bullets[list - SJ_LIST_DISC], 3); return 3;
    case SJ_LIST_LOWER_ROMAN:
    case SJ_LIST_UPPER_ROMAN:
      if (number > 0 && number < 4000) length = roman(number, out);
      break;
    case SJ_LIST_LOWER_ALPHA:
    case SJ_LIST_UPPER_ALPHA:
    case SJ_LIST_LOWER_GREEK: length = letters(number, list == SJ_LIST_LOWER_GREEK, out); break;
    default: break;
  }
  bool padded = list == SJ_LIST_LEADING_ZERO;
  if (!length) return (size_t)snprintf(out, SJ_HTML_NUMBER_BYTES, padded ? "%.2d" : "%d", (int)number);
  bool upper = list == SJ_LIST_UPPER_ALPHA || list == SJ_LIST_UPPER_ROMAN;
  for (size_t i = 0; upper && i < length; i++) out[i] = (char)(out[i] - 'a' + 'A');
  return length;
}
