// Resolves shapes.
#ifndef SJ_SVG_RESOLVE_SHAPES_H
#define SJ_SVG_RESOLVE_SHAPES_H

#include "svg/resolve/job.h"

// Adds the outline of a shape in user units; `frame` is the element's own. Returns false if it is in error or not
// rendered.
bool sj_shape_path(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, stijl_path *path);
// Returns the geometry of a shape in the tree, which is made once if it depends on nothing else; SJ_NONE if it is not
// rendered.
uint32_t sj_shape_geometry(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element);
// Fills in a shape node with this geometry: paints and stroke. Returns false on failure.
bool sj_add_shape(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t node, uint32_t geometry);
// Adds a node of a path that is filled with a colour, and otherwise has the style; what is beyond the range of
// coordinates is not drawn.
void sj_fill_path(sj_resolver *r, const sj_resolve_frame *outer, uint32_t element, const sj_style *style,
                  const stijl_path *path, stijl_fill_rule rule, stijl_color color, float opacity);
// Fills in a shape node: outline, paints, stroke, markers. Returns false if it draws nothing and has no box.
bool sj_resolve_shape(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t node);
// Returns whether the element is drawn by one draw at most, so that its opacity needs no layer.
bool sj_shape_is_single_draw(const sj_resolver *r, const sj_resolve_frame *frame, uint32_t element);

#endif
