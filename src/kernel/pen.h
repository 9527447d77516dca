// The pen of a stroke, as encoded.
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

// A pen is a circle in its own space.
K_STRUCT(k_pen) {
  float a, b, c, d;      // to device: x' = a x + c y, y' = b x + d y
  float ia, ib, ic, id;  // and back
  k_matrix from_path;    // path points to pen space
  float half_width;      // in pen space
  float miter_limit;     // squared
  float radius;          // half_width in pixels, in the direction the matrix stretches most
  float arc_density;     // chords per radian that keep the tolerance: sqrt(radius / (8 tolerance))
  uint cap, join;
};

#endif
