// Formulas: MathML in a foreignObject, laid out and drawn as MathML Core says.
//
// Positions are computed with float operations whose results IEEE 754 defines, from font units and lengths, so that
// they are the same on every machine.
#ifndef SJ_SVG_MATH_MATH_H
#define SJ_SVG_MATH_MATH_H

#include "svg/resolve/job.h"

typedef struct sj_math sj_math;

// How large a formula is, in user units, from its origin at the left end of its baseline.
typedef struct sj_math_size {
  float width, ascent, descent;
} sj_math_size;

// Lays out the <math> element, whose style is given. NULL on failure.
sj_math *sj_math_make(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, const sj_style *style,
                      sj_math_size *size);
// Adds the nodes of a formula with its origin at x, y.
void sj_math_paint(sj_math *math, const sj_resolve_frame *frame, float x, float y);
// Frees a formula. NULL is allowed.
void sj_math_destroy(sj_math *math);

#endif
