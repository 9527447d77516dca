// All blend modes: the end of their constants' names (STIJL_BLEND_*, K_BLEND_*), that of their functions, their names
// in CSS, and how vectors compute them (cpu/simd_blend.h): as OVER or PLUS, in WORDS of 16 bits, or in FLOATS.
//
// Whoever adds a mode adds a line here, and the compiler or a test names what is missing: its number and formula
// (kernel/composite.h), its constant (stijl/scene.h), its formula in vectors (cpu/simd_blend.h), the formula once more,
// as the test's own (tests/kernel/float.c), and its name where JavaScript and Python have theirs
// (tests/unit/names.sh).
#ifndef SJ_BASE_BLENDS_H
#define SJ_BASE_BLENDS_H

#define SJ_BLENDS(X)                                 \
  X(NORMAL, normal, "normal", OVER)                  \
  X(MULTIPLY, multiply, "multiply", WORDS)           \
  X(SCREEN, screen, "screen", WORDS)                 \
  X(OVERLAY, overlay, "overlay", WORDS)              \
  X(DARKEN, darken, "darken", WORDS)                 \
  X(LIGHTEN, lighten, "lighten", WORDS)              \
  X(COLOR_DODGE, color_dodge, "color-dodge", FLOATS) \
  X(COLOR_BURN, color_burn, "color-burn", FLOATS)    \
  X(HARD_LIGHT, hard_light, "hard-light", WORDS)     \
  X(SOFT_LIGHT, soft_light, "soft-light", FLOATS)    \
  X(DIFFERENCE, difference, "difference", WORDS)     \
  X(EXCLUSION, exclusion, "exclusion", WORDS)        \
  X(HUE, hue, "hue", FLOATS)                         \
  X(SATURATION, saturation, "saturation", FLOATS)    \
  X(COLOR, color, "color", FLOATS)                   \
  X(LUMINOSITY, luminosity, "luminosity", FLOATS)    \
  X(PLUS_LIGHTER, plus_lighter, "plus-lighter", PLUS)

#endif
