// The shorthand `offset` (Motion Path 1, 4.6). It is no sj_name, since that is an attribute of gradients' stops.
#ifndef SJ_SVG_STYLE_OFFSET_SHORTHAND_H
#define SJ_SVG_STYLE_OFFSET_SHORTHAND_H

#include "svg/parse/document.h"
#include "svg/style/interpolate.h"

#define SJ_OFFSET_PARTS 4

// Splits a declaration of `offset` into those that it stands for. Returns false for any other declaration, and for a
// value that is not understood.
bool sj_split_offset(sj_span name, sj_span value, bool important, sj_declared out[SJ_OFFSET_PARTS]);

#endif
