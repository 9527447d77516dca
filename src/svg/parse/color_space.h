// Colour spaces of CSS Color 4, converted to sRGB.
//
// Sources of the constants: CSS Color Module Level 4, "Sample code for Color Conversions". No function of the C library
// whose last bits differ between machines is used.
#ifndef SJ_SVG_PARSE_COLOR_SPACE_H
#define SJ_SVG_PARSE_COLOR_SPACE_H

#include <stdbool.h>

typedef enum sj_color_space {
  SJ_SPACE_SRGB,
  SJ_SPACE_SRGB_LINEAR,
  SJ_SPACE_HSL,  // degrees, 0..1, 0..1
  SJ_SPACE_HWB,  // degrees, 0..1, 0..1
  SJ_SPACE_LAB,  // 0..100, ...
  SJ_SPACE_LCH,
  SJ_SPACE_OKLAB,  // 0..1, ...
  SJ_SPACE_OKLCH,
  SJ_SPACE_DISPLAY_P3,
  SJ_SPACE_A98_RGB,
  SJ_SPACE_PROPHOTO_RGB,
  SJ_SPACE_REC2020,
  SJ_SPACE_XYZ_D50,
  SJ_SPACE_XYZ_D65
} sj_color_space;

// In place, to sRGB; not clamped. Components are finite.
void sj_color_to_srgb(sj_color_space space, double c[3]);
// In place, from sRGB. False for spaces in which nothing can be mixed: those of cameras and print (a98, ProPhoto,
// Rec. 2020).
bool sj_color_from_srgb(sj_color_space space, double c[3]);
// Which component is a hue in degrees; -1: none.
int sj_color_hue(sj_color_space space);
// Whether a colour of the space is so grey that its hue means nothing.
bool sj_color_is_grey(sj_color_space space, const double c[3]);

#endif
