// Resolves masks of several layers, and of images.
#ifndef SJ_SVG_RESOLVE_MASK_LAYERS_H
#define SJ_SVG_RESOLVE_MASK_LAYERS_H

#include "svg/resolve/job.h"
#include "svg/style/css_image.h"

// Makes a mask of several layers, or of images, in tree->masks; SJ_NONE for none, or on failure.
uint32_t sj_resolve_mask_layers(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node,
                                const sj_mask_values *values);

// Resolves the image or gradient of a layer that is drawn, as backgrounds are, in an area: where its tiles are, and
// what is in the first. Returns false if it draws nothing.
bool sj_resolve_layer_image(sj_resolver *r, const sj_resolve_frame *frame, const sj_mask_layer *layer, stijl_rect area,
                            sj_tree_mask_layer *out);

// --- mask_gradient.c ---

// Makes a paint server of a gradient in a tile: white, with what counts of its colours as alpha, or in its own colours,
// where `kind` is NULL. Returns SJ_NONE if it draws nothing, or on failure.
uint32_t sj_resolve_css_gradient(sj_resolver *r, const sj_resolve_frame *frame, const sj_css_gradient *gradient,
                                 const stijl_mask *kind, stijl_rect tile);

#endif
