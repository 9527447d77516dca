// The values of properties that decorate text: text-decoration and its longhands, text-shadow, text-transform (CSS Text
// Decoration 3, CSS Text 3).
#ifndef SJ_SVG_STYLE_TEXT_EFFECTS_H
#define SJ_SVG_STYLE_TEXT_EFFECTS_H

#include "svg/parse/names.h"
#include "svg/parse/scan.h"
#include "svg/parse/values.h"

#define SJ_DECORATION_UNDER 1
#define SJ_DECORATION_OVER 2
#define SJ_DECORATION_THROUGH 4

typedef enum sj_line_style {
  SJ_LINE_SOLID,
  SJ_LINE_DOUBLE,
  SJ_LINE_DOTTED,
  SJ_LINE_DASHED,
  SJ_LINE_WAVY
} sj_line_style;

typedef struct sj_decoration {
  int lines;  // SJ_DECORATION_... bits
  int style;  // sj_line_style
  // The colour of the lines; where `painted` is not set they have the fill and stroke of the element.
  int painted;     // bool
  int color_kind;  // sj_color_kind
  stijl_color color;
  float thickness;  // user units, or one of the below
} sj_decoration;

#define SJ_THICKNESS_AUTO -1.0f
#define SJ_THICKNESS_FROM_FONT -2.0f

typedef enum sj_skip_ink { SJ_SKIP_AUTO, SJ_SKIP_NONE, SJ_SKIP_ALL } sj_skip_ink;
typedef enum sj_underline_position {
  SJ_UNDERLINE_AUTO,
  SJ_UNDERLINE_FROM_FONT,
  SJ_UNDERLINE_UNDER
} sj_underline_position;

// How far from the position underlines are: both parts together.
typedef struct sj_underline_offset {
  float pixels, percent;  // percentages are of the font size
  bool given;             // else it is the font's
} sj_underline_offset;

typedef struct sj_underline {
  sj_underline_offset offset;
  uint8_t skip_ink;  // sj_skip_ink
  uint8_t position;  // sj_underline_position
} sj_underline;

// The colour of marks; where there is none they have the fill of the text.
typedef struct sj_emphasis_color {
  int given;  // bool
  int kind;   // sj_color_kind
  stijl_color value;
} sj_emphasis_color;

// A mark that is only filled or open is a circle, or a sesame in vertical text.
#define SJ_EMPHASIS_FILLED 1u
#define SJ_EMPHASIS_OPEN 2u

typedef struct sj_emphasis {
  uint32_t mark;  // a character, or one of the above; 0: none
  int under;      // bool; in vertical text: at the left
  sj_emphasis_color color;
} sj_emphasis;

#define SJ_DECORATION_INITIAL \
  { .thickness = SJ_THICKNESS_AUTO }

// Bits of text-transform. Of the first three one is set at most.
enum { SJ_TRANSFORM_UPPER = 1, SJ_TRANSFORM_LOWER = 2, SJ_TRANSFORM_CAPITALIZE = 4, SJ_TRANSFORM_FULL_WIDTH = 8 };

typedef struct sj_text_shadow {
  float x, y, deviation;  // user units
  stijl_color color;
} sj_text_shadow;

// A part of a value.
typedef struct sj_text_part {
  const char *text;
  size_t length;
} sj_text_part;

// Takes the next part off, which white space ends, or a comma; both may stand within brackets. False at the end, or at
// a comma.
bool sj_next_text_part(sj_scan *s, sj_text_part *out);

// Sets text-decoration or a longhand of it. False, and nothing is changed, where the value is not valid.
bool sj_decoration_apply(sj_name name, const char *text, size_t length, const sj_length_base *base, sj_decoration *out);
// Sets text-decoration-skip-ink, text-underline-offset or text-underline-position likewise.
bool sj_underline_apply(sj_name name, const char *text, size_t length, const sj_length_base *base, sj_underline *out);
// Sets text-emphasis, without its position, or a longhand of it likewise (text_emphasis.c).
bool sj_emphasis_apply(sj_name name, const char *text, size_t length, sj_emphasis *out);
// Takes the first shadow off a list that is not empty. `current` is the colour of one that has none. False where it is
// not valid.
bool sj_next_text_shadow(const char **text, size_t *length, const sj_length_base *base, const stijl_color *current,
                         sj_text_shadow *out);
bool sj_text_shadows_are_valid(const char *text, size_t length, const sj_length_base *base);
// Parses a text-transform to SJ_TRANSFORM_... bits.
bool sj_parse_text_transform(const char *text, size_t length, int *out);

#endif
