#include "svg/resolve/text_content.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "svg/resolve/attributes.h"
#include "svg/resolve/image.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/text_fonts.h"
#include "text/settings.h"

// --- characters and white space: CSS Text 3, 4; SVG 2, 11.9 ---

bool sj_text_add_character(sj_text_content *t, uint32_t scope, uint32_t character, int kind) {
  sj_svg_position none = {NAN, NAN, NAN, NAN, NAN};
  stijl_context *context = t->r->job->context;
  return sj_text_remember(t, t->characters.count < SJ_MAX_TEXT && sj_array_push(context, &t->characters, character) &&
                                 sj_array_push(context, &t->owners, scope) &&
                                 sj_array_push(context, &t->positions, none) &&
                                 sj_array_push(context, &t->kinds, (uint8_t)kind));
}

static bool collapses(const sj_text_content *t, const sj_text_scope *scope) {
  if (scope->style.font.white_space == SJ_WHITE_SPACE_AUTO)
    return !t->r->document->nodes.data[scope->element].preserve_space;
  return scope->style.font.white_space != SJ_WHITE_SPACE_PRESERVE;
}

// Returns whether the line feeds of a scope end lines.
static bool keeps_lines(const sj_text_content *t, const sj_text_scope *scope) {
  int space = scope->style.font.white_space;
  return t->wraps && (space == SJ_WHITE_SPACE_PRESERVE || space == SJ_WHITE_SPACE_PRE_LINE);
}

static bool add_text(sj_text_content *t, uint32_t scope, const char *data, size_t length) {
  bool collapse = collapses(t, &t->scopes.data[scope]), lines = keeps_lines(t, &t->scopes.data[scope]);
  // Without libraries there is no text, whatever its letters.
  bool transforms = (t->scopes.data[scope].style.font.transform || t->last_sigma) && sj_text_open(NULL) == STIJL_OK;
  if (!transforms) t->in_word = false;
  uint32_t *characters, count;
  if (!sj_resolve_spend(t->r, 20 * (uint64_t)length)) return false;
  if (!sj_text_remember(t, sj_decode_utf8(t->r->job->context, data, length, &characters, NULL, &count))) return false;
  bool good = true;
  for (uint32_t i = 0; i < count && good; i++) {
    uint32_t character = characters[i];
    bool blank = character == ' ' || character == '\t' || character == '\n' || character == '\r';
    bool feed = lines && character == '\n';
    if (blank && collapse && t->ends_blank && !feed) continue;
    if (blank && !feed) character = ' ';
    t->ends_blank = blank;
    t->ends_soft = blank && collapse;
    good = transforms ? sj_text_add_letter(t, scope, character)
                      : sj_text_add_character(t, scope, character, SJ_CHARACTER_OWN);
  }
  sj_free(t->r->job->context, characters);
  return good;
}

// Removes white space at the end, where it collapses.
static void trim_end(sj_text_content *t) {
  size_t last = t->characters.count;
  while (last && t->kinds.data[last - 1] == SJ_CHARACTER_CONTROL) last--;
  if (!last || !t->ends_soft || t->characters.data[last - 1] != ' ') return;
  for (size_t i = last; i < t->characters.count; i++) {
    t->characters.data[i - 1] = t->characters.data[i];
    t->owners.data[i - 1] = t->owners.data[i];
    t->kinds.data[i - 1] = t->kinds.data[i];
  }
  t->characters.count--;
  t->owners.count--;
  t->positions.count--;
  t->kinds.count--;
}

// --- styles of a scope ---

const char *sj_text_language(const sj_document *document, uint32_t element) {
  const sj_dom *dom = document->dom;
  for (; element != SJ_NO_ELEMENT; element = dom->parent.data[element]) {
    sj_atom value = sj_dom_value(dom, element, dom->xml_space, dom->name_lang);
    if (!value) value = sj_dom_value(dom, element, SJ_ATOM_EMPTY, dom->name_lang);
    sj_string language = value ? *sj_dom_string(dom, value) : (sj_string){0};
    if (language.length && language.length < 64) return language.text;
  }
  return NULL;
}

static bool add_feature(void *user, uint32_t tag, uint32_t value) {
  sj_text_content *t = user;
  hb_feature_t feature = {tag, value, 0, (unsigned)-1};
  return sj_text_remember(t, sj_array_push(t->r->job->context, &t->features, feature));
}

static bool read_settings(sj_text_content *t, sj_text_scope *scope) {
  const sj_font_values *font = &scope->style.font;
  stijl_context *context = t->r->job->context;
  uint32_t tag;
  const char *value, *text = font->features.text;
  size_t length;
  float number;
  scope->first_feature = (uint32_t)t->features.count;
  scope->first_axis = (uint32_t)t->axes.count;
  // font-feature-settings win over font-variant (CSS Fonts 4, 7.2), so they come last.
  if (!sj_font_variant_features(&font->variant, add_feature, t)) return false;
  while (text && sj_next_setting(&text, font->features.text + font->features.length, &tag, &value, &length)) {
    hb_feature_t feature = {tag, sj_feature_value(value, length), 0, (unsigned)-1};
    if (!sj_text_remember(t, sj_array_push(context, &t->features, feature))) return false;
  }
  text = font->variations.text;
  while (text && sj_next_setting(&text, font->variations.text + font->variations.length, &tag, &value, &length)) {
    if (!sj_setting_number(value, length, &number)) continue;
    if (!sj_text_remember(t, sj_array_push(context, &t->axes, (sj_axis_value){tag, number}))) return false;
  }
  scope->feature_count = (uint32_t)t->features.count - scope->first_feature;
  scope->axis_count = (uint32_t)t->axes.count - scope->first_axis;
  return true;
}

// Copies the parent's baseline shifts and adds the scope's own.
static bool read_shifts(sj_text_content *t, sj_text_scope *scope) {
  stijl_context *context = t->r->job->context;
  const sj_font_values *font = &scope->style.font;
  uint32_t first = (uint32_t)t->shifts.count;
  if (scope->parent != SJ_NO_SCOPE) {
    const sj_text_scope *parent = &t->scopes.data[scope->parent];
    for (uint32_t i = 0; i < parent->shift_count; i++) {
      if (!sj_text_remember(t, sj_array_push(context, &t->shifts, (sj_baseline_shift){0}))) return false;
      t->shifts.data[t->shifts.count - 1] = t->shifts.data[parent->first_shift + i];
    }
  }
  sj_length value;
  const char *text = font->baseline_shift.text;
  size_t length = font->baseline_shift.length;
  sj_baseline_shift shift = {0};
  bool any = false;
  if (text && sj_is_keyword(text, length, "sub")) {
    shift.kind = SJ_SHIFT_SUB;
    any = true;
  } else if (text && sj_is_keyword(text, length, "super")) {
    shift.kind = SJ_SHIFT_SUPER;
    any = true;
  } else if (text && sj_parse_length(text, length, &value)) {
    // A percentage refers to the font size.
    sj_length_base base = sj_style_base(&t->r->styles, &scope->style);
    shift.length = sj_length_pixels(value, &base, scope->style.font_size);
    any = true;
  }
  // The text element is a block, and so is in no line that it could be shifted in (CSS Inline 3, 4.3).
  any = any && scope->parent != SJ_NO_SCOPE;
  if (any && !sj_text_remember(t, sj_array_push(context, &t->shifts, shift))) return false;
  scope->first_shift = first;
  scope->shift_count = (uint32_t)t->shifts.count - first;
  return true;
}

// --- the walk ---

uint32_t sj_text_bidi_before(const sj_font_values *font, int nth) {
  bool rtl = font->right_to_left;
  switch (font->unicode_bidi) {
    case SJ_BIDI_EMBED: return nth == 0 ? (rtl ? 0x202bu : 0x202au) : 0;
    case SJ_BIDI_OVERRIDE: return nth == 0 ? (rtl ? 0x202eu : 0x202du) : 0;
    case SJ_BIDI_ISOLATE: return nth == 0 ? (rtl ? 0x2067u : 0x2066u) : 0;
    case SJ_BIDI_PLAINTEXT: return nth == 0 ? 0x2068u : 0;
    case SJ_BIDI_ISOLATE_OVERRIDE: return nth == 0 ? 0x2068u : nth == 1 ? (rtl ? 0x202eu : 0x202du) : 0;
    default: return 0;
  }
}

uint32_t sj_text_bidi_after(const sj_font_values *font, int nth) {
  switch (font->unicode_bidi) {
    case SJ_BIDI_EMBED:
    case SJ_BIDI_OVERRIDE: return nth == 0 ? 0x202cu : 0;
    case SJ_BIDI_ISOLATE:
    case SJ_BIDI_PLAINTEXT: return nth == 0 ? 0x2069u : 0;
    case SJ_BIDI_ISOLATE_OVERRIDE: return nth == 0 ? 0x202cu : nth == 1 ? 0x2069u : 0;
    default: return 0;
  }
}

static bool walk(sj_text_content *t, uint32_t element, uint32_t parent, uint32_t depth);

// Returns whether an element of flowed text holds paragraphs instead of characters.
static bool holds_paragraphs(sj_element kind) { return kind == SJ_ELEMENT_FLOW_ROOT || kind == SJ_ELEMENT_FLOW_DIV; }

// Ends the line after a paragraph of flowed text, or after a line of one.
static bool end_flowed(sj_text_content *t, uint32_t scope, sj_element kind) {
  if (kind != SJ_ELEMENT_FLOW_PARA && kind != SJ_ELEMENT_FLOW_LINE) return true;
  t->ends_blank = true;
  return sj_text_add_character(t, scope, '\n', SJ_CHARACTER_CONTROL);
}

static bool is_content(const sj_text_content *t, sj_element kind, sj_element parent) {
  switch (kind) {
    case SJ_ELEMENT_TSPAN:
    case SJ_ELEMENT_TREF:
    case SJ_ELEMENT_A: return true;
    case SJ_ELEMENT_FLOW_DIV:
    case SJ_ELEMENT_FLOW_LINE:
    case SJ_ELEMENT_FLOW_PARA:
    case SJ_ELEMENT_FLOW_SPAN: return t->flows;
    case SJ_ELEMENT_TEXT_PATH: return parent == SJ_ELEMENT_TEXT || parent == SJ_ELEMENT_A;
    default: return false;
  }
}

// Walks through the characters and elements within one element, in their order.
static bool walk_children(sj_text_content *t, uint32_t element, uint32_t scope, uint32_t depth) {
  const sj_document *document = t->r->document;
  const sj_node *nodes = document->nodes.data;
  size_t at = sj_document_first_text(document, element);
  const sj_dom *dom = document->dom;
  uint32_t child = dom->first_child.data[element];
  for (;;) {
    uint32_t stop = child == SJ_NO_ELEMENT ? dom->end.data[element] : child;
    for (; at < document->texts.count && document->texts.data[at].before <= stop; at++) {
      const sj_text *text = &document->texts.data[at];
      if (text->parent == element && !holds_paragraphs((sj_element)nodes[element].element) &&
          !add_text(t, scope, text->data, text->length))
        return false;
    }
    if (child == SJ_NO_ELEMENT) return true;
    if (is_content(t, (sj_element)nodes[child].element, (sj_element)nodes[element].element) &&
        !walk(t, child, scope, depth))
      return false;
    if (nodes[child].element == SJ_ELEMENT_UNKNOWN && sj_has_characters(document, child)) {
      sj_resolve_frame frame = t->frame;
      frame.style = &t->scopes.data[scope].style;
      sj_omit_element(t->r, &frame, child);
    }
    while (at < document->texts.count && document->texts.data[at].parent >= child &&
           document->texts.data[at].parent < dom->end.data[child])
      at++;
    child = dom->next.data[child];
  }
}

// Adds all characters of what a tref names (SVG 1.1, 10.6), in whatever elements, and in whatever file that may be
// read.
static bool walk_reference(sj_text_content *t, uint32_t element, uint32_t scope) {
  sj_resolver *r = t->r;
  const sj_document *document = r->document;
  const sj_string *href = sj_document_attribute(document, element, SJ_ATTRIBUTE_HREF);
  const char *fragment = href ? memchr(href->text, '#', href->length) : NULL;
  if (fragment && fragment > href->text) {
    static const sj_load_given nothing = {{"", 0, 0}, true};
    const sj_resolver *other = sj_external_resolver(r, href->text, (size_t)(fragment - href->text), &nothing);
    if (other) document = other->document;
  }
  uint32_t target = document == r->document
                        ? sj_find_href(r, element)
                        : sj_document_by_url(document, fragment, href->length - (size_t)(fragment - href->text));
  if (target == SJ_NO_ELEMENT) return true;
  // Elements of other namespaces have characters like any other. Elements that SVG does not know have none, as in
  // browsers.
  const sj_node *node = &document->nodes.data[target];
  if (node->element == SJ_ELEMENT_UNKNOWN && node->is_svg) return true;
  uint32_t end = document->dom->end.data[target];
  for (size_t i = sj_document_first_text(document, target); i < document->texts.count; i++) {
    const sj_text *text = &document->texts.data[i];
    if (text->before > end) break;
    if (text->parent >= target && text->parent < end && !add_text(t, scope, text->data, text->length)) return false;
  }
  return true;
}

bool sj_text_open_scope(sj_text_content *t, uint32_t element, uint32_t parent, const sj_style *style, bool *there) {
  sj_text_scope scope = {.element = element,
                         .parent = parent,
                         .style = *style,
                         .first = (uint32_t)t->characters.count,
                         .track = parent == SJ_NO_SCOPE ? SJ_NO_SCOPE : t->scopes.data[parent].track,
                         .language = sj_text_language(t->r->document, element)};
  if (!read_settings(t, &scope) || !read_shifts(t, &scope)) return false;
  *there = true;
  if (t->r->document->nodes.data[element].element == SJ_ELEMENT_TEXT_PATH && !sj_text_open_track(t, &scope, there))
    return false;
  return !*there || sj_text_remember(t, sj_array_push(t->r->job->context, &t->scopes, scope));
}

// Walks through a scope that has been opened.
static bool walk_within(sj_text_content *t, uint32_t at, uint32_t depth) {
  uint32_t control, element = t->scopes.data[at].element;
  sj_font_values font = t->scopes.data[at].style.font;
  size_t embedding = t->embeddings.count;
  if (sj_text_bidi_before(&font, 0)) {
    sj_svg_embedding opened = {.first = (uint32_t)t->characters.count,
                               .controls = {sj_text_bidi_before(&font, 0), sj_text_bidi_before(&font, 1)}};
    if (!sj_text_remember(t, sj_array_push(t->r->job->context, &t->embeddings, opened))) return false;
  }
  for (int i = 0; (control = sj_text_bidi_before(&font, i)); i++)
    if (!sj_text_add_character(t, at, control, SJ_CHARACTER_CONTROL)) return false;
  bool is_reference = t->r->document->nodes.data[element].element == SJ_ELEMENT_TREF;
  if (is_reference ? !walk_reference(t, element, at) : !walk_children(t, element, at, depth + 1)) return false;
  if (sj_text_bidi_before(&font, 0)) t->embeddings.data[embedding].end = (uint32_t)t->characters.count;
  for (int i = 0; (control = sj_text_bidi_after(&font, i)); i++)
    if (!sj_text_add_character(t, at, control, SJ_CHARACTER_CONTROL)) return false;
  if (t->flows && !end_flowed(t, at, (sj_element)t->r->document->nodes.data[element].element)) return false;
  sj_text_scope *scope = &t->scopes.data[at];
  scope->end = (uint32_t)t->characters.count;
  if (t->r->document->nodes.data[element].element == SJ_ELEMENT_TEXT_PATH)
    t->tracks.data[scope->track].end = scope->end;
  return true;
}

static bool walk(sj_text_content *t, uint32_t element, uint32_t parent, uint32_t depth) {
  sj_resolver *r = t->r;
  if (!sj_resolve_count(r, depth)) return false;
  sj_style style;
  sj_style_compute(&r->styles, t->frame.copy, element, &t->scopes.data[parent].style, &style);
  if (style.display_none || !sj_conditions_hold(r, element)) return true;
  sj_text_note_group(t, &style);
  uint32_t scope = (uint32_t)t->scopes.count;
  bool there;
  if (!sj_text_open_scope(t, element, parent, &style, &there)) return false;
  if (!there) {
    t->ends_blank = false;
    return true;
  }
  return walk_within(t, scope, depth);
}

// --- all of it ---

static void tell_missing(sj_text_content *t) {
  static const char no_fonts[] = "there are no fonts";
  if (t->placed.no_fonts) sj_omit(t->r, SJ_OMIT_TEXT, no_fonts, sizeof no_fonts - 1);
  if (!t->placed.missing) return;
  char name[16];
  int length = snprintf(name, sizeof name, "U+%04X", (unsigned)t->placed.missing);
  sj_omit(t->r, SJ_OMIT_GLYPH, name, (size_t)length);
}

static bool open_libraries(sj_text_content *t) {
  stijl_message message;
  if (sj_text_open(&message) == STIJL_OK) return true;
  sj_omit(t->r, SJ_OMIT_TEXT, message.text, strlen(message.text));
  return false;
}

// Logs that another family stands for one that is not there.
static void tell_family(sj_text_content *t, stijl_fonts *fonts) {
  if (t->r->job->totals->omitted & 1u << SJ_OMIT_FAMILY) return;
  char name[SJ_MAX_FAMILY], detail[2 * SJ_MAX_FAMILY];
  for (size_t i = 0; i < t->spans.count; i++) {
    const sj_font_style *style = &t->spans.data[i].shape.font;
    const sj_face *face = sj_fonts_face(fonts, style);
    const char *instead = face ? sj_fonts_instead(fonts, style, face, name) : NULL;
    if (!instead) continue;
    int length = snprintf(detail, sizeof detail, "%.20s is not there: %.22s", name, instead);
    sj_omit(t->r, SJ_OMIT_FAMILY, detail, (size_t)length);
    return;
  }
}

static sj_svg_text text_of(const sj_text_content *t) {
  const sj_font_values *font = &t->scopes.data[0].style.font;
  return (sj_svg_text){.characters = t->characters.data,
                       .positions = t->positions.data,
                       .count = (uint32_t)t->characters.count,
                       .spans = t->spans.data,
                       .span_count = (uint32_t)t->spans.count,
                       .lengths = t->lengths.data,
                       .length_count = t->lengths.count,
                       .tracks = t->tracks.data,
                       .track_count = t->tracks.count,
                       .embeddings = t->embeddings.data,
                       .embedding_count = t->embeddings.count,
                       .vertical = font->writing_mode == SJ_WRITING_VERTICAL,
                       .right_to_left = font->right_to_left,
                       .has_marks = t->has_marks,
                       .ellipsis = font->ellipsis,
                       .areas = t->areas.data,
                       .area_count = t->areas.count,
                       .excluded = t->excluded.data,
                       .excluded_count = t->excluded.count,
                       .strut = t->wraps ? &t->strut : NULL,
                       .inline_size = sj_resolve_computed(&t->frame, font->inline_size, SJ_AXIS_X)};
}

bool sj_text_place(sj_text_content *t, stijl_fonts *fonts) {
  sj_svg_text text = text_of(t);
  bool good = sj_svg_layout(fonts, t->r->job->context, &text, &t->placed);
  if (!good && sj_resolve_spend(t->r, 0)) sj_resolve_fail_memory(t->r);
  tell_missing(t);
  if (good) tell_family(t, fonts);
  return good && sj_text_order_glyphs(t);
}

bool sj_text_measure(sj_text_content *t, stijl_fonts *fonts, const sj_svg_measures *out) {
  if (!open_libraries(t)) return false;
  sj_svg_text text = text_of(t);
  bool good = sj_svg_measure(fonts, t->r->job->context, &text, out);
  if (!good && sj_resolve_spend(t->r, 0)) sj_resolve_fail_memory(t->r);
  return good;
}

bool sj_text_content_init(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, sj_text_content *out) {
  *out = (sj_text_content){.r = r, .frame = *frame, .ends_blank = true, .placed = {.context = r->job->context}};
  stijl_fonts *fonts = sj_resolver_fonts(r);
  sj_text_content *t = out;
  t->frame.depth++;
  bool there;
  if (!sj_text_open_scope(t, element, SJ_NO_SCOPE, frame->style, &there)) return false;
  const sj_font_values *font = &frame->style->font;
  t->flows = r->document->nodes.data[element].element == SJ_ELEMENT_FLOW_ROOT;
  if (((font->shape_inside.text || t->flows) && !sj_text_read_areas(t)) || !sj_resolving(r)) return false;
  if (t->flows && !t->areas.count) return false;
  t->wraps = t->areas.count || sj_resolve_computed(frame, font->inline_size, SJ_AXIS_X) > 0.0f;
  if (!walk_within(t, 0, t->frame.depth)) return false;
  trim_end(t);
  if (!t->characters.count || !fonts || !open_libraries(t)) return false;
  sj_text_read_positions(t);
  if (!sj_resolving(r) || !sj_text_read_lengths(t) || !sj_text_make_spans(t)) return false;
  return sj_text_place(t, fonts);
}

void sj_text_content_finish(sj_text_content *t) {
  stijl_context *context = t->r->job->context;
  for (size_t i = 0; i < t->paths.count; i++) sj_give_path(t->r, t->paths.data[i]);
  sj_arrays_finish(context, &t->scopes, &t->characters, &t->owners, &t->order, &t->starts, &t->positions, &t->spans,
                   &t->span_scopes, &t->lengths, &t->tracks, &t->embeddings, &t->shifts, &t->features, &t->axes,
                   &t->paths, &t->areas, &t->excluded, &t->kinds, &t->groups, &t->clusters);
  sj_svg_placed_finish(&t->placed);
}
