#include <stdio.h>
#include <string.h>

#include "base/budget.h"
#include "css/charset.h"
#include "css/declaration.h"
#include "css/parser.h"

// Warnings of a sheet that are logged one by one.
#define MAX_WARNINGS 100
#define MAX_RULE_NESTING 128
#define BYTES_PER_CHECK 256
// Steps of the budget: reading, and storing selectors and declarations.
#define WORK_A_BYTE 20

const sj_css_surroundings sj_css_nowhere = {
    .list = SJ_CSS_NONE, .rule = SJ_CSS_NONE, .roots = SJ_CSS_NONE, .limits = SJ_CSS_NONE, .open = SJ_CSS_NONE};

// Tells the budget of the text that has been read since the last call.
static stijl_result spend(sj_css_parser *s) {
  uint64_t bytes = s->token.start - s->spent;
  if (bytes < BYTES_PER_CHECK) return STIJL_OK;
  s->spent = s->token.start;
  if (sj_context_check(s->css->context, bytes * WORK_A_BYTE)) return STIJL_OK;
  stijl_result result = sj_fail(s->message, STIJL_ERROR_LIMIT, "reading the style sheet took too long");
  return sj_budget_result(sj_budget_of(s->css->context), result, s->message);
}

uint32_t sj_css_line_of(sj_css_parser *s, size_t at) {
  const char *text = s->tokens.text;
  for (; s->line_at < at; s->line_at++) {
    char c = text[s->line_at];
    bool pair = c == '\r' && s->line_at + 1 < s->tokens.end && text[s->line_at + 1] == '\n';
    if ((c == '\n' || c == '\f' || c == '\r') && !pair) s->line++;
  }
  return s->line;
}

void sj_css_warn(sj_css_parser *s, size_t at, size_t end, const char *what) {
  // Where the budget is spent the text ends early, and seems wrong.
  if (!sj_context_check(s->css->context, 0) || ++s->warnings > MAX_WARNINGS || !s->css->context->log) return;
  size_t length = end - at;
  int shown = length > 80 ? 80 : (int)length;
  sj_log(s->css->context, STIJL_LOG_WARNING, "%s:%u: %s: %.*s%s", s->name, sj_css_line_of(s, at), what, shown,
         s->tokens.text + at, length > 80 ? "..." : "");
}

// Returns whether a selector is for other browsers alone. Sheets are full of such rules, so they are told of once.
static bool is_foreign(const char *text, size_t start, size_t end) {
  static const char *const prefixes[] = {":-moz-", ":-ms-", ":-o-", ":-khtml-"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (memmem(text + start, end - start, prefixes[i], strlen(prefixes[i]))) return true;
  return false;
}

static void warn_of_selector(sj_css_parser *s, size_t start, size_t end) {
  char why[80] = "rule left out, its selector is not valid";
  if (s->selectors.unsupported)
    snprintf(why, sizeof why, "rule left out, its selector is not supported: %s", s->selectors.unsupported);
  if (!is_foreign(s->tokens.text, start, end))
    sj_css_warn(s, start, end, why);
  else if (s->foreign++ == 0)
    s->foreign_line = sj_css_line_of(s, start);
}

stijl_result sj_css_skip_component(sj_css_parser *s) {
  s->open.count = 0;
  do {
    sj_token_kind kind = s->token.kind, closer = sj_token_closer(kind);
    if (kind == SJ_TOKEN_END) return STIJL_OK;
    if (closer != SJ_TOKEN_END) {
      if (!sj_array_push(s->css->context, &s->open, (char)closer)) return sj_css_no_memory(s);
    } else if (s->open.count && (char)kind == s->open.data[s->open.count - 1]) {
      s->open.count--;
    }
    sj_css_advance(s);
  } while (s->open.count);
  return STIJL_OK;
}

stijl_result sj_css_skip_prelude(sj_css_parser *s, const sj_css_surroundings *around, size_t *start, size_t *end) {
  *start = *end = s->token.start;
  while (s->token.kind != SJ_TOKEN_OPEN_BRACE && s->token.kind != SJ_TOKEN_SEMICOLON && s->token.kind != SJ_TOKEN_END &&
         !(around->depth && s->token.kind == SJ_TOKEN_CLOSE_BRACE)) {
    stijl_result result = sj_css_skip_component(s);
    if (result) return result;
  }
  *end = s->token.start;
  return STIJL_OK;
}

stijl_result sj_css_skip_rule_end(sj_css_parser *s) {
  if (s->token.kind == SJ_TOKEN_SEMICOLON) sj_css_advance(s);
  return s->token.kind == SJ_TOKEN_OPEN_BRACE ? sj_css_skip_component(s) : STIJL_OK;
}

// --- rules and declarations ---

static stijl_result add_rule(sj_css_parser *s, sj_css_surroundings *scope, uint32_t first_selector,
                             uint32_t selector_count) {
  sj_css_program *g = s->program;
  sj_css_rule rule = {.first_selector = first_selector,
                      .selector_count = selector_count,
                      .first_declaration = (uint32_t)g->declarations.count,
                      .source = s->source,
                      .layer = scope->layer,
                      .active = scope->active};
  if (!sj_array_push(g->context, &g->rules, rule)) return sj_css_no_memory(s);
  scope->open = (uint32_t)g->rules.count - 1;
  return STIJL_OK;
}

// Checks that there is room for so many more.
static stijl_result check_selectors(sj_css_parser *s, uint32_t count) {
  if (s->program->selectors.count + count <= s->css->params.limits.max_selectors) return STIJL_OK;
  return sj_fail(s->message, STIJL_ERROR_LIMIT, "%.100s:%u: more selectors than max_selectors (%u)", s->name,
                 sj_css_line_of(s, s->token.start), s->css->params.limits.max_selectors);
}

// Adds a rule for declarations behind nested rules, or directly within a nested @media: they have the same selectors,
// but come later.
static stijl_result add_continuation(sj_css_parser *s, sj_css_surroundings *scope) {
  sj_css_program *g = s->program;
  sj_css_rule original = g->rules.data[scope->rule];
  uint32_t first = (uint32_t)g->selectors.count;
  stijl_result result = check_selectors(s, original.selector_count);
  if (result) return result;
  if (!sj_array_reserve(g->context, &g->selectors, original.selector_count)) return sj_css_no_memory(s);
  for (uint32_t i = 0; i < original.selector_count; i++) {
    sj_css_selector selector = g->selectors.data[original.first_selector + i];
    selector.rule = (uint32_t)g->rules.count;
    selector.flags |= SJ_CSS_SELECTOR_CONTINUATION;
    g->selectors.data[g->selectors.count++] = selector;
  }
  return add_rule(s, scope, first, original.selector_count);
}

// Adds a rule for declarations directly within @scope, which are of its roots.
static stijl_result add_rule_of_roots(sj_css_parser *s, sj_css_surroundings *scope) {
  sj_css_program *g = s->program;
  sj_css_list roots = g->lists.data[scope->roots];
  uint32_t first = (uint32_t)g->selectors.count, count = roots.complex_count;
  stijl_result result = check_selectors(s, count);
  if (result) return result;
  if (!sj_array_reserve(g->context, &g->selectors, count) || !sj_array_reserve(g->context, &g->complexes, count))
    return sj_css_no_memory(s);
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

static stijl_result add_declaration(sj_css_parser *s, sj_css_surroundings *scope, const sj_token *name, size_t start,
                                    size_t end) {
  sj_css_program *g = s->program;
  if (scope->open == SJ_CSS_NONE) {
    stijl_result result = scope->rule == SJ_CSS_NONE ? add_rule_of_roots(s, scope) : add_continuation(s, scope);
    if (result) return result;
  }
  const char *text = s->tokens.text, *value = text + start;
  size_t length = end - start;
  bool important = sj_declaration_value(&value, &length);
  sj_css_declaration declaration = {(uint32_t)name->name_start, (uint32_t)(name->name_end - name->name_start),
                                    (uint32_t)(value - text), (uint32_t)length, important};
  if (!sj_array_push(g->context, &g->declarations, declaration)) return sj_css_no_memory(s);
  g->rules.data[scope->open].declaration_count++;
  return STIJL_OK;
}

// Tries to read "name: value" up to a semicolon or the end of the block. *taken becomes false if it is no declaration,
// and the token is then where it was.
static stijl_result try_declaration(sj_css_parser *s, sj_css_surroundings *scope, bool *taken) {
  sj_token name = s->token;
  bool custom = name.name_end - name.name_start > 2 && s->tokens.text[name.name_start] == '-' &&
                s->tokens.text[name.name_start + 1] == '-';
  *taken = false;
  sj_css_advance(s);
  sj_css_skip_space(s);
  if (s->token.kind == SJ_TOKEN_COLON) {
    size_t start = s->token.end;
    sj_css_advance(s);
    bool rule = false, bad = false;
    while (s->token.kind != SJ_TOKEN_END && s->token.kind != SJ_TOKEN_SEMICOLON &&
           s->token.kind != SJ_TOKEN_CLOSE_BRACE) {
      // A block within the value: a nested rule such as a:hover {}.
      rule = s->token.kind == SJ_TOKEN_OPEN_BRACE && !custom;
      if (rule) break;
      bad |= s->token.kind == SJ_TOKEN_BAD_STRING || s->token.kind == SJ_TOKEN_BAD_URL ||
             s->token.kind == SJ_TOKEN_CLOSE_PAREN || s->token.kind == SJ_TOKEN_CLOSE_BRACKET;
      stijl_result result = sj_css_skip_component(s);
      if (result) return result;
    }
    if (!rule) {
      *taken = true;
      if (bad) {
        sj_css_warn(s, name.start, s->token.start, "declaration left out");
        return STIJL_OK;
      }
      return add_declaration(s, scope, &name, start, s->token.start);
    }
  }
  s->tokens.at = name.end;
  s->token = name;
  return STIJL_OK;
}

stijl_result sj_css_selector_failure(sj_css_parser *s) {
  if (s->selectors.failure == STIJL_ERROR_OUT_OF_MEMORY) return sj_css_no_memory(s);
  return sj_fail(s->message, STIJL_ERROR_LIMIT, "%.100s:%u: %s (%u)", s->name, sj_css_line_of(s, s->token.start),
                 s->selectors.limit, s->selectors.limit_value);
}

static stijl_result add_selectors(sj_css_parser *s, uint32_t list) {
  sj_css_program *g = s->program;
  sj_css_list l = g->lists.data[list];
  if (!sj_array_reserve(g->context, &g->selectors, l.complex_count)) return sj_css_no_memory(s);
  for (uint32_t i = 0; i < l.complex_count; i++) {
    sj_css_extent extent = s->selectors.extents.data[i];
    g->selectors.data[g->selectors.count++] = (sj_css_selector){.complex = l.first_complex + i,
                                                                .rule = (uint32_t)g->rules.count,
                                                                .start = extent.start,
                                                                .length = extent.length,
                                                                .line = sj_css_line_of(s, extent.start),
                                                                .part = (uint16_t)extent.part};
  }
  return STIJL_OK;
}

static stijl_result check_depth(sj_css_parser *s, uint32_t depth) {
  if (depth <= s->max_nesting) return STIJL_OK;
  return sj_fail(s->message, STIJL_ERROR_LIMIT, "%.100s:%u: rules nested deeper than max_nesting (%u)", s->name,
                 sj_css_line_of(s, s->token.start), s->max_nesting);
}

void sj_css_set_surroundings(sj_css_parser *s, const sj_css_surroundings *around) {
  s->selectors.parent = around->list;
  s->selectors.nested = around->list != SJ_CSS_NONE;
  s->selectors.weightless = around->weightless;
  s->selectors.roots = around->roots;
  s->selectors.limits = around->limits;
}

static stijl_result parse_contents(sj_css_parser *s, sj_css_surroundings *around, bool top);

stijl_result sj_css_parse_block(sj_css_parser *s, sj_css_surroundings *around, uint32_t layer, bool active) {
  sj_css_surroundings inside = *around;
  inside.layer = layer;
  inside.active = active;
  inside.open = SJ_CSS_NONE;
  inside.depth++;
  stijl_result result = check_depth(s, inside.depth);
  if (result) return result;
  sj_css_advance(s);
  result = parse_contents(s, &inside, false);
  if (s->token.kind == SJ_TOKEN_CLOSE_BRACE) sj_css_advance(s);
  around->open = SJ_CSS_NONE;
  return result;
}

// Parses a style rule. Within another one, declarations that cannot be read end up here, too.
static stijl_result parse_style_rule(sj_css_parser *s, sj_css_surroundings *around) {
  bool nested = around->list != SJ_CSS_NONE;
  size_t start = s->token.start;
  while (s->token.kind != SJ_TOKEN_OPEN_BRACE) {
    bool stop = s->token.kind == SJ_TOKEN_END ||
                (nested && (s->token.kind == SJ_TOKEN_SEMICOLON || s->token.kind == SJ_TOKEN_CLOSE_BRACE)) ||
                (around->depth > 0 && s->token.kind == SJ_TOKEN_CLOSE_BRACE);
    if (stop) {
      sj_css_warn(s, start, s->token.start, "left out");
      return STIJL_OK;
    }
    stijl_result result = sj_css_skip_component(s);
    if (result) return result;
  }
  size_t end = s->token.start;
  sj_css_set_surroundings(s, around);
  uint32_t list;
  sj_css_verdict verdict = sj_css_parse_selectors(&s->selectors, s->tokens.text, start, end, &list);
  if (verdict == SJ_CSS_FAILED) return sj_css_selector_failure(s);
  if (verdict == SJ_CSS_INVALID) {
    warn_of_selector(s, start, end);
    return sj_css_skip_component(s);
  }
  if (s->selectors.unsupported) sj_css_warn(s, start, end, "a selector within left out, it is not supported");
  sj_css_surroundings inside = *around;
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
  sj_css_advance(s);
  result = parse_contents(s, &inside, false);
  if (s->token.kind == SJ_TOKEN_CLOSE_BRACE) sj_css_advance(s);
  around->open = SJ_CSS_NONE;
  return result;
}

// --- contents of a sheet or block ---

static stijl_result parse_contents(sj_css_parser *s, sj_css_surroundings *around, bool top) {
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
      case SJ_TOKEN_SPACE: sj_css_advance(s); break;
      case SJ_TOKEN_SEMICOLON:
        if (style) {
          sj_css_advance(s);
          break;
        }
        result = parse_style_rule(s, around);
        break;
      case SJ_TOKEN_CDO:
      case SJ_TOKEN_CDC:
        if (top) {
          sj_css_advance(s);
          break;
        }
        result = parse_style_rule(s, around);
        break;
      case SJ_TOKEN_AT_KEYWORD: result = sj_css_parse_at_rule(s, around); break;
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

static bool add_source(stijl_css *css, const sj_decoded *decoded, bool recoded, const sj_css_sheet_place *place,
                       stijl_css_origin origin) {
  sj_css_program *g = &css->program;
  const sj_css_sheet_place *outermost = place;
  while (outermost->importer) outermost = outermost->importer;
  sj_css_source source = {.bytes = decoded->bytes,
                          .importer = place->importer ? place->importer->source : SJ_CSS_NONE,
                          .line = place->line ? place->line : 1,
                          .origin = (uint8_t)origin,
                          .embedded = place->embedded,
                          .recoded = recoded};
  source.name = sj_strndup(css->context, place->name, strlen(place->name));
  source.root = sj_strndup(css->context, outermost->name, strlen(outermost->name));
  source.text = sj_strndup(css->context, decoded->text, decoded->bytes);
  if (source.name && source.root && source.text && sj_array_push(css->context, &g->sources, source)) return true;
  sj_free(css->context, source.name);
  sj_free(css->context, source.root);
  sj_free(css->context, source.text);
  return false;
}

stijl_result sj_css_sheet_parse(stijl_css *css, const char *text, size_t bytes, stijl_css_origin origin,
                                const sj_css_sheet_place *given, stijl_message *message) {
  sj_css_sheet_place own = *given, *place = &own;
  const char *name = place->name;
  const stijl_css_limits *limits = &css->params.limits;
  if (bytes > limits->max_bytes || bytes > UINT32_MAX - 1)
    return sj_fail(message, STIJL_ERROR_LIMIT, "%.100s: larger than max_bytes (%llu)", name,
                   (unsigned long long)limits->max_bytes);
  const uint16_t *encoding = place->encoding;
  sj_decoded decoded = {text, bytes, NULL};
  if (!place->decoded && !sj_css_decode_sheet(css->context, text, bytes, &encoding, &decoded))
    return sj_fail_memory(message);
  bool recoded = decoded.made || decoded.text != text;
  bool good = decoded.bytes < UINT32_MAX && add_source(css, &decoded, recoded, place, origin);
  sj_free(css->context, decoded.made);
  if (!good) return sj_fail_memory(message);
  place->source = (uint32_t)css->program.sources.count - 1;
  uint32_t nesting = limits->max_nesting < MAX_RULE_NESTING ? limits->max_nesting : MAX_RULE_NESTING;
  sj_css_parser s = {.css = css,
                     .program = &css->program,
                     .source = place->source,
                     .max_nesting = nesting,
                     .place = place,
                     .encoding = encoding,
                     .origin = origin,
                     .line = place->line ? place->line : 1,
                     .head = true,
                     .before_rules = true,
                     .message = message};
  sj_css_source source = css->program.sources.data[s.source];
  s.name = source.name;
  s.tokens = sj_tokens_begin(source.text, 0, decoded.bytes, sj_budget_of(css->context));
  s.selectors = (sj_css_selector_parser){.program = s.program,
                                         .namespaces = &s.namespaces,
                                         .max_nesting = nesting,
                                         .max_selectors = limits->max_selectors,
                                         .parent = SJ_CSS_NONE,
                                         .roots = SJ_CSS_NONE,
                                         .limits = SJ_CSS_NONE};
  sj_css_surroundings top = sj_css_nowhere;
  top.layer = place->layer;
  top.active = place->active;
  sj_css_advance(&s);
  stijl_result result = parse_contents(&s, &top, true);
  if (!result && !sj_context_check(css->context, 0)) result = sj_budget_spent(message);
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
