// Lays texts of the public interface out in lines.
//
// A text is shaped paragraph by paragraph, as if its lines were endless, and lines are then cut between clusters.
// Letters of scripts like Arabic that join across the end of a line keep the joined shapes.
#include <math.h>
#include <string.h>

#include "base/params.h"
#include "base/search.h"
#include "libraries/unibreak.h"
#include "text/line_breaks.h"
#include "text/paragraph_data.h"

// A cluster of a paragraph as it was shaped. They are in the order of the characters.
typedef struct cluster {
  uint32_t first, end;  // its characters, numbered within the paragraph
  uint32_t item, first_glyph, glyph_count;
  float width;
} cluster;

typedef struct layout {
  stijl_text *text;
  const stijl_text_params *params;
  uint32_t first, end;  // the paragraph's characters, without its line feed
  sj_shaped shaped;     // the paragraph
  SJ_ARRAY(cluster) clusters;
  SJ_ARRAY(sj_shape_span) spans;
  SJ_ARRAY(uint8_t) levels;  // of a line's clusters
  SJ_ARRAY(uint32_t) order;  // the same clusters as they are seen
  char *breaks;              // for each character of the paragraph: what sj_line_breaks says
  bool no_fonts;
} layout;

// Finds the piece that a character is in.
static const sj_text_piece *piece_at(const stijl_text *text, uint32_t character) {
  size_t low = 0, high = text->pieces.count - 1;
  SJ_SEARCH(low, high, i, character >= text->pieces.data[i].end);
  return &text->pieces.data[low];
}

static sj_shape_style shape_style(const sj_text_piece *p) {
  return (sj_shape_style){.font = {.families = p->families,
                                   .families_length = strlen(p->families),
                                   .weight = p->weight,
                                   .stretch = p->stretch,
                                   .slant = p->slant,
                                   .optical_size = p->font_size,
                                   .axes = p->axes.data,
                                   .axis_count = p->axes.count},
                          .language = p->language,
                          .features = p->features.data,
                          .feature_count = p->features.count,
                          .no_ligatures = p->letter_spacing != 0.0f};
}

static sj_base_direction base_direction(const stijl_text_params *params) {
  return params->direction == STIJL_DIRECTION_LTR   ? SJ_BASE_LTR
         : params->direction == STIJL_DIRECTION_RTL ? SJ_BASE_RTL
                                                    : SJ_BASE_AUTO;
}

static bool is_blank(uint32_t c) {
  return c == ' ' || c == '\t' || c == 0x3000 || (c >= 0x2000 && c <= 0x200a && c != 0x2007);
}

// Adds the clusters of an item, in the order of the characters.
static bool add_clusters(layout *l, uint32_t index) {
  const sj_item *item = &l->shaped.items.data[index];
  const sj_glyph *glyphs = l->shaped.glyphs.data;
  const sj_text_piece *p = piece_at(l->text, l->first + item->first);
  float scale = p->font_size / (float)item->face->metrics.units_per_em;
  size_t first = l->clusters.count;
  for (uint32_t i = item->first_glyph, end = i + item->glyph_count; i < end;) {
    cluster k = {.first = glyphs[i].cluster, .item = index, .first_glyph = i};
    int64_t advance = 0;
    for (; i < end && glyphs[i].cluster == k.first; i++) advance += glyphs[i].x_advance;
    k.glyph_count = i - k.first_glyph;
    k.width = (float)advance * scale + p->letter_spacing;
    if (is_blank(l->text->characters.data[l->first + k.first])) k.width += p->word_spacing;
    if (!sj_array_push(l->text->context, &l->clusters, k)) return false;
  }
  size_t count = l->clusters.count - first;
  cluster *list = sj_array_at(&l->clusters, first);
  // In text from right to left the last cluster comes first.
  if (count > 1 && item->level % 2) {
    for (size_t i = 0, j = count - 1; i < j; i++, j--) {
      cluster k = list[i];
      list[i] = list[j];
      list[j] = k;
    }
  }
  for (size_t i = 1; i < count; i++) {
    if (list[i - 1].first >= list[i].first) return false;  // never, since HarfBuzz keeps them in order
  }
  for (size_t i = 0; i < count; i++) list[i].end = i + 1 < count ? list[i + 1].first : item->end;
  return true;
}

static bool shape_paragraph(layout *l) {
  stijl_text *text = l->text;
  l->spans.count = l->clusters.count = 0;
  for (size_t i = 0; i < text->pieces.count; i++) {
    const sj_text_piece *p = &text->pieces.data[i];
    if (p->end <= l->first) continue;
    sj_shape_span span = {.end = (p->end < l->end ? p->end : l->end) - l->first, .style = shape_style(p)};
    if (!sj_array_push(text->context, &l->spans, span)) return false;
    if (p->end >= l->end) break;
  }
  bool good = sj_shape(text->fonts, text->context, text->characters.data + l->first, l->end - l->first, l->spans.data,
                       (uint32_t)l->spans.count, base_direction(l->params), NULL, false, &l->shaped);
  if (good && !l->shaped.items.count && l->end > l->first) l->no_fonts = true;
  if (l->shaped.missing && !text->missing) text->missing = l->shaped.missing;
  for (uint32_t i = 0; i < l->shaped.items.count && good; i++) good = add_clusters(l, i);
  return good;
}

// Finds the number of a face among the text's faces, to which it is added if it is new.
static bool face_number(stijl_text *text, sj_face *face, uint32_t *out) {
  for (*out = 0; *out < text->faces.count; ++*out)
    if (text->faces.data[*out] == face) return true;
  return sj_array_push(text->context, &text->faces, face);
}

// Makes a line at least as high as a font of this size needs.
static void grow_line(stijl_text_line *line, const sj_face_metrics *m, float font_size, float line_height) {
  float scale = font_size / (float)m->units_per_em;
  float ascent = (float)m->ascent * scale, descent = -(float)m->descent * scale;
  float gap = line_height > 0.0f ? line_height * font_size - ascent - descent : (float)m->line_gap * scale;
  ascent += 0.5f * gap;
  descent += 0.5f * gap;
  if (ascent > line->ascent) line->ascent = ascent;
  if (descent > line->descent) line->descent = descent;
}

// Places some glyphs of an item on the baseline, from x on. All are in one cluster, which begins at cluster_offset.
static bool put_glyphs(stijl_text *text, const sj_shaped *shaped, const sj_item *item, uint32_t first, uint32_t count,
                       const sj_text_piece *p, size_t cluster_offset, float x) {
  float font_size = p->font_size, scale = font_size / (float)item->face->metrics.units_per_em;
  uint32_t font;
  if (!face_number(text, item->face, &font)) return false;
  int64_t along = 0;
  for (uint32_t i = first; i < first + count; i++) {
    const sj_glyph *g = &shaped->glyphs.data[i];
    stijl_glyph placed = {.id = g->id,
                          .font = font,
                          .cluster = cluster_offset,
                          .x = x + (float)(along + g->x_offset) * scale,
                          .y = -(float)g->y_offset * scale,
                          .advance = (float)g->x_advance * scale,
                          .font_size = font_size};
    along += g->x_advance;
    if (!sj_array_push(text->context, &text->glyphs, placed) ||
        !sj_array_push(text->context, &text->drawn,
                       (sj_drawn_glyph){item->face, scale, (uint32_t)(p - text->pieces.data)}))
      return false;
  }
  return true;
}

// Shapes the ellipsis in the style of the character `after`, and sets *width to its advance. Where `line` is not NULL
// it is placed at x.
static bool ellipsis(layout *l, uint32_t after, stijl_text_line *line, float x, float *width) {
  stijl_text *text = l->text;
  const sj_text_piece *p = piece_at(text, after);
  uint32_t *characters, count;
  sj_shaped shaped;
  *width = 0.0f;
  if (!sj_decode_utf8(text->context, l->params->ellipsis, strlen(l->params->ellipsis), &characters, NULL, &count))
    return false;
  sj_shape_span span = {.end = count, .style = shape_style(p)};
  bool good = sj_shape(text->fonts, text->context, characters, count, &span, 1, SJ_BASE_LTR, NULL, false, &shaped);
  for (size_t i = 0; i < shaped.items.count && good; i++) {
    const sj_item *item = &shaped.items.data[i];
    int64_t advance = 0;
    for (uint32_t g = 0; g < item->glyph_count; g++) advance += shaped.glyphs.data[item->first_glyph + g].x_advance;
    if (line) {
      good = put_glyphs(text, &shaped, item, item->first_glyph, item->glyph_count, p, text->offsets.data[after],
                        x + *width);
      grow_line(line, &item->face->metrics, p->font_size, p->line_height);
    }
    *width += (float)advance * p->font_size / (float)item->face->metrics.units_per_em;
  }
  sj_shaped_finish(&shaped);
  sj_free(text->context, characters);
  return good;
}

// Adds a line with the clusters from `first` to before `end`; those from `blank` on are blanks at its end. With `cut`
// it is the last line of a text that is cut short, and ends with the ellipsis.
static bool put_line(layout *l, size_t first, size_t blank, size_t end, bool ends_paragraph, bool cut) {
  stijl_text *text = l->text;
  const cluster *k = l->clusters.data;
  bool rtl = l->shaped.base_level;
  float width = 0.0f, room = l->params->width, dots = 0.0f;
  size_t gaps = 0;
  for (size_t i = first; i < blank; i++) {
    width += k[i].width;
    gaps += is_blank(text->characters.data[l->first + k[i].first]);
  }
  cut = cut && l->params->ellipsis && *l->params->ellipsis && first < end;
  if (cut) {
    if (!ellipsis(l, l->first + k[first].first, NULL, 0.0f, &dots)) return false;
    while (blank > first && room > 0.0f && width + dots > room) width -= k[--blank].width;
    end = blank;
    width += dots;
  }
  uint32_t line_number = (uint32_t)text->lines.count;
  stijl_text_line line = {.start = l->first < text->offsets.count ? text->offsets.data[l->first] : text->bytes,
                          .first_glyph = text->glyphs.count,
                          .width = width};
  if (first < l->clusters.count) line.start = text->offsets.data[l->first + k[first].first];
  line.end = line.start;
  if (first < end) {
    uint32_t stop = l->first + k[end - 1].end;
    line.end = stop < text->offsets.count ? text->offsets.data[stop] : text->bytes;
  }
  // `spare` is the room that the line leaves, and `fill` how much wider each blank becomes in a justified line.
  float spare = room > width ? room - width : 0.0f, fill = 0.0f;
  bool at_end = l->params->align == STIJL_ALIGN_RIGHT || (l->params->align == STIJL_ALIGN_END && !rtl) ||
                (l->params->align == STIJL_ALIGN_START && rtl) || (l->params->align == STIJL_ALIGN_JUSTIFY && rtl);
  if (l->params->align == STIJL_ALIGN_JUSTIFY && !ends_paragraph && gaps && spare > 0.0f) {
    fill = spare / (float)gaps;
    line.width = room;
    spare = 0.0f;
  }
  line.x = l->params->align == STIJL_ALIGN_CENTER ? 0.5f * spare : at_end ? spare : 0.0f;
  // Clusters are put in visual order. Blanks at the end have the paragraph's level (rule L1 of the bidirectional
  // algorithm), and hang outside of the line.
  size_t count = end - first;
  l->levels.count = l->order.count = 0;
  if (!sj_array_reserve(text->context, &l->levels, count) || !sj_array_reserve(text->context, &l->order, count))
    return false;
  for (size_t i = 0; i < count; i++)
    l->levels.data[i] = first + i < blank ? l->shaped.items.data[k[first + i].item].level : l->shaped.base_level;
  if (count) sj_visual_order(l->levels.data, (uint32_t)count, l->order.data);
  float x = line.x + (cut && rtl ? dots : 0.0f);
  for (size_t i = 0; rtl && i < count && first + l->order.data[i] >= blank; i++) x -= k[first + l->order.data[i]].width;
  for (size_t i = 0; i < count; i++) {
    const cluster *at = &k[first + l->order.data[i]];
    const sj_item *item = &l->shaped.items.data[at->item];
    const sj_text_piece *p = piece_at(text, l->first + at->first);
    float wide = at->width;
    if (first + l->order.data[i] < blank && is_blank(text->characters.data[l->first + at->first])) wide += fill;
    if (!put_glyphs(text, &l->shaped, item, at->first_glyph, at->glyph_count, p,
                    text->offsets.data[l->first + at->first], x) ||
        !sj_array_push(text->context, &text->cells,
                       (sj_text_cell){l->first + at->first, l->first + at->end, x, wide, line_number, item->level}))
      return false;
    grow_line(&line, &item->face->metrics, p->font_size, p->line_height);
    x += wide;
  }
  if (cut && !ellipsis(l, l->first + k[first].first, &line, rtl ? line.x : line.x + line.width - dots, &dots))
    return false;
  if (!count) {  // an empty line is as high as its font
    const sj_text_piece *p = piece_at(text, l->first ? l->first - 1 : 0);
    sj_shape_style style = shape_style(p);
    const sj_face *face = sj_fonts_face(text->fonts, &style.font);
    if (face) grow_line(&line, &face->metrics, p->font_size, p->line_height);
  }
  line.baseline = text->height + line.ascent;
  for (size_t i = line.first_glyph; i < text->glyphs.count; i++) text->glyphs.data[i].y += line.baseline;
  line.glyph_count = text->glyphs.count - line.first_glyph;
  text->height = line.baseline + line.descent;
  if (line.width > text->width) text->width = line.width;
  return sj_array_push(text->context, &text->lines, line);
}

// Finds where the line that begins with cluster `first` ends: at the last place within its width where Unicode allows a
// break, or if there is none, where the line is full.
static size_t fit_line(const layout *l, size_t first) {
  const cluster *k = l->clusters.data;
  const uint32_t *characters = l->text->characters.data + l->first;
  float width = 0.0f, room = l->params->width;
  size_t allowed = first;
  for (size_t i = first; i < l->clusters.count; i++) {
    bool blank = is_blank(characters[k[i].first]);
    width += k[i].width;
    if (room > 0.0f && !blank && width > room && i > first) return allowed > first ? allowed : i;
    char at = l->breaks[k[i].end - 1];
    if (at == LINEBREAK_ALLOWBREAK || at == LINEBREAK_MUSTBREAK) allowed = i + 1;
    if (at == LINEBREAK_MUSTBREAK && i + 1 < l->clusters.count) return i + 1;
  }
  return l->clusters.count;
}

// Adds the lines of a paragraph. `more`: it is not the last one.
static bool lay_out_paragraph(layout *l, bool more) {
  stijl_text *text = l->text;
  uint32_t count = l->end - l->first;
  const uint32_t *characters = sj_array_at(&text->characters, l->first);
  l->breaks = sj_alloc(text->context, count + 1);
  bool good = l->breaks && shape_paragraph(l);
  if (good && count)
    good = sj_line_breaks(text->context, characters, count, piece_at(text, l->first)->language, l->breaks);
  size_t first = 0;
  do {
    size_t end = good ? fit_line(l, first) : 0, blank = end;
    while (blank > first && is_blank(characters[l->clusters.data[blank - 1].first])) blank--;
    bool last_line = l->params->max_lines && text->lines.count + 1 >= l->params->max_lines;
    bool cut = last_line && (end < l->clusters.count || more);
    good = good && put_line(l, first, blank, end, end == l->clusters.count, cut);
    first = end;
    if (last_line) break;
  } while (good && first < l->clusters.count);
  sj_shaped_finish(&l->shaped);
  sj_free(text->context, l->breaks);
  return good;
}

stijl_result stijl_text_layout(stijl_text *text, const stijl_text_params *params, stijl_message *message) {
  if (message) message->text[0] = 0;
  params = SJ_PARAMS(stijl_text_params, STIJL_TEXT_PARAMS_INIT, params, message);
  if (!params) return STIJL_ERROR_INVALID_ARGUMENT;
  if (!text || !(params->width >= 0.0f) || !isfinite(params->width) || (unsigned)params->align > STIJL_ALIGN_JUSTIFY ||
      (unsigned)params->direction > STIJL_DIRECTION_RTL)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "text is NULL, or a parameter is out of range");
  if (sj_text_open(message)) return STIJL_ERROR_UNSUPPORTED;
  sj_text_clear_layout(text);
  layout l = {.text = text, .params = params};
  uint32_t count = (uint32_t)text->characters.count, at = 0;
  bool good = true, more = count > 0;
  while (good && more && !(params->max_lines && text->lines.count >= params->max_lines)) {
    l.first = l.end = at;
    const uint32_t *characters = text->characters.data;
    while (l.end < count && !sj_ends_line(characters[l.end])) l.end++;
    more = l.end < count;
    at = l.end + 1;
    if (at < count && characters[l.end] == '\r' && characters[at] == '\n') at++;
    good = lay_out_paragraph(&l, more && at < count);
  }
  sj_arrays_finish(text->context, &l.clusters, &l.spans, &l.levels, &l.order);
  if (good && params->width > text->width) text->width = params->width;
  if (good && l.no_fonts) {
    sj_text_clear_layout(text);
    return sj_fail(message, STIJL_ERROR_IO, "there are no fonts");
  }
  if (good) return STIJL_OK;
  sj_text_clear_layout(text);
  return sj_fail_memory(message);
}
