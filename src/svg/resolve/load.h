// Loading: bytes to a document, its styles, and its render tree.
#ifndef SJ_SVG_RESOLVE_LOAD_H
#define SJ_SVG_RESOLVE_LOAD_H

#include "svg/parse/document.h"
#include "svg/parse/options.h"
#include "svg/resolve/tree.h"

// What documents that are loaded together have taken of the limits, which are those of the outermost: it, the documents
// and images that it shows, and so on.
typedef struct sj_load_totals {
  uint64_t bytes;     // of documents and of files
  uint64_t elements;  // of trees, each use of an embedded document counted
  uint64_t pixels;    // of images
  uint32_t documents;
  uint32_t omitted;  // a bit for each sj_omission that has been warned of
  bool quiet;        // nothing is warned of: it has been told
} sj_load_totals;

// A document as it was loaded.
typedef struct sj_loaded {
  stijl_context *context;
  sj_svg_options options;
  sj_document document;
  sj_tree tree;
} sj_loaded;

// Parses a document and applies its style sheets and animations; its tree is empty yet. `totals` is
// zeroed for the outermost document. `context` counts for the budget.
stijl_result sj_load_document(stijl_context *context, const void *data, size_t bytes, const stijl_svg_params *params,
                              sj_load_totals *totals, sj_loaded **out, stijl_message *message);
// Makes the tree, and finds the document's size. To be called once. `nesting`: how many documents this one is inside
// of, as their image.
stijl_result sj_load_tree(sj_loaded *loaded, sj_load_totals *totals, uint32_t nesting, stijl_message *message);
// Makes another tree of the document, in which vw and vh are those of a canvas of that size: for documents whose tree
// is `by_canvas`. On success the caller finishes it.
stijl_result sj_load_tree_for(const sj_loaded *loaded, stijl_context *context, float width, float height, sj_tree *out,
                              stijl_message *message);
// Accepts NULL.
void sj_loaded_destroy(sj_loaded *loaded);

#endif
