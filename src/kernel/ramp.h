// Ramps: the colours that gradients are looked up in.
#ifndef K_RAMP_H
#define K_RAMP_H

#include "composite.h"

// Entries of a ramp from `first` on, up to the next piece's, whose colours change evenly: what they are at the first,
// not premultiplied, each channel 0..255 and 0.5 to be rounded, and what each further entry adds.
K_STRUCT(k_ramp_piece) {
  uint first;
  float r, g, b, a;
  float dr, dg, db, da;
};

// Returns the premultiplied colour of the piece's entry first + n.
K_FN uint k_ramp_color(k_ramp_piece p, int n) {
  float entries = k_float(n);
  kfloat r = p.dr * entries, g = p.dg * entries, b = p.db * entries, a = p.da * entries;
  r = p.r + r;
  g = p.g + g;
  b = p.b + b;
  a = p.a + a;
  return k_scale(k_uint(k_int(r)) | k_uint(k_int(g)) << 8 | k_uint(k_int(b)) << 16 | 0xff000000u, k_uint(k_int(a)));
}

#endif
