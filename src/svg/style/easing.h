// Easing functions (CSS Easing 2).
#ifndef SJ_SVG_STYLE_EASING_H
#define SJ_SVG_STYLE_EASING_H

#include "svg/style/interpolate.h"

// Returns whether the text is the name of an easing function, or a function.
bool sj_is_easing(sj_span span);
// Applies an easing function to 0..1. `before`: where x is at a step, the step is not taken yet. What is not understood
// is as `ease`.
double sj_ease(sj_span easing, double x, bool before);

#endif
