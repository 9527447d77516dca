#include "css/selector.h"

#include <string.h>

#include "css/pseudo.h"

typedef sj_css_selector_parser parser;

typedef enum list_kind {
  LIST_OUTER,
  LIST_FORGIVING,  // :is(), :where(): what is invalid is left out
  LIST_STRICT,     // :not(), of S
  LIST_RELATIVE    // :has()
} list_kind;

static sj_css_verdict parse_list(parser *p, list_kind kind, uint32_t depth, uint32_t *list);

static void advance(parser *p) { p->token = sj_tokens_next(&p->tokens); }

static sj_css_verdict no_memory(parser *p) {
  p->failure = STIJL_ERROR_OUT_OF_MEMORY;
  return SJ_CSS_FAILED;
}

// The selector is valid but beyond a limit. CSS treats what an implementation does not support as invalid.
static sj_css_verdict unsupported(parser *p, const char *why) {
  p->unsupported = why;
  return SJ_CSS_INVALID;
}

static sj_css_verdict limit(parser *p, const char *what, uint32_t value) {
  p->failure = STIJL_ERROR_LIMIT;
  p->limit = what;
  p->limit_value = value;
  return SJ_CSS_FAILED;
}

static bool skip_space(parser *p) {
  bool any = false;
  for (; p->token.kind == SJ_TOKEN_SPACE; advance(p)) any = true;
  return any;
}

static bool is_delim(const parser *p, char c) { return p->token.kind == SJ_TOKEN_DELIM && p->token.delim == c; }
static bool text_at(const parser *p, size_t at, char c) { return at < p->tokens.end && p->tokens.text[at] == c; }

// --- specificity: three fields of 10 bits that stay at their highest value ---

static uint32_t add_specificity(uint32_t x, uint32_t y) {
  uint32_t sum = 0;
  for (int shift = 0; shift < 30; shift += 10) {
    uint32_t field = (x >> shift & 1023) + (y >> shift & 1023);
    sum |= (field > 1023 ? 1023 : field) << shift;
  }
  return sum;
}

static uint32_t list_specificity(const parser *p, uint32_t list) { return p->program->lists.data[list].specificity; }

#define SPECIFICITY_ID (1u << 20)
#define SPECIFICITY_CLASS (1u << 10)
#define SPECIFICITY_TYPE 1u

// --- simple selectors ---

static sj_css_verdict add(parser *p, sj_css_simple simple) {
  return sj_array_push(p->program->context, &p->simples, simple) ? SJ_CSS_VALID : no_memory(p);
}

static sj_css_verdict intern(parser *p, const sj_token *token, sj_atom *atom, sj_atom *lower) {
  size_t length;
  const char *name = sj_token_name(&p->tokens, token, p->program->context, &p->buffer, &length);
  if (!name) return no_memory(p);
  *atom = sj_atoms_intern(&p->program->strings, name, length);
  if (!*atom) return no_memory(p);
  if (!lower) return SJ_CSS_VALID;
  *lower = sj_atoms_lower(&p->program->strings, *atom);
  return *lower ? SJ_CSS_VALID : no_memory(p);
}

static sj_css_verdict resolve_prefix(parser *p, const sj_token *token, sj_atom *address) {
  sj_atom prefix;
  sj_css_verdict verdict = intern(p, token, &prefix, NULL);
  if (verdict) return verdict;
  sj_atom found = p->namespaces ? sj_css_namespace_get(p->namespaces, prefix) : SJ_ATOM_NONE;
  if (!found) return SJ_CSS_INVALID;
  *address = found;
  return SJ_CSS_VALID;
}

// What stands before the bar of a name such as svg|a, *|a or |a.
typedef enum qualifier { UNQUALIFIED, ANY_NAMESPACE, NO_NAMESPACE, NAMED } qualifier;

// "ns|", "*|" or "|" when a name or asterisk follows; the token then is that.
static sj_css_verdict parse_qualifier(parser *p, bool asterisk_may_follow, qualifier *q, sj_atom *address) {
  *q = UNQUALIFIED;
  size_t bar = is_delim(p, '|') ? p->token.start : p->token.end;
  if (!text_at(p, bar, '|') || text_at(p, bar + 1, '=') || text_at(p, bar + 1, '|')) return SJ_CSS_VALID;
  if (is_delim(p, '|')) {
    *q = NO_NAMESPACE;
  } else if (is_delim(p, '*')) {
    *q = ANY_NAMESPACE;
    advance(p);
  } else {
    *q = NAMED;
    sj_css_verdict verdict = resolve_prefix(p, &p->token, address);
    if (verdict) return verdict;
    advance(p);
  }
  if (!is_delim(p, '|')) return SJ_CSS_INVALID;
  advance(p);
  bool follows = p->token.kind == SJ_TOKEN_IDENT || (asterisk_may_follow && is_delim(p, '*'));
  return follows ? SJ_CSS_VALID : SJ_CSS_INVALID;
}

static sj_css_verdict parse_type(parser *p, uint32_t *specificity, bool *qualified) {
  qualifier q;
  sj_atom address = p->namespaces ? p->namespaces->fallback : SJ_ATOM_NONE;
  sj_css_verdict verdict = parse_qualifier(p, true, &q, &address);
  if (verdict) return verdict;
  if (q == NO_NAMESPACE) address = SJ_ATOM_EMPTY;
  if (q != ANY_NAMESPACE && address != SJ_ATOM_NONE) {
    verdict = add(p, (sj_css_simple){.kind = SJ_CSS_NAMESPACE, .a = address});
    if (verdict) return verdict;
  }
  *qualified = true;
  if (p->token.kind == SJ_TOKEN_IDENT) {
    sj_css_simple simple = {.kind = SJ_CSS_TYPE};
    verdict = intern(p, &p->token, &simple.a, &simple.b);
    if (!verdict) verdict = add(p, simple);
    *specificity = add_specificity(*specificity, SPECIFICITY_TYPE);
  } else {
    if (!is_delim(p, '*')) return SJ_CSS_INVALID;
    verdict = add(p, (sj_css_simple){.kind = SJ_CSS_ALWAYS});
  }
  advance(p);
  return verdict;
}

// Attributes of HTML whose values are compared without regard to case: HTML standard, "Case-sensitivity of selectors".
static bool ignores_case_in_html(const char *lower) {
  static const char *const names[] = {"accept",  "accept-charset", "align",     "alink",      "axis",     "bgcolor",
                                      "charset", "checked",        "clear",     "codetype",   "color",    "compact",
                                      "declare", "defer",          "dir",       "direction",  "disabled", "enctype",
                                      "face",    "frame",          "hreflang",  "http-equiv", "lang",     "language",
                                      "link",    "media",          "method",    "multiple",   "nohref",   "noresize",
                                      "noshade", "nowrap",         "readonly",  "rel",        "rev",      "rules",
                                      "scope",   "scrolling",      "selected",  "shape",      "target",   "text",
                                      "type",    "valign",         "valuetype", "vlink"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(lower, names[i]) == 0) return true;
  return false;
}

static bool parse_operator(parser *p, uint8_t *op) {
  static const char marks[] = "~|^$*";
  if (is_delim(p, '=')) {
    *op = SJ_CSS_EQUALS;
  } else {
    const char *mark = p->token.kind == SJ_TOKEN_DELIM && p->token.delim ? strchr(marks, p->token.delim) : NULL;
    if (!mark || !text_at(p, p->token.end, '=')) return false;
    *op = (uint8_t)(SJ_CSS_INCLUDES + (mark - marks));
    advance(p);
  }
  advance(p);
  return true;
}

static sj_css_verdict parse_attribute(parser *p) {
  sj_css_simple simple = {.kind = SJ_CSS_ATTRIBUTE, .op = SJ_CSS_EXISTS, .d = SJ_ATOM_EMPTY};
  advance(p);
  skip_space(p);
  qualifier q;
  if (p->token.kind != SJ_TOKEN_IDENT && !is_delim(p, '*') && !is_delim(p, '|')) return SJ_CSS_INVALID;
  sj_css_verdict verdict = parse_qualifier(p, false, &q, &simple.d);
  if (verdict) return verdict;
  if (p->token.kind != SJ_TOKEN_IDENT) return SJ_CSS_INVALID;
  if (q == ANY_NAMESPACE) simple.flags |= SJ_CSS_ANY_NAMESPACE;
  verdict = intern(p, &p->token, &simple.a, &simple.b);
  if (verdict) return verdict;
  advance(p);
  skip_space(p);
  if (p->token.kind != SJ_TOKEN_CLOSE_BRACKET && p->token.kind != SJ_TOKEN_END) {
    if (!parse_operator(p, &simple.op)) return SJ_CSS_INVALID;
    skip_space(p);
    if (p->token.kind != SJ_TOKEN_IDENT && p->token.kind != SJ_TOKEN_STRING) return SJ_CSS_INVALID;
    verdict = intern(p, &p->token, &simple.c, NULL);
    if (verdict) return verdict;
    advance(p);
    skip_space(p);
    if (ignores_case_in_html(sj_atoms_text(&p->program->strings, simple.b))) simple.flags |= SJ_CSS_HTML_CASE;
    if (p->token.kind == SJ_TOKEN_IDENT) {
      if (sj_token_is(&p->tokens, &p->token, "i"))
        simple.flags |= SJ_CSS_IGNORE_CASE;
      else if (sj_token_is(&p->tokens, &p->token, "s"))
        simple.flags |= SJ_CSS_KEEP_CASE;
      else
        return SJ_CSS_INVALID;
      advance(p);
      skip_space(p);
    }
  }
  if (p->token.kind != SJ_TOKEN_CLOSE_BRACKET && p->token.kind != SJ_TOKEN_END) return SJ_CSS_INVALID;
  advance(p);
  return add(p, simple);
}

// --- pseudo-classes ---

static sj_css_verdict add_nth(parser *p, uint8_t op, int32_t a, int32_t b, uint32_t list) {
  return add(p, (sj_css_simple){.kind = SJ_CSS_NTH, .op = op, .a = (uint32_t)a, .b = (uint32_t)b, .c = list});
}

static sj_css_verdict add_state(parser *p, int bit) {
  uint8_t flags = (uint8_t)((bit < 32 ? SJ_CSS_DYNAMIC : 0) | (p->negated ? SJ_CSS_NEGATED : 0));
  return add(p, (sj_css_simple){.kind = SJ_CSS_STATE, .flags = flags, .a = (uint32_t)bit});
}

// Adds :not() around the state, for pseudo-classes such as :read-only that mean its absence.
static sj_css_verdict add_not_state(parser *p, int bit) {
  sj_css_program *program = p->program;
  uint8_t flags = (uint8_t)((bit < 32 ? SJ_CSS_DYNAMIC : 0) | (p->negated ? 0 : SJ_CSS_NEGATED));
  sj_css_simple simple = {.kind = SJ_CSS_STATE, .flags = flags, .a = (uint32_t)bit};
  sj_css_compound compound = {(uint32_t)program->simples.count, 1, SJ_CSS_LEFTMOST};
  sj_css_complex complex = {(uint32_t)program->compounds.count, 1, 0};
  sj_css_list list = {(uint32_t)program->complexes.count, 1, 1, 0};
  stijl_context *context = program->context;
  if (!sj_array_push(context, &program->simples, simple) || !sj_array_push(context, &program->compounds, compound) ||
      !sj_array_push(context, &program->complexes, complex) || !sj_array_push(context, &program->lists, list))
    return no_memory(p);
  return add(p, (sj_css_simple){.kind = SJ_CSS_NOT, .a = (uint32_t)program->lists.count - 1});
}

static sj_css_verdict parse_plain_pseudo(parser *p, const sj_css_pseudo *pseudo) {
  sj_css_verdict verdict;
  switch (pseudo->kind) {
    case SJ_CSS_PSEUDO_STATE: return add_state(p, pseudo->bit);
    case SJ_CSS_PSEUDO_NOT_STATE: return add_not_state(p, pseudo->bit);
    case SJ_CSS_PSEUDO_LINK: verdict = add_state(p, pseudo->bit); return verdict ? verdict : add_not_state(p, 6);
    case SJ_CSS_PSEUDO_ROOT: return add(p, (sj_css_simple){.kind = SJ_CSS_ROOT});
    case SJ_CSS_PSEUDO_SCOPE:
      if (p->roots == SJ_CSS_NONE) return add(p, (sj_css_simple){.kind = SJ_CSS_ROOT});
      p->saw_parent = p->saw_scope = true;
      return add(p, (sj_css_simple){.kind = SJ_CSS_IS, .a = p->roots});
    case SJ_CSS_PSEUDO_EMPTY: return add(p, (sj_css_simple){.kind = SJ_CSS_EMPTY});
    case SJ_CSS_PSEUDO_FIRST_CHILD: return add_nth(p, 0, 0, 1, SJ_CSS_NONE);
    case SJ_CSS_PSEUDO_LAST_CHILD: return add_nth(p, SJ_CSS_NTH_LAST, 0, 1, SJ_CSS_NONE);
    case SJ_CSS_PSEUDO_FIRST_OF_TYPE: return add_nth(p, SJ_CSS_NTH_OF_TYPE, 0, 1, SJ_CSS_NONE);
    case SJ_CSS_PSEUDO_LAST_OF_TYPE: return add_nth(p, SJ_CSS_NTH_OF_TYPE | SJ_CSS_NTH_LAST, 0, 1, SJ_CSS_NONE);
    case SJ_CSS_PSEUDO_ONLY_CHILD:
      verdict = add_nth(p, 0, 0, 1, SJ_CSS_NONE);
      return verdict ? verdict : add_nth(p, SJ_CSS_NTH_LAST, 0, 1, SJ_CSS_NONE);
    case SJ_CSS_PSEUDO_ONLY_OF_TYPE:
      verdict = add_nth(p, SJ_CSS_NTH_OF_TYPE, 0, 1, SJ_CSS_NONE);
      return verdict ? verdict : add_nth(p, SJ_CSS_NTH_OF_TYPE | SJ_CSS_NTH_LAST, 0, 1, SJ_CSS_NONE);
    default: return add(p, (sj_css_simple){.kind = SJ_CSS_NEVER});
  }
}

static sj_css_verdict parse_nth(parser *p, sj_css_pseudo_kind kind, uint32_t depth, uint32_t *specificity) {
  int32_t a, b;
  size_t at = p->token.start;
  if (!sj_css_parse_nth(p->tokens.text, p->tokens.end, &at, &a, &b)) return SJ_CSS_INVALID;
  p->tokens.at = at;
  advance(p);
  skip_space(p);
  uint32_t list = SJ_CSS_NONE;
  bool of_type = kind == SJ_CSS_PSEUDO_NTH_OF_TYPE || kind == SJ_CSS_PSEUDO_NTH_LAST_OF_TYPE;
  if (!of_type && p->token.kind == SJ_TOKEN_IDENT && sj_token_is(&p->tokens, &p->token, "of")) {
    advance(p);
    sj_css_verdict verdict = parse_list(p, LIST_STRICT, depth, &list);
    if (verdict) return verdict;
    *specificity = add_specificity(*specificity, list_specificity(p, list));
  }
  bool last = kind == SJ_CSS_PSEUDO_NTH_LAST_CHILD || kind == SJ_CSS_PSEUDO_NTH_LAST_OF_TYPE;
  uint8_t op = (uint8_t)((last ? SJ_CSS_NTH_LAST : 0) | (of_type ? SJ_CSS_NTH_OF_TYPE : 0));
  return add_nth(p, op, a, b, list);
}

static sj_css_verdict parse_lang(parser *p) {
  sj_css_program *program = p->program;
  sj_css_simple simple = {.kind = SJ_CSS_LANG, .a = (uint32_t)program->ranges.count};
  for (;;) {
    skip_space(p);
    if (p->token.kind != SJ_TOKEN_IDENT && p->token.kind != SJ_TOKEN_STRING) return SJ_CSS_INVALID;
    sj_atom atom, lower;
    sj_css_verdict verdict = intern(p, &p->token, &atom, &lower);
    if (verdict) return verdict;
    if (!sj_array_push(program->context, &program->ranges, lower)) return no_memory(p);
    if (++simple.b > SJ_CSS_MAX_RANGES) return unsupported(p, ":lang() has more than 256 ranges");
    advance(p);
    skip_space(p);
    if (p->token.kind != SJ_TOKEN_COMMA) break;
    advance(p);
  }
  return add(p, simple);
}

static sj_css_verdict parse_dir(parser *p) {
  if (p->token.kind != SJ_TOKEN_IDENT) return SJ_CSS_INVALID;
  bool rtl = sj_token_is(&p->tokens, &p->token, "rtl"), ltr = sj_token_is(&p->tokens, &p->token, "ltr");
  advance(p);
  if (rtl) return add_state(p, 48);
  return ltr ? add_not_state(p, 48) : add(p, (sj_css_simple){.kind = SJ_CSS_NEVER});
}

static sj_css_verdict parse_list_pseudo(parser *p, sj_css_pseudo_kind kind, uint32_t depth, uint32_t *specificity) {
  bool has = kind == SJ_CSS_PSEUDO_HAS, negation = kind == SJ_CSS_PSEUDO_NOT, outer_negated = p->negated;
  if (has && p->in_has) return SJ_CSS_INVALID;  // not nested: Selectors Level 4, section 4.5
  if (has) p->in_has = true;
  if (negation) p->negated = !p->negated;
  uint32_t list;
  sj_css_verdict verdict = parse_list(p, has ? LIST_RELATIVE : negation ? LIST_STRICT : LIST_FORGIVING, depth, &list);
  p->negated = outer_negated;
  if (has) p->in_has = false;
  if (verdict) return verdict;
  if (kind != SJ_CSS_PSEUDO_WHERE) *specificity = add_specificity(*specificity, list_specificity(p, list));
  sj_css_simple simple = {.kind = has ? SJ_CSS_HAS : negation ? SJ_CSS_NOT : SJ_CSS_IS, .a = list};
  return add(p, simple);
}

// The arguments of a function whose selectors match nothing in a document.
static sj_css_verdict parse_idle_function(parser *p, bool selectors, uint32_t depth) {
  if (selectors) {
    uint32_t list;
    sj_css_verdict verdict = parse_list(p, LIST_STRICT, depth, &list);
    if (verdict) return verdict;
  } else {
    if (p->token.kind != SJ_TOKEN_IDENT && !is_delim(p, '*')) return SJ_CSS_INVALID;
    while (p->token.kind == SJ_TOKEN_IDENT || p->token.kind == SJ_TOKEN_SPACE || p->token.kind == SJ_TOKEN_COMMA ||
           is_delim(p, '*') || is_delim(p, '.'))
      advance(p);
  }
  return SJ_CSS_VALID;
}

static sj_css_verdict parse_function_pseudo(parser *p, const sj_css_pseudo *pseudo, uint32_t depth,
                                            uint32_t *specificity) {
  if (depth >= p->max_nesting) return limit(p, "selectors nested deeper than max_nesting", p->max_nesting);
  advance(p);
  skip_space(p);
  bool list = pseudo->kind == SJ_CSS_PSEUDO_IS || pseudo->kind == SJ_CSS_PSEUDO_WHERE ||
              pseudo->kind == SJ_CSS_PSEUDO_NOT || pseudo->kind == SJ_CSS_PSEUDO_HAS;
  if (!list) *specificity = add_specificity(*specificity, SPECIFICITY_CLASS);
  sj_css_verdict verdict;
  switch (pseudo->kind) {
    case SJ_CSS_PSEUDO_LANG: verdict = parse_lang(p); break;
    case SJ_CSS_PSEUDO_DIR: verdict = parse_dir(p); break;
    case SJ_CSS_PSEUDO_NEVER_FUNCTION:
    case SJ_CSS_PSEUDO_NEVER_SELECTORS:
      verdict = parse_idle_function(p, pseudo->kind == SJ_CSS_PSEUDO_NEVER_SELECTORS, depth + 1);
      if (!verdict) verdict = add(p, (sj_css_simple){.kind = SJ_CSS_NEVER});
      break;
    default:
      verdict = list ? parse_list_pseudo(p, pseudo->kind, depth + 1, specificity)
                     : parse_nth(p, pseudo->kind, depth + 1, specificity);
      break;
  }
  if (verdict) return verdict;
  skip_space(p);
  if (p->token.kind != SJ_TOKEN_CLOSE_PAREN && p->token.kind != SJ_TOKEN_END) return SJ_CSS_INVALID;
  advance(p);
  return SJ_CSS_VALID;
}

static sj_css_verdict parse_pseudo_element(parser *p, uint32_t depth, uint32_t *specificity) {
  bool function = p->token.kind == SJ_TOKEN_FUNCTION;
  if (!function && p->token.kind != SJ_TOKEN_IDENT) return SJ_CSS_INVALID;
  if (!sj_css_pseudo_element(&p->tokens, &p->token)) return SJ_CSS_INVALID;
  bool selectors =
      function && (sj_token_is(&p->tokens, &p->token, "slotted") || sj_token_is(&p->tokens, &p->token, "cue"));
  advance(p);
  *specificity = add_specificity(*specificity, SPECIFICITY_TYPE);
  if (function) {
    if (depth >= p->max_nesting) return limit(p, "selectors nested deeper than max_nesting", p->max_nesting);
    skip_space(p);
    sj_css_verdict verdict = parse_idle_function(p, selectors, depth + 1);
    if (verdict) return verdict;
    skip_space(p);
    if (p->token.kind != SJ_TOKEN_CLOSE_PAREN && p->token.kind != SJ_TOKEN_END) return SJ_CSS_INVALID;
    advance(p);
  }
  return add(p, (sj_css_simple){.kind = SJ_CSS_PSEUDO_ELEMENT, .flags = p->negated ? SJ_CSS_NEGATED : 0});
}

// Parses from the colon on. *part tells whether a pseudo-element came before, after which few pseudo-classes may stand.
static sj_css_verdict parse_pseudo(parser *p, bool elements, uint32_t depth, uint32_t *specificity, bool *part) {
  advance(p);
  bool element = p->token.kind == SJ_TOKEN_COLON;
  if (element) advance(p);
  if (p->token.kind != SJ_TOKEN_IDENT && p->token.kind != SJ_TOKEN_FUNCTION) return SJ_CSS_INVALID;
  if (element || sj_css_pseudo_element_old(&p->tokens, &p->token)) {
    if (!elements) return SJ_CSS_INVALID;
    *part = true;
    return parse_pseudo_element(p, depth, specificity);
  }
  const sj_css_pseudo *pseudo = sj_css_pseudo_class(&p->tokens, &p->token);
  if (!pseudo) return SJ_CSS_INVALID;
  if (*part && p->token.kind == SJ_TOKEN_IDENT && !sj_css_pseudo_class_of_part(&p->tokens, &p->token))
    return SJ_CSS_INVALID;
  if (p->token.kind == SJ_TOKEN_FUNCTION) return parse_function_pseudo(p, pseudo, depth, specificity);
  sj_css_verdict verdict = parse_plain_pseudo(p, pseudo);
  *specificity = add_specificity(*specificity, SPECIFICITY_CLASS);
  advance(p);
  return verdict;
}

// --- compounds and complexes ---

static sj_css_verdict parse_parent(parser *p, uint32_t *specificity) {
  advance(p);
  p->saw_parent = true;
  if (p->parent == SJ_CSS_NONE) return add(p, (sj_css_simple){.kind = SJ_CSS_ROOT});
  if (!p->weightless) *specificity = add_specificity(*specificity, list_specificity(p, p->parent));
  if (p->parent == p->roots) p->saw_scope = true;
  return add(p, (sj_css_simple){.kind = SJ_CSS_IS, .a = p->parent});
}

// Makes a compound of the parser's simple selectors from `first` on, which move to the program.
static sj_css_verdict close_compound(parser *p, size_t first, sj_css_combinator combinator) {
  sj_css_program *program = p->program;
  size_t count = p->simples.count - first;
  sj_css_compound compound = {(uint32_t)program->simples.count, (uint32_t)count & 0xfffffff, combinator};
  if (count > 0xfffffff || program->simples.count + count > UINT32_MAX / 2 ||
      !sj_array_reserve(program->context, &program->simples, count) ||
      !sj_array_push(program->context, &p->compounds, compound))
    return no_memory(p);
  if (count)
    memcpy(program->simples.data + program->simples.count, p->simples.data + first, count * sizeof(sj_css_simple));
  program->simples.count += count;
  p->simples.count = first;
  return SJ_CSS_VALID;
}

static bool starts_type(const parser *p) {
  return p->token.kind == SJ_TOKEN_IDENT || is_delim(p, '*') || is_delim(p, '|');
}

static sj_css_verdict parse_compound(parser *p, bool elements, bool inner, uint32_t depth, sj_css_combinator combinator,
                                     uint32_t *specificity, bool *part) {
  size_t first = p->simples.count;
  bool any = false, qualified = false, only_parent = true;
  sj_css_verdict verdict;
  for (;; any = true) {
    if (starts_type(p) && !qualified && only_parent) {
      verdict = parse_type(p, specificity, &qualified);
      only_parent = false;
    } else if (*part && p->token.kind != SJ_TOKEN_COLON) {
      break;
    } else if (p->token.kind == SJ_TOKEN_HASH) {
      if (!p->token.identifier) return SJ_CSS_INVALID;
      sj_css_simple simple = {.kind = SJ_CSS_ID};
      verdict = intern(p, &p->token, &simple.a, &simple.b);
      if (!verdict) verdict = add(p, simple);
      *specificity = add_specificity(*specificity, SPECIFICITY_ID);
      advance(p);
    } else if (is_delim(p, '.')) {
      advance(p);
      if (p->token.kind != SJ_TOKEN_IDENT) return SJ_CSS_INVALID;
      sj_css_simple simple = {.kind = SJ_CSS_CLASS};
      verdict = intern(p, &p->token, &simple.a, &simple.b);
      if (!verdict) verdict = add(p, simple);
      *specificity = add_specificity(*specificity, SPECIFICITY_CLASS);
      advance(p);
    } else if (p->token.kind == SJ_TOKEN_OPEN_BRACKET) {
      verdict = parse_attribute(p);
      *specificity = add_specificity(*specificity, SPECIFICITY_CLASS);
    } else if (p->token.kind == SJ_TOKEN_COLON) {
      verdict = parse_pseudo(p, elements, depth, specificity, part);
    } else if (is_delim(p, '&')) {
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
  // A default namespace holds for compounds without a type too, but within :is() and the like only for subjects that
  // name one (Selectors Level 4, section 5.3).
  if (!qualified && !inner && p->namespaces && p->namespaces->fallback != SJ_ATOM_NONE) {
    verdict = add(p, (sj_css_simple){.kind = SJ_CSS_NAMESPACE, .a = p->namespaces->fallback});
    if (verdict) return verdict;
  }
  return close_compound(p, first, combinator);
}

static bool parse_combinator(parser *p, sj_css_combinator *out) {
  bool space = skip_space(p);
  *out = SJ_CSS_DESCENDANT;
  if (p->token.kind == SJ_TOKEN_DELIM && (p->token.delim == '>' || p->token.delim == '+' || p->token.delim == '~')) {
    *out = p->token.delim == '>' ? SJ_CSS_CHILD : p->token.delim == '+' ? SJ_CSS_NEXT : SJ_CSS_SUBSEQUENT;
    advance(p);
    skip_space(p);
    return true;
  }
  return space;
}

static bool ends_complex(const parser *p) {
  return p->token.kind == SJ_TOKEN_END || p->token.kind == SJ_TOKEN_COMMA || p->token.kind == SJ_TOKEN_CLOSE_PAREN;
}

// Puts "& " before a nested selector that does not hold "&". Its compounds are those from `first` on.
static sj_css_verdict prepend_parent(parser *p, size_t first, sj_css_combinator combinator, uint32_t *specificity) {
  size_t simples = p->simples.count;
  bool saw = p->saw_parent;
  sj_css_simple parent = {.kind = SJ_CSS_ROOT};
  if (p->parent != SJ_CSS_NONE) {
    parent = (sj_css_simple){.kind = SJ_CSS_IS, .a = p->parent};
    if (!p->weightless) *specificity = add_specificity(*specificity, list_specificity(p, p->parent));
  }
  sj_css_verdict verdict = add(p, parent);
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

// Adds a test to the last compound, the subject: it must lie within the scope, or with `root` may be its root.
static sj_css_verdict add_scope(parser *p, bool root) {
  sj_css_program *program = p->program;
  sj_css_compound *subject = &p->compounds.data[p->compounds.count - 1];
  sj_css_simple scope = {.kind = SJ_CSS_SCOPE, .op = root, .a = p->roots, .b = p->limits};
  uint32_t count = subject->simple_count, first = (uint32_t)program->simples.count;
  if (!sj_array_reserve(program->context, &program->simples, (size_t)count + 1)) return no_memory(p);
  if (subject->first_simple + count != first) {  // others lie behind
    memcpy(program->simples.data + first, program->simples.data + subject->first_simple, count * sizeof scope);
    program->simples.count += count;
    subject->first_simple = first;
  }
  program->simples.data[program->simples.count++] = scope;
  subject->simple_count++;
  return SJ_CSS_VALID;
}

static sj_css_verdict parse_complex(parser *p, list_kind kind, uint32_t depth) {
  sj_css_program *program = p->program;
  size_t first = p->compounds.count, start;
  uint32_t specificity = 0;
  bool part = false, relative = kind == LIST_RELATIVE || (kind == LIST_OUTER && p->nested), inner = kind != LIST_OUTER;
  bool outer_saw = p->saw_parent;
  p->saw_parent = false;
  skip_space(p);
  start = p->token.start;
  sj_css_combinator combinator = SJ_CSS_LEFTMOST, leading = SJ_CSS_DESCENDANT;
  bool led = relative && p->token.kind == SJ_TOKEN_DELIM && parse_combinator(p, &leading);
  if (kind == LIST_RELATIVE) combinator = leading;
  size_t end;
  bool scoped = kind == LIST_OUTER && p->roots != SJ_CSS_NONE, saw_scope = false, subject_is_scope;
  for (;;) {
    if (scoped) p->saw_scope = false;
    sj_css_verdict verdict = parse_compound(p, kind == LIST_OUTER, inner, depth, combinator, &specificity, &part);
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
  // No test is needed where the root is prepended as an ancestor: the subject then lies below it.
  if (scoped && (p->limits != SJ_CSS_NONE || saw_scope || led || p->parent != p->roots)) {
    sj_css_verdict verdict = add_scope(p, subject_is_scope);
    if (verdict) return verdict;
  }
  if (kind == LIST_OUTER && p->nested && (led || !p->saw_parent)) {
    sj_css_verdict verdict = prepend_parent(p, first, leading, &specificity);
    if (verdict) return verdict;
  }
  p->saw_parent |= outer_saw;
  size_t count = p->compounds.count - first;
  if (count > SJ_CSS_MAX_COMPOUNDS) return unsupported(p, "it has more than 256 compounds");
  sj_css_complex complex = {(uint32_t)program->compounds.count, (uint32_t)count, specificity};
  if (!sj_array_reserve(program->context, &program->compounds, count) ||
      !sj_array_push(program->context, &p->complexes, complex))
    return no_memory(p);
  memcpy(program->compounds.data + program->compounds.count, p->compounds.data + first,
         count * sizeof(sj_css_compound));
  program->compounds.count += count;
  p->compounds.count = first;
  if (kind != LIST_OUTER) return SJ_CSS_VALID;
  while (end > start && sj_is_css_space(p->tokens.text[end - 1])) end--;
  sj_css_extent extent = {(uint32_t)start, (uint32_t)(end - start), part};
  return sj_array_push(program->context, &p->extents, extent) ? SJ_CSS_VALID : no_memory(p);
}

// Skips to the comma or parenthesis that ends the selector.
static void skip_complex(parser *p) {
  uint32_t open = 0;
  for (;; advance(p)) {
    sj_token_kind kind = p->token.kind;
    if (kind == SJ_TOKEN_END) return;
    if (open == 0 && (kind == SJ_TOKEN_COMMA || kind == SJ_TOKEN_CLOSE_PAREN)) return;
    if (sj_token_closer(kind) != SJ_TOKEN_END) open++;
    if (open && (kind == SJ_TOKEN_CLOSE_PAREN || kind == SJ_TOKEN_CLOSE_BRACKET || kind == SJ_TOKEN_CLOSE_BRACE))
      open--;
  }
}

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

// Both of a list made of the complexes from `first` on.
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

// Parses a list up to the end of the text, or to the parenthesis that closes the function around it.
static sj_css_verdict parse_list(parser *p, list_kind kind, uint32_t depth, uint32_t *list) {
  sj_css_program *program = p->program;
  size_t first = p->complexes.count;
  skip_space(p);
  bool empty = kind == LIST_FORGIVING && (p->token.kind == SJ_TOKEN_CLOSE_PAREN || p->token.kind == SJ_TOKEN_END);
  while (!empty) {
    mark m = set_mark(p);
    size_t resume = p->token.start;
    bool negated = p->negated, in_has = p->in_has;
    sj_css_verdict verdict = parse_complex(p, kind, depth);
    if (verdict == SJ_CSS_FAILED) return verdict;
    if (verdict == SJ_CSS_INVALID) {
      if (kind != LIST_FORGIVING) return verdict;
      back_to_mark(p, &m);
      p->negated = negated;
      p->in_has = in_has;
      p->tokens.at = resume;
      advance(p);
      skip_complex(p);
    }
    if (program->complexes.count + p->complexes.count > p->max_selectors)
      return limit(p, "more selectors than max_selectors", p->max_selectors);
    if (p->token.kind != SJ_TOKEN_COMMA) break;
    advance(p);
  }
  size_t count = p->complexes.count - first;
  sj_css_list made = {(uint32_t)program->complexes.count, (uint32_t)count, depth_of(p, first),
                      specificity_of(p, first)};
  // Engines recurse into lists, so their depth is bounded. Through & a list can be deeper than its own text.
  if (made.depth > p->max_nesting) return limit(p, "selectors nested deeper than max_nesting", p->max_nesting);
  if (!sj_array_reserve(program->context, &program->complexes, count) ||
      !sj_array_push(program->context, &program->lists, made))
    return no_memory(p);
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
  advance(p);
  sj_css_verdict verdict = parse_list(p, LIST_OUTER, 0, list);
  if (verdict == SJ_CSS_VALID && p->token.kind != SJ_TOKEN_END) verdict = SJ_CSS_INVALID;
  if (verdict == SJ_CSS_INVALID) back_to_mark(p, &m);
  return verdict;
}

void sj_css_selector_parser_finish(parser *p) {
  stijl_context *context = p->program->context;
  sj_array_finish(context, &p->extents);
  sj_array_finish(context, &p->simples);
  sj_array_finish(context, &p->compounds);
  sj_array_finish(context, &p->complexes);
  sj_array_finish(context, &p->buffer);
}
