// Parsers for the values of SVG attributes and CSS properties.
//
// Text comes as pointer and length, need not end in NUL, and is never changed. Unless said otherwise a parser takes the
// whole text, white space and CSS comments around it allowed, returns false when it is not such a value (*out is then
// untouched), and matches keywords and units without regard to ASCII case. Numbers are always finite.
#ifndef SJ_SVG_PARSE_VALUES_H
#define SJ_SVG_PARSE_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/budget.h"
#include "stijl/geometry.h"
#include "stijl/scene.h"

// --- text ---

// Takes white space and comments away at both ends.
void sj_trim(const char **text, size_t *length);
// Takes only white space away at both ends.
void sj_trim_space(const char **text, size_t *length);
// Returns whether the text is `keyword` (NUL-terminated, lower case), in any case, with nothing around it.
bool sj_is_keyword(const char *text, size_t length, const char *keyword);
// Returns whether the text is one of the keywords that every property of CSS takes.
bool sj_is_wide_keyword(const char *text, size_t length);

// The text of a value that is parsed where it is used, since it depends on what is known only there.
typedef struct sj_value_text {
  const char *text;  // NULL: not set
  size_t length;
} sj_value_text;

// --- numbers and lengths ---

typedef enum sj_unit {
  SJ_UNIT_NONE,
  SJ_UNIT_PERCENT,
  SJ_UNIT_PX,
  SJ_UNIT_IN,
  SJ_UNIT_CM,
  SJ_UNIT_MM,
  SJ_UNIT_Q,
  SJ_UNIT_PT,
  SJ_UNIT_PC,
  SJ_UNIT_EM,
  SJ_UNIT_EX,
  SJ_UNIT_CH,
  SJ_UNIT_REM,
  SJ_UNIT_VW,
  SJ_UNIT_VH,
  SJ_UNIT_VMIN,
  SJ_UNIT_VMAX,
  SJ_UNIT_CALC  // a calculation, whose text is in `calc`
} sj_unit;

typedef struct sj_length {
  float value;  // as written, so 50 for 50%; 0 for CALC
  sj_unit unit;
  // CALC only: the valid text of calc(...) or a similar function. It points into the parsed text.
  const char *calc;
  size_t calc_length;
} sj_length;

// Finds what an ex or a ch is of an em: whoever has fonts knows how, and `style` says which font it is.
typedef struct sj_font_units {
  float (*find)(void *fonts, const void *style, sj_unit unit);  // NULL: both are half of it
  void *fonts;
  const void *style;
} sj_font_units;

// What relative units refer to.
typedef struct sj_length_base {
  float font_size;                        // em in pixels
  float root_font_size;                   // rem in pixels
  float dpi;                              // pixels per inch for in, cm, mm, Q, pt, pc; 96 is CSS
  float viewport_width, viewport_height;  // of vw, vh, vmin, vmax, in pixels
  bool *viewport_met;                     // set to true when one of these units is met; may be NULL
  sj_font_units font_units;
} sj_length_base;

bool sj_parse_number(const char *text, size_t length, float *out);
// Parses a number, or a percentage: "50%" is 0.5. It is not clamped.
bool sj_parse_number_or_percent(const char *text, size_t length, float *out);
// Finds the unit of that name; CALC has none.
bool sj_length_unit(const char *name, size_t length, sj_unit *out);
bool sj_parse_length(const char *text, size_t length, sj_length *out);
// Parses an angle in deg, grad, rad, turn, or a plain number of degrees.
bool sj_parse_angle(const char *text, size_t length, float *degrees);
// Returns a length in pixels; `hundred_percent` is what 100% stands for.
float sj_length_pixels(sj_length length, const sj_length_base *base, float hundred_percent);

// Lists separated by white space, a comma, or both:
//   sj_list list = sj_list_begin(budget, text, length);
//   while (sj_list_next_length(&list, &value)) ...
//   if (list.failed) the text is malformed from list.cursor on; what came before was good
// The budget, which may be NULL, is charged for what is read. Once it is spent lists fail.
typedef struct sj_list {
  const char *cursor, *end;
  const char *charged;  // what is before it is charged to the budget
  stijl_budget *budget;
  bool started, failed;
} sj_list;

sj_list sj_list_begin(stijl_budget *budget, const char *text, size_t length);
bool sj_list_next_length(sj_list *list, sj_length *out);
bool sj_list_next_number(sj_list *list, float *out);

// --- colours and paints (color.c) ---

typedef enum sj_color_kind { SJ_COLOR_RGBA, SJ_COLOR_CURRENT } sj_color_kind;

// Parses a colour of CSS Color 4, or color-mix(), light-dark() or a relative colour of CSS Color 5. `current` is what
// currentColor stands for within these; NULL: there it is invalid. Colours outside sRGB are clamped to it. Red, green
// and blue are rounded to multiples of 1/255, as in CSS's own serialisation. *out is set only for SJ_COLOR_RGBA.
bool sj_parse_color(const char *text, size_t length, const stijl_color *current, sj_color_kind *kind, stijl_color *out);

typedef enum sj_paint_value_kind {
  SJ_PAINT_VALUE_NONE,
  SJ_PAINT_VALUE_COLOR,
  SJ_PAINT_VALUE_CURRENT_COLOR,
  SJ_PAINT_VALUE_CONTEXT_FILL,
  SJ_PAINT_VALUE_CONTEXT_STROKE,
  SJ_PAINT_VALUE_URL
} sj_paint_value_kind;

// The layers of a shape that paint-order sorts.
typedef enum sj_paint_layer { SJ_PAINT_FILL, SJ_PAINT_STROKE, SJ_PAINT_MARKERS } sj_paint_layer;

typedef struct sj_paint_value {
  sj_paint_value_kind kind;
  stijl_color color;  // COLOR, or the fallback of URL
  // URL only: all that stands within url(), without quotes. It points into the parsed text.
  const char *url;
  size_t url_length;
  bool has_fallback;             // without a fallback a broken reference makes the value invalid or `none`
  uint16_t owner;                // whose the url is: 0 the element's document, else set and known by resolving
  sj_paint_value_kind fallback;  // any kind but URL
} sj_paint_value;

bool sj_parse_paint(const char *text, size_t length, const stijl_color *current, sj_paint_value *out);

// Parses "url(#a)", 'url( "#a" )', ...: *url points into the text. What follows the closing parenthesis goes to `rest`;
// if that is NULL nothing may follow.
bool sj_parse_url(const char *text, size_t length, const char **url, size_t *url_length, const char **rest,
                  size_t *rest_length);
// Finds the id that a reference to the same document ("#id") names, as in href or as sj_parse_url gives it. Returns
// false for other references.
bool sj_url_fragment(const char *url, size_t length, const char **id, size_t *id_length);

// --- transforms (transform.c) ---

// Parses the grammar of the attributes transform, gradientTransform and patternTransform. Empty text is the identity.
bool sj_parse_transform(const char *text, size_t length, stijl_matrix *out);
// Parses the grammar of the CSS property, which also takes what the attribute takes: units, `none`, translateX, ...; 2D
// functions only. `base` resolves relative lengths; percentages are of box_width and box_height.
bool sj_parse_css_transform(const char *text, size_t length, const sj_length_base *base, float box_width,
                            float box_height, stijl_matrix *out);
// Parses the property of this name (CSS Transforms 2, 5), except for `none`. What it does along z is dropped.
bool sj_parse_translate(const char *text, size_t length, const sj_length_base *base, float box_width, float box_height,
                        stijl_matrix *out);
bool sj_parse_rotate(const char *text, size_t length, stijl_matrix *out);
bool sj_parse_scale(const char *text, size_t length, stijl_matrix *out);
// Parses a transform-origin. Keywords become percentages; a third (z) component is checked and dropped.
bool sj_parse_transform_origin(const char *text, size_t length, sj_length *x, sj_length *y);

typedef struct sj_view_box {
  float x, y, width, height;  // width and height are not negative; where one is 0 nothing is drawn
} sj_view_box;

bool sj_parse_view_box(const char *text, size_t length, sj_view_box *out);

typedef enum sj_align { SJ_ALIGN_MIN, SJ_ALIGN_MID, SJ_ALIGN_MAX } sj_align;

typedef struct sj_aspect {
  bool none;  // the content is stretched to fit, and the rest has no meaning
  sj_align x, y;
  bool slice;  // the content covers the viewport, which clips it, instead of fitting inside
} sj_aspect;

#define SJ_ASPECT_DEFAULT \
  { .none = false, .x = SJ_ALIGN_MID, .y = SJ_ALIGN_MID, .slice = false }

// Parses preserveAspectRatio; `defer` is accepted and has no meaning.
bool sj_parse_aspect(const char *text, size_t length, sj_aspect *out);

// Returns the matrix from the view box's space to a viewport of width x height whose corner is the origin; the identity
// when the box has no area. `visible` (may be NULL) becomes the viewport in the view box's space: what to clip by where
// overflow is hidden, and on images always for slice.
stijl_matrix sj_view_box_matrix(const sj_view_box *box, const sj_aspect *aspect, float width, float height,
                                stijl_rect *visible);

#endif
