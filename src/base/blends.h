// All blend modes: the end of their constants' names (STIJL_BLEND_*, K_BLEND_*), and their names in CSS. Whoever adds a
// mode adds its number and formula to kernel/composite.h, a constant to stijl/scene.h, a line here, and the formula
// once more, as the test's own, to tests/kernel/float.c.
#ifndef SJ_BASE_BLENDS_H
#define SJ_BASE_BLENDS_H

#define SJ_BLENDS(X)               \
  X(NORMAL, "normal")              \
  X(MULTIPLY, "multiply")          \
  X(SCREEN, "screen")              \
  X(OVERLAY, "overlay")            \
  X(DARKEN, "darken")              \
  X(LIGHTEN, "lighten")            \
  X(COLOR_DODGE, "color-dodge")    \
  X(COLOR_BURN, "color-burn")      \
  X(HARD_LIGHT, "hard-light")      \
  X(SOFT_LIGHT, "soft-light")      \
  X(DIFFERENCE, "difference")      \
  X(EXCLUSION, "exclusion")        \
  X(HUE, "hue")                    \
  X(SATURATION, "saturation")      \
  X(COLOR, "color")                \
  X(LUMINOSITY, "luminosity")      \
  X(PLUS_LIGHTER, "plus-lighter")

#endif
