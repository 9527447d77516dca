// SVG documents.
#ifndef STIJL_SVG_H
#define STIJL_SVG_H

#include <math.h>

#include "stijl/budget.h"
#include "stijl/fonts.h"
#include "stijl/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// Bounds on what one document may ask for; reaching one is STIJL_ERROR_LIMIT and the message names it.
// Nesting takes the calling thread's stack: half a MiB at the default depth, 2 MiB at the most, which is 1024.
typedef struct stijl_svg_limits {
  uint64_t max_bytes;     // of the document, unpacked; default 2^28
  uint32_t max_elements;  // elements drawn, each use of an element counted; default 2^20
  uint32_t max_depth;     // nesting, of XML and through use, pattern, mask, ...; default 256
  double
      max_seconds;  // for loading and for building a scene, each, where no budget is given; default 0: that of budgets
} stijl_svg_limits;

typedef struct stijl_svg_params {
  size_t size;  // bytes of this struct; set by the initialiser
  // The folder of the document: files below it may be referred to. NULL: no file is read.
  const char *base_folder;
  bool allow_all_files;  // also read files elsewhere. Network addresses never are
  float dpi;             // pixels per inch for absolute units; default 96
  const char *language;  // for systemLanguage, comma separated; default "en"
  stijl_svg_limits limits;
  stijl_image_limits image_limits;
  // A CSS style sheet, NUL-terminated, that goes before the document's own. NULL: none.
  const char *style_sheet;
  // Bounds loading and building scenes together; was created with the same context. The document keeps it. NULL: each
  // call has one of its own.
  stijl_budget *budget;
  // What text is drawn with, behind the document's own fonts; has to outlive the document. NULL: the system's.
  stijl_fonts *fonts;
  float font_size;  // of text that has none, in CSS pixels; default 16
  // When animations are looked at, in seconds from the document's begin. STIJL_SVG_END: when all have ended that end;
  // those that do not are as they are then. Default 0.
  double time;
  // Gives the files that the document refers to: images, fonts, style sheets, documents of `use`. NULL: they are read
  // from the folder alone. It is asked for each before the folder is looked at, by the thread that calls the library,
  // while the document is loaded or one of its scenes is made. `url` is as the document has it, without its fragment,
  // or as it follows from the address of the sheet that has it; it is hostile input as all of the document. Data URLs
  // do not come here, nor what embedded documents refer to, which is never read. STIJL_OK: *data is what the file has,
  // `bytes` long; it is copied, and only has to stay until the next call of the function, or the end of that of the
  // library. STIJL_ERROR_UNSUPPORTED: the function knows no such file, and the folder is looked at. Any other result:
  // there is none.
  stijl_result (*read)(void *user, const char *url, const void **data, size_t *bytes);
  void *read_user;
  // Scenes keep images for pictures so many times as large as they are themselves; an image that is drawn smaller than
  // it is is otherwise reduced to about that size. For scenes that are exported, or drawn larger. Default 1.
  double detail;
} stijl_svg_params;

// Later than everything that ends.
#define STIJL_SVG_END HUGE_VAL

#define STIJL_SVG_PARAMS_INIT                                                                    \
  {                                                                                              \
    sizeof(stijl_svg_params), NULL, false, 96.0f, "en", {(uint64_t)1 << 28, 1u << 20, 256, 0.0}, \
        STIJL_IMAGE_LIMITS_INIT, NULL, NULL, NULL, 16.0f, 0.0, NULL, NULL, 1.0                   \
  }
STIJL_API void stijl_svg_params_init(stijl_svg_params *params, size_t size);

typedef struct stijl_svg stijl_svg;

// Parses SVG or gzipped SVG (svgz), reads what it refers to, and resolves it to what it draws. Keeps no reference to
// `data` or `params`. A document that is not well-formed XML is STIJL_ERROR_MALFORMED, the message giving the line.
// What it asks for and its picture will lack is logged as a warning, once for each kind. Documents within the document
// share its limits.
STIJL_API stijl_result stijl_svg_load(stijl_context *context, const void *data, size_t bytes,
                                      const stijl_svg_params *params, stijl_svg **out, stijl_message *message);
STIJL_API void stijl_svg_destroy(stijl_svg *svg);

// The document's exact size in CSS pixels. Of width and height, one that is absent or a percentage follows from the
// viewBox. Where that is missing as well, the size is that of the content with its strokes (100 x 100 without content),
// and the scene begins at the content's corner.
STIJL_API void stijl_svg_size(const stijl_svg *svg, float *width, float *height);

// How large a picture is.
typedef struct stijl_svg_fitted {
  float width, height;               // its exact size in pixels, for stijl_svg_scene and stijl_svg_node_scene
  double pixel_width, pixel_height;  // the whole pixels that hold it, at least 1; a target has at most 32767
} stijl_svg_fitted;

// --- time ---

// How long a document's animations go on, with those of documents that it shows. Events never happen.
typedef struct stijl_svg_timing {
  size_t size;    // bytes of this struct; set by the initialiser
  bool animated;  // there are animations
  double end;     // seconds from the document's begin to the end of the last animation that ends; 0: none does
  double begun;   // when the last of those had begun that repeat for ever
  // In how many seconds all of these come back to where they were; 0: there are none. STIJL_SVG_END: in none below a
  // day, or animations begin each other for ever.
  double period;
} stijl_svg_timing;

#define STIJL_SVG_TIMING_INIT \
  { sizeof(stijl_svg_timing), false, 0.0, 0.0, 0.0 }
STIJL_API void stijl_svg_timing_init(stijl_svg_timing *timing, size_t size);

// Not while another thread uses the document.
STIJL_API stijl_result stijl_svg_get_timing(stijl_svg *svg, stijl_svg_timing *out, stijl_message *message);

// Moves the document to another time, as if it had been loaded with that in stijl_svg_params, to the bit. It is not
// read again, nor are its style sheets, and the rules that apply to its elements are known; so this takes less than
// loading, and nothing where there are no animations. Nodes are numbered anew. Not while another thread uses the
// document; scenes that were made of it stay as they are. On failure the document draws nothing until a later call
// succeeds. Limits are those that it was loaded with, for each call anew; a budget that was given counts on.
STIJL_API stijl_result stijl_svg_set_time(stijl_svg *svg, double seconds, stijl_message *message);

// --- size ---

// Chooses the size of a picture of what is width x height CSS pixels large: a document, or the box of a node. It is
// scaled to fit into box_width x box_height pixels, and the side that meets the box first is as given; where one of
// these is 0 it follows from the other, and where both are, the size is multiplied by `zoom` (1: as it is). Both axes
// keep one scale, so that the last row and column of the whole pixels may be empty in part. Less than 1/256 of a pixel
// adds none: it is often the rounding of the size's digits.
STIJL_API stijl_svg_fitted stijl_svg_fit(double width, double height, double box_width, double box_height, double zoom);

// Records the document, scaled to fill width x height pixels, which need not be whole: draw the scene with an identity
// transform onto a canvas that holds them, or with another: nothing in it has a size in pixels, except that images are
// reduced for this one, and that lengths in vw and vh are of it.
STIJL_API stijl_result stijl_svg_scene(const stijl_svg *svg, float width, float height, stijl_scene **out,
                                       stijl_message *message);

// --- the render tree ---
//
// What a document draws, resolved: nodes in painting order, numbered from 0, the root. A node's subtree are the nodes
// from it to before its `end`: its first child, if it has any, is the next node, and the next sibling of a child is the
// child's end. An element that is shown by several `use` elements has as many nodes. What is in clip paths, masks,
// markers and patterns has none, nor has what is not displayed. Nodes stay valid as long as the document.

#define STIJL_SVG_NO_NODE UINT32_MAX

typedef enum stijl_svg_kind { STIJL_SVG_GROUP, STIJL_SVG_SHAPE, STIJL_SVG_IMAGE, STIJL_SVG_TEXT } stijl_svg_kind;

typedef struct stijl_svg_node {
  size_t size;  // bytes of this struct; set by the initialiser
  stijl_svg_kind kind;
  uint32_t end, parent;  // parent: STIJL_SVG_NO_NODE for the root
  // The element that the node stands for, and its id; "" where there is none: the content of a viewport is a node of
  // its own, and so is an element of another file. Both belong to the document.
  const char *element, *id;
  stijl_matrix
      transform;  // from the node's user space to the one around it; of the root, to CSS pixels of the document
  stijl_matrix to_canvas;  // from the node's user space to CSS pixels of the document
  // Where the element's tag begins, a byte of the document as it was unpacked. Where an entity holds the element, it is
  // the reference to the entity. 0: there is none.
  uint64_t offset;
} stijl_svg_node;

#define STIJL_SVG_NODE_INIT                                                                                       \
  {                                                                                                               \
    sizeof(stijl_svg_node), STIJL_SVG_GROUP, STIJL_SVG_NO_NODE, STIJL_SVG_NO_NODE, "", "", STIJL_MATRIX_IDENTITY, \
        STIJL_MATRIX_IDENTITY, 0                                                                                  \
  }
STIJL_API void stijl_svg_node_init(stijl_svg_node *node, size_t size);

// How many nodes there are; 0 when nothing is displayed.
STIJL_API uint32_t stijl_svg_nodes(const stijl_svg *svg);
// STIJL_ERROR_INVALID_ARGUMENT when there is no such node.
STIJL_API stijl_result stijl_svg_get_node(const stijl_svg *svg, uint32_t node, stijl_svg_node *out);
// The first node of the element with this id; STIJL_SVG_NO_NODE when no element has it, or it draws nothing.
STIJL_API uint32_t stijl_svg_find(const stijl_svg *svg, const char *id);

typedef enum stijl_svg_box {
  STIJL_SVG_BOX_OBJECT,  // SVG's object bounding box: outlines, images, and the cells of text
  STIJL_SVG_BOX_STROKE,  // with strokes, as they are without dashes
  STIJL_SVG_BOX_LAYER    // of what is drawn: strokes and markers of what is visible, filtered, within clips and masks
} stijl_svg_box;

// The smallest upright rectangle that holds the node, in its user space, or on the canvas (in CSS pixels of the
// document). *out is untouched and *empty true when there is none. Any number of threads may ask at a time.
STIJL_API stijl_result stijl_svg_get_box(const stijl_svg *svg, uint32_t node, stijl_svg_box which, bool on_canvas,
                                         stijl_rect *out, bool *empty);
// The topmost shape, image or text at a point of the canvas, in CSS pixels: within a fill or stroke that is not none,
// and within all clips. Joins of strokes are taken as round, and dashes as solid. STIJL_SVG_NO_NODE when there is none.
STIJL_API uint32_t stijl_svg_hit(const stijl_svg *svg, float x, float y);
// Records a node alone, without the layers around it: what its layer box on the canvas holds is scaled to fill width x
// height pixels. STIJL_ERROR_INVALID_ARGUMENT when the box is empty.
STIJL_API stijl_result stijl_svg_node_scene(const stijl_svg *svg, uint32_t node, float width, float height,
                                            stijl_scene **out, stijl_message *message);

#ifdef __cplusplus
}
#endif
#endif
