// Writes sheets without the rules that nothing needs. The text is read once more, as sheet.c reads it, and compared
// with where the selectors stand; what is cut out of it is noted, and the rest written.
#include <string.h>

#include "base/ascii.h"
#include "base/budget.h"
#include "base/search.h"
#include "base/sort.h"
#include "css/parser.h"

// Steps of the budget.
#define WORK_A_BYTE 20

// A selector of the sheet.
typedef struct place {
  uint32_t start, end;
  bool kept;
} place;

typedef struct cut {
  size_t start, end;
} cut;

typedef struct pruner {
  sj_css_parser s;  // its tokens, and what skips brackets
  place *places;    // in the order of the text
  size_t count;
  SJ_ARRAY(cut) cuts;  // likewise
  uint32_t depth;
} pruner;

// Blocks deeper than the parser lets rules nest hold none.
#define MOST_DEPTH 128

static int by_start(const void *a, const void *b) {
  const place *x = a, *y = b;
  return (x->start > y->start) - (x->start < y->start);
}

// Finds the selectors of the source as they stand in the text: those of declarations behind nested rules stand there no
// second time.
static bool find_places(pruner *p, const sj_css_program *g, size_t sheet, const unsigned char *keep) {
  size_t count = 0;
  for (size_t pass = 0; pass < 2; pass++) {
    if (pass && !(p->places = sj_alloc_array(g->context, count + 1, sizeof *p->places))) return false;
    for (size_t i = 0; i < g->selectors.count; i++) {
      const sj_css_selector *s = &g->selectors.data[i];
      if (g->rules.data[s->rule].source != sheet || s->flags & SJ_CSS_SELECTOR_CONTINUATION) continue;
      if (pass) p->places[p->count++] = (place){s->start, s->start + s->length, keep[i] != 0};
      count++;
    }
  }
  return sj_sort(g->context, p->places, p->count, sizeof *p->places, by_start);
}

// Returns the first selector that stands at or behind a place of the text.
static size_t first_from(const pruner *p, size_t at) {
  size_t low = 0, high = p->count;
  SJ_SEARCH(low, high, i, p->places[i].start < at);
  return low;
}

static bool any_kept(const pruner *p, size_t first, size_t end) {
  for (size_t i = first; i < end; i++)
    if (p->places[i].kept) return true;
  return false;
}

static stijl_result add_cut(pruner *p, size_t start, size_t end) {
  cut made = {start, end};
  return sj_array_push(p->s.css->context, &p->cuts, made) ? STIJL_OK : sj_css_no_memory(&p->s);
}

// Returns from where on the white space and the comments in front of a rule go with it; they begin at `from`. Licences
// begin a sheet or with "!", and what a blank line follows is about more than this rule.
static size_t start_of_gap(const pruner *p, size_t from, size_t rule) {
  const char *text = p->s.tokens.text;
  size_t start = from;
  bool first_of_sheet = from == 0;
  for (size_t at = from; at + 1 < rule;) {
    if (text[at] != '/' || text[at + 1] != '*') {
      at++;
      continue;
    }
    bool stays = first_of_sheet || (at + 2 < rule && text[at + 2] == '!');
    first_of_sheet = false;
    const char *close = memmem(text + at + 2, rule - at - 2, "*/", 2);
    at = close ? (size_t)(close + 2 - text) : rule;
    size_t lines = 0;
    for (size_t i = at; i < rule && sj_is_space(text[i]); i++) lines += text[i] == '\n';
    if (stays || lines > 1) start = at;
  }
  return start;
}

// --- rules ---

// Cuts the selectors of a list that are not kept; `first` to `end` stand before `brace`. A list in which there is more
// than these selectors stays as it is.
static stijl_result trim_list(pruner *p, size_t start, size_t brace, size_t first, size_t end) {
  sj_tokens tokens = sj_tokens_begin(p->s.tokens.text, start, brace, p->s.tokens.budget);
  size_t commas = 0, kept = first;
  uint32_t open = 0;
  for (sj_token t = sj_tokens_next(&tokens); t.kind != SJ_TOKEN_END; t = sj_tokens_next(&tokens)) {
    bool opens = sj_token_closer(t.kind) != SJ_TOKEN_END;
    bool closes = t.kind == SJ_TOKEN_CLOSE_PAREN || t.kind == SJ_TOKEN_CLOSE_BRACKET || t.kind == SJ_TOKEN_CLOSE_BRACE;
    if (opens) open++;
    if (closes && open) open--;
    commas += t.kind == SJ_TOKEN_COMMA && !open;
  }
  if (commas != end - first - 1) return STIJL_OK;
  while (!p->places[kept].kept) kept++;
  stijl_result result = STIJL_OK;
  if (kept > first) result = add_cut(p, p->places[first].start, p->places[kept].start);
  for (size_t i = kept + 1; i < end && !result; i++)
    if (!p->places[i].kept) result = add_cut(p, p->places[i - 1].end, p->places[i].end);
  return result;
}

// Prunes a style rule, which begins at the token; the gap before it is at `gap`. *remains is set if something of it
// stays.
static stijl_result prune_rule(pruner *p, size_t gap, bool *remains) {
  sj_css_parser *s = &p->s;
  size_t start = s->token.start;
  stijl_result result = STIJL_OK;
  while (!result && s->token.kind != SJ_TOKEN_OPEN_BRACE && s->token.kind != SJ_TOKEN_END &&
         !(p->depth && s->token.kind == SJ_TOKEN_CLOSE_BRACE))
    result = sj_css_skip_component(s);
  size_t brace = s->token.start;
  bool block = s->token.kind == SJ_TOKEN_OPEN_BRACE;
  if (!result && block) result = sj_css_skip_component(s);
  if (result) return result;
  size_t end = s->behind;
  size_t first = first_from(p, start), own = first_from(p, brace), all = first_from(p, end);
  if (block && own > first && !any_kept(p, first, all)) return add_cut(p, start_of_gap(p, gap, start), end);
  *remains = true;
  return block && own > first && own == all && any_kept(p, first, own) ? trim_list(p, start, brace, first, own)
                                                                       : STIJL_OK;
}

static bool is_condition(const sj_css_parser *s, const sj_token *name) {
  static const char *const names[] = {"media", "supports", "container", "starting-style"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (sj_token_is(&s->tokens, name, names[i])) return true;
  return false;
}

static stijl_result prune_contents(pruner *p, bool *remains);

static stijl_result prune_at_rule(pruner *p, size_t gap, bool *remains) {
  sj_css_parser *s = &p->s;
  sj_token name = s->token;
  sj_css_surroundings around = sj_css_nowhere;
  around.depth = p->depth;
  size_t start, end, cuts = p->cuts.count, body;
  bool condition = is_condition(s, &name), layer = sj_token_is(&s->tokens, &name, "layer"), inside = false;
  sj_css_advance(s);
  stijl_result result = sj_css_skip_prelude(s, &around, &start, &end);
  bool whole = !(condition || layer) || p->depth >= MOST_DEPTH;
  if (result || s->token.kind != SJ_TOKEN_OPEN_BRACE || whole) {
    *remains = true;
    return result ? result : sj_css_skip_rule_end(s);
  }
  body = s->token.end;
  p->depth++;
  sj_css_advance(s);
  result = prune_contents(p, &inside);
  p->depth--;
  end = s->token.kind == SJ_TOKEN_CLOSE_BRACE ? s->token.end : s->token.start;
  if (s->token.kind == SJ_TOKEN_CLOSE_BRACE) sj_css_advance(s);
  bool emptied = condition && !inside && first_from(p, body) < first_from(p, end);
  if (!emptied) *remains = true;
  if (result || !emptied) return result;
  p->cuts.count = cuts;
  return add_cut(p, start_of_gap(p, gap, name.start), end);
}

// Prunes what is between braces, or the whole sheet.
static stijl_result prune_contents(pruner *p, bool *remains) {
  sj_css_parser *s = &p->s;
  stijl_result result = STIJL_OK;
  size_t gap = s->behind;
  while (!result) {
    sj_token_kind kind = s->token.kind;
    if (kind == SJ_TOKEN_END || (kind == SJ_TOKEN_CLOSE_BRACE && p->depth)) return STIJL_OK;
    if (kind == SJ_TOKEN_SPACE) {
      sj_css_advance(s);
      continue;
    }
    if (!p->depth && (kind == SJ_TOKEN_CDO || kind == SJ_TOKEN_CDC))
      sj_css_advance(s);
    else
      result = kind == SJ_TOKEN_AT_KEYWORD ? prune_at_rule(p, gap, remains) : prune_rule(p, gap, remains);
    gap = s->behind;
  }
  return result;
}

// --- writing ---

static stijl_result write_rest(const pruner *p, const sj_css_source *source,
                               bool (*write)(void *user, const void *data, size_t bytes), void *user) {
  size_t at = 0;
  bool good = !source->recoded || write(user, "\xef\xbb\xbf", 3);
  for (size_t i = 0; i < p->cuts.count && good; i++) {
    const cut *c = &p->cuts.data[i];
    if (c->start > at) good = write(user, source->text + at, c->start - at);
    at = c->end;
  }
  return good && (at >= source->bytes || write(user, source->text + at, source->bytes - at)) ? STIJL_OK
                                                                                             : STIJL_ERROR_IO;
}

stijl_result stijl_css_prune(const stijl_css *css, size_t sheet, const unsigned char *keep,
                             bool (*write)(void *user, const void *data, size_t bytes), void *user,
                             stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!css || !keep || !write || sheet >= css->program.sources.count)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no such sheet, or nothing to write it with");
  if (css->status) return sj_fail(message, STIJL_ERROR_INVALID_STATE, "a sheet failed");
  const sj_css_source *source = &css->program.sources.data[sheet];
  stijl_context *context = css->context;
  if (!sj_context_check(context, (uint64_t)source->bytes * WORK_A_BYTE)) return sj_budget_spent(message);
  pruner p = {.s = {.css = (stijl_css *)(uintptr_t)css, .message = message, .name = source->name}};
  p.s.tokens = sj_tokens_begin(source->text, 0, source->bytes, NULL);
  bool remains = false;
  stijl_result result = find_places(&p, &css->program, sheet, keep) ? STIJL_OK : sj_fail_memory(message);
  if (!result) {
    sj_css_advance(&p.s);
    result = prune_contents(&p, &remains);
  }
  if (!result && write_rest(&p, source, write, user))
    result = sj_fail(message, STIJL_ERROR_IO, "the sheet could not be written");
  sj_free(context, p.places);
  sj_arrays_finish(context, &p.cuts, &p.s.open);
  return sj_budget_result(sj_budget_of(context), result, message);
}
