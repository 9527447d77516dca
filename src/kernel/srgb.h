// The light of sRGB's bytes (IEC 61966-2-1).
#ifndef K_SRGB_H
#define K_SRGB_H

#include "platform.h"

// The linear value of a byte of sRGB, 0..65535: exactly the nearest, for each of the 256 (tests/kernel/composite.c). Above
// the curve's linear part it is a polynomial through Chebyshev's nodes. There is no table, because llvmpipe takes
// minutes to compile a shader that looks things up in a constant array of this size.
K_FN uint k_srgb_light(uint value) {
  if (value < 11u) {
    kfloat light = k_float(value) * 19.8916416f;
    light = light + 0.5f;
    return k_uint(light);
  }
  kfloat u = k_float(value) * (1.0f / 128.0f);
  u = u - 1.0f;
  kfloat p = -7.46693134f * u;
  p = (p + 14.7166548f) * u;
  p = (p - 5.50092888f) * u;
  p = (p + 5.70999479f) * u;
  p = (p - 35.3196831f) * u;
  p = (p + 94.854927f) * u;
  p = (p - 313.963165f) * u;
  p = (p + 2318.98145f) * u;
  p = (p + 19304.0078f) * u;
  p = (p + 30598.7246f) * u;
  p = p + 14146.417f;
  p = p + 0.5f;
  return k_uint(p);
}

#endif
