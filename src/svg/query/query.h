// What a render tree tells: where its nodes are, how large, and what is at a point.
#ifndef SJ_SVG_QUERY_QUERY_H
#define SJ_SVG_QUERY_QUERY_H

#include "svg/resolve/tree.h"

// What is computed of all nodes of the picture, when it is first asked for.
typedef struct sj_tree_index {
  stijl_context *context;
  uint32_t *parents;        // SJ_NONE: of the root
  stijl_matrix *to_canvas;  // from user space to CSS pixels of the document
  sj_tree_boxes *boxes;
} sj_tree_index;

// NULL when memory is short or the budget of `context` is spent.
sj_tree_index *sj_tree_index_create(const sj_tree *tree, stijl_context *context);
// Accepts NULL.
void sj_tree_index_destroy(sj_tree_index *index);

// The topmost shape, image or text at a point of the canvas; SJ_NONE when there is none.
uint32_t sj_tree_hit(const sj_tree *tree, stijl_point canvas);

#endif
