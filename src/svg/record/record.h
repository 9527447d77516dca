// What the files that record a render tree as a scene share.
#ifndef SJ_SVG_RECORD_RECORD_H
#define SJ_SVG_RECORD_RECORD_H

#include "base/budget.h"
#include "stijl/scene.h"
#include "svg/resolve/tree.h"

// How many halvings of a picture are kept for drawing it small. No image is so large that it needs more.
#define SJ_MAX_LEVELS 15

// What recording keeps of an image, for as long as it draws the tree.
typedef struct sj_kept_image {
  stijl_image *half[SJ_MAX_LEVELS];  // each is half as large as the one before; made when needed
  uint32_t glyphs;                   // of a colour glyph: 1 + its newest scene; 0: none yet
} sj_kept_image;

// What recording keeps of a tree: that of the document, or of a document that it shows.
typedef struct sj_recorded_tree {
  bool *open;             // for each identity of definitions: its content is being recorded; NULL: none is
  sj_kept_image *images;  // one for each image; NULL: none yet
  size_t image_count;
} sj_recorded_tree;

// How many pixels the scene of a colour glyph has for each CSS pixel of its document.
typedef struct sj_glyph_scale {
  float x, y;
} sj_glyph_scale;

// A colour glyph as it is recorded for a scale.
typedef struct sj_glyph_scene {
  sj_glyph_scale scale;
  stijl_scene *scene;
  uint32_t next;  // 1 + the next of the same glyph; 0: none
} sj_glyph_scene;

// A layer that has been pushed, with the mask or clip path that is to be drawn before it is popped.
typedef struct sj_pending {
  const sj_tree_clip *clip;
  const sj_tree_mask *mask;  // at most one of both is set
  stijl_mask kind;           // of the mask: what of its picture counts
  const sj_box *box;
  stijl_matrix matrix;  // of the node that has them
} sj_pending;

// The scene of a pattern's tile, or of a mesh.
typedef struct sj_pattern_tile {
  const sj_tree_server *server;
  int width, height;
  stijl_matrix matrix;  // from the content to the tile
  stijl_scene *scene;
} sj_pattern_tile;

typedef struct sj_recorder {
  stijl_context *context;  // counts for the budget
  stijl_message *message;
  stijl_result result;                 // the first failure
  double detail;                       // stijl_svg_params.detail; 0: that is 1
  uint64_t elements;                   // recorded so far
  SJ_ARRAY(sj_recorded_tree) sources;  // by sj_tree.number
  SJ_ARRAY(sj_pending) pending;
  SJ_ARRAY(sj_pattern_tile) tiles;
  SJ_ARRAY(sj_glyph_scene) glyphs;
  SJ_ARRAY(stijl_path *) spare_paths;
  // The glyph run that is being recorded.
  SJ_ARRAY(stijl_instance) instances;
  SJ_ARRAY(stijl_matrix) matrices;
  SJ_ARRAY(sj_glyph_text) texts;
} sj_recorder;

// The element that context-fill and context-stroke refer to: the shape that has a marker, or a use element.
typedef struct sj_context_element sj_context_element;

// Where nodes are recorded. Each node has a place of its own.
typedef struct sj_record_place {
  const sj_tree *tree;
  stijl_scene *scene;
  stijl_matrix host;                  // from CSS pixels of the outermost viewport to the scene
  stijl_matrix matrix;                // from user space to the scene
  const sj_context_element *context;  // NULL: none
  float opacity;                      // which a group has passed on to its only node; else 1
  uint32_t depth;                     // nesting of what contains the nodes; their own depth is added to it
  uint32_t level;                     // nesting of the node that has this place
} sj_record_place;

struct sj_context_element {
  const sj_tree_paint *fill, *stroke;
  sj_box box;
  sj_record_place place;  // its own
};

// --- record.c ---

// Records a document; `host` takes its CSS pixels to the scene.
void sj_record_tree(sj_recorder *r, const sj_record_place *place, const sj_tree *tree, const stijl_matrix *host);
// Records one node of the picture with all below it. `outer` takes the space around the node to the scene, and `host`
// the CSS pixels of the document.
void sj_record_alone(sj_recorder *r, stijl_scene *scene, const sj_tree *tree, uint32_t node, const stijl_matrix *outer,
                     const stijl_matrix *host);
void sj_recorder_finish(sj_recorder *r);

static inline bool sj_recording(const sj_recorder *r) { return r->result == STIJL_OK; }
// Makes recording fail with a formatted message; the first failure stays.
void sj_record_fail(sj_recorder *r, stijl_result result, const char *format, ...) __attribute__((format(printf, 3, 4)));
void sj_record_fail_memory(sj_recorder *r);
// Fails if a call about a path, image or scene has failed.
bool sj_record_check(sj_recorder *r, stijl_result result);
// Counts an element against the limits. Returns false if recording has to stop.
bool sj_record_count(sj_recorder *r, const sj_record_place *place, uint32_t depth);
// Takes an empty path from the pool (NULL on failure), or gives it back (NULL is ignored).
stijl_path *sj_record_take_path(sj_recorder *r);
void sj_record_give_path(sj_recorder *r, stijl_path *path);
// Returns what is kept of the tree; NULL when memory is short. Valid until the next call.
sj_recorded_tree *sj_record_source(sj_recorder *r, const sj_tree *tree);

void sj_record_nodes(sj_recorder *r, const sj_record_place *place, sj_range nodes);
// Returns whether a definition is being recorded. One may lead back to itself, and then is not recorded again within.
bool sj_is_open(sj_recorder *r, const sj_record_place *place, const sj_definition *definition);
// Marks a definition as being recorded. Returns false when it is already, or memory is short.
bool sj_open_definition(sj_recorder *r, const sj_record_place *place, const sj_definition *definition);
void sj_close_definition(sj_recorder *r, const sj_record_place *place, const sj_definition *definition);
// Returns the place of a definition's content, for a node at `place` that refers to it.
sj_record_place sj_place_of_content(const sj_record_place *place, const stijl_matrix *matrix);

// --- shape.c ---

// Records a shape. `place` is the node's own, and has its opacity.
void sj_record_shape(sj_recorder *r, const sj_record_place *place, const sj_tree_node *node);

// --- layer.c ---

// Pushes the layers around a node, which have the opacity. `place` is the node's own, `layer` may be SJ_NONE, and
// *first is for sj_pop_layers. Returns false, with no layer pushed, if nothing of it is visible.
bool sj_push_layers(sj_recorder *r, const sj_record_place *place, uint32_t layer, float opacity, size_t *first);
void sj_pop_layers(sj_recorder *r, const sj_record_place *place, size_t first);
// Pushes the layers of a mask, with what counts of its picture, as sj_push_layers does.
bool sj_push_mask(sj_recorder *r, const sj_record_place *place, uint32_t mask, stijl_mask kind, const sj_box *box,
                  size_t *first);
// Pushes a layer that clips to a rectangle in the user space of the place.
void sj_push_clip_rect(sj_recorder *r, const sj_record_place *place, stijl_rect rect, float opacity);

// --- mask.c ---

// Draws the layers of a mask, within the mask of a layer.
void sj_record_mask_layers(sj_recorder *r, const sj_record_place *place, const sj_tree_mask *mask, const sj_box *box);

// --- filter.c ---

// Returns the filter of a layer, with what its images show in it, which the caller destroys; NULL on failure.
stijl_filter *sj_record_filter(sj_recorder *r, const sj_record_place *place, uint32_t filter);

// --- paint.c ---

// Makes a paint for the scene. `box` is that of the painted node. Returns false if nothing is painted.
bool sj_record_paint(sj_recorder *r, const sj_record_place *place, const sj_tree_paint *value, const sj_box *box,
                     float opacity, stijl_paint *out);
// Finds how many pixels a tile of that size has, which the matrix takes to the scene. Returns false if it is not seen.
bool sj_tile_pixels(const stijl_matrix *seen, float width, float height, int *columns, int *rows);
void sj_finish_tiles(sj_recorder *r);

// --- mesh.c ---

// Finds the rectangle that the points of a mesh take. Returns false if it has no area.
bool sj_mesh_rect(const sj_tree *tree, const sj_tree_server *mesh, stijl_rect *out);
// Fills in size and matrix of the tile for a mesh with that rectangle, which the matrix takes to the scene. Returns
// false if it is not seen.
bool sj_mesh_pixels(const stijl_matrix *seen, const stijl_rect *rect, sj_pattern_tile *tile);
// Returns the finished scene of the tile; NULL on failure.
stijl_scene *sj_record_mesh_tile(sj_recorder *r, const sj_tree *tree, const sj_tree_server *mesh,
                                 const sj_pattern_tile *tile);

// --- image.c ---

void sj_record_image(sj_recorder *r, const sj_record_place *place, const sj_tree_node *node);
void sj_record_picture(sj_recorder *r, const sj_record_place *place, const sj_tree_picture *picture);
// Returns what is kept of an image of the tree; NULL when memory is short.
sj_kept_image *sj_record_image_of(sj_recorder *r, const sj_tree *tree, uint32_t image);

// --- glyph.c ---

// Returns whether what is recorded of a colour glyph's document depends on the scale: images are reduced to it, and
// tiles have whole pixels.
bool sj_glyph_has_scale(const sj_tree *document);
// Returns the scale at which a document is seen under a matrix; 0 if not at all.
sj_glyph_scale sj_glyph_scale_of(const stijl_matrix *matrix);
// Returns the finished scene of a glyph's document, whose memory is that of `memory`; NULL on failure.
stijl_scene *sj_record_glyph(sj_recorder *r, stijl_context *memory, const sj_tree *document, sj_glyph_scale scale);
// Draws it. `matrix` takes CSS pixels of the document to the scene.
void sj_add_glyph(stijl_scene *scene, const stijl_scene *glyph, sj_glyph_scale scale, const stijl_matrix *matrix,
                  float opacity);
// Records a picture that is a colour glyph.
void sj_record_glyph_image(sj_recorder *r, const sj_record_place *place, const sj_tree_picture *picture);

#endif
