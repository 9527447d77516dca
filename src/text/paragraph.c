// Paragraphs of the public interface: text.h.
//
// A text is shaped paragraph by paragraph, as if its lines were endless; lines are then cut between clusters. Scripts
// whose letters join over a line's end are cut as they were shaped.

#include <math.h>
#include <string.h>

#include "base/params.h"
#include "geometry/path.h"
#include "libraries/unibreak.h"
#include "text/paragraph.h"
#include "text/settings.h"
#include "text/shape.h"

// One call of stijl_text_append.
typedef struct piece {
  uint32_t end;  // characters
  float font_size, letter_spacing, word_spacing, line_height;
  char *families, *language;
  SJ_ARRAY(hb_feature_t) features;
  SJ_ARRAY(sj_axis_value) axes;
  float weight, stretch;
  sj_slant slant;
  sj_palette_base palette_base;
  uint32_t palette_number;
  SJ_ARRAY(uint32_t) colors;  // as sj_palette has them
} piece;

// What is placed as one, and what a caret stands between.
typedef struct cell {
  uint32_t first, end;  // characters
  float x, width;
  uint32_t line;
  uint8_t level;
} cell;

// A glyph with what it takes to draw it.
typedef struct drawn {
  sj_face *face;
  float scale;
  uint32_t piece;
} drawn;

// A cluster of a paragraph as it was shaped, in the order of the characters.
typedef struct cluster {
  uint32_t first, end;
  uint32_t item, first_glyph, glyph_count;
  float width;
} cluster;

struct stijl_text {
  stijl_context *context;
  stijl_fonts *fonts;
  SJ_ARRAY(uint32_t) characters;
  SJ_ARRAY(uint32_t) offsets;  // of each character, in bytes
  size_t bytes;
  SJ_ARRAY(piece) pieces;
  // What layout makes.
  SJ_ARRAY(stijl_text_line) lines;
  SJ_ARRAY(stijl_glyph) glyphs;
  SJ_ARRAY(drawn) drawn;  // for each glyph
  SJ_ARRAY(cell) cells;   // line by line, in visual order
  SJ_ARRAY(sj_face *) faces;
  float width, height;
  uint32_t missing;
};

stijl_result stijl_text_create(stijl_context *context, stijl_fonts *fonts, stijl_text **out) {
  if (!out) return STIJL_ERROR_INVALID_ARGUMENT;
  *out = NULL;
  context = sj_context(context);
  if (!fonts) fonts = sj_fonts_default();
  stijl_text *text = fonts ? sj_alloc_zero(context, sizeof *text) : NULL;
  if (!text) return STIJL_ERROR_OUT_OF_MEMORY;
  text->context = context;
  text->fonts = fonts;
  *out = text;
  return STIJL_OK;
}

static void finish_piece(stijl_context *context, piece *p) {
  sj_free(context, p->families);
  sj_free(context, p->language);
  sj_array_finish(context, &p->features);
  sj_array_finish(context, &p->axes);
  sj_array_finish(context, &p->colors);
}

static void clear_layout(stijl_text *text) {
  text->lines.count = text->glyphs.count = text->drawn.count = text->cells.count = text->faces.count = 0;
  text->width = text->height = 0.0f;
  text->missing = 0;
}

void stijl_text_destroy(stijl_text *text) {
  if (!text) return;
  stijl_context *context = text->context;
  for (size_t i = 0; i < text->pieces.count; i++) finish_piece(context, &text->pieces.data[i]);
  sj_array_finish(context, &text->characters);
  sj_array_finish(context, &text->offsets);
  sj_array_finish(context, &text->pieces);
  sj_array_finish(context, &text->lines);
  sj_array_finish(context, &text->glyphs);
  sj_array_finish(context, &text->drawn);
  sj_array_finish(context, &text->cells);
  sj_array_finish(context, &text->faces);
  sj_free(context, text);
}

// --- appending ---

static bool read_palette(stijl_context *context, const stijl_text_style *style, piece *p) {
  size_t count = style->palette_color_count;
  p->palette_base = style->palette == STIJL_PALETTE_LIGHT  ? SJ_PALETTE_LIGHT
                    : style->palette == STIJL_PALETTE_DARK ? SJ_PALETTE_DARK
                                                           : SJ_PALETTE_NUMBER;
  p->palette_number = style->palette > 0 ? (uint32_t)style->palette : 0;
  if (count > SIZE_MAX / 2 || !sj_array_reserve(context, &p->colors, 2 * count)) return false;
  for (size_t i = 0; i < count; i++) {
    p->colors.data[2 * i] = style->palette_colors[i].index;
    p->colors.data[2 * i + 1] = sj_straight_color(style->palette_colors[i].color);
  }
  if (!sj_palette_sort(context, p->colors.data, &count)) return false;
  p->colors.count = 2 * count;
  return true;
}

static bool read_style(stijl_context *context, const stijl_text_style *style, piece *p) {
  *p = (piece){.font_size = style->font_size,
               .letter_spacing = style->letter_spacing,
               .word_spacing = style->word_spacing,
               .line_height = style->line_height,
               .weight = style->weight,
               .stretch = style->stretch,
               .slant = style->slant == STIJL_FONT_ITALIC    ? SJ_SLANT_ITALIC
                        : style->slant == STIJL_FONT_OBLIQUE ? SJ_SLANT_OBLIQUE
                                                             : SJ_SLANT_NORMAL};
  const char *families = style->families ? style->families : "";
  p->families = sj_strndup(context, families, strlen(families));
  bool good = p->families != NULL;
  if (good && style->language)
    good = (p->language = sj_strndup(context, style->language, strlen(style->language))) != NULL;
  good = good && read_palette(context, style, p);
  const char *at, *end, *value;
  size_t length;
  uint32_t tag;
  float number;
  if ((at = style->features)) {
    end = at + strlen(at);
    while (good && sj_next_setting(&at, end, &tag, &value, &length))
      good =
          sj_array_push(context, &p->features, (hb_feature_t){tag, sj_feature_value(value, length), 0, (unsigned)-1});
  }
  if ((at = style->variations)) {
    end = at + strlen(at);
    while (good && sj_next_setting(&at, end, &tag, &value, &length))
      if (sj_setting_number(value, length, &number))
        good = sj_array_push(context, &p->axes, (sj_axis_value){tag, number});
  }
  if (!good) finish_piece(context, p);
  return good;
}

static bool is_valid(const stijl_text_style *s) {
  return s->font_size > 0.0f && s->font_size <= 1e6f && s->weight >= 1.0f && s->weight <= 1000.0f &&
         s->stretch > 0.0f && isfinite(s->stretch) && isfinite(s->letter_spacing) && isfinite(s->word_spacing) &&
         s->line_height >= 0.0f && isfinite(s->line_height) && (unsigned)s->slant <= STIJL_FONT_OBLIQUE &&
         s->palette >= STIJL_PALETTE_DARK && (s->palette_colors || !s->palette_color_count);
}

stijl_result stijl_text_append(stijl_text *text, const char *utf8, size_t length, const stijl_text_style *style) {
  style = SJ_PARAMS(stijl_text_style, STIJL_TEXT_STYLE_INIT, style, NULL);
  if (!text || !style || (!utf8 && length) || !is_valid(style)) return STIJL_ERROR_INVALID_ARGUMENT;
  if (length > SJ_MAX_TEXT - text->characters.count || length > UINT32_MAX - text->bytes) return STIJL_ERROR_LIMIT;
  stijl_context *context = text->context;
  uint32_t *characters, *offsets, count;
  piece p;
  clear_layout(text);
  if (!length) return STIJL_OK;
  if (!sj_decode_utf8(context, utf8, length, &characters, &offsets, &count)) return STIJL_ERROR_OUT_OF_MEMORY;
  bool good = sj_array_reserve(context, &text->characters, count) && sj_array_reserve(context, &text->offsets, count) &&
              sj_array_reserve(context, &text->pieces, 1) && read_style(context, style, &p);
  if (good) {
    for (uint32_t i = 0; i < count; i++) {
      text->characters.data[text->characters.count++] = characters[i];
      text->offsets.data[text->offsets.count++] = (uint32_t)text->bytes + offsets[i];
    }
    text->bytes += length;
    p.end = (uint32_t)text->characters.count;
    text->pieces.data[text->pieces.count++] = p;
  }
  sj_free(context, characters);
  sj_free(context, offsets);
  return good ? STIJL_OK : STIJL_ERROR_OUT_OF_MEMORY;
}

// --- layout ---

typedef struct layout {
  stijl_text *text;
  const stijl_text_params *params;
  uint32_t first, end;  // the paragraph's characters, without its line feed
  sj_shaped shaped;
  SJ_ARRAY(cluster) clusters;
  SJ_ARRAY(sj_shape_span) spans;
  SJ_ARRAY(uint8_t) levels;
  SJ_ARRAY(uint32_t) order;
  char *breaks;  // libunibreak's, for each character of the paragraph
  bool no_fonts;
} layout;

static const piece *piece_at(const stijl_text *text, uint32_t character) {
  size_t low = 0, high = text->pieces.count - 1;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (character >= text->pieces.data[middle].end) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return &text->pieces.data[low];
}

static sj_shape_style shape_style(const piece *p) {
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

static int compare_clusters(const void *a, const void *b) {
  const cluster *x = a, *y = b;
  return x->first < y->first ? -1 : x->first > y->first;
}

// Clusters of an item, put into the order of the characters.
static bool add_clusters(layout *l, uint32_t index) {
  const sj_item *item = &l->shaped.items.data[index];
  const sj_glyph *glyphs = l->shaped.glyphs.data;
  const piece *p = piece_at(l->text, l->first + item->first);
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
  // Those of text from right to left come in falling order.
  if (count > 1 && item->level % 2) {
    for (size_t i = 0, j = count - 1; i < j; i++, j--) {
      cluster k = list[i];
      list[i] = list[j];
      list[j] = k;
    }
  }
  for (size_t i = 1; i < count; i++) {
    if (compare_clusters(&list[i - 1], &list[i]) >= 0) return false;  // HarfBuzz keeps them in order
  }
  for (size_t i = 0; i < count; i++) list[i].end = i + 1 < count ? list[i + 1].first : item->end;
  return true;
}

static bool shape_paragraph(layout *l) {
  stijl_text *text = l->text;
  l->spans.count = l->clusters.count = 0;
  for (size_t i = 0; i < text->pieces.count; i++) {
    const piece *p = &text->pieces.data[i];
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

// The number of a face within the text.
static bool face_number(stijl_text *text, sj_face *face, uint32_t *out) {
  for (*out = 0; *out < text->faces.count; ++*out)
    if (text->faces.data[*out] == face) return true;
  return sj_array_push(text->context, &text->faces, face);
}

// Makes room above and below for a font of that size.
static void grow_line(stijl_text_line *line, const sj_face_metrics *m, float font_size, float line_height) {
  float scale = font_size / (float)m->units_per_em;
  float ascent = (float)m->ascent * scale, descent = -(float)m->descent * scale;
  float gap = line_height > 0.0f ? line_height * font_size - ascent - descent : (float)m->line_gap * scale;
  ascent += 0.5f * gap;
  descent += 0.5f * gap;
  if (ascent > line->ascent) line->ascent = ascent;
  if (descent > line->descent) line->descent = descent;
}

static bool put_glyphs(stijl_text *text, const sj_shaped *shaped, const sj_item *item, uint32_t first, uint32_t count,
                       const piece *p, size_t cluster_offset, float x) {
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
        !sj_array_push(text->context, &text->drawn, (drawn){item->face, scale, (uint32_t)(p - text->pieces.data)}))
      return false;
  }
  return true;
}

// The ellipsis in the style of what it follows. *width is its advance; it is placed when `line` is given.
static bool ellipsis(layout *l, uint32_t after, stijl_text_line *line, float x, float *width) {
  stijl_text *text = l->text;
  const piece *p = piece_at(text, after);
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
      good = put_glyphs(text, &shaped, item, item->first_glyph, item->glyph_count, p,
                        text->offsets.data[after], x + *width);
      grow_line(line, &item->face->metrics, p->font_size, p->line_height);
    }
    *width += (float)advance * p->font_size / (float)item->face->metrics.units_per_em;
  }
  sj_shaped_finish(&shaped);
  sj_free(text->context, characters);
  return good;
}

// Places the clusters from `first` to before `end`, of which those from `blank` on are blanks at the line's end.
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
  // The space to the left, and what a blank is wider where the line is filled.
  float spare = room > width ? room - width : 0.0f, fill = 0.0f;
  bool at_end = l->params->align == STIJL_ALIGN_RIGHT || (l->params->align == STIJL_ALIGN_END && !rtl) ||
                (l->params->align == STIJL_ALIGN_START && rtl) || (l->params->align == STIJL_ALIGN_JUSTIFY && rtl);
  if (l->params->align == STIJL_ALIGN_JUSTIFY && !ends_paragraph && gaps && spare > 0.0f) {
    fill = spare / (float)gaps;
    line.width = room;
    spare = 0.0f;
  }
  line.x = l->params->align == STIJL_ALIGN_CENTER ? 0.5f * spare : at_end ? spare : 0.0f;
  // Visual order; blanks at the end have the paragraph's level (rule L1), and hang outside of the line.
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
    const piece *p = piece_at(text, l->first + at->first);
    float wide = at->width;
    if (first + l->order.data[i] < blank && is_blank(text->characters.data[l->first + at->first])) wide += fill;
    if (!put_glyphs(text, &l->shaped, item, at->first_glyph, at->glyph_count, p,
                    text->offsets.data[l->first + at->first], x) ||
        !sj_array_push(text->context, &text->cells,
                       (cell){l->first + at->first, l->first + at->end, x, wide, line_number, item->level}))
      return false;
    grow_line(&line, &item->face->metrics, p->font_size, p->line_height);
    x += wide;
  }
  if (cut && !ellipsis(l, l->first + k[first].first, &line, rtl ? line.x : line.x + line.width - dots, &dots))
    return false;
  if (!count) {  // an empty line is as high as its font
    const piece *p = piece_at(text, l->first ? l->first - 1 : 0);
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

// Where the line that begins with cluster `first` ends: as many as fit, up to where Unicode allows a break, else up to
// where it is full.
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
  clear_layout(text);
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
  sj_array_finish(text->context, &l.clusters);
  sj_array_finish(text->context, &l.spans);
  sj_array_finish(text->context, &l.levels);
  sj_array_finish(text->context, &l.order);
  if (good && params->width > text->width) text->width = params->width;
  if (good && l.no_fonts) {
    clear_layout(text);
    return sj_fail(message, STIJL_ERROR_IO, "there are no fonts");
  }
  if (good) return STIJL_OK;
  clear_layout(text);
  return sj_fail_memory(message);
}

// --- reading ---

size_t stijl_text_lines(const stijl_text *text, const stijl_text_line **out) {
  if (out) *out = text ? text->lines.data : NULL;
  return text ? text->lines.count : 0;
}

size_t stijl_text_glyphs(const stijl_text *text, const stijl_glyph **out) {
  if (out) *out = text ? text->glyphs.data : NULL;
  return text ? text->glyphs.count : 0;
}

const char *stijl_text_font_family(const stijl_text *text, uint32_t font) {
  return text && font < text->faces.count ? sj_face_family(text->fonts, text->faces.data[font]) : "";
}

void stijl_text_size(const stijl_text *text, float *width, float *height) {
  if (width) *width = text ? text->width : 0.0f;
  if (height) *height = text ? text->height : 0.0f;
}

uint32_t stijl_text_missing(const stijl_text *text) { return text ? text->missing : 0; }

// --- carets ---

static size_t offset_of(const stijl_text *text, uint32_t character) {
  return character < text->offsets.count ? text->offsets.data[character] : text->bytes;
}

// Where a caret stands before the n-th of a cell's characters: within a ligature they share its width evenly.
static float caret_x(const cell *c, uint32_t character) {
  float part = (float)(character - c->first) / (float)(c->end - c->first) * c->width;
  return c->level % 2 ? c->x + c->width - part : c->x + part;
}

static void set_caret(const stijl_text *text, uint32_t line, float x, bool rtl, stijl_caret *out) {
  const stijl_text_line *l = &text->lines.data[line];
  *out = (stijl_caret){x, l->baseline - l->ascent, l->baseline + l->descent, line, rtl};
}

bool stijl_text_caret(const stijl_text *text, size_t offset, stijl_caret *out) {
  if (!text || !text->lines.count || !out) return false;
  const cell *behind = NULL;
  for (size_t i = 0; i < text->cells.count; i++) {
    const cell *c = &text->cells.data[i];
    for (uint32_t n = c->first; n < c->end; n++) {
      if (offset_of(text, n) > offset || offset_of(text, n + 1) <= offset) continue;
      set_caret(text, c->line, caret_x(c, n), c->level % 2, out);
      return true;
    }
    if (offset_of(text, c->end) <= offset && (!behind || c->end > behind->end)) behind = c;
  }
  // A line without characters, after the last line feed before the offset; else behind the last character.
  uint32_t line = 0;
  for (uint32_t i = 0; i < text->lines.count; i++)
    if (text->lines.data[i].start <= offset) line = i;
  if (behind && behind->line == line) {
    set_caret(text, line, caret_x(behind, behind->end), behind->level % 2, out);
  } else {
    set_caret(text, line, text->lines.data[line].x, false, out);
  }
  return true;
}

size_t stijl_text_hit(const stijl_text *text, float x, float y) {
  if (!text || !text->lines.count) return 0;
  uint32_t line = 0;
  while (line + 1 < text->lines.count && y >= text->lines.data[line].baseline + text->lines.data[line].descent) line++;
  size_t best = text->lines.data[line].start;
  float nearest = INFINITY;
  for (size_t i = 0; i < text->cells.count; i++) {
    const cell *c = &text->cells.data[i];
    if (c->line != line) continue;
    for (uint32_t n = c->first; n <= c->end; n++) {
      float distance = fabsf(caret_x(c, n) - x);
      if (!(distance < nearest)) continue;
      nearest = distance;
      best = offset_of(text, n);
    }
  }
  return best;
}

// --- drawing: src/svg/text.c goes on ---

sj_text_glyph sj_text_glyph_at(const stijl_text *text, size_t index) {
  const drawn *d = &text->drawn.data[index];
  const piece *p = &text->pieces.data[d->piece];
  return (sj_text_glyph){d->face, d->scale, {p->palette_base, p->palette_number, p->colors.data, p->colors.count / 2}};
}

stijl_context *sj_text_context(const stijl_text *text) { return text->context; }

stijl_fonts *sj_text_fonts(const stijl_text *text) { return text->fonts; }

stijl_result stijl_text_outline(const stijl_text *text, const stijl_matrix *matrix, stijl_path *path) {
  if (!text || !path) return STIJL_ERROR_INVALID_ARGUMENT;
  stijl_matrix base = matrix ? *matrix : stijl_matrix_identity();
  for (size_t i = 0; i < text->glyphs.count; i++) {
    const stijl_glyph *g = &text->glyphs.data[i];
    const drawn *d = &text->drawn.data[i];
    stijl_matrix place = stijl_matrix_multiply(base, (stijl_matrix){d->scale, 0.0f, 0.0f, -d->scale, g->x, g->y});
    sj_face_outline(d->face, text->context, g->id, &place, path);
  }
  return stijl_path_status(path);
}
