// The render tree: a document with nothing left to look up. Nodes are flat, styles are computed, and what they refer to
// stands in tables. It does not depend on the size of the picture, points into no document, and never changes once it
// is resolved, so any number of threads may record it.
#ifndef SJ_SVG_RESOLVE_TREE_H
#define SJ_SVG_RESOLVE_TREE_H

#include "base/array.h"
#include "geometry/path.h"
#include "scene/outlines.h"
#include "stijl/filter.h"
#include "svg/parse/values.h"

// No node, no entry of a table.
#define SJ_NONE UINT32_MAX

// Entries of a table, or nodes, from `first` to before `end`.
typedef struct sj_range {
  uint32_t first, end;
} sj_range;

// A rectangle that may be empty. An empty one has no area; one that is not may have none either.
typedef struct sj_box {
  bool known, empty;
  stijl_rect rect;
} sj_box;

// --- nodes ---

typedef enum sj_tree_kind {
  SJ_TREE_GROUP,  // children within layers; item: of `viewports`, or SJ_NONE
  SJ_TREE_SHAPE,  // item: of `shapes`
  SJ_TREE_IMAGE,  // item: of `pictures`
  SJ_TREE_TEXT    // item: of `texts`
} sj_tree_kind;

typedef struct sj_tree_node {
  uint8_t kind;      // sj_tree_kind
  bool counts;       // stands for an element: what is recorded is limited by their number
  bool folds;        // needs no layer for its opacity: it is a single draw, or a group of one, which takes it over
  bool invisible;    // is not drawn, although it counts for the boxes of those around it
  uint16_t depth;    // nesting of elements and references, from its root
  uint32_t end;      // one past the last node below it
  uint32_t element;  // of the document; SJ_NONE: of another one, or none
  uint32_t item;     // of the table of its kind
  uint32_t layer;    // of `layers`; SJ_NONE: it needs none
  uint32_t
      context;    // of `contexts`: what context-fill is below it, or in its markers; SJ_NONE: that of what is around it
  float opacity;  // its own
  stijl_matrix transform;  // from its user space to that of the node around it
  sj_box box;  // the object bounding box in its user space, as far as resolving needed it: sj_tree_box finds any
} sj_tree_node;

// A viewport clips what is in it.
typedef struct sj_tree_viewport {
  stijl_rect clip;  // in the space of the node around it
} sj_tree_viewport;

// --- shapes ---

// An outline. Several shapes may have the same. That of glyphs consists of theirs, and has no verbs of its own.
typedef struct sj_geometry {
  size_t first_verb, verb_count, first_point, point_count;
  sj_range glyphs;  // of `glyphs`
  sj_box bounds;  // tight
} sj_geometry;

// The outline of a glyph, in units of its font.
typedef struct sj_tree_outline {
  sj_glyph_name name;
  uint32_t geometry;
} sj_tree_outline;

// A glyph as it is placed.
typedef struct sj_tree_glyph {
  uint32_t outline;     // of `outlines`
  stijl_matrix matrix;  // from its units to user space
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
  sj_tree_paint fill;  // the children of clip paths have none: the clip path says what they are filled with
  float fill_opacity;
  uint8_t fill_rule;       // stijl_fill_rule
  uint8_t paint_order[3];  // sj_paint_layer
  bool aliased;            // shape-rendering asks for no anti-aliasing
  uint32_t stroke;         // of `strokes`; SJ_NONE
  sj_range markers;        // of `marks`
} sj_tree_shape;

// A marker as it stands at a vertex.
typedef struct sj_tree_mark {
  uint32_t marker;
  stijl_matrix place;  // from the marker's space, scaled and turned, to that of the shape
} sj_tree_mark;

typedef struct sj_tree_context {
  sj_tree_paint fill, stroke;
  sj_box box;  // of the use element
} sj_tree_context;

// --- layers ---

// A clip that acts on a node: a clipPath or, where `clip` is SJ_NONE, an outline in the node's user space.
typedef struct sj_tree_clip_use {
  uint32_t clip;
  uint32_t geometry;
  uint8_t rule;  // stijl_fill_rule
} sj_tree_clip_use;

typedef struct sj_tree_layer {
  bool isolates;    // it is needed even without clips and mask
  uint8_t blend;    // stijl_blend
  sj_range clips;   // of `clip_uses`
  uint32_t mask;    // of `masks`; SJ_NONE
  uint32_t filter;  // of `filters`; SJ_NONE
  sj_box box;       // the node's object bounding box where clips or mask need it
} sj_tree_layer;

// --- definitions: what nodes refer to ---

// Each definition has content of its own, which is drawn by all that refer to it: a run of nodes outside of those of
// the picture. Definitions may refer to one another in circles: who records a definition marks its `identity` as open,
// and does not record one that is.
typedef struct sj_definition {
  uint32_t identity;  // equal for definitions that come from one element
  sj_range nodes;
} sj_definition;

typedef struct sj_tree_clip {
  sj_definition of;
  bool nothing;    // nothing is in it: all is clipped away
  bool single;     // it holds one shape: its content is that, or a group around it
  bool box_units;  // its content is in units of the box
  bool has_own;    // a clip path acts on it, too: see sj_resolve_clip
  stijl_matrix transform;
} sj_tree_clip;

typedef struct sj_tree_mask {
  sj_definition of;
  bool nothing;                  // its region is empty
  bool box_region, box_content;  // the region, the content is in units of the box
  bool needs_box;                // it, or the mask that acts on it, is in units of the box
  stijl_mask kind;
  stijl_rect region;
  uint32_t mask;  // acts on this one's content; SJ_NONE
} sj_tree_mask;

// A marker's content is one group.
typedef struct sj_tree_marker {
  sj_definition of;
} sj_tree_marker;

typedef enum sj_tree_server_kind {
  SJ_TREE_SERVER_COLOR,  // a gradient of one colour
  SJ_TREE_SERVER_LINEAR,
  SJ_TREE_SERVER_RADIAL,
  SJ_TREE_SERVER_SWEEP,  // of colour glyphs
  SJ_TREE_SERVER_PATTERN
} sj_tree_server_kind;

typedef struct sj_tree_server {
  sj_tree_server_kind kind;
  bool box_units;  // gradients: the space of the transform's result is the unit square over the box
  stijl_matrix transform;
  stijl_color color;
  stijl_point p0, p1;
  float r0, r1;
  float start_angle, end_angle, lead_angle;  // as in stijl_paint
  stijl_spread spread;
  sj_range stops;  // of `stops`
  // PATTERN: see sj_tree_tile. The tile is in units of the box where box_units, its content where box_content.
  sj_definition of;
  bool box_content, has_view_box;
  stijl_rect tile;
  sj_view_box view_box;
  sj_aspect aspect;
} sj_tree_server;

// --- images ---

typedef struct sj_tree sj_tree;

// What was loaded: pixels or a document; neither when it could not be.
typedef struct sj_tree_image {
  stijl_image *pixels;
  const sj_tree *document;
  bool is_glyph;  // the document is that of a colour glyph
} sj_tree_image;

// An image as it is placed.
typedef struct sj_tree_picture {
  uint32_t image;
  bool nearest;  // image-rendering
  bool clips;
  stijl_rect rect;     // in user space
  stijl_matrix place;  // from pixels of the image, or CSS pixels of the document, to user space
} sj_tree_picture;

// A cell of text: what counts for boxes, rather than outlines.
typedef struct sj_tree_cell {
  stijl_matrix matrix;  // to the text's user space
  stijl_rect rect;
} sj_tree_cell;

// Text. Below its node are shapes, in painting order: those of its lines and glyphs.
typedef struct sj_tree_text {
  sj_range cells;  // of `cells`
} sj_tree_text;

// --- filters ---

// What feImages show: an element, or the picture of a file.
typedef struct sj_tree_filter_content {
  sj_definition of;
  stijl_rect rect;  // where the picture is
} sj_tree_filter_content;

// What a filter draws that is recorded with it: what an feImage shows, or FillPaint and StrokePaint.
typedef struct sj_tree_filter_image {
  uint32_t content;    // of `filter_contents`; SJ_NONE: the region is painted
  uint32_t scene;      // of the filter: the place that the content takes
  stijl_matrix place;  // from the content to the user space of the node that has the filter
  uint32_t node;       // which has the filter, whose box the paint may be relative to
  sj_tree_paint paint;
  float opacity;  // of the paint
  stijl_rect region;
} sj_tree_filter_image;

// How far what a filter makes reaches, in user space: within the region if it is bounded, else as far as what it is
// made of, and further by so much to each side.
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
  uint32_t number;      // among the documents that were loaded together, the outermost being 0
  uint32_t identities;  // how many elements there are definitions of
  uint64_t elements;    // that resolving counted, those of definitions and embedded documents included
  uint32_t max_elements, max_depth;
  float width, height;  // CSS pixels
  bool lacks_image;     // an image, or a document that is used, could not be loaded
  bool by_canvas;       // some length is in vw or vh, which here are those of a canvas of that size
  float left, top;      // where the content begins in a document that has the size of its content; else 0
  stijl_color background;
  sj_range picture;              // the nodes of the picture: none, or node 0 and what is below it
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
  SJ_ARRAY(sj_tree_marker) markers;
  SJ_ARRAY(sj_tree_server) servers;
  SJ_ARRAY(sj_tree_filter) filters;
  SJ_ARRAY(sj_tree_filter_image) filter_images;
  SJ_ARRAY(sj_tree_filter_content) filter_contents;
  SJ_ARRAY(sj_tree_image) images;
  SJ_ARRAY(struct sj_loaded *) embedded;  // the documents that images show
  SJ_ARRAY(stijl_stop) stops;
  SJ_ARRAY(float) numbers;
  SJ_ARRAY(sj_geometry) geometries;
  SJ_ARRAY(sj_tree_outline) outlines;
  SJ_ARRAY(sj_tree_glyph) glyphs;
  SJ_ARRAY(unsigned char) verbs;
  SJ_ARRAY(stijl_point) points;
};

void sj_tree_finish(sj_tree *tree);

// The outline as a path that borrows the tree's memory: never to be changed or destroyed.
stijl_path sj_tree_path(const sj_tree *tree, uint32_t geometry);
// The outlines of a geometry's glyphs, as one path; its status tells of failures.
void sj_tree_glyph_path(const sj_tree *tree, uint32_t geometry, stijl_path *out);
static inline bool sj_has_glyphs(const sj_geometry *geometry) { return geometry->glyphs.first < geometry->glyphs.end; }

// A rectangle, clamped to the range of coordinates that paths take.
void sj_add_rect(stijl_path *path, stijl_rect rect);

// --- boxes ---

void sj_box_add(sj_box *box, stijl_rect rect);
// The matrix from the unit square to the box.
stijl_matrix sj_box_matrix(stijl_rect box);
// Whether objectBoundingBox units can be used with it.
bool sj_box_has_area(const sj_box *box);

typedef enum sj_measure {
  SJ_MEASURE_FILL,   // outlines and images: the object bounding box
  SJ_MEASURE_INK,    // these and strokes, without dashes
  SJ_MEASURE_LAYER,  // what is drawn of them and of markers, within clips and masks
  SJ_MEASURE_BOUND   // a rectangle that surely holds all that is drawn, clips apart
} sj_measure;

// The boxes of a node in its user space, by sj_measure up to LAYER.
typedef struct sj_tree_boxes {
  sj_box of[SJ_MEASURE_LAYER + 1];
} sj_tree_boxes;

// Adds to *box what the nodes of a run reach, in the space that `matrix` takes them to. False when memory is short or
// the budget of `context` is spent.
bool sj_tree_measure(const sj_tree *tree, stijl_context *context, sj_range nodes, const stijl_matrix *matrix,
                     sj_measure what, sj_box *box);
// The same for one node, in its own user space.
bool sj_tree_measure_node(const sj_tree *tree, stijl_context *context, uint32_t node, sj_measure what, sj_box *box);
// The same in the space that `matrix` takes it to. `boxes` (NULL: none) has those that are known of all nodes behind
// it.
bool sj_tree_measure_in(const sj_tree *tree, stijl_context *context, uint32_t node, const stijl_matrix *matrix,
                        sj_measure what, const sj_tree_boxes *boxes, sj_box *box);

// --- patterns ---

// Where a pattern's tile stands for an element with that object bounding box, in the space of its transform, and the
// matrix from the content to the tile's corner.
stijl_rect sj_tree_tile(const sj_tree_server *pattern, const sj_box *box, stijl_matrix *content);

#endif
