// What the files share that lay out formulas: the elements of one as nodes, which are boxes with a baseline.
#ifndef SJ_SVG_MATH_FORMULA_H
#define SJ_SVG_MATH_FORMULA_H

#include "svg/math/math.h"
#include "svg/resolve/text_content.h"
#include "text/math_font.h"

typedef enum sj_math_kind {
  SJ_MATH_ROW,
  SJ_MATH_TOKEN,
  SJ_MATH_OPERATOR,
  SJ_MATH_SPACE,
  SJ_MATH_PADDED,
  SJ_MATH_FRACTION,
  SJ_MATH_ROOT,         // with an index, its second child
  SJ_MATH_SQUARE_ROOT,  // of all its children
  SJ_MATH_SCRIPTS,      // msub, msup, msubsup, mmultiscripts
  SJ_MATH_LIMITS,       // munder, mover, munderover
  SJ_MATH_TABLE,
  SJ_MATH_TABLE_ROW
} sj_math_kind;

typedef struct sj_math_style {
  sj_style svg;
  int depth;
  bool display, cramped;  // math-style: normal; math-shift: compact
  sj_face *face;          // the first font; NULL: there is none
  float scale;            // what its font units are multiplied by
  bool has_table;         // MATH
} sj_math_style;

// What an operator is (operators.c).
typedef struct sj_math_operator {
  uint32_t character;  // if it is a single one, else 0
  bool stretchy, symmetric, large, movable, vertical;
  float leading, trailing;  // spaces around it
} sj_math_operator;

// What an operator is to cover: across the text, or along it.
typedef struct sj_math_target {
  bool across, along;
  float ascent, descent, width;
} sj_math_target;

typedef struct sj_math_node {
  sj_math_kind kind;
  uint32_t element;
  const sj_math_style *style;
  uint32_t parent, first, last, next, count;  // SJ_NONE; how many children there are
  // Of scripts and limits: which children there are behind the base.
  bool has_under, has_over;
  bool is_group;    // of a row: it may be an embellished operator
  bool space_like;  // (MathML Core, 3.2.3)
  uint32_t core;    // the operator that it is, or embellishes; SJ_NONE
  sj_math_operator op;
  sj_text_content *text;  // of tokens and operators, placed at 0, 0; NULL: there is none
  sj_math_size text_size;
  // A glyph that is drawn in place of the text, or the sign of a root, and where its origin is.
  bool stretched;
  sj_stretched glyph;
  float glyph_x, glyph_y;
  // A rule from x to x + width, with its middle at y.
  struct {
    float x, y, width, thickness;
  } bar;
  float padding[4];  // top, right, bottom, left; what is in it is placed from within
  // Where its origin is from that of the node around, and its size, with the padding; y points down.
  float x, y, width, ascent, descent;
  float italic;
  bool is_laid_out;  // for `target`, so that nothing changes when it is asked for again
  sj_math_target target;
} sj_math_node;

struct sj_math {
  sj_resolver *r;
  stijl_context *context;
  stijl_fonts *fonts;
  sj_resolve_frame frame;
  uint32_t depth;
  SJ_ARRAY(sj_math_node) nodes;
  SJ_ARRAY(sj_math_style *) styles;
};

static inline sj_math_node *sj_math_at(const sj_math *m, uint32_t node) { return &m->nodes.data[node]; }

// Finds what an operator is, of these characters (operators.c).
void sj_math_find_operator(const sj_math *m, const sj_math_node *node, const uint32_t *characters, uint32_t count,
                           sj_math_operator *out);
// Returns the attribute's length in pixels, or `initial`; percentages are of `whole`.
float sj_math_length(const sj_math *m, const sj_math_node *node, const char *name, float whole, float initial);
// Returns the attribute, if it is true or false, or else `initial`.
bool sj_math_flag(const sj_math *m, uint32_t element, const char *name, bool initial);

// Makes the text of a token or an operator, and finds its size (token.c).
void sj_math_make_text(sj_math *m, uint32_t node);

// Returns a constant of the font in pixels, or `fallback` if it has no table.
float sj_math_constant(const sj_math_style *style, hb_ot_math_constant_t constant, float fallback);
// Returns the x-height, and how thick lines are in a font without a table.
float sj_math_x_height(const sj_math_style *style);
float sj_math_rule(const sj_math_style *style);
// Returns the height of the axis that fractions and operators stand on.
float sj_math_axis(const sj_math_style *style);

// Lays out a node. `target` may be NULL (layout.c).
void sj_math_layout(sj_math *m, uint32_t node, const sj_math_target *target);
// Returns whether the node is an operator that grows that way, or embellishes one.
bool sj_math_grows(const sj_math *m, uint32_t node, bool across);
// Lays out a node of such a kind (scripts.c, table.c).
void sj_math_layout_scripts(sj_math *m, uint32_t node);
void sj_math_layout_limits(sj_math *m, uint32_t node, const sj_math_target *target);
void sj_math_layout_table(sj_math *m, uint32_t node);

#endif
