// Computes the index of a render tree.
#include "svg/query/query.h"

void sj_tree_index_destroy(sj_tree_index *index) {
  if (!index) return;
  sj_free(index->context, index->parents);
  sj_free(index->context, index->to_canvas);
  sj_free(index->context, index->boxes);
  sj_free(index->context, index);
}

static void place_nodes(const sj_tree *tree, sj_tree_index *index) {
  const sj_tree_node *nodes = tree->nodes.data;
  stijl_matrix begin = stijl_matrix_translate(-tree->left, -tree->top);
  uint32_t open = SJ_NONE;
  for (uint32_t i = 0; i < tree->picture.end; i++) {
    while (open != SJ_NONE && nodes[open].end <= i) open = index->parents[open];
    index->parents[i] = open;
    index->to_canvas[i] = stijl_matrix_multiply(open == SJ_NONE ? begin : index->to_canvas[open], nodes[i].transform);
    if (nodes[i].end > i + 1) open = i;
  }
}

// Measures from the last node to the first, so that the boxes of what is in a node are known before its own.
static bool measure_nodes(const sj_tree *tree, sj_tree_index *index) {
  stijl_matrix identity = stijl_matrix_identity();
  for (uint32_t left = tree->picture.end; left > 0; left--) {
    uint32_t i = left - 1;
    for (int what = 0; what <= SJ_MEASURE_LAYER; what++) {
      sj_box box = {.known = true, .empty = true};
      if (!sj_tree_measure_in(tree, index->context, i, &identity, (sj_measure)what, index->boxes, &box)) return false;
      index->boxes[i].of[what] = box;
    }
  }
  return true;
}

sj_tree_index *sj_tree_index_create(const sj_tree *tree, stijl_context *context) {
  size_t count = tree->picture.end;
  sj_tree_index *index = sj_alloc_zero(context, sizeof *index);
  if (!index) return NULL;
  index->context = context;
  index->parents = sj_alloc_array(context, count + 1, sizeof *index->parents);
  index->to_canvas = sj_alloc_array(context, count + 1, sizeof *index->to_canvas);
  index->boxes = sj_alloc_zero(context, (count + 1) * sizeof *index->boxes);
  if (index->parents && index->to_canvas && index->boxes) {
    place_nodes(tree, index);
    if (measure_nodes(tree, index)) return index;
  }
  sj_tree_index_destroy(index);
  return NULL;
}
