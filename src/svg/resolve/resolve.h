// Turns the picture, and any element, into nodes of the render tree.
#ifndef SJ_SVG_RESOLVE_RESOLVE_H
#define SJ_SVG_RESOLVE_RESOLVE_H

#include "svg/resolve/job.h"

// Resolves the picture: the root and all below it. The size is that of the viewport, in CSS pixels.
void sj_resolve_root(sj_resolver *r, float width, float height);
// Begins a node. Its subtree is what is added until sj_node_end. Returns SJ_NONE on failure.
uint32_t sj_node_begin(sj_resolver *r, sj_tree_kind kind, const sj_resolve_frame *frame, uint32_t element);
void sj_node_end(sj_resolver *r, uint32_t node);
// Removes the node, which has to be the last subtree.
void sj_node_drop(sj_resolver *r, uint32_t node);
// Returns the node's object bounding box in its own user space, of all that is below it so far. Valid until the next
// node is added.
const sj_box *sj_node_box(sj_resolver *r, uint32_t node);
// Returns whether all that the nodes from `first` on draw surely lies within the rectangle, so that it need not clip
// them. `matrix` takes them to its space. Also returns false where finding out would take long.
bool sj_content_fits(sj_resolver *r, uint32_t first, const stijl_matrix *matrix, stijl_rect rect);

// Resolves an element and all below it. frame->style is the parent's.
void sj_resolve_element(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element);
void sj_resolve_children(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element);

// The viewport of a nested svg element, or of a symbol or svg that a use element shows.
typedef struct sj_viewport {
  float x, y, width, height;
} sj_viewport;

// Enters a viewport: the frame's size becomes that of its content, and *matrix takes the content to the space around.
// *clips tells whether to clip by *clip, a rectangle in the space around. Returns false if nothing can be drawn.
bool sj_enter_viewport(sj_resolver *r, sj_resolve_frame *frame, uint32_t element, const sj_viewport *viewport,
                       stijl_matrix *matrix, bool *clips, stijl_rect *clip);

#endif
