// Tables of the keywords that a property may have.
#ifndef SJ_SVG_STYLE_KEYWORD_H
#define SJ_SVG_STYLE_KEYWORD_H

#include "svg/parse/values.h"

// A keyword in lower case, and what it stands for. The text is NULL behind a table's last.
typedef struct sj_keyword {
  const char *text;
  int value;
} sj_keyword;

// Finds the value of a keyword, in any case. Returns false, with *out unchanged, when the table does not have it.
static inline bool sj_parse_keyword(const sj_keyword *table, const char *text, size_t length, int *out) {
  for (; table->text; table++) {
    if (!sj_is_keyword(text, length, table->text)) continue;
    *out = table->value;
    return true;
  }
  return false;
}

#endif
