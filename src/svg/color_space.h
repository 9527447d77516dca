// Colour spaces of CSS Color 4, converted to sRGB.
//
// Sources of the constants: CSS Color Module Level 4, "Sample code for Color Conversions". No function of the C library
// whose last bits differ between machines is used.
#ifndef SJ_SVG_COLOR_SPACE_H
#define SJ_SVG_COLOR_SPACE_H

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

#endif
