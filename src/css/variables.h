// CSS Custom Properties for Cascading Variables Level 1: custom properties, and var() replaced by their values.
//
// Properties are declared in sets (what one rule or one style attribute declares), which many elements share. A scope
// is what an element sees: the sets that apply to it above the scope of its parent; elements with equal sets below
// equal parents share one. A property's value is computed once for the scope that it was declared in, when var() first
// asks.
#ifndef SJ_CSS_VARIABLES_H
#define SJ_CSS_VARIABLES_H

#include "css/tokens.h"
#include "dom/atoms.h"

#define SJ_CSS_NO_SCOPE 0u  // without any property

typedef struct sj_css_property {
  const char *value;
  size_t length;
} sj_css_property;

typedef struct sj_css_scope {
  uint32_t parent, first_set, set_count;
} sj_css_scope;

typedef enum sj_css_computed_state {
  SJ_CSS_COMPUTED_MISSING,    // no such property
  SJ_CSS_COMPUTED_INHERITED,  // `at`: the value of the scope that declares it
  SJ_CSS_COMPUTED_DECLARED,   // `at`: the property, not yet looked at
  SJ_CSS_COMPUTED_PLAIN,      // `at`: the property, whose value holds no var()
  SJ_CSS_COMPUTED_OPEN,       // being computed
  SJ_CSS_COMPUTED_TEXT,       // `at`, `length`: in `text`
  SJ_CSS_COMPUTED_INVALID
} sj_css_computed_state;

typedef struct sj_css_computed {
  sj_css_computed_state state;
  size_t at, length;
} sj_css_computed;

// A value or fallback that is being read while what it refers to is computed: so that no chain of references, however
// long, takes the thread's stack.
typedef struct sj_css_reading {
  sj_tokens tokens;
  size_t copied;  // of the text, to the output
  uint32_t scope;
  uint32_t computed;   // what the value becomes; UINT32_MAX for a fallback and the outermost value
  size_t start;        // in the output
  size_t value_start;  // in the output: of the value that a fallback is part of
  uint32_t open;       // parentheses within a fallback
  bool is_fallback;    // lies within the text of the value around, and ends with a parenthesis
  bool has_fallback;   // the var() that is being replaced has one, which `tokens` stands before
} sj_css_reading;

typedef struct sj_css_variables {
  stijl_context *context;
  sj_atoms names;
  sj_atoms places;  // the bytes of set and name of each property
  SJ_ARRAY(sj_css_property) properties;
  uint32_t set_count;
  sj_atoms scope_names;  // the bytes of parent and sets of each scope
  SJ_ARRAY(sj_css_scope) scopes;
  SJ_ARRAY(uint32_t) scope_sets;
  sj_atoms asked;  // the bytes of scope and name of each value that was asked for
  SJ_ARRAY(sj_css_computed) computed;
  sj_text_buffer text, out;
  SJ_ARRAY(sj_css_reading) stack;
  uint64_t total;  // bytes that substitution has made
} sj_css_variables;

typedef enum sj_css_substitution {
  SJ_CSS_SUBSTITUTED,
  SJ_CSS_INVALID_VALUE,  // invalid at computed-value time: a property that is not set, a cycle, a value that is too
                         // long
  SJ_CSS_NO_MEMORY,
  SJ_CSS_TOO_MUCH  // a limit for all values together, or the context's budget
} sj_css_substitution;

bool sj_css_has_variables(const char *value, size_t length);

// Prepares variables, which have to be finished in any case. Returns false when memory is short.
bool sj_css_variables_init(sj_css_variables *variables, stijl_context *context);
void sj_css_variables_finish(sj_css_variables *variables);

// Returns the number of a new set, which has to be filled at once.
uint32_t sj_css_variables_begin(sj_css_variables *variables);
// Adds a variable; the later of two equal names counts. `value` must stay valid. Returns false when memory is short.
bool sj_css_variables_add(sj_css_variables *variables, const char *name, size_t name_length, const char *value,
                          size_t length);
// Makes the scope of an element whose sets are `sets`, the one that the cascade ranks highest last. Returns false when
// memory is short.
bool sj_css_variables_scope(sj_css_variables *variables, uint32_t parent, const uint32_t *sets, uint32_t count,
                            uint32_t *scope);

// Returns the value with its variables replaced, as an element with the scope sees them; valid until the next call.
sj_css_substitution sj_css_substitute(sj_css_variables *variables, uint32_t scope, const char *value, size_t length,
                                      const char **out, size_t *out_length);

#endif
