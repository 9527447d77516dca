// Answers questions about a render tree: where its nodes are, how large, and what is at a point.
#ifndef SJ_SVG_QUERY_QUERY_H
#define SJ_SVG_QUERY_QUERY_H

#include "svg/resolve/tree.h"

// What is known of all nodes of the picture; it is computed when it is first asked for.
typedef struct sj_tree_index {
  stijl_context *context;
  uint32_t *parents;        // SJ_NONE for the root
  stijl_matrix *to_canvas;  // from user space to CSS pixels of the document
  sj_tree_boxes *boxes;
} sj_tree_index;

// Computes the index. Returns NULL when memory is short or the budget of `context` is spent.
sj_tree_index *sj_tree_index_create(const sj_tree *tree, stijl_context *context);
// Accepts NULL.
void sj_tree_index_destroy(sj_tree_index *index);

// Returns the topmost shape, image or text at a point of the canvas; SJ_NONE when there is none.
uint32_t sj_tree_hit(const sj_tree *tree, stijl_point canvas);

#endif
