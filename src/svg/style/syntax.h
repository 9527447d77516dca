// The syntax of custom properties that @property registers (CSS Properties and Values 1, 5).
#ifndef SJ_SVG_STYLE_SYNTAX_H
#define SJ_SVG_STYLE_SYNTAX_H

#include "svg/style/interpolate.h"

// Takes what stands before the next separator outside of parentheses and strings, trimmed; 0 is white space. Returns
// false at the end.
bool sj_next_part(sj_span *left, char separator, sj_span *part);
// Returns whether it is "*" or consists of known types and words.
bool sj_syntax_is_valid(sj_span syntax);
// Returns whether a value without var() is one of the syntax.
bool sj_syntax_takes(sj_span syntax, sj_span value);

#endif
