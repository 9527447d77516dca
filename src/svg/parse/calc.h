// calc() and its kin, for the value parsers.
#ifndef SJ_SVG_PARSE_CALC_H
#define SJ_SVG_PARSE_CALC_H

#include "svg/parse/scan.h"
#include "svg/parse/values.h"

typedef enum sj_calc_kind { SJ_CALC_NUMBER, SJ_CALC_PERCENT, SJ_CALC_LENGTH, SJ_CALC_ANGLE } sj_calc_kind;

typedef struct sj_calc_value {
  sj_calc_kind kind;
  double value;  // a number, per cent, pixels or degrees
} sj_calc_value;

// What the names of channels stand for in a relative colour (CSS Color 5, 4): three letters, and alpha.
typedef struct sj_calc_channels {
  const char *letters;
  double values[4];
} sj_calc_channels;

// Whether calc(, min(, max( or clamp( begins at the cursor.
bool sj_scan_is_calc(const sj_scan *s);
// One of them. `base` resolves lengths; NULL: only whether it is valid, and of what kind, is asked. `hundred_percent`
// is what 100% stands for beside lengths. Finite, within the range of float. False, and the cursor where it was, when
// there is none or it is malformed.
bool sj_scan_calc(sj_scan *s, const sj_length_base *base, double hundred_percent, sj_calc_value *out);

// The same within a colour; `channels` may be NULL.
bool sj_scan_calc_of_channels(sj_scan *s, const sj_calc_channels *channels, sj_calc_value *out);
// The channel of that name.
bool sj_calc_channel(const sj_calc_channels *channels, const char *name, size_t length, double *out);

#endif
