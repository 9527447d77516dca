// The filter functions of CSS by the primitives that Filter Effects Module 1 (chapter 8.2) gives them, and its colour
// matrices.
#include <string.h>

#include "geometry/trig.h"
#include "scene/filter.h"

// Weights of the luminance, as feColorMatrix has them.
static const float lum_r = 0.213f, lum_g = 0.715f, lum_b = 0.072f;

void stijl_color_matrix_saturate(float s, float out[20]) {
  const float m[20] = {lum_r + (1.0f - lum_r) * s,
                       lum_g - lum_g * s,
                       lum_b - lum_b * s,
                       0,
                       0,
                       lum_r - lum_r * s,
                       lum_g + (1.0f - lum_g) * s,
                       lum_b - lum_b * s,
                       0,
                       0,
                       lum_r - lum_r * s,
                       lum_g - lum_g * s,
                       lum_b + (1.0f - lum_b) * s,
                       0,
                       0,
                       0,
                       0,
                       0,
                       1.0f,
                       0};
  if (out) memcpy(out, m, sizeof m);
}

void stijl_color_matrix_hue_rotate(float degrees, float out[20]) {
  double sine = 0.0, cosine = 1.0;
  if (degrees - degrees == 0.0f) sj_sincos_degrees((double)degrees, &sine, &cosine);
  float s = (float)sine, c = (float)cosine;
  const float m[20] = {lum_r + c * (1.0f - lum_r) - s * lum_r,
                       lum_g - c * lum_g - s * lum_g,
                       lum_b - c * lum_b + s * (1.0f - lum_b),
                       0,
                       0,
                       lum_r - c * lum_r + s * 0.143f,
                       lum_g + c * (1.0f - lum_g) + s * 0.140f,
                       lum_b - c * lum_b - s * 0.283f,
                       0,
                       0,
                       lum_r - c * lum_r - s * (1.0f - lum_r),
                       lum_g - c * lum_g + s * lum_g,
                       lum_b + c * (1.0f - lum_b) + s * lum_b,
                       0,
                       0,
                       0,
                       0,
                       0,
                       1.0f,
                       0};
  if (out) memcpy(out, m, sizeof m);
}

void stijl_color_matrix_luminance_to_alpha(float out[20]) {
  if (!out) return;
  memset(out, 0, 15 * sizeof *out);
  const float row[5] = {0.2125f, 0.7154f, 0.0721f, 0, 0};
  memcpy(out + 15, row, sizeof row);
}

static int linear(stijl_filter *filter, int in, float color_slope, float color_add, float alpha_slope) {
  stijl_transfer functions[4];
  for (int i = 0; i < 4; i++)
    functions[i] = (stijl_transfer){
        .kind = STIJL_TRANSFER_LINEAR, .a = i < 3 ? color_slope : alpha_slope, .b = i < 3 ? color_add : 0.0f};
  return stijl_filter_transfer(filter, NULL, in, functions);
}

int stijl_filter_brightness(stijl_filter *filter, int in, float amount) { return linear(filter, in, amount, 0, 1); }
int stijl_filter_contrast(stijl_filter *filter, int in, float amount) {
  return linear(filter, in, amount, 0.5f - 0.5f * amount, 1);
}
int stijl_filter_invert(stijl_filter *filter, int in, float amount) {
  return linear(filter, in, 1.0f - 2.0f * amount, amount, 1);
}
int stijl_filter_opacity(stijl_filter *filter, int in, float amount) { return linear(filter, in, 1, 0, amount); }

int stijl_filter_saturate(stijl_filter *filter, int in, float amount) {
  float m[20];
  stijl_color_matrix_saturate(amount, m);
  return stijl_filter_color_matrix(filter, NULL, in, m);
}

int stijl_filter_hue_rotate(stijl_filter *filter, int in, float degrees) {
  float m[20];
  stijl_color_matrix_hue_rotate(degrees, m);
  return stijl_filter_color_matrix(filter, NULL, in, m);
}

// Adds a matrix between the identity (amount 0) and the full effect (amount 1).
static int towards(stijl_filter *filter, int in, float amount, const float full[9]) {
  float m[20] = {[18] = 1.0f};
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) {
      float same = row == column ? 1.0f : 0.0f, end = full[row * 3 + column];
      m[row * 5 + column] = end + (same - end) * (1.0f - amount);
    }
  return stijl_filter_color_matrix(filter, NULL, in, m);
}

int stijl_filter_grayscale(stijl_filter *filter, int in, float amount) {
  static const float gray[9] = {0.2126f, 0.7152f, 0.0722f, 0.2126f, 0.7152f, 0.0722f, 0.2126f, 0.7152f, 0.0722f};
  return towards(filter, in, amount, gray);
}

int stijl_filter_sepia(stijl_filter *filter, int in, float amount) {
  static const float brown[9] = {0.393f, 0.769f, 0.189f, 0.349f, 0.686f, 0.168f, 0.272f, 0.534f, 0.131f};
  return towards(filter, in, amount, brown);
}
