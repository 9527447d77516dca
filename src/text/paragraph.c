// Texts of the public interface (text.h): what they are made of, and what is asked about their layout.
#include "text/paragraph.h"

#include <math.h>
#include <string.h>

#include "base/params.h"
#include "geometry/path.h"
#include "text/paragraph_data.h"
#include "text/settings.h"

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

static void finish_piece(stijl_context *context, sj_text_piece *p) {
  sj_free(context, p->families);
  sj_free(context, p->language);
  sj_arrays_finish(context, &p->features, &p->axes, &p->colors);
}

void sj_text_clear_layout(stijl_text *text) {
  text->lines.count = text->glyphs.count = text->drawn.count = text->cells.count = text->faces.count = 0;
  text->width = text->height = 0.0f;
  text->missing = 0;
}

void stijl_text_destroy(stijl_text *text) {
  if (!text) return;
  stijl_context *context = text->context;
  for (size_t i = 0; i < text->pieces.count; i++) finish_piece(context, &text->pieces.data[i]);
  sj_arrays_finish(context, &text->characters, &text->offsets, &text->pieces, &text->lines, &text->glyphs, &text->drawn,
                   &text->cells, &text->faces);
  sj_free(context, text);
}

// --- appending ---

static bool read_palette(stijl_context *context, const stijl_text_style *style, sj_text_piece *p) {
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

static bool read_style(stijl_context *context, const stijl_text_style *style, sj_text_piece *p) {
  *p = (sj_text_piece){.font_size = style->font_size,
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
  sj_text_piece p;
  sj_text_clear_layout(text);
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

// Returns where a caret stands before a character of a cell. The characters of a ligature share its width evenly.
static float caret_x(const sj_text_cell *c, uint32_t character) {
  float part = (float)(character - c->first) / (float)(c->end - c->first) * c->width;
  return c->level % 2 ? c->x + c->width - part : c->x + part;
}

static void set_caret(const stijl_text *text, uint32_t line, float x, bool rtl, stijl_caret *out) {
  const stijl_text_line *l = &text->lines.data[line];
  *out = (stijl_caret){x, l->baseline - l->ascent, l->baseline + l->descent, line, rtl};
}

bool stijl_text_caret(const stijl_text *text, size_t offset, stijl_caret *out) {
  if (!text || !text->lines.count || !out) return false;
  const sj_text_cell *behind = NULL;
  for (size_t i = 0; i < text->cells.count; i++) {
    const sj_text_cell *c = &text->cells.data[i];
    for (uint32_t n = c->first; n < c->end; n++) {
      if (offset_of(text, n) > offset || offset_of(text, n + 1) <= offset) continue;
      set_caret(text, c->line, caret_x(c, n), c->level % 2, out);
      return true;
    }
    if (offset_of(text, c->end) <= offset && (!behind || c->end > behind->end)) behind = c;
  }
  // No cell has the offset, so the caret stands in the last line that begins before it: behind the last character, or
  // at the start of a line without characters.
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
    const sj_text_cell *c = &text->cells.data[i];
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

// --- drawing ---

sj_text_glyph sj_text_glyph_at(const stijl_text *text, size_t index) {
  const sj_drawn_glyph *d = &text->drawn.data[index];
  const sj_text_piece *p = &text->pieces.data[d->piece];
  return (sj_text_glyph){d->face, d->scale, {p->palette_base, p->palette_number, p->colors.data, p->colors.count / 2}};
}

stijl_context *sj_text_context(const stijl_text *text) { return text->context; }

stijl_fonts *sj_text_fonts(const stijl_text *text) { return text->fonts; }

stijl_result stijl_text_outline(const stijl_text *text, const stijl_matrix *matrix, stijl_path *path) {
  if (!text || !path) return STIJL_ERROR_INVALID_ARGUMENT;
  stijl_matrix base = matrix ? *matrix : stijl_matrix_identity();
  for (size_t i = 0; i < text->glyphs.count; i++) {
    const stijl_glyph *g = &text->glyphs.data[i];
    const sj_drawn_glyph *d = &text->drawn.data[i];
    stijl_matrix place = stijl_matrix_multiply(base, (stijl_matrix){d->scale, 0.0f, 0.0f, -d->scale, g->x, g->y});
    sj_face_outline(d->face, text->context, g->id, &place, path);
  }
  return stijl_path_status(path);
}
