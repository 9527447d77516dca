#include "css/variables.h"

#include <string.h>

#include "base/ascii.h"
#include "base/budget.h"

// Values that are longer are invalid, as in browsers, which allow one or two MiB.
#define MAX_BYTES ((size_t)1 << 20)
// All values together.
#define MAX_TOTAL ((uint64_t)1 << 27)
#define NOTHING UINT32_MAX
// Steps of the budget for looking into one set, and for one byte made.
#define WORK_LOOK 50
#define WORK_BYTE 4

bool sj_css_has_variables(const char *value, size_t length) {
  for (size_t i = 0; i + 4 <= length; i++)
    if (value[i + 3] == '(' && (value[i] | 32) == 'v' && (value[i + 1] | 32) == 'a' && (value[i + 2] | 32) == 'r')
      return true;
  return false;
}

bool sj_css_variables_init(sj_css_variables *v, stijl_context *context) {
  *v = (sj_css_variables){.context = context};
  return sj_atoms_init(&v->names, context) && sj_atoms_init(&v->places, context) &&
         sj_atoms_init(&v->scope_names, context) && sj_atoms_init(&v->asked, context) &&
         sj_array_push(context, &v->scopes, (sj_css_scope){SJ_CSS_NO_SCOPE, 0, 0});
}

void sj_css_variables_finish(sj_css_variables *v) {
  if (!v->context) return;
  sj_atoms_finish(&v->names);
  sj_atoms_finish(&v->places);
  sj_atoms_finish(&v->scope_names);
  sj_atoms_finish(&v->asked);
  sj_arrays_finish(v->context, &v->properties, &v->scopes, &v->scope_sets, &v->computed, &v->text, &v->out, &v->stack);
}

// --- declarations and scopes ---

uint32_t sj_css_variables_begin(sj_css_variables *v) { return v->set_count++; }

// Returns the number of the pair, given to new ones as they come; NOTHING when memory is short.
static uint32_t number_of(sj_atoms *table, uint32_t a, uint32_t b) {
  const uint32_t key[2] = {a, b};
  sj_atom atom = sj_atoms_intern(table, (const char *)key, sizeof key);
  return atom ? atom - SJ_ATOM_FIRST : NOTHING;
}

bool sj_css_variables_add(sj_css_variables *v, const char *name, size_t name_length, const char *value, size_t length) {
  sj_atom atom = sj_atoms_intern(&v->names, name, name_length);
  uint32_t place = atom ? number_of(&v->places, v->set_count - 1, atom) : NOTHING;
  if (place == NOTHING) return false;
  sj_css_property property = {value, length};
  if (place == v->properties.count) return sj_array_push(v->context, &v->properties, property);
  v->properties.data[place] = property;
  return true;
}

bool sj_css_variables_scope(sj_css_variables *v, uint32_t parent, const uint32_t *sets, uint32_t count,
                            uint32_t *scope) {
  *scope = parent;
  if (!count) return true;
  // The key is put together where the sets will lie, behind their parent.
  if (!sj_array_reserve(v->context, &v->scope_sets, (size_t)count + 1)) return false;
  uint32_t *key = v->scope_sets.data + v->scope_sets.count;
  key[0] = parent;
  memcpy(key + 1, sets, count * sizeof *sets);
  sj_atom atom = sj_atoms_intern(&v->scope_names, (const char *)key, ((size_t)count + 1) * sizeof *key);
  if (!atom) return false;
  *scope = atom - SJ_ATOM_FIRST + 1;
  if (*scope < v->scopes.count) return true;
  sj_css_scope made = {parent, (uint32_t)v->scope_sets.count + 1, count};
  v->scope_sets.count += (size_t)count + 1;
  return sj_array_push(v->context, &v->scopes, made);
}

// --- values ---

// Returns the property that one of the scope's own sets declares; NOTHING when none does.
static uint32_t own_property(const sj_css_variables *v, const sj_css_scope *scope, sj_atom name) {
  const uint32_t *sets = sj_array_at(&v->scope_sets, scope->first_set);
  for (uint32_t left = scope->set_count; left > 0; left--) {
    uint32_t i = left - 1;
    const uint32_t key[2] = {sets[i], name};
    sj_atom place = sj_atoms_find(&v->places, (const char *)key, sizeof key);
    if (place) return place - SJ_ATOM_FIRST;
  }
  return NOTHING;
}

// Returns the number of the computed value of the property that is declared in this very scope.
static uint32_t declared_value(sj_css_variables *v, uint32_t scope, sj_atom name, uint32_t property) {
  uint32_t number = number_of(&v->asked, scope, name);
  if (number == NOTHING || number < v->computed.count) return number;
  sj_css_computed made = {SJ_CSS_COMPUTED_DECLARED, property, 0};
  return sj_array_push(v->context, &v->computed, made) ? number : NOTHING;
}

static bool is_word(const sj_css_property *property, const char *word) {
  return property->length == strlen(word) && sj_equal_ignoring_case(property->value, word, property->length);
}

// Returns whether the property has the value of the parent. Without layers and origins to go back to, `revert` is
// `unset`.
static bool inherits(const sj_css_property *property) {
  return property->length >= 5 && (is_word(property, "inherit") || is_word(property, "unset") ||
                                   is_word(property, "revert") || is_word(property, "revert-layer"));
}

// Returns what the name means in the scope, as a number of a computed value. NOTHING when memory is short or the budget
// spent.
static uint32_t look_up(sj_css_variables *v, uint32_t scope, sj_atom name) {
  uint32_t number = number_of(&v->asked, scope, name);
  if (number == NOTHING) return NOTHING;
  if (number < v->computed.count) {
    const sj_css_computed *known = &v->computed.data[number];
    return known->state == SJ_CSS_COMPUTED_INHERITED ? (uint32_t)known->at : number;
  }
  if (!sj_array_push(v->context, &v->computed, (sj_css_computed){SJ_CSS_COMPUTED_MISSING, 0, 0})) return NOTHING;
  uint32_t owner = scope, property;
  uint64_t looks = 1;
  for (;; owner = v->scopes.data[owner].parent) {
    looks += v->scopes.data[owner].set_count;
    property = own_property(v, &v->scopes.data[owner], name);
    if (property != NOTHING && inherits(&v->properties.data[property]) && owner != SJ_CSS_NO_SCOPE) property = NOTHING;
    if (property != NOTHING || owner == SJ_CSS_NO_SCOPE) break;
  }
  if (!sj_context_check(v->context, looks * WORK_LOOK)) return NOTHING;
  if (property == NOTHING || is_word(&v->properties.data[property], "initial")) return number;
  if (owner == scope) {
    v->computed.data[number] = (sj_css_computed){SJ_CSS_COMPUTED_DECLARED, property, 0};
    return number;
  }
  uint32_t inherited = declared_value(v, owner, name, property);
  if (inherited != NOTHING) v->computed.data[number] = (sj_css_computed){SJ_CSS_COMPUTED_INHERITED, inherited, 0};
  return inherited;
}

// --- substitution ---

static sj_css_substitution append(sj_css_variables *v, const sj_css_reading *r, const char *text, size_t length) {
  if (length > MAX_BYTES - (v->out.count - r->value_start)) return SJ_CSS_INVALID_VALUE;
  v->total += length;
  if (v->total > MAX_TOTAL || !sj_context_check(v->context, (uint64_t)length * WORK_BYTE)) return SJ_CSS_TOO_MUCH;
  if (length == 0) return SJ_CSS_SUBSTITUTED;
  if (!sj_array_reserve(v->context, &v->out, length)) return SJ_CSS_NO_MEMORY;
  memcpy(v->out.data + v->out.count, text, length);
  v->out.count += length;
  return SJ_CSS_SUBSTITUTED;
}

static sj_css_substitution push(sj_css_variables *v, sj_css_reading r) {
  if (!sj_context_check(v->context, (uint64_t)(r.tokens.end - r.tokens.at) * WORK_BYTE)) return SJ_CSS_TOO_MUCH;
  r.copied = r.tokens.at;
  r.start = v->out.count;
  return sj_array_push(v->context, &v->stack, r) ? SJ_CSS_SUBSTITUTED : SJ_CSS_NO_MEMORY;
}

static sj_css_reading *innermost(sj_css_variables *v) { return &v->stack.data[v->stack.count - 1]; }

// Reads the name behind "var(", up to a fallback or behind the parenthesis.
static bool read_variable(sj_css_reading *r, sj_token *name) {
  sj_tokens *tokens = &r->tokens;
  *name = sj_tokens_next_word(tokens);
  bool custom = name->kind == SJ_TOKEN_IDENT && name->name_end - name->name_start > 2 &&
                memcmp(tokens->text + name->name_start, "--", 2) == 0;
  if (!custom) return false;
  sj_token next = sj_tokens_next_word(tokens);
  r->has_fallback = next.kind == SJ_TOKEN_COMMA;
  return r->has_fallback || next.kind == SJ_TOKEN_CLOSE_PAREN || next.kind == SJ_TOKEN_END;
}

// Continues behind the var() that was being replaced.
static void pass_variable(sj_css_reading *r) {
  if (r->has_fallback) {
    uint32_t open = 0;
    for (;;) {
      sj_token token = sj_tokens_next(&r->tokens);
      if (token.kind == SJ_TOKEN_END || sj_token_leaves(token.kind, &open)) break;
    }
  }
  r->has_fallback = false;
  r->copied = r->tokens.at;
}

// Lets the fallback take the place of a variable that has no value.
static sj_css_substitution fall_back(sj_css_variables *v) {
  sj_css_reading *r = innermost(v);
  if (!r->has_fallback) return SJ_CSS_INVALID_VALUE;
  r->has_fallback = false;
  sj_css_reading fallback = {
      .tokens = r->tokens, .scope = r->scope, .computed = NOTHING, .value_start = r->value_start, .is_fallback = true};
  return push(v, fallback);
}

// Breaks a circle: all that is being computed from this value on depends on itself, and none of it gets a value.
static sj_css_substitution break_cycle(sj_css_variables *v, uint32_t computed) {
  for (bool found = false; !found;) {
    const sj_css_reading *r = &v->stack.data[--v->stack.count];
    found = r->computed == computed;
    if (r->computed != NOTHING) v->computed.data[r->computed].state = SJ_CSS_COMPUTED_INVALID;
    v->out.count = r->start;
  }
  return fall_back(v);
}

static sj_css_substitution append_value(sj_css_variables *v, const char *text, size_t length) {
  sj_css_reading *r = innermost(v);
  pass_variable(r);
  return append(v, r, text, length);
}

static sj_css_substitution replace(sj_css_variables *v, const sj_token *name) {
  const sj_css_reading *r = innermost(v);
  sj_atom atom = sj_atoms_find(&v->names, r->tokens.text + name->name_start, name->name_end - name->name_start);
  if (!atom) return fall_back(v);
  uint32_t number = look_up(v, r->scope, atom);
  if (number == NOTHING) return sj_context_check(v->context, 0) ? SJ_CSS_NO_MEMORY : SJ_CSS_TOO_MUCH;
  sj_css_computed *value = &v->computed.data[number];
  if (value->state == SJ_CSS_COMPUTED_DECLARED) {
    const sj_css_property *p = &v->properties.data[value->at];
    value->state = sj_css_has_variables(p->value, p->length) ? SJ_CSS_COMPUTED_OPEN : SJ_CSS_COMPUTED_PLAIN;
    if (value->state == SJ_CSS_COMPUTED_OPEN) {
      // Its variables are those that the element sees that it was declared for.
      uint32_t scope;
      memcpy(&scope, sj_atoms_text(&v->asked, number + SJ_ATOM_FIRST), sizeof scope);
      return push(v, (sj_css_reading){.tokens = sj_tokens_begin(p->value, 0, p->length, NULL),
                                      .scope = scope,
                                      .computed = number,
                                      .value_start = v->out.count});
    }
  }
  switch (value->state) {
    case SJ_CSS_COMPUTED_PLAIN:
      return append_value(v, v->properties.data[value->at].value, v->properties.data[value->at].length);
    case SJ_CSS_COMPUTED_TEXT: return append_value(v, value->length ? v->text.data + value->at : "", value->length);
    case SJ_CSS_COMPUTED_OPEN: return break_cycle(v, number);
    default: return fall_back(v);
  }
}

// Closes the value or fallback that has been read to its end: keeps what became of it, which the value around continues
// with.
static sj_css_substitution close_value(sj_css_variables *v) {
  sj_css_reading r = v->stack.data[--v->stack.count];
  size_t length = v->out.count - r.start;
  if (r.computed != NOTHING) {
    sj_css_computed made = {SJ_CSS_COMPUTED_TEXT, v->text.count, length};
    if (length && !sj_array_reserve(v->context, &v->text, length)) return SJ_CSS_NO_MEMORY;
    if (length) memcpy(v->text.data + v->text.count, v->out.data + r.start, length);
    v->text.count += length;
    v->computed.data[r.computed] = made;
  }
  if (!v->stack.count) return SJ_CSS_SUBSTITUTED;
  sj_css_reading *around = innermost(v);
  if (r.is_fallback) around->tokens.at = r.tokens.at;
  pass_variable(around);
  return v->out.count - around->value_start > MAX_BYTES ? SJ_CSS_INVALID_VALUE : SJ_CSS_SUBSTITUTED;
}

// Gives up what is being read last, which has no value. Neither has what needs it, up to the first var() with a
// fallback.
static sj_css_substitution give_up(sj_css_variables *v) {
  while (v->stack.count) {
    sj_css_reading r = v->stack.data[--v->stack.count];
    v->out.count = r.start;
    if (r.computed != NOTHING) {
      v->computed.data[r.computed].state = SJ_CSS_COMPUTED_INVALID;
      sj_css_substitution result = fall_back(v);
      if (result != SJ_CSS_INVALID_VALUE) return result;
    }
  }
  return SJ_CSS_INVALID_VALUE;
}

// Goes on with what is being read last, to its next var() or its end.
static sj_css_substitution go_on(sj_css_variables *v) {
  sj_css_reading *r = innermost(v);
  for (;;) {
    sj_token token = sj_tokens_next(&r->tokens);
    bool variable = token.kind == SJ_TOKEN_FUNCTION && sj_token_is(&r->tokens, &token, "var");
    bool end = token.kind == SJ_TOKEN_END;
    if (r->is_fallback && !variable) end |= sj_token_leaves(token.kind, &r->open);
    if (!variable && !end) continue;
    sj_css_substitution result = append(v, r, r->tokens.text + r->copied, token.start - r->copied);
    if (result) return result;
    if (end) return close_value(v);
    sj_token name;
    return read_variable(r, &name) ? replace(v, &name) : SJ_CSS_INVALID_VALUE;
  }
}

sj_css_substitution sj_css_substitute(sj_css_variables *v, uint32_t scope, const char *value, size_t length,
                                      const char **out, size_t *out_length) {
  v->out.count = v->stack.count = 0;
  sj_css_substitution result =
      push(v, (sj_css_reading){.tokens = sj_tokens_begin(value, 0, length, NULL), .scope = scope, .computed = NOTHING});
  while (!result && v->stack.count) {
    result = go_on(v);
    if (result == SJ_CSS_INVALID_VALUE) result = give_up(v);
  }
  *out = v->out.count ? v->out.data : "";
  *out_length = v->out.count;
  return result;
}
