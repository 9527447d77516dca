// Gradients and positions as CSS writes them (CSS Images 3 and 4; CSS Backgrounds 3, 3.6).
#ifndef SJ_SVG_STYLE_CSS_IMAGE_H
#define SJ_SVG_STYLE_CSS_IMAGE_H

#include "svg/parse/scan.h"
#include "svg/parse/values.h"

// Takes the next part off, which white space, a comma or a slash ends; all may stand within brackets or quotes. A slash
// is a part. False at the end, or at a comma.
bool sj_css_next_part(sj_scan *s, sj_value_text *out);
// Takes all parts off up to the end or a comma. Returns how many there are, or most + 1 where there are more than
// `most`.
int sj_css_next_parts(sj_scan *s, sj_value_text *parts, int most);

// Where something lies along an axis of a box: 100% is the box's size without its own.
typedef struct sj_css_offset {
  sj_length length;
  bool from_end;
} sj_css_offset;

typedef struct sj_css_position {
  sj_css_offset x, y;
} sj_css_position;

// Returns where it is, from the start, when 100% is `space`.
static inline float sj_css_offset_pixels(const sj_length_base *base, sj_css_offset offset, float space) {
  float at = sj_length_pixels(offset.length, base, space);
  return offset.from_end ? space - at : at;
}

// Parses a position of one to four parts. Returns false, with *out unchanged, when it is none.
bool sj_parse_css_position(const sj_value_text *parts, int count, sj_css_position *out);

typedef enum sj_css_gradient_kind { SJ_CSS_LINEAR, SJ_CSS_RADIAL, SJ_CSS_CONIC } sj_css_gradient_kind;
typedef enum sj_css_image_extent {
  SJ_CSS_FARTHEST_CORNER,
  SJ_CSS_FARTHEST_SIDE,
  SJ_CSS_CLOSEST_CORNER,
  SJ_CSS_CLOSEST_SIDE,
  SJ_CSS_EXPLICIT
} sj_css_image_extent;

typedef struct sj_css_gradient {
  sj_css_gradient_kind kind;
  bool repeats;
  int to_x, to_y;              // LINEAR: towards this side or corner, each -1, 0 or 1; both 0: `angle` tells
  float angle;                 // degrees from the top, clockwise; CONIC: where it begins
  bool circle;                 // RADIAL
  sj_css_image_extent extent;  // RADIAL
  sj_length radii[2];          // RADIAL, EXPLICIT; a circle has one
  sj_css_position at;          // RADIAL, CONIC
  sj_scan stops;               // what sj_css_next_stop scans
} sj_css_gradient;

// Parses a gradient with all its stops. The text is the whole of it.
bool sj_parse_css_gradient(const char *text, size_t length, sj_css_gradient *out);

// A stop, or a hint between two.
typedef struct sj_css_stop {
  bool is_hint;
  sj_color_kind color_kind;
  stijl_color color;
  int count;        // of its positions
  sj_length at[2];  // percentages or lengths; of CONIC only percentages
} sj_css_stop;

// Scans the next stop. `current` is currentColor. Returns false at the end, and where it is not valid.
bool sj_css_next_stop(const sj_css_gradient *gradient, sj_scan *stops, const stijl_color *current, sj_css_stop *out);

#endif
