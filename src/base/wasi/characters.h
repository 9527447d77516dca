// The general category and the script of the characters that most texts are made of. Unicode's tables are 22 KB of the
// module for the web by gzip, so they are in a part of it, which is loaded for other characters, for marks and for
// letters that a font lacks (docs/browser.md). scripts/wasm.sh puts this before HarfBuzz's tables; a test compares it
// with them.
#ifndef SJ_WASI_CHARACTERS_H
#define SJ_WASI_CHARACTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "hb.h"

// Tells the category and the script of a common character, whose combining class is 0. Categories are written as 'a'
// and HarfBuzz's numbers of them. Returns false for any other character.
static inline bool sj_common_character(uint32_t c, hb_unicode_general_category_t *category, hb_script_t *script) {
  static const char latin[] =
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa~vvvxvvvwsvzvrvvnnnnnnnnnnvvzzzv"
      "vjjjjjjjjjjjjjjjjjjjjjjjjjjwvsyqyffffffffffffffffffffffffffwzsza"
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa~vxxxx{vy{huzb{y{zppyfvvyphtpppv"
      "jjjjjjjjjjjjjjjjjjjjjjjzjjjjjjjffffffffffffffffffffffffzffffffff"
      "jfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjffjfjfjfj"
      "fjfjfjfjffjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjjfjfjff"
      "fjjfjfjjfjjjffjjjjfjjfjjjfffjjfjjfjfjfjjfjffjfjjfjjjfjfjjffhjfff"
      "hhhhjifjifjifjfjfjfjfjfjfjfjffjfjfjfjfjfjfjfjfjffjifjfjjjfjfjfjf"
      "jfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfffffffjjfjjf"
      "fjfjjjjfjfjfjfjf";
  static const char punctuation[] = "~~~~~~~~~~~bbbbbrrrrrrvvutwuutwuvvvvvvvv|}bbbbb~vvvvvvvvvutvvvvq";
  static const struct {
    uint16_t first, last;
    char category;
    uint32_t script;
  } rows[] = {
      {0x0391, 0x03a1, 'j', HB_SCRIPT_GREEK},    {0x03a3, 0x03ab, 'j', HB_SCRIPT_GREEK},
      {0x03ac, 0x03ce, 'f', HB_SCRIPT_GREEK},    {0x0400, 0x042f, 'j', HB_SCRIPT_CYRILLIC},
      {0x0430, 0x045f, 'f', HB_SCRIPT_CYRILLIC}, {0x20ac, 0x20ac, 'x', HB_SCRIPT_COMMON},
      {0x2122, 0x2122, '{', HB_SCRIPT_COMMON},   {0x2212, 0x2212, 'z', HB_SCRIPT_COMMON},
      {0x3000, 0x3000, '~', HB_SCRIPT_COMMON},   {0x3001, 0x3002, 'v', HB_SCRIPT_COMMON},
      {0x3041, 0x3096, 'h', HB_SCRIPT_HIRAGANA}, {0x30a1, 0x30fa, 'h', HB_SCRIPT_KATAKANA},
      {0x30fc, 0x30fc, 'g', HB_SCRIPT_COMMON},   {0x4e00, 0x9fef, 'h', HB_SCRIPT_HAN},
  };
  char found = 0;
  if (c < 0x250) {
    found = latin[c];
    *script = ((found >= 'f' && found <= 'j') && c != 0xb5) ? HB_SCRIPT_LATIN : HB_SCRIPT_COMMON;
  } else if (c >= 0x2000 && c < 0x2040) {
    found = punctuation[c - 0x2000];
    *script = c == 0x200c || c == 0x200d ? HB_SCRIPT_INHERITED : HB_SCRIPT_COMMON;
  } else {
    for (unsigned i = 0; i < sizeof rows / sizeof *rows && !found; i++) {
      if (c < rows[i].first || c > rows[i].last) continue;
      found = rows[i].category;
      *script = (hb_script_t)rows[i].script;
    }
  }
  *category = (hb_unicode_general_category_t)(found - 'a');
  return found != 0;
}

#endif
