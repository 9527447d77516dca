// Makes the fonts of a document's text: those of its @font-face rules, before those that it was given.
#include "svg/resolve/text_fonts.h"

#include <math.h>
#include <string.h>

#include "svg/resolve/text_content.h"
#include "svg/style/fetch.h"
#include "svg/style/font_face.h"
#include "svg/style/font_palette.h"
#include "text/colr.h"
#include "text/web.h"

typedef struct sj_document_fonts {
  stijl_fonts *fonts;
  sj_font_faces rules;
  SJ_ARRAY(sj_web_source) sources;  // of all rules
  SJ_ARRAY(sj_web_face) faces;
  sj_font_palettes palettes;
  uint32_t first_palette;  // the identity of the first of `palettes`
  // The last palette that was found, since it is asked for glyph by glyph.
  const sj_face *face;
  sj_value_text value;
  size_t palette;
} sj_document_fonts;

#define NO_PALETTE SIZE_MAX

// Reads a font file, which counts as all files that the document names.
static stijl_result fetch(void *user, const char *address, size_t length, sj_bytes *out, stijl_message *message) {
  sj_resolver *r = user;
  sj_load_totals *totals = r->job->totals;
  sj_svg_options options = *r->options;
  uint64_t taken = totals->bytes;
  options.limits.max_bytes = options.limits.max_bytes > taken ? options.limits.max_bytes - taken : 0;
  stijl_result result = sj_fetch(r->job->context, &options, address, length, out, message);
  if (result == STIJL_OK) {
    totals->bytes += out->count;
    sj_context_check(r->job->context, out->count * SJ_WORK_BYTE);
  }
  return result;
}

static bool take_rules(sj_resolver *r, sj_document_fonts *fonts) {
  stijl_context *context = r->job->context;
  if (!sj_font_faces_init(r->document, context, &fonts->rules) ||
      !sj_font_palettes_init(r->document, context, &fonts->palettes))
    return false;
  for (size_t i = 0; i < fonts->palettes.count; i++) {
    sj_font_palette *rule = &fonts->palettes.data[i];
    size_t colors = rule->colors.count / 2;
    if (!sj_palette_sort(context, rule->colors.data, &colors)) return false;
    rule->colors.count = 2 * colors;
  }
  fonts->first_palette = r->job->palettes;
  r->job->palettes += (uint32_t)fonts->palettes.count;
  size_t count = 0;
  for (size_t i = 0; i < fonts->rules.count; i++) count += fonts->rules.data[i].sources.count;
  // Both arrays are reserved at once, since faces point to their sources.
  if (!sj_array_reserve(context, &fonts->sources, count) ||
      !sj_array_reserve(context, &fonts->faces, fonts->rules.count))
    return false;
  for (size_t i = 0; i < fonts->rules.count; i++) {
    const sj_font_face *rule = &fonts->rules.data[i];
    fonts->faces.data[fonts->faces.count++] = (sj_web_face){.family = rule->family,
                                                            .weight_min = rule->weight_min,
                                                            .weight_max = rule->weight_max,
                                                            .stretch_min = rule->stretch_min,
                                                            .stretch_max = rule->stretch_max,
                                                            .italic = rule->italic,
                                                            .oblique = rule->oblique,
                                                            .size_adjust = rule->size_adjust,
                                                            .ascent = rule->ascent,
                                                            .descent = rule->descent,
                                                            .line_gap = rule->line_gap,
                                                            .features = rule->features.text,
                                                            .features_length = rule->features.length,
                                                            .variations = rule->variations.text,
                                                            .variations_length = rule->variations.length,
                                                            .language_system = rule->language_system,
                                                            .sources = fonts->sources.data + fonts->sources.count,
                                                            .source_count = rule->sources.count,
                                                            .ranges = rule->ranges.data,
                                                            .range_count = rule->ranges.count / 2};
    for (size_t k = 0; k < rule->sources.count; k++) {
      const sj_font_face_source *source = &rule->sources.data[k];
      fonts->sources.data[fonts->sources.count++] = (sj_web_source){source->local, source->text, source->length};
    }
  }
  return true;
}

stijl_fonts *sj_resolver_fonts(sj_resolver *r) {
  stijl_fonts *base = r->options->fonts ? r->options->fonts : sj_fonts_default();
  if (!r->document->css) return base;  // without a style sheet there are no rules
  if (r->fonts) return r->fonts->fonts ? r->fonts->fonts : base;
  sj_document_fonts *fonts = sj_alloc_zero(r->job->context, sizeof *fonts);
  r->fonts = fonts;
  if (!fonts || !take_rules(r, fonts)) {
    if (sj_resolve_spend(r, 0)) sj_resolve_fail_memory(r);
    return base;
  }
  if (!fonts->faces.count) return base;
  fonts->fonts = sj_web_fonts_create(r->job->context, base, fonts->faces.data, fonts->faces.count,
                                     r->job->totals->quiet, fetch, r);
  if (fonts->fonts) return fonts->fonts;
  sj_resolve_fail_memory(r);
  return base;
}

sj_font_style sj_resolver_font_style(const sj_resolver *r, const sj_style *style) {
  const sj_font_values *font = &style->font;
  return (sj_font_style){.families = font->family.text,
                         .families_length = font->family.length,
                         .weight = font->weight,
                         .stretch = font->stretch,
                         .slant = font->slant == SJ_FONT_ITALIC    ? SJ_SLANT_ITALIC
                                  : font->slant == SJ_FONT_OBLIQUE ? SJ_SLANT_OBLIQUE
                                                                   : SJ_SLANT_NORMAL,
                         .optical_size = font->no_optical_sizing ? 0.0f : style->font_size,
                         .budget = r->styles.budget};
}

sj_face *sj_resolver_face(sj_resolver *r, const sj_style *style, float *scale) {
  stijl_fonts *fonts = sj_resolver_fonts(r);
  sj_font_style wanted = sj_resolver_font_style(r, style);
  sj_face *face = fonts && sj_text_open(NULL) == STIJL_OK ? sj_fonts_face(fonts, &wanted) : NULL;
  if (face) *scale = style->font_size * face->size_adjust / (float)face->metrics.units_per_em;
  return face;
}

// Up to this size Chromium measures an x that is hinted, whose height is a whole number of pixels: mostly the next one,
// unless hardly anything is above the one before.
#define MAX_HINTED 50.0f
#define HARDLY 0.12f

float sj_resolver_font_unit(void *resolver, const void *style, sj_unit unit) {
  sj_style of = *(const sj_style *)style;
  float font_size = of.font_size, scale;
  of.font_size = 1.0f;
  const sj_face *face = sj_resolver_face(resolver, &of, &scale);
  int size = !face ? -1 : unit == SJ_UNIT_EX ? sj_face_x_height(face) : sj_face_advance(face, '0');
  if (size < 0) return 0.5f;
  float part = (float)size * scale;
  bool hinted = unit == SJ_UNIT_EX && !face->metrics.knows_x_height && font_size >= 1.0f && font_size <= MAX_HINTED;
  return hinted ? ceilf(part * font_size - HARDLY) / font_size : part;
}

// Finds the last rule of that name for the face's family (CSS Fonts 4, 9.2).
static size_t find_palette(sj_resolver *r, const sj_face *face, const sj_value_text *value) {
  sj_document_fonts *fonts = r->fonts;
  if (!fonts || !fonts->palettes.count) return NO_PALETTE;
  if (fonts->face == face && fonts->value.text == value->text) return fonts->palette;
  fonts->face = face;
  fonts->value = *value;
  fonts->palette = NO_PALETTE;
  for (size_t i = fonts->palettes.count; i > 0 && fonts->palette == NO_PALETTE; i--) {
    const sj_font_palette *rule = &fonts->palettes.data[i - 1];
    if (!sj_resolve_spend(r, SJ_WORK_NODE)) break;
    if (rule->name.length != value->length || memcmp(rule->name.text, value->text, value->length) != 0) continue;
    if (!sj_resolve_spend(r, rule->families.length * SJ_WORK_BYTE)) break;
    if (sj_fonts_is_of(sj_resolver_fonts(r), face, rule->families.text, rule->families.length)) fonts->palette = i - 1;
  }
  return fonts->palette;
}

uint32_t sj_resolver_palette(sj_resolver *r, const sj_face *face, const sj_value_text *value, sj_palette *out) {
  enum { FIRST, LIGHT, DARK, NAMED };
  *out = (sj_palette){0};
  if (!value->text) return FIRST;
  bool light = sj_is_keyword(value->text, value->length, "light");
  if (light || sj_is_keyword(value->text, value->length, "dark")) {
    out->base = light ? SJ_PALETTE_LIGHT : SJ_PALETTE_DARK;
    return light ? LIGHT : DARK;
  }
  size_t found = find_palette(r, face, value);
  if (found == NO_PALETTE) return FIRST;
  const sj_font_palette *rule = &r->fonts->palettes.data[found];
  *out = (sj_palette){.base = rule->light  ? SJ_PALETTE_LIGHT
                              : rule->dark ? SJ_PALETTE_DARK
                                           : SJ_PALETTE_NUMBER,
                      .number = rule->number,
                      .colors = rule->colors.data,
                      .color_count = rule->colors.count / 2};
  return NAMED + r->fonts->first_palette + (uint32_t)found;
}

void sj_resolver_fonts_finish(sj_resolver *r) {
  if (!r->fonts) return;
  stijl_context *context = r->job->context;
  stijl_fonts_destroy(r->fonts->fonts);
  sj_font_faces_finish(&r->fonts->rules, context);
  sj_font_palettes_finish(&r->fonts->palettes, context);
  sj_arrays_finish(context, &r->fonts->sources, &r->fonts->faces);
  sj_free(context, r->fonts);
  r->fonts = NULL;
}
