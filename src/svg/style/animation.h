// Reads the animation-* properties of an element, and computes how far each of its CSS animations is (Web Animations
// 1, 4.5 to 4.9).
#ifndef SJ_SVG_STYLE_ANIMATION_H
#define SJ_SVG_STYLE_ANIMATION_H

#include "svg/parse/document.h"
#include "svg/style/interpolate.h"
#include "svg/style/timeline.h"

// How many animations an element may have; further ones are ignored.
#define SJ_MAX_ANIMATIONS 32

typedef struct sj_animation {
  sj_span name, easing, composition;  // text NULL: not given
  double progress;                    // between the first and the last keyframe, 0..1
  bool before;                        // it stands before its first step
} sj_animation;

// Returns what reading the declarations takes, in steps of the budget.
uint64_t sj_animations_work(const sj_declared *declared, size_t count);
// Finds the animations that have an effect, SJ_MAX_ANIMATIONS at most, and returns their number.
int sj_animations_of(const sj_declared *declared, size_t count, sj_timeline *line, sj_animation *out);

#endif
