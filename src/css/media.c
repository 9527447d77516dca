// Media Queries Level 4: https://www.w3.org/TR/mediaqueries-4/
#include <string.h>

#include "css/condition_reader.h"

typedef enum truth { NO, YES, UNKNOWN } truth;

static bool is_delim(const reader *r, char c) { return r->token.kind == SJ_TOKEN_DELIM && r->token.delim == c; }

static truth negate(truth t) { return t == UNKNOWN ? UNKNOWN : t == YES ? NO : YES; }

// --- values ---

typedef struct value {
  enum { VALUE_NONE, VALUE_NUMBER, VALUE_LENGTH, VALUE_RESOLUTION, VALUE_RATIO, VALUE_WORD } kind;
  double number;
  sj_token word;
} value;

static bool unit_of(const reader *r, value *v) {
  static const struct {
    const char *name;
    int kind;
    double scale;
  } units[] = {{"px", VALUE_LENGTH, 1},
               {"em", VALUE_LENGTH, 16},
               {"rem", VALUE_LENGTH, 16},
               {"ex", VALUE_LENGTH, 8},
               {"ch", VALUE_LENGTH, 8},
               {"in", VALUE_LENGTH, 96},
               {"cm", VALUE_LENGTH, 96 / 2.54},
               {"mm", VALUE_LENGTH, 96 / 25.4},
               {"q", VALUE_LENGTH, 96 / 101.6},
               {"pt", VALUE_LENGTH, 96 / 72.0},
               {"pc", VALUE_LENGTH, 16},
               {"dppx", VALUE_RESOLUTION, 1},
               {"x", VALUE_RESOLUTION, 1},
               {"dpi", VALUE_RESOLUTION, 1 / 96.0},
               {"dpcm", VALUE_RESOLUTION, 2.54 / 96}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    if (!sj_token_is(&r->tokens, &r->token, units[i].name)) continue;
    v->kind = units[i].kind;
    v->number = r->token.number * units[i].scale;
    return true;
  }
  return false;
}

static value read_value(reader *r) {
  value v = {.kind = VALUE_NONE};
  if (r->token.kind == SJ_TOKEN_IDENT) {
    v.kind = VALUE_WORD;
    v.word = r->token;
    advance(r);
  } else if (r->token.kind == SJ_TOKEN_DIMENSION) {
    if (!unit_of(r, &v)) return v;
    advance(r);
  } else if (r->token.kind == SJ_TOKEN_NUMBER) {
    v.kind = VALUE_NUMBER;
    v.number = r->token.number;
    advance(r);
    skip_space(r);
    if (is_delim(r, '/')) {
      advance(r);
      skip_space(r);
      if (r->token.kind != SJ_TOKEN_NUMBER) {
        v.kind = VALUE_NONE;
        return v;
      }
      v.kind = VALUE_RATIO;
      v.number = r->token.number != 0 ? v.number / r->token.number : 1e30;
      advance(r);
    }
  }
  skip_space(r);
  return v;
}

// --- features ---

typedef enum comparison { EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL } comparison;

static bool compare(double a, comparison c, double b) {
  double slack = 1e-6 * (b < 0 ? -b : b);
  switch (c) {
    case EQUAL: return a - b <= slack && b - a <= slack;
    case LESS: return a < b - slack;
    case LESS_EQUAL: return a <= b + slack;
    case GREATER: return a > b + slack;
    default: return a >= b - slack;
  }
}

// Finds the value of a feature that has a range. Returns false for others.
static bool range_value(const reader *r, const sj_token *name, int *kind, double *out) {
  const stijl_css_medium *m = r->medium;
  const struct {
    const char *name;
    int kind;
    double value;
  } features[] = {{"width", VALUE_LENGTH, m->width},
                  {"height", VALUE_LENGTH, m->height},
                  {"device-width", VALUE_LENGTH, m->width},
                  {"device-height", VALUE_LENGTH, m->height},
                  {"aspect-ratio", VALUE_RATIO, m->height > 0 ? m->width / m->height : 1e30},
                  {"device-aspect-ratio", VALUE_RATIO, m->height > 0 ? m->width / m->height : 1e30},
                  {"resolution", VALUE_RESOLUTION, m->resolution},
                  {"-webkit-device-pixel-ratio", VALUE_NUMBER, m->resolution},
                  {"color", VALUE_NUMBER, 8},
                  {"color-index", VALUE_NUMBER, 0},
                  {"monochrome", VALUE_NUMBER, 0},
                  {"horizontal-viewport-segments", VALUE_NUMBER, 1},
                  {"vertical-viewport-segments", VALUE_NUMBER, 1}};
  for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
    if (!sj_token_is(&r->tokens, name, features[i].name)) continue;
    *kind = features[i].kind;
    *out = features[i].value;
    return true;
  }
  return false;
}

// Takes the prefix of min-width and its like off the name.
static comparison take_prefix(const reader *r, sj_token *name) {
  const char *text = r->tokens.text + name->name_start;
  size_t length = name->name_end - name->name_start, skip = 0;
  comparison c = EQUAL;
  static const char webkit_min[] = "-webkit-min-", webkit_max[] = "-webkit-max-";
  if (length > 4 && (sj_equal_ignoring_case(text, "min-", 4) || sj_equal_ignoring_case(text, "max-", 4))) {
    c = sj_lower(text[1]) == 'i' ? GREATER_EQUAL : LESS_EQUAL;
    skip = 4;
  } else if (length == 30 &&
             (sj_equal_ignoring_case(text, webkit_min, 12) || sj_equal_ignoring_case(text, webkit_max, 12))) {
    c = sj_lower(text[9]) == 'i' ? GREATER_EQUAL : LESS_EQUAL;
    skip = 12;
  }
  name->name_start += skip;
  return c;
}

static bool name_is(const reader *r, const sj_token *name, comparison prefix, const char *feature) {
  return prefix == EQUAL && sj_token_is(&r->tokens, name, feature);
}

static truth compare_range(const reader *r, const sj_token *name, comparison c, const value *v) {
  int kind;
  double actual;
  bool webkit = name->name_end - name->name_start == 18 &&
                sj_equal_ignoring_case(r->tokens.text + name->name_start, "device-pixel-ratio", 18);
  if (webkit) {
    kind = VALUE_NUMBER;
    actual = r->medium->resolution;
  } else if (!range_value(r, name, &kind, &actual)) {
    return UNKNOWN;
  }
  bool zero_length = kind == VALUE_LENGTH && v->kind == VALUE_NUMBER && v->number >= 0 && v->number <= 0;
  bool ratio = kind == VALUE_RATIO && v->kind == VALUE_NUMBER;
  if ((int)v->kind != kind && !zero_length && !ratio) return UNKNOWN;
  return compare(actual, c, v->number) ? YES : NO;
}

// Returns the word that is true of the medium for a discrete feature, NULL for an unknown one. *off: the word that
// counts as false where no value is asked for.
static const char *discrete_value(const reader *r, const sj_token *name, const char **off) {
  const stijl_css_medium *m = r->medium;
  const struct {
    const char *name, *value, *off;
  } features[] = {{"orientation", m->height >= m->width ? "portrait" : "landscape", NULL},
                  {"hover", m->hover ? "hover" : "none", "none"},
                  {"any-hover", m->hover ? "hover" : "none", "none"},
                  {"pointer", m->hover ? "fine" : "coarse", "none"},
                  {"any-pointer", m->hover ? "fine" : "coarse", "none"},
                  {"prefers-color-scheme", m->dark ? "dark" : "light", NULL},
                  {"prefers-reduced-motion", m->reduced_motion ? "reduce" : "no-preference", "no-preference"},
                  {"prefers-contrast", m->more_contrast ? "more" : "no-preference", "no-preference"},
                  {"prefers-reduced-transparency", "no-preference", "no-preference"},
                  {"prefers-reduced-data", "no-preference", "no-preference"},
                  {"forced-colors", "none", "none"},
                  {"inverted-colors", "none", "none"},
                  {"color-gamut", "srgb", NULL},
                  {"dynamic-range", "standard", NULL},
                  {"video-dynamic-range", "standard", NULL},
                  {"scripting", "enabled", "none"},
                  {"update", strcmp(m->type, "print") == 0 ? "none" : "fast", "none"},
                  {"overflow-block", strcmp(m->type, "print") == 0 ? "paged" : "scroll", "none"},
                  {"overflow-inline", "scroll", "none"},
                  {"display-mode", "browser", NULL},
                  {"scan", "progressive", NULL}};
  for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
    if (!sj_token_is(&r->tokens, name, features[i].name)) continue;
    *off = features[i].off;
    return features[i].value;
  }
  return NULL;
}

static truth plain_feature(const reader *r, sj_token name, const value *v) {
  comparison prefix = take_prefix(r, &name);
  const char *off;
  const char *word = prefix == EQUAL ? discrete_value(r, &name, &off) : NULL;
  if (word) {
    if (v->kind != VALUE_WORD) return UNKNOWN;
    return sj_token_is(&r->tokens, &v->word, word) ? YES : NO;
  }
  if (name_is(r, &name, prefix, "grid")) return v->kind == VALUE_NUMBER ? (v->number > 0 ? NO : YES) : UNKNOWN;
  if (name_is(r, &name, prefix, "-webkit-transform-3d"))
    return v->kind == VALUE_NUMBER ? (v->number > 0 ? YES : NO) : UNKNOWN;
  return compare_range(r, &name, prefix, v);
}

static truth boolean_feature(const reader *r, const sj_token *name) {
  const char *off, *word = discrete_value(r, name, &off);
  if (word) return off && strcmp(word, off) == 0 ? NO : YES;
  int kind;
  double actual;
  if (range_value(r, name, &kind, &actual)) return actual > 0 ? YES : NO;
  if (sj_token_is(&r->tokens, name, "grid")) return NO;
  return sj_token_is(&r->tokens, name, "-webkit-transform-3d") ? YES : UNKNOWN;
}

static bool read_comparison(reader *r, comparison *out) {
  if (r->token.kind != SJ_TOKEN_DELIM) return false;
  char c = r->token.delim;
  if (c != '<' && c != '>' && c != '=') return false;
  *out = c == '<' ? LESS : c == '>' ? GREATER : EQUAL;
  size_t end = r->token.end;
  advance(r);
  if (c != '=' && is_delim(r, '=') && r->token.start == end) {
    *out = c == '<' ? LESS_EQUAL : GREATER_EQUAL;
    advance(r);
  }
  skip_space(r);
  return true;
}

static comparison mirror(comparison c) {
  static const comparison mirrored[] = {EQUAL, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL};
  return mirrored[c];
}

// Reads a feature within parentheses; white space has been skipped.
static truth read_feature(reader *r) {
  value first = read_value(r);
  comparison c;
  if (first.kind == VALUE_NONE) return UNKNOWN;
  if (first.kind == VALUE_WORD) {
    if (r->token.kind == SJ_TOKEN_CLOSE_PAREN || r->token.kind == SJ_TOKEN_END) return boolean_feature(r, &first.word);
    bool colon = r->token.kind == SJ_TOKEN_COLON;
    if (colon) {
      advance(r);
      skip_space(r);
    } else if (!read_comparison(r, &c)) {
      return UNKNOWN;
    }
    value v = read_value(r);
    return colon ? plain_feature(r, first.word, &v) : compare_range(r, &first.word, c, &v);
  }
  if (!read_comparison(r, &c)) return UNKNOWN;
  value name = read_value(r);
  if (name.kind != VALUE_WORD) return UNKNOWN;
  truth result = compare_range(r, &name.word, mirror(c), &first);
  comparison second;
  if (!read_comparison(r, &second)) return result;
  value last = read_value(r);
  bool same_way = (c == LESS || c == LESS_EQUAL) == (second == LESS || second == LESS_EQUAL);
  if (c == EQUAL || second == EQUAL || !same_way) return UNKNOWN;
  truth other = compare_range(r, &name.word, second, &last);
  if (result == UNKNOWN || other == UNKNOWN) return UNKNOWN;
  return result == YES && other == YES ? YES : NO;
}

// --- conditions ---

static truth read_condition(reader *r, bool with_or, int depth);

static truth read_in_parens(reader *r, int depth) {
  truth result = UNKNOWN;
  bool function = r->token.kind == SJ_TOKEN_FUNCTION;
  if (!function && r->token.kind != SJ_TOKEN_OPEN_PAREN) return UNKNOWN;
  advance(r);
  skip_space(r);
  if (!function && depth < MAX_DEPTH) {
    bool nested = r->token.kind == SJ_TOKEN_OPEN_PAREN || r->token.kind == SJ_TOKEN_FUNCTION || is_word(r, "not");
    result = nested ? read_condition(r, true, depth + 1) : read_feature(r);
    if (r->token.kind != SJ_TOKEN_CLOSE_PAREN && r->token.kind != SJ_TOKEN_END) result = UNKNOWN;
  }
  skip_to_close(r);
  advance(r);
  skip_space(r);
  return result;
}

static truth read_condition(reader *r, bool with_or, int depth) {
  if (is_word(r, "not")) {
    advance(r);
    skip_space(r);
    return negate(read_in_parens(r, depth));
  }
  truth result = read_in_parens(r, depth);
  const char *joint = is_word(r, "and") ? "and" : with_or && is_word(r, "or") ? "or" : NULL;
  while (joint && is_word(r, joint)) {
    advance(r);
    skip_space(r);
    truth other = read_in_parens(r, depth);
    truth decides = joint[0] == 'a' ? NO : YES;
    if (result == decides || other == decides)
      result = decides;
    else if (other == UNKNOWN)
      result = UNKNOWN;
  }
  return result;
}

static truth read_query(reader *r) {
  bool negated = false;
  if (r->token.kind == SJ_TOKEN_OPEN_PAREN || r->token.kind == SJ_TOKEN_FUNCTION) return read_condition(r, true, 0);
  if (is_word(r, "not") || is_word(r, "only")) {
    negated = is_word(r, "not");
    advance(r);
    skip_space(r);
    if (r->token.kind == SJ_TOKEN_OPEN_PAREN || r->token.kind == SJ_TOKEN_FUNCTION)
      return negated ? negate(read_in_parens(r, 0)) : UNKNOWN;
  }
  if (r->token.kind != SJ_TOKEN_IDENT || is_word(r, "and") || is_word(r, "or") || is_word(r, "layer")) return UNKNOWN;
  truth result = is_word(r, "all") || is_word(r, r->medium->type) ? YES : NO;
  advance(r);
  skip_space(r);
  if (is_word(r, "and")) {
    advance(r);
    skip_space(r);
    truth condition = read_condition(r, false, 0);
    if (result == YES || condition == UNKNOWN) result = condition;
  }
  return negated ? negate(result) : result;
}

bool sj_css_media_matches(stijl_budget *budget, const stijl_css_medium *medium, const char *text, size_t start,
                          size_t end) {
  reader r = {.medium = medium, .tokens = sj_tokens_begin(text, start, end, budget)};
  advance(&r);
  skip_space(&r);
  if (r.token.kind == SJ_TOKEN_END) return true;
  bool any = false;
  for (;;) {
    truth result = read_query(&r);
    skip_space(&r);
    // What follows a query makes it malformed: "not all".
    if (r.token.kind == SJ_TOKEN_END || r.token.kind == SJ_TOKEN_COMMA) any |= result == YES;
    uint32_t open = 0;
    for (; r.token.kind != SJ_TOKEN_END && !(open == 0 && r.token.kind == SJ_TOKEN_COMMA); advance(&r)) {
      if (sj_token_closer(r.token.kind) != SJ_TOKEN_END) open++;
      bool closes = r.token.kind == SJ_TOKEN_CLOSE_PAREN || r.token.kind == SJ_TOKEN_CLOSE_BRACKET ||
                    r.token.kind == SJ_TOKEN_CLOSE_BRACE;
      if (open && closes) open--;
    }
    if (r.token.kind == SJ_TOKEN_END) return any;
    advance(&r);
    skip_space(&r);
  }
}
