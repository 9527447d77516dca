// Makes paths of basic shapes.
#ifndef SJ_SVG_RESOLVE_CLIP_SHAPE_H
#define SJ_SVG_RESOLVE_CLIP_SHAPE_H

#include "svg/resolve/job.h"

// Adds the outline of circle(), ellipse(), inset(), polygon(), path() or a reference box to an empty path, in the user
// space of the element whose frame this is. Returns false when the value is none of them.
bool sj_clip_shape_path(sj_resolver *r, const sj_resolve_frame *frame, const sj_value_text *value, stijl_rect fill_box,
                        stijl_path *path, stijl_fill_rule *rule);
// Does the same for shape-inside, whose box is that of the viewport, and which knows neither inset() nor other boxes
// (SVG 2, 11.4.2).
bool sj_inside_shape_path(sj_resolver *r, const sj_resolve_frame *frame, const sj_value_text *value, stijl_path *path,
                          stijl_fill_rule *rule);
// Does the same for offset-path, whose boxes are empty and at the origin.
bool sj_offset_shape_path(sj_resolver *r, const sj_resolve_frame *frame, const sj_value_text *value, stijl_path *path);

#endif
