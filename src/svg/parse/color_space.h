// Converts colours between the spaces of CSS Color 4 and sRGB.
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

// Converts a colour to sRGB in place, without clamping. Components have to be finite.
void sj_color_to_srgb(sj_color_space space, double c[3]);
// Converts a colour from sRGB in place. Returns false for the spaces of cameras and print (a98, ProPhoto, Rec. 2020),
// which are only read.
bool sj_color_from_srgb(sj_color_space space, double c[3]);
// Returns which component is a hue in degrees; -1 for none.
int sj_color_hue(sj_color_space space);
// Returns whether a colour of the space is so grey that its hue means nothing.
bool sj_color_is_grey(sj_color_space space, const double c[3]);

#endif
