// What of a document is seen: a scale, and where its corner is in the window.
#ifndef VIEWER_VIEW_H
#define VIEWER_VIEW_H

#include <stdbool.h>

typedef struct view {
  double scale;  // window pixels a CSS pixel of the document
  double x, y;   // of the document's corner in the window, in pixels
  bool fits;     // it is as view_fit made it, and follows the window's size
} view;

// Returns a view of the whole document in the middle of a window, no larger than that. Its corner is on a whole pixel.
view view_fit(double width, double height, int window_width, int window_height);
// Multiplies the scale; what is at (x, y) in the window stays there.
void view_zoom(view *v, double factor, double x, double y);
void view_pan(view *v, double dx, double dy);

#endif
