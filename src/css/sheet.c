#include "css/sheet.h"

#include <stdio.h>
#include <string.h>

#include "base/budget.h"
#include "css/charset.h"
#include "css/condition.h"
#include "css/selector.h"

// Warnings of a sheet that are logged one by one.
#define MAX_WARNINGS 100
// A chain of imports is no longer than this: a sheet that imports itself under ever new names ends there.
#define MAX_IMPORT_DEPTH 16
#define MAX_RULE_NESTING 128
#define BYTES_PER_CHECK 256
// Steps of the budget: reading, and storing selectors and declarations; and looking for a file.
#define WORK_A_BYTE 20
#define WORK_AN_IMPORT 20000

typedef struct sheet {
  stijl_css *css;
  sj_css_program *program;
  sj_css_selector_parser selectors;
  sj_css_namespaces namespaces;
  sj_tokens tokens;
  sj_token token;
  const char *name;  // of the sheet
  const sj_css_sheet_place *place;
  const uint16_t *encoding;  // that it was read in, see base/encodings.h
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
} sheet;

// Where rules and declarations find themselves.
typedef struct sj_scope {
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
} sj_scope;

static const sj_scope nowhere = {
    .list = SJ_CSS_NONE, .rule = SJ_CSS_NONE, .roots = SJ_CSS_NONE, .limits = SJ_CSS_NONE, .open = SJ_CSS_NONE};

static stijl_result parse_contents(sheet *s, sj_scope *around, bool top);

// Tells the budget of the text that has been read since the last call.
static stijl_result spend(sheet *s) {
  uint64_t bytes = s->token.start - s->spent;
  if (bytes < BYTES_PER_CHECK) return STIJL_OK;
  s->spent = s->token.start;
  if (sj_context_check(s->css->context, bytes * WORK_A_BYTE)) return STIJL_OK;
  stijl_result result = sj_fail(s->message, STIJL_ERROR_LIMIT, "reading the style sheet took too long");
  return sj_budget_result(sj_budget_of(s->css->context), result, s->message);
}

static void advance(sheet *s) { s->token = sj_tokens_next(&s->tokens); }
static void skip_space(sheet *s) {
  while (s->token.kind == SJ_TOKEN_SPACE) advance(s);
}
static stijl_result no_memory(sheet *s) { return sj_fail_memory(s->message); }

// Counts on from the place that was asked for last: what is asked for comes in the order of the text, so that all
// counting together is one pass. What stands further back (the roots of a scope) has kept its line.
static uint32_t line_of(sheet *s, size_t at) {
  const char *text = s->tokens.text;
  for (; s->line_at < at; s->line_at++) {
    char c = text[s->line_at];
    bool pair = c == '\r' && s->line_at + 1 < s->tokens.end && text[s->line_at + 1] == '\n';
    if ((c == '\n' || c == '\f' || c == '\r') && !pair) s->line++;
  }
  return s->line;
}

static void warn(sheet *s, size_t at, size_t end, const char *what) {
  if (++s->warnings > MAX_WARNINGS || !s->css->context->log) return;
  size_t length = end - at;
  int shown = length > 80 ? 80 : (int)length;
  sj_log(s->css->context, STIJL_LOG_WARNING, "%s:%u: %s: %.*s%s", s->name, line_of(s, at), what, shown,
         s->tokens.text + at, length > 80 ? "..." : "");
}

// Sheets are full of rules that other browsers alone understand: they are told once.
static bool is_foreign(const char *text, size_t start, size_t end) {
  static const char *const prefixes[] = {":-moz-", ":-ms-", ":-o-", ":-khtml-"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (memmem(text + start, end - start, prefixes[i], strlen(prefixes[i]))) return true;
  return false;
}

static void warn_of_selector(sheet *s, size_t start, size_t end) {
  char why[80] = "rule left out, its selector is not valid";
  if (s->selectors.unsupported)
    snprintf(why, sizeof why, "rule left out, its selector is not supported: %s", s->selectors.unsupported);
  if (!is_foreign(s->tokens.text, start, end))
    warn(s, start, end, why);
  else if (s->foreign++ == 0)
    s->foreign_line = line_of(s, start);
}

// Behind the token, or if it opens a bracket, behind what closes that. Depth costs a byte a level.
static stijl_result skip_component(sheet *s) {
  s->open.count = 0;
  do {
    sj_token_kind kind = s->token.kind, closer = sj_token_closer(kind);
    if (kind == SJ_TOKEN_END) return STIJL_OK;
    if (closer != SJ_TOKEN_END) {
      if (!sj_array_push(s->css->context, &s->open, (char)closer)) return no_memory(s);
    } else if (s->open.count && (char)kind == s->open.data[s->open.count - 1]) {
      s->open.count--;
    }
    advance(s);
  } while (s->open.count);
  return STIJL_OK;
}

// --- rules and declarations ---

static stijl_result add_rule(sheet *s, sj_scope *scope, uint32_t first_selector, uint32_t selector_count) {
  sj_css_program *g = s->program;
  sj_css_rule rule = {.first_selector = first_selector,
                      .selector_count = selector_count,
                      .first_declaration = (uint32_t)g->declarations.count,
                      .source = s->source,
                      .layer = scope->layer,
                      .active = scope->active};
  if (!sj_array_push(g->context, &g->rules, rule)) return no_memory(s);
  scope->open = (uint32_t)g->rules.count - 1;
  return STIJL_OK;
}

// Is there room for so many more?
static stijl_result check_selectors(sheet *s, uint32_t count) {
  if (s->program->selectors.count + count <= s->css->params.limits.max_selectors) return STIJL_OK;
  return sj_fail(s->message, STIJL_ERROR_LIMIT, "%.100s:%u: more selectors than max_selectors (%u)", s->name,
                 line_of(s, s->token.start), s->css->params.limits.max_selectors);
}

// Declarations behind nested rules, or directly within a nested @media: they have the same selectors, but come later.
static stijl_result add_continuation(sheet *s, sj_scope *scope) {
  sj_css_program *g = s->program;
  sj_css_rule original = g->rules.data[scope->rule];
  uint32_t first = (uint32_t)g->selectors.count;
  stijl_result result = check_selectors(s, original.selector_count);
  if (result) return result;
  if (!sj_array_reserve(g->context, &g->selectors, original.selector_count)) return no_memory(s);
  for (uint32_t i = 0; i < original.selector_count; i++) {
    sj_css_selector selector = g->selectors.data[original.first_selector + i];
    selector.rule = (uint32_t)g->rules.count;
    selector.flags |= SJ_CSS_SELECTOR_CONTINUATION;
    g->selectors.data[g->selectors.count++] = selector;
  }
  return add_rule(s, scope, first, original.selector_count);
}

// Declarations directly within @scope are of its roots.
static stijl_result add_rule_of_roots(sheet *s, sj_scope *scope) {
  sj_css_program *g = s->program;
  sj_css_list roots = g->lists.data[scope->roots];
  uint32_t first = (uint32_t)g->selectors.count, count = roots.complex_count;
  stijl_result result = check_selectors(s, count);
  if (result) return result;
  if (!sj_array_reserve(g->context, &g->selectors, count) || !sj_array_reserve(g->context, &g->complexes, count))
    return no_memory(s);
  for (uint32_t i = 0; i < count; i++) {
    sj_css_complex root = g->complexes.data[roots.first_complex + i];
    root.specificity = 0;
    g->selectors.data[g->selectors.count++] = (sj_css_selector){.complex = (uint32_t)g->complexes.count,
                                                                .rule = (uint32_t)g->rules.count,
                                                                .start = scope->roots_start,
                                                                .length = scope->roots_length,
                                                                .line = scope->roots_line};
    g->complexes.data[g->complexes.count++] = root;
  }
  return add_rule(s, scope, first, count);
}

static stijl_result add_declaration(sheet *s, sj_scope *scope, const sj_token *name, size_t start, size_t end) {
  sj_css_program *g = s->program;
  if (scope->open == SJ_CSS_NONE) {
    stijl_result result = scope->rule == SJ_CSS_NONE ? add_rule_of_roots(s, scope) : add_continuation(s, scope);
    if (result) return result;
  }
  const char *text = s->tokens.text;
  while (start < end && sj_is_css_space(text[start])) start++;
  while (end > start && sj_is_css_space(text[end - 1])) end--;
  bool important = false;
  if (end - start >= 10 && sj_equal_ignoring_case(text + end - 9, "important", 9)) {
    size_t at = end - 9;
    while (at > start && sj_is_css_space(text[at - 1])) at--;
    important = at > start && text[at - 1] == '!';
    if (important) {
      end = at - 1;
      while (end > start && sj_is_css_space(text[end - 1])) end--;
    }
  }
  sj_css_declaration declaration = {(uint32_t)name->name_start, (uint32_t)(name->name_end - name->name_start),
                                    (uint32_t)start, (uint32_t)(end - start), important};
  if (!sj_array_push(g->context, &g->declarations, declaration)) return no_memory(s);
  g->rules.data[scope->open].declaration_count++;
  return STIJL_OK;
}

// "name: value" up to a semicolon or the end of the block; *taken false when it is no declaration, and the token then
// is where it was.
static stijl_result try_declaration(sheet *s, sj_scope *scope, bool *taken) {
  sj_token name = s->token;
  bool custom = name.name_end - name.name_start > 2 && s->tokens.text[name.name_start] == '-' &&
                s->tokens.text[name.name_start + 1] == '-';
  *taken = false;
  advance(s);
  skip_space(s);
  if (s->token.kind == SJ_TOKEN_COLON) {
    size_t start = s->token.end;
    advance(s);
    bool rule = false, bad = false;
    while (s->token.kind != SJ_TOKEN_END && s->token.kind != SJ_TOKEN_SEMICOLON &&
           s->token.kind != SJ_TOKEN_CLOSE_BRACE) {
      // A block within the value: a nested rule such as a:hover {}.
      rule = s->token.kind == SJ_TOKEN_OPEN_BRACE && !custom;
      if (rule) break;
      bad |= s->token.kind == SJ_TOKEN_BAD_STRING || s->token.kind == SJ_TOKEN_BAD_URL ||
             s->token.kind == SJ_TOKEN_CLOSE_PAREN || s->token.kind == SJ_TOKEN_CLOSE_BRACKET;
      stijl_result result = skip_component(s);
      if (result) return result;
    }
    if (!rule) {
      *taken = true;
      if (bad) {
        warn(s, name.start, s->token.start, "declaration left out");
        return STIJL_OK;
      }
      return add_declaration(s, scope, &name, start, s->token.start);
    }
  }
  s->tokens.at = name.end;
  s->token = name;
  return STIJL_OK;
}

static stijl_result selector_failure(sheet *s) {
  if (s->selectors.failure == STIJL_ERROR_OUT_OF_MEMORY) return no_memory(s);
  return sj_fail(s->message, STIJL_ERROR_LIMIT, "%.100s:%u: %s (%u)", s->name, line_of(s, s->token.start),
                 s->selectors.limit, s->selectors.limit_value);
}

static stijl_result add_selectors(sheet *s, uint32_t list) {
  sj_css_program *g = s->program;
  sj_css_list l = g->lists.data[list];
  if (!sj_array_reserve(g->context, &g->selectors, l.complex_count)) return no_memory(s);
  for (uint32_t i = 0; i < l.complex_count; i++) {
    sj_css_extent extent = s->selectors.extents.data[i];
    g->selectors.data[g->selectors.count++] =
        (sj_css_selector){.complex = l.first_complex + i,
                          .rule = (uint32_t)g->rules.count,
                          .start = extent.start,
                          .length = extent.length,
                          .line = line_of(s, extent.start),
                          .flags = extent.pseudo_element ? SJ_CSS_SELECTOR_PSEUDO_ELEMENT : 0};
  }
  return STIJL_OK;
}

static stijl_result check_depth(sheet *s, uint32_t depth) {
  if (depth <= s->max_nesting) return STIJL_OK;
  return sj_fail(s->message, STIJL_ERROR_LIMIT, "%.100s:%u: rules nested deeper than max_nesting (%u)", s->name,
                 line_of(s, s->token.start), s->max_nesting);
}

// What & and :scope mean.
static void set_surroundings(sheet *s, const sj_scope *around) {
  s->selectors.parent = around->list;
  s->selectors.nested = around->list != SJ_CSS_NONE;
  s->selectors.weightless = around->weightless;
  s->selectors.roots = around->roots;
  s->selectors.limits = around->limits;
}

// A style rule; within another one, also declarations that cannot be read end up here.
static stijl_result parse_style_rule(sheet *s, sj_scope *around) {
  bool nested = around->list != SJ_CSS_NONE;
  size_t start = s->token.start;
  while (s->token.kind != SJ_TOKEN_OPEN_BRACE) {
    bool stop = s->token.kind == SJ_TOKEN_END ||
                (nested && (s->token.kind == SJ_TOKEN_SEMICOLON || s->token.kind == SJ_TOKEN_CLOSE_BRACE)) ||
                (around->depth > 0 && s->token.kind == SJ_TOKEN_CLOSE_BRACE);
    if (stop) {
      warn(s, start, s->token.start, "left out");
      return STIJL_OK;
    }
    stijl_result result = skip_component(s);
    if (result) return result;
  }
  size_t end = s->token.start;
  set_surroundings(s, around);
  uint32_t list;
  sj_css_verdict verdict = sj_css_parse_selectors(&s->selectors, s->tokens.text, start, end, &list);
  if (verdict == SJ_CSS_FAILED) return selector_failure(s);
  if (verdict == SJ_CSS_INVALID) {
    warn_of_selector(s, start, end);
    return skip_component(s);
  }
  if (s->selectors.unsupported) warn(s, start, end, "a selector within left out, it is not supported");
  sj_scope inside = *around;
  inside.list = list;
  inside.weightless = false;
  inside.rule = (uint32_t)s->program->rules.count;
  inside.depth++;
  stijl_result result = check_depth(s, inside.depth);
  if (result) return result;
  uint32_t first = (uint32_t)s->program->selectors.count;
  result = add_selectors(s, list);
  if (!result) result = add_rule(s, &inside, first, (uint32_t)s->program->selectors.count - first);
  if (result) return result;
  advance(s);
  result = parse_contents(s, &inside, false);
  if (s->token.kind == SJ_TOKEN_CLOSE_BRACE) advance(s);
  around->open = SJ_CSS_NONE;
  return result;
}

// --- at-rules ---

uint32_t sj_css_layer_get(sj_css_program *g, uint32_t parent, sj_atom name) {
  uint32_t made = (uint32_t)g->layers.count;
  if (name != SJ_ATOM_NONE) {
    const uint32_t place[2] = {parent, name};
    sj_atom known = sj_atoms_intern(&g->layer_names, (const char *)place, sizeof place);
    if (!known) return SJ_CSS_NONE;
    if (known - SJ_ATOM_FIRST < g->named_layers.count) return g->named_layers.data[known - SJ_ATOM_FIRST];
    if (!sj_array_push(g->context, &g->named_layers, made)) return SJ_CSS_NONE;
  }
  if (!sj_array_push(g->context, &g->layers, (sj_css_layer){parent, name, SJ_CSS_NONE, SJ_CSS_NONE, SJ_CSS_NONE}))
    return SJ_CSS_NONE;
  sj_css_layer *layers = g->layers.data;
  if (layers[parent].last_child == SJ_CSS_NONE)
    layers[parent].first_child = made;
  else
    layers[layers[parent].last_child].next = made;
  layers[parent].last_child = made;
  return made;
}

// "a.b.c" from the token on; *layer SJ_CSS_NONE when there is none.
static stijl_result parse_layer_name(sheet *s, uint32_t parent, uint32_t *layer) {
  *layer = SJ_CSS_NONE;
  if (s->token.kind != SJ_TOKEN_IDENT) return STIJL_OK;
  for (;;) {
    size_t length;
    const char *name = sj_token_name(&s->tokens, &s->token, s->css->context, &s->selectors.buffer, &length);
    sj_atom atom = name ? sj_atoms_intern(&s->program->strings, name, length) : SJ_ATOM_NONE;
    if (!atom) return no_memory(s);
    parent = *layer = sj_css_layer_get(s->program, parent, atom);
    if (parent == SJ_CSS_NONE) return no_memory(s);
    advance(s);
    if (s->token.kind != SJ_TOKEN_DELIM || s->token.delim != '.') break;
    advance(s);
    if (s->token.kind != SJ_TOKEN_IDENT) {
      *layer = SJ_CSS_NONE;
      break;
    }
  }
  skip_space(s);
  return STIJL_OK;
}

// From the name of the rule to its block or semicolon; *start to *end is what lies between.
static stijl_result skip_prelude(sheet *s, const sj_scope *around, size_t *start, size_t *end) {
  *start = *end = s->token.start;
  while (s->token.kind != SJ_TOKEN_OPEN_BRACE && s->token.kind != SJ_TOKEN_SEMICOLON && s->token.kind != SJ_TOKEN_END &&
         !(around->depth && s->token.kind == SJ_TOKEN_CLOSE_BRACE)) {
    stijl_result result = skip_component(s);
    if (result) return result;
  }
  *end = s->token.start;
  return STIJL_OK;
}

static stijl_result parse_block(sheet *s, sj_scope *around, uint32_t layer, bool active) {
  sj_scope inside = *around;
  inside.layer = layer;
  inside.active = active;
  inside.open = SJ_CSS_NONE;
  inside.depth++;
  stijl_result result = check_depth(s, inside.depth);
  if (result) return result;
  advance(s);
  result = parse_contents(s, &inside, false);
  if (s->token.kind == SJ_TOKEN_CLOSE_BRACE) advance(s);
  around->open = SJ_CSS_NONE;
  return result;
}

// Behind a statement or block that means nothing here.
static stijl_result skip_rule_end(sheet *s) {
  if (s->token.kind == SJ_TOKEN_SEMICOLON) advance(s);
  return s->token.kind == SJ_TOKEN_OPEN_BRACE ? skip_component(s) : STIJL_OK;
}

static stijl_result parse_layer(sheet *s, sj_scope *around) {
  skip_space(s);
  uint32_t layer;
  for (bool first = true;; first = false) {
    stijl_result result = parse_layer_name(s, around->layer, &layer);
    if (result) return result;
    if (s->token.kind == SJ_TOKEN_OPEN_BRACE && first) {
      if (layer == SJ_CSS_NONE) layer = sj_css_layer_get(s->program, around->layer, SJ_ATOM_NONE);
      return layer == SJ_CSS_NONE ? no_memory(s) : parse_block(s, around, layer, around->active);
    }
    if (layer == SJ_CSS_NONE || s->token.kind != SJ_TOKEN_COMMA) break;
    advance(s);
    skip_space(s);
  }
  size_t start, end;
  stijl_result result = skip_prelude(s, around, &start, &end);
  if (!result && end > start) warn(s, start, end, "@layer left out");
  return result ? result : skip_rule_end(s);
}

static stijl_result parse_namespace(sheet *s, const sj_scope *around) {
  skip_space(s);
  sj_atom prefix = SJ_ATOM_NONE;
  stijl_context *context = s->css->context;
  size_t length;
  const char *name;
  if (s->token.kind == SJ_TOKEN_IDENT) {
    name = sj_token_name(&s->tokens, &s->token, context, &s->selectors.buffer, &length);
    if (!name || !(prefix = sj_atoms_intern(&s->program->strings, name, length))) return no_memory(s);
    advance(s);
    skip_space(s);
  }
  if (s->token.kind == SJ_TOKEN_FUNCTION && sj_token_is(&s->tokens, &s->token, "url")) {
    advance(s);
    skip_space(s);
  }
  size_t start = s->token.start, end;
  if (s->before_rules && (s->token.kind == SJ_TOKEN_STRING || s->token.kind == SJ_TOKEN_URL)) {
    name = sj_token_name(&s->tokens, &s->token, context, &s->selectors.buffer, &length);
    sj_atom address = name ? sj_atoms_intern(&s->program->strings, name, length) : SJ_ATOM_NONE;
    if (!address) return no_memory(s);
    if (prefix == SJ_ATOM_NONE) {
      s->namespaces.fallback = address;
    } else {
      if (!sj_css_namespace_set(&s->namespaces, context, prefix, address)) return no_memory(s);
    }
  } else {
    warn(s, start, s->token.end, "@namespace left out");
  }
  stijl_result result = skip_prelude(s, around, &start, &end);
  return result ? result : skip_rule_end(s);
}

// Loads and parses; `url` is NUL-terminated. `conditions` hold or not.
static stijl_result import(sheet *s, const char *url, size_t at, uint32_t layer, bool active) {
  const stijl_css_limits *limits = &s->css->params.limits;
  if (s->place->depth >= MAX_IMPORT_DEPTH) {
    warn(s, at, s->token.start, "@import left out, the chain of imports is too long");
    return STIJL_OK;
  }
  if (!sj_context_check(s->css->context, WORK_AN_IMPORT)) return sj_budget_spent(s->message);
  sj_css_imported imported;
  stijl_result result = sj_css_import(s->css, s->place, url, &imported);
  if (result == STIJL_ERROR_OUT_OF_MEMORY) return no_memory(s);
  if (result) {
    warn(s, at, s->token.start,
         result == STIJL_ERROR_UNSUPPORTED     ? "@import left out, no files are read"
         : result == STIJL_ERROR_INVALID_STATE ? "@import left out, that sheet imports this one"
                                               : "@import left out, it cannot be read");
    return STIJL_OK;
  }
  if (s->css->imports >= limits->max_imports) {
    sj_css_import_finish(s->css, &imported);
    return sj_fail(s->message, STIJL_ERROR_LIMIT, "%.100s:%u: more imports than max_imports (%u)", s->name,
                   line_of(s, at), limits->max_imports);
  }
  s->css->imports++;
  sj_css_sheet_place place = {.layer = layer,
                              .active = active,
                              .depth = s->place->depth + 1,
                              .encoding = s->encoding,
                              .importer = s->place,
                              .name = imported.name ? imported.name : url};
  result = sj_css_sheet_parse(s->css, imported.text, imported.bytes, s->origin, &place, s->message);
  sj_css_import_finish(s->css, &imported);
  return result;
}

static stijl_result parse_import(sheet *s, const sj_scope *around, size_t at) {
  skip_space(s);
  bool function = s->token.kind == SJ_TOKEN_FUNCTION && sj_token_is(&s->tokens, &s->token, "url");
  if (function) {
    advance(s);
    skip_space(s);
  }
  stijl_context *context = s->css->context;
  char *url = NULL;
  uint32_t layer = around->layer;
  bool active = around->active;
  stijl_result result = STIJL_OK;
  size_t start, end;
  if (s->token.kind == SJ_TOKEN_STRING || s->token.kind == SJ_TOKEN_URL) {
    size_t length;
    const char *name = sj_token_name(&s->tokens, &s->token, context, &s->selectors.buffer, &length);
    url = name ? sj_strndup(context, name, length) : NULL;
    if (!url) return no_memory(s);
    advance(s);
    skip_space(s);
    if (function && s->token.kind == SJ_TOKEN_CLOSE_PAREN) advance(s);
    skip_space(s);
    if (s->token.kind == SJ_TOKEN_IDENT && sj_token_is(&s->tokens, &s->token, "layer")) {
      layer = sj_css_layer_get(s->program, around->layer, SJ_ATOM_NONE);
      if (layer == SJ_CSS_NONE) result = no_memory(s);
      advance(s);
    } else if (s->token.kind == SJ_TOKEN_FUNCTION && sj_token_is(&s->tokens, &s->token, "layer")) {
      advance(s);
      skip_space(s);
      result = parse_layer_name(s, around->layer, &layer);
      if (s->token.kind == SJ_TOKEN_CLOSE_PAREN) advance(s);
      if (layer == SJ_CSS_NONE) layer = around->layer;
    }
    skip_space(s);
    if (s->token.kind == SJ_TOKEN_FUNCTION && sj_token_is(&s->tokens, &s->token, "supports")) {
      size_t inner = s->token.end;
      if (!result) result = skip_component(s);
      size_t close = s->token.start;
      while (close > inner && s->tokens.text[close - 1] != ')') close--;
      close = close > inner ? close - 1 : inner;
      // A bare declaration is allowed as well: with its parentheses it is a condition.
      bool holds = sj_css_supports(&s->selectors, s->tokens.text, inner, close) ||
                   sj_css_supports(&s->selectors, s->tokens.text, inner - 1, close + 1);
      active = active && holds;
    }
  }
  if (!result) result = skip_prelude(s, around, &start, &end);
  if (!result) {
    if (!url || !s->head || s->token.kind == SJ_TOKEN_OPEN_BRACE) {
      warn(s, at, s->token.start, url ? "@import left out, it comes too late" : "@import left out");
    } else {
      active = active && sj_css_media_matches(&s->css->params.medium, s->tokens.text, start, end);
      result = import(s, url, at, layer, active);
    }
  }
  sj_free(context, url);
  return result ? result : skip_rule_end(s);
}

// A list in parentheses at the place *at, which is moved behind it; false when there is none.
static bool take_parentheses(const sheet *s, size_t *at, size_t end, size_t *inner, size_t *close) {
  sj_tokens tokens = {s->tokens.text, end, *at};
  sj_token token = sj_tokens_next(&tokens);
  while (token.kind == SJ_TOKEN_SPACE) token = sj_tokens_next(&tokens);
  if (token.kind != SJ_TOKEN_OPEN_PAREN) return false;
  *inner = token.end;
  uint32_t open = 0;
  for (token = sj_tokens_next(&tokens); token.kind != SJ_TOKEN_END; token = sj_tokens_next(&tokens)) {
    if (token.kind == SJ_TOKEN_CLOSE_PAREN && open-- == 0) break;
    if (sj_token_closer(token.kind) == SJ_TOKEN_CLOSE_PAREN) open++;
  }
  *close = token.start;
  *at = token.end;
  return token.kind == SJ_TOKEN_CLOSE_PAREN;
}

// The word "to", and that nothing else is there.
static bool take_word(const sheet *s, size_t *at, size_t end, const char *word) {
  sj_tokens tokens = {s->tokens.text, end, *at};
  sj_token token = sj_tokens_next(&tokens);
  while (token.kind == SJ_TOKEN_SPACE) token = sj_tokens_next(&tokens);
  if (!word) return token.kind == SJ_TOKEN_END;
  if (token.kind != SJ_TOKEN_IDENT || !sj_token_is(&tokens, &token, word)) return false;
  *at = token.end;
  return true;
}

static sj_css_verdict parse_scope_list(sheet *s, size_t start, size_t end, uint32_t *list) {
  sj_css_verdict verdict = sj_css_parse_selectors(&s->selectors, s->tokens.text, start, end, list);
  for (size_t i = 0; verdict == SJ_CSS_VALID && i < s->selectors.extents.count; i++)
    if (s->selectors.extents.data[i].pseudo_element) verdict = SJ_CSS_INVALID;
  return verdict;
}

// @scope (roots) to (limits): CSS Cascade Level 6, section 2.5. The text between is from `start` to `end`. Without
// roots they are the parent of the <style> element, which a sheet does not know.
static stijl_result parse_scope(sheet *s, sj_scope *around, size_t at, size_t start, size_t end) {
  size_t place = start, from, to;
  sj_scope inside = *around;
  inside.limits = SJ_CSS_NONE;
  bool rooted = take_parentheses(s, &place, end, &from, &to);
  sj_css_verdict verdict = SJ_CSS_VALID;
  if (rooted) {
    set_surroundings(s, around);
    verdict = parse_scope_list(s, from, to, &inside.list);
    if (verdict == SJ_CSS_FAILED) return selector_failure(s);
    inside.roots = inside.list;
    inside.weightless = true;
    inside.rule = SJ_CSS_NONE;
    while (from < to && sj_is_css_space(s->tokens.text[from])) from++;
    while (to > from && sj_is_css_space(s->tokens.text[to - 1])) to--;
    inside.roots_start = (uint32_t)from;
    inside.roots_length = (uint32_t)(to - from);
  }
  if (verdict == SJ_CSS_VALID && take_word(s, &place, end, "to")) {
    bool good = take_parentheses(s, &place, end, &from, &to);
    set_surroundings(s, &inside);
    if (good && rooted) verdict = parse_scope_list(s, from, to, &inside.limits);
    if (verdict == SJ_CSS_FAILED) return selector_failure(s);
    if (!good) verdict = SJ_CSS_INVALID;
  }
  if (verdict == SJ_CSS_INVALID || !take_word(s, &place, end, NULL)) {
    warn(s, at, end, "@scope left out, its selectors are not valid");
    return skip_component(s);
  }
  if (!rooted) {
    warn(s, at, end, "@scope without a root is not evaluated, its rules do not apply");
    return parse_block(s, around, around->layer, false);
  }
  inside.roots_line = line_of(s, inside.roots_start);
  stijl_result result = parse_block(s, &inside, around->layer, around->active);
  around->open = SJ_CSS_NONE;
  return result;
}

static bool is_at(const sheet *s, const sj_token *name, const char *lower) {
  return sj_token_is(&s->tokens, name, lower);
}

// Rules whose blocks hold no style rules.
static bool is_without_selectors(const sheet *s, const sj_token *name) {
  static const char *const names[] = {
      "charset",       "font-face",           "keyframes",           "-webkit-keyframes", "page",          "property",
      "counter-style", "font-feature-values", "font-palette-values", "view-transition",   "position-try",  "viewport",
      "-ms-viewport",  "-moz-keyframes",      "-o-keyframes",        "custom-media",      "color-profile", "function"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (is_at(s, name, names[i])) return true;
  return false;
}

// The prelude is the text from `start` to `end`; the block comes next.
static stijl_result parse_keyframes(sheet *s, size_t start, size_t end, bool active) {
  sj_tokens tokens = {s->tokens.text, end, start};
  sj_token name = sj_tokens_next(&tokens);
  while (name.kind == SJ_TOKEN_SPACE) name = sj_tokens_next(&tokens);
  size_t body = s->token.end;
  stijl_result result = skip_component(s);
  if (result || !active || (name.kind != SJ_TOKEN_IDENT && name.kind != SJ_TOKEN_STRING)) return result;
  size_t close = s->token.start;
  while (close > body && s->tokens.text[close - 1] != '}') close--;
  sj_css_keyframes keyframes = {.source = s->source,
                                .name_start = (uint32_t)name.name_start,
                                .name_length = (uint32_t)(name.name_end - name.name_start),
                                .start = (uint32_t)body,
                                .length = (uint32_t)(close > body ? close - 1 - body : s->token.start - body)};
  return sj_array_push(s->css->context, &s->program->keyframes, keyframes) ? STIJL_OK : no_memory(s);
}

static stijl_result parse_at_rule(sheet *s, sj_scope *around) {
  sj_token name = s->token;
  bool media = is_at(s, &name, "media"), supports = is_at(s, &name, "supports");
  bool layer = is_at(s, &name, "layer"), charset = is_at(s, &name, "charset");
  advance(s);
  if (is_at(s, &name, "import")) {
    if (around->depth) s->head = false;
    return parse_import(s, around, name.start);
  }
  bool namespace_ = is_at(s, &name, "namespace");
  if (!layer && !charset) s->head = false;
  if (!layer && !charset && !namespace_) s->before_rules = false;
  if (layer) return parse_layer(s, around);
  if (namespace_) return parse_namespace(s, around);
  size_t start, end;
  stijl_result result = skip_prelude(s, around, &start, &end);
  if (result) return result;
  bool block = s->token.kind == SJ_TOKEN_OPEN_BRACE;
  if (block && media) {
    bool holds = sj_css_media_matches(&s->css->params.medium, s->tokens.text, start, end);
    return parse_block(s, around, around->layer, around->active && holds);
  }
  if (block && supports) {
    set_surroundings(s, &nowhere);
    bool holds = sj_css_supports(&s->selectors, s->tokens.text, start, end);
    return parse_block(s, around, around->layer, around->active && holds);
  }
  if (block && is_at(s, &name, "scope")) return parse_scope(s, around, name.start, start, end);
  bool container = is_at(s, &name, "container");
  if (block && (container || is_at(s, &name, "starting-style"))) {
    warn(s, name.start, end,
         container ? "@container is not evaluated, its rules do not apply"
                   : "@starting-style has no effect on a document at rest");
    return parse_block(s, around, around->layer, false);
  }
  if (block && (is_at(s, &name, "keyframes") || is_at(s, &name, "-webkit-keyframes"))) {
    return parse_keyframes(s, start, end, around->active);
  }
  if (!is_without_selectors(s, &name)) warn(s, name.start, end, "at-rule left out");
  return skip_rule_end(s);
}

// --- contents of a sheet or block ---

static stijl_result parse_contents(sheet *s, sj_scope *around, bool top) {
  bool style = around->list != SJ_CSS_NONE;
  for (;;) {
    stijl_result result = spend(s);
    if (result) return result;
    bool taken = false;
    switch (s->token.kind) {
      case SJ_TOKEN_END: return STIJL_OK;
      case SJ_TOKEN_CLOSE_BRACE:
        if (!top) return STIJL_OK;
        s->head = s->before_rules = false;
        result = parse_style_rule(s, around);
        break;
      case SJ_TOKEN_SPACE: advance(s); break;
      case SJ_TOKEN_SEMICOLON:
        if (style) {
          advance(s);
          break;
        }
        result = parse_style_rule(s, around);
        break;
      case SJ_TOKEN_CDO:
      case SJ_TOKEN_CDC:
        if (top) {
          advance(s);
          break;
        }
        result = parse_style_rule(s, around);
        break;
      case SJ_TOKEN_AT_KEYWORD: result = parse_at_rule(s, around); break;
      case SJ_TOKEN_IDENT:
        if (style) result = try_declaration(s, around, &taken);
        if (result || taken) break;
        __attribute__((fallthrough));
      default:
        s->head = s->before_rules = false;
        result = parse_style_rule(s, around);
        break;
    }
    if (result) return result;
  }
}

static stijl_result add_source(stijl_css *css, const char *text, size_t bytes, const char *name,
                               stijl_css_origin origin) {
  sj_css_program *g = &css->program;
  sj_css_source source = {.bytes = bytes, .origin = (uint8_t)origin};
  source.name = sj_strndup(css->context, name, strlen(name));
  source.text = sj_strndup(css->context, text, bytes);
  if (source.name && source.text && sj_array_push(css->context, &g->sources, source)) return STIJL_OK;
  sj_free(css->context, source.name);
  sj_free(css->context, source.text);
  return STIJL_ERROR_OUT_OF_MEMORY;
}

stijl_result sj_css_sheet_parse(stijl_css *css, const char *text, size_t bytes, stijl_css_origin origin,
                                const sj_css_sheet_place *place, stijl_message *message) {
  const char *name = place->name;
  const stijl_css_limits *limits = &css->params.limits;
  if (bytes > limits->max_bytes || bytes > UINT32_MAX - 1)
    return sj_fail(message, STIJL_ERROR_LIMIT, "%.100s: larger than max_bytes (%llu)", name,
                   (unsigned long long)limits->max_bytes);
  const uint16_t *encoding = place->encoding;
  sj_decoded decoded = {text, bytes, NULL};
  if (!place->decoded && !sj_css_decode_sheet(css->context, text, bytes, &encoding, &decoded))
    return sj_fail_memory(message);
  bool good = decoded.bytes < UINT32_MAX && !add_source(css, decoded.text, decoded.bytes, name, origin);
  sj_free(css->context, decoded.made);
  if (!good) return sj_fail_memory(message);
  uint32_t nesting = limits->max_nesting < MAX_RULE_NESTING ? limits->max_nesting : MAX_RULE_NESTING;
  sheet s = {.css = css,
             .program = &css->program,
             .source = (uint32_t)css->program.sources.count - 1,
             .max_nesting = nesting,
             .place = place,
             .encoding = encoding,
             .origin = origin,
             .line = 1,
             .head = true,
             .before_rules = true,
             .message = message};
  sj_css_source source = css->program.sources.data[s.source];
  s.name = source.name;
  s.tokens = (sj_tokens){source.text, decoded.bytes, 0};
  s.selectors = (sj_css_selector_parser){.program = s.program,
                                         .namespaces = &s.namespaces,
                                         .max_nesting = nesting,
                                         .max_selectors = limits->max_selectors,
                                         .parent = SJ_CSS_NONE,
                                         .roots = SJ_CSS_NONE,
                                         .limits = SJ_CSS_NONE};
  sj_scope top = nowhere;
  top.layer = place->layer;
  top.active = place->active;
  advance(&s);
  stijl_result result = parse_contents(&s, &top, true);
  if (s.foreign)
    sj_log(css->context, STIJL_LOG_WARNING,
           "%s:%u: %llu rule%s left out that only other browsers understand (-moz-, -ms-)", s.name, s.foreign_line,
           (unsigned long long)s.foreign, s.foreign > 1 ? "s" : "");
  if (s.warnings > MAX_WARNINGS)
    sj_log(css->context, STIJL_LOG_WARNING, "%s: %llu further warnings", s.name,
           (unsigned long long)(s.warnings - MAX_WARNINGS));
  sj_css_selector_parser_finish(&s.selectors);
  sj_css_namespaces_finish(&s.namespaces, css->context);
  sj_array_finish(css->context, &s.open);
  return result;
}
