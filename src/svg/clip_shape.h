// The basic shapes of the clip-path property.
#ifndef SJ_SVG_CLIP_SHAPE_H
#define SJ_SVG_CLIP_SHAPE_H

#include "svg/convert.h"

// Adds the outline of circle(), ellipse(), inset(), polygon(), path() or a reference box to an empty path, in the
// user space of the element whose frame this is. False when the value is none of them.
bool sj_clip_shape_path(sj_convert *c, const sj_frame *frame, const sj_value_text *value, stijl_rect fill_box,
                        stijl_path *path, stijl_fill_rule *rule);

#endif
