// Loads a document: from bytes to its tree of elements, styles, and render tree.
#ifndef SJ_SVG_RESOLVE_LOAD_H
#define SJ_SVG_RESOLVE_LOAD_H

#include "svg/parse/document.h"
#include "svg/parse/options.h"
#include "svg/resolve/tree.h"
#include "svg/style/timeline.h"

// So many names are warned of. Documents may make up any number of them.
#define SJ_MOST_TOLD 64

// What all documents that are loaded together have taken of the limits of the outermost: that one, the documents and
// images that it shows, and so on.
typedef struct sj_load_totals {
  uint64_t bytes;     // of documents and of files
  uint64_t elements;  // of render trees, counting each use of an embedded document
  uint64_t pixels;    // of images
  uint32_t documents;
  uint32_t omitted;             // a bit for each sj_omission that has been warned of
  uint64_t told[SJ_MOST_TOLD];  // hashes of the names that have been, of kinds that are warned of by name
  uint32_t told_count;
  bool quiet;  // warnings have been given before, and are not repeated
} sj_load_totals;

// An image that a document shows at more than one time.
typedef struct sj_still_image {
  const char *href;  // that text itself, not what it says: attributes that do not move stay where they are
  stijl_image *image;
  uint64_t bytes;  // of its file
} sj_still_image;

// What a document that moves keeps from time to time, since it does not.
typedef struct sj_kept {
  SJ_ARRAY(sj_still_image) images;
  uint32_t *geometries;  // for each element: 1 + its outline in the tree if that is kept, else 0; NULL: none is
  size_t verb_count, point_count, geometry_count;  // of the tree's arrays, which begin with them
} sj_kept;

// A loaded document.
typedef struct sj_loaded {
  stijl_context *context;
  sj_svg_options options;
  sj_document document;
  sj_tree tree;
  sj_timeline line;  // what is known of CSS animations
  bool has_smil;
  bool animated;  // there are animations, so that it can be styled anew
  bool moved;     // it was
  sj_kept kept;
} sj_loaded;

// What a use element hands over to the document of an element that it shows.
typedef struct sj_load_given {
  sj_string properties;  // as in sj_document
  bool to_parts;
} sj_load_given;

// Parses a document, and applies its style sheets and animations; its render tree stays empty. `totals` is zeroed for
// the outermost document. `context` counts for the budget. A document of which a use element shows something is `given`
// custom properties, for all of it or for parts; else that is NULL. The caller destroys *out.
stijl_result sj_load_document(stijl_context *context, const void *data, size_t bytes, const stijl_svg_params *params,
                              const sj_load_given *given, sj_load_totals *totals, sj_loaded **out,
                              stijl_message *message);
// Looks at the document at another time; its render tree is empty then.
stijl_result sj_load_restyle(sj_loaded *loaded, double time, stijl_message *message);
// Empties the tree, which could not be made.
void sj_load_forget(sj_loaded *loaded);
// Returns whether it, or a document that it shows, has animations.
bool sj_load_is_animated(const sj_loaded *loaded);
// Adds to a time line, which was zeroed, all animations of the document and of those that it shows.
stijl_result sj_load_timeline(const sj_loaded *loaded, sj_timeline *line, stijl_message *message);
// Makes the render tree and finds the document's size, once. `nesting` is how many documents this one is inside of, as
// their image.
stijl_result sj_load_tree(sj_loaded *loaded, sj_load_totals *totals, uint32_t nesting, stijl_message *message);
// Makes another render tree of the document, in which vw and vh are those of a canvas of that size in CSS pixels, for
// documents whose tree is `by_canvas`. On success the caller finishes it.
stijl_result sj_load_tree_for(const sj_loaded *loaded, stijl_context *context, float width, float height, sj_tree *out,
                              stijl_message *message);
// Accepts NULL.
void sj_loaded_destroy(sj_loaded *loaded);

#endif
