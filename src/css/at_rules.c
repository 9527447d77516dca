// At-rules: cascade layers, namespaces, conditions, keyframes.
#include "base/budget.h"
#include "css/condition.h"
#include "css/parser.h"

// Steps of the budget for finding or making a layer.
#define WORK_A_LAYER 100

uint32_t sj_css_layer_get(sj_css_program *g, uint32_t parent, sj_atom name) {
  uint32_t made = (uint32_t)g->layers.count;
  if (!sj_context_check(g->context, WORK_A_LAYER)) return SJ_CSS_NONE;
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

stijl_result sj_css_parse_layer_name(sj_css_parser *s, uint32_t parent, uint32_t *layer) {
  *layer = SJ_CSS_NONE;
  if (s->token.kind != SJ_TOKEN_IDENT) return STIJL_OK;
  for (;;) {
    size_t length;
    const char *name = sj_token_name(&s->tokens, &s->token, s->css->context, &s->selectors.buffer, &length);
    sj_atom atom = name ? sj_atoms_intern(&s->program->strings, name, length) : SJ_ATOM_NONE;
    if (!atom) return sj_css_no_memory(s);
    parent = *layer = sj_css_layer_get(s->program, parent, atom);
    if (parent == SJ_CSS_NONE) return sj_css_no_memory(s);
    sj_css_advance(s);
    if (s->token.kind != SJ_TOKEN_DELIM || s->token.delim != '.') break;
    sj_css_advance(s);
    if (s->token.kind != SJ_TOKEN_IDENT) {
      *layer = SJ_CSS_NONE;
      break;
    }
  }
  sj_css_skip_space(s);
  return STIJL_OK;
}

static stijl_result parse_layer(sj_css_parser *s, sj_css_surroundings *around) {
  sj_css_skip_space(s);
  uint32_t layer;
  for (bool first = true;; first = false) {
    stijl_result result = sj_css_parse_layer_name(s, around->layer, &layer);
    if (result) return result;
    if (s->token.kind == SJ_TOKEN_OPEN_BRACE && first) {
      if (layer == SJ_CSS_NONE) layer = sj_css_layer_get(s->program, around->layer, SJ_ATOM_NONE);
      return layer == SJ_CSS_NONE ? sj_css_no_memory(s) : sj_css_parse_block(s, around, layer, around->active);
    }
    if (layer == SJ_CSS_NONE || s->token.kind != SJ_TOKEN_COMMA) break;
    sj_css_advance(s);
    sj_css_skip_space(s);
  }
  size_t start, end;
  stijl_result result = sj_css_skip_prelude(s, around, &start, &end);
  if (!result && end > start) sj_css_warn(s, start, end, "@layer left out");
  return result ? result : sj_css_skip_rule_end(s);
}

static stijl_result parse_namespace(sj_css_parser *s, const sj_css_surroundings *around) {
  sj_css_skip_space(s);
  sj_atom prefix = SJ_ATOM_NONE;
  stijl_context *context = s->css->context;
  size_t length;
  const char *name;
  if (s->token.kind == SJ_TOKEN_IDENT) {
    name = sj_token_name(&s->tokens, &s->token, context, &s->selectors.buffer, &length);
    if (!name || !(prefix = sj_atoms_intern(&s->program->strings, name, length))) return sj_css_no_memory(s);
    sj_css_advance(s);
    sj_css_skip_space(s);
  }
  if (s->token.kind == SJ_TOKEN_FUNCTION && sj_token_is(&s->tokens, &s->token, "url")) {
    sj_css_advance(s);
    sj_css_skip_space(s);
  }
  size_t start = s->token.start, end;
  if (s->before_rules && (s->token.kind == SJ_TOKEN_STRING || s->token.kind == SJ_TOKEN_URL)) {
    name = sj_token_name(&s->tokens, &s->token, context, &s->selectors.buffer, &length);
    sj_atom address = name ? sj_atoms_intern(&s->program->strings, name, length) : SJ_ATOM_NONE;
    if (!address) return sj_css_no_memory(s);
    if (prefix == SJ_ATOM_NONE) {
      s->namespaces.fallback = address;
    } else {
      if (!sj_css_namespace_set(&s->namespaces, context, prefix, address)) return sj_css_no_memory(s);
    }
  } else {
    sj_css_warn(s, start, s->token.end, "@namespace left out");
  }
  stijl_result result = sj_css_skip_prelude(s, around, &start, &end);
  return result ? result : sj_css_skip_rule_end(s);
}

static bool is_at(const sj_css_parser *s, const sj_token *name, const char *lower) {
  return sj_token_is(&s->tokens, name, lower);
}

// Returns whether a rule's block holds no style rules.
static bool is_without_selectors(const sj_css_parser *s, const sj_token *name) {
  static const char *const names[] = {
      "charset",       "font-face",           "keyframes",           "-webkit-keyframes", "page",          "property",
      "counter-style", "font-feature-values", "font-palette-values", "view-transition",   "position-try",  "viewport",
      "-ms-viewport",  "-moz-keyframes",      "-o-keyframes",        "custom-media",      "color-profile", "function"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (is_at(s, name, names[i])) return true;
  return false;
}

// Steps over the block that comes next. *start and *length are what is between its braces.
static stijl_result take_block(sj_css_parser *s, uint32_t *start, uint32_t *length) {
  size_t body = s->token.end;
  stijl_result result = sj_css_skip_component(s);
  if (result) return result;
  size_t close = s->token.start;
  while (close > body && s->tokens.text[close - 1] != '}') close--;
  *start = (uint32_t)body;
  *length = (uint32_t)(close > body ? close - 1 - body : s->token.start - body);
  return STIJL_OK;
}

static stijl_result parse_font_face(sj_css_parser *s, bool active) {
  sj_css_font_face face = {.source = s->source};
  stijl_result result = take_block(s, &face.start, &face.length);
  if (result || !active) return result;
  return sj_array_push(s->css->context, &s->program->font_faces, face) ? STIJL_OK : sj_css_no_memory(s);
}

// Parses a rule with a name, whose prelude is the text from `start` to `end`. The block comes next.
static stijl_result parse_named(sj_css_parser *s, size_t start, size_t end, bool active, sj_css_named_rules *out) {
  sj_tokens tokens = sj_tokens_begin(s->tokens.text, start, end, s->tokens.budget);
  sj_token name = sj_tokens_next_word(&tokens);
  sj_token behind = sj_tokens_next_word(&tokens);
  bool named = (name.kind == SJ_TOKEN_IDENT || name.kind == SJ_TOKEN_STRING) && behind.kind == SJ_TOKEN_END;
  sj_css_named_rule rule = {.source = s->source,
                            .name_start = (uint32_t)name.name_start,
                            .name_length = (uint32_t)(name.name_end - name.name_start)};
  stijl_result result = take_block(s, &rule.start, &rule.length);
  if (result || !active || !named) return result;
  return sj_array_push(s->css->context, out, rule) ? STIJL_OK : sj_css_no_memory(s);
}

stijl_result sj_css_parse_at_rule(sj_css_parser *s, sj_css_surroundings *around) {
  sj_token name = s->token;
  bool media = is_at(s, &name, "media"), supports = is_at(s, &name, "supports");
  bool layer = is_at(s, &name, "layer"), charset = is_at(s, &name, "charset");
  sj_css_advance(s);
  if (is_at(s, &name, "import")) {
    if (around->depth) s->head = false;
    return sj_css_parse_import(s, around, name.start);
  }
  bool namespace_ = is_at(s, &name, "namespace");
  if (!layer && !charset) s->head = false;
  if (!layer && !charset && !namespace_) s->before_rules = false;
  if (layer) return parse_layer(s, around);
  if (namespace_) return parse_namespace(s, around);
  size_t start, end;
  stijl_result result = sj_css_skip_prelude(s, around, &start, &end);
  if (result) return result;
  bool block = s->token.kind == SJ_TOKEN_OPEN_BRACE;
  if (block && media) {
    bool holds = sj_css_media_matches(s->tokens.budget, &s->css->params.medium, s->tokens.text, start, end);
    return sj_css_parse_block(s, around, around->layer, around->active && holds);
  }
  if (block && supports) {
    sj_css_set_surroundings(s, &sj_css_nowhere);
    bool holds = sj_css_supports(&s->selectors, s->tokens.text, start, end);
    return sj_css_parse_block(s, around, around->layer, around->active && holds);
  }
  if (block && is_at(s, &name, "scope")) return sj_css_parse_scope(s, around, name.start, start, end);
  bool container = is_at(s, &name, "container");
  if (block && (container || is_at(s, &name, "starting-style"))) {
    sj_css_warn(s, name.start, end,
                container ? "@container is not evaluated, its rules do not apply"
                          : "@starting-style has no effect on a document at rest");
    return sj_css_parse_block(s, around, around->layer, false);
  }
  if (block && (is_at(s, &name, "keyframes") || is_at(s, &name, "-webkit-keyframes")))
    return parse_named(s, start, end, around->active, &s->program->keyframes);
  if (block && is_at(s, &name, "font-face")) return parse_font_face(s, around->active);
  if (block && is_at(s, &name, "font-palette-values"))
    return parse_named(s, start, end, around->active, &s->program->font_palettes);
  if (block && is_at(s, &name, "property")) return parse_named(s, start, end, around->active, &s->program->properties);
  if (block && is_at(s, &name, "counter-style"))
    return parse_named(s, start, end, around->active, &s->program->counter_styles);
  if (!is_without_selectors(s, &name)) sj_css_warn(s, name.start, end, "at-rule left out");
  return sj_css_skip_rule_end(s);
}
