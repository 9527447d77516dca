// Documents while they become a render tree, and the making of that tree. In declarations of this folder bool results
// that say nothing else are false where the resolver has failed.
#ifndef SJ_SVG_RESOLVE_JOB_H
#define SJ_SVG_RESOLVE_JOB_H

#include "base/budget.h"
#include "base/pairs.h"
#include "svg/parse/document.h"
#include "svg/resolve/load.h"
#include "svg/resolve/tree.h"
#include "svg/style/style.h"

typedef struct sj_resolver sj_resolver;

// A link of the chain of use elements on the way to an element: this one shows `target`.
typedef struct sj_use_link {
  uint32_t target;
  const struct sj_use_link *outer;
} sj_use_link;

// What an element takes from its surroundings. Each element on the way from the root has a frame of its own.
typedef struct sj_resolve_frame {
  const sj_style *style;  // the parent's, or the element's own once it is computed
  float width, height;    // of the nearest viewport, in user units, for percentages
  uint32_t depth;
  const sj_use_link *uses;  // since the picture or the definition began
  uint32_t copy;            // of the document's: where the element is
} sj_resolve_frame;

// A resolved definition, found by what it depends on: the element, and the viewport that percentages refer to.
typedef struct sj_known {
  uint32_t element;
  float width, height;
  uint32_t index;  // in the table of its kind; SJ_NONE: it is not valid, or draws nothing
  uint32_t state;  // an sj_server_result
  uint32_t next;   // 1 + the next entry of the same element; 0: none
} sj_known;

// A document while it is resolved: the one whose tree is made, or one that its use elements take elements from.
struct sj_resolver {
  struct sj_resolve_job *job;
  const sj_document *document;
  const sj_svg_options *options;
  sj_style_context styles;
  bool own;               // it is the document whose tree is made
  uint16_t owner;         // its number among the job's owners; 0: it has none yet
  uint32_t *first_known;  // for each element: 1 + its first entry of `known`; NULL as long as there is none
  SJ_ARRAY(sj_known) known;
  uint32_t *identities;             // for each element: 1 + the identity of its definitions; NULL: none yet
  struct sj_document_fonts *fonts;  // NULL until a text needs them
  uint32_t *geometries;             // for each element: 1 + its outline if that depends on nothing else; NULL: none yet
};

typedef enum sj_content_kind {
  SJ_CONTENT_CLIP,
  SJ_CONTENT_MASK,
  SJ_CONTENT_MARKER,
  SJ_CONTENT_PATTERN,
  SJ_CONTENT_HATCH,
  SJ_CONTENT_ELEMENT,      // the element itself, which an feImage shows
  SJ_CONTENT_FILTER_IMAGE  // the picture of a file, which an feImage shows
} sj_content_kind;

// A definition whose content is still to be resolved. This waits until the picture is complete, so that the nodes of
// each definition lie together.
typedef struct sj_content {
  sj_content_kind kind;
  sj_resolver *resolver;
  uint32_t element, index;  // index: in the table of its kind
  float width, height;
} sj_content;

// What image and use elements have loaded, by its URL.
typedef struct sj_fetched {
  const sj_document *by;  // the document with the URL; another one may not be allowed to read it
  const char *href;
  size_t href_length;
  sj_loaded *loaded;      // owned by the tree; NULL: it is pixels, or nothing
  bool used;              // it is for use elements,
  sj_load_given given;    // that hand over this
  bool tried;             // making the document's tree was tried
  bool shown;             // some image element shows it
  sj_resolver *resolver;  // made when a use element takes an element of the document
} sj_fetched;

// A colour glyph among tree->images; SJ_NONE if it has turned out to have no colours.
typedef struct sj_glyph_image {
  const void *face;
  uint32_t glyph, color, palette, image;
  bool uses_color, uses_palette;  // the image is only for that color, only for that palette
} sj_glyph_image;

// The making of one render tree, which all its resolvers share.
typedef struct sj_resolve_job {
  stijl_context *context;
  stijl_message *message;
  stijl_result result;  // the first failure
  sj_tree *tree;
  sj_load_totals *totals;  // shared by all documents that are loaded together
  uint32_t nesting;        // how many documents this one is inside of, as their image
  sj_loaded *keeper;       // the document, where it keeps what does not move; else NULL
  bool met_context;        // some paint was context-fill or context-stroke
  SJ_ARRAY(sj_content) contents;
  SJ_ARRAY(stijl_path *) spare_paths;
  SJ_ARRAY(sj_resolver *) owners;  // the resolvers of documents whose references are inherited in others
  SJ_ARRAY(sj_glyph_image) glyphs;
  uint32_t palettes;             // how many @font-palette-values all its documents have
  sj_pairs outlines;             // the index in tree->outlines by face and glyph
  SJ_ARRAY(sj_fetched) fetched;  // one for each of tree->images
} sj_resolve_job;

// Returns the resolver that a paint or reference belongs to which an element of the resolver's document has.
static inline sj_resolver *sj_owner(sj_resolver *r, uint16_t owner) {
  return owner ? r->job->owners.data[owner - 1] : r;
}

void sj_resolver_init(sj_resolver *r, sj_resolve_job *job, const sj_loaded *loaded, bool own);
void sj_resolver_finish(sj_resolver *r);

// Makes resolving fail with a formatted message; the first failure stays.
void sj_resolve_fail(sj_resolver *r, stijl_result result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void sj_resolve_fail_memory(sj_resolver *r);
// Fails if a call about a path or image has failed.
bool sj_resolve_check(sj_resolver *r, stijl_result result);
static inline bool sj_resolving(const sj_resolver *r) { return r->job->result == STIJL_OK; }
// Counts an element against the limits. Returns false if resolving has to stop.
bool sj_resolve_count(sj_resolver *r, uint32_t depth);
// Spends steps of the budget. Returns false if resolving has to stop.
bool sj_resolve_spend(sj_resolver *r, uint64_t work);
// Takes an empty path from the pool (NULL on failure), or gives it back (NULL is ignored).
stijl_path *sj_take_path(sj_resolver *r);
void sj_give_path(sj_resolver *r, stijl_path *path);
// Copies an outline to the tree and returns its geometry; SJ_NONE on failure.
uint32_t sj_add_geometry(sj_resolver *r, const stijl_path *path);
// Makes a geometry of the glyphs in the tree from number `first` on; SJ_NONE on failure.
uint32_t sj_add_glyph_geometry(sj_resolver *r, uint32_t first);

#endif
