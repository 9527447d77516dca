// Interpolates and adds the transform lists of CSS (CSS Transforms 2, 11 to 13).
#ifndef SJ_SVG_STYLE_TRANSFORM_LIST_H
#define SJ_SVG_STYLE_TRANSFORM_LIST_H

#include "svg/style/interpolate.h"

// Appends the list at `t` of the way from a to b: functions of the same kind one by one, the rest as matrices. A list
// that is too short, or `none`, goes on with functions that do nothing.
sj_combined sj_interpolate_transforms(stijl_context *context, sj_span a, sj_span b, double t, sj_span_buffer *out);
// Appends the sum of two lists, function by function; of lists that are not alike, one behind the other.
sj_combined sj_accumulate_transforms(stijl_context *context, sj_span a, sj_span b, sj_span_buffer *out);

#endif
