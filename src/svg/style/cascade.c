#include "svg/style/cascade.h"

#include <string.h>

#include "css/declaration.h"
#include "svg/parse/html_names.h"
#include "svg/parse/values.h"
#include "svg/style/copies.h"
#include "svg/style/handed.h"
#include "svg/style/html_sheet.h"
#include "svg/style/offset_shorthand.h"
#include "svg/style/registered.h"

#define NONE SJ_NO_RUN
// A rule with more declarations than this is stored without repeated ones, since each element that matches goes through
// all.
#define MANY_DECLARATIONS 64

static stijl_result no_memory(const sj_gatherer *c) { return sj_fail_memory(c->message); }

// --- declarations ---

// Returns whether an attribute may give the property its value (SVG 2, 6.6). Shorthands, properties that SVG does not
// list, and `rotate`, `scale` and `translate` are for style declarations only.
static bool is_presentation_attribute(sj_name name) {
  switch (name) {
    case SJ_PROPERTY_ANIMATION:
    case SJ_PROPERTY_ANIMATION_COMPOSITION:
    case SJ_PROPERTY_ANIMATION_DELAY:
    case SJ_PROPERTY_ANIMATION_DIRECTION:
    case SJ_PROPERTY_ANIMATION_DURATION:
    case SJ_PROPERTY_ANIMATION_FILL_MODE:
    case SJ_PROPERTY_ANIMATION_ITERATION_COUNT:
    case SJ_PROPERTY_ANIMATION_NAME:
    case SJ_PROPERTY_ANIMATION_PLAY_STATE:
    case SJ_PROPERTY_ANIMATION_TIMING_FUNCTION:
    case SJ_PROPERTY_BACKGROUND:
    case SJ_PROPERTY_BACKGROUND_COLOR:
    case SJ_PROPERTY_FONT:
    case SJ_PROPERTY_MARKER:
    case SJ_PROPERTY_MASK_CLIP:
    case SJ_PROPERTY_MASK_COMPOSITE:
    case SJ_PROPERTY_MASK_IMAGE:
    case SJ_PROPERTY_MASK_MODE:
    case SJ_PROPERTY_MASK_ORIGIN:
    case SJ_PROPERTY_MASK_POSITION:
    case SJ_PROPERTY_MASK_REPEAT:
    case SJ_PROPERTY_MASK_SIZE:
    case SJ_PROPERTY_OFFSET_ANCHOR:
    case SJ_PROPERTY_OFFSET_DISTANCE:
    case SJ_PROPERTY_OFFSET_PATH:
    case SJ_PROPERTY_OFFSET_ROTATE:
    case SJ_PROPERTY_ROTATE:
    case SJ_PROPERTY_SCALE:
    case SJ_PROPERTY_TEXT_ALIGN:
    case SJ_PROPERTY_TEXT_DECORATION_COLOR:
    case SJ_PROPERTY_TEXT_DECORATION_LINE:
    case SJ_PROPERTY_TEXT_DECORATION_SKIP_INK:
    case SJ_PROPERTY_TEXT_DECORATION_STYLE:
    case SJ_PROPERTY_TEXT_DECORATION_THICKNESS:
    case SJ_PROPERTY_TEXT_SHADOW:
    case SJ_PROPERTY_TEXT_TRANSFORM:
    case SJ_PROPERTY_TEXT_UNDERLINE_OFFSET:
    case SJ_PROPERTY_TEXT_UNDERLINE_POSITION:
    case SJ_PROPERTY_TRANSLATE: return false;
    default: return true;
  }
}

static bool is_custom(const char *name, size_t length) { return length > 2 && name[0] == '-' && name[1] == '-'; }

static bool add_declared(sj_gatherer *c, int name, const char *value, size_t length, bool important) {
  sj_document *document = c->document;
  sj_declared d = {.name = (uint16_t)name, .important = important, .value = value, .length = length};
  return document->declared.count < UINT32_MAX - 1 && sj_array_push(document->context, &document->declared, d);
}

// Adds a declaration to the run that is being made. `name` is only looked at where the property is unknown.
static bool declare_known(sj_gatherer *c, sj_name known, const char *name, size_t name_length, const char *value,
                          size_t length, bool important) {
  sj_document_note(c->document, known, name, name_length, value, length, c->at_root);
  return known == SJ_NAME_UNKNOWN || add_declared(c, (int)known, value, length, important);
}

static bool add_hint(void *user, int name, const char *value, size_t length) {
  return add_declared(user, name, value, length, false);
}

static bool begins(const char *name, size_t length, const char *with) {
  size_t count = strlen(with);
  return length >= count && strncasecmp(name, with, count) == 0;
}

// Returns the property of boxes that this is, where the document has HTML, or the element is the root. Names are looked
// at first, so that the browser's module loads the others only for documents that may have some.
static int find_html_property(const sj_gatherer *c, const char *name, size_t length) {
  bool outline = begins(name, length, "outline");
  bool of_root = begins(name, length, "max-") || begins(name, length, "min-") || begins(name, length, "border") ||
                 begins(name, length, "box-s") || begins(name, length, "margin") || begins(name, length, "padding") ||
                 begins(name, length, "background-") || begins(name, length, "-webkit-box-s") || outline;
  bool wanted = c->at_root ? of_root || c->document->has_html : c->document->has_html && !outline;
  return wanted ? sj_html_property_find(name, length) : SJ_NAME_UNKNOWN;
}

// Adds a declaration to the run or set that is being made; *set is NONE until there is a custom property.
static bool declare(sj_gatherer *c, const char *name, size_t name_length, const char *value, size_t length,
                    bool important, uint32_t *set) {
  if (is_custom(name, name_length)) {
    if (!c->css) return true;  // nothing uses variables
    if (*set == NONE) *set = sj_css_variables_begin(&c->variables);
    uint64_t work;
    sj_span stands = sj_registry_value(&c->registry, (sj_span){name, name_length}, (sj_span){value, length}, &work);
    return sj_spend(&c->spender, work) &&
           sj_css_variables_add(&c->variables, name, name_length, stands.text, stands.length);
  }
  sj_declared parts[SJ_OFFSET_PARTS];
  bool good = true;
  // The length is looked at first, so that the browser's module loads what splits it only for documents that may have
  // it.
  if (name_length != sizeof "offset" - 1 ||
      !sj_split_offset((sj_span){name, name_length}, (sj_span){value, length}, important, parts)) {
    sj_name known = sj_property_find(name, name_length);
    int html = known == SJ_NAME_UNKNOWN ? find_html_property(c, name, name_length) : SJ_NAME_UNKNOWN;
    // The root's own box is HTML's no more than without any HTML.
    if (html != SJ_NAME_UNKNOWN && c->at_root)
      sj_document_note(c->document, known, name, name_length, value, length, true);
    if (html != SJ_NAME_UNKNOWN) return add_declared(c, html, value, length, important);
    return declare_known(c, known, name, name_length, value, length, important);
  }
  for (int i = 0; i < SJ_OFFSET_PARTS && good; i++)
    good = declare_known(c, parts[i].name, NULL, 0, parts[i].value, parts[i].length, important);
  return good;
}

// Makes a run of the declarations from `first` on; NONE when there are none. Returns false when memory is short.
static bool end_run(sj_gatherer *c, size_t first, uint32_t *run) {
  sj_document *document = c->document;
  size_t count = document->declared.count - first;
  *run = NONE;
  if (!count) return true;
  if (document->declared.count >= UINT32_MAX - 1) return false;
  *run = (uint32_t)document->runs.count;
  return sj_array_push(document->context, &document->runs, (sj_declared_run){(uint32_t)first, (uint32_t)count});
}

// Leaves out all but the last of declarations with the same name and text.
static bool leave_out_repeated(sj_gatherer *c, size_t first) {
  sj_document *document = c->document;
  size_t count = document->declared.count - first;
  if (count <= MANY_DECLARATIONS) return true;
  sj_atoms values, pairs;
  bool good = sj_atoms_init(&values, document->context);
  good = sj_atoms_init(&pairs, document->context) && good;
  sj_declared *list = document->declared.data + first;
  size_t kept = count;  // those that are kept move to the end
  for (size_t left = count; good && left > 0; left--) {
    size_t i = left - 1;
    uint32_t pair[2] = {list[i].name, sj_atoms_intern(&values, list[i].value, list[i].length)};
    size_t before = pairs.strings.count;
    good = pair[1] && sj_atoms_intern(&pairs, (const char *)pair, sizeof pair);
    if (pairs.strings.count > before) list[--kept] = list[i];
  }
  sj_atoms_finish(&values);
  sj_atoms_finish(&pairs);
  if (!good) return false;
  memmove(list, list + kept, (count - kept) * sizeof *list);
  document->declared.count -= kept;
  return true;
}

// Makes both parts of a rule when it is needed for the first time. `selector` is any of the rule's.
static bool know_rule(sj_gatherer *c, uint32_t rule, uint32_t selector) {
  if (c->known[rule]) return true;
  c->known[rule] = 1;
  size_t count = stijl_css_declaration_count(c->css, selector);
  for (int important = 0; important < 2; important++) {
    sj_rule_part *part = &c->parts[2 * (size_t)rule + (size_t)important];
    part->set = NONE;
    size_t first = c->document->declared.count;
    for (size_t i = 0; i < count; i++) {
      stijl_css_declaration d = STIJL_CSS_DECLARATION_INIT;
      stijl_css_declaration_get(c->css, selector, i, &d);
      if (d.important == important &&
          !declare(c, d.name, d.name_length, d.value, d.value_length, important, &part->set))
        return false;
    }
    if (!leave_out_repeated(c, first) || !end_run(c, first, &part->run)) return false;
  }
  return true;
}

// Finds the rules that apply to the element, or to the pseudo-element at work, in rising order of the cascade. Of
// several selectors of a rule that match, the highest counts.
static bool find_rules(sj_gatherer *c, const sj_gathering *g) {
  uint32_t gathering = ++c->gatherings;
  c->rules.count = c->pseudo_elements = 0;
  c->found = g->selector_count;
  if (!sj_array_reserve(c->document->context, &c->rules, g->selector_count)) return false;
  for (size_t left = g->selector_count; left > 0; left--) {
    uint32_t selector = g->selectors[left - 1], rule = c->css->program.selectors.data[selector].rule;
    uint16_t part = c->css->program.selectors.data[selector].part;
    c->pseudo_elements |= 1u << part;
    if (part != g->part) continue;
    if (c->seen[rule] == gathering) continue;
    c->seen[rule] = gathering;
    if (!know_rule(c, rule, selector)) return false;
    c->rules.data[c->rules.count++] = rule;
  }
  for (size_t low = 0, high = c->rules.count; low + 1 < high; low++) {
    uint32_t rule = c->rules.data[low];
    c->rules.data[low] = c->rules.data[--high];
    c->rules.data[high] = rule;
  }
  return true;
}

static bool take_part(sj_gatherer *c, uint32_t run, uint32_t set) {
  stijl_context *context = c->document->context;
  return (run == NONE || sj_array_push(context, &c->runs, run)) &&
         (set == NONE || sj_array_push(context, &c->sets, set));
}

static bool take_rules(sj_gatherer *c, int important) {
  for (size_t i = 0; i < c->rules.count; i++) {
    sj_rule_part part = c->parts[2 * (size_t)c->rules.data[i] + (size_t)important];
    if (!take_part(c, part.run, part.set)) return false;
  }
  return true;
}

// Makes a run of the presentation attributes of an element; *style becomes its style attribute, or NULL.
static bool make_presentation(sj_gatherer *c, uint32_t e, uint32_t *run, const sj_string **style) {
  sj_document *document = c->document;
  sj_pool_range range = document->dom->attributes.data[e];
  const sj_node_attribute *attributes = sj_array_at(&document->dom->attribute_pool, range.first);
  size_t first = document->declared.count;
  *style = NULL;
  bool html = document->nodes.data[e].is_html;
  if (html && !sj_html_hints(document, e, add_hint, c)) return false;
  for (uint32_t i = 0; i < range.count; i++) {
    sj_name name = sj_document_attribute_name(document, &attributes[i]);
    const sj_string *value = sj_dom_string(document->dom, attributes[i].value);
    if (name == SJ_ATTRIBUTE_STYLE) *style = value;
    // The attribute `transform` has a grammar of its own and is read where it is used.
    if (html || name >= SJ_PROPERTY_COUNT || name == SJ_PROPERTY_TRANSFORM) continue;
    if (!is_presentation_attribute(name)) continue;
    if (!declare_known(c, name, NULL, 0, value->text, value->length, false)) return false;
  }
  return end_run(c, first, run);
}

static bool make_style(sj_gatherer *c, const sj_string *style, bool important, sj_rule_part *part) {
  *part = (sj_rule_part){NONE, NONE};
  if (!style) return true;
  size_t first = c->document->declared.count;
  sj_declarations list = sj_declarations_begin(style->text, style->length);
  for (sj_declaration d; sj_declarations_next(&list, &d);)
    if (!sj_spend(&c->spender, SJ_WORK_VALUE + d.value_length) ||
        (d.important == important &&
         !declare(c, d.name, d.name_length, d.value, d.value_length, important, &part->set)))
      return false;
  return end_run(c, first, &part->run);
}

// Reads what the attributes of an element declare, which is the same in all its copies.
static bool make_own(sj_gatherer *c, uint32_t e, sj_own_parts *own) {
  const sj_string *style;
  return make_presentation(c, e, &own->presentation, &style) && make_style(c, style, false, &own->style[0]) &&
         make_style(c, style, true, &own->style[1]);
}

// Finds that. A copy comes after its original, for which it was read and kept.
static bool find_own(sj_gatherer *c, const sj_gathering *g, bool copy, sj_own_parts *own) {
  if (!copy && !make_own(c, g->element, own)) return false;
  if (!copy && c->own_parts) c->own_parts[g->element] = *own;
  if (copy) *own = c->own_parts[g->element];
  return true;
}

// --- variables ---

static bool run_has_variables(sj_gatherer *c, uint32_t run, bool *has) {
  const sj_document *document = c->document;
  while (c->has_variables.count < document->runs.count)
    if (!sj_array_push(document->context, &c->has_variables, 0)) return false;
  uint8_t *known = &c->has_variables.data[run];
  if (!*known) {
    sj_declared_run r = document->runs.data[run];
    *known = 1;
    for (uint32_t i = 0; i < r.count && *known == 1; i++) {
      const sj_declared *d = &document->declared.data[r.first + i];
      if (sj_css_has_variables(d->value, d->length)) *known = 2;
    }
  }
  *has = *known == 2;
  return true;
}

// Replaces the variables in a declaration. A value that is invalid becomes `unset`.
static stijl_result replace_variables(sj_gatherer *c, sj_declared *d, uint32_t scope) {
  const char *text;
  size_t length;
  if (!sj_css_has_variables(d->value, d->length)) return STIJL_OK;
  switch (sj_css_substitute(&c->variables, scope, d->value, d->length, &text, &length)) {
    case SJ_CSS_NO_MEMORY: return no_memory(c);
    case SJ_CSS_TOO_MUCH: return sj_fail(c->message, STIJL_ERROR_LIMIT, "the style sheets' variables become too long");
    case SJ_CSS_INVALID_VALUE:
      d->value = "unset";
      d->length = 5;
      return STIJL_OK;
    default: break;
  }
  while (length && (*text == ' ' || *text == '\t' || *text == '\n' || *text == '\r')) text++, length--;
  d->value = sj_arena_text(&c->document->arena, text, length);
  d->length = length;
  return d->value ? STIJL_OK : no_memory(c);
}

// Replaces *run by a run in which variables have the values of the scope. It is made once for each run and scope.
static stijl_result resolve_run(sj_gatherer *c, uint32_t *run, uint32_t scope) {
  sj_document *document = c->document;
  bool has;
  if (!run_has_variables(c, *run, &has)) return no_memory(c);
  if (!has) return STIJL_OK;
  const uint32_t key[2] = {*run, scope};
  sj_atom atom = sj_atoms_intern(&c->resolved, (const char *)key, sizeof key);
  if (!atom) return no_memory(c);
  if (atom - SJ_ATOM_FIRST < c->resolved_runs.count) {
    *run = c->resolved_runs.data[atom - SJ_ATOM_FIRST];
    return STIJL_OK;
  }
  sj_declared_run from = document->runs.data[*run];
  size_t first = document->declared.count;
  if (!sj_array_reserve(document->context, &document->declared, from.count)) return no_memory(c);
  for (uint32_t i = 0; i < from.count; i++) {
    sj_declared d = document->declared.data[from.first + i];
    stijl_result result = replace_variables(c, &d, scope);
    if (result) return result;
    document->declared.data[document->declared.count++] = d;
  }
  bool good = end_run(c, first, run) && sj_array_push(document->context, &c->resolved_runs, *run);
  return good ? STIJL_OK : no_memory(c);
}

// --- animations ---

// Gathers all declarations of the element at work. Returns false when memory is short.
static bool gather_own(sj_gatherer *c) {
  const sj_document *document = c->document;
  c->own.count = 0;
  for (size_t i = 0; i < c->runs.count; i++) {
    sj_declared_run run = document->runs.data[c->runs.data[i]];
    if (!sj_array_reserve(document->context, &c->own, run.count)) return false;
    memcpy(c->own.data + c->own.count, document->declared.data + run.first, run.count * sizeof *c->own.data);
    c->own.count += run.count;
  }
  return true;
}

// Adds the custom properties that animations set to the element's scope. Returns false when memory is short.
static bool animate_variables(sj_gatherer *c, uint32_t *scope) {
  uint32_t set;
  if (!c->keyframes.customs.count) return true;
  c->keyframes.variables = &c->variables;
  if (!gather_own(c) || !sj_registry_animate(&c->registry, &c->keyframes, c->own.data, c->own.count, *scope, &set))
    return false;
  return set == SJ_NO_SET || sj_css_variables_scope(&c->variables, *scope, &set, 1, scope);
}

// Adds the declarations that animations make behind those that are not important (CSS Cascade 5, 6.1). *animated
// becomes whether there are any.
static stijl_result animate(sj_gatherer *c, const sj_gathering *g, bool *animated) {
  sj_document *document = c->document;
  stijl_context *context = document->context;
  *animated = false;
  if (!c->keyframes.frames.count) return STIJL_OK;
  size_t important = c->runs.count;
  c->animated.count = 0;
  for (size_t i = 0; i < c->runs.count && important == c->runs.count; i++)
    if (document->declared.data[document->runs.data[c->runs.data[i]].first].important) important = i;
  if (!gather_own(c)) return no_memory(c);
  // What the element inherits is looked up in the cascade so far.
  c->keyframes.variables = &c->variables;
  c->keyframes.scope = g->scope;
  document->cascade.data = c->cascade.data;
  bool good = sj_keyframes_apply(&c->keyframes, document, g->element, c->own.data, c->own.count, &c->animated);
  document->cascade.data = NULL;
  if (!good) return no_memory(c);
  if (!c->animated.count) return STIJL_OK;
  document->nodes.data[g->element].moves = true;
  size_t first = document->declared.count;
  uint32_t run;
  for (size_t i = 0; i < c->animated.count; i++) {
    if (c->animated.data[i].name == SJ_PROPERTY_MIX_BLEND_MODE) document->has_blend = true;
    if (!sj_array_push(context, &document->declared, c->animated.data[i])) return no_memory(c);
  }
  if (!end_run(c, first, &run) || !sj_array_push(context, &c->runs, run)) return no_memory(c);
  stijl_result result = resolve_run(c, &run, g->scope);
  memmove(c->runs.data + important + 1, c->runs.data + important,
          (c->runs.count - 1 - important) * sizeof *c->runs.data);
  c->runs.data[important] = run;
  *animated = true;
  return result;
}

// --- elements ---

// Adds the runs of the element at work to the cascade. Elements without declarations of their own share one list if the
// same rules apply to them.
static bool place_runs(sj_gatherer *c, bool own, sj_declared_run *place) {
  stijl_context *context = c->document->context;
  size_t count = c->runs.count;
  *place = (sj_declared_run){0};
  if (!count) return true;
  if (!own) {
    sj_atom atom = sj_atoms_intern(&c->lists, (const char *)c->runs.data, count * sizeof *c->runs.data);
    if (!atom) return false;
    if (atom - SJ_ATOM_FIRST < c->list_places.count) {
      *place = c->list_places.data[atom - SJ_ATOM_FIRST];
      return true;
    }
  }
  if (c->cascade.count + count >= UINT32_MAX || !sj_array_reserve(context, &c->cascade, count)) return false;
  *place = (sj_declared_run){(uint32_t)c->cascade.count, (uint32_t)count};
  memcpy(c->cascade.data + c->cascade.count, c->runs.data, count * sizeof *c->runs.data);
  c->cascade.count += count;
  return own || sj_array_push(context, &c->list_places, *place);
}

// Returns whether the node has the runs of the element at work already.
static bool has_runs(const sj_gatherer *c, const sj_node *node) {
  if (node->run_count != c->runs.count) return false;
  const uint32_t *runs = sj_array_at(&c->cascade, node->run_count ? node->first_run : 0);
  for (uint32_t i = 0; i < node->run_count; i++)
    if (runs[i] != c->runs.data[i]) return false;
  return true;
}

stijl_result sj_gather(sj_gatherer *c, sj_gathering *g) {
  bool copy = g->node != &c->document->nodes.data[g->element];
  c->runs.count = c->sets.count = 0;
  c->at_root = g->element == 0;
  g->node->copy = SJ_NO_COPY;
  if (!copy) g->node->run_count = 0;
  if (!g->node->is_svg && !g->node->is_html) return STIJL_OK;
  if (c->registry.resets != SJ_NO_SET && !take_part(c, NONE, c->registry.resets)) return no_memory(c);
  sj_own_parts own = {NONE, {{NONE, NONE}, {NONE, NONE}}};
  bool good = find_rules(c, g) && (g->part || find_own(c, g, copy, &own)) && take_part(c, own.presentation, NONE);
  for (int important = 0; good && important < 2; important++)
    good = take_rules(c, important) && take_part(c, own.style[important].run, own.style[important].set);
  good = good && sj_css_variables_scope(&c->variables, g->scope, c->sets.data, (uint32_t)c->sets.count, &g->scope);
  if (!good || !animate_variables(c, &g->scope)) return no_memory(c);
  for (size_t i = 0; i < c->runs.count; i++) {
    stijl_result result = resolve_run(c, &c->runs.data[i], g->scope);
    if (result) return result;
  }
  sj_declared_run place;
  bool animated;
  stijl_result result = animate(c, g, &animated);
  if (result) return result;
  if (!copy || !has_runs(c, g->node)) {
    bool alone = own.presentation != NONE || own.style[0].run != NONE || own.style[1].run != NONE;
    if (!place_runs(c, animated || (alone && !copy), &place)) return no_memory(c);
    g->node->first_run = place.first;
    g->node->run_count = place.count;
  }
  bool generates = g->node->is_html || g->node->element == SJ_ELEMENT_FOREIGN_OBJECT;
  bool parts = generates && !g->part && c->pseudo_elements >> SJ_CSS_PART_BEFORE;
  return parts ? sj_gather_parts(c, g) : STIJL_OK;
}

// Gathers the declarations of a document without style sheets and variables.
static stijl_result gather_plain(sj_gatherer *c) {
  sj_document *document = c->document;
  for (uint32_t e = 0; e < document->nodes.count; e++) {
    sj_node *node = &document->nodes.data[e];
    sj_own_parts own;
    sj_declared_run place;
    if (!node->is_svg) continue;
    c->runs.count = 0;
    c->at_root = e == 0;
    if (!make_own(c, e, &own) || !take_part(c, own.presentation, NONE) || !take_part(c, own.style[0].run, NONE) ||
        !take_part(c, own.style[1].run, NONE) || !place_runs(c, true, &place))
      return no_memory(c);
    node->first_run = place.first;
    node->run_count = place.count;
    if (!sj_context_check(document->context, SJ_WORK_NODE)) return sj_budget_spent(c->message);
  }
  return STIJL_OK;
}

// Gathers the declarations of the element where it stands in the document.
static stijl_result gather_original(sj_gatherer *c, const stijl_css_matcher *matcher, uint32_t e) {
  uint32_t parent = c->document->dom->parent.data[e];
  sj_gathering g = {.element = e,
                    .scope = parent == SJ_NO_ELEMENT ? c->registry.scope : c->scopes[parent],
                    .node = &c->document->nodes.data[e]};
  g.selector_count = stijl_css_matches(matcher, e, &g.selectors);
  stijl_result result = sj_gather(c, &g);
  // What an element of another file shows does not inherit from the root of this one.
  c->scopes[e] = e == 0 && c->document->given_to_parts ? c->registry.scope : g.scope;
  return result;
}

static bool has_use(const sj_document *document) {
  for (uint32_t e = 0; e < document->nodes.count; e++)
    if (document->nodes.data[e].element == SJ_ELEMENT_USE) return true;
  return false;
}

static stijl_result gather_all(sj_gatherer *c, const stijl_css_matcher *matcher, uint32_t max_elements) {
  sj_document *document = c->document;
  stijl_context *context = document->context;
  size_t rules = c->css->program.rules.count;
  c->scopes = sj_alloc_array(context, document->nodes.count, sizeof *c->scopes);
  c->parts = sj_alloc_array(context, rules + 1, 2 * sizeof *c->parts);
  c->known = sj_alloc_zero(context, rules + 1);
  c->seen = sj_alloc_zero(context, (rules + 1) * sizeof *c->seen);
  bool used = has_use(document);
  if (used) c->own_parts = sj_alloc_array(context, document->nodes.count, sizeof *c->own_parts);
  bool good = (c->own_parts || !used) && c->scopes && c->parts && c->known && c->seen &&
              sj_css_variables_init(&c->variables, context) && sj_atoms_init(&c->resolved, context) &&
              sj_atoms_init(&c->lists, context) &&
              sj_keyframes_init(&c->keyframes, context, &document->arena, c->css, c->line) &&
              sj_registry_init(&c->registry, context, c->css, &c->variables) &&
              (!document->given.length || sj_take_given(c));
  stijl_result result = good ? STIJL_OK : no_memory(c);
  document->moves_variables |= c->keyframes.customs.count > 0;
  for (uint32_t e = 0; e < document->nodes.count && !result; e++) {
    bool any;
    result = gather_original(c, matcher, e);
    if (!result && used && sj_shows_file(document, e)) result = sj_hand_over(c, SJ_NO_COPY, e, c->scopes[e], &any);
    if (!result && !sj_context_check(context, SJ_WORK_ELEMENT + c->found * SJ_WORK_VALUE))
      result = sj_budget_spent(c->message);
  }
  if (used && !result) result = sj_gather_copies(c, matcher, max_elements);
  return result;
}

stijl_result sj_document_cascade(sj_document *document, const stijl_css *css, const stijl_css_matcher *matcher,
                                 sj_timeline *line, uint32_t max_elements, stijl_message *message) {
  stijl_context *context = document->context;
  sj_gatherer c = {.document = document, .css = css, .line = line, .message = message};
  c.spender.budget = sj_budget_of(context);
  sj_array_finish(context, &document->cascade);
  document->copies.count = document->copy_nodes.count = document->handed.count = 0;
  sj_pairs_clear(&document->handers);
  stijl_result result = css ? gather_all(&c, matcher, max_elements) : gather_plain(&c);
  sj_css_variables_finish(&c.variables);
  sj_free(context, c.scopes);
  sj_free(context, c.parts);
  sj_free(context, c.known);
  sj_free(context, c.seen);
  sj_free(context, c.own_parts);
  sj_arrays_finish(context, &c.rules, &c.runs, &c.sets, &c.has_variables);
  sj_atoms_finish(&c.resolved);
  sj_array_finish(context, &c.resolved_runs);
  sj_atoms_finish(&c.lists);
  sj_arrays_finish(context, &c.list_places, &c.own, &c.animated);
  sj_keyframes_finish(&c.keyframes);
  sj_registry_finish(&c.registry, context);
  sj_pairs_finish(context, &c.handed_scopes);
  document->cascade.data = c.cascade.data;
  document->cascade.count = c.cascade.count;
  document->cascade.capacity = c.cascade.capacity;
  return result;
}
