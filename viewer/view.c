#include "view.h"

#include <math.h>

#define LEAST_SCALE 1e-3
#define MOST_SCALE 1e4

view view_fit(double width, double height, int window_width, int window_height) {
  double scale = fmin(window_width / fmax(width, 1e-6), window_height / fmax(height, 1e-6));
  scale = fmin(fmax(scale, LEAST_SCALE), MOST_SCALE);
  return (view){.scale = scale,
                .x = floor((window_width - width * scale) / 2),
                .y = floor((window_height - height * scale) / 2),
                .fits = true};
}

void view_zoom(view *v, double factor, double x, double y) {
  double scale = fmin(fmax(v->scale * factor, LEAST_SCALE), MOST_SCALE), by = scale / v->scale;
  *v = (view){.scale = scale, .x = x - (x - v->x) * by, .y = y - (y - v->y) * by};
}

void view_pan(view *v, double dx, double dy) {
  v->x += dx;
  v->y += dy;
  v->fits = false;
}
