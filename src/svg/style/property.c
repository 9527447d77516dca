#include "svg/style/property.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/blends.h"
#include "svg/style/keyword.h"

// Where the style has the value of each property, so that `inherit`, `initial` and `unset` can copy it.
#define WITH_FIELDS(X)                                       \
  X(ALIGNMENT_BASELINE, font.alignment_baseline)             \
  X(BACKGROUND, background)                                  \
  X(BACKGROUND_COLOR, background)                            \
  X(BASELINE_SHIFT, font.baseline_shift)                     \
  X(CLIP_PATH, clip_path)                                    \
  X(CLIP_RULE, clip_rule)                                    \
  X(COLOR, color)                                            \
  X(COLOR_INTERPOLATION, color_interpolation)                \
  X(COLOR_INTERPOLATION_FILTERS, filter_interpolation)       \
  X(DIRECTION, font.right_to_left)                           \
  X(DISPLAY, display_none)                                   \
  X(DOMINANT_BASELINE, font.dominant_baseline)               \
  X(FILL, fill)                                              \
  X(FILL_OPACITY, fill_opacity)                              \
  X(FILL_RULE, fill_rule)                                    \
  X(FILTER, filter)                                          \
  X(FLOOD_COLOR, flood_color)                                \
  X(FLOOD_OPACITY, flood_opacity)                            \
  X(FONT_FAMILY, font.family)                                \
  X(FONT_FEATURE_SETTINGS, font.features)                    \
  X(FONT_KERNING, font.no_kerning)                           \
  X(FONT_LANGUAGE_OVERRIDE, font.language_system)            \
  X(FONT_OPTICAL_SIZING, font.no_optical_sizing)             \
  X(FONT_PALETTE, font.palette)                              \
  X(FONT_SIZE, font_size)                                    \
  X(FONT_STRETCH, font.stretch)                              \
  X(FONT_STYLE, font.slant)                                  \
  X(FONT_SIZE_ADJUST, font.size_adjust)                      \
  X(FONT_SYNTHESIS, font.no_synthesis)                       \
  X(FONT_SYNTHESIS_POSITION, font.no_synthesis.position)     \
  X(FONT_SYNTHESIS_SMALL_CAPS, font.no_synthesis.small_caps) \
  X(FONT_SYNTHESIS_STYLE, font.no_synthesis.style)           \
  X(FONT_SYNTHESIS_WEIGHT, font.no_synthesis.weight)         \
  X(FONT_VARIANT, font.variant)                              \
  X(FONT_VARIANT_ALTERNATES, font.variant.alternates)        \
  X(FONT_VARIANT_CAPS, font.variant.caps)                    \
  X(FONT_VARIANT_EAST_ASIAN, font.variant.east_asian)        \
  X(FONT_VARIANT_EMOJI, font.variant.emoji)                  \
  X(FONT_VARIANT_LIGATURES, font.variant.ligatures)          \
  X(FONT_VARIANT_NUMERIC, font.variant.numeric)              \
  X(FONT_VARIANT_POSITION, font.variant.position)            \
  X(FONT_VARIATION_SETTINGS, font.variations)                \
  X(FONT_WEIGHT, font.weight)                                \
  X(GLYPH_ORIENTATION_VERTICAL, font.orientation)            \
  X(IMAGE_RENDERING, image_rendering)                        \
  X(ISOLATION, isolate)                                      \
  X(LETTER_SPACING, font.letter_spacing)                     \
  X(INLINE_SIZE, font.inline_size)                           \
  X(LINE_HEIGHT, font.line_height)                           \
  X(LIGHTING_COLOR, lighting_color)                          \
  X(MARKER_END, marker_end)                                  \
  X(MARKER_MID, marker_mid)                                  \
  X(MARKER_START, marker_start)                              \
  X(MASK, mask)                                              \
  X(MASK_TYPE, mask_type)                                    \
  X(MIX_BLEND_MODE, blend)                                   \
  X(OFFSET_ANCHOR, offset_anchor)                            \
  X(OFFSET_DISTANCE, offset_distance)                        \
  X(OFFSET_PATH, offset_path)                                \
  X(OFFSET_ROTATE, offset_rotate)                            \
  X(OPACITY, opacity)                                        \
  X(OVERFLOW, overflow)                                      \
  X(PAINT_ORDER, paint_order)                                \
  X(ROTATE, rotate)                                          \
  X(SCALE, scale)                                            \
  X(SHAPE_INSIDE, font.shape_inside)                         \
  X(SHAPE_MARGIN, font.shape_margin)                         \
  X(SHAPE_PADDING, font.shape_padding)                       \
  X(SHAPE_RENDERING, shape_rendering)                        \
  X(SHAPE_SUBTRACT, font.shape_subtract)                     \
  X(STOP_COLOR, stop_color)                                  \
  X(STOP_OPACITY, stop_opacity)                              \
  X(STROKE, stroke)                                          \
  X(STROKE_DASHARRAY, dashes)                                \
  X(STROKE_DASHOFFSET, dash_offset)                          \
  X(STROKE_LINECAP, line_cap)                                \
  X(STROKE_LINEJOIN, line_join)                              \
  X(STROKE_MITERLIMIT, miter_limit)                          \
  X(STROKE_OPACITY, stroke_opacity)                          \
  X(STROKE_WIDTH, stroke_width)                              \
  X(TEXT_ALIGN, font.align)                                  \
  X(TEXT_ANCHOR, font.anchor)                                \
  X(TEXT_DECORATION, font.decoration)                        \
  X(TEXT_DECORATION_COLOR, font.decoration.color)            \
  X(TEXT_DECORATION_LINE, font.decoration.lines)             \
  X(TEXT_DECORATION_SKIP_INK, font.underline.skip_ink)       \
  X(TEXT_DECORATION_STYLE, font.decoration.style)            \
  X(TEXT_DECORATION_THICKNESS, font.decoration.thickness)    \
  X(TEXT_SHADOW, text_shadow)                                \
  X(TEXT_TRANSFORM, font.transform)                          \
  X(TEXT_UNDERLINE_OFFSET, font.underline.offset)            \
  X(TEXT_UNDERLINE_POSITION, font.underline.position)        \
  X(TEXT_EMPHASIS, font.emphasis)                            \
  X(TEXT_EMPHASIS_COLOR, font.emphasis.color)                \
  X(TEXT_EMPHASIS_POSITION, font.emphasis.under)             \
  X(TEXT_EMPHASIS_STYLE, font.emphasis.mark)                 \
  X(TEXT_ORIENTATION, font.orientation)                      \
  X(TEXT_OVERFLOW, font.ellipsis)                            \
  X(TEXT_RENDERING, text_rendering)                          \
  X(TRANSFORM, transform)                                    \
  X(TRANSFORM_BOX, transform_box)                            \
  X(TRANSFORM_ORIGIN, origin)                                \
  X(TRANSLATE, translate)                                    \
  X(UNICODE_BIDI, font.unicode_bidi)                         \
  X(VECTOR_EFFECT, non_scaling_stroke)                       \
  X(VISIBILITY, visibility)                                  \
  X(WHITE_SPACE, font.white_space)                           \
  X(WORD_SPACING, font.word_spacing)                         \
  X(WRITING_MODE, font.writing_mode)

// Those that have none: of animations, which style/animation.c reads; and shorthands and the parts of `mask`.
#define OF_ANIMATIONS(X)       \
  X(ANIMATION)                 \
  X(ANIMATION_COMPOSITION)     \
  X(ANIMATION_DELAY)           \
  X(ANIMATION_DIRECTION)       \
  X(ANIMATION_DURATION)        \
  X(ANIMATION_FILL_MODE)       \
  X(ANIMATION_ITERATION_COUNT) \
  X(ANIMATION_NAME)            \
  X(ANIMATION_PLAY_STATE)      \
  X(ANIMATION_TIMING_FUNCTION)
#define WITHOUT_FIELDS(X) \
  X(FONT)                 \
  X(MARKER)               \
  X(MASK_CLIP)            \
  X(MASK_COMPOSITE)       \
  X(MASK_IMAGE)           \
  X(MASK_MODE)            \
  X(MASK_ORIGIN)          \
  X(MASK_POSITION)        \
  X(MASK_REPEAT)          \
  X(MASK_SIZE)

#define COUNT(...) +1
_Static_assert(0 WITH_FIELDS(COUNT) OF_ANIMATIONS(COUNT) WITHOUT_FIELDS(COUNT) == SJ_PROPERTY_COUNT,
               "each property of names.h is in one of these lists");

typedef struct property {
  uint16_t offset, size;
} property;

static const property properties[SJ_PROPERTY_COUNT] = {
#define FIELD(name, member) [SJ_PROPERTY_##name] = {offsetof(sj_style, member), sizeof(((sj_style *)0)->member)},
    WITH_FIELDS(FIELD)};

#define INITIAL_FONT_SIZE 16.0f  // as in browsers

static const sj_style initial_style = {
    .color = {0.0f, 0.0f, 0.0f, 1.0f},
    .fill = {.kind = SJ_PAINT_VALUE_COLOR, .color = {0.0f, 0.0f, 0.0f, 1.0f}},
    .stroke = {.kind = SJ_PAINT_VALUE_NONE},
    .fill_opacity = 1.0f,
    .stroke_opacity = 1.0f,
    .stroke_width = {.pixels = 1.0f},
    .miter_limit = 4.0f,
    .paint_order = {SJ_PAINT_FILL, SJ_PAINT_STROKE, SJ_PAINT_MARKERS},
    .font_size = INITIAL_FONT_SIZE,
    .opacity = 1.0f,
    .mask_type = STIJL_MASK_LUMINANCE,
    .stop_color_kind = SJ_COLOR_RGBA,
    .stop_color = {0.0f, 0.0f, 0.0f, 1.0f},
    .stop_opacity = 1.0f,
    .filter_interpolation = SJ_INTERPOLATION_LINEAR,
    .flood_color = {SJ_COLOR_RGBA, {0.0f, 0.0f, 0.0f, 1.0f}},
    .flood_opacity = 1.0f,
    .lighting_color = {SJ_COLOR_RGBA, {1.0f, 1.0f, 1.0f, 1.0f}},
    .font = SJ_FONT_INITIAL,
};

void sj_style_initial(sj_style *style) { *style = initial_style; }

// --- values ---

static const sj_keyword fill_rules[] = {{"nonzero", STIJL_FILL_NONZERO}, {"evenodd", STIJL_FILL_EVENODD}, {0}};
static const sj_keyword line_caps[] = {
    {"butt", STIJL_CAP_BUTT}, {"round", STIJL_CAP_ROUND}, {"square", STIJL_CAP_SQUARE}, {0}};
static const sj_keyword line_joins[] = {{"miter", SJ_LINE_JOIN_MITER}, {"miter-clip", SJ_LINE_JOIN_MITER_CLIP},
                                        {"round", SJ_LINE_JOIN_ROUND}, {"bevel", SJ_LINE_JOIN_BEVEL},
                                        {"arcs", SJ_LINE_JOIN_ARCS},   {0}};
static const sj_keyword visibilities[] = {
    {"visible", SJ_VISIBILITY_VISIBLE}, {"hidden", SJ_VISIBILITY_HIDDEN}, {"collapse", SJ_VISIBILITY_COLLAPSE}, {0}};
static const sj_keyword overflows[] = {{"visible", SJ_OVERFLOW_VISIBLE}, {"auto", SJ_OVERFLOW_VISIBLE},
                                       {"hidden", SJ_OVERFLOW_HIDDEN},   {"scroll", SJ_OVERFLOW_HIDDEN},
                                       {"clip", SJ_OVERFLOW_HIDDEN},     {0}};
static const sj_keyword image_renderings[] = {{"auto", SJ_IMAGE_SMOOTH},           {"smooth", SJ_IMAGE_SMOOTH},
                                              {"high-quality", SJ_IMAGE_SMOOTH},   {"optimizequality", SJ_IMAGE_SMOOTH},
                                              {"optimizespeed", SJ_IMAGE_NEAREST}, {"crisp-edges", SJ_IMAGE_NEAREST},
                                              {"pixelated", SJ_IMAGE_NEAREST},     {0}};
static const sj_keyword shape_renderings[] = {
    {"auto", 0}, {"geometricprecision", 0}, {"optimizespeed", 1}, {"crispedges", 1}, {0}};
// Browsers smooth text at any value; resvg and librsvg do not smooth text that is to be drawn fast.
static const sj_keyword text_renderings[] = {
    {"auto", 0}, {"geometricprecision", 0}, {"optimizelegibility", 0}, {"optimizespeed", 1}, {0}};
static const sj_keyword interpolations[] = {
    {"auto", SJ_INTERPOLATION_SRGB}, {"srgb", SJ_INTERPOLATION_SRGB}, {"linearrgb", SJ_INTERPOLATION_LINEAR}, {0}};
static const sj_keyword mask_types[] = {{"luminance", STIJL_MASK_LUMINANCE}, {"alpha", STIJL_MASK_ALPHA}, {0}};
static const sj_keyword isolations[] = {{"auto", 0}, {"isolate", 1}, {0}};
static const sj_keyword vector_effects[] = {{"none", 0}, {"non-scaling-stroke", 1}, {0}};
static const sj_keyword transform_boxes[] = {
    {"view-box", SJ_TRANSFORM_BOX_VIEW},     {"border-box", SJ_TRANSFORM_BOX_STROKE},
    {"stroke-box", SJ_TRANSFORM_BOX_STROKE}, {"content-box", SJ_TRANSFORM_BOX_FILL},
    {"fill-box", SJ_TRANSFORM_BOX_FILL},     {0}};
#define BLEND(name, lower, css, how) {css, STIJL_BLEND_##name},
static const sj_keyword blends[] = {SJ_BLENDS(BLEND){0}};
// The absolute sizes. In SVG medium is 12 pixels and each 1.2 times the one before, as CSS 2 had it and resvg, librsvg
// and Inkscape do; in HTML they are those of CSS Fonts 4, 2.5.
static const struct {
  const char *text;
  float svg, html;
} font_sizes[] = {{"xx-small", 12.0f / 1.728f, 9.0f}, {"x-small", 12.0f / 1.44f, 10.0f}, {"small", 10.0f, 13.0f},
                  {"medium", 12.0f, 16.0f},           {"large", 14.4f, 18.0f},           {"x-large", 17.28f, 24.0f},
                  {"xx-large", 20.736f, 32.0f},       {"xxx-large", 24.8832f, 48.0f}};

static bool parse_opacity(const char *text, size_t length, float *out) {
  float value;
  if (!sj_parse_number_or_percent(text, length, &value)) return false;
  *out = value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
  return true;
}

static bool parse_reference(const char *text, size_t length, sj_reference *out) {
  if (sj_is_keyword(text, length, "none")) {
    *out = (sj_reference){0};
    return true;
  }
  const char *url;
  size_t url_length;
  if (!sj_parse_url(text, length, &url, &url_length, NULL, NULL) || url_length > UINT32_MAX) return false;
  *out = (sj_reference){.url = url, .length = (uint32_t)url_length};
  return true;
}

static bool parse_value_text(const char *text, size_t length, sj_value_text *out) {
  if (sj_is_keyword(text, length, "none")) {
    *out = (sj_value_text){0};
  } else {
    *out = (sj_value_text){.text = text, .length = length};
  }
  return true;
}

// Parses a property of masks. Most masks are references, which need none of what the others do.
static bool parse_mask(sj_name name, const char *text, size_t length, const sj_style *parent, sj_style *out) {
  const char *url;
  size_t url_length;
  bool none = sj_is_keyword(text, length, "none");
  if (name != SJ_PROPERTY_MASK || (!none && !sj_parse_url(text, length, &url, &url_length, NULL, NULL)))
    return sj_mask_apply(name, text, length, parent ? &parent->mask : NULL, &out->mask);
  out->mask = (sj_mask_values){.all = {none ? NULL : text, length}};
  return true;
}

static bool parse_style_color(const char *text, size_t length, const sj_style *style, sj_style_color *out) {
  return sj_parse_color(text, length, &style->color, &out->kind, &out->color);
}

bool sj_parse_blend(const char *text, size_t length, int *out) { return sj_parse_keyword(blends, text, length, out); }

// Takes url() or functions (Filter Effects 1, 5), of which only the first one's name is looked at.
static bool parse_filter(const char *text, size_t length, sj_value_text *out) {
  static const char *const functions[] = {"url",        "blur",   "brightness", "contrast", "drop-shadow", "grayscale",
                                          "hue-rotate", "invert", "opacity",    "saturate", "sepia"};
  sj_trim(&text, &length);
  if (sj_is_keyword(text, length, "none")) return parse_value_text(text, length, out);
  const char *bracket = memchr(text, '(', length);
  for (size_t i = 0; bracket && i < sizeof functions / sizeof *functions; i++) {
    if (sj_is_keyword(text, (size_t)(bracket - text), functions[i])) return parse_value_text(text, length, out);
  }
  return false;
}

static bool parse_computed_length(const char *text, size_t length, const sj_length_base *base, bool negative,
                                  sj_computed_length *out) {
  sj_length value;
  if (!sj_parse_length(text, length, &value) || (!negative && value.value < 0.0f)) return false;
  *out = (sj_computed_length){.pixels = sj_length_pixels(value, base, 0.0f)};
  if (value.unit == SJ_UNIT_PERCENT) out->percent = value.value;
  // A computed length is a sum of pixels and a percentage. min() and max() of the two are not, and are taken as if
  // 100% were 100 pixels.
  if (value.unit == SJ_UNIT_CALC) out->percent = sj_length_pixels(value, base, 100.0f) - out->pixels;
  return true;
}

// Larger text would overflow where it is laid out. Browsers stop at 10,000 pixels, which documents exceed that scale it
// down.
#define MAX_FONT_SIZE 1e7f

bool sj_parse_font_size(const char *text, size_t length, const sj_length_base *base, bool html, float parent,
                        float *out) {
  for (size_t i = 0; i < sizeof font_sizes / sizeof *font_sizes; i++) {
    if (!sj_is_keyword(text, length, font_sizes[i].text)) continue;
    *out = html ? font_sizes[i].html : font_sizes[i].svg;
    return true;
  }
  if (sj_is_keyword(text, length, "smaller") || sj_is_keyword(text, length, "larger")) {
    *out = sj_is_keyword(text, length, "smaller") ? parent / 1.2f : fminf(MAX_FONT_SIZE, parent * 1.2f);
    return true;
  }
  sj_length value;
  if (!sj_parse_length(text, length, &value) || value.value < 0.0f) return false;
  sj_length_base of_parent = *base;
  of_parent.font_size = parent;
  *out = fmaxf(0.0f, fminf(MAX_FONT_SIZE, sj_length_pixels(value, &of_parent, parent)));
  return true;
}

// Parses normal | [fill || stroke || markers]. What is left out follows in the usual order.
static bool parse_paint_order(const char *text, size_t length, unsigned char *out) {
  static const char *const layers[3] = {"fill", "stroke", "markers"};
  unsigned char order[3];
  int count = 0;
  bool seen[3] = {false, false, false};
  if (!sj_is_keyword(text, length, "normal")) {
    const char *end = text + length;
    sj_trim(&text, &length);
    end = text + length;
    while (text < end) {
      const char *token = text;
      while (text < end && *text != ' ' && (*text < '\t' || *text > '\r')) text++;
      int layer = 0;
      while (layer < 3 && !sj_is_keyword(token, (size_t)(text - token), layers[layer])) layer++;
      if (layer == 3 || seen[layer]) return false;
      seen[layer] = true;
      order[count++] = (unsigned char)layer;
      while (text < end && (*text == ' ' || (*text >= '\t' && *text <= '\r'))) text++;
    }
    if (!count) return false;
  }
  for (int layer = 0; layer < 3; layer++) {
    if (!seen[layer]) order[count++] = (unsigned char)layer;
  }
  memcpy(out, order, 3);
  return true;
}

bool sj_property_apply_wide(sj_name name, const char *text, size_t length, const sj_style *parent, sj_style *out) {
  const property *p = &properties[name];
  bool inherit = sj_is_keyword(text, length, "inherit");
  if (sj_is_keyword(text, length, "unset") || sj_is_keyword(text, length, "revert")) {
    inherit = p->offset < SJ_INHERITED_BYTES;
  } else if (!inherit && !sj_is_keyword(text, length, "initial")) {
    return false;
  }
  const sj_style *from = inherit && parent ? parent : &initial_style;
  memcpy((char *)out + p->offset, (const char *)from + p->offset, p->size);
  if (name == SJ_PROPERTY_BACKGROUND || name == SJ_PROPERTY_BACKGROUND_COLOR) {
    out->background_kind = from->background_kind;
  }
  if (name == SJ_PROPERTY_TEXT_DECORATION_COLOR) {
    out->font.decoration.painted = from->font.decoration.painted;
    out->font.decoration.color_kind = from->font.decoration.color_kind;
  }
  if (name == SJ_PROPERTY_STOP_COLOR) out->stop_color_kind = from->stop_color_kind;
  if (name == SJ_PROPERTY_BASELINE_SHIFT) out->font.baseline_shift_size = from->font.baseline_shift_size;
  return true;
}

static bool is_length_list(stijl_budget *budget, const char *text, size_t length) {
  sj_list list = sj_list_begin(budget, text, length);
  sj_length unused;
  while (sj_list_next_length(&list, &unused)) {
  }
  return !list.failed;
}

bool sj_property_apply(stijl_budget *budget, const sj_declared *d, const sj_length_base *base, const sj_style *parent,
                       sj_style *out) {
  const char *text = d->value;
  size_t length = d->length;
  sj_name name = (sj_name)d->name;
  if (name == SJ_PROPERTY_MARKER) {
    sj_declared each = *d;
    bool good = true;
    for (int i = SJ_PROPERTY_MARKER_END; i <= SJ_PROPERTY_MARKER_START; i++) {
      each.name = (uint16_t)i;
      good &= sj_property_apply(budget, &each, base, parent, out);
    }
    return good;
  }
  if (properties[name].size && sj_property_apply_wide(name, text, length, parent, out)) return true;
  sj_length_list dashes;
  switch (name) {
    case SJ_PROPERTY_BACKGROUND:
    case SJ_PROPERTY_BACKGROUND_COLOR: {
      sj_color_kind kind = SJ_COLOR_RGBA;
      if (name == SJ_PROPERTY_BACKGROUND && sj_is_keyword(text, length, "none"))
        out->background = (stijl_color){0};
      else if (!sj_parse_color(text, length, &out->color, &kind, &out->background))
        return name == SJ_PROPERTY_BACKGROUND && memchr(text, '(', length);  // src/svg/html reads images
      out->background_kind = (int)kind;
      return true;
    }
    case SJ_PROPERTY_CLIP_PATH: return parse_value_text(text, length, &out->clip_path);
    case SJ_PROPERTY_CLIP_RULE: return sj_parse_keyword(fill_rules, text, length, &out->clip_rule);
    case SJ_PROPERTY_COLOR_INTERPOLATION:
      return sj_parse_keyword(interpolations, text, length, &out->color_interpolation);
    case SJ_PROPERTY_COLOR_INTERPOLATION_FILTERS:
      return sj_parse_keyword(interpolations, text, length, &out->filter_interpolation);
    case SJ_PROPERTY_DISPLAY: out->display_none = sj_is_keyword(text, length, "none"); return true;
    case SJ_PROPERTY_FILL: return sj_parse_paint(text, length, &out->color, &out->fill);
    case SJ_PROPERTY_FILL_OPACITY: return parse_opacity(text, length, &out->fill_opacity);
    case SJ_PROPERTY_FILL_RULE: return sj_parse_keyword(fill_rules, text, length, &out->fill_rule);
    case SJ_PROPERTY_FILTER: return parse_filter(text, length, &out->filter);
    case SJ_PROPERTY_FLOOD_COLOR: return parse_style_color(text, length, out, &out->flood_color);
    case SJ_PROPERTY_FLOOD_OPACITY: return parse_opacity(text, length, &out->flood_opacity);
    case SJ_PROPERTY_IMAGE_RENDERING: return sj_parse_keyword(image_renderings, text, length, &out->image_rendering);
    case SJ_PROPERTY_ISOLATION: return sj_parse_keyword(isolations, text, length, &out->isolate);
    case SJ_PROPERTY_LIGHTING_COLOR: return parse_style_color(text, length, out, &out->lighting_color);
    case SJ_PROPERTY_MARKER_END: return parse_reference(text, length, &out->marker_end);
    case SJ_PROPERTY_MARKER_MID: return parse_reference(text, length, &out->marker_mid);
    case SJ_PROPERTY_MARKER_START: return parse_reference(text, length, &out->marker_start);
    case SJ_PROPERTY_MASK:
    case SJ_PROPERTY_MASK_CLIP:
    case SJ_PROPERTY_MASK_COMPOSITE:
    case SJ_PROPERTY_MASK_IMAGE:
    case SJ_PROPERTY_MASK_MODE:
    case SJ_PROPERTY_MASK_ORIGIN:
    case SJ_PROPERTY_MASK_POSITION:
    case SJ_PROPERTY_MASK_REPEAT:
    case SJ_PROPERTY_MASK_SIZE: return parse_mask(name, text, length, parent, out);
    case SJ_PROPERTY_MASK_TYPE: return sj_parse_keyword(mask_types, text, length, &out->mask_type);
    case SJ_PROPERTY_MIX_BLEND_MODE: return sj_parse_keyword(blends, text, length, &out->blend);
    case SJ_PROPERTY_OFFSET_ANCHOR: return parse_value_text(text, length, &out->offset_anchor);
    case SJ_PROPERTY_OFFSET_DISTANCE: return parse_value_text(text, length, &out->offset_distance);
    case SJ_PROPERTY_OFFSET_PATH: return parse_value_text(text, length, &out->offset_path);
    case SJ_PROPERTY_OFFSET_ROTATE: return parse_value_text(text, length, &out->offset_rotate);
    case SJ_PROPERTY_OPACITY: return parse_opacity(text, length, &out->opacity);
    case SJ_PROPERTY_OVERFLOW: return sj_parse_keyword(overflows, text, length, &out->overflow);
    case SJ_PROPERTY_PAINT_ORDER: return parse_paint_order(text, length, out->paint_order);
    case SJ_PROPERTY_ROTATE: return parse_value_text(text, length, &out->rotate);
    case SJ_PROPERTY_SCALE: return parse_value_text(text, length, &out->scale);
    case SJ_PROPERTY_SHAPE_RENDERING: return sj_parse_keyword(shape_renderings, text, length, &out->shape_rendering);
    case SJ_PROPERTY_STOP_COLOR: {
      sj_color_kind kind;
      if (!sj_parse_color(text, length, &out->color, &kind, &out->stop_color)) return false;
      out->stop_color_kind = (int)kind;
      return true;
    }
    case SJ_PROPERTY_STOP_OPACITY: return parse_opacity(text, length, &out->stop_opacity);
    case SJ_PROPERTY_STROKE: return sj_parse_paint(text, length, &out->color, &out->stroke);
    case SJ_PROPERTY_STROKE_DASHARRAY:
      dashes = (sj_length_list){.text = text, .length = length, .font_size = base->font_size};
      if (sj_is_keyword(text, length, "none")) dashes.text = NULL;
      out->dashes = dashes;
      return !dashes.text || is_length_list(budget, text, length);
    case SJ_PROPERTY_STROKE_DASHOFFSET: return parse_computed_length(text, length, base, true, &out->dash_offset);
    case SJ_PROPERTY_STROKE_LINECAP: return sj_parse_keyword(line_caps, text, length, &out->line_cap);
    case SJ_PROPERTY_STROKE_LINEJOIN: return sj_parse_keyword(line_joins, text, length, &out->line_join);
    case SJ_PROPERTY_STROKE_MITERLIMIT: {
      float limit;
      if (!sj_parse_number(text, length, &limit) || limit < 0.0f) return false;
      out->miter_limit = limit;
      return true;
    }
    case SJ_PROPERTY_STROKE_OPACITY: return parse_opacity(text, length, &out->stroke_opacity);
    case SJ_PROPERTY_STROKE_WIDTH: return parse_computed_length(text, length, base, false, &out->stroke_width);
    case SJ_PROPERTY_TEXT_SHADOW: {
      bool none = sj_is_keyword(text, length, "none");
      if (!none && (!sj_budget_check(budget, length * SJ_WORK_BYTE) || !sj_text_shadows_are_valid(text, length, base)))
        return false;
      out->text_shadow = none ? (sj_length_list){0} : (sj_length_list){text, length, base->font_size};
      return true;
    }
    case SJ_PROPERTY_TEXT_RENDERING: return sj_parse_keyword(text_renderings, text, length, &out->text_rendering);
    // `none` is kept: it overrides the attribute.
    case SJ_PROPERTY_TRANSFORM: out->transform = (sj_value_text){.text = text, .length = length}; return true;
    case SJ_PROPERTY_TRANSFORM_BOX: return sj_parse_keyword(transform_boxes, text, length, &out->transform_box);
    case SJ_PROPERTY_TRANSFORM_ORIGIN: return parse_value_text(text, length, &out->origin);
    case SJ_PROPERTY_TRANSLATE: return parse_value_text(text, length, &out->translate);
    case SJ_PROPERTY_VECTOR_EFFECT: return sj_parse_keyword(vector_effects, text, length, &out->non_scaling_stroke);
    case SJ_PROPERTY_VISIBILITY: return sj_parse_keyword(visibilities, text, length, &out->visibility);
    case SJ_PROPERTY_FONT: {
      const char *size;
      size_t size_length;
      return sj_font_shorthand(text, length, base, parent ? &parent->font : NULL, &out->font, &size, &size_length);
    }
#define CASE(name) case SJ_PROPERTY_##name:
      OF_ANIMATIONS(CASE) return true;
    default: return sj_font_apply(name, text, length, base, parent ? &parent->font : NULL, &out->font);
  }
}

bool sj_property_is_valid(stijl_budget *budget, const sj_declared *d) {
  const sj_length_base base = {.font_size = 16.0f, .root_font_size = 16.0f, .dpi = 96.0f};
  sj_style style;
  sj_style_initial(&style);
  sj_color_kind kind;
  if (d->name == SJ_PROPERTY_COLOR) {
    if (sj_property_apply_wide(SJ_PROPERTY_COLOR, d->value, d->length, NULL, &style)) return true;
    return sj_parse_color(d->value, d->length, &style.color, &kind, &style.color);
  }
  if (d->name == SJ_PROPERTY_FONT_SIZE) {
    if (sj_property_apply_wide(SJ_PROPERTY_FONT_SIZE, d->value, d->length, NULL, &style)) return true;
    return sj_parse_font_size(d->value, d->length, &base, false, base.font_size, &style.font_size);
  }
  return d->name >= SJ_PROPERTY_COUNT || sj_property_apply(budget, d, &base, NULL, &style);
}
