// What the properties say that generate content (CSS Generated Content 3; CSS Lists 3, 4).
#ifndef SJ_SVG_STYLE_HTML_CONTENT_H
#define SJ_SVG_STYLE_HTML_CONTENT_H

#include "base/arena.h"
#include "svg/parse/values.h"

typedef enum sj_piece_kind {
  SJ_PIECE_STRING,     // text
  SJ_PIECE_ATTRIBUTE,  // name; text: in its place if there is none
  SJ_PIECE_COUNTER,    // name; style
  SJ_PIECE_COUNTERS,   // name; text: between them; style
  SJ_PIECE_IMAGE,      // text: its URL
  SJ_PIECE_OPEN_QUOTE,
  SJ_PIECE_CLOSE_QUOTE,
  SJ_PIECE_NO_OPEN_QUOTE,
  SJ_PIECE_NO_CLOSE_QUOTE,
  SJ_PIECE_END,
  SJ_PIECE_INVALID  // also when memory is short
} sj_piece_kind;

typedef struct sj_content_item {
  sj_piece_kind kind;
  sj_value_text name, text, style;
} sj_content_item;

// Takes the next item of a `content`, or of a list of strings. Texts with escapes are made in the arena; where that is
// NULL they keep these.
sj_content_item sj_content_next(sj_arena *arena, sj_value_text *left);
// Returns whether all its items are valid, and there are some.
bool sj_content_is_valid(sj_value_text value);

// Takes the next pair of a counter-reset, -increment or -set: a counter, and a number, which is `otherwise` where there
// is none. Returns false at the end; *valid becomes false where something else stands.
bool sj_counter_next(sj_value_text *left, int32_t otherwise, sj_value_text *name, int32_t *number, bool *valid);

#endif
