#include "geometry/number.h"

#include <float.h>
#include <stdint.h>

// The powers of ten that a double holds exactly.
static const double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Exponents beyond this give zero or the largest number, whatever the digits.
#define EXPONENT_LIMIT 400

// Returns value * 10^exponent, or DBL_MAX where that is larger.
static double scale(double value, int64_t exponent) {
  if (value == 0.0) return 0.0;
  while (exponent > 0) {
    int step = exponent > 22 ? 22 : (int)exponent;
    if (value > DBL_MAX / exact_powers[step]) return DBL_MAX;
    value *= exact_powers[step];
    exponent -= step;
  }
  while (exponent < 0 && value != 0.0) {
    int step = exponent < -22 ? 22 : (int)-exponent;
    value /= exact_powers[step];
    exponent += step;
  }
  return value;
}

size_t sj_number_parse(const char *text, size_t length, double *out) {
  size_t i = 0;
  bool negative = false;
  if (i < length && (text[i] == '+' || text[i] == '-')) negative = text[i++] == '-';

  // 19 digits always fit into the mantissa. Digits behind them are too small to matter, and only change the exponent.
  uint64_t mantissa = 0;
  int kept = 0;
  int64_t exponent = 0;
  size_t digits = i;
  for (; i < length && sj_is_digit(text[i]); i++) {
    if (kept < 19) {
      mantissa = mantissa * 10 + (uint64_t)(text[i] - '0');
      kept += mantissa != 0;
    } else {
      exponent++;
    }
  }
  digits = i - digits;
  if (i + 1 < length && text[i] == '.' && sj_is_digit(text[i + 1])) {
    for (i++; i < length && sj_is_digit(text[i]); i++) {
      digits++;
      if (kept < 19) {
        mantissa = mantissa * 10 + (uint64_t)(text[i] - '0');
        kept += mantissa != 0;
        exponent--;
      }
    }
  }
  if (digits == 0) return 0;

  if (i < length && (text[i] == 'e' || text[i] == 'E')) {
    size_t j = i + 1;
    bool minus = false;
    if (j < length && (text[j] == '+' || text[j] == '-')) minus = text[j++] == '-';
    if (j < length && sj_is_digit(text[j])) {
      // This stops growing where `exponent`, which is at most the text's length, can no longer make up for it.
      int64_t written = 0;
      for (; j < length && sj_is_digit(text[j]); j++) {
        if (written < INT64_MAX / 16) written = written * 10 + (text[j] - '0');
      }
      exponent += minus ? -written : written;
      i = j;
    }
  }
  if (exponent > EXPONENT_LIMIT) exponent = EXPONENT_LIMIT;
  if (exponent < -EXPONENT_LIMIT) exponent = -EXPONENT_LIMIT;
  double value = scale((double)mantissa, exponent);
  *out = negative ? -value : value;
  return i;
}

float sj_number_to_float(double value) {
  if (value >= (double)FLT_MAX) return FLT_MAX;
  if (value <= -(double)FLT_MAX) return -FLT_MAX;
  return value == value ? (float)value : 0.0f;
}
