// The pen of a stroke, in the encoded scene.
#ifndef K_PEN_H
#define K_PEN_H

#include "platform.h"

#define K_CAP_BUTT 0
#define K_CAP_ROUND 1
#define K_CAP_SQUARE 2
#define K_JOIN_MITER 0
#define K_JOIN_ROUND 1
#define K_JOIN_BEVEL 2
#define K_JOIN_MITER_CLIP 3

// A pen is a circle in its own space, which two matrices connect with device space and with the path's.
K_STRUCT(k_pen) {
  float a, b, c, d;      // to device: x' = a x + c y, y' = b x + d y
  float ia, ib, ic, id;  // and back
  k_matrix from_path;    // path points to pen space
  float half_width;      // the circle's radius in pen space
  float miter_limit;     // the square of SVG's
  float radius;          // the largest radius in pixels, in the direction that the matrix stretches most
  float arc_density;     // chords per radian that keep the tolerance: sqrt(radius / (8 tolerance))
  uint cap, join;
};

#endif
