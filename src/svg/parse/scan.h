// A cursor over a value's text, for the parsers of values. Where its functions return false they leave the cursor where
// it was, unless they say otherwise.
#ifndef SJ_SVG_PARSE_SCAN_H
#define SJ_SVG_PARSE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct sj_length;

typedef struct sj_scan {
  const char *at, *end;
} sj_scan;

static inline bool sj_scan_done(const sj_scan *s) { return s->at == s->end; }

// Skips white space and CSS comments; an unclosed comment reaches to the end. Returns whether there was any.
bool sj_scan_space(sj_scan *s);
// Skips white space, at most one comma, white space, and sets *comma to whether the comma was there. Returns whether
// there was any of them.
bool sj_scan_separator(sj_scan *s, bool *comma);
// Skips this character, if it is there.
bool sj_scan_char(sj_scan *s, char c);
// Skips white space, and scans a word: what stands up to the next white space that is not within brackets. Returns
// false at the end.
bool sj_scan_word(sj_scan *s, const char **word, size_t *length);
// Returns which of the one to four values of a property is that of a side (0 for the top, then clockwise).
static inline int sj_side_value(int count, int side) { return side < count ? side : side == 3 && count > 1 ? 1 : 0; }
// Scans a keyword or function name: letters, digits and hyphens, not starting with a digit. Returns its length, 0 when
// there is none.
size_t sj_scan_name(sj_scan *s, const char **name);
// Scans a number, which is clamped to the range of float.
bool sj_scan_number(sj_scan *s, double *out);
// Scans a number with its unit: *unit points to the unit's name, which may be "%" and whose length is 0 when there is
// none.
bool sj_scan_dimension(sj_scan *s, double *out, const char **unit, size_t *unit_length);
// Scans a length, also by calc(); text may follow.
bool sj_scan_length(sj_scan *s, struct sj_length *out);
// Finds a named colour, in any case, as 0xRRGGBB.
bool sj_color_by_name(const char *name, size_t length, unsigned *rgb);
// Converts an angle to degrees; without a unit it is in degrees already. Returns false, with nothing changed, for other
// units.
bool sj_angle_to_degrees(double value, const char *unit, size_t unit_length, double *degrees);

#endif
