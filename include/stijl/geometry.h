// Points, rectangles, matrices. Plain values; units are those of the space they are used in.
#ifndef STIJL_GEOMETRY_H
#define STIJL_GEOMETRY_H

#include <stdbool.h>

#include "stijl/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stijl_point {
  float x, y;
} stijl_point;

// Half open: x0 <= x < x1. Empty when x0 >= x1 or y0 >= y1.
typedef struct stijl_rect {
  float x0, y0, x1, y1;
} stijl_rect;

// Whole pixels, half open.
typedef struct stijl_irect {
  int x0, y0, x1, y1;
} stijl_irect;

// x' = a x + c y + e,  y' = b x + d y + f: the order of SVG's matrix(a b c d e f).
typedef struct stijl_matrix {
  float a, b, c, d, e, f;
} stijl_matrix;

#define STIJL_MATRIX_IDENTITY \
  { 1.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f }

STIJL_API stijl_matrix stijl_matrix_identity(void);
STIJL_API stijl_matrix stijl_matrix_translate(float x, float y);
STIJL_API stijl_matrix stijl_matrix_scale(float x, float y);
STIJL_API stijl_matrix stijl_matrix_rotate(float degrees);  // positive turns x towards y
STIJL_API stijl_matrix stijl_matrix_skew(float x_degrees, float y_degrees);
// The matrix that applies `inner` first, then `outer`.
STIJL_API stijl_matrix stijl_matrix_multiply(stijl_matrix outer, stijl_matrix inner);
// False, with *out untouched, when the matrix has no finite inverse.
STIJL_API bool stijl_matrix_invert(stijl_matrix m, stijl_matrix *out);
STIJL_API bool stijl_matrix_is_finite(stijl_matrix m);
STIJL_API stijl_point stijl_matrix_apply(stijl_matrix m, stijl_point p);
// The bounding box of the transformed rectangle.
STIJL_API stijl_rect stijl_matrix_apply_rect(stijl_matrix m, stijl_rect r);

#ifdef __cplusplus
}
#endif
#endif
