// SVG documents: loading them, drawing them, and asking what they draw.
#ifndef STIJL_SVG_H
#define STIJL_SVG_H

#include <math.h>

#include "stijl/budget.h"
#include "stijl/fonts.h"
#include "stijl/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// Bounds on what one document may ask for. Reaching one is STIJL_ERROR_LIMIT, and the message names it. Nesting takes
// the calling thread's stack: half a MiB at the default depth, and 2 MiB at the largest, 1024.
typedef struct stijl_svg_limits {
  uint64_t max_bytes;     // of the document, uncompressed; default 2^28
  uint32_t max_elements;  // elements that are drawn; one counts each time that it is used; default 2^20
  // How deep elements are nested, in XML and through use, pattern, mask and the like; default 256, at most 1024.
  uint32_t max_depth;
  // Seconds by the clock for loading and for building each scene, where no budget is given. The default, 0, stands for
  // the defaults of budgets.
  double max_seconds;
} stijl_svg_limits;

// How a document is loaded.
typedef struct stijl_svg_params {
  size_t size;  // bytes of this struct; set by the initialiser
  // The folder of the document. Files in it and below it may be read if the document refers to them. NULL reads no
  // file.
  const char *base_folder;
  bool allow_all_files;  // also reads files elsewhere; network addresses are never read
  float dpi;             // pixels per inch of absolute units, above 0; default 96
  const char *language;  // the user's languages, separated by commas, for systemLanguage; default "en"
  stijl_svg_limits limits;
  stijl_image_limits image_limits;
  // A CSS style sheet, NUL-terminated, that comes before the document's own; NULL for none.
  const char *style_sheet;
  // Bounds loading the document and building its scenes together, and must have been created with the same context. The
  // document keeps it. If it is NULL, each call has a budget of its own.
  stijl_budget *budget;
  // The fonts that text is drawn with where the document's own do not serve. They must outlive the document. NULL
  // stands for the system's.
  stijl_fonts *fonts;
  float font_size;  // of text that has none, in CSS pixels, 0 or more; default 16
  // The time at which animations are shown, in seconds from the document's begin, 0 or more; default 0. STIJL_SVG_END
  // is the time when all animations that end have ended; the others are as they are then.
  double time;
  // Gives the files that the document refers to: images, fonts, style sheets, and documents of `use`. It is asked for
  // each before the folder is looked at, by the thread that calls the library, while the document is loaded or one of
  // its scenes is made. `url` is as the document has it, without its fragment, or as it follows from the address of the
  // style sheet that has it. It is hostile input, as all of the document is. The function is not asked for data URLs,
  // nor for what embedded documents refer to, which is never read.
  //
  // If it returns STIJL_OK, *data is what the file holds and *bytes its length; they are copied, and need to stay only
  // until the next call of the function or the end of the library's call. If it returns STIJL_ERROR_UNSUPPORTED, it
  // knows no such file, and the folder is looked at. With any other result there is no such file. If it is NULL, files
  // are read from the folder alone.
  stijl_result (*read)(void *user, const char *url, const void **data, size_t *bytes);
  // Passed to `read`.
  void *read_user;
  // An image that is drawn smaller than it is is reduced to about the size at which it is drawn, times this number.
  // More than the default, 1, is for scenes that are exported or drawn larger.
  double detail;
} stijl_svg_params;

// A time after the end of everything that ends.
#define STIJL_SVG_END HUGE_VAL

#define STIJL_SVG_PARAMS_INIT                                                                        \
  STIJL_INIT(stijl_svg_params, .dpi = 96.0f, .language = "en",                                       \
             .limits = {.max_bytes = (uint64_t)1 << 28, .max_elements = 1u << 20, .max_depth = 256}, \
             .image_limits = STIJL_IMAGE_LIMITS_INIT, .font_size = 16.0f, .detail = 1.0)
STIJL_API void stijl_svg_params_init(stijl_svg_params *params, size_t size);

// A loaded document.
typedef struct stijl_svg stijl_svg;

// Parses SVG or gzipped SVG (svgz), reads what it refers to, and resolves what it draws. `data` and `params` may be
// freed afterwards. A document that is not well-formed XML is STIJL_ERROR_MALFORMED, and the message gives the line.
// Whatever the document asks for and the picture will lack is logged as a warning, once for each kind. Documents within
// the document share its limits. The caller destroys *out, which is NULL on failure.
STIJL_API stijl_result stijl_svg_load(stijl_context *context, const void *data, size_t bytes,
                                      const stijl_svg_params *params, stijl_svg **out, stijl_message *message);
// Frees the document. Its scenes stay. NULL is allowed.
STIJL_API void stijl_svg_destroy(stijl_svg *svg);

// Sets the document's exact size in CSS pixels. If its width or height is absent or a percentage, that side follows
// from the viewBox. If there is no viewBox either, the size is that of the content with its strokes (100 x 100 without
// content), and the scene begins at the content's corner.
STIJL_API void stijl_svg_size(const stijl_svg *svg, float *width, float *height);

// The size of a picture.
typedef struct stijl_svg_fitted {
  float width, height;               // the exact size in pixels, for stijl_svg_scene and stijl_svg_node_scene
  double pixel_width, pixel_height;  // the whole pixels that hold it, at least 1
} stijl_svg_fitted;

// --- time ---

// How long a document's animations go on, including those of documents that it shows. Events never happen, so what
// begins with one never does.
typedef struct stijl_svg_timing {
  size_t size;    // bytes of this struct; set by the initialiser
  bool animated;  // whether there are animations
  double end;     // seconds from the document's begin to the end of the last animation that ends; 0 if none does
  double begun;   // when the last of the animations that repeat for ever has begun
  // The seconds after which all animations that repeat for ever are where they were; 0 if there are none. It is
  // STIJL_SVG_END if that takes more than a day, or if animations begin each other for ever.
  double period;
} stijl_svg_timing;

#define STIJL_SVG_TIMING_INIT STIJL_INIT(stijl_svg_timing, .animated = false)
STIJL_API void stijl_svg_timing_init(stijl_svg_timing *timing, size_t size);

// Sets *out to the times of the document's animations; the caller's initialiser has set out->size. It must not be
// called while another thread uses the document.
STIJL_API stijl_result stijl_svg_get_timing(stijl_svg *svg, stijl_svg_timing *out, stijl_message *message);

// Moves the document to another time, so that it draws the same bits as if it had been loaded with that time in
// stijl_svg_params. Neither the document nor its style sheets are parsed again, and the rules that apply to its
// elements are known, so this takes less time than loading, and none if there are no animations. Nodes get new numbers.
// It must not be called while another thread uses the document, but scenes that were made of it stay as they are. If it
// fails, the document draws nothing until a later call succeeds. Each call has the limits that the document was loaded
// with, except that a budget which was given counts on.
STIJL_API stijl_result stijl_svg_set_time(stijl_svg *svg, double seconds, stijl_message *message);

// --- size ---

// Returns the size of a picture of a document, or of a node's box, that is width x height CSS pixels large. It is
// scaled to fit into box_width x box_height pixels, and fills the side that it meets first exactly. If one side of the
// box is 0, it follows from the other. If both are 0, the size is multiplied by `zoom`, where 1 keeps it. Both axes
// have one scale, so that the last row and column of the whole pixels may be empty in part. A part of less than 1/256
// of a pixel does not add a pixel, because it often comes from the rounding of the size's digits.
STIJL_API stijl_svg_fitted stijl_svg_fit(double width, double height, double box_width, double box_height, double zoom);

// Records the document, scaled to fill width x height pixels, which need not be whole. The scene is finished, and the
// caller destroys it. It is meant to be drawn with an identity transform, but may be drawn with any other: nothing in
// it has a size in pixels, except that images are reduced for this size, and that lengths in vw and vh refer to it.
STIJL_API stijl_result stijl_svg_scene(const stijl_svg *svg, float width, float height, stijl_scene **out,
                                       stijl_message *message);

// --- the render tree ---
//
// What a document draws is a tree of nodes in painting order, numbered from 0, the root. The subtree of a node are the
// nodes from itself to before its `end`. Its first child, if it has any, is the next node, and the next sibling of a
// child is the child's end. An element that several `use` elements show has as many nodes. What is in clip paths,
// masks, markers and patterns has none, and neither has what is not displayed. Nodes are valid as long as the document,
// until stijl_svg_set_time.

#define STIJL_SVG_NO_NODE UINT32_MAX

// What a node draws.
typedef enum stijl_svg_kind { STIJL_SVG_GROUP, STIJL_SVG_SHAPE, STIJL_SVG_IMAGE, STIJL_SVG_TEXT } stijl_svg_kind;

// A node.
typedef struct stijl_svg_node {
  size_t size;  // bytes of this struct; set by the initialiser
  stijl_svg_kind kind;
  uint32_t end, parent;  // the node behind the subtree, and the node around; the root's parent is STIJL_SVG_NO_NODE
  // The name of the element that the node stands for, and its id. They are "" if there is none: the content of a
  // viewport is a node of its own, and so is an element of another file. Both strings belong to the document.
  const char *element, *id;
  // From the node's user space to that of its parent; of the root, to CSS pixels of the document.
  stijl_matrix transform;
  stijl_matrix to_canvas;  // from the node's user space to CSS pixels of the document
  // Where the element's tag begins, as a byte of the uncompressed document. If an entity holds the element, it is where
  // the reference to the entity begins. It is 0 if there is no element.
  uint64_t offset;
} stijl_svg_node;

#define STIJL_SVG_NODE_INIT                                                                                  \
  STIJL_INIT(stijl_svg_node, .kind = STIJL_SVG_GROUP, .end = STIJL_SVG_NO_NODE, .parent = STIJL_SVG_NO_NODE, \
             .element = "", .id = "", .transform = STIJL_MATRIX_IDENTITY, .to_canvas = STIJL_MATRIX_IDENTITY)
STIJL_API void stijl_svg_node_init(stijl_svg_node *node, size_t size);

// Returns how many nodes there are, or 0 if nothing is displayed.
STIJL_API uint32_t stijl_svg_nodes(const stijl_svg *svg);
// Sets *out to a node. Returns STIJL_ERROR_INVALID_ARGUMENT if there is no such node.
STIJL_API stijl_result stijl_svg_get_node(const stijl_svg *svg, uint32_t node, stijl_svg_node *out);
// Returns the first node of the element with this id, or STIJL_SVG_NO_NODE if no element has it or it draws nothing.
STIJL_API uint32_t stijl_svg_find(const stijl_svg *svg, const char *id);

// What a node's box holds.
typedef enum stijl_svg_box {
  STIJL_SVG_BOX_OBJECT,  // SVG's object bounding box: the outlines, images and cells of text
  STIJL_SVG_BOX_STROKE,  // the same with strokes, as if they had no dashes
  STIJL_SVG_BOX_LAYER    // what is drawn: visible fills, strokes and markers, after filters, clips and masks
} stijl_svg_box;

// Sets *out to the smallest upright rectangle that holds the node, in its user space or on the canvas (in CSS pixels of
// the document), and *empty to false. If the node has no box, *empty becomes true and *out stays as it is. Any number
// of threads may call it at the same time.
STIJL_API stijl_result stijl_svg_get_box(const stijl_svg *svg, uint32_t node, stijl_svg_box which, bool on_canvas,
                                         stijl_rect *out, bool *empty);
// Returns the topmost shape, image or text at a point of the canvas, in CSS pixels, or STIJL_SVG_NO_NODE if there is
// none. The point lies within its fill or stroke, if that is not none, and within all clips. Joins of strokes are taken
// for round, and dashes for solid.
STIJL_API uint32_t stijl_svg_hit(const stijl_svg *svg, float x, float y);
// Records a node alone, without the layers around it: its layer box on the canvas is scaled to fill width x height
// pixels. The scene is finished, and the caller destroys it. Returns STIJL_ERROR_INVALID_ARGUMENT if the box is empty.
STIJL_API stijl_result stijl_svg_node_scene(const stijl_svg *svg, uint32_t node, float width, float height,
                                            stijl_scene **out, stijl_message *message);

#ifdef __cplusplus
}
#endif
#endif
