// How the parts of the sheet parser work together: sheet.c reads rules and declarations, at_rules.c what begins with @,
// import.c @import, at_scope.c @scope.
#ifndef SJ_CSS_PARSER_H
#define SJ_CSS_PARSER_H

#include "css/selector.h"
#include "css/sheet.h"

typedef struct sj_css_parser {
  stijl_css *css;
  sj_css_program *program;
  sj_css_selector_parser selectors;
  sj_css_namespaces namespaces;
  sj_tokens tokens;
  sj_token token;
  size_t behind;     // the end of the token before that
  const char *name;  // of the sheet
  const sj_css_sheet_place *place;
  const uint16_t *encoding;  // that it was read in, see markup/encodings.h
  stijl_css_origin origin;
  uint32_t source, max_nesting;
  size_t spent;    // up to here the budget knows of the text
  size_t line_at;  // `line` is that of this place
  uint32_t line;
  uint64_t warnings;
  uint64_t foreign;  // rules with selectors for other browsers
  uint32_t foreign_line;
  bool head;            // only @charset, @layer statements and @import have come
  bool before_rules;    // the same with @namespace
  SJ_ARRAY(char) open;  // closers of the brackets that are being skipped
  stijl_message *message;
} sj_css_parser;

// Where rules and declarations find themselves.
typedef struct sj_css_surroundings {
  uint32_t list;                       // selectors of the style rule around, or roots of the scope; SJ_CSS_NONE
  uint32_t rule;                       // that rule
  uint32_t roots;                      // of the @scope around, SJ_CSS_NONE
  uint32_t limits;                     // where that ends, SJ_CSS_NONE
  bool weightless;                     // & is the root of the scope
  uint32_t roots_start, roots_length;  // in the text
  uint32_t roots_line;
  uint32_t open;  // the rule that takes declarations; SJ_CSS_NONE: begin another
  uint32_t layer;
  uint32_t depth;
  bool active;
} sj_css_surroundings;

extern const sj_css_surroundings sj_css_nowhere;

static inline void sj_css_advance(sj_css_parser *s) {
  s->behind = s->token.end;
  s->token = sj_tokens_next(&s->tokens);
}
static inline void sj_css_skip_space(sj_css_parser *s) {
  while (s->token.kind == SJ_TOKEN_SPACE) sj_css_advance(s);
}
static inline stijl_result sj_css_no_memory(sj_css_parser *s) { return sj_fail_memory(s->message); }

// --- sheet.c ---

// Counts on from the place that was asked for last: what is asked for comes in the order of the text, so that all
// counting together is one pass. What stands further back (the roots of a scope) has kept its line.
uint32_t sj_css_line_of(sj_css_parser *s, size_t at);
// Logs `what` with the text from `at` to `end`.
void sj_css_warn(sj_css_parser *s, size_t at, size_t end, const char *what);

// Moves behind the token or, if it opens a bracket, behind what closes that. Depth costs a byte a level.
stijl_result sj_css_skip_component(sj_css_parser *s);
// Moves from the name of an at-rule to its block or semicolon; *start to *end is what lies between.
stijl_result sj_css_skip_prelude(sj_css_parser *s, const sj_css_surroundings *around, size_t *start, size_t *end);
// Moves behind a statement or block that means nothing here.
stijl_result sj_css_skip_rule_end(sj_css_parser *s);

// Sets what & and :scope mean in the selectors that come next.
void sj_css_set_surroundings(sj_css_parser *s, const sj_css_surroundings *around);
// Returns the failure for selectors that were SJ_CSS_FAILED.
stijl_result sj_css_selector_failure(sj_css_parser *s);
// Parses the block that the token opens, whose rules are in `layer`.
stijl_result sj_css_parse_block(sj_css_parser *s, sj_css_surroundings *around, uint32_t layer, bool active);

// --- at_rules.c, import.c, at_scope.c ---

stijl_result sj_css_parse_at_rule(sj_css_parser *s, sj_css_surroundings *around);
// Parses "a.b.c" from the token on. *layer becomes SJ_CSS_NONE if there is none.
stijl_result sj_css_parse_layer_name(sj_css_parser *s, uint32_t parent, uint32_t *layer);
// Parses an import, from behind the name of the rule, which begins at `at`.
stijl_result sj_css_parse_import(sj_css_parser *s, const sj_css_surroundings *around, size_t at);
// Parses @scope (roots) to (limits) (CSS Cascade Level 6, section 2.5). The text between is from `start` to `end`, and
// its block comes next. Without roots they are the parent of the <style> element, which a sheet does not know.
stijl_result sj_css_parse_scope(sj_css_parser *s, sj_css_surroundings *around, size_t at, size_t start, size_t end);

#endif
