// Declarations, CSS Syntax 3: those of a style attribute or a block without rules in it, and what all declarations have
// in common, wherever they stand.
#ifndef SJ_CSS_DECLARATION_H
#define SJ_CSS_DECLARATION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sj_declarations {
  const char *cursor, *end;
} sj_declarations;

typedef struct sj_declaration {
  const char *name;  // as written: compare without regard to case, except custom properties (--x)
  size_t name_length;
  const char *value;  // as sj_declaration_value leaves it; may be empty
  size_t value_length;
  bool important;
} sj_declaration;

sj_declarations sj_declarations_begin(const char *text, size_t length);
// Reads the next well-formed declaration; malformed ones are skipped. Returns false at the end.
bool sj_declarations_next(sj_declarations *declarations, sj_declaration *out);

// Cuts white space, comments and "!important" off what stands between a declaration's colon and its end. Returns
// whether it is important.
bool sj_declaration_value(const char **value, size_t *length);

#endif
