// The marks of text-emphasis (CSS Text Decoration 3, 3).
#include "base/budget.h"
#include "libraries/harfbuzz.h"
#include "text/svg_layout_data.h"

// Returns whether a character takes a mark. Blanks, controls and most punctuation have none.
static bool takes_mark(uint32_t c) {
  switch (hb_unicode_general_category(hb_unicode_funcs_get_default(), c)) {
    case HB_UNICODE_GENERAL_CATEGORY_CONTROL:
    case HB_UNICODE_GENERAL_CATEGORY_FORMAT:
    case HB_UNICODE_GENERAL_CATEGORY_UNASSIGNED:
    case HB_UNICODE_GENERAL_CATEGORY_LINE_SEPARATOR:
    case HB_UNICODE_GENERAL_CATEGORY_PARAGRAPH_SEPARATOR:
    case HB_UNICODE_GENERAL_CATEGORY_SPACE_SEPARATOR:
    case HB_UNICODE_GENERAL_CATEGORY_CONNECT_PUNCTUATION:
    case HB_UNICODE_GENERAL_CATEGORY_DASH_PUNCTUATION:
    case HB_UNICODE_GENERAL_CATEGORY_CLOSE_PUNCTUATION:
    case HB_UNICODE_GENERAL_CATEGORY_FINAL_PUNCTUATION:
    case HB_UNICODE_GENERAL_CATEGORY_INITIAL_PUNCTUATION:
    case HB_UNICODE_GENERAL_CATEGORY_OPEN_PUNCTUATION: return false;
    case HB_UNICODE_GENERAL_CATEGORY_OTHER_PUNCTUATION:
      return c == '#' || c == '%' || c == '&' || c == '@' || c == 0xa7 || c == 0xb6 || c == 0x2030 || c == 0x2031 ||
             c == 0x609 || c == 0x60a || c == 0x66a || c == 0x204a || c == 0x204b || c == 0x2053 || c == 0x303d;
    default: return true;
  }
}

// Puts the mark of a span over a cluster, or under it, in its middle.
static bool put_mark(sj_svg_state *l, const sj_svg_cluster *k, const sj_svg_span *span) {
  if (!l->mark.items.count || !l->mark.glyphs.count) return true;
  const sj_item *item = &l->mark.items.data[0];
  const sj_glyph *glyph = &l->mark.glyphs.data[0];
  float scale = 0.5f * sj_svg_scale_of(l, span, item->face);
  float width = (float)glyph->x_advance * scale;
  // The em boxes of text and mark stand on one another, as in Chromium.
  float em = 0.5f * span->font_size, ascent = em * sj_face_em_ascent(item->face), descent = ascent - em;
  float above = l->text->vertical ? 0.5f : sj_face_em_ascent(k->item->face);
  float y = span->mark_under ? (1.0f - above) * span->font_size + ascent : -above * span->font_size + descent;
  float x = 0.5f * (k->width - width);
  stijl_matrix place = stijl_matrix_multiply(k->transform, stijl_matrix_translate(x, y));
  if (k->item->upright) {
    // About the middle of the mark's own box.
    float up = 0.5f * (ascent + descent);
    place = stijl_matrix_multiply(k->transform, stijl_matrix_translate(0.5f * k->width, y - up));
    place = stijl_matrix_multiply(place, (stijl_matrix){0.0f, -1.0f, 1.0f, 0.0f, 0.0f, 0.0f});
    place = stijl_matrix_multiply(place, stijl_matrix_translate(-0.5f * width, up));
  }
  stijl_matrix units = {scale, 0.0f, 0.0f, -scale, (float)glyph->x_offset * scale, -(float)glyph->y_offset * scale};
  sj_placed_glyph placed = {.face = item->face,
                            .glyph = glyph->id,
                            .span = span->mark_span,
                            .character = k->character,
                            .matrix = stijl_matrix_multiply(place, units)};
  return !stijl_matrix_is_finite(placed.matrix) || sj_array_push(l->context, &l->out->glyphs, placed);
}

bool sj_svg_put_marks(sj_svg_state *l) {
  for (size_t i = 0; i < l->clusters.count; i++) {
    const sj_svg_cluster *k = &l->clusters.data[i];
    const sj_svg_span *span = &l->text->spans[k->span];
    if (!span->mark || k->hidden || !takes_mark(l->text->characters[k->character])) continue;
    if (l->marked != k->span + 1) {
      sj_shape_span all = {.end = 1, .style = span->shape};
      sj_shaped_finish(&l->mark);
      l->marked = k->span + 1;
      if (!sj_shape(l->fonts, l->context, &span->mark, 1, &all, 1, SJ_BASE_LTR, NULL, false, &l->mark)) return false;
      if (l->mark.missing && !l->out->missing) l->out->missing = l->mark.missing;
    }
    if (!put_mark(l, k, span) || !sj_context_check(l->context, SJ_SVG_WORK_CLUSTER)) return false;
  }
  return true;
}
