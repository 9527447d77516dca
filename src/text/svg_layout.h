// SVG's text layout (SVG 2, 11.5): from characters with styles and positions to placed glyphs. It knows no document:
// the caller has resolved styles, white space and lists of positions.
//
// Positions are computed from font units with operations of float and double whose results IEEE 754 defines, so they
// are the same on every machine.
#ifndef SJ_TEXT_SVG_LAYOUT_H
#define SJ_TEXT_SVG_LAYOUT_H

#include "stijl/scene.h"
#include "text/shape.h"

// What the attributes with these names say for a character, in user units and degrees; NAN where they say nothing.
typedef struct sj_svg_position {
  float x, y, dx, dy, rotate;
} sj_svg_position;

typedef enum sj_text_anchor { SJ_ANCHOR_START, SJ_ANCHOR_MIDDLE, SJ_ANCHOR_END } sj_text_anchor;

// text-align, of text in areas.
typedef enum sj_text_align {
  SJ_ALIGNED_BY_ANCHOR,  // as the anchor says
  SJ_ALIGNED_START,
  SJ_ALIGNED_END,
  SJ_ALIGNED_CENTER,
  SJ_ALIGNED_LEFT,
  SJ_ALIGNED_RIGHT,
  SJ_ALIGNED_JUSTIFY
} sj_text_align;

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
  SJ_BASELINE_INITIAL  // of an alignment: the dominant baseline
} sj_baseline;

typedef enum sj_shift_kind { SJ_SHIFT_LENGTH, SJ_SHIFT_SUB, SJ_SHIFT_SUPER } sj_shift_kind;

// The baseline-shift of one of the elements that a character is in.
typedef struct sj_baseline_shift {
  sj_shift_kind kind;
  float length;  // user units, upwards
} sj_baseline_shift;

typedef enum sj_line { SJ_LINE_UNDER, SJ_LINE_OVER, SJ_LINE_THROUGH } sj_line;

// The metric that font-size-adjust makes the same in all fonts.
typedef enum sj_text_metric {
  SJ_METRIC_NONE,
  SJ_METRIC_EX_HEIGHT,
  SJ_METRIC_CAP_HEIGHT,
  SJ_METRIC_CH_WIDTH,  // the advance of "0"
  SJ_METRIC_IC_WIDTH,  // the advance of U+6C34
  SJ_METRIC_IC_HEIGHT
} sj_text_metric;

// Characters of one style.
typedef struct sj_svg_span {
  uint32_t end;  // one past its last character; spans follow each other
  sj_shape_style shape;
  float font_size;  // user units, >= 0
  sj_text_metric size_metric;
  float size_factor;  // how many font sizes the metric shall be; negative: as many as in the first font
  float letter_spacing, word_spacing;
  float line_height;  // user units; negative: normal
  uint32_t paint;     // spans that are painted alike have the same number; only their letters may be joined
  sj_text_anchor anchor;
  sj_text_align align;
  bool right_to_left;  // decides what the anchor's start and end are
  sj_baseline dominant, alignment;
  const sj_baseline_shift *shifts;  // of all elements that the span is in
  size_t shift_count;
  bool lines[3];  // for each sj_line: it is drawn
  // A character that stands, half as large, over (or under) each of the span; 0: none. Its glyphs are of another span.
  uint32_t mark, mark_span;
  bool mark_under;
  bool no_wrap;  // lines do not end within it, unless they have to
} sj_svg_span;

// An element with textLength, and its characters.
typedef struct sj_svg_length {
  uint32_t first, end;
  float length;
  bool glyphs;  // the glyphs are stretched, too (lengthAdjust)
} sj_svg_length;

// What `direction` and `unicode-bidi` do to an element's characters. The text has the control characters that open and
// close the embedding at the ends of the element. Each chunk that begins in between opens it anew, with `controls`.
typedef struct sj_svg_embedding {
  uint32_t first, end;
  uint32_t controls[2];  // 0: none
} sj_svg_embedding;

// Characters along a path.
typedef struct sj_svg_track {
  uint32_t first, end;
  const stijl_path *path;  // NULL: they are not drawn
  float start;             // where the text begins, as a length along the path
} sj_svg_track;

// What wrapped text is in, or what it keeps out of. Along its x axis are lines, and along y they follow each other: in
// vertical text these are y and -x of user space.
typedef struct sj_svg_area {
  const stijl_path *path;
  stijl_fill_rule rule;
  float distance;  // how far text stays away from its outline, >= 0
} sj_svg_area;

typedef struct sj_svg_text {
  const uint32_t *characters;
  const sj_svg_position *positions;
  uint32_t count;
  const sj_svg_span *spans;
  uint32_t span_count;
  const sj_svg_length *lengths;
  size_t length_count;
  const sj_svg_track *tracks;  // in the order of their characters, of which no two have the same
  size_t track_count;
  const sj_svg_embedding *embeddings;  // outer ones before inner ones
  size_t embedding_count;
  bool vertical;
  bool right_to_left;  // the direction of the whole text
  bool has_marks;      // of some span
  float inline_size;   // the width of lines, which begin at the first position; 0: the text is not broken into lines
  bool ellipsis;       // what is wider is cut off, and ends with an ellipsis
  const sj_svg_area *areas;  // if there are any: the text is broken into lines that fill these, one after the other
  size_t area_count;
  const sj_svg_area *excluded;  // what no line covers
  size_t excluded_count;
  const sj_svg_span *strut;  // the style that each line is at least as high as; NULL: none
} sj_svg_text;

typedef struct sj_placed_glyph {
  sj_face *face;
  uint32_t glyph, span, character;
  stijl_matrix matrix;  // from font units, where y points up, to user space
} sj_placed_glyph;

// The cell of a cluster, which counts for the object bounding box.
typedef struct sj_placed_cell {
  uint32_t span, character;
  stijl_rect rect;
  stijl_matrix matrix;  // from the space of `rect` to user space
} sj_placed_cell;

// A decoration line.
typedef struct sj_placed_line {
  uint32_t span;
  sj_line line;
  stijl_rect rect;
  float ascent, descent;  // of the font, from the baseline down, in the space of `rect`
  stijl_matrix matrix;    // from the space of `rect` to user space
} sj_placed_line;

typedef struct sj_svg_placed {
  stijl_context *context;
  SJ_ARRAY(sj_placed_glyph) glyphs;
  SJ_ARRAY(sj_placed_cell) cells;
  SJ_ARRAY(sj_placed_line) lines;
  uint32_t missing;  // the first character that no font has; 0: none
  bool no_fonts;     // there is no font at all
} sj_svg_placed;

// Places a text. `out` must be finished in any case. Returns false when memory is short, or the context's budget is
// spent.
bool sj_svg_layout(stijl_fonts *fonts, stijl_context *context, const sj_svg_text *text, sj_svg_placed *out);
// What is known of characters before they are placed; for each character:
typedef struct sj_svg_measures {
  float *advances;        // in one endless line; 0 for all but the first of a cluster
  uint8_t *levels;        // bidi.h
  const sj_face **faces;  // NULL: no glyph stands for it. The array may be NULL
} sj_svg_measures;
// Fails as sj_svg_layout does.
bool sj_svg_measure(stijl_fonts *fonts, stijl_context *context, const sj_svg_text *text, const sj_svg_measures *out);
void sj_svg_placed_finish(sj_svg_placed *placed);

#endif
