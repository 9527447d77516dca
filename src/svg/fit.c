// How large a picture of a document becomes.

#include <math.h>

#include "stijl/svg.h"

// Returns the whole pixels that hold an exact size. Less than 1/256 of a pixel, which could not be seen, adds none: it
// is often the rounding of the size's digits.
static double whole_pixels(double exact) { return fmax(ceil(exact - 1.0 / 256), 1.0); }

stijl_svg_fitted stijl_svg_fit(double width, double height, double box_width, double box_height, double zoom) {
  // A document without area draws nothing, but its picture has a size.
  if (!(width > 0.0) || !(height > 0.0)) width = whole_pixels(width), height = whole_pixels(height);
  bool wide = box_width > 0.0, high = box_height > 0.0;
  // With both sides given the picture fits into that box: the side that meets it first is as given.
  bool by_width = wide && (!high || box_width * height <= box_height * width), by_height = high && !by_width;
  double w = by_width ? box_width : by_height ? box_height * width / height : width * zoom;
  double h = by_height ? box_height : by_width ? box_width * height / width : height * zoom;
  // A scene of no size at all would be an error.
  return (stijl_svg_fitted){(float)fmax(w, 1e-9), (float)fmax(h, 1e-9), whole_pixels(w), whole_pixels(h)};
}
