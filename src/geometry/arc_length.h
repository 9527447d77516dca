// Lengths along lines and curves.
#ifndef SJ_GEOMETRY_ARC_LENGTH_H
#define SJ_GEOMETRY_ARC_LENGTH_H

#include "stijl/path.h"

// Pieces that integrate well. Where halving is needed most, at a cusp, each step leaves a quarter of the error, so
// that a path is within its tolerance long before the table is full.
#define SJ_ARC_LENGTH_PIECES 128

typedef struct sj_arc_length {
  double length;
  double tolerance;
  double cx[3], cy[3];                     // the derivative: c[0] + c[1] t + c[2] t^2
  int count;                               // pieces; 0 for a line
  double t[SJ_ARC_LENGTH_PIECES + 1];      // where pieces begin, and the last ends
  double start[SJ_ARC_LENGTH_PIECES + 1];  // the length before that
} sj_arc_length;

// Measures a line (2 points), quadratic (3) or cubic (4) after the linear part of `measure`, which is finite.
void sj_arc_length_init(sj_arc_length *arc, const stijl_point *points, int count, const stijl_matrix *measure);
// The length of all subpaths, closing lines included.
double sj_path_length(const stijl_path *path);
// The point where `distance` of the path's length has been run through, and the direction there (a unit vector, or zero
// for a path without length). False for an empty path.
bool sj_path_point_at(const stijl_path *path, double distance, stijl_point *at, stijl_point *direction);
// The parameter where `length` (0..arc->length) has been run through.
double sj_arc_length_parameter(const sj_arc_length *arc, double length);

#endif
