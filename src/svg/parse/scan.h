// A cursor over a value's text, for the value parsers. None of its functions fails loudly: they leave the cursor where
// it was and say false.
#ifndef SJ_SVG_PARSE_SCAN_H
#define SJ_SVG_PARSE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct sj_length;

typedef struct sj_scan {
  const char *at, *end;
} sj_scan;

static inline bool sj_scan_done(const sj_scan *s) { return s->at == s->end; }

// White space and CSS comments; an unclosed comment reaches to the end. True when there was any.
bool sj_scan_space(sj_scan *s);
// White space, at most one comma, white space; *comma says whether the comma was there. True when there was any of
// them.
bool sj_scan_separator(sj_scan *s, bool *comma);
bool sj_scan_char(sj_scan *s, char c);
// A keyword or function name: letters, digits and hyphens, not starting with a digit. Its length, 0 when there is none.
size_t sj_scan_name(sj_scan *s, const char **name);
// Finite, within the range of float.
bool sj_scan_number(sj_scan *s, double *out);
// A number with the unit behind it: *unit points to the name's start, "%" counts as one, *unit_length 0: none.
bool sj_scan_dimension(sj_scan *s, double *out, const char **unit, size_t *unit_length);
// A length, calc() included, up to where it ends.
bool sj_scan_length(sj_scan *s, struct sj_length *out);
// A named colour, in any case, as 0xRRGGBB.
bool sj_color_by_name(const char *name, size_t length, unsigned *rgb);
// Converts an angle to degrees, which it is in where there is no unit. False, with nothing changed, for other units.
bool sj_angle_to_degrees(double value, const char *unit, size_t unit_length, double *degrees);

#endif
