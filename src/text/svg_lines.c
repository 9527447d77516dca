// The lines of wrapped text (SVG 2, 11.4 and 11.7): of one width, or in areas. They follow each other as CSS has it,
// except that the first one in an area, and what does not fit, moves down by whole lines, as in Inkscape.
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "libraries/unibreak.h"
#include "text/line_breaks.h"
#include "text/svg_areas.h"
#include "text/svg_layout_data.h"

// What Inkscape takes `normal` for, which writes nearly all texts in areas.
#define NORMAL_IN_AREAS 1.25f
// Curves of areas become lines that differ from them by this part of the font size at most.
#define TOLERANCE 0.01f
#define ELLIPSIS 0x2026u

// How far a line reaches above and below its baseline.
typedef struct line_box {
  float ascent, descent;
} line_box;

// Characters in one part of a line.
typedef struct piece {
  uint32_t first, end;
  sj_line_part part;
} piece;

typedef struct wrapping {
  sj_svg_state *l;
  const sj_svg_text *text;
  float *advances;
  char *breaks;  // what libunibreak says of the place behind each character
  uint8_t *levels;
  uint32_t *characters;  // those of the text, which are changed where it is cut off
  uint32_t first;        // the first character that is not placed yet
  uint32_t paragraph;    // the first of its paragraph
  sj_areas areas;
  SJ_ARRAY(piece) pieces;  // of the present line
} wrapping;

// Adds the box of a span to that of its line. What is above and below the baseline is shared as in the em box (CSS 2.1,
// 10.8.1), and vertical text has its baseline in the middle.
static void add_box(const wrapping *w, const sj_svg_span *span, line_box *box) {
  const sj_face *face = sj_fonts_face(w->l->fonts, &span->shape.font);
  float scale = face ? sj_svg_scale_of(w->l, span, face) : 0.0f, em = span->font_size, part = 0.8f;
  float height = span->line_height, own = em;
  if (face) {
    const sj_face_metrics *m = &face->metrics;
    em = scale * (float)m->units_per_em;
    own = (float)(m->ascent - m->descent + m->line_gap) * scale;
    part = sj_face_em_ascent(face);
  }
  if (w->text->vertical) part = 0.5f;
  if (height < 0.0f) height = w->text->area_count ? NORMAL_IN_AREAS * em : own;
  float above = part * em + 0.5f * (height - em);
  box->ascent = fmaxf(box->ascent, above);
  box->descent = fmaxf(box->descent, height - above);
}

// Cuts a piece off that is wider than its line, at the end of a cluster, and returns where it ends now. An ellipsis
// stands for the first character that is left out. The first cluster stays in any case.
static uint32_t cut_off(wrapping *w, uint32_t first, uint32_t end, float width) {
  float used = 0.0f;
  uint32_t cut = first;
  for (uint32_t i = first; i < end && used <= width; i++) used += w->advances[i];
  if (used <= width) return end;
  used = 0.0f;
  for (uint32_t i = first; i < end; i++) {
    const sj_svg_span *span = sj_svg_span_at(w->text, i, NULL);
    const sj_face *face = sj_fonts_face(w->l->fonts, &span->shape.font);
    int own = face ? sj_face_advance(face, ELLIPSIS) : -1;
    float ellipsis = own < 0 ? span->font_size : (float)own * sj_svg_scale_of(w->l, span, face);
    // Characters without an advance belong to the cluster before them.
    if (w->advances[i] > 0.0f && i > first) {
      if (cut > first && used + ellipsis > width) break;
      cut = i;
    }
    used += w->advances[i];
  }
  if (cut == first) return end;
  w->characters[cut] = ELLIPSIS;
  w->levels[cut] = w->text->right_to_left;
  return cut + 1;
}

// Returns the box of a line that has these characters.
static line_box box_of(const wrapping *w, uint32_t first, uint32_t end) {
  line_box box = {-INFINITY, -INFINITY};
  uint32_t from, to;
  sj_svg_span_at(w->text, first, &from);
  sj_svg_span_at(w->text, end > first ? end - 1 : first, &to);
  if (w->text->strut) add_box(w, w->text->strut, &box);
  for (uint32_t i = from; i <= to; i++) add_box(w, &w->text->spans[i], &box);
  return box;
}

// Lays the text out without breaks, and measures its characters.
static bool measure(sj_svg_state *l, const sj_svg_measures *out) {
  const sj_svg_text *text = l->text;
  sj_svg_chunk whole = {.end = text->count};
  bool good = sj_svg_make_clusters(l, &whole);
  if (good) sj_svg_space_out(l);
  for (size_t i = 0; good && i < l->clusters.count; i++) {
    const sj_svg_cluster *k = &l->clusters.data[i];
    out->advances[k->character] += k->advance;
    for (uint32_t c = k->character; out->faces && c < k->end; c++) out->faces[c] = k->item->face;
  }
  if (good) memcpy(out->levels, l->shaped.levels.data, text->count);
  sj_shaped_finish(&l->shaped);
  return good;
}

bool sj_svg_measure(stijl_fonts *fonts, stijl_context *context, const sj_svg_text *text, const sj_svg_measures *out) {
  sj_svg_placed unused = {.context = context};
  sj_svg_state l = {.fonts = fonts, .context = context, .text = text, .out = &unused};
  memset(out->advances, 0, text->count * sizeof *out->advances);
  memset(out->levels, 0, text->count);
  if (out->faces) memset(out->faces, 0, text->count * sizeof *out->faces);
  if (!text->count || sj_text_open(NULL) != STIJL_OK) return true;
  bool good = measure(&l, out);
  sj_svg_finish(&l);
  return good;
}

// Finds where characters from `first` on end that are no wider than `width`: at a break. Blanks at the end may hang. If
// not even one word fits, the result is `first`, or, if it must be placed, the word is not broken.
static uint32_t fitting_end(const wrapping *w, uint32_t first, float width, bool must) {
  uint32_t best = first;
  float used = 0.0f;
  for (uint32_t i = first; i < w->text->count; i++) {
    used += w->advances[i];
    if ((best > first || !must) && used > width && w->text->characters[i] != ' ') return best;
    if (w->breaks[i] == LINEBREAK_ALLOWBREAK || w->breaks[i] == LINEBREAK_MUSTBREAK) best = i + 1;
    if (w->breaks[i] == LINEBREAK_MUSTBREAK) return best;
  }
  return w->text->count;
}

static bool ends_paragraph(const wrapping *w, uint32_t end) {
  return end == w->text->count || w->breaks[end - 1] == LINEBREAK_MUSTBREAK;
}

// Puts characters into the parts of a line, in the order of the text. *end becomes the first that is not in it. False:
// memory is short or the budget is spent.
static bool fill_line(wrapping *w, const sj_line_parts *parts, bool must, uint32_t *end) {
  w->pieces.count = 0;
  *end = w->first;
  for (size_t i = 0; i < parts->count && *end < w->text->count; i++) {
    piece p = {.first = *end, .part = parts->data[w->text->right_to_left ? parts->count - 1 - i : i]};
    p.end = fitting_end(w, p.first, p.part.x1 - p.part.x0, must);
    if (!sj_context_check(w->l->context, (SJ_SVG_WORK_CLUSTER / 10) * ((uint64_t)p.end - p.first + 10))) return false;
    if (p.end == p.first) continue;
    if (!sj_array_push(w->l->context, &w->pieces, p)) return false;
    *end = p.end;
    if (ends_paragraph(w, p.end)) break;
  }
  return true;
}

static sj_text_anchor anchor_of(const wrapping *w, const sj_svg_span *span) {
  if (!w->text->area_count) return span->anchor;
  switch (span->align) {
    case SJ_ALIGNED_BY_ANCHOR: return span->anchor;
    case SJ_ALIGNED_CENTER: return SJ_ANCHOR_MIDDLE;
    case SJ_ALIGNED_END: return SJ_ANCHOR_END;
    case SJ_ALIGNED_LEFT: return w->text->right_to_left ? SJ_ANCHOR_END : SJ_ANCHOR_START;
    case SJ_ALIGNED_RIGHT: return w->text->right_to_left ? SJ_ANCHOR_START : SJ_ANCHOR_END;
    default: return SJ_ANCHOR_START;
  }
}

// Places the pieces of a line, whose baseline is known. As in Inkscape, what a paragraph begins with tells how it is
// aligned.
static bool place_line(wrapping *w, float baseline) {
  const sj_svg_text *text = w->text;
  bool good = true;
  for (size_t i = 0; i < w->pieces.count && good; i++) {
    piece p = w->pieces.data[i];
    const sj_svg_span *span = sj_svg_span_at(text, text->area_count ? w->paragraph : p.first, NULL);
    sj_svg_chunk c = {.first = p.first, .end = p.end, .anchor = anchor_of(w, span), .levels = w->levels + p.first};
    while (c.end > c.first && text->characters[c.end - 1] == ' ') c.end--;
    if (text->ellipsis && !text->area_count) c.end = cut_off(w, c.first, c.end, text->inline_size);
    if (text->area_count && span->align == SJ_ALIGNED_JUSTIFY && !ends_paragraph(w, p.end))
      c.width = p.part.x1 - p.part.x0;
    float along = p.part.x0;
    if (text->area_count && c.anchor == SJ_ANCHOR_MIDDLE) along = 0.5f * (p.part.x0 + p.part.x1);
    if (text->area_count && c.anchor != SJ_ANCHOR_MIDDLE && (c.anchor == SJ_ANCHOR_END) != text->right_to_left)
      along = p.part.x1;
    w->l->x = text->vertical ? -baseline : along;
    w->l->y = text->vertical ? along : baseline;
    if (c.end > c.first) good = sj_svg_lay_out_chunk(w->l, &c);
    w->first = p.end;
    if (ends_paragraph(w, p.end)) w->paragraph = p.end;
  }
  return good;
}

// Fills the present line, whose top is given, and finds its box, which is as high as what is in it. *end becomes the
// first character behind it.
static bool make_line(wrapping *w, bool in_area, float top, line_box *box, uint32_t *end) {
  // Lines of an inline-size are as wide everywhere.
  sj_line_part whole = {0.0f, w->text->inline_size};
  sj_line_parts all = {&whole, 1, 1};
  *box = box_of(w, w->first, w->first);
  for (;;) {
    if (in_area && !sj_areas_line(&w->areas, top, top + box->ascent + box->descent)) return false;
    if (!fill_line(w, in_area ? &w->areas.free : &all, !in_area, end)) return false;
    line_box filled = box_of(w, w->first, *end);
    if (!(filled.ascent > box->ascent) && !(filled.descent > box->descent)) return true;
    box->ascent = fmaxf(box->ascent, filled.ascent);
    box->descent = fmaxf(box->descent, filled.descent);
  }
}

static bool fill_area(wrapping *w, const sj_svg_area *area) {
  const sj_svg_text *text = w->text;
  float top, bottom;
  if (!sj_areas_begin(&w->areas, area, &top, &bottom)) return false;
  while (w->first < text->count && top < bottom) {
    line_box box;
    uint32_t end;
    if (!make_line(w, true, top, &box, &end)) return false;
    float next = top + box.ascent + box.descent;
    if (end == w->first && !(next > top)) return true;  // there will never be more room
    if (!place_line(w, top + box.ascent)) return false;
    top = fmaxf(top, next);
  }
  return true;
}

// Makes lines without an area. The baseline of the first line is at the first position, and each line begins there.
static bool fill_width(wrapping *w, const sj_svg_position *start) {
  float x = isnan(start->x) ? 0.0f : start->x, y = isnan(start->y) ? 0.0f : start->y;
  bool vertical = w->text->vertical;
  float along = vertical ? y : x, baseline = vertical ? -x : y;
  for (bool later = false; w->first < w->text->count; later = true) {
    line_box box;
    uint32_t end;
    if (!make_line(w, false, 0.0f, &box, &end)) return false;
    if (later) baseline += box.ascent;
    for (size_t i = 0; i < w->pieces.count; i++) w->pieces.data[i].part.x0 = along;
    if (!place_line(w, baseline)) return false;
    baseline += box.descent;
  }
  return true;
}

void sj_svg_justify(sj_svg_state *l, const sj_svg_chunk *c) {
  double width = 0.0;
  size_t blanks = 0;
  for (size_t i = 0; i < l->clusters.count; i++) {
    width += (double)l->clusters.data[i].advance;
    blanks += sj_svg_is_separator(l->text->characters[l->clusters.data[i].character]);
  }
  double gap = blanks ? ((double)c->width - width) / (double)blanks : 0.0;
  for (size_t i = 0; i < l->clusters.count && gap > 0.0; i++) {
    sj_svg_cluster *k = &l->clusters.data[i];
    if (sj_svg_is_separator(l->text->characters[k->character])) k->advance += (float)gap;
  }
}

// Breaks the text into lines and lays them out. Of positions only the first counts, if there is no area.
bool sj_svg_lay_out_lines(sj_svg_state *l, const sj_svg_text *given) {
  sj_svg_text text = *given;
  wrapping w = {.l = l, .text = &text, .areas = {.context = l->context}};
  text.length_count = text.track_count = 0;
  sj_svg_position *positions = sj_alloc_array(l->context, text.count, sizeof *positions);
  w.characters = sj_alloc_array(l->context, text.count, sizeof *w.characters);
  w.advances = sj_alloc_zero(l->context, text.count * sizeof *w.advances);
  w.breaks = sj_alloc_zero(l->context, text.count);
  w.levels = sj_alloc_zero(l->context, text.count);
  bool good = positions && w.characters && w.advances && w.breaks && w.levels &&
              sj_line_breaks(l->context, text.characters, text.count, text.spans[0].shape.language, w.breaks);
  for (uint32_t i = 0; i < text.count && good; i++) {
    positions[i] = (sj_svg_position){NAN, NAN, NAN, NAN, NAN};
    // No font has line feeds.
    w.characters[i] = text.characters[i] == '\n' ? ' ' : text.characters[i];
    if (w.breaks[i] == LINEBREAK_ALLOWBREAK && i + 1 < text.count && sj_svg_span_at(&text, i, NULL)->no_wrap &&
        sj_svg_span_at(&text, i + 1, NULL)->no_wrap)
      w.breaks[i] = LINEBREAK_NOBREAK;
    if (text.characters[i] == '\n') w.breaks[i] = LINEBREAK_MUSTBREAK;
  }
  if (good) {
    text.positions = positions;
    text.characters = w.characters;
    l->text = &text;
    good = measure(l, &(sj_svg_measures){w.advances, w.levels, NULL});
  }
  float size = text.strut ? text.strut->font_size : text.spans[0].font_size;
  if (text.area_count)
    good =
        good && sj_areas_open(&w.areas, l->context, text.excluded, text.excluded_count, fmaxf(TOLERANCE * size, 1e-3f));
  for (size_t i = 0; i < text.area_count && good; i++) good = fill_area(&w, &text.areas[i]);
  if (!text.area_count) good = good && fill_width(&w, given->positions);
  l->text = given;
  sj_areas_finish(&w.areas);
  sj_array_finish(l->context, &w.pieces);
  sj_free(l->context, positions);
  sj_free(l->context, w.characters);
  sj_free(l->context, w.advances);
  sj_free(l->context, w.breaks);
  sj_free(l->context, w.levels);
  return good;
}
