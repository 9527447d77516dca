#include "geometry/trig.h"

#include <math.h>

// Computes Taylor's series up to x^17; that of the cosine below goes up to x^16. For |x| <= pi / 4 the first terms that
// are left out are below 3e-19.
static double sine_series(double x) {
  double z = x * x;
  double p = 1.0 / 355687428096000.0;
  p = p * z - 1.0 / 1307674368000.0;
  p = p * z + 1.0 / 6227020800.0;
  p = p * z - 1.0 / 39916800.0;
  p = p * z + 1.0 / 362880.0;
  p = p * z - 1.0 / 5040.0;
  p = p * z + 1.0 / 120.0;
  p = p * z - 1.0 / 6.0;
  return x + x * (z * p);
}

static double cosine_series(double x) {
  double z = x * x;
  double p = 1.0 / 20922789888000.0;
  p = p * z - 1.0 / 87178291200.0;
  p = p * z + 1.0 / 479001600.0;
  p = p * z - 1.0 / 3628800.0;
  p = p * z + 1.0 / 40320.0;
  p = p * z - 1.0 / 720.0;
  p = p * z + 1.0 / 24.0;
  return 1.0 + z * (z * p - 0.5);
}

void sj_sincos_degrees(double degrees, double *sine, double *cosine) {
  // IEEE 754 makes fmod and floor exact, and the products and differences here are exact, too.
  double turn = fmod(degrees, 360.0);
  double quarter = floor(turn / 90.0 + 0.5);
  double x = (turn - quarter * 90.0) * 0.017453292519943295;  // pi / 180
  double s = sine_series(x), c = cosine_series(x);
  // 0.0 - s instead of -s keeps zeros positive.
  switch ((int)quarter & 3) {
    case 0: *sine = s, *cosine = c; break;
    case 1: *sine = c, *cosine = 0.0 - s; break;
    case 2: *sine = 0.0 - s, *cosine = -c; break;
    default: *sine = -c, *cosine = s; break;
  }
}
