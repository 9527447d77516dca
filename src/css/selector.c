// Parses compounds, complex selectors and lists of them.
#include "css/selector.h"

#include <string.h>

#include "css/selector_parser.h"

typedef sj_css_selector_parser parser;

// --- compounds and complexes ---

static sj_css_verdict parse_parent(parser *p, uint32_t *specificity) {
  sj_selector_advance(p);
  p->saw_parent = true;
  if (p->parent == SJ_CSS_NONE) return sj_selector_add(p, (sj_css_simple){.kind = SJ_CSS_ROOT});
  if (!p->weightless)
    *specificity = sj_selector_add_specificity(*specificity, sj_selector_list_specificity(p, p->parent));
  if (p->parent == p->roots) p->saw_scope = true;
  return sj_selector_add(p, (sj_css_simple){.kind = SJ_CSS_IS, .a = p->parent});
}

// Makes a compound of the parser's simple selectors from `first` on, which move to the program.
static sj_css_verdict close_compound(parser *p, size_t first, sj_css_combinator combinator) {
  sj_css_program *program = p->program;
  size_t count = p->simples.count - first;
  sj_css_compound compound = {(uint32_t)program->simples.count, (uint32_t)count & 0xfffffff, combinator};
  if (count > 0xfffffff || program->simples.count + count > UINT32_MAX / 2 ||
      !sj_array_reserve(program->context, &program->simples, count) ||
      !sj_array_push(program->context, &p->compounds, compound))
    return sj_selector_no_memory(p);
  if (count)
    memcpy(program->simples.data + program->simples.count, p->simples.data + first, count * sizeof(sj_css_simple));
  program->simples.count += count;
  p->simples.count = first;
  return SJ_CSS_VALID;
}

static bool starts_type(const parser *p) {
  return p->token.kind == SJ_TOKEN_IDENT || sj_selector_is_delim(p, '*') || sj_selector_is_delim(p, '|');
}

static sj_css_verdict parse_compound(parser *p, bool elements, bool inner, uint32_t depth, sj_css_combinator combinator,
                                     uint32_t *specificity, sj_css_part *part) {
  size_t first = p->simples.count;
  bool any = false, qualified = false, only_parent = true;
  sj_css_verdict verdict;
  for (;; any = true) {
    if (starts_type(p) && !qualified && only_parent) {
      verdict = sj_selector_parse_type(p, specificity, &qualified);
      only_parent = false;
    } else if (*part && p->token.kind != SJ_TOKEN_COLON) {
      break;
    } else if (p->token.kind == SJ_TOKEN_HASH) {
      if (!p->token.identifier) return SJ_CSS_INVALID;
      sj_css_simple simple = {.kind = SJ_CSS_ID};
      verdict = sj_selector_intern(p, &p->token, &simple.a, &simple.b);
      if (!verdict) verdict = sj_selector_add(p, simple);
      *specificity = sj_selector_add_specificity(*specificity, SJ_SELECTOR_ID);
      sj_selector_advance(p);
    } else if (sj_selector_is_delim(p, '.')) {
      sj_selector_advance(p);
      if (p->token.kind != SJ_TOKEN_IDENT) return SJ_CSS_INVALID;
      sj_css_simple simple = {.kind = SJ_CSS_CLASS};
      verdict = sj_selector_intern(p, &p->token, &simple.a, &simple.b);
      if (!verdict) verdict = sj_selector_add(p, simple);
      *specificity = sj_selector_add_specificity(*specificity, SJ_SELECTOR_CLASS);
      sj_selector_advance(p);
    } else if (p->token.kind == SJ_TOKEN_OPEN_BRACKET) {
      verdict = sj_selector_parse_attribute(p);
      *specificity = sj_selector_add_specificity(*specificity, SJ_SELECTOR_CLASS);
    } else if (p->token.kind == SJ_TOKEN_COLON) {
      verdict = sj_selector_parse_pseudo(p, elements, depth, specificity, part);
    } else if (sj_selector_is_delim(p, '&')) {
      verdict = parse_parent(p, specificity);
      if (verdict) return verdict;
      continue;
    } else {
      break;
    }
    if (verdict) return verdict;
    only_parent = false;
  }
  if (!any) return SJ_CSS_INVALID;
  // A default namespace applies to compounds without a type, too; but within :is() and the like only to those that name
  // a type (Selectors 4, 5.3).
  if (!qualified && !inner && p->namespaces && p->namespaces->fallback != SJ_ATOM_NONE) {
    verdict = sj_selector_add(p, (sj_css_simple){.kind = SJ_CSS_NAMESPACE, .a = p->namespaces->fallback});
    if (verdict) return verdict;
  }
  return close_compound(p, first, combinator);
}

static bool parse_combinator(parser *p, sj_css_combinator *out) {
  bool space = sj_selector_skip_space(p);
  *out = SJ_CSS_DESCENDANT;
  if (p->token.kind == SJ_TOKEN_DELIM && (p->token.delim == '>' || p->token.delim == '+' || p->token.delim == '~')) {
    *out = p->token.delim == '>' ? SJ_CSS_CHILD : p->token.delim == '+' ? SJ_CSS_NEXT : SJ_CSS_SUBSEQUENT;
    sj_selector_advance(p);
    sj_selector_skip_space(p);
    return true;
  }
  return space;
}

static bool ends_complex(const parser *p) {
  return p->token.kind == SJ_TOKEN_END || p->token.kind == SJ_TOKEN_COMMA || p->token.kind == SJ_TOKEN_CLOSE_PAREN;
}

// Puts "& " before a nested selector without "&". Its compounds are those from `first` on.
static sj_css_verdict prepend_parent(parser *p, size_t first, sj_css_combinator combinator, uint32_t *specificity) {
  size_t simples = p->simples.count;
  bool saw = p->saw_parent;
  sj_css_simple parent = {.kind = SJ_CSS_ROOT};
  if (p->parent != SJ_CSS_NONE) {
    parent = (sj_css_simple){.kind = SJ_CSS_IS, .a = p->parent};
    if (!p->weightless)
      *specificity = sj_selector_add_specificity(*specificity, sj_selector_list_specificity(p, p->parent));
  }
  sj_css_verdict verdict = sj_selector_add(p, parent);
  if (!verdict) verdict = close_compound(p, simples, SJ_CSS_LEFTMOST);
  p->saw_parent = saw;
  if (verdict) return verdict;
  sj_css_compound added = p->compounds.data[p->compounds.count - 1];
  memmove(p->compounds.data + first + 1, p->compounds.data + first,
          (p->compounds.count - 1 - first) * sizeof *p->compounds.data);
  p->compounds.data[first] = added;
  p->compounds.data[first + 1].combinator = combinator;
  return SJ_CSS_VALID;
}

// Adds a test to the last compound, the subject: it has to be within the scope, and with `root` may be its root.
static sj_css_verdict add_scope(parser *p, bool root) {
  sj_css_program *program = p->program;
  sj_css_compound *subject = &p->compounds.data[p->compounds.count - 1];
  sj_css_simple scope = {.kind = SJ_CSS_SCOPE, .op = root, .a = p->roots, .b = p->limits};
  uint32_t count = subject->simple_count, first = (uint32_t)program->simples.count;
  if (!sj_array_reserve(program->context, &program->simples, (size_t)count + 1)) return sj_selector_no_memory(p);
  if (subject->first_simple + count != first) {  // others come behind, so it moves
    memcpy(program->simples.data + first, program->simples.data + subject->first_simple, count * sizeof scope);
    program->simples.count += count;
    subject->first_simple = first;
  }
  program->simples.data[program->simples.count++] = scope;
  subject->simple_count++;
  return SJ_CSS_VALID;
}

static sj_css_verdict parse_complex(parser *p, sj_selector_list kind, uint32_t depth) {
  sj_css_program *program = p->program;
  size_t first = p->compounds.count, start;
  uint32_t specificity = 0;
  sj_css_part part = SJ_CSS_PART_NONE;
  bool relative = kind == SJ_SELECTOR_RELATIVE || (kind == SJ_SELECTOR_OUTER && p->nested),
       inner = kind != SJ_SELECTOR_OUTER;
  bool outer_saw = p->saw_parent;
  p->saw_parent = false;
  sj_selector_skip_space(p);
  start = p->token.start;
  sj_css_combinator combinator = SJ_CSS_LEFTMOST, leading = SJ_CSS_DESCENDANT;
  bool led = relative && p->token.kind == SJ_TOKEN_DELIM && parse_combinator(p, &leading);
  if (kind == SJ_SELECTOR_RELATIVE) combinator = leading;
  size_t end;
  bool scoped = kind == SJ_SELECTOR_OUTER && p->roots != SJ_CSS_NONE, saw_scope = false, subject_is_scope;
  for (;;) {
    if (scoped) p->saw_scope = false;
    sj_css_verdict verdict =
        parse_compound(p, kind == SJ_SELECTOR_OUTER, inner, depth, combinator, &specificity, &part);
    if (verdict) return verdict;
    subject_is_scope = p->saw_scope;
    saw_scope |= subject_is_scope;
    end = p->token.start;
    bool more = parse_combinator(p, &combinator);
    if (ends_complex(p)) {
      if (more && combinator != SJ_CSS_DESCENDANT) return SJ_CSS_INVALID;
      break;
    }
    if (!more || part) return SJ_CSS_INVALID;
  }
  // No test is needed where the root is put before it as an ancestor: then the subject is below the root.
  if (scoped && (p->limits != SJ_CSS_NONE || saw_scope || led || p->parent != p->roots)) {
    sj_css_verdict verdict = add_scope(p, subject_is_scope);
    if (verdict) return verdict;
  }
  if (kind == SJ_SELECTOR_OUTER && p->nested && (led || !p->saw_parent)) {
    sj_css_verdict verdict = prepend_parent(p, first, leading, &specificity);
    if (verdict) return verdict;
  }
  p->saw_parent |= outer_saw;
  size_t count = p->compounds.count - first;
  if (count > SJ_CSS_MAX_COMPOUNDS) return sj_selector_unsupported(p, "it has more than 256 compounds");
  sj_css_complex complex = {(uint32_t)program->compounds.count, (uint32_t)count, specificity};
  if (!sj_array_reserve(program->context, &program->compounds, count) ||
      !sj_array_push(program->context, &p->complexes, complex))
    return sj_selector_no_memory(p);
  memcpy(program->compounds.data + program->compounds.count, p->compounds.data + first,
         count * sizeof(sj_css_compound));
  program->compounds.count += count;
  p->compounds.count = first;
  if (kind != SJ_SELECTOR_OUTER) return SJ_CSS_VALID;
  while (end > start && sj_is_css_space(p->tokens.text[end - 1])) end--;
  sj_css_extent extent = {(uint32_t)start, (uint32_t)(end - start), part};
  return sj_array_push(program->context, &p->extents, extent) ? SJ_CSS_VALID : sj_selector_no_memory(p);
}

// Skips to the comma or parenthesis that ends the selector.
static void skip_complex(parser *p) {
  uint32_t open = 0;
  for (;; sj_selector_advance(p)) {
    sj_token_kind kind = p->token.kind;
    if (kind == SJ_TOKEN_END) return;
    if (open == 0 && (kind == SJ_TOKEN_COMMA || kind == SJ_TOKEN_CLOSE_PAREN)) return;
    if (sj_token_closer(kind) != SJ_TOKEN_END) open++;
    if (open && (kind == SJ_TOKEN_CLOSE_PAREN || kind == SJ_TOKEN_CLOSE_BRACKET || kind == SJ_TOKEN_CLOSE_BRACE))
      open--;
  }
}

// How much there was of everything, to go back to when a selector turns out to be invalid.
typedef struct mark {
  size_t simples, compounds, complexes, lists, ranges, own_simples, own_compounds, own_complexes;
} mark;

static mark set_mark(const parser *p) {
  const sj_css_program *g = p->program;
  return (mark){g->simples.count, g->compounds.count, g->complexes.count, g->lists.count,
                g->ranges.count,  p->simples.count,   p->compounds.count, p->complexes.count};
}

static void back_to_mark(parser *p, const mark *m) {
  sj_css_program *g = p->program;
  g->simples.count = m->simples;
  g->compounds.count = m->compounds;
  g->complexes.count = m->complexes;
  g->lists.count = m->lists;
  g->ranges.count = m->ranges;
  p->simples.count = m->own_simples;
  p->compounds.count = m->own_compounds;
  p->complexes.count = m->own_complexes;
}

// Returns the highest specificity of a list of the complexes from `first` on; the second function returns their depth.
static uint32_t specificity_of(const parser *p, size_t first) {
  uint32_t highest = 0;
  for (size_t i = first; i < p->complexes.count; i++)
    if (p->complexes.data[i].specificity > highest) highest = p->complexes.data[i].specificity;
  return highest;
}

static uint32_t depth_of(const parser *p, size_t first) {
  const sj_css_program *g = p->program;
  uint32_t deepest = 0;
  for (size_t i = first; i < p->complexes.count; i++) {
    const sj_css_complex *complex = &p->complexes.data[i];
    for (uint32_t c = 0; c < complex->compound_count; c++) {
      const sj_css_compound *compound = &g->compounds.data[complex->first_compound + c];
      for (uint32_t k = 0; k < compound->simple_count; k++) {
        const sj_css_simple *s = &g->simples.data[compound->first_simple + k];
        uint32_t inner = sj_css_simple_list(s);
        if (s->kind == SJ_CSS_SCOPE && s->b != SJ_CSS_NONE && g->lists.data[s->b].depth > deepest)
          deepest = g->lists.data[s->b].depth;
        if (inner != SJ_CSS_NONE && g->lists.data[inner].depth > deepest) deepest = g->lists.data[inner].depth;
      }
    }
  }
  return deepest + 1;
}

sj_css_verdict sj_selector_parse_list(parser *p, sj_selector_list kind, uint32_t depth, uint32_t *list) {
  sj_css_program *program = p->program;
  size_t first = p->complexes.count;
  sj_selector_skip_space(p);
  bool empty =
      kind == SJ_SELECTOR_FORGIVING && (p->token.kind == SJ_TOKEN_CLOSE_PAREN || p->token.kind == SJ_TOKEN_END);
  while (!empty) {
    mark m = set_mark(p);
    size_t resume = p->token.start;
    bool negated = p->negated, in_has = p->in_has;
    sj_css_verdict verdict = parse_complex(p, kind, depth);
    if (verdict == SJ_CSS_FAILED) return verdict;
    if (verdict == SJ_CSS_INVALID) {
      if (kind != SJ_SELECTOR_FORGIVING) return verdict;
      back_to_mark(p, &m);
      p->negated = negated;
      p->in_has = in_has;
      p->tokens.at = resume;
      sj_selector_advance(p);
      skip_complex(p);
    }
    if (program->complexes.count + p->complexes.count > p->max_selectors)
      return sj_selector_limit(p, "more selectors than max_selectors", p->max_selectors);
    if (p->token.kind != SJ_TOKEN_COMMA) break;
    sj_selector_advance(p);
  }
  size_t count = p->complexes.count - first;
  sj_css_list made = {(uint32_t)program->complexes.count, (uint32_t)count, depth_of(p, first),
                      specificity_of(p, first)};
  // Engines recurse into lists, so their depth is bounded. Through & a list can be deeper than its own text.
  if (made.depth > p->max_nesting)
    return sj_selector_limit(p, "selectors nested deeper than max_nesting", p->max_nesting);
  if (!sj_array_reserve(program->context, &program->complexes, count) ||
      !sj_array_push(program->context, &program->lists, made))
    return sj_selector_no_memory(p);
  if (count)
    memcpy(program->complexes.data + program->complexes.count, p->complexes.data + first,
           count * sizeof(sj_css_complex));
  program->complexes.count += count;
  p->complexes.count = first;
  *list = (uint32_t)program->lists.count - 1;
  return SJ_CSS_VALID;
}

sj_css_verdict sj_css_parse_selectors(parser *p, const char *text, size_t start, size_t end, uint32_t *list) {
  p->tokens = sj_tokens_begin(text, start, end, sj_budget_of(p->program->context));
  p->simples.count = p->compounds.count = p->complexes.count = p->extents.count = 0;
  p->in_has = p->negated = p->saw_parent = false;
  p->failure = STIJL_OK;
  p->unsupported = NULL;
  mark m = set_mark(p);
  sj_selector_advance(p);
  sj_css_verdict verdict = sj_selector_parse_list(p, SJ_SELECTOR_OUTER, 0, list);
  if (verdict == SJ_CSS_VALID && p->token.kind != SJ_TOKEN_END) verdict = SJ_CSS_INVALID;
  if (verdict == SJ_CSS_INVALID) back_to_mark(p, &m);
  return verdict;
}

void sj_css_selector_parser_finish(parser *p) {
  stijl_context *context = p->program->context;
  sj_arrays_finish(context, &p->extents, &p->simples, &p->compounds, &p->complexes, &p->buffer);
}
