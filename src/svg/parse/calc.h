// Scans calc(), min(), max() and clamp(), for the parsers of values.
#ifndef SJ_SVG_PARSE_CALC_H
#define SJ_SVG_PARSE_CALC_H

#include "svg/parse/scan.h"
#include "svg/parse/values.h"

typedef enum sj_calc_kind { SJ_CALC_NUMBER, SJ_CALC_PERCENT, SJ_CALC_LENGTH, SJ_CALC_ANGLE } sj_calc_kind;

typedef struct sj_calc_value {
  sj_calc_kind kind;
  double value;  // a plain number, per cent, pixels or degrees
} sj_calc_value;

// The values of the channels of an origin colour (CSS Color 5, 4), by their letters: three channels, and alpha.
typedef struct sj_calc_channels {
  const char *letters;
  double values[4];
} sj_calc_channels;

// Returns whether calc(, min(, max( or clamp( begins at the cursor.
bool sj_scan_is_calc(const sj_scan *s);
// Computes the function at the cursor, to a finite value within the range of float. `base` resolves lengths; NULL if
// only the kind and the validity matter. `hundred_percent` is what 100% stands for beside lengths. Returns false, with
// the cursor where it was, when there is none or it is malformed.
bool sj_scan_calc(sj_scan *s, const sj_length_base *base, double hundred_percent, sj_calc_value *out);

// Does the same within a colour; `channels` may be NULL.
bool sj_scan_calc_of_channels(sj_scan *s, const sj_calc_channels *channels, sj_calc_value *out);
// Finds the value of the channel of that name; false if there is none.
bool sj_calc_channel(const sj_calc_channels *channels, const char *name, size_t length, double *out);

#endif
