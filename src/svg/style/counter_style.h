// The rules @counter-style of a document (CSS Counter Styles 3, 3).
#ifndef SJ_SVG_STYLE_COUNTER_STYLE_H
#define SJ_SVG_STYLE_COUNTER_STYLE_H

#include "svg/parse/document.h"
#include "svg/parse/values.h"

typedef enum sj_counter_system {
  SJ_COUNTER_CYCLIC,
  SJ_COUNTER_FIXED,
  SJ_COUNTER_SYMBOLIC,
  SJ_COUNTER_ALPHABETIC,
  SJ_COUNTER_NUMERIC,
  SJ_COUNTER_ADDITIVE,
  SJ_COUNTER_EXTENDS  // what another style is, which may be one that no rule defines
} sj_counter_system;

typedef struct sj_counter_symbol {
  int32_t weight;  // of ADDITIVE
  sj_value_text text;
} sj_counter_symbol;

typedef struct sj_counter_range {
  int32_t first, last;
} sj_counter_range;

// From `first` on, up to behind it.
typedef struct sj_counter_span {
  uint32_t first, end;
} sj_counter_span;

// Texts that no descriptor gives have no `text`.
typedef struct sj_counter_style {
  sj_value_text name;
  int system;               // sj_counter_system
  sj_value_text base;       // of EXTENDS
  int32_t first;            // of FIXED
  sj_counter_span symbols;  // of those of all styles
  sj_counter_span ranges;   // likewise; empty: auto
  sj_value_text negative[2], prefix, suffix, pad, fallback;
  int32_t pad_to;
} sj_counter_style;

typedef struct sj_counter_styles {
  SJ_ARRAY(sj_counter_style) list;
  SJ_ARRAY(sj_counter_symbol) symbols;
  SJ_ARRAY(sj_counter_range) ranges;
} sj_counter_styles;

// Returns whether the document has such rules.
bool sj_counter_styles_exist(const sj_document *document);
// Reads those of the rules that are valid; their texts are in the document's sheets, or made in the arena. Returns
// false when memory is short or the budget is spent. To be finished in any case.
bool sj_counter_styles_load(const sj_document *document, sj_arena *arena, sj_counter_styles *out);
void sj_counter_styles_finish(stijl_context *context, sj_counter_styles *styles);

#endif
