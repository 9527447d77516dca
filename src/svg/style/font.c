#include "svg/style/font.h"

#include <string.h>

#include "css/tokens.h"
#include "geometry/number.h"
#include "svg/parse/scan.h"
#include "svg/style/keyword.h"

// The values are those of src/text; what reads them converts them by name.
static const sj_keyword anchors[] = {{"start", 0}, {"middle", 1}, {"end", 2}, {0}};
// HTML has some of its own, which are as their parts say.
static const sj_keyword aligns[] = {{"start", 1},
                                    {"end", 2},
                                    {"center", 3},
                                    {"left", 4},
                                    {"right", 5},
                                    {"justify", 6},
                                    {"justify-all", 6},
                                    {"match-parent", 1},
                                    {"justified", 6},
                                    {"-webkit-center", 3},
                                    {"-webkit-left", 4},
                                    {"-webkit-right", 5},
                                    {"-internal-center", 3},
                                    {0}};
static const sj_keyword overflows[] = {{"clip", 0}, {"ellipsis", 1}, {0}};
static const sj_keyword directions[] = {{"ltr", 0}, {"rtl", 1}, {0}};
static const sj_keyword slants[] = {
    {"normal", SJ_FONT_NORMAL}, {"italic", SJ_FONT_ITALIC}, {"oblique", SJ_FONT_OBLIQUE}, {0}};
// SVG 1.1's names, and those of CSS. sideways-rl and -lr are vertical with all glyphs on their side.
static const sj_keyword writing_modes[] = {{"lr-tb", SJ_WRITING_HORIZONTAL},
                                           {"lr", SJ_WRITING_HORIZONTAL},
                                           {"rl-tb", SJ_WRITING_HORIZONTAL},
                                           {"rl", SJ_WRITING_HORIZONTAL},
                                           {"horizontal-tb", SJ_WRITING_HORIZONTAL},
                                           {"tb-rl", SJ_WRITING_VERTICAL},
                                           {"tb", SJ_WRITING_VERTICAL},
                                           {"vertical-rl", SJ_WRITING_VERTICAL},
                                           {"vertical-lr", SJ_WRITING_VERTICAL},
                                           {0}};
static const sj_keyword orientations[] = {{"mixed", 0}, {"upright", 1}, {"sideways", 2}, {"sideways-right", 2}, {0}};
static const sj_keyword white_spaces[] = {{"normal", SJ_WHITE_SPACE_COLLAPSE},
                                          {"nowrap", SJ_WHITE_SPACE_NOWRAP},
                                          {"pre", SJ_WHITE_SPACE_PRESERVE},
                                          {"pre-wrap", SJ_WHITE_SPACE_PRESERVE},
                                          {"break-spaces", SJ_WHITE_SPACE_PRESERVE},
                                          {"pre-line", SJ_WHITE_SPACE_PRE_LINE},
                                          {0}};
static const sj_keyword baselines[] = {{"auto", 0},
                                       {"use-script", 0},
                                       {"no-change", 0},
                                       {"reset-size", 0},
                                       {"baseline", 9},
                                       {"alphabetic", 1},
                                       {"ideographic", 2},
                                       {"hanging", 3},
                                       {"mathematical", 4},
                                       {"central", 5},
                                       {"middle", 6},
                                       {"after-edge", 7},
                                       {"text-after-edge", 7},
                                       {"text-bottom", 7},
                                       {"before-edge", 8},
                                       {"text-before-edge", 8},
                                       {"text-top", 8},
                                       {0}};
static const sj_keyword kernings[] = {{"auto", 0}, {"normal", 0}, {"none", 1}, {0}};
static const sj_keyword style_syntheses[] = {{"auto", 0}, {"oblique-only", 0}, {"none", 1}, {0}};
static const sj_keyword sizings[] = {{"auto", 0}, {"none", 1}, {0}};
static const sj_keyword bidis[] = {{"normal", SJ_BIDI_NORMAL},
                                   {"embed", SJ_BIDI_EMBED},
                                   {"isolate", SJ_BIDI_ISOLATE},
                                   {"bidi-override", SJ_BIDI_OVERRIDE},
                                   {"isolate-override", SJ_BIDI_ISOLATE_OVERRIDE},
                                   {"plaintext", SJ_BIDI_PLAINTEXT},
                                   {0}};
// CSS Fonts 4, 2.3, in tenths of a percent.
static const sj_keyword stretches[] = {{"ultra-condensed", 500}, {"extra-condensed", 625},
                                       {"condensed", 750},       {"semi-condensed", 875},
                                       {"normal", 1000},         {"semi-expanded", 1125},
                                       {"expanded", 1250},       {"extra-expanded", 1500},
                                       {"ultra-expanded", 2000}, {0}};

// Returns the weight that is bolder than the parent's (CSS Fonts 4, 2.2.1: relative weights).
static float bolder(float parent) {
  return parent < 350.0f ? 400.0f : parent < 550.0f ? 700.0f : parent < 900.0f ? 900.0f : parent;
}
static float lighter(float parent) {
  return parent < 100.0f ? parent : parent < 550.0f ? 100.0f : parent < 750.0f ? 400.0f : 700.0f;
}

bool sj_parse_font_weight(const char *text, size_t length, const sj_font_values *parent, float *out) {
  float number;
  float above = parent ? parent->weight : 400.0f;
  if (sj_is_keyword(text, length, "normal"))
    *out = 400.0f;
  else if (sj_is_keyword(text, length, "bold"))
    *out = 700.0f;
  else if (sj_is_keyword(text, length, "bolder"))
    *out = bolder(above);
  else if (sj_is_keyword(text, length, "lighter"))
    *out = lighter(above);
  else if (sj_parse_number(text, length, &number) && number >= 1.0f && number <= 1000.0f)
    *out = number;
  else
    return false;
  return true;
}

bool sj_parse_font_stretch(const char *text, size_t length, const sj_font_values *parent, float *out) {
  static const float steps[] = {50.0f, 62.5f, 75.0f, 87.5f, 100.0f, 112.5f, 125.0f, 150.0f, 200.0f};
  int tenths;
  sj_length value;
  if (sj_parse_keyword(stretches, text, length, &tenths)) {
    *out = (float)tenths / 10.0f;
    return true;
  }
  // SVG 1.1 has relative ones.
  bool narrower = sj_is_keyword(text, length, "narrower"), wider = sj_is_keyword(text, length, "wider");
  if (narrower || wider) {
    float above = parent ? parent->stretch : 100.0f;
    int i = 0;
    while (i < 8 && steps[i] < above) i++;
    i += wider ? 1 : -1;
    *out = steps[i < 0 ? 0 : i > 8 ? 8 : i];
    return true;
  }
  if (!sj_parse_length(text, length, &value) || value.unit != SJ_UNIT_PERCENT || value.value < 0.0f) return false;
  *out = value.value;
  return true;
}

bool sj_next_word(const char **text, size_t *length, const char **word, size_t *word_length) {
  // The rest of the text is not trimmed: sj_trim would go through all of it for each word.
  sj_scan s = {*text, *text + *length};
  sj_scan_space(&s);
  *length = (size_t)(s.end - s.at);
  *text = s.at;
  if (!*length) return false;
  size_t count = 0;
  while (count < *length && !sj_is_space((*text)[count])) count++;
  *word = *text;
  *word_length = count;
  *text += count;
  *length -= count;
  return true;
}

static bool parse_slant(const char *text, size_t length, int *out) {
  const char *word;
  size_t word_length;
  if (!sj_next_word(&text, &length, &word, &word_length)) return false;
  float degrees;
  int slant;
  if (!sj_parse_keyword(slants, word, word_length, &slant)) return false;
  sj_trim(&text, &length);
  if (length && (slant != SJ_FONT_OBLIQUE || !sj_parse_angle(text, length, &degrees))) return false;
  *out = slant;
  return true;
}

static bool parse_spacing(const char *text, size_t length, const sj_length_base *base, sj_computed_length *out) {
  sj_length value;
  bool normal = sj_is_keyword(text, length, "normal");
  if (normal) *out = (sj_computed_length){0};
  if (!sj_parse_length(text, length, &value)) return normal;
  *out = (sj_computed_length){.pixels = sj_length_pixels(value, base, 0.0f)};
  if (value.unit == SJ_UNIT_PERCENT) out->percent = value.value;
  return true;
}

static bool parse_synthesis(const char *text, size_t length, sj_no_synthesis *out) {
  sj_no_synthesis no = {1, 1, 1, 1};
  const char *word;
  size_t word_length;
  bool none = sj_is_keyword(text, length, "none");
  while (!none && sj_next_word(&text, &length, &word, &word_length)) {
    int *part = sj_is_keyword(word, word_length, "weight")       ? &no.weight
                : sj_is_keyword(word, word_length, "style")      ? &no.style
                : sj_is_keyword(word, word_length, "small-caps") ? &no.small_caps
                : sj_is_keyword(word, word_length, "position")   ? &no.position
                                                                 : NULL;
    if (!part || !*part) return false;
    *part = 0;
  }
  *out = no;
  return true;
}

// Parses none | [ ex-height | cap-height | ch-width | ic-width | ic-height ]? [ from-font | <number> ] (CSS Fonts 5,
// 2.7).
static bool parse_size_adjust(const char *text, size_t length, sj_size_adjust *out) {
  static const sj_keyword metrics[] = {{"ex-height", SJ_SIZE_EX_HEIGHT}, {"cap-height", SJ_SIZE_CAP_HEIGHT},
                                       {"ch-width", SJ_SIZE_CH_WIDTH},   {"ic-width", SJ_SIZE_IC_WIDTH},
                                       {"ic-height", SJ_SIZE_IC_HEIGHT}, {0}};
  sj_size_adjust set = {.metric = SJ_SIZE_EX_HEIGHT};
  const char *word;
  size_t word_length;
  if (sj_is_keyword(text, length, "none")) {
    *out = (sj_size_adjust){0};
    return true;
  }
  if (!sj_next_word(&text, &length, &word, &word_length)) return false;
  if (sj_parse_keyword(metrics, word, word_length, &set.metric) && !sj_next_word(&text, &length, &word, &word_length))
    return false;
  if (sj_is_keyword(word, word_length, "from-font"))
    set.factor = -1.0f;
  else if (!sj_parse_number(word, word_length, &set.factor) || set.factor < 0.0f)
    return false;
  sj_trim(&text, &length);
  if (length) return false;
  *out = set;
  return true;
}

static sj_value_text value_text(const char *text, size_t length, const char *none) {
  return sj_is_keyword(text, length, none) ? (sj_value_text){0} : (sj_value_text){.text = text, .length = length};
}

// Parses normal | <number> | <length-percentage>, where percentages are of the font size.
static bool parse_line_height(const char *text, size_t length, const sj_length_base *base, sj_line_height *out) {
  sj_length value;
  float factor;
  if (sj_is_keyword(text, length, "normal")) {
    *out = (sj_line_height){0};
    return true;
  }
  if (sj_parse_number(text, length, &factor)) {
    if (factor >= 0.0f) *out = (sj_line_height){SJ_LINE_HEIGHT_FACTOR, factor};
    return factor >= 0.0f;
  }
  if (!sj_parse_length(text, length, &value)) return false;
  float pixels = sj_length_pixels(value, base, base->font_size);
  if (pixels >= 0.0f) *out = (sj_line_height){SJ_LINE_HEIGHT_PIXELS, pixels};
  return pixels >= 0.0f;
}

// Takes a list of basic shapes and url(), which is parsed where it is used.
static bool parse_shapes(const char *text, size_t length, const char *none, sj_value_text *out) {
  bool some = memchr(text, '(', length) != NULL;
  if (some || sj_is_keyword(text, length, none)) *out = value_text(text, length, none);
  return some || sj_is_keyword(text, length, none);
}

static bool parse_distance(const char *text, size_t length, const sj_length_base *base, float *out) {
  sj_length value;
  if (!sj_parse_length(text, length, &value)) return false;
  float pixels = sj_length_pixels(value, base, 0.0f);
  if (pixels >= 0.0f) *out = pixels;
  return pixels >= 0.0f;
}

static bool parse_inline_size(const char *text, size_t length, const sj_length_base *base, sj_computed_length *out) {
  sj_length value;
  bool automatic = sj_is_keyword(text, length, "auto");
  if (automatic) *out = (sj_computed_length){0};
  if (automatic || !sj_parse_length(text, length, &value) || value.value < 0.0f) return automatic;
  *out = (sj_computed_length){.pixels = sj_length_pixels(value, base, 0.0f)};
  if (value.unit == SJ_UNIT_PERCENT) out->percent = value.value;
  return true;
}

bool sj_parse_language_system(const char *text, size_t length, uint32_t *out) {
  if (sj_is_keyword(text, length, "normal")) {
    *out = 0;
    return true;
  }
  if (length < 3 || length > 6 || (*text != '"' && *text != '\'') || text[length - 1] != *text) return false;
  uint32_t tag = 0;
  for (size_t i = 1; i < 5; i++) {
    char c = i < length - 1 ? text[i] : ' ';
    if (c < ' ' || c > '~' || c == *text || c == '\\') return false;
    tag = tag << 8 | (unsigned char)c;
  }
  *out = tag;
  return true;
}

bool sj_parse_font_palette(const char *text, size_t length, sj_value_text *out) {
  bool background = sj_is_keyword(text, length, "light") || sj_is_keyword(text, length, "dark");
  sj_tokens tokens = sj_tokens_begin(text, 0, length, NULL);
  sj_token token = sj_tokens_next(&tokens);
  bool name = token.kind == SJ_TOKEN_IDENT && token.end == length && length > 2 && text[0] == '-' && text[1] == '-';
  if (!background && !name && !sj_is_keyword(text, length, "normal")) return false;
  *out = value_text(text, length, "normal");
  return true;
}

bool sj_font_apply(sj_name name, const char *text, size_t length, const sj_length_base *base,
                   const sj_font_values *parent, sj_font_values *out) {
  float percent = 0.0f;
  switch (name) {
    case SJ_PROPERTY_ALIGNMENT_BASELINE: return sj_parse_keyword(baselines, text, length, &out->alignment_baseline);
    case SJ_PROPERTY_BASELINE_SHIFT:
      out->baseline_shift = value_text(text, length, "baseline");
      out->baseline_shift_size = base->font_size;
      return true;
    case SJ_PROPERTY_DIRECTION: return sj_parse_keyword(directions, text, length, &out->right_to_left);
    case SJ_PROPERTY_DOMINANT_BASELINE: return sj_parse_keyword(baselines, text, length, &out->dominant_baseline);
    case SJ_PROPERTY_FONT_FAMILY: out->family = (sj_value_text){.text = text, .length = length}; return true;
    case SJ_PROPERTY_FONT_FEATURE_SETTINGS: out->features = value_text(text, length, "normal"); return true;
    case SJ_PROPERTY_FONT_KERNING: return sj_parse_keyword(kernings, text, length, &out->no_kerning);
    case SJ_PROPERTY_FONT_LANGUAGE_OVERRIDE: return sj_parse_language_system(text, length, &out->language_system);
    case SJ_PROPERTY_FONT_OPTICAL_SIZING: return sj_parse_keyword(sizings, text, length, &out->no_optical_sizing);
    case SJ_PROPERTY_FONT_PALETTE: return sj_parse_font_palette(text, length, &out->palette);
    case SJ_PROPERTY_FONT_STRETCH: return sj_parse_font_stretch(text, length, parent, &out->stretch);
    case SJ_PROPERTY_FONT_STYLE: return parse_slant(text, length, &out->slant);
    case SJ_PROPERTY_FONT_SYNTHESIS: return parse_synthesis(text, length, &out->no_synthesis);
    case SJ_PROPERTY_FONT_SIZE_ADJUST: return parse_size_adjust(text, length, &out->size_adjust);
    case SJ_PROPERTY_FONT_SYNTHESIS_POSITION:
      return sj_parse_keyword(sizings, text, length, &out->no_synthesis.position);
    case SJ_PROPERTY_FONT_SYNTHESIS_SMALL_CAPS:
      return sj_parse_keyword(sizings, text, length, &out->no_synthesis.small_caps);
    case SJ_PROPERTY_FONT_SYNTHESIS_STYLE:
      return sj_parse_keyword(style_syntheses, text, length, &out->no_synthesis.style);
    case SJ_PROPERTY_FONT_SYNTHESIS_WEIGHT: return sj_parse_keyword(sizings, text, length, &out->no_synthesis.weight);
    case SJ_PROPERTY_FONT_VARIANT:
    case SJ_PROPERTY_FONT_VARIANT_ALTERNATES:
    case SJ_PROPERTY_FONT_VARIANT_CAPS:
    case SJ_PROPERTY_FONT_VARIANT_EAST_ASIAN:
    case SJ_PROPERTY_FONT_VARIANT_EMOJI:
    case SJ_PROPERTY_FONT_VARIANT_LIGATURES:
    case SJ_PROPERTY_FONT_VARIANT_NUMERIC:
    case SJ_PROPERTY_FONT_VARIANT_POSITION: return sj_font_variant_apply(name, text, length, &out->variant);
    case SJ_PROPERTY_FONT_VARIATION_SETTINGS: out->variations = value_text(text, length, "normal"); return true;
    case SJ_PROPERTY_FONT_WEIGHT: return sj_parse_font_weight(text, length, parent, &out->weight);
    case SJ_PROPERTY_GLYPH_ORIENTATION_VERTICAL:
      // CSS Writing Modes 4, 5.1.1: 0 is upright, 90 sideways.
      if (sj_parse_angle(text, length, &percent))
        out->orientation = percent == 90.0f ? 2 : percent == 0.0f ? 1 : 0;
      else if (sj_is_keyword(text, length, "auto"))
        out->orientation = 0;
      else
        return false;
      return true;
    case SJ_PROPERTY_INLINE_SIZE: return parse_inline_size(text, length, base, &out->inline_size);
    case SJ_PROPERTY_LINE_HEIGHT: return parse_line_height(text, length, base, &out->line_height);
    case SJ_PROPERTY_LETTER_SPACING: return parse_spacing(text, length, base, &out->letter_spacing);
    case SJ_PROPERTY_SHAPE_INSIDE: return parse_shapes(text, length, "auto", &out->shape_inside);
    case SJ_PROPERTY_SHAPE_MARGIN: return parse_distance(text, length, base, &out->shape_margin);
    case SJ_PROPERTY_SHAPE_PADDING: return parse_distance(text, length, base, &out->shape_padding);
    case SJ_PROPERTY_SHAPE_SUBTRACT: return parse_shapes(text, length, "none", &out->shape_subtract);
    case SJ_PROPERTY_TEXT_ALIGN: return sj_parse_keyword(aligns, text, length, &out->align);
    case SJ_PROPERTY_TEXT_ANCHOR: return sj_parse_keyword(anchors, text, length, &out->anchor);
    case SJ_PROPERTY_TEXT_DECORATION:
    case SJ_PROPERTY_TEXT_DECORATION_COLOR:
    case SJ_PROPERTY_TEXT_DECORATION_LINE:
    case SJ_PROPERTY_TEXT_DECORATION_STYLE:
    case SJ_PROPERTY_TEXT_DECORATION_THICKNESS: return sj_decoration_apply(name, text, length, base, &out->decoration);
    case SJ_PROPERTY_TEXT_OVERFLOW: return sj_parse_keyword(overflows, text, length, &out->ellipsis);
    case SJ_PROPERTY_TEXT_EMPHASIS:
    case SJ_PROPERTY_TEXT_EMPHASIS_COLOR:
    case SJ_PROPERTY_TEXT_EMPHASIS_POSITION:
    case SJ_PROPERTY_TEXT_EMPHASIS_STYLE: return sj_emphasis_apply(name, text, length, &out->emphasis);
    case SJ_PROPERTY_TEXT_ORIENTATION: return sj_parse_keyword(orientations, text, length, &out->orientation);
    case SJ_PROPERTY_TEXT_DECORATION_SKIP_INK:
    case SJ_PROPERTY_TEXT_UNDERLINE_OFFSET:
    case SJ_PROPERTY_TEXT_UNDERLINE_POSITION: return sj_underline_apply(name, text, length, base, &out->underline);
    case SJ_PROPERTY_TEXT_TRANSFORM: return sj_parse_text_transform(text, length, &out->transform);
    case SJ_PROPERTY_UNICODE_BIDI: return sj_parse_keyword(bidis, text, length, &out->unicode_bidi);
    case SJ_PROPERTY_WHITE_SPACE: return sj_parse_keyword(white_spaces, text, length, &out->white_space);
    case SJ_PROPERTY_WORD_SPACING: return parse_spacing(text, length, base, &out->word_spacing);
    case SJ_PROPERTY_WRITING_MODE: return sj_parse_keyword(writing_modes, text, length, &out->writing_mode);
    default: return false;  // whatever nobody reads is not valid
  }
}

// Parses [ style || variant || weight || stretch ]? size [ / line-height ]? family (CSS Fonts 4, 2.7).
bool sj_font_shorthand(const char *text, size_t length, const sj_length_base *base, const sj_font_values *parent,
                       sj_font_values *out, const char **size, size_t *size_length) {
  static const sj_font_values initial = SJ_FONT_INITIAL;
  sj_font_values set = *out;
  set.slant = initial.slant;
  set.variant = initial.variant;
  set.line_height = initial.line_height;
  set.size_adjust = initial.size_adjust;
  set.weight = initial.weight;
  set.stretch = initial.stretch;
  set.no_kerning = set.no_optical_sizing = 0;
  set.features = set.variations = set.palette = (sj_value_text){0};
  set.language_system = 0;
  const char *word = text;
  size_t word_length = 0;
  while (sj_next_word(&text, &length, &word, &word_length)) {
    float weight, stretch;
    int slant;
    if (sj_is_keyword(word, word_length, "normal")) continue;
    if (sj_parse_keyword(slants, word, word_length, &slant))
      set.slant = slant;
    else if (sj_is_keyword(word, word_length, "small-caps"))
      sj_font_variant_apply(SJ_PROPERTY_FONT_VARIANT_CAPS, word, word_length, &set.variant);
    else if (sj_parse_font_weight(word, word_length, parent, &weight))
      set.weight = weight;
    else if (sj_parse_keyword(stretches, word, word_length, &slant) &&
             sj_parse_font_stretch(word, word_length, parent, &stretch))
      set.stretch = stretch;
    else
      break;
    word_length = 0;
  }
  if (!word_length) return false;
  const char *slash = memchr(word, '/', word_length);
  *size = word;
  *size_length = slash ? (size_t)(slash - word) : word_length;
  const char *line = slash ? slash + 1 : NULL;
  size_t line_length = slash ? (size_t)(word + word_length - line) : 0;
  sj_trim(&text, &length);
  // The line height may stand apart, as in "12px / 15px".
  if ((slash && !line_length) || (!slash && length && text[0] == '/')) {
    if (!slash) text++, length--;
    if (!sj_next_word(&text, &length, &line, &line_length)) return false;
    sj_trim(&text, &length);
  }
  if (line && !parse_line_height(line, line_length, base, &set.line_height)) return false;
  if (!length) return false;
  set.family = (sj_value_text){.text = text, .length = length};
  *out = set;
  return true;
}
