// Gaussian blur along one axis. A deviation of 2 pixels and more becomes three box blurs in a row, as Filter Effects 1
// allows; below, the Gaussian's own weights are summed. Either is an exact sum of integers that is rounded once,
// so that neither the order of summing nor the part of an image that is wanted matters.
#ifndef K_FILTER_BLUR_H
#define K_FILTER_BLUR_H

#include "float.h"

#define K_FILTER_BOXES_FROM 2.0f  // pixels of deviation
#define K_FILTER_WEIGHTS 7        // the centre, and 6 on each side: three deviations
#define K_FILTER_WEIGHT_SHIFT 15  // weights sum to 2^15
// Sums of a window this large fit 31 bits: 255 d^2 (d + 1).
#define K_FILTER_WINDOW_32 202
// Larger deviations count as this one: their pictures would differ from an even colour by less than a level on the
// largest of targets.
#define K_FILTER_MAX_DEVIATION 8192.0f

// Returns how many pixels wide the boxes are. The three of them are `window` pixels wide where that is odd. Where it is
// even, two of them are, one of which is half a pixel to the left, the other to the right, and the third has one pixel
// more.
//
// The third running sum of the differences `d` below is the sum of the three boxes:
//   d(i) = x(i) - 3 x(i - w) + 3 x(i - 2 w) - x(i - 3 w)                                             odd
//   d(i) = x(i) - 2 x(i - w) + x(i - 2 w) - x(i - w - 1) + 2 x(i - 2 w - 1) - x(i - 3 w - 1)         even
// It belongs to the pixel at i - reach.
K_FN int k_filter_window(float deviation) {
  kfloat w = deviation * 1.87997120f;  // 3 sqrt(2 pi) / 4
  w = w + 0.5f;
  return k_floor(w);
}

// Returns how far the boxes reach to each side.
K_FN int k_filter_reach(int window) { return (window & 1) != 0 ? 3 * (window - 1) / 2 : (3 * window - 2) / 2; }

// One axis of a blur.
K_STRUCT(k_filter_blur) {
  int window;                     // of the boxes; 0: weights
  int reach;                      // to each side
  float scale;                    // of the boxes' sums
  int weights[K_FILTER_WEIGHTS];  // of the pixel and its neighbours, summing to 2^K_FILTER_WEIGHT_SHIFT with both sides
};

// Returns a sum of the boxes times the reciprocal of their product. A float in place of an exact quotient is off by
// less than 1e-4 levels; it grows with the sum, so that no colour exceeds its alpha.
K_FN uint k_filter_box_value(float sum, float scale) {
  kfloat v = sum * scale;
  v = v + 0.5f;
  return k_uint(v);
}

#endif
