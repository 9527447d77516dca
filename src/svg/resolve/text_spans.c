// Prepares the layout of a text: its position lists, lengths, and spans of one style; and sorts what comes back.
#include <math.h>
#include <string.h>

#include "svg/resolve/attributes.h"
#include "svg/resolve/job.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/text_content.h"
#include "svg/resolve/text_fonts.h"

static bool is_closing(uint32_t control) { return control == 0x202c || control == 0x2069; }

// --- position lists: SVG 2, 11.5, "resolve character positioning" ---

// Reads a list of positions. Outer elements come first, so the values of inner ones replace theirs.
static void read_list(sj_text_content *t, const sj_text_scope *scope, sj_name name, sj_axis axis, size_t offset) {
  const sj_string *attribute = sj_document_attribute(t->r->document, scope->element, name);
  if (!attribute || !sj_resolve_spend(t->r, (uint64_t)(scope->end - scope->first) * SJ_WORK_NODE)) return;
  sj_resolve_frame frame = t->frame;
  frame.style = &scope->style;
  sj_list list = sj_list_begin(t->r->styles.budget, attribute->text, attribute->length);
  bool rotate = name == SJ_PROPERTY_ROTATE;
  float value = NAN;
  bool more = true;
  for (uint32_t i = scope->first; i < scope->end && i < t->characters.count; i++) {
    if (t->kinds.data[i]) {
      // What a letter became turns with it.
      if (rotate && t->kinds.data[i] == SJ_CHARACTER_ADDED && isfinite(value)) t->positions.data[i].rotate = value;
      continue;
    }
    sj_length length;
    float number;
    if (more && rotate) {
      more = sj_list_next_number(&list, &number);
      if (more) value = number;
    } else if (more) {
      more = sj_list_next_length(&list, &length);
      if (more) value = sj_resolve_length(t->r, &frame, length, axis);
    }
    // The last angle is for all the rest.
    if (!more && !rotate) break;
    if (!isfinite(value)) continue;
    // A chunk begins with the control characters before its first character.
    uint32_t at = i;
    bool absolute = name == SJ_ATTRIBUTE_X || name == SJ_ATTRIBUTE_Y;
    while (absolute && at > 0 && t->kinds.data[at - 1] == SJ_CHARACTER_CONTROL &&
           !is_closing(t->characters.data[at - 1]))
      at--;
    memcpy((char *)&t->positions.data[at] + offset, &value, sizeof value);
  }
  if (list.failed && sj_resolve_spend(t->r, 0)) sj_understood(t->r, name, attribute, false);
}

void sj_text_read_positions(sj_text_content *t) {
  for (size_t i = 0; i < t->scopes.count; i++) {
    const sj_text_scope *scope = &t->scopes.data[i];
    bool is_track = t->r->document->nodes.data[scope->element].element == SJ_ELEMENT_TEXT_PATH;
    if (!is_track) {  // textPath has no such attributes
      read_list(t, scope, SJ_ATTRIBUTE_X, SJ_AXIS_X, offsetof(sj_svg_position, x));
      read_list(t, scope, SJ_ATTRIBUTE_Y, SJ_AXIS_Y, offsetof(sj_svg_position, y));
      read_list(t, scope, SJ_ATTRIBUTE_DX, SJ_AXIS_X, offsetof(sj_svg_position, dx));
      read_list(t, scope, SJ_ATTRIBUTE_DY, SJ_AXIS_Y, offsetof(sj_svg_position, dy));
      read_list(t, scope, SJ_PROPERTY_ROTATE, SJ_AXIS_X, offsetof(sj_svg_position, rotate));
    }
  }
}

bool sj_text_read_lengths(sj_text_content *t) {
  for (size_t i = 0; i < t->scopes.count; i++) {
    const sj_text_scope *scope = &t->scopes.data[i];
    sj_resolve_frame frame = t->frame;
    frame.style = &scope->style;
    const sj_string *attribute = sj_document_attribute(t->r->document, scope->element, SJ_ATTRIBUTE_TEXT_LENGTH);
    const sj_string *adjust = sj_document_attribute(t->r->document, scope->element, SJ_ATTRIBUTE_LENGTH_ADJUST);
    sj_length value;
    bool good = attribute && sj_parse_length(attribute->text, attribute->length, &value);
    if (!sj_understood(t->r, SJ_ATTRIBUTE_TEXT_LENGTH, attribute, good)) continue;
    sj_svg_length length = {.first = scope->first, .end = scope->end};
    length.length = sj_resolve_length(t->r, &frame, value, SJ_AXIS_X);
    length.glyphs = adjust && strcmp(adjust->text, "spacingAndGlyphs") == 0;
    if (!(length.length >= 0.0f)) continue;
    if (!sj_text_remember(t, sj_array_push(t->r->job->context, &t->lengths, length))) return false;
  }
  return true;
}

// --- spans ---

static void set_lines(const sj_text_content *t, const sj_text_scope *scope, sj_svg_span *span) {
  static const int bits[3] = {SJ_DECORATION_UNDER, SJ_DECORATION_OVER, SJ_DECORATION_THROUGH};
  int all = t->scopes.data[0].style.font.above.lines | scope->style.font.decoration.lines;
  for (const sj_text_scope *s = scope;; s = &t->scopes.data[s->parent]) {
    all |= s->style.font.decoration.lines;
    if (s->parent == SJ_NO_SCOPE) break;
  }
  for (int i = 0; i < 3; i++) span->lines[i] = (all & bits[i]) != 0;
}

static bool same_paint(const sj_paint_value *a, const sj_paint_value *b) {
  if (a->kind != b->kind) return false;
  if (a->kind == SJ_PAINT_VALUE_URL) return a->url == b->url;
  return a->kind != SJ_PAINT_VALUE_COLOR || memcmp(&a->color, &b->color, sizeof a->color) == 0;
}

static bool painted_alike(const sj_style *a, const sj_style *b) {
  return same_paint(&a->fill, &b->fill) && same_paint(&a->stroke, &b->stroke) && a->fill_opacity == b->fill_opacity &&
         a->stroke_opacity == b->stroke_opacity && a->visibility == b->visibility &&
         memcmp(a->paint_order, b->paint_order, sizeof a->paint_order) == 0;
}

// Converts the bits of font-variant-emoji (font_variant.c).
static sj_emoji_variant emoji_variant(uint32_t bits) {
  return bits & 1 ? SJ_EMOJI_TEXT : bits & 2 ? SJ_EMOJI_EMOJI : bits & 4 ? SJ_EMOJI_UNICODE : SJ_EMOJI_NORMAL;
}

// Converts the bits of font-variant-caps (font_variant.c). titling-caps are not synthesised.
static sj_caps caps_of(uint32_t bits) {
  return bits & 1    ? SJ_CAPS_SMALL
         : bits & 2  ? SJ_CAPS_ALL_SMALL
         : bits & 4  ? SJ_CAPS_PETITE
         : bits & 8  ? SJ_CAPS_ALL_PETITE
         : bits & 16 ? SJ_CAPS_UNICASE
                     : SJ_CAPS_NORMAL;
}

// Returns the style of a scope as layout takes it.
static sj_svg_span span_of(sj_text_content *t, uint32_t at, uint32_t end) {
  const sj_text_scope *scope = &t->scopes.data[at];
  const sj_style *style = &scope->style;
  const sj_font_values *font = &style->font;
  sj_font_style wanted = sj_resolver_font_style(t->r, style);
  wanted.axes = sj_array_at(&t->axes, scope->first_axis);
  wanted.axis_count = scope->axis_count;
  wanted.no_synthesis_weight = font->no_synthesis.weight;
  wanted.no_synthesis_style = font->no_synthesis.style;
  sj_svg_span span = {.end = end,
                      .shape = {.font = wanted,
                                .language = scope->language,
                                .language_system = font->language_system,
                                .features = sj_array_at(&t->features, scope->first_feature),
                                .feature_count = scope->feature_count,
                                .no_kerning = font->no_kerning,
                                .caps = caps_of(font->variant.caps),
                                .no_synthesis_caps = font->no_synthesis.small_caps,
                                .emoji = emoji_variant(font->variant.emoji),
                                .orientation = (sj_text_orientation)font->orientation},
                      .font_size = style->font_size,
                      .size_metric = (sj_text_metric)font->size_adjust.metric,
                      .size_factor = font->size_adjust.factor,
                      .line_height = font->line_height.kind == SJ_LINE_HEIGHT_NORMAL ? -1.0f
                                     : font->line_height.kind == SJ_LINE_HEIGHT_FACTOR
                                         ? font->line_height.value * style->font_size
                                         : font->line_height.value,
                      .letter_spacing = sj_resolve_computed(&t->frame, font->letter_spacing, SJ_AXIS_X),
                      .word_spacing = sj_resolve_computed(&t->frame, font->word_spacing, SJ_AXIS_X),
                      .anchor = (sj_text_anchor)font->anchor,
                      .no_wrap = font->white_space == SJ_WHITE_SPACE_NOWRAP,
                      .align = (sj_text_align)font->align,
                      .right_to_left = font->right_to_left,
                      .dominant = (sj_baseline)font->dominant_baseline,
                      .alignment = (sj_baseline)font->alignment_baseline,
                      .shifts = sj_array_at(&t->shifts, scope->first_shift),
                      .shift_count = scope->shift_count};
  set_lines(t, scope, &span);
  return span;
}

static bool add_span(sj_text_content *t, uint32_t at, uint32_t end) {
  sj_svg_span span = span_of(t, at, end);
  t->has_marks |= t->scopes.data[at].style.font.emphasis.mark != 0;
  if (t->spans.count) {
    const sj_style *before = &t->scopes.data[t->span_scopes.data[t->spans.count - 1]].style;
    const sj_style *style = &t->scopes.data[at].style;
    span.paint = t->spans.data[t->spans.count - 1].paint + !painted_alike(before, style);
  }
  return sj_text_remember(
      t, sj_array_push(t->r->job->context, &t->spans, span) && sj_array_push(t->r->job->context, &t->span_scopes, at));
}

bool sj_text_make_spans(sj_text_content *t) {
  t->strut = span_of(t, 0, 0);
  for (uint32_t i = 0; i < t->characters.count;) {
    uint32_t end = i + 1;
    while (end < t->characters.count && t->owners.data[end] == t->owners.data[i]) end++;
    if (!add_span(t, t->owners.data[i], end)) return false;
    i = end;
  }
  return !t->has_marks || sj_text_add_marks(t);
}

// Sorts the glyphs by counting how many each span has.
bool sj_text_order_glyphs(sj_text_content *t) {
  size_t spans = t->spans.count, glyphs = t->placed.glyphs.count;
  stijl_context *context = t->r->job->context;
  if (!sj_text_remember(
          t, sj_array_reserve(context, &t->order, glyphs) && sj_array_reserve(context, &t->starts, spans + 2)))
    return false;
  uint32_t *starts = t->starts.data;
  memset(starts, 0, (spans + 2) * sizeof *starts);
  for (size_t i = 0; i < glyphs; i++) starts[t->placed.glyphs.data[i].span + 2]++;
  for (size_t i = 2; i < spans + 2; i++) starts[i] += starts[i - 1];
  for (size_t i = 0; i < glyphs; i++) t->order.data[starts[t->placed.glyphs.data[i].span + 1]++] = (uint32_t)i;
  t->order.count = glyphs;
  t->starts.count = spans + 1;
  return true;
}
