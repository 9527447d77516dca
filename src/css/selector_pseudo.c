// Parses pseudo-classes and pseudo-elements.
#include "css/pseudo.h"
#include "css/selector_parser.h"

typedef sj_css_selector_parser parser;

static sj_css_verdict add_nth(parser *p, uint8_t op, int32_t a, int32_t b, uint32_t list) {
  return sj_selector_add(p,
                         (sj_css_simple){.kind = SJ_CSS_NTH, .op = op, .a = (uint32_t)a, .b = (uint32_t)b, .c = list});
}

static sj_css_verdict add_state(parser *p, int bit) {
  uint8_t flags = (uint8_t)((bit < 32 ? SJ_CSS_DYNAMIC : 0) | (p->negated ? SJ_CSS_NEGATED : 0));
  return sj_selector_add(p, (sj_css_simple){.kind = SJ_CSS_STATE, .flags = flags, .a = (uint32_t)bit});
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
    return sj_selector_no_memory(p);
  return sj_selector_add(p, (sj_css_simple){.kind = SJ_CSS_NOT, .a = (uint32_t)program->lists.count - 1});
}

static sj_css_verdict parse_plain_pseudo(parser *p, const sj_css_pseudo *pseudo) {
  sj_css_verdict verdict;
  switch (pseudo->kind) {
    case SJ_CSS_PSEUDO_STATE: return add_state(p, pseudo->bit);
    case SJ_CSS_PSEUDO_NOT_STATE: return add_not_state(p, pseudo->bit);
    case SJ_CSS_PSEUDO_LINK: verdict = add_state(p, pseudo->bit); return verdict ? verdict : add_not_state(p, 6);
    case SJ_CSS_PSEUDO_ROOT: return sj_selector_add(p, (sj_css_simple){.kind = SJ_CSS_ROOT});
    case SJ_CSS_PSEUDO_SCOPE:
      if (p->roots == SJ_CSS_NONE) return sj_selector_add(p, (sj_css_simple){.kind = SJ_CSS_ROOT});
      p->saw_parent = p->saw_scope = true;
      return sj_selector_add(p, (sj_css_simple){.kind = SJ_CSS_IS, .a = p->roots});
    case SJ_CSS_PSEUDO_EMPTY: return sj_selector_add(p, (sj_css_simple){.kind = SJ_CSS_EMPTY});
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
    default: return sj_selector_add(p, (sj_css_simple){.kind = SJ_CSS_NEVER});
  }
}

static sj_css_verdict parse_nth(parser *p, sj_css_pseudo_kind kind, uint32_t depth, uint32_t *specificity) {
  int32_t a, b;
  size_t at = p->token.start;
  if (!sj_css_parse_nth(p->tokens.text, p->tokens.end, &at, &a, &b)) return SJ_CSS_INVALID;
  p->tokens.at = at;
  sj_selector_advance(p);
  sj_selector_skip_space(p);
  uint32_t list = SJ_CSS_NONE;
  bool of_type = kind == SJ_CSS_PSEUDO_NTH_OF_TYPE || kind == SJ_CSS_PSEUDO_NTH_LAST_OF_TYPE;
  if (!of_type && p->token.kind == SJ_TOKEN_IDENT && sj_token_is(&p->tokens, &p->token, "of")) {
    sj_selector_advance(p);
    sj_css_verdict verdict = sj_selector_parse_list(p, SJ_SELECTOR_STRICT, depth, &list);
    if (verdict) return verdict;
    *specificity = sj_selector_add_specificity(*specificity, sj_selector_list_specificity(p, list));
  }
  bool last = kind == SJ_CSS_PSEUDO_NTH_LAST_CHILD || kind == SJ_CSS_PSEUDO_NTH_LAST_OF_TYPE;
  uint8_t op = (uint8_t)((last ? SJ_CSS_NTH_LAST : 0) | (of_type ? SJ_CSS_NTH_OF_TYPE : 0));
  return add_nth(p, op, a, b, list);
}

static sj_css_verdict parse_lang(parser *p) {
  sj_css_program *program = p->program;
  sj_css_simple simple = {.kind = SJ_CSS_LANG, .a = (uint32_t)program->ranges.count};
  for (;;) {
    sj_selector_skip_space(p);
    if (p->token.kind != SJ_TOKEN_IDENT && p->token.kind != SJ_TOKEN_STRING) return SJ_CSS_INVALID;
    sj_atom atom, lower;
    sj_css_verdict verdict = sj_selector_intern(p, &p->token, &atom, &lower);
    if (verdict) return verdict;
    if (!sj_array_push(program->context, &program->ranges, lower)) return sj_selector_no_memory(p);
    if (++simple.b > SJ_CSS_MAX_RANGES) return sj_selector_unsupported(p, ":lang() has more than 256 ranges");
    sj_selector_advance(p);
    sj_selector_skip_space(p);
    if (p->token.kind != SJ_TOKEN_COMMA) break;
    sj_selector_advance(p);
  }
  return sj_selector_add(p, simple);
}

static sj_css_verdict parse_dir(parser *p) {
  if (p->token.kind != SJ_TOKEN_IDENT) return SJ_CSS_INVALID;
  bool rtl = sj_token_is(&p->tokens, &p->token, "rtl"), ltr = sj_token_is(&p->tokens, &p->token, "ltr");
  sj_selector_advance(p);
  if (rtl) return add_state(p, 48);
  return ltr ? add_not_state(p, 48) : sj_selector_add(p, (sj_css_simple){.kind = SJ_CSS_NEVER});
}

static sj_css_verdict parse_list_pseudo(parser *p, sj_css_pseudo_kind kind, uint32_t depth, uint32_t *specificity) {
  bool has = kind == SJ_CSS_PSEUDO_HAS, negation = kind == SJ_CSS_PSEUDO_NOT, outer_negated = p->negated;
  if (has && p->in_has) return SJ_CSS_INVALID;  // not nested: Selectors Level 4, section 4.5
  if (has) p->in_has = true;
  if (negation) p->negated = !p->negated;
  uint32_t list;
  sj_css_verdict verdict = sj_selector_parse_list(p,
                                                  has        ? SJ_SELECTOR_RELATIVE
                                                  : negation ? SJ_SELECTOR_STRICT
                                                             : SJ_SELECTOR_FORGIVING,
                                                  depth, &list);
  p->negated = outer_negated;
  if (has) p->in_has = false;
  if (verdict) return verdict;
  if (kind != SJ_CSS_PSEUDO_WHERE)
    *specificity = sj_selector_add_specificity(*specificity, sj_selector_list_specificity(p, list));
  sj_css_simple simple = {.kind = has ? SJ_CSS_HAS : negation ? SJ_CSS_NOT : SJ_CSS_IS, .a = list};
  return sj_selector_add(p, simple);
}

// Parses the arguments of a function whose selectors match nothing in a document.
static sj_css_verdict parse_idle_function(parser *p, bool selectors, uint32_t depth) {
  if (selectors) {
    uint32_t list;
    sj_css_verdict verdict = sj_selector_parse_list(p, SJ_SELECTOR_STRICT, depth, &list);
    if (verdict) return verdict;
  } else {
    if (p->token.kind != SJ_TOKEN_IDENT && !sj_selector_is_delim(p, '*')) return SJ_CSS_INVALID;
    while (p->token.kind == SJ_TOKEN_IDENT || p->token.kind == SJ_TOKEN_SPACE || p->token.kind == SJ_TOKEN_COMMA ||
           sj_selector_is_delim(p, '*') || sj_selector_is_delim(p, '.'))
      sj_selector_advance(p);
  }
  return SJ_CSS_VALID;
}

static sj_css_verdict parse_function_pseudo(parser *p, const sj_css_pseudo *pseudo, uint32_t depth,
                                            uint32_t *specificity) {
  if (depth >= p->max_nesting) return sj_selector_limit(p, "selectors nested deeper than max_nesting", p->max_nesting);
  sj_selector_advance(p);
  sj_selector_skip_space(p);
  bool list = pseudo->kind == SJ_CSS_PSEUDO_IS || pseudo->kind == SJ_CSS_PSEUDO_WHERE ||
              pseudo->kind == SJ_CSS_PSEUDO_NOT || pseudo->kind == SJ_CSS_PSEUDO_HAS;
  if (!list) *specificity = sj_selector_add_specificity(*specificity, SJ_SELECTOR_CLASS);
  sj_css_verdict verdict;
  switch (pseudo->kind) {
    case SJ_CSS_PSEUDO_LANG: verdict = parse_lang(p); break;
    case SJ_CSS_PSEUDO_DIR: verdict = parse_dir(p); break;
    case SJ_CSS_PSEUDO_NEVER_FUNCTION:
    case SJ_CSS_PSEUDO_NEVER_SELECTORS:
      verdict = parse_idle_function(p, pseudo->kind == SJ_CSS_PSEUDO_NEVER_SELECTORS, depth + 1);
      if (!verdict) verdict = sj_selector_add(p, (sj_css_simple){.kind = SJ_CSS_NEVER});
      break;
    default:
      verdict = list ? parse_list_pseudo(p, pseudo->kind, depth + 1, specificity)
                     : parse_nth(p, pseudo->kind, depth + 1, specificity);
      break;
  }
  if (verdict) return verdict;
  sj_selector_skip_space(p);
  if (p->token.kind != SJ_TOKEN_CLOSE_PAREN && p->token.kind != SJ_TOKEN_END) return SJ_CSS_INVALID;
  sj_selector_advance(p);
  return SJ_CSS_VALID;
}

static sj_css_verdict parse_pseudo_element(parser *p, uint32_t depth, uint32_t *specificity, sj_css_part *part) {
  bool function = p->token.kind == SJ_TOKEN_FUNCTION;
  if (!function && p->token.kind != SJ_TOKEN_IDENT) return SJ_CSS_INVALID;
  sj_css_part own = sj_css_pseudo_element(&p->tokens, &p->token);
  if (own == SJ_CSS_PART_NONE) return SJ_CSS_INVALID;
  *part = *part == SJ_CSS_PART_NONE ? own : SJ_CSS_PART_OTHER;
  bool selectors =
      function && (sj_token_is(&p->tokens, &p->token, "slotted") || sj_token_is(&p->tokens, &p->token, "cue"));
  sj_selector_advance(p);
  *specificity = sj_selector_add_specificity(*specificity, SJ_SELECTOR_TYPE);
  if (function) {
    if (depth >= p->max_nesting)
      return sj_selector_limit(p, "selectors nested deeper than max_nesting", p->max_nesting);
    sj_selector_skip_space(p);
    sj_css_verdict verdict = parse_idle_function(p, selectors, depth + 1);
    if (verdict) return verdict;
    sj_selector_skip_space(p);
    if (p->token.kind != SJ_TOKEN_CLOSE_PAREN && p->token.kind != SJ_TOKEN_END) return SJ_CSS_INVALID;
    sj_selector_advance(p);
  }
  return sj_selector_add(p, (sj_css_simple){.kind = SJ_CSS_PSEUDO_ELEMENT, .flags = p->negated ? SJ_CSS_NEGATED : 0});
}

sj_css_verdict sj_selector_parse_pseudo(parser *p, bool elements, uint32_t depth, uint32_t *specificity,
                                        sj_css_part *part) {
  sj_selector_advance(p);
  bool element = p->token.kind == SJ_TOKEN_COLON;
  if (element) sj_selector_advance(p);
  if (p->token.kind != SJ_TOKEN_IDENT && p->token.kind != SJ_TOKEN_FUNCTION) return SJ_CSS_INVALID;
  if (element || sj_css_pseudo_element_old(&p->tokens, &p->token)) {
    if (!elements) return SJ_CSS_INVALID;
    return parse_pseudo_element(p, depth, specificity, part);
  }
  const sj_css_pseudo *pseudo = sj_css_pseudo_class(&p->tokens, &p->token);
  if (!pseudo) return SJ_CSS_INVALID;
  if (*part && p->token.kind == SJ_TOKEN_IDENT && !sj_css_pseudo_class_of_part(&p->tokens, &p->token))
    return SJ_CSS_INVALID;
  if (*part) *part = SJ_CSS_PART_OTHER;
  if (p->token.kind == SJ_TOKEN_FUNCTION) return parse_function_pseudo(p, pseudo, depth, specificity);
  sj_css_verdict verdict = parse_plain_pseudo(p, pseudo);
  *specificity = sj_selector_add_specificity(*specificity, SJ_SELECTOR_CLASS);
  sj_selector_advance(p);
  return verdict;
}
