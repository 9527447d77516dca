// Computes the properties of text and fonts: CSS Fonts 4, CSS Text 3, CSS Inline 3, CSS Writing Modes 4, SVG 2, 11.
#ifndef SJ_SVG_STYLE_FONT_H
#define SJ_SVG_STYLE_FONT_H

#include "svg/parse/names.h"
#include "svg/parse/values.h"
#include "svg/style/font_variant.h"
#include "svg/style/text_effects.h"

// A length whose relative units are resolved, except for percentages.
typedef struct sj_computed_length {
  float pixels;   // and
  float percent;  // of the reference of the property's percentages
} sj_computed_length;

typedef enum sj_font_slant { SJ_FONT_NORMAL, SJ_FONT_ITALIC, SJ_FONT_OBLIQUE } sj_font_slant;
typedef enum sj_writing_mode { SJ_WRITING_HORIZONTAL, SJ_WRITING_VERTICAL } sj_writing_mode;
typedef enum sj_white_space {
  SJ_WHITE_SPACE_AUTO,  // as xml:space says
  SJ_WHITE_SPACE_COLLAPSE,
  SJ_WHITE_SPACE_PRESERVE,
  SJ_WHITE_SPACE_PRE_LINE,
  SJ_WHITE_SPACE_NOWRAP  // collapses, and lines do not end
} sj_white_space;
typedef enum sj_unicode_bidi {
  SJ_BIDI_NORMAL,
  SJ_BIDI_EMBED,
  SJ_BIDI_ISOLATE,
  SJ_BIDI_OVERRIDE,
  SJ_BIDI_ISOLATE_OVERRIDE,
  SJ_BIDI_PLAINTEXT
} sj_unicode_bidi;

// What is not to be synthesised where a font lacks it; all are bool. Superscripts and subscripts never are.
typedef struct sj_no_synthesis {
  int weight, style, small_caps, position;
} sj_no_synthesis;

// font-size-adjust: the metric of the font that is to be `factor` font sizes.
typedef enum sj_size_metric {
  SJ_SIZE_NONE,
  SJ_SIZE_EX_HEIGHT,
  SJ_SIZE_CAP_HEIGHT,
  SJ_SIZE_CH_WIDTH,
  SJ_SIZE_IC_WIDTH,
  SJ_SIZE_IC_HEIGHT
} sj_size_metric;
typedef struct sj_size_adjust {
  int metric;    // sj_size_metric
  float factor;  // negative: the first font's own
} sj_size_adjust;

typedef enum sj_line_height_kind {
  SJ_LINE_HEIGHT_NORMAL,
  SJ_LINE_HEIGHT_FACTOR,
  SJ_LINE_HEIGHT_PIXELS
} sj_line_height_kind;
typedef struct sj_line_height {
  int kind;     // sj_line_height_kind
  float value;  // a multiple of the font size, or pixels
} sj_line_height;

typedef struct sj_font_values {
  // What is inherited comes first: see SJ_INHERITED_BYTES of style.h.
  sj_value_text family;
  float weight;   // 1..1000
  float stretch;  // percent
  int slant;      // sj_font_slant
  sj_font_variant variant;
  int no_kerning;  // bool
  int no_optical_sizing;
  sj_no_synthesis no_synthesis;
  sj_size_adjust size_adjust;
  sj_value_text features, variations;
  uint32_t language_system;                         // font-language-override: an OpenType tag; 0: by the language
  sj_value_text palette;                            // light, dark, or a name that begins with two dashes
  sj_computed_length letter_spacing, word_spacing;  // percentages are of the viewport's width
  sj_line_height line_height;
  int anchor;             // sj_text_anchor
  int align;              // sj_text_align
  int right_to_left;      // bool
  int writing_mode;       // sj_writing_mode
  int orientation;        // sj_text_orientation
  int white_space;        // sj_white_space
  int dominant_baseline;  // sj_baseline
  int transform;          // SJ_TRANSFORM_... bits
  sj_underline underline;
  sj_emphasis emphasis;
  sj_decoration above;  // of ancestors: the lines of all, as the nearest wants them
  // What is not inherited.
  int alignment_baseline;        // sj_baseline
  sj_value_text baseline_shift;  // NULL: none
  float baseline_shift_size;     // the font size that its em and percentages refer to
  sj_decoration decoration;
  int unicode_bidi;                // sj_unicode_bidi
  sj_computed_length inline_size;  // 0: lines are not broken
  int ellipsis;                    // bool, of text-overflow
  sj_value_text shape_inside, shape_subtract;
  float shape_margin, shape_padding;  // pixels
} sj_font_values;

#define SJ_FONT_INITIAL \
  { .weight = 400.0f, .stretch = 100.0f, .alignment_baseline = 9, .decoration = SJ_DECORATION_INITIAL }
// Sets one property, from a value that is none of the keywords which all properties take. An invalid value changes
// nothing and returns false.
bool sj_font_apply(sj_name name, const char *text, size_t length, const sj_length_base *base,
                   const sj_font_values *parent, sj_font_values *out);
// Sets what the shorthand `font` sets besides the size, whose text it returns. A relative line height refers to `base`.
// Returns false where the value is invalid, or names the style of the system's widgets.
bool sj_font_shorthand(const char *text, size_t length, const sj_length_base *base, const sj_font_values *parent,
                       sj_font_values *out, const char **size, size_t *size_length);

// Parses a font-language-override to an OpenType tag, 0 for normal.
bool sj_parse_language_system(const char *text, size_t length, uint32_t *out);
// Parses a font-palette; text NULL for normal.
bool sj_parse_font_palette(const char *text, size_t length, sj_value_text *out);
// Parses a font-weight, 1..1000, or a font-stretch, in percent. Relative ones refer to the parent (NULL: to the initial
// values).
bool sj_parse_font_weight(const char *text, size_t length, const sj_font_values *parent, float *out);
bool sj_parse_font_stretch(const char *text, size_t length, const sj_font_values *parent, float *out);
// Takes the first word off the text. Returns false when there is none.
bool sj_next_word(const char **text, size_t *length, const char **word, size_t *word_length);

#endif
