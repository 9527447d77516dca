#include "base/power.h"

#include <math.h>

#define LN2 0.6931471805599453

// Returns the natural logarithm of x > 0. frexp, ldexp and floor are exact, and the series use only + - * /.
static double logarithm(double x) {
  int exponent;
  double m = frexp(x, &exponent);
  if (m < 0.7071067811865476) {
    m *= 2.0;
    exponent--;
  }
  // ln m = 2 artanh z with z = (m - 1) / (m + 1), whose series needs 11 terms, since |z| < 0.172.
  double z = (m - 1.0) / (m + 1.0), z2 = z * z, sum = 0.0;
  for (int k = 21; k >= 1; k -= 2) sum = sum * z2 + 1.0 / (double)k;
  return 2.0 * z * sum + (double)exponent * LN2;
}

double sj_exponential(double x) {
  if (!(x > -700.0)) return 0.0;
  if (x > 700.0) x = 700.0;
  double n = floor(x / LN2 + 0.5), r = x - n * LN2, sum = 1.0;
  for (int k = 16; k >= 1; k--) sum = 1.0 + sum * r / (double)k;
  return ldexp(sum, (int)n);
}

double sj_power(double x, double y) {
  if (y == 0.0) return 1.0;
  return x > 0.0 ? sj_exponential(logarithm(x) * y) : 0.0;
}
