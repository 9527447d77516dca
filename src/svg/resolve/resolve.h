// What the files share that turn a document into its render tree. In declarations below, bool results that say nothing
// else are false where the resolver has failed.
#ifndef SJ_SVG_RESOLVE_RESOLVE_H
#define SJ_SVG_RESOLVE_RESOLVE_H

#include "base/pairs.h"
#include "base/budget.h"
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

// --- job.c ---

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
// Take an empty path from the pool (NULL on failure), and give it back (NULL is ignored).
stijl_path *sj_take_path(sj_resolver *r);
void sj_give_path(sj_resolver *r, stijl_path *path);
// Copies an outline to the tree and returns its geometry; SJ_NONE on failure.
uint32_t sj_add_geometry(sj_resolver *r, const stijl_path *path);
// Makes a geometry of the glyphs in the tree from number `first` on; SJ_NONE on failure.
uint32_t sj_add_glyph_geometry(sj_resolver *r, uint32_t first);

// --- text_fonts.c ---

struct sj_face;
struct sj_palette;

// Returns the fonts that the document's text is drawn with; NULL when memory for any is short.
stijl_fonts *sj_resolver_fonts(sj_resolver *r);
// Finds the palette that a font-palette stands for with a face, and returns its identity, which no other palette of the
// job has.
uint32_t sj_resolver_palette(sj_resolver *r, const struct sj_face *face, const sj_value_text *value,
                             struct sj_palette *out);
void sj_resolver_fonts_finish(sj_resolver *r);

// --- resolve.c ---

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

// --- use.c ---

void sj_resolve_use(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element);
// Returns the copy of `target` that a use element shows; `frame` is the use element's own.
uint32_t sj_shown_copy(const sj_resolver *r, const sj_resolve_frame *frame, uint32_t use, uint32_t target);
// Resolves the content of an svg or symbol element in its viewport.
void sj_resolve_in_viewport(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element,
                            const sj_viewport *viewport);
// Applies x and y of a use element, which move what it shows. Returns false if the result is not finite.
bool sj_translate_use(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, stijl_matrix *matrix);

// --- transforms.c ---

// Computes the element's own transform with its origin, from the attribute of that name or the properties. Percentages
// and the origin refer to `reference`. Returns false if the result draws nothing.
bool sj_own_transform(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, sj_name name,
                      stijl_rect reference, stijl_matrix *out);
// Returns whether the element's transform is relative to its object bounding box.
bool sj_transform_needs_box(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element);
// Returns the viewport as a reference for these.
stijl_rect sj_view_reference(const sj_resolve_frame *frame);

// --- omit.c ---

// What a picture can lack of what its document asks for.
typedef enum sj_omission {
  SJ_OMIT_TEXT,
  SJ_OMIT_GLYPH,
  SJ_OMIT_FAMILY,  // replaced by another: a notice
  SJ_OMIT_FILTER,
  SJ_OMIT_FOREIGN_OBJECT,
  SJ_OMIT_HTML,  // in a foreignObject
  SJ_OMIT_ANIMATION,
  SJ_OMIT_SCRIPT,
  SJ_OMIT_VALUE,
  SJ_OMIT_UNKNOWN_ELEMENT,
  SJ_OMIT_EXTERNAL,  // a reference to another document
  SJ_OMIT_ABSENT,    // an element that another document, which was read, lacks
  SJ_OMIT_PROPERTY,
  SJ_OMIT_TRANSFORM,
  SJ_OMIT_CLIP_PATH,
  SJ_OMIT_ATTRIBUTE,
  SJ_OMIT_PATH,
  SJ_OMIT_FILTER_INPUT,
  SJ_OMIT_COLOR_GLYPH,
  SJ_OMIT_MASK,  // that of a mask element, with more than a reference
  SJ_OMISSION_COUNT
} sj_omission;

// Logs a warning, once for each kind. `detail` is the name or value to tell; it may be empty.
void sj_omit(const sj_resolver *r, sj_omission what, const char *detail, size_t length);
// Warns of the value of an attribute that is not understood, unless it asks for nothing.
void sj_omit_value(const sj_resolver *r, const char *name, const char *text, size_t length);
// Warns of the attribute if it is there and not `valid`, which is returned.
bool sj_understood(const sj_resolver *r, sj_name name, const sj_string *attribute, bool valid);
// Warns of an element that stijl does not draw, if it would be seen. `outer` is the frame that sj_resolve_element gets.
void sj_omit_element(sj_resolver *r, const sj_resolve_frame *outer, uint32_t element);
// Returns whether there are characters other than white space in the element.
bool sj_has_characters(const sj_document *document, uint32_t element);
// Warns of an element that a fill or stroke refers to, if stijl does not know such a paint server.
void sj_omit_paint(sj_resolver *r, uint32_t server);
// Warns of what counts wherever it is in the document, such as scripts.
void sj_omit_document(sj_resolver *r);
// Find elements as sj_document_by_url and sj_document_by_href do, and warn of references to other documents.
uint32_t sj_find_url(sj_resolver *r, const char *url, size_t length);
uint32_t sj_find_href(sj_resolver *r, uint32_t element);

// --- attributes.c ---

typedef enum sj_axis { SJ_AXIS_X, SJ_AXIS_Y, SJ_AXIS_DIAGONAL } sj_axis;

// Returns what 100% stands for along an axis.
float sj_frame_axis(const sj_resolve_frame *frame, sj_axis axis);
float sj_resolve_length(const sj_resolver *r, const sj_resolve_frame *frame, sj_length length, sj_axis axis);
float sj_resolve_computed(const sj_resolve_frame *frame, sj_computed_length length, sj_axis axis);
// Reads a geometry property or plain attribute as a length in user units. Returns false if it is absent, invalid, or
// `auto`.
bool sj_length_attribute(const sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, sj_name name,
                         sj_axis axis, float *out);
// Returns whether the attribute is objectBoundingBox; `fallback` where it is neither that nor userSpaceOnUse.
bool sj_units_are_box(const sj_string *attribute, bool fallback);
// Returns whether an element's systemLanguage, requiredFeatures and requiredExtensions allow drawing it. Every feature
// counts as supported, as in SVG 2.
bool sj_conditions_hold(const sj_resolver *r, uint32_t element);

// --- shapes.c ---

// Adds the outline of a shape in user units; `frame` is the element's own. Returns false if it is in error or not
// rendered.
bool sj_shape_path(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, stijl_path *path);
// Returns the geometry of a shape in the tree, which is made once if it depends on nothing else; SJ_NONE if it is not
// rendered.
uint32_t sj_shape_geometry(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element);
// Fills in a shape node with this geometry: paints and stroke. Returns false on failure.
bool sj_add_shape(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t node, uint32_t geometry);
// Fills in a shape node: outline, paints, stroke, markers. Returns false if it draws nothing and has no box.
bool sj_resolve_shape(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t node);
// Returns whether the element is drawn by one draw at most, so that its opacity needs no layer.
bool sj_shape_is_single_draw(const sj_resolver *r, const sj_resolve_frame *frame, uint32_t element);

// --- definitions.c ---

// Finds what is known of an element for that viewport. If nothing is, makes an entry whose index is SJ_NONE and sets
// *made. Returns NULL on failure; the entry is valid until the next call.
sj_known *sj_know(sj_resolver *r, uint32_t element, float width, float height, bool *made);
// Removes the newest entry.
void sj_forget(sj_resolver *r);
// Begins the definition of an element, whose content is resolved later. Returns false on failure.
bool sj_define(sj_resolver *r, sj_content_kind kind, uint32_t element, uint32_t index, float width, float height,
               sj_definition *out);
// Resolves the content of all definitions, which may add more.
void sj_resolve_contents(sj_resolver *r);

// --- paint.c, gradient.c, pattern.c ---

typedef enum sj_server_result {
  SJ_SERVER_PAINTS,
  SJ_SERVER_NONE,    // it paints nothing
  SJ_SERVER_INVALID  // the reference counts as broken: the fallback is used
} sj_server_result;

// Resolves a paint. `frame` is the element's own; `node` is its node, whose box is computed where it is needed.
sj_tree_paint sj_resolve_paint(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node,
                               const sj_paint_value *value);
// Keeps the paints and the box of the element for context-fill and context-stroke in what it shows.
void sj_add_context(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node);
sj_server_result sj_resolve_gradient(sj_resolver *r, uint32_t gradient, const sj_resolve_frame *frame,
                                     sj_tree_server *out);
// Resolves a pattern. `node` is that of the painted element; *depends is set where the result depends on its box.
// *source becomes the pattern whose children are drawn.
sj_server_result sj_resolve_pattern(sj_resolver *r, uint32_t pattern, const sj_resolve_frame *frame, uint32_t node,
                                    sj_tree_server *out, uint32_t *source, bool *depends);

// An element and those that its hrefs lead to, from which it takes the attributes that it lacks.
#define SJ_MAX_TEMPLATES 64
typedef struct sj_templates {
  uint32_t elements[SJ_MAX_TEMPLATES];
  int count;
} sj_templates;

// Collects them. Returns false when the references form a circle.
bool sj_templates_collect(sj_resolver *r, uint32_t element, unsigned kind, sj_templates *out);
// Charges the budget for looking for attributes in all of them. Returns false if resolving has to stop.
bool sj_templates_spend(sj_resolver *r, const sj_templates *templates);
// Returns the attribute of the first of them that has it, among elements of the kind `only` (0: all); NULL when none
// has.
const sj_string *sj_templates_attribute(const sj_document *document, const sj_templates *templates, sj_name name,
                                        sj_element only);

// --- layer.c, clip.c, mask.c, filter.c ---

// Gives the node its element's opacity, and the layer that blending, filter, clip path and mask ask for. `single` tells
// that it draws one draw or one node, which can take over the opacity.
void sj_resolve_layer(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node, bool single);
// Gives the node a layer for its clip path alone.
void sj_resolve_clip_layer(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node);
// Adds what a clip-path value asks for to tree->clip_uses. Sets *needs_box if that depends on the node's box.
void sj_resolve_clip(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node, const sj_value_text *value,
                     bool *needs_box);
void sj_clip_content(sj_resolver *r, const sj_content *content, const sj_resolve_frame *frame);
// Returns the mask in tree->masks that an element asks for; SJ_NONE for none. `node` is its node, or SJ_NONE where only
// a mask element can be meant.
uint32_t sj_resolve_mask(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node, const sj_mask_values *values);
// Returns whether the URL of a mask is that of a picture, rather than of a mask in some document.
bool sj_mask_is_picture(const char *url, size_t length);
// Returns the mask that a mask element is; SJ_NONE where the url names none, or on failure.
uint32_t sj_resolve_mask_element(sj_resolver *r, const sj_resolve_frame *frame, const char *url, size_t length);
// Makes a mask of several layers, or of images, in tree->masks; SJ_NONE for none, or on failure.
uint32_t sj_resolve_mask_layers(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node,
                                const sj_mask_values *values);
// Returns the filter in tree->filters that the value of `filter` asks for; SJ_NONE for none.
uint32_t sj_resolve_filter(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node);
// Adds the outline of circle(), ellipse(), inset(), polygon(), path() or a reference box to an empty path, in the user
// space of the element whose frame this is. Returns false when the value is none of them.
bool sj_clip_shape_path(sj_resolver *r, const sj_resolve_frame *frame, const sj_value_text *value, stijl_rect fill_box,
                        stijl_path *path, stijl_fill_rule *rule);

// Does the same for offset-path, whose boxes are empty and at the origin.
bool sj_offset_shape_path(sj_resolver *r, const sj_resolve_frame *frame, const sj_value_text *value, stijl_path *path);

// --- offset.c ---

// Computes what offset-path and its kin add to the transform, which is about `origin`; percentages of offset-anchor are
// of `reference`. Returns false when there is nothing to add.
bool sj_offset_transform(sj_resolver *r, const sj_resolve_frame *frame, stijl_rect reference, stijl_point origin,
                         stijl_matrix *out);

// --- marker.c ---

bool sj_has_markers(const sj_resolver *r, const sj_style *style, uint32_t element);
// Adds the markers of a shape to tree->marks.
void sj_resolve_markers(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t geometry,
                        sj_range *out);
void sj_marker_content(sj_resolver *r, const sj_content *content, const sj_resolve_frame *frame);

// --- image.c ---

// Fills in an image node. Where `given` is not NULL it is the rectangle of the picture. Returns false if it draws
// nothing and has no box.
bool sj_resolve_image(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t node,
                      const stijl_rect *given);
// Finds or loads the picture of a URL. Returns its index in tree->images, with its size; SJ_NONE where there is none.
uint32_t sj_resolve_picture(sj_resolver *r, const sj_resolve_frame *frame, const char *url, size_t length, float *width,
                            float *height);
// Returns the document that an image in tree->images is; NULL where it is none.
const sj_document *sj_picture_document(const sj_resolver *r, uint32_t image);
// Adds the picture of a colour glyph to tree->images and returns its index: a scene, which is taken over, or where that is
// NULL the document with these bytes. SJ_NONE if it is broken, which has been logged.
uint32_t sj_embed_glyph(sj_resolver *r, stijl_scene *scene, const void *data, size_t bytes);
// Returns the resolver of the document in the file of a URL without fragment; NULL when it cannot be read, or is no
// document.
sj_resolver *sj_external_resolver(sj_resolver *r, const char *url, size_t length);

// Returns the own size of the picture of an HTML img element. Returns false if there is none.
bool sj_image_size(sj_resolver *r, uint32_t element, float *width, float *height);

// --- src/svg/html ---

// Adds the nodes of what a foreignObject element holds; frame->style is its own.
void sj_resolve_foreign(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element);

// --- text.c ---

// Fills in a text node, with shapes below it. Returns false if it draws nothing and has no box.
bool sj_resolve_text(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t node);
// Adds all outlines of a text element in its user space. Returns false if there are none.
bool sj_text_path(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, stijl_path *path);

#endif
