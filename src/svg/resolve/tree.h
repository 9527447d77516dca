// The render tree: a document with nothing left to look up. Nodes are flat, styles are computed, and what they refer to
// is in tables. It does not depend on the size of the picture, points into no document, and never changes once it is
// resolved, so any number of threads may record it.
#ifndef SJ_SVG_RESOLVE_TREE_H
#define SJ_SVG_RESOLVE_TREE_H

#include "base/array.h"
#include "geometry/path.h"
#include "scene/outlines.h"
#include "stijl/filter.h"
#include "svg/parse/values.h"

// The index of no node and of no entry of a table.
#define SJ_NONE UINT32_MAX

// Entries of a table, or nodes: from `first` to before `end`.
typedef struct sj_range {
  uint32_t first, end;
} sj_range;

// A rectangle that may be empty. An empty box holds nothing; one that is not empty may still have no area.
typedef struct sj_box {
  bool known, empty;
  stijl_rect rect;
} sj_box;

// --- nodes ---

typedef enum sj_tree_kind {
  SJ_TREE_GROUP,  // item: its viewport in `viewports`, or SJ_NONE
  SJ_TREE_SHAPE,  // item: of `shapes`
  SJ_TREE_IMAGE,  // item: of `pictures`
  SJ_TREE_TEXT    // item: of `texts`
} sj_tree_kind;

typedef struct sj_tree_node {
  uint8_t kind;      // sj_tree_kind
  bool counts;       // it stands for an element, and counts against max_elements when recorded
  bool folds;        // its opacity needs no layer: it is a single draw, or a group of one node that takes it over
  bool invisible;    // it is not drawn, but counts for the boxes of those around it
  uint16_t depth;    // of elements and references, counted from its root
  uint32_t end;      // one past the last node below it
  uint32_t element;  // of the document; SJ_NONE: of another one, or none
  uint32_t item;     // in the table of its kind
  uint32_t layer;    // in `layers`; SJ_NONE: it needs none
  // In `contexts`: what context-fill stands for below it, or in its markers; SJ_NONE: the same as around it.
  uint32_t context;
  float opacity;           // its own, without those around it
  stijl_matrix transform;  // from its user space to that of the node around it
  sj_box box;              // object bounding box in user space, if it was computed
} sj_tree_node;

// A viewport clips what is in it.
typedef struct sj_tree_viewport {
  stijl_rect clip;  // in the space of the node around it
} sj_tree_viewport;

// --- shapes ---

// An outline, which several shapes may share. That of glyphs consists of their outlines, and has no verbs of its own.
typedef struct sj_geometry {
  size_t first_verb, verb_count, first_point, point_count;
  sj_range glyphs;  // of `glyphs`
  sj_box bounds;    // tight
  sj_path_findings findings;
} sj_geometry;

// The outline of a glyph, in units of its font.
typedef struct sj_tree_outline {
  sj_glyph_name name;
  sj_glyph_size size;
  uint32_t geometry;
} sj_tree_outline;

// A placed glyph.
typedef struct sj_tree_glyph {
  uint32_t outline;     // of `outlines`
  stijl_matrix matrix;  // from its units to user space
  sj_glyph_text text;   // of `utf8`
} sj_tree_glyph;

typedef enum sj_tree_paint_kind {
  SJ_TREE_PAINT_NONE,
  SJ_TREE_PAINT_COLOR,
  SJ_TREE_PAINT_SERVER,
  SJ_TREE_PAINT_CONTEXT_FILL,
  SJ_TREE_PAINT_CONTEXT_STROKE
} sj_tree_paint_kind;

typedef struct sj_tree_paint {
  sj_tree_paint_kind kind;
  uint32_t server;    // SERVER: of `servers`
  stijl_color color;  // COLOR
} sj_tree_paint;

typedef struct sj_tree_stroke {
  sj_tree_paint paint;
  float opacity;
  float width, miter_limit, dash_offset;
  uint8_t cap, join;  // stijl_cap, stijl_join
  bool non_scaling;   // the pen is round in CSS pixels of the outermost viewport
  sj_range dashes;    // of `numbers`
} sj_tree_stroke;

typedef struct sj_tree_shape {
  uint32_t geometry;
  sj_tree_paint fill;  // none in clip paths, which say themselves what they fill with
  float fill_opacity;
  uint8_t fill_rule;       // stijl_fill_rule
  uint8_t paint_order[3];  // sj_paint_layer
  bool aliased;            // it has no anti-aliasing
  uint32_t stroke;         // of `strokes`; SJ_NONE
  sj_range markers;        // of `marks`
} sj_tree_shape;

// A marker at a vertex.
typedef struct sj_tree_mark {
  uint32_t marker;
  stijl_matrix place;  // from the marker's space, scaled and turned, to that of the shape
} sj_tree_mark;

typedef struct sj_tree_context {
  sj_tree_paint fill, stroke;
  sj_box box;  // of the use element
} sj_tree_context;

// A placed image.
typedef struct sj_tree_picture {
  uint32_t image;
  bool nearest;  // image-rendering
  bool clips;
  stijl_rect rect;     // in user space
  stijl_matrix place;  // from pixels of the image, or CSS pixels of the document, to user space
} sj_tree_picture;

// --- layers ---

// A clip that acts on a node: a clipPath or, where `clip` is SJ_NONE, an outline in the node's user space.
typedef struct sj_tree_clip_use {
  uint32_t clip;
  uint32_t geometry;
  uint8_t rule;  // stijl_fill_rule
} sj_tree_clip_use;

typedef struct sj_tree_layer {
  bool isolates;    // it is needed even without clips, mask and filter
  uint8_t blend;    // stijl_blend
  sj_range clips;   // of `clip_uses`
  uint32_t mask;    // of `masks`; SJ_NONE
  uint32_t filter;  // of `filters`; SJ_NONE
  sj_box box;       // the node's object bounding box, where clips or mask need it
} sj_tree_layer;

// --- definitions: what nodes refer to ---

// A definition has content of its own, which is drawn for all nodes that refer to it: a run of nodes outside of the
// picture's. Definitions may refer to one another in circles: recording marks the `identity` of a definition as open,
// and skips one that is open already.
typedef struct sj_definition {
  uint32_t identity;  // the same for all definitions made of one element
  sj_range nodes;
} sj_definition;

typedef struct sj_tree_clip {
  sj_definition of;
  bool nothing;    // it is empty, so all is clipped away
  bool single;     // its content is one shape, or a group around one
  bool box_units;  // its content is in units of the box
  bool has_own;    // a clip path acts on it, too: see sj_resolve_clip
  stijl_matrix transform;
} sj_tree_clip;

// How a layer of a mask is put together with those below it.
typedef enum sj_tree_composite {
  SJ_COMPOSITE_ADD,
  SJ_COMPOSITE_SUBTRACT,  // what is not in those below
  SJ_COMPOSITE_INTERSECT,
  SJ_COMPOSITE_EXCLUDE
} sj_tree_composite;

// A layer of a mask: a mask element, a gradient or an image; or, where its tile is empty, nothing.
typedef struct sj_tree_mask_layer {
  uint8_t kind;       // stijl_mask: what of the picture counts
  uint8_t composite;  // sj_tree_composite
  bool is_image;
  uint32_t mask;    // of `masks`; SJ_NONE
  uint32_t server;  // of `servers`: a gradient, whose colours are white; SJ_NONE
  sj_tree_picture picture;
  stijl_rect clip;       // where it is painted, in the user space of the node that has the mask, as all of these
  stijl_rect tile;       // of the gradient or image,
  float step_x, step_y;  // how far apart its copies are; 0: there is one
} sj_tree_mask_layer;

typedef struct sj_tree_mask {
  sj_definition of;
  bool nothing;                  // its region is empty
  bool box_region, box_content;  // whether the region and the content are in units of the box
  bool needs_box;                // it, or a mask on it, is in units of the box
  stijl_mask kind;
  stijl_rect region;
  uint32_t mask;  // the mask on this one's content; SJ_NONE
  // Of `mask_layers`, the topmost first: the mask has these instead of a content. They are put together as numbers,
  // which are greys on black, where `composes`; else the pictures of all lie upon each other.
  sj_range layers;
  bool composes;
} sj_tree_mask;

// A marker's content is one group.
typedef struct sj_tree_marker {
  sj_definition of;
} sj_tree_marker;

typedef enum sj_tree_server_kind {
  SJ_TREE_SERVER_COLOR,  // a gradient with only one colour
  SJ_TREE_SERVER_LINEAR,
  SJ_TREE_SERVER_RADIAL,
  SJ_TREE_SERVER_SWEEP,   // CSS's conic gradients
  SJ_TREE_SERVER_MESH,    // from here on they are recorded for a scale
  SJ_TREE_SERVER_PATTERN  // hatches as well
} sj_tree_server_kind;

// A patch of a mesh: the points of the four curves around it, from its top left corner on, clockwise in the grid of
// patches, and the colours of its corners.
typedef struct sj_tree_patch {
  stijl_point points[12];
  stijl_color colors[4];
} sj_tree_patch;

typedef struct sj_tree_server {
  sj_tree_server_kind kind;
  bool box_units;  // of gradients: the transform's result is in the unit square of the box
  stijl_matrix transform;
  stijl_color color;
  stijl_point p0, p1;
  float r0, r1;
  float start_angle, end_angle, lead_angle;  // as in stijl_paint
  stijl_spread spread;
  sj_range stops;  // of `stops`
  // MESH: of `patches`, row by row.
  sj_range patches;
  uint32_t columns;
  bool bicubic;  // how colours are interpolated; else bilinearly
  // PATTERN, see sj_tree_tile. The tile is in units of the box where box_units, its content where box_content.
  sj_definition of;
  bool box_content, has_view_box;
  stijl_rect tile;
  sj_view_box view_box;
  sj_aspect aspect;
} sj_tree_server;

// --- images ---

typedef struct sj_tree sj_tree;

// A loaded image: pixels, a document, or a scene; none of them when it could not be loaded.
typedef struct sj_tree_image {
  stijl_image *pixels;
  const sj_tree *document;
  stijl_scene *scene;  // see sj_color_picture
  bool is_glyph;       // the document or scene is that of a colour glyph
} sj_tree_image;

// A cell of text. These count for boxes, rather than outlines.
typedef struct sj_tree_cell {
  stijl_matrix matrix;  // to the text's user space
  stijl_rect rect;
} sj_tree_cell;

// A text. Below its node are shapes, in painting order: those of its lines and glyphs.
typedef struct sj_tree_text {
  sj_range cells;  // of `cells`
} sj_tree_text;

// --- filters ---

// What an feImage shows: an element, or the picture of a file.
typedef struct sj_tree_filter_content {
  sj_definition of;
  stijl_rect rect;  // where the picture is
} sj_tree_filter_content;

// What a filter shows that has to be recorded with it: what an feImage shows, or FillPaint and StrokePaint.
typedef struct sj_tree_filter_image {
  uint32_t content;    // of `filter_contents`; SJ_NONE: the region is painted
  uint32_t scene;      // number of the scene in the filter that it fills
  stijl_matrix place;  // from the content to the user space of the node that has the filter
  uint32_t node;       // that has the filter; the paint may depend on its box
  sj_tree_paint paint;
  float opacity;  // of the paint
  stijl_rect region;
} sj_tree_filter_image;

// How far the result of a filter reaches in user space: within the region if it is bounded, else as far as its input,
// and further by so much on each side.
typedef struct sj_tree_reach {
  bool nothing, bounded;
  stijl_rect region;
  float left, top, right, bottom;
} sj_tree_reach;

// A filter, in the user space of the node that has it.
typedef struct sj_tree_filter {
  stijl_filter *filter;
  sj_tree_reach reach;
  sj_range images;  // of `filter_images`
} sj_tree_filter;

// --- the tree ---

struct sj_tree {
  stijl_context *context;
  uint32_t number;      // among the documents that were loaded together; the outermost is 0
  uint32_t identities;  // how many elements have definitions
  uint64_t elements;    // that resolving counted, with those of definitions and embedded documents
  uint32_t max_elements, max_depth;
  float width, height;  // CSS pixels
  bool lacks_image;     // an image, or a document that is used, could not be loaded
  bool by_canvas;       // some length is in vw or vh, which here refer to a canvas of this size
  float left, top;      // where the content begins, if the document has the size of its content; else 0
  stijl_color background;
  sj_range picture;              // the nodes of the picture: none, or node 0 and all below it
  SJ_ARRAY(sj_tree_node) nodes;  // those of the picture, then those of definitions
  SJ_ARRAY(sj_tree_viewport) viewports;
  SJ_ARRAY(sj_tree_shape) shapes;
  SJ_ARRAY(sj_tree_stroke) strokes;
  SJ_ARRAY(sj_tree_picture) pictures;
  SJ_ARRAY(sj_tree_text) texts;
  SJ_ARRAY(sj_tree_cell) cells;
  SJ_ARRAY(sj_tree_context) contexts;
  SJ_ARRAY(sj_tree_layer) layers;
  SJ_ARRAY(sj_tree_clip_use) clip_uses;
  SJ_ARRAY(sj_tree_mark) marks;
  SJ_ARRAY(sj_tree_clip) clips;
  SJ_ARRAY(sj_tree_mask) masks;
  SJ_ARRAY(sj_tree_mask_layer) mask_layers;
  SJ_ARRAY(sj_tree_marker) markers;
  SJ_ARRAY(sj_tree_server) servers;
  SJ_ARRAY(sj_tree_filter) filters;
  SJ_ARRAY(sj_tree_filter_image) filter_images;
  SJ_ARRAY(sj_tree_filter_content) filter_contents;
  SJ_ARRAY(sj_tree_image) images;
  SJ_ARRAY(struct sj_loaded *) embedded;  // the documents that images show, owned
  SJ_ARRAY(stijl_stop) stops;
  SJ_ARRAY(sj_tree_patch) patches;
  SJ_ARRAY(float) numbers;
  SJ_ARRAY(sj_geometry) geometries;
  SJ_ARRAY(sj_tree_outline) outlines;
  SJ_ARRAY(sj_tree_glyph) glyphs;
  SJ_ARRAY(char) utf8;  // what glyphs say
  SJ_ARRAY(unsigned char) verbs;
  SJ_ARRAY(stijl_point) points;
};

void sj_tree_finish(sj_tree *tree);
// Removes the outlines from number `count` on; what they are made of stays.
void sj_tree_cut_geometries(sj_tree *tree, size_t count);

// Returns an outline as a path that borrows the tree's memory: it must not be changed or destroyed.
stijl_path sj_tree_path(const sj_tree *tree, uint32_t geometry);
// Adds the outlines of a geometry's glyphs to a path, whose status tells of failures.
void sj_tree_glyph_path(const sj_tree *tree, uint32_t geometry, stijl_path *out);
static inline bool sj_has_glyphs(const sj_geometry *geometry) { return geometry->glyphs.first < geometry->glyphs.end; }

// Adds a rectangle, clamped to the range of coordinates that paths take.
void sj_add_rect(stijl_path *path, stijl_rect rect);

// --- boxes ---

void sj_box_add(sj_box *box, stijl_rect rect);
// Returns the matrix from the unit square to the box.
stijl_matrix sj_box_matrix(stijl_rect box);
// Returns whether objectBoundingBox units can refer to it.
bool sj_box_has_area(const sj_box *box);

typedef enum sj_measure {
  SJ_MEASURE_FILL,   // outlines and images: the object bounding box
  SJ_MEASURE_INK,    // these and strokes, dashes ignored
  SJ_MEASURE_LAYER,  // what is drawn of these and of markers, within clips and masks
  SJ_MEASURE_BOUND   // a rectangle that surely holds all that is drawn, clips ignored
} sj_measure;

// The boxes of a node in its user space, by sj_measure up to LAYER.
typedef struct sj_tree_boxes {
  sj_box of[SJ_MEASURE_LAYER + 1];
} sj_tree_boxes;

// Adds to *box what the nodes of a run reach, in the space that `matrix` takes them to. Returns false when memory is
// short or the budget of `context` is spent.
bool sj_tree_measure(const sj_tree *tree, stijl_context *context, sj_range nodes, const stijl_matrix *matrix,
                     sj_measure what, sj_box *box);
// Does the same for one node in its own user space.
bool sj_tree_measure_node(const sj_tree *tree, stijl_context *context, uint32_t node, sj_measure what, sj_box *box);
// Does the same in the space that `matrix` takes the node to. `boxes` (may be NULL) has those of all nodes behind it,
// where they are known.
bool sj_tree_measure_in(const sj_tree *tree, stijl_context *context, uint32_t node, const stijl_matrix *matrix,
                        sj_measure what, const sj_tree_boxes *boxes, sj_box *box);

// --- patterns ---

// Returns where a pattern's tile is for an element with that object bounding box, in the space of the pattern's
// transform. *content becomes the matrix from the content to the tile's corner.
stijl_rect sj_tree_tile(const sj_tree_server *pattern, const sj_box *box, stijl_matrix *content);

#endif
