// The light of sRGB's bytes (IEC 61966-2-1).
#ifndef K_SRGB_H
#define K_SRGB_H

#include "float.h"

// Returns the linear value of a byte of sRGB, 0..65535: exactly the nearest, for each of the 256
// (tests/kernel/composite.c). Above the curve's linear part it is a polynomial through Chebyshev's nodes. There is no
// table, because llvmpipe takes minutes to compile a shader that looks things up in a constant array of this size.
K_FN uint k_srgb_light(uint value) {
  if (value < 11u) {
    kfloat light = k_float(value) * 19.8916416f;
    light = light + 0.5f;
    return k_uint(light);
  }
  return k_uint(k_srgb_curve(k_float(value)));
}

#endif
