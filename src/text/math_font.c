#include "text/math_font.h"

#include <math.h>

#include "libraries/harfbuzz.h"

// An assembly has at most so many glyphs, and a glyph so many variants that count.
#define MAX_GLYPHS 1024.0f
#define MAX_VARIANTS 32

bool sj_face_has_math(const sj_face *face) { return hb_ot_math_has_data(face->hb_face); }

float sj_face_math_constant(const sj_face *face, hb_ot_math_constant_t constant) {
  return (float)hb_ot_math_get_constant(face->hb, constant);
}

uint32_t sj_face_glyph(const sj_face *face, uint32_t character) {
  hb_codepoint_t glyph;
  return hb_font_get_nominal_glyph(face->hb, character, &glyph) ? glyph : 0;
}

sj_glyph_ink sj_face_ink(const sj_face *face, uint32_t glyph, float scale) {
  hb_glyph_extents_t box;
  if (!hb_font_get_glyph_extents(face->hb, glyph, &box) || !box.width || !box.height) return (sj_glyph_ink){0};
  // The height is negative.
  float left = (float)box.x_bearing, top = (float)box.y_bearing;
  return (sj_glyph_ink){floorf(left * scale), ceilf((left + (float)box.width) * scale), ceilf(top * scale),
                        ceilf(-(top + (float)box.height) * scale)};
}

static hb_direction_t direction_of(bool vertical) { return vertical ? HB_DIRECTION_BTT : HB_DIRECTION_LTR; }

static bool next_variant(const sj_face *face, uint32_t base, bool vertical, unsigned at, uint32_t *glyph) {
  hb_ot_math_glyph_variant_t variant;
  unsigned count = at < MAX_VARIANTS;
  if (count) hb_ot_math_get_glyph_variants(face->hb, base, direction_of(vertical), at, &count, &variant);
  *glyph = count ? variant.glyph : 0;
  return count > 0;
}

// Takes a glyph. Returns how long it is.
static float take_glyph(const sj_face *face, uint32_t glyph, sj_stretched *out) {
  sj_glyph_ink ink = sj_face_ink(face, glyph, out->scale);
  out->glyph = glyph;
  out->advance = (float)hb_font_get_glyph_h_advance(face->hb, glyph) * out->scale;
  out->ascent = ink.above;
  out->descent = ink.below;
  out->italic = (float)hb_ot_math_get_glyph_italics_correction(face->hb, glyph) * out->scale;
  return out->vertical ? ink.above + ink.below : ink.right - ink.left;
}

// Finds how often parts are repeated, and how far they overlap (MathML Core, 5.3). Returns false if there is no valid
// assembly.
static bool plan_assembly(const sj_face *face, uint32_t glyph, float target, sj_stretched *out) {
  hb_position_t italic = 0;
  unsigned count = SJ_MAX_MATH_PARTS;
  hb_direction_t direction = direction_of(out->vertical);
  unsigned all = hb_ot_math_get_glyph_assembly(face->hb, glyph, direction, 0, &count, out->parts, &italic);
  float least = (float)hb_ot_math_get_min_connector_overlap(face->hb, direction) * out->scale, most = INFINITY;
  float fixed = 0.0f, growing = 0.0f, fixed_count = 0.0f, growing_count = 0.0f;
  if (!count || all > SJ_MAX_MATH_PARTS) return false;
  for (unsigned i = 0; i < count; i++) {
    const hb_ot_math_glyph_part_t *part = &out->parts[i];
    bool grows = part->flags & HB_OT_MATH_GLYPH_PART_FLAG_EXTENDER;
    *(grows ? &growing : &fixed) += (float)part->full_advance * out->scale;
    *(grows ? &growing_count : &fixed_count) += 1.0f;
    if (grows || i > 0) most = fminf(most, (float)part->start_connector_length * out->scale);
    if (grows || i + 1 < count) most = fminf(most, (float)part->end_connector_length * out->scale);
  }
  float step = growing - least * growing_count;
  if (!(growing_count > 0.0f) || most < least || !(step > 0.0f)) return false;
  float repeats = fmaxf(0.0f, ceilf((target - fixed + least * (fixed_count - 1.0f)) / step));
  repeats = fminf(repeats, floorf((MAX_GLYPHS - fixed_count) / growing_count));
  float glyphs = fixed_count + repeats * growing_count;
  if (!(glyphs > 0.0f)) return false;
  out->overlap = most;
  if (glyphs > 1.0f) out->overlap = fmaxf(least, fminf(most, (fixed + repeats * growing - target) / (glyphs - 1.0f)));
  out->repeats = (uint32_t)repeats;
  out->part_count = count;
  out->italic = (float)italic * out->scale;
  return true;
}

bool sj_stretched_next(const sj_face *face, const sj_stretched *s, sj_stretched_walk *w) {
  if (!s->part_count) {
    w->glyph = s->glyph;
    w->x = w->y = 0.0f;
    return w->part++ == 0;
  }
  for (; w->part < s->part_count; w->part++, w->times = 0) {
    const hb_ot_math_glyph_part_t *part = &s->parts[w->part];
    if (w->times++ == (part->flags & HB_OT_MATH_GLYPH_PART_FLAG_EXTENDER ? s->repeats : 1)) continue;
    sj_glyph_ink ink = sj_face_ink(face, part->glyph, s->scale);
    w->glyph = part->glyph;
    w->x = s->vertical ? 0.0f : w->at - ink.left;
    w->y = s->vertical ? w->at + ink.below : 0.0f;
    w->at += (float)part->full_advance * s->scale - s->overlap;
    return true;
  }
  return false;
}

// Measures an assembly of glyphs. One that grows upwards stands on the baseline; its advance is how wide its ink is.
static void measure_assembly(const sj_face *face, sj_stretched *s) {
  float left = INFINITY, right = -INFINITY, above = -INFINITY, below = -INFINITY;
  sj_stretched_walk walk = {0};
  for (; sj_stretched_next(face, s, &walk); s->looked_at++) {
    sj_glyph_ink ink = sj_face_ink(face, walk.glyph, s->scale);
    left = fminf(left, walk.x + ink.left);
    right = fmaxf(right, walk.x + ink.right);
    above = fmaxf(above, walk.y + ink.above);
    below = fmaxf(below, ink.below - walk.y);
  }
  s->advance = right - left;
  s->ascent = above;
  s->descent = s->vertical ? 0.0f : below;
}

void sj_face_stretch(const sj_face *face, uint32_t glyph, float scale, bool vertical, float target, sj_stretched *out) {
  *out = (sj_stretched){.vertical = vertical, .scale = scale};
  uint32_t variant = glyph;
  unsigned at = 0;
  do {
    out->looked_at++;
    if (take_glyph(face, variant, out) >= target) return;
  } while (next_variant(face, glyph, vertical, at++, &variant));
  if (plan_assembly(face, glyph, target, out)) measure_assembly(face, out);
}

float sj_face_stretched_advance(const sj_face *face, uint32_t glyph, float scale) {
  float most = (float)hb_font_get_glyph_h_advance(face->hb, glyph);
  uint32_t variant;
  for (unsigned at = 0; next_variant(face, glyph, true, at, &variant); at++)
    most = fmaxf(most, (float)hb_font_get_glyph_h_advance(face->hb, variant));
  hb_ot_math_glyph_part_t parts[SJ_MAX_MATH_PARTS];
  unsigned count = SJ_MAX_MATH_PARTS;
  hb_ot_math_get_glyph_assembly(face->hb, glyph, HB_DIRECTION_BTT, 0, &count, parts, NULL);
  for (unsigned i = 0; i < count; i++) most = fmaxf(most, (float)hb_font_get_glyph_h_advance(face->hb, parts[i].glyph));
  return most * scale;
}
