#include "svg/style/counter_style.h"

#include <string.h>

#include "css/declaration.h"
#include "css/sheet.h"
#include "css/tokens.h"
#include "svg/style/keyword.h"

typedef struct reader {
  stijl_context *context;
  sj_arena *arena;
  sj_counter_styles *out;
  sj_text_buffer buffer;
  sj_tokens tokens;
  sj_token token;  // the one that is looked at
  bool short_of_memory;
} reader;

static void advance(reader *r) { r->token = sj_tokens_next_word(&r->tokens); }

static bool at_end(const reader *r) { return r->token.kind == SJ_TOKEN_END; }

static bool take_name(reader *r, sj_value_text *out) {
  size_t length;
  const char *name = sj_token_name(&r->tokens, &r->token, r->context, &r->buffer, &length);
  const char *kept = name ? sj_arena_text(r->arena, name, length) : NULL;
  if (!kept) r->short_of_memory = true;
  *out = (sj_value_text){kept, length};
  advance(r);
  return kept;
}

// Takes a string or an identifier. Images are not drawn in browsers either.
static bool take_symbol(reader *r, sj_value_text *out) {
  return (r->token.kind == SJ_TOKEN_STRING || r->token.kind == SJ_TOKEN_IDENT) && take_name(r, out);
}

static bool take_integer(reader *r, int32_t *out) {
  double number = r->token.number;
  if (r->token.kind != SJ_TOKEN_NUMBER || !r->token.integer) return false;
  *out = number > -2147483648.0 ? number < 2147483647.0 ? (int32_t)number : INT32_MAX : INT32_MIN;
  advance(r);
  return true;
}

static bool take_word(reader *r, const char *word) {
  if (r->token.kind != SJ_TOKEN_IDENT || !sj_token_is(&r->tokens, &r->token, word)) return false;
  advance(r);
  return true;
}

// Takes a number and a symbol, in whichever order.
static bool take_weighted(reader *r, sj_counter_symbol *out) {
  bool first = take_integer(r, &out->weight);
  return take_symbol(r, &out->text) && (first || take_integer(r, &out->weight)) && out->weight >= 0;
}

static bool read_system(reader *r, sj_counter_style *s) {
  static const sj_keyword systems[] = {{"cyclic", SJ_COUNTER_CYCLIC},         {"symbolic", SJ_COUNTER_SYMBOLIC},
                                       {"alphabetic", SJ_COUNTER_ALPHABETIC}, {"numeric", SJ_COUNTER_NUMERIC},
                                       {"additive", SJ_COUNTER_ADDITIVE},     {"fixed", SJ_COUNTER_FIXED},
                                       {"extends", SJ_COUNTER_EXTENDS},       {0}};
  sj_value_text word;
  s->first = 1;
  if (r->token.kind != SJ_TOKEN_IDENT || !take_name(r, &word)) return false;
  if (!sj_parse_keyword(systems, word.text, word.length, &s->system)) return false;
  if (s->system == SJ_COUNTER_FIXED && !at_end(r)) return take_integer(r, &s->first);
  return s->system != SJ_COUNTER_EXTENDS || (r->token.kind == SJ_TOKEN_IDENT && take_name(r, &s->base));
}

static bool add_symbol(reader *r, sj_counter_symbol symbol) {
  if (sj_array_push(r->context, &r->out->symbols, symbol)) return true;
  r->short_of_memory = true;
  return false;
}

static bool read_symbols(reader *r, sj_counter_style *s) {
  uint32_t first = (uint32_t)r->out->symbols.count;
  sj_counter_symbol symbol = {0};
  while (take_symbol(r, &symbol.text))
    if (!add_symbol(r, symbol)) return false;
  s->symbols = (sj_counter_span){first, (uint32_t)r->out->symbols.count};
  return s->symbols.end > first;
}

// Reads pairs, the heaviest first.
static bool read_additive(reader *r, sj_counter_style *s) {
  uint32_t first = (uint32_t)r->out->symbols.count;
  sj_counter_symbol symbol = {0};
  for (int64_t before = INT64_MAX;; before = symbol.weight) {
    if (!take_weighted(r, &symbol) || symbol.weight >= before || !add_symbol(r, symbol)) return false;
    if (r->token.kind != SJ_TOKEN_COMMA) break;
    advance(r);
  }
  s->symbols = (sj_counter_span){first, (uint32_t)r->out->symbols.count};
  return true;
}

static bool read_ranges(reader *r, sj_counter_style *s) {
  uint32_t first = (uint32_t)r->out->ranges.count;
  s->ranges = (sj_counter_span){first, first};
  if (take_word(r, "auto")) return true;
  for (;; advance(r)) {
    sj_counter_range range = {INT32_MIN, INT32_MAX};
    if (!take_word(r, "infinite") && !take_integer(r, &range.first)) return false;
    if (!take_word(r, "infinite") && !take_integer(r, &range.last)) return false;
    if (range.first > range.last) return false;
    if (!sj_array_push(r->context, &r->out->ranges, range)) {
      r->short_of_memory = true;
      return false;
    }
    if (r->token.kind != SJ_TOKEN_COMMA) break;
  }
  s->ranges.end = (uint32_t)r->out->ranges.count;
  return true;
}

// Reads a descriptor. One that is not valid is left out.
static void read_descriptor(reader *r, const sj_declaration *d, sj_counter_style *style, bool additive) {
  sj_counter_style s = *style;
  bool good = false;
  r->tokens = sj_tokens_begin(d->value, 0, d->value_length, sj_budget_of(r->context));
  advance(r);
#define IS(word) sj_is_keyword(d->name, d->name_length, word)
  if (IS("system"))
    good = read_system(r, &s);
  else if (IS("symbols") && !additive)
    good = read_symbols(r, &s);
  else if (IS("additive-symbols") && additive)
    good = read_additive(r, &s);
  else if (IS("range"))
    good = read_ranges(r, &s);
  else if (IS("prefix"))
    good = take_symbol(r, &s.prefix);
  else if (IS("suffix"))
    good = take_symbol(r, &s.suffix);
  else if (IS("fallback"))
    good = r->token.kind == SJ_TOKEN_IDENT && take_name(r, &s.fallback);
  else if (IS("negative")) {
    s.negative[1] = (sj_value_text){0};
    good = take_symbol(r, &s.negative[0]) && (at_end(r) || take_symbol(r, &s.negative[1]));
  } else if (IS("pad")) {
    sj_counter_symbol pad = {0};
    good = take_weighted(r, &pad);
    s.pad = pad.text;
    s.pad_to = pad.weight;
  }
#undef IS
  if (good && at_end(r)) *style = s;
}

static bool is_valid(const sj_counter_style *s) {
  uint32_t count = s->symbols.end - s->symbols.first;
  if (s->system == SJ_COUNTER_EXTENDS) return count == 0;
  return count >= (s->system == SJ_COUNTER_ALPHABETIC || s->system == SJ_COUNTER_NUMERIC ? 2 : 1);
}

// Reads a rule, and adds its style if it is valid. Which symbols count follows from the system, wherever that stands,
// so it is read first. Returns false when memory is short.
static bool read_rule(reader *r, const sj_css_program *program, const sj_css_named_rule *rule) {
  static const char *const own[] = {
      "none", "decimal", "disc", "circle", "square", "disclosure-open", "disclosure-closed"};
  const char *text = program->sources.data[rule->source].text;
  sj_counter_style s = {.name = {text + rule->name_start, rule->name_length}, .system = SJ_COUNTER_SYMBOLIC};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (sj_is_keyword(s.name.text, s.name.length, own[i])) return true;
  for (int pass = 0; pass < 2; pass++) {
    sj_declarations list = sj_declarations_begin(text + rule->start, rule->length);
    for (sj_declaration d; sj_declarations_next(&list, &d) && !r->short_of_memory;)
      if (sj_is_keyword(d.name, d.name_length, "system") == (pass == 0))
        read_descriptor(r, &d, &s, s.system == SJ_COUNTER_ADDITIVE);
  }
  return !r->short_of_memory && (!is_valid(&s) || sj_array_push(r->context, &r->out->list, s));
}

bool sj_counter_styles_exist(const sj_document *document) {
  return document->css && document->css->program.counter_styles.count;
}

bool sj_counter_styles_load(const sj_document *document, sj_arena *arena, sj_counter_styles *out) {
  const sj_css_program *program = &document->css->program;
  reader r = {.context = document->context, .arena = arena, .out = out};
  bool good = true;
  for (size_t i = 0; i < program->counter_styles.count && good; i++)
    good = read_rule(&r, program, &program->counter_styles.data[i]) && sj_context_check(r.context, SJ_WORK_ELEMENT);
  sj_array_finish(r.context, &r.buffer);
  return good;
}

void sj_counter_styles_finish(stijl_context *context, sj_counter_styles *styles) {
  sj_arrays_finish(context, &styles->list, &styles->symbols, &styles->ranges);
}
