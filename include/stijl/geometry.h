// Points, rectangles and matrices: plain values, in the units of the space in which they are used.
#ifndef STIJL_GEOMETRY_H
#define STIJL_GEOMETRY_H

#include <stdbool.h>

#include "stijl/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// A point, or a vector.
typedef struct stijl_point {
  float x, y;
} stijl_point;

// A rectangle of the points with x0 <= x < x1 and y0 <= y < y1. It is empty if x0 >= x1 or y0 >= y1.
typedef struct stijl_rect {
  float x0, y0, x1, y1;
} stijl_rect;

// A rectangle of whole pixels, from (x0, y0) to before (x1, y1).
typedef struct stijl_irect {
  int x0, y0, x1, y1;
} stijl_irect;

// An affine transform, x' = a x + c y + e and y' = b x + d y + f. Its fields are in the order of SVG's matrix()
// function.
typedef struct stijl_matrix {
  float a, b, c, d, e, f;
} stijl_matrix;

#define STIJL_MATRIX_IDENTITY \
  { 1.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f }

// Returns the matrix that changes nothing.
STIJL_API stijl_matrix stijl_matrix_identity(void);
// Returns the matrix that moves by (x, y).
STIJL_API stijl_matrix stijl_matrix_translate(float x, float y);
// Returns the matrix that scales by x and y, around the origin.
STIJL_API stijl_matrix stijl_matrix_scale(float x, float y);
// Returns the matrix that rotates around the origin. A positive angle turns the x axis towards the y axis, which is
// clockwise where y points down. The matrix is not finite if the angle is not.
STIJL_API stijl_matrix stijl_matrix_rotate(float degrees);
// Returns the matrix that skews along x and y, as SVG's skewX and skewY do:
// x' = x + y tan(x_degrees), y' = y + x tan(y_degrees). It is not finite where an angle is not, or has no tangent.
STIJL_API stijl_matrix stijl_matrix_skew(float x_degrees, float y_degrees);
// Returns the matrix that applies `inner` first and then `outer`.
STIJL_API stijl_matrix stijl_matrix_multiply(stijl_matrix outer, stijl_matrix inner);
// Sets *out to the inverse. Returns false, and leaves *out as it is, if the matrix has no finite inverse.
STIJL_API bool stijl_matrix_invert(stijl_matrix m, stijl_matrix *out);
// Returns whether all six numbers are finite.
STIJL_API bool stijl_matrix_is_finite(stijl_matrix m);
// Returns the transformed point.
STIJL_API stijl_point stijl_matrix_apply(stijl_matrix m, stijl_point p);
// Returns the bounding box of the transformed rectangle.
STIJL_API stijl_rect stijl_matrix_apply_rect(stijl_matrix m, stijl_rect r);

#ifdef __cplusplus
}
#endif
#endif
