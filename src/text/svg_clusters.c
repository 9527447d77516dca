// From the characters of a chunk to clusters with their advances: shaping, spacing, textLength.
#include <string.h>

#include "base/budget.h"
#include "base/search.h"
#include "libraries/harfbuzz.h"
#include "text/svg_layout_data.h"

const sj_svg_span *sj_svg_span_at(const sj_svg_text *text, uint32_t at, uint32_t *index) {
  uint32_t low = 0, high = text->span_count - 1;
  SJ_SEARCH(low, high, i, at >= text->spans[i].end);
  if (index) *index = low;
  return &text->spans[low];
}

static bool same_text(const char *a, size_t a_length, const char *b, size_t b_length) {
  return a == b ? a_length == b_length : a && b && a_length == b_length && memcmp(a, b, a_length) == 0;
}

// Returns whether letters of two spans may be kerned and joined.
static bool shape_alike(const sj_svg_span *a, const sj_svg_span *b) {
  const sj_shape_style *x = &a->shape, *y = &b->shape;
  if (a->paint != b->paint || a->font_size != b->font_size ||
      (a->letter_spacing != 0.0f) != (b->letter_spacing != 0.0f))
    return false;
  if (x->font.weight != y->font.weight || x->font.stretch != y->font.stretch || x->font.slant != y->font.slant ||
      x->font.optical_size != y->font.optical_size || x->font.axis_count != y->font.axis_count ||
      x->font.no_synthesis_weight != y->font.no_synthesis_weight ||
      x->font.no_synthesis_style != y->font.no_synthesis_style || x->feature_count != y->feature_count ||
      x->no_kerning != y->no_kerning || x->caps != y->caps || x->emoji != y->emoji ||
      x->no_synthesis_caps != y->no_synthesis_caps || x->orientation != y->orientation ||
      x->language_system != y->language_system)
    return false;
  if (x->font.axis_count && memcmp(x->font.axes, y->font.axes, x->font.axis_count * sizeof *x->font.axes) != 0)
    return false;
  if (x->feature_count && memcmp(x->features, y->features, x->feature_count * sizeof *x->features) != 0) return false;
  return same_text(x->font.families, x->font.families_length, y->font.families, y->font.families_length) &&
         same_text(x->language, x->language ? strlen(x->language) : 0, y->language,
                   y->language ? strlen(y->language) : 0);
}

// Finds the control characters of the embeddings that are open where the chunk begins. They go on there, as in
// browsers, although characters are only reordered within a chunk (SVG 1.1, 10.5).
static bool open_embeddings(sj_svg_state *l, const sj_svg_chunk *c) {
  const sj_svg_text *text = l->text;
  l->characters.count = 0;
  l->opening = 0;
  if (c->levels) return true;
  sj_context_check(l->context, 2 * (uint64_t)text->embedding_count);
  for (size_t i = 0; i < text->embedding_count; i++) {
    const sj_svg_embedding *e = &text->embeddings[i];
    if (e->first >= c->first || c->first >= e->end) continue;
    for (int k = 0; k < 2 && e->controls[k]; k++)
      if (!sj_array_push(l->context, &l->characters, e->controls[k])) return false;
  }
  l->opening = (uint32_t)l->characters.count;
  size_t count = c->end - c->first;
  if (!l->opening) return true;
  if (!sj_array_reserve(l->context, &l->characters, count)) return false;
  memcpy(l->characters.data + l->opening, text->characters + c->first, count * sizeof *text->characters);
  l->characters.count += count;
  return true;
}

// Shapes a chunk. Spans whose letters may be joined are shaped as one.
static bool shape_chunk(sj_svg_state *l, const sj_svg_chunk *c) {
  const sj_svg_text *text = l->text;
  uint32_t first;
  if (!open_embeddings(l, c)) return false;
  sj_svg_span_at(text, c->first, &first);
  l->spans.count = 0;
  for (uint32_t i = first; i < text->span_count; i++) {
    const sj_svg_span *span = &text->spans[i];
    sj_shape_span part = {.end = l->opening + (span->end < c->end ? span->end : c->end) - c->first,
                          .style = span->shape};
    if (span->letter_spacing != 0.0f) part.style.no_ligatures = true;
    if (i > first && shape_alike(&text->spans[i - 1], span)) {
      l->spans.data[l->spans.count - 1].end = part.end;
    } else if (!sj_array_push(l->context, &l->spans, part)) {
      return false;
    }
    if (span->end >= c->end) break;
  }
  bool good = sj_shape(l->fonts, l->context, l->opening ? l->characters.data : text->characters + c->first,
                       l->opening + c->end - c->first, l->spans.data, (uint32_t)l->spans.count,
                       text->right_to_left ? SJ_BASE_RTL : SJ_BASE_LTR, c->levels, text->vertical, &l->shaped);
  if (l->shaped.missing && !l->out->missing) l->out->missing = l->shaped.missing;
  if (good && !l->shaped.items.count) l->out->no_fonts = true;
  return good;
}

// Returns a metric in font units; 0: the font does not have it.
static float metric_of(const sj_face *face, sj_text_metric metric) {
  hb_codepoint_t glyph;
  switch (metric) {
    case SJ_METRIC_EX_HEIGHT: return (float)face->metrics.x_height;
    case SJ_METRIC_CAP_HEIGHT: return (float)face->metrics.cap_height;
    case SJ_METRIC_CH_WIDTH:
      return hb_font_get_nominal_glyph(face->hb, '0', &glyph) ? (float)hb_font_get_glyph_h_advance(face->hb, glyph) : 0;
    case SJ_METRIC_IC_WIDTH:
      return hb_font_get_nominal_glyph(face->hb, 0x6c34, &glyph) ? (float)hb_font_get_glyph_h_advance(face->hb, glyph)
                                                                 : 0;
    case SJ_METRIC_IC_HEIGHT:
      return hb_font_get_nominal_glyph(face->hb, 0x6c34, &glyph) ? -(float)hb_font_get_glyph_v_advance(face->hb, glyph)
                                                                 : 0;
    default: return 0.0f;
  }
}

// Returns how large a unit of a face is in a span. font-size-adjust replaces the size-adjust of an @font-face rule.
float sj_svg_scale_of(const sj_svg_state *l, const sj_svg_span *span, const sj_face *face) {
  float em = (float)face->metrics.units_per_em, factor = span->size_factor;
  float metric = span->size_metric ? metric_of(face, span->size_metric) : 0.0f;
  if (metric > 0.0f && factor < 0.0f) {
    const sj_face *first = sj_fonts_face(l->fonts, &span->shape.font);
    factor = first ? metric_of(first, span->size_metric) / (float)first->metrics.units_per_em : 0.0f;
    if (!(factor > 0.0f)) metric = 0.0f;
  }
  return metric > 0.0f ? span->font_size * factor / metric : span->font_size * face->size_adjust / em;
}

// Returns whether a character only directs the bidirectional algorithm. Such characters make no clusters, so spacing
// does not see them either.
static bool is_bidi_control(uint32_t c) {
  return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

// Adds the clusters of an item.
static bool add_clusters(sj_svg_state *l, const sj_svg_chunk *c, const sj_item *item) {
  const sj_svg_text *text = l->text;
  uint32_t opening = l->opening;  // the shaped text begins with that many characters which are not the chunk's
  const sj_glyph *glyphs = l->shaped.glyphs.data;
  uint32_t end = item->first_glyph + item->glyph_count;
  for (uint32_t i = item->first_glyph; i < end;) {
    uint32_t number = glyphs[i].cluster;
    sj_svg_cluster k = {.character = c->first + number - opening,
                        .item = item,
                        .first_glyph = i,
                        .transform = STIJL_MATRIX_IDENTITY,
                        .upright = STIJL_MATRIX_IDENTITY};
    int64_t advance = 0;
    for (; i < end && glyphs[i].cluster == number; i++)
      advance += item->upright ? -(int64_t)glyphs[i].y_advance : glyphs[i].x_advance;
    k.glyph_count = i - k.first_glyph;
    // Its characters end where the next cluster in the order of the text begins, which from right to left stands before
    // it.
    uint32_t next = item->end;
    if (item->level % 2 == 0 || item->upright) {
      if (i < end) next = glyphs[i].cluster;
    } else if (k.first_glyph > item->first_glyph) {
      next = glyphs[k.first_glyph - 1].cluster;
    }
    if (next <= number) next = number + 1;
    if (number < opening || (next == number + 1 && is_bidi_control(text->characters[k.character]))) continue;
    k.end = c->first + next - opening;
    const sj_svg_span *span = sj_svg_span_at(text, k.character, &k.span);
    const sj_face_metrics *m = &item->face->metrics;
    k.scale = sj_svg_scale_of(l, span, item->face);
    if (item->small) k.scale *= SJ_SMALL_CAPS;
    k.width = k.advance = (float)advance * k.scale;
    k.ascent = (float)m->ascent * k.scale;
    k.descent = (float)m->descent * k.scale;
    if (!sj_array_push(l->context, &l->clusters, k)) return false;
  }
  return sj_context_check(l->context, SJ_SVG_WORK_CLUSTER * ((uint64_t)item->glyph_count + 1));
}

bool sj_svg_make_clusters(sj_svg_state *l, const sj_svg_chunk *c) {
  if (!shape_chunk(l, c)) return false;
  size_t count = l->shaped.items.count;
  l->clusters.count = l->levels.count = l->order.count = 0;
  if (!sj_array_reserve(l->context, &l->levels, count) || !sj_array_reserve(l->context, &l->order, count)) return false;
  for (size_t i = 0; i < count; i++) l->levels.data[i] = l->shaped.items.data[i].level;
  if (count) sj_visual_order(l->levels.data, (uint32_t)count, l->order.data);
  for (size_t i = 0; i < count; i++)
    if (!add_clusters(l, c, &l->shaped.items.data[l->order.data[i]])) return false;
  return true;
}

// --- spacing and lengths ---

// Returns whether letter-spacing applies to a script. It does not where letters join, or hang from one line (CSS Text
// 3, 8.3).
static bool takes_letter_spacing(hb_script_t script) {
  switch (script) {
    case HB_SCRIPT_ARABIC:
    case HB_SCRIPT_SYRIAC:
    case HB_SCRIPT_NKO:
    case HB_SCRIPT_MANICHAEAN:
    case HB_SCRIPT_PSALTER_PAHLAVI:
    case HB_SCRIPT_MANDAIC:
    case HB_SCRIPT_MONGOLIAN:
    case HB_SCRIPT_PHAGS_PA:
    case HB_SCRIPT_DEVANAGARI:
    case HB_SCRIPT_BENGALI:
    case HB_SCRIPT_GURMUKHI:
    case HB_SCRIPT_MODI:
    case HB_SCRIPT_SHARADA:
    case HB_SCRIPT_SYLOTI_NAGRI:
    case HB_SCRIPT_TIRHUTA:
    case HB_SCRIPT_OGHAM: return false;
    default: return true;
  }
}

// Returns whether word-spacing applies to a character (CSS Text 3, 8.2).
bool sj_svg_is_separator(uint32_t c) {
  return c == 0x20 || c == 0xa0 || c == 0x1361 || c == 0x10100 || c == 0x10101 || c == 0x1039f || c == 0x1091f;
}

void sj_svg_space_out(sj_svg_state *l) {
  const sj_svg_text *text = l->text;
  for (size_t i = 0; i < l->clusters.count; i++) {
    sj_svg_cluster *k = &l->clusters.data[i];
    const sj_svg_span *span = &text->spans[k->span];
    // The last cluster has nothing behind it that spacing could keep away.
    if (span->letter_spacing != 0.0f &&
        takes_letter_spacing(hb_unicode_script(hb_unicode_funcs_get_default(), text->characters[k->character]))) {
      if (i + 1 < l->clusters.count) k->advance += span->letter_spacing;
      if (!(k->advance > 0.0f)) {
        k->advance = k->width = 0.0f;
        k->hidden = true;
      }
    }
    if (span->word_spacing != 0.0f && sj_svg_is_separator(text->characters[k->character]))
      k->advance += span->word_spacing;
  }
}

// Adjusts a chunk to each textLength. In each chunk by itself, that replaces what spacing has added.
void sj_svg_adjust_lengths(sj_svg_state *l, const sj_svg_chunk *c) {
  if (!sj_context_check(l->context, 2 * (uint64_t)l->text->length_count)) return;
  for (size_t n = 0; n < l->text->length_count; n++) {
    const sj_svg_length *length = &l->text->lengths[n];
    if (length->end <= c->first || length->first >= c->end) continue;
    if (!sj_context_check(l->context, 4 * (uint64_t)l->clusters.count)) return;  // what comes next fails, too
    uint32_t count = 0;
    float width = 0.0f;
    for (size_t i = 0; i < l->clusters.count; i++) {
      const sj_svg_cluster *k = &l->clusters.data[i];
      if (k->character < length->first || k->character >= length->end) continue;
      count++;
      width += k->width;
    }
    if (!count) continue;
    float gap = count > 1 ? (length->length - width) / (float)(count - 1) : 0.0f;
    float factor = width > 0.0f ? length->length / width : 0.0f;
    if (length->glyphs && !(factor >= 0.001f)) continue;
    for (size_t i = 0; i < l->clusters.count; i++) {
      sj_svg_cluster *k = &l->clusters.data[i];
      if (k->character < length->first || k->character >= length->end) continue;
      if (!length->glyphs) {
        k->advance = k->width + (--count ? gap : 0.0f);
        continue;
      }
      k->upright = stijl_matrix_multiply(stijl_matrix_scale(factor, 1.0f), k->upright);
      k->width *= factor;
      k->advance = k->width;
    }
  }
}
