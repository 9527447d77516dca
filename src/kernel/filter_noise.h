// feTurbulence: the algorithm of the Filter Effects Module 1, in 32-bit floats. Its lattice and gradients come from
// tables that the host makes by the specification's random numbers.
#ifndef K_FILTER_NOISE_H
#define K_FILTER_NOISE_H

#include "filter.h"

#define K_NOISE_SIZE 256
#define K_NOISE_TABLE (K_NOISE_SIZE + K_NOISE_SIZE + 2)
// Octave n adds 2^-n at most, so that all beyond these add less than a sixteenth of a level.
#define K_NOISE_OCTAVES 12

K_STRUCT(k_noise_params) {
  k_matrix to_noise;  // from a pixel's corner to user space times the base frequency
  int octaves;
  uint fractal;                       // 1: fractalNoise, 0: turbulence
  uint stitched;                      // 1: the lattice repeats as follows
  int wrap_x, wrap_y, width, height;  // of the first octave, without the specification's 4096
};
K_STRUCT(k_filter_noise) {
  k_noise_params params;
  int lattice[K_NOISE_TABLE];
  float gradients[8 * K_NOISE_TABLE];  // x, then y, of each channel
};

// Returns a coordinate of the first octave, cut where floats have few fractions left; beyond, noise is even.
K_FN float k_noise_limit(float v) { return k_max(k_min(v, 524288.0f), -524288.0f); }

// A lattice coordinate: the cell, and the place within it.
K_STRUCT(k_noise_axis) {
  int cell0, cell1;
  float f0, s;  // the place, 0..1, and the weight of the further cell
};

// Returns where a coordinate lies in the lattice. `wrap` is from which cell on the lattice repeats, every `size` cells,
// and the largest int where it does not.
K_FN k_noise_axis k_noise_at(float v, int wrap, int size) {
  k_noise_axis a;
  int cell = k_floor(v);
  kfloat f = v - k_float(cell);
  a.cell0 = (cell - (size & -k_int(cell >= wrap))) & 255;
  a.cell1 = (cell + 1 - (size & -k_int(cell + 1 >= wrap))) & 255;
  kfloat s = 2.0f * f;
  s = 3.0f - s;
  s = s * f;
  s = s * f;
  a.f0 = f;
  a.s = s;
  return a;
}

K_FN float k_noise_lerp(float t, float a, float b) {
  kfloat r = b - a;
  r = r * t;
  r = r + a;
  return r;
}

// Returns the gradients (x, y) of the cell's corners, each dotted with the place, and mixed.
K_FN float k_noise_mix(k_noise_axis x, k_noise_axis y, k_vec g00, k_vec g10, k_vec g01, k_vec g11) {
  kfloat rx1 = x.f0 - 1.0f, ry1 = y.f0 - 1.0f;
  kfloat u = x.f0 * g00.x + y.f0 * g00.y, v = rx1 * g10.x + y.f0 * g10.y;
  float a = k_noise_lerp(x.s, u, v);
  u = x.f0 * g01.x + ry1 * g01.y;
  v = rx1 * g11.x + ry1 * g11.y;
  float b = k_noise_lerp(x.s, u, v);
  return k_noise_lerp(y.s, a, b);
}

#endif
