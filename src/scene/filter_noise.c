// Tables that the host makes for filters: the random numbers of feTurbulence (Filter Effects Module 1), the weights of
// small blurs, and the colour spaces.
#include <math.h>
#include <pthread.h>

#include "base/power.h"
#include "scene/filter_plan.h"

// Park and Miller's generator by Schrage's method.
#define RANDOM_M 2147483647
#define RANDOM_A 16807
#define RANDOM_Q 127773
#define RANDOM_R 2836

static int32_t next_random(int32_t seed) {
  int32_t result = RANDOM_A * (seed % RANDOM_Q) - RANDOM_R * (seed / RANDOM_Q);
  return result <= 0 ? result + RANDOM_M : result;
}

void sj_filter_noise_tables(int seed, k_filter_noise *out) {
  int64_t wide = seed;
  if (wide <= 0) wide = -(wide % (RANDOM_M - 1)) + 1;
  if (wide > RANDOM_M - 1) wide = RANDOM_M - 1;
  int32_t r = (int32_t)wide;
  for (int c = 0; c < 4; c++) {
    float *gx = out->gradients + 2 * c * K_NOISE_TABLE, *gy = gx + K_NOISE_TABLE;
    for (int i = 0; i < K_NOISE_SIZE; i++) {
      double v[2];
      for (int k = 0; k < 2; k++) {
        r = next_random(r);
        v[k] = (double)(r % (2 * K_NOISE_SIZE) - K_NOISE_SIZE) / K_NOISE_SIZE;
      }
      double length = sqrt(v[0] * v[0] + v[1] * v[1]);
      gx[i] = length > 0.0 ? (float)(v[0] / length) : 0.0f;
      gy[i] = length > 0.0 ? (float)(v[1] / length) : 0.0f;
    }
  }
  for (int i = 0; i < K_NOISE_SIZE; i++) out->lattice[i] = i;
  for (int i = K_NOISE_SIZE - 1; i > 0; i--) {
    r = next_random(r);
    int j = r % K_NOISE_SIZE, swapped = out->lattice[i];
    out->lattice[i] = out->lattice[j];
    out->lattice[j] = swapped;
  }
  // The gradients are found by way of the lattice.
  for (int i = K_NOISE_SIZE; i < K_NOISE_TABLE; i++) {
    out->lattice[i] = out->lattice[i - K_NOISE_SIZE];
    for (int c = 0; c < 8; c++)
      out->gradients[c * K_NOISE_TABLE + i] = out->gradients[c * K_NOISE_TABLE + i - K_NOISE_SIZE];
  }
}

k_filter_blur sj_filter_blur_of(float deviation) {
  k_filter_blur blur = {0};
  if (!(deviation > 0.0f)) {
    blur.weights[0] = 1 << K_FILTER_WEIGHT_SHIFT;
  } else if (deviation >= K_FILTER_BOXES_FROM) {
    blur.window = k_filter_window(deviation < K_FILTER_MAX_DEVIATION ? deviation : K_FILTER_MAX_DEVIATION);
    blur.reach = k_filter_reach(blur.window);
    double w = blur.window, last = blur.window & 1 ? w : w + 1.0;
    blur.scale = (float)(1.0 / (w * w * last));
  } else {
    double weights[K_FILTER_WEIGHTS], sum = 0.0, squared = 2.0 * (double)deviation * (double)deviation;
    for (int i = 0; i < K_FILTER_WEIGHTS; i++) {
      weights[i] = sj_exponential(-(double)(i * i) / squared);
      sum += i ? 2.0 * weights[i] : weights[i];
    }
    int left = 1 << K_FILTER_WEIGHT_SHIFT;
    for (int i = K_FILTER_WEIGHTS - 1; i > 0; i--) {
      blur.weights[i] = (int)(weights[i] / sum * (1 << K_FILTER_WEIGHT_SHIFT) + 0.5);
      left -= 2 * blur.weights[i];
      if (blur.weights[i] && !blur.reach) blur.reach = i;
    }
    blur.weights[0] = left;
  }
  return blur;
}

static sj_filter_spaces spaces;

static void make_spaces(void) {
  for (int i = 0; i < 256; i++) {
    double v = i / 255.0;
    double linear = v <= 0.04045 ? v / 12.92 : sj_power((v + 0.055) / 1.055, 2.4);
    double srgb = v <= 0.0031308 ? v * 12.92 : 1.055 * sj_power(v, 1.0 / 2.4) - 0.055;
    spaces.to_linear[i] = (uint8_t)(linear * 255.0 + 0.5);
    spaces.to_srgb[i] = (uint8_t)(srgb * 255.0 + 0.5);
  }
}

const sj_filter_spaces *sj_filter_spaces_get(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_spaces);
  return &spaces;
}
