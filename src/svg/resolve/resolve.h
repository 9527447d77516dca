// What the files share that resolve a document to its render tree.
#ifndef SJ_SVG_RESOLVE_RESOLVE_H
#define SJ_SVG_RESOLVE_RESOLVE_H

#include "base/pairs.h"
#include "base/budget.h"
#include "svg/parse/document.h"
#include "svg/resolve/load.h"
#include "svg/resolve/tree.h"
#include "svg/style/style.h"

typedef struct sj_resolver sj_resolver;

// A use element on the way to an element: it shows `target`.
typedef struct sj_use_link {
  uint32_t target;
  const struct sj_use_link *outer;
} sj_use_link;

// What an element takes from its surroundings: each element on the way from the root to it has a frame of its own.
typedef struct sj_frame {
  const sj_style *style;  // of the parent, or the element's own once it is computed
  float width, height;    // of the nearest viewport, in user units, for percentages
  uint32_t depth;
  const sj_use_link *uses;  // since the picture or the definition began
} sj_frame;

// A definition by what it depends on: the element, and the viewport that percentages are of.
typedef struct sj_known {
  uint32_t element;
  float width, height;
  uint32_t index;  // of the table of its kind; SJ_NONE: not valid, or nothing
  uint32_t state;  // an sj_server_result
  uint32_t next;   // of the same element; SJ_NONE
} sj_known;

// A document as it is resolved: the one whose tree is made, or one that its use elements take elements from.
struct sj_resolver {
  struct sj_resolve_job *job;
  const sj_document *document;
  const sj_svg_options *options;
  sj_style_context styles;
  bool own;               // the document whose tree is made
  uint32_t *first_known;  // of each element: its first entry of `known`; NULL as long as there is none
  SJ_ARRAY(sj_known) known;
  uint32_t *identities;  // of each element: one more than the identity of its definitions; NULL: none yet
  struct sj_document_fonts *fonts;  // NULL until a text needs them
  uint32_t *geometries;  // of each element: its outline, where that depends on nothing else; NULL: none yet
};

typedef enum sj_content_kind {
  SJ_CONTENT_CLIP,
  SJ_CONTENT_MASK,
  SJ_CONTENT_MARKER,
  SJ_CONTENT_PATTERN,
  SJ_CONTENT_ELEMENT,      // the element itself: an feImage shows it
  SJ_CONTENT_FILTER_IMAGE  // the picture of an feImage
} sj_content_kind;

// A definition whose content is still to be resolved: that is done when the picture is complete, so that the nodes of
// each lie together.
typedef struct sj_content {
  sj_content_kind kind;
  sj_resolver *resolver;
  uint32_t element, index;  // index: of the table of its kind
  float width, height;
} sj_content;

// What an image or a use element has loaded, by its URL.
typedef struct sj_fetched {
  const sj_document *by;  // what names it: another may not read the same
  const char *href;
  size_t href_length;
  sj_loaded *loaded;      // a document; NULL: pixels, or nothing. The tree owns it
  bool tried;             // to make the document's tree
  bool shown;             // by an image element
  sj_resolver *resolver;  // made when a use element takes something from the document
} sj_fetched;

// A colour glyph that is among tree->images; SJ_NONE: it has turned out to be none.
typedef struct sj_known_glyph {
  const void *face;
  uint32_t glyph, color, palette, image;
  bool uses_color, uses_palette;  // the image is for that color, for that palette only
} sj_known_glyph;

typedef struct sj_resolve_job {
  stijl_context *context;
  stijl_message *message;
  stijl_result result;  // the first failure
  sj_tree *tree;
  sj_load_totals *totals;  // with all documents that are loaded together
  uint32_t nesting;        // how many documents this one is inside of, as their image
  bool met_context;        // some paint was context-fill or context-stroke
  SJ_ARRAY(sj_content) contents;
  SJ_ARRAY(stijl_path *) spare_paths;
  SJ_ARRAY(sj_known_glyph) glyphs;
  uint32_t palettes;  // of the @font-palette-values of all its documents
  sj_pairs outlines;  // of tree->outlines, by face and glyph
  SJ_ARRAY(sj_fetched) fetched;  // for each of tree->images
} sj_resolve_job;

// --- job.c ---

void sj_resolver_init(sj_resolver *r, sj_resolve_job *job, const sj_loaded *loaded, bool own);
void sj_resolver_finish(sj_resolver *r);

// The first failure stays. Formats like sj_fail.
void sj_resolve_fail(sj_resolver *r, stijl_result result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void sj_resolve_fail_memory(sj_resolver *r);
// Takes over the failure of a path or image call.
bool sj_resolve_check(sj_resolver *r, stijl_result result);
static inline bool sj_resolving(const sj_resolver *r) { return r->job->result == STIJL_OK; }
// Counts one element against the limits. False: stop.
bool sj_resolve_count(sj_resolver *r, uint32_t depth);
// Spends steps of the budget. False: stop.
bool sj_resolve_spend(sj_resolver *r, uint64_t work);
// An empty path from the pool, or NULL on failure; and back.
stijl_path *sj_take_path(sj_resolver *r);
void sj_give_path(sj_resolver *r, stijl_path *path);
// Copies an outline to the tree; SJ_NONE on failure.
uint32_t sj_add_geometry(sj_resolver *r, const stijl_path *path);
// The same of the glyphs that are in the tree from number `first` on.
uint32_t sj_add_glyph_geometry(sj_resolver *r, uint32_t first);

// --- text_fonts.c ---

struct sj_face;
struct sj_palette;

// What the document's text is drawn with. NULL: there is no memory for any.
stijl_fonts *sj_resolver_fonts(sj_resolver *r);
// The palette that a font-palette stands for with a face. Returns its identity: no other palette of the job has it.
uint32_t sj_resolver_palette(sj_resolver *r, const struct sj_face *face, const sj_value_text *value,
                             struct sj_palette *out);
void sj_resolver_fonts_finish(sj_resolver *r);

// --- resolve.c ---

// Resolves the picture: the root and what is below it.
void sj_resolve_root(sj_resolver *r, float width, float height);
// Begins a node, whose subtree is what is added until sj_node_end; SJ_NONE on failure.
uint32_t sj_node_begin(sj_resolver *r, sj_tree_kind kind, const sj_frame *frame, uint32_t element);
void sj_node_end(sj_resolver *r, uint32_t node);
// Takes the node and its subtree away again.
void sj_node_drop(sj_resolver *r, uint32_t node);
// The node's object bounding box in its own user space: of all that is in it so far.
const sj_box *sj_node_box(sj_resolver *r, uint32_t node);
// Whether all that the nodes from `first` on draw surely lies within the rectangle, so that clipping by it can be left
// out. `matrix` takes them to its space. False also where finding out would take long.
bool sj_content_fits(sj_resolver *r, uint32_t first, const stijl_matrix *matrix, stijl_rect rect);

// Resolves an element and what is below it. frame->style is the parent's.
void sj_resolve_element(sj_resolver *r, const sj_frame *frame, uint32_t element);
void sj_resolve_children(sj_resolver *r, const sj_frame *frame, uint32_t element);

// A viewport: of a nested svg element, or of a symbol or svg that a use element shows.
typedef struct sj_viewport {
  float x, y, width, height;
} sj_viewport;

// Enters the viewport: the frame's size becomes that of the content, *matrix takes it to the space around. False when
// nothing can be drawn. *clip is the rectangle to clip by, in the space around, when *clips.
bool sj_enter_viewport(sj_resolver *r, sj_frame *frame, uint32_t element, const sj_viewport *viewport,
                       stijl_matrix *matrix, bool *clips, stijl_rect *clip);

// --- use.c ---

void sj_resolve_use(sj_resolver *r, const sj_frame *frame, uint32_t element);
// Resolves the content of an svg or symbol element in its viewport.
void sj_resolve_in_viewport(sj_resolver *r, const sj_frame *frame, uint32_t element, const sj_viewport *viewport);
// Applies x and y of a use element, which move what it shows.
bool sj_translate_use(sj_resolver *r, const sj_frame *frame, uint32_t element, stijl_matrix *matrix);

// --- transforms.c ---

// The element's own transform with its origin, from the attribute of that name or the properties. Percentages and the
// origin are of `reference`. False when the result draws nothing.
bool sj_own_transform(sj_resolver *r, const sj_frame *frame, uint32_t element, sj_name name, stijl_rect reference,
                      stijl_matrix *out);
// Whether the element's transform is relative to its object bounding box.
bool sj_transform_needs_box(sj_resolver *r, const sj_frame *frame, uint32_t element);
// The viewport, as such a reference.
stijl_rect sj_view_reference(const sj_frame *frame);

// --- omit.c ---

// What a picture can lack of what its document asks for.
typedef enum sj_omission {
  SJ_OMIT_TEXT,
  SJ_OMIT_GLYPH,
  SJ_OMIT_FAMILY,  // that another stands for: a notice
  SJ_OMIT_FILTER,
  SJ_OMIT_FOREIGN_OBJECT,
  SJ_OMIT_ANIMATION,
  SJ_OMIT_SCRIPT,
  SJ_OMIT_VALUE,
  SJ_OMIT_UNKNOWN_ELEMENT,
  SJ_OMIT_EXTERNAL,  // a reference to another document
  SJ_OMIT_ABSENT,    // an element that another document, which was read, does not have
  SJ_OMIT_PROPERTY,
  SJ_OMIT_LINEAR_GRADIENT,  // interpolation in linearRGB
  SJ_OMIT_TRANSFORM,
  SJ_OMIT_CLIP_PATH,
  SJ_OMIT_MASK,  // a mask with more than a reference
  SJ_OMISSION_COUNT
} sj_omission;

// Logs a warning, once for each kind. `detail` is the name or value that is told; it may be empty.
void sj_omit(sj_resolver *r, sj_omission what, const char *detail, size_t length);
// Warns of a gradient that should be interpolated in linearRGB.
void sj_omit_linear(sj_resolver *r, uint32_t gradient);
// Warns of an element that stijl does not draw, if it would be seen. `outer` is what sj_resolve_element calls `frame`.
void sj_omit_element(sj_resolver *r, const sj_frame *outer, uint32_t element);
// Warns of an element that a fill or stroke refers to, and that is no paint server that stijl knows.
void sj_omit_paint(sj_resolver *r, uint32_t server);
// Warns of what the document contains that counts wherever it is, such as scripts.
void sj_omit_document(sj_resolver *r);
// Do what sj_document_by_url and sj_document_by_href do, and warn of references that lead out of the document.
uint32_t sj_find_url(sj_resolver *r, const char *url, size_t length);
uint32_t sj_find_href(sj_resolver *r, uint32_t element);

// --- attributes.c ---

typedef enum sj_axis { SJ_AXIS_X, SJ_AXIS_Y, SJ_AXIS_DIAGONAL } sj_axis;

// What 100% stands for.
float sj_frame_axis(const sj_frame *frame, sj_axis axis);
float sj_resolve_length(const sj_resolver *r, const sj_frame *frame, sj_length length, sj_axis axis);
float sj_resolve_computed(const sj_frame *frame, sj_computed_length length, sj_axis axis);
// Reads a geometry property or plain attribute as a length in user units. False when absent, invalid, or `auto`.
bool sj_length_attribute(const sj_resolver *r, const sj_frame *frame, uint32_t element, sj_name name, sj_axis axis,
                         float *out);
// True when the attribute of the element is objectBoundingBox, `fallback` when neither that nor userSpaceOnUse.
bool sj_units_are_box(const sj_string *attribute, bool fallback);
// Whether an element's systemLanguage, requiredFeatures and requiredExtensions allow it to be drawn. Every feature
// counts as supported, as in SVG 2.
bool sj_conditions_hold(const sj_resolver *r, uint32_t element);

// --- shapes.c ---

// Adds the outline in user units; `frame` is the element's own. False when it is in error or not rendered.
bool sj_shape_path(sj_resolver *r, const sj_frame *frame, uint32_t element, stijl_path *path);
// The outline in the tree, made once for elements whose outline depends on nothing else; SJ_NONE: not rendered.
uint32_t sj_shape_geometry(sj_resolver *r, const sj_frame *frame, uint32_t element);
// Fills a shape node in whose outline is there: paints and stroke. False on failure.
bool sj_add_shape(sj_resolver *r, const sj_frame *frame, uint32_t element, uint32_t node, uint32_t geometry);
// Fills a shape node in: outline, paints, stroke, markers. False: it draws nothing, and has no box.
bool sj_resolve_shape(sj_resolver *r, const sj_frame *frame, uint32_t element, uint32_t node);
// Whether the element is drawn by one draw at most, so that its opacity needs no layer.
bool sj_shape_is_single_draw(const sj_resolver *r, const sj_frame *frame, uint32_t element);

// --- definitions.c ---

// Finds what is known of an element for that viewport, or makes an entry, whose index is then SJ_NONE and *made true.
// NULL on failure. Valid until the next call.
sj_known *sj_know(sj_resolver *r, uint32_t element, float width, float height, bool *made);
// Takes the newest entry away again.
void sj_forget(sj_resolver *r);
// Begins the definition of an element; its content is resolved later.
bool sj_define(sj_resolver *r, sj_content_kind kind, uint32_t element, uint32_t index, float width, float height,
               sj_definition *out);
// Resolves the content of all definitions. They may add more.
void sj_resolve_contents(sj_resolver *r);

// --- paint.c, gradient.c, pattern.c ---

typedef enum sj_server_result {
  SJ_SERVER_PAINTS,
  SJ_SERVER_NONE,    // paints nothing
  SJ_SERVER_INVALID  // as if the reference were broken: the fallback counts
} sj_server_result;

// `frame` is the element's own; `node` is its node, whose box is asked for where it is needed.
sj_tree_paint sj_resolve_paint(sj_resolver *r, const sj_frame *frame, uint32_t node, const sj_paint_value *value);
// Keeps the paints of the element, and its box, for context-fill and context-stroke of what it shows.
void sj_add_context(sj_resolver *r, const sj_frame *frame, uint32_t node);
sj_server_result sj_resolve_gradient(sj_resolver *r, uint32_t gradient, const sj_frame *frame, sj_tree_server *out);
// `node` is that of the painted element; *depends is set where the result depends on its box. *source: the pattern
// whose children are drawn.
sj_server_result sj_resolve_pattern(sj_resolver *r, uint32_t pattern, const sj_frame *frame, uint32_t node,
                                    sj_tree_server *out, uint32_t *source, bool *depends);

// The elements from which a template-using element takes attributes: itself and those its href leads to.
#define SJ_MAX_TEMPLATES 64
typedef struct sj_templates {
  uint32_t elements[SJ_MAX_TEMPLATES];
  int count;
} sj_templates;

// False when the references go round in a circle.
bool sj_templates_collect(sj_resolver *r, uint32_t element, unsigned kind, sj_templates *out);
// Charges the budget for looking for attributes in all of the elements. False: stop.
bool sj_templates_spend(sj_resolver *r, const sj_templates *templates);
// The first of them, of the kinds accepted (0: all), that has the attribute; NULL when none has.
const sj_string *sj_templates_attribute(const sj_document *document, const sj_templates *templates, sj_name name,
                                        sj_element only);

// --- layer.c, clip.c, mask.c, filter.c ---

// Gives the node its element's opacity, and the layer that blending, clip path and mask ask for. `single`: what is
// drawn is one draw, or one node.
void sj_resolve_layer(sj_resolver *r, const sj_frame *frame, uint32_t node, bool single);
// Gives it a layer for the clip path alone.
void sj_resolve_clip_layer(sj_resolver *r, const sj_frame *frame, uint32_t node);
// Adds what a clip-path value asks for to tree->clip_uses.
void sj_resolve_clip(sj_resolver *r, const sj_frame *frame, uint32_t node, const sj_value_text *value, bool *needs_box);
void sj_clip_content(sj_resolver *r, const sj_content *content, const sj_frame *frame);
// What the value of `mask` asks for, of tree->masks; SJ_NONE: nothing.
uint32_t sj_resolve_mask(sj_resolver *r, const sj_frame *frame, const sj_value_text *value);
// What the value of `filter` asks for, of tree->filters; SJ_NONE: nothing.
uint32_t sj_resolve_filter(sj_resolver *r, const sj_frame *frame, uint32_t node);
// Adds the outline of circle(), ellipse(), inset(), polygon(), path() or a reference box to an empty path, in the
// user space of the element whose frame this is. False when the value is none of them.
bool sj_clip_shape_path(sj_resolver *r, const sj_frame *frame, const sj_value_text *value, stijl_rect fill_box,
                        stijl_path *path, stijl_fill_rule *rule);

// --- marker.c ---

bool sj_has_markers(const sj_resolver *r, const sj_style *style, uint32_t element);
// Adds the markers of a shape to tree->marks.
void sj_resolve_markers(sj_resolver *r, const sj_frame *frame, uint32_t element, uint32_t geometry, sj_range *out);
void sj_marker_content(sj_resolver *r, const sj_content *content, const sj_frame *frame);

// --- image.c ---

// Fills an image node in. False: it draws nothing, and has no box.
bool sj_resolve_image(sj_resolver *r, const sj_frame *frame, uint32_t element, uint32_t node, const stijl_rect *given);
// Loads the document of a colour glyph, of tree->images; SJ_NONE: it is broken, which has been told.
uint32_t sj_embed_document(sj_resolver *r, const void *data, size_t bytes);
// The resolver of the document in the file that a URL without fragment names; NULL when it cannot be read, or is none.
sj_resolver *sj_external_resolver(sj_resolver *r, const char *url, size_t length);

// --- text.c ---

// Fills a text node in, with shapes below it. False: it draws nothing, and has no box.
bool sj_resolve_text(sj_resolver *r, const sj_frame *frame, uint32_t element, uint32_t node);
// Adds all outlines of a text element, in its user space. False: there are none.
bool sj_text_path(sj_resolver *r, const sj_frame *frame, uint32_t element, stijl_path *path);

#endif
