// Parses type and attribute selectors.
#include <string.h>

#include "css/selector_parser.h"

typedef sj_css_selector_parser parser;

sj_css_verdict sj_selector_add(parser *p, sj_css_simple simple) {
  return sj_array_push(p->program->context, &p->simples, simple) ? SJ_CSS_VALID : sj_selector_no_memory(p);
}

sj_css_verdict sj_selector_intern(parser *p, const sj_token *token, sj_atom *atom, sj_atom *lower) {
  size_t length;
  const char *name = sj_token_name(&p->tokens, token, p->program->context, &p->buffer, &length);
  if (!name) return sj_selector_no_memory(p);
  *atom = sj_atoms_intern(&p->program->strings, name, length);
  if (!*atom) return sj_selector_no_memory(p);
  if (!lower) return SJ_CSS_VALID;
  *lower = sj_atoms_lower(&p->program->strings, *atom);
  return *lower ? SJ_CSS_VALID : sj_selector_no_memory(p);
}

static sj_css_verdict resolve_prefix(parser *p, const sj_token *token, sj_atom *address) {
  sj_atom prefix;
  sj_css_verdict verdict = sj_selector_intern(p, token, &prefix, NULL);
  if (verdict) return verdict;
  sj_atom found = p->namespaces ? sj_css_namespace_get(p->namespaces, prefix) : SJ_ATOM_NONE;
  if (!found) return SJ_CSS_INVALID;
  *address = found;
  return SJ_CSS_VALID;
}

// What may stand before the bar of a name such as svg|a, *|a or |a.
typedef enum qualifier { UNQUALIFIED, ANY_NAMESPACE, NO_NAMESPACE, NAMED } qualifier;

// Parses "ns|", "*|" or "|" when a name or asterisk follows, which then is the token.
static sj_css_verdict parse_qualifier(parser *p, bool asterisk_may_follow, qualifier *q, sj_atom *address) {
  *q = UNQUALIFIED;
  size_t bar = sj_selector_is_delim(p, '|') ? p->token.start : p->token.end;
  if (!sj_selector_text_at(p, bar, '|') || sj_selector_text_at(p, bar + 1, '=') || sj_selector_text_at(p, bar + 1, '|'))
    return SJ_CSS_VALID;
  if (sj_selector_is_delim(p, '|')) {
    *q = NO_NAMESPACE;
  } else if (sj_selector_is_delim(p, '*')) {
    *q = ANY_NAMESPACE;
    sj_selector_advance(p);
  } else {
    *q = NAMED;
    sj_css_verdict verdict = resolve_prefix(p, &p->token, address);
    if (verdict) return verdict;
    sj_selector_advance(p);
  }
  if (!sj_selector_is_delim(p, '|')) return SJ_CSS_INVALID;
  sj_selector_advance(p);
  bool follows = p->token.kind == SJ_TOKEN_IDENT || (asterisk_may_follow && sj_selector_is_delim(p, '*'));
  return follows ? SJ_CSS_VALID : SJ_CSS_INVALID;
}

sj_css_verdict sj_selector_parse_type(parser *p, uint32_t *specificity, bool *qualified) {
  qualifier q;
  sj_atom address = p->namespaces ? p->namespaces->fallback : SJ_ATOM_NONE;
  sj_css_verdict verdict = parse_qualifier(p, true, &q, &address);
  if (verdict) return verdict;
  if (q == NO_NAMESPACE) address = SJ_ATOM_EMPTY;
  if (q != ANY_NAMESPACE && address != SJ_ATOM_NONE) {
    verdict = sj_selector_add(p, (sj_css_simple){.kind = SJ_CSS_NAMESPACE, .a = address});
    if (verdict) return verdict;
  }
  *qualified = true;
  if (p->token.kind == SJ_TOKEN_IDENT) {
    sj_css_simple simple = {.kind = SJ_CSS_TYPE};
    verdict = sj_selector_intern(p, &p->token, &simple.a, &simple.b);
    if (!verdict) verdict = sj_selector_add(p, simple);
    *specificity = sj_selector_add_specificity(*specificity, SJ_SELECTOR_TYPE);
  } else {
    if (!sj_selector_is_delim(p, '*')) return SJ_CSS_INVALID;
    verdict = sj_selector_add(p, (sj_css_simple){.kind = SJ_CSS_ALWAYS});
  }
  sj_selector_advance(p);
  return verdict;
}

// Returns whether values of this attribute of HTML are compared without regard to case (HTML, "Case-sensitivity of
// selectors").
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
  if (sj_selector_is_delim(p, '=')) {
    *op = SJ_CSS_EQUALS;
  } else {
    const char *mark = p->token.kind == SJ_TOKEN_DELIM && p->token.delim ? strchr(marks, p->token.delim) : NULL;
    if (!mark || !sj_selector_text_at(p, p->token.end, '=')) return false;
    *op = (uint8_t)(SJ_CSS_INCLUDES + (mark - marks));
    sj_selector_advance(p);
  }
  sj_selector_advance(p);
  return true;
}

sj_css_verdict sj_selector_parse_attribute(parser *p) {
  sj_css_simple simple = {.kind = SJ_CSS_ATTRIBUTE, .op = SJ_CSS_EXISTS, .d = SJ_ATOM_EMPTY};
  sj_selector_advance(p);
  sj_selector_skip_space(p);
  qualifier q;
  if (p->token.kind != SJ_TOKEN_IDENT && !sj_selector_is_delim(p, '*') && !sj_selector_is_delim(p, '|'))
    return SJ_CSS_INVALID;
  sj_css_verdict verdict = parse_qualifier(p, false, &q, &simple.d);
  if (verdict) return verdict;
  if (p->token.kind != SJ_TOKEN_IDENT) return SJ_CSS_INVALID;
  if (q == ANY_NAMESPACE) simple.flags |= SJ_CSS_ANY_NAMESPACE;
  verdict = sj_selector_intern(p, &p->token, &simple.a, &simple.b);
  if (verdict) return verdict;
  sj_selector_advance(p);
  sj_selector_skip_space(p);
  if (p->token.kind != SJ_TOKEN_CLOSE_BRACKET && p->token.kind != SJ_TOKEN_END) {
    if (!parse_operator(p, &simple.op)) return SJ_CSS_INVALID;
    sj_selector_skip_space(p);
    if (p->token.kind != SJ_TOKEN_IDENT && p->token.kind != SJ_TOKEN_STRING) return SJ_CSS_INVALID;
    verdict = sj_selector_intern(p, &p->token, &simple.c, NULL);
    if (verdict) return verdict;
    sj_selector_advance(p);
    sj_selector_skip_space(p);
    if (ignores_case_in_html(sj_atoms_text(&p->program->strings, simple.b))) simple.flags |= SJ_CSS_HTML_CASE;
    if (p->token.kind == SJ_TOKEN_IDENT) {
      if (sj_token_is(&p->tokens, &p->token, "i"))
        simple.flags |= SJ_CSS_IGNORE_CASE;
      else if (sj_token_is(&p->tokens, &p->token, "s"))
        simple.flags |= SJ_CSS_KEEP_CASE;
      else
        return SJ_CSS_INVALID;
      sj_selector_advance(p);
      sj_selector_skip_space(p);
    }
  }
  if (p->token.kind != SJ_TOKEN_CLOSE_BRACKET && p->token.kind != SJ_TOKEN_END) return SJ_CSS_INVALID;
  sj_selector_advance(p);
  return sj_selector_add(p, simple);
}
