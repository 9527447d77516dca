// SVG's text layout (SVG 2, 11.5): from characters with styles and positions to placed glyphs. It knows no document:
// the caller has resolved styles, white space and position lists.
//
// All positions are computed from font units by single operations of float and double, whose results the standard
// defines: they are the same on every machine.
#ifndef SJ_TEXT_SVG_LAYOUT_H
#define SJ_TEXT_SVG_LAYOUT_H

#include "text/shape.h"

// What the attributes of that name say for a character; NAN where they say nothing.
typedef struct sj_svg_position {
  float x, y, dx, dy, rotate;  // user units, degrees
} sj_svg_position;

typedef enum sj_text_anchor { SJ_ANCHOR_START, SJ_ANCHOR_MIDDLE, SJ_ANCHOR_END } sj_text_anchor;

typedef enum sj_baseline {
  SJ_BASELINE_AUTO,
  SJ_BASELINE_ALPHABETIC,
  SJ_BASELINE_IDEOGRAPHIC,
  SJ_BASELINE_HANGING,
  SJ_BASELINE_MATHEMATICAL,
  SJ_BASELINE_CENTRAL,
  SJ_BASELINE_MIDDLE,
  SJ_BASELINE_TEXT_AFTER_EDGE,
  SJ_BASELINE_TEXT_BEFORE_EDGE,
  SJ_BASELINE_INITIAL  // alignment only: as the dominant one
} sj_baseline;

typedef enum sj_shift_kind { SJ_SHIFT_LENGTH, SJ_SHIFT_SUB, SJ_SHIFT_SUPER } sj_shift_kind;

// baseline-shift of one of the elements around a character.
typedef struct sj_baseline_shift {
  sj_shift_kind kind;
  float length;  // user units, upwards
} sj_baseline_shift;

typedef enum sj_line { SJ_LINE_UNDER, SJ_LINE_OVER, SJ_LINE_THROUGH } sj_line;

// What font-size-adjust makes the same in all fonts.
typedef enum sj_text_metric {
  SJ_METRIC_NONE,
  SJ_METRIC_EX_HEIGHT,
  SJ_METRIC_CAP_HEIGHT,
  SJ_METRIC_CH_WIDTH,  // of "0"
  SJ_METRIC_IC_WIDTH,  // of U+6C34
  SJ_METRIC_IC_HEIGHT
} sj_text_metric;

// Characters of one style.
typedef struct sj_svg_span {
  uint32_t end;  // one past its last character; spans follow each other
  sj_shape_style shape;
  float font_size;  // user units, >= 0
  sj_text_metric size_metric;
  float size_factor;  // how many font sizes the metric is to be; negative: as many as in the first font
  float letter_spacing, word_spacing;
  float line_height;  // user units; negative: the font's own
  uint32_t paint;  // what is painted alike has the same; letters that are not are not joined
  sj_text_anchor anchor;
  bool right_to_left;  // what the anchor's start and end mean
  sj_baseline dominant, alignment;
  const sj_baseline_shift *shifts;
  size_t shift_count;
  bool lines[3];  // which sj_line are drawn
} sj_svg_span;

// textLength of an element with these characters.
typedef struct sj_svg_length {
  uint32_t first, end;
  float length;
  bool glyphs;  // stretched too
} sj_svg_length;

// What `direction` and `unicode-bidi` open around characters: explicit controls, which are characters of the text at its
// beginning and end, and are opened anew by each chunk that begins between.
typedef struct sj_svg_embedding {
  uint32_t first, end;
  uint32_t controls[2];  // 0: none
} sj_svg_embedding;

// Characters along a path.
typedef struct sj_svg_track {
  uint32_t first, end;
  const stijl_path *path;  // NULL: they are not drawn
  float start;             // where the text begins, in the path's own length
} sj_svg_track;

typedef struct sj_svg_text {
  const uint32_t *characters;
  const sj_svg_position *positions;
  uint32_t count;
  const sj_svg_span *spans;
  uint32_t span_count;
  const sj_svg_length *lengths;
  size_t length_count;
  const sj_svg_track *tracks;
  size_t track_count;
  const sj_svg_embedding *embeddings;  // outer ones first
  size_t embedding_count;
  bool vertical;
  bool right_to_left;  // the direction of the whole
  float inline_size;   // that lines are broken to fit into, from the first position on; 0: they are not
} sj_svg_text;

typedef struct sj_placed_glyph {
  sj_face *face;
  uint32_t glyph, span, character;
  stijl_matrix matrix;  // from font units, y up, to user space
} sj_placed_glyph;

// The cell of a cluster: what counts for the object bounding box.
typedef struct sj_placed_cell {
  uint32_t span, character;
  stijl_rect rect;
  stijl_matrix matrix;
} sj_placed_cell;

typedef struct sj_placed_line {
  uint32_t span;
  sj_line line;
  stijl_rect rect;
  stijl_matrix matrix;
} sj_placed_line;

typedef struct sj_svg_placed {
  stijl_context *context;
  SJ_ARRAY(sj_placed_glyph) glyphs;
  SJ_ARRAY(sj_placed_cell) cells;
  SJ_ARRAY(sj_placed_line) lines;
  uint32_t missing;  // the first character that no font has; 0: none
  bool no_fonts;
} sj_svg_placed;

// False when memory is short or the context's budget is spent.
bool sj_svg_layout(stijl_fonts *fonts, stijl_context *context, const sj_svg_text *text, sj_svg_placed *out);
void sj_svg_placed_finish(sj_svg_placed *placed);

#endif
