// Computes the styles of HTML elements: what SVG has as src/svg/style does, and the rest by style.c.
#include "svg/html/html.h"
#include "svg/resolve/job.h"

// Sets what SVG text is laid out by and HTML's is not, and the fill, which is the colour here.
static void make_html(const sj_html *h, sj_style *svg) {
  if (svg->font.writing_mode != SJ_WRITING_HORIZONTAL) sj_html_omit(h, "writing-mode", NULL, 0);
  // Lines of elements around have the colour of those.
  svg->font.above.painted = true;
  svg->fill = (sj_paint_value){.kind = SJ_PAINT_VALUE_COLOR, .color = svg->color};
  svg->fill_opacity = 1.0f;
  svg->stroke = (sj_paint_value){.kind = SJ_PAINT_VALUE_NONE};
  svg->font.anchor = 0;
  svg->font.dominant_baseline = 0;
  svg->font.alignment_baseline = ((sj_font_values)SJ_FONT_INITIAL).alignment_baseline;
  svg->font.baseline_shift = (sj_value_text){0};
  svg->font.writing_mode = SJ_WRITING_HORIZONTAL;
  svg->font.inline_size = (sj_computed_length){0};
}

static sj_html_style *new_style(sj_html *h) {
  sj_html_style *style = sj_alloc_zero(h->context, sizeof *style);
  if (style && sj_array_push(h->context, &h->styles, style)) return style;
  sj_free(h->context, style);
  sj_resolve_fail_memory(h->r);
  return NULL;
}

void sj_html_set_initial(sj_html_style *s) {
  s->shrink = 1.0f;
  for (int side = 0; side < 4; side++) {
    s->border_width[side] = 3 * 64;
    s->border_color[side].kind = SJ_COLOR_CURRENT;
    s->margin[side] = s->padding[side] = s->radius[side] = (sj_html_length){SJ_SIZE_LENGTH, 0.0f, 0.0f};
  }
}

bool sj_html_compute(sj_html *h, uint32_t copy, uint32_t element, const sj_html_style *parent, sj_html_style **out) {
  sj_html_style *s = *out = new_style(h);
  if (!s) return false;
  sj_html_set_initial(s);
  s->copy = copy;
  s->is_part = copy != h->frame->copy;
  sj_style_compute(&h->r->styles, copy, element, &parent->svg, &s->svg);
  s->in = parent->in;
  if (s->svg.display_none) {
    s->display = SJ_DISPLAY_NONE;
    return sj_resolving(h->r);
  }
  sj_html_apply(h, element, s, parent, true);
  // Inline elements turn characters around; others would their own lines.
  int bidi = s->svg.font.unicode_bidi;
  bool turns = bidi == SJ_BIDI_OVERRIDE || bidi == SJ_BIDI_ISOLATE_OVERRIDE || bidi == SJ_BIDI_PLAINTEXT;
  if (turns && s->display != SJ_DISPLAY_INLINE) sj_html_omit(h, "unicode-bidi", NULL, 0);
  h->lifts |= s->position == 1;
  bool in_line = s->display == SJ_DISPLAY_INLINE || s->display == SJ_DISPLAY_INLINE_BLOCK ||
                 s->display == SJ_DISPLAY_INLINE_FLEX || s->display == SJ_DISPLAY_INLINE_TABLE;
  if (s->order && s->position == 1 && in_line) sj_html_omit(h, "z-index in a line", NULL, 0);
  bool fills = s->display == SJ_DISPLAY_BLOCK && (s->align_content & ~SJ_ALIGN_SAFE) > SJ_ALIGN_START;
  if (fills) sj_html_omit(h, "align-content of a block", NULL, 0);
  // What stands in a line as one has none of the lines around (CSS Text Decoration 3, 2).
  if (in_line && s->display != SJ_DISPLAY_INLINE) s->svg.font.above = (sj_decoration)SJ_DECORATION_INITIAL;
  if (h->r->document->nodes.data[element].is_html) {
    make_html(h, &s->svg);
    static const sj_value_text middle = {"50% 50%", 7};
    if (!s->svg.origin.text) s->svg.origin = middle;
  }
  return sj_resolving(h->r);
}

sj_html_style *sj_html_anonymous(sj_html *h, const sj_html_style *parent) {
  sj_html_style *s = new_style(h);
  if (!s) return NULL;
  sj_html_set_initial(s);
  s->in = parent->in;
  s->copy = parent->copy;
  sj_style_inherit(&parent->svg, &s->svg);
  s->display = SJ_DISPLAY_BLOCK;
  return s;
}

bool sj_html_root_style(sj_html *h, uint32_t element, sj_html_style **out) {
  const uint32_t *parents = h->r->document->dom->parent.data;
  uint32_t chain[SJ_MAX_DEPTH], depth = 0;
  sj_html_style *s = *out = new_style(h);
  if (!s) return false;
  sj_html_set_initial(s);
  s->svg = *h->frame->style;
  s->copy = h->frame->copy;
  // What acts on the element as a whole is its node's.
  s->svg.opacity = 1.0f;
  s->svg.clip_path = s->svg.filter = (sj_value_text){0};
  s->svg.mask = (sj_mask_values){0};
  s->svg.blend = STIJL_BLEND_NORMAL;
  s->svg.isolate = 0;
  for (uint32_t i = element; i != SJ_NO_ELEMENT && depth < SJ_MAX_DEPTH; i = parents[i]) chain[depth++] = i;
  bool sized = h->r->options->font_size > 0.0f;
  while (depth > 0) {
    uint32_t each = chain[--depth];
    sj_html_apply(h, each, s, NULL, false);
    sj_cascade cascade = sj_cascade_of(h->r->document, sj_document_node(h->r->document, h->frame->copy, each));
    for (const sj_declared *d; !sized && (d = sj_cascade_next(&cascade));)
      sized = d->name == SJ_PROPERTY_FONT_SIZE || d->name == SJ_PROPERTY_FONT;
  }
  // Pages are written for browsers, whose text is 16 pixels where nothing says how large it is.
  if (!sized) s->svg.font_size = 16.0f;
  make_html(h, &s->svg);
  s->display = SJ_DISPLAY_BLOCK;
  return true;
}
