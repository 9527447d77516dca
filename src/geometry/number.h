// Reads decimal numbers, whatever the locale.
#ifndef SJ_GEOMETRY_NUMBER_H
#define SJ_GEOMETRY_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/ascii.h"

// Reads the number at the start of the text, in the syntax of SVG 2 and CSS, and returns how many bytes it takes; 0
// when there is none. White space is not skipped. The syntax is
//   [+-]? ([0-9]+ | [0-9]* "." [0-9]+) ([eE] [+-]? [0-9]+)?
// The result is at most a few units in the last place away from the true value, and the same on every machine. Numbers
// that are too large for a double become +-DBL_MAX, and those that are too small 0.
size_t sj_number_parse(const char *text, size_t length, double *out);

// Rounds to a finite float: values beyond the range become the largest float, and NaN becomes 0.
float sj_number_to_float(double value);

#endif
