// Measures lengths along lines and curves.
#ifndef SJ_GEOMETRY_ARC_LENGTH_H
#define SJ_GEOMETRY_ARC_LENGTH_H

#include "base/array.h"
#include "stijl/path.h"

// A curve is cut into pieces whose length can be integrated well. Most cuts are needed at a cusp, where each halving
// leaves a quarter of the error, so a curve is within its tolerance long before it has this many pieces.
#define SJ_ARC_LENGTH_PIECES 128

typedef struct sj_arc_length {
  double length;
  double tolerance;                        // 1e-4 of the length of the control polygon, at most 0.001
  double cx[3], cy[3];                     // the derivative: c[0] + c[1] t + c[2] t^2
  int count;                               // how many pieces there are; 0 for a line
  double t[SJ_ARC_LENGTH_PIECES + 1];      // the parameters where the pieces begin, and where the last one ends
  double start[SJ_ARC_LENGTH_PIECES + 1];  // the curve's length up to these parameters
} sj_arc_length;

// Measures a line (2 points), quadratic (3) or cubic (4) after the linear part of `measure`, which must be finite.
void sj_arc_length_init(sj_arc_length *arc, const stijl_point *points, int count, const stijl_matrix *measure);
// Returns the length of all subpaths, including the lines that close them.
double sj_path_length(const stijl_path *path);

// A segment of a path that has a length.
typedef struct sj_measured_piece {
  stijl_point points[4];
  int count;     // of points: 2 to 4
  double start;  // where it begins along the path
} sj_measured_piece;

// A path that is measured, to find points of it.
typedef struct sj_measured_path {
  SJ_ARRAY(sj_measured_piece) pieces;
  double length;      // as sj_path_length
  bool empty;         // there is no point
  stijl_point first;  // the first point
} sj_measured_path;

// Measures a path; what was measured before is forgotten. Returns false when memory is short.
bool sj_path_measure(stijl_context *context, const stijl_path *path, sj_measured_path *out);
// Finds the point at a distance along the path, measured from its start, and the direction there: a unit vector, or
// zero for a path without length. Distances beyond the ends give the ends. Returns false when the path is empty.
bool sj_measured_point_at(const sj_measured_path *path, double distance, stijl_point *at, stijl_point *direction);
void sj_measured_finish(stijl_context *context, sj_measured_path *path);

// Returns the parameter of the point at a distance `length` (0..arc->length) along the curve.
double sj_arc_length_parameter(const sj_arc_length *arc, double length);

#endif
