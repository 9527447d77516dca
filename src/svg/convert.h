// What the files share that convert a styled document to a scene.
#ifndef SJ_SVG_CONVERT_H
#define SJ_SVG_CONVERT_H

#include "base/budget.h"
#include "stijl/scene.h"
#include "stijl/svg.h"
#include "svg/parse/document.h"
#include "svg/parse/options.h"
#include "svg/style/style.h"
#include "svg/parse/values.h"

struct stijl_svg {
  stijl_context *context;
  sj_document document;
  sj_svg_options options;
  float width, height;  // CSS pixels
  // Where the content begins, in a document that says nothing of its size, and so has that of its content. Else 0.
  float left, top;
  float viewport_width, viewport_height;  // the root's viewport, for percentages: the size, or a fallback
  uint32_t nesting;     // how many documents this one is inside of, as their image
  stijl_context *outer;    // the application's context; `context` counts for the budget of loading
  stijl_budget *budget;    // bounds the building of scenes; NULL: each scene has one of its own
  uint64_t input_bytes;
};

// The object bounding box of an element, which is computed when it is first asked for.
typedef struct sj_box {
  bool known, empty;
  stijl_rect rect;
} sj_box;

// Which boxes are united when the extent of elements is measured.
typedef enum sj_measure {
  SJ_MEASURE_FILL,   // outlines: the object bounding box
  SJ_MEASURE_BOUND,  // a rectangle that surely holds fill and stroke
  SJ_MEASURE_INK     // outlines and strokes, exactly
} sj_measure;

typedef struct sj_context_element sj_context_element;

// What an element takes from its surroundings: each element on the way from the root to it has a frame of its own.
typedef struct sj_frame {
  const sj_style *style;                // of the parent, or the element's own once it is computed
  stijl_matrix matrix;                  // from user space to the scene
  float width, height;                  // of the nearest viewport, in user units, for percentages
  sj_context_element *context_element;  // NULL: none
  float opacity;                        // 1, unless the parent has an only child, to which it passes its opacity on
  uint32_t depth;
} sj_frame;

// The element that context-fill and context-stroke refer to: the shape that has a marker, or a use element.
struct sj_context_element {
  uint32_t element;
  sj_frame frame;  // its own
  sj_box box;
};

// A layer that has been pushed, with the mask or clipPath that is to be drawn before it is popped.
typedef struct sj_pending {
  uint32_t element;  // a mask or clipPath; SJ_NO_ELEMENT: none
  sj_frame frame;    // of the element that refers to it
  sj_box box;
} sj_pending;

typedef struct sj_active {
  uint32_t element;
  bool use;  // the target of a use element
} sj_active;

typedef SJ_ARRAY(sj_active) sj_active_list;

typedef struct sj_tile sj_tile;
typedef struct sj_loaded_image sj_loaded_image;

typedef struct sj_convert {
  const stijl_svg *svg;
  const sj_document *document;
  sj_style_context styles;
  stijl_context *context;
  stijl_message *message;
  stijl_result result;                // the first failure
  stijl_scene *scene;                 // what is recorded into; pattern tiles have their own
  sj_box *measure;                    // if not NULL, nothing is recorded: boxes of what would be drawn are united here
  sj_measure measure_kind;
  stijl_matrix host;                  // from CSS pixels of the outermost viewport to the scene
  float canvas_width, canvas_height;  // 100vw and 100vh
  uint64_t elements;                  // drawn so far
  uint32_t omitted;                   // a bit for each sj_omission that has been warned of
  SJ_ARRAY(sj_pending) pending;
  sj_active_list active;  // elements that are being referred to, the innermost last
  SJ_ARRAY(sj_tile) tiles;
  SJ_ARRAY(sj_loaded_image) images;
  uint64_t image_pixels;  // of all images, against the limit
  SJ_ARRAY(stijl_path *) spare_paths;
} sj_convert;

// --- svg.c ---

// Does what stijl_svg_load does, for a document that is inside of `nesting` others, as their image.
stijl_result sj_svg_load(stijl_context *context, const void *data, size_t bytes, const stijl_svg_params *params,
                         uint32_t nesting, stijl_svg **out, stijl_message *message);

// --- convert.c ---

// The first failure stays. Formats like sj_fail.
void sj_convert_fail(sj_convert *c, stijl_result result, const char *format, ...) __attribute__((format(printf, 3, 4)));
void sj_convert_fail_memory(sj_convert *c);
// Takes over the failure of a path or image call.
bool sj_convert_check(sj_convert *c, stijl_result result);
// Counts one element against the limits. False: stop.
bool sj_convert_count(sj_convert *c, uint32_t depth);
// Spends steps of the budget. False: stop.
bool sj_convert_spend(sj_convert *c, uint64_t work);
// The box of all that the document draws, in the user units of its root, whose viewport is width x height. False when
// it draws nothing. What exceeds a limit is left out: recording will report it.
bool sj_convert_measure(const stijl_svg *svg, float width, float height, stijl_rect *out);
// Records the whole document; `host` takes its CSS pixels to the scene. `depth` is the nesting of its root.
void sj_convert_document(sj_convert *c, const stijl_matrix *host, uint32_t depth);
// `context` counts for the budget.
void sj_convert_init(sj_convert *c, stijl_context *context, const stijl_svg *svg, stijl_scene *scene,
                     stijl_message *message);
void sj_convert_finish(sj_convert *c);
// A conversion of another document, for what it draws within `outer`: into the same scene or box, by the same limits.
void sj_convert_nest(sj_convert *c, sj_convert *outer, const stijl_svg *svg);
// Ends a conversion begun by sj_convert_nest.
void sj_convert_unnest(sj_convert *c, sj_convert *outer);
// An empty path from the pool; NULL on failure.
stijl_path *sj_convert_path(sj_convert *c);
// A rectangle, clamped to the range of coordinates that paths take.
void sj_add_rect(stijl_path *path, stijl_rect rect);
void sj_convert_give_path(sj_convert *c, stijl_path *path);
// Marks a clipPath, mask, marker or pattern as being drawn. False when it already is (a cycle) or memory is short.
bool sj_convert_open(sj_convert *c, uint32_t element);
// The same for the target of a use element. It is a cycle only where the same target is open inside of the innermost
// clipPath, mask, marker or pattern: these may show the element that they are applied to.
bool sj_convert_open_use(sj_convert *c, uint32_t element);
void sj_convert_close(sj_convert *c);

// Draws (or measures) an element and what is below it. frame->style is the parent's.
void sj_convert_element(sj_convert *c, const sj_frame *frame, uint32_t element);
// Adds the box of an outline, of the kind that is being measured.
void sj_measure_outline(sj_convert *c, const sj_frame *frame, uint32_t element, const stijl_path *path);
void sj_convert_children(sj_convert *c, const sj_frame *frame, uint32_t element);
// Whether an element's systemLanguage, requiredFeatures and requiredExtensions allow it to be drawn. Every feature counts
// as supported, as in SVG 2.
bool sj_conditions_hold(const sj_convert *c, uint32_t element);
// The element's transform with its origin, applied to frame->matrix. `name` is the attribute that holds it. `box` is
// the element's, for transform-box: fill-box. False when the result draws nothing.
bool sj_apply_transform(sj_convert *c, sj_frame *frame, uint32_t element, sj_name name);
// The object bounding box in the element's user space; `frame` is the element's own. Empty boxes have no area at all.
const sj_box *sj_element_box(sj_convert *c, const sj_frame *frame, uint32_t element, sj_box *box);
// The same with a given reference box for percentages and the origin.
bool sj_apply_transform_in(sj_convert *c, sj_frame *frame, uint32_t element, sj_name name, stijl_rect reference);
// Whether all that the children of an element draw surely lies within the rectangle, so that clipping by it can be left
// out. frame->matrix takes the content to the space of the rectangle. False also where finding out would take long.
bool sj_content_fits(sj_convert *c, const sj_frame *frame, uint32_t element, stijl_rect rect);
void sj_box_add(sj_box *box, stijl_rect rect);
// The matrix from the unit square to the box.
stijl_matrix sj_box_matrix(stijl_rect box);
// Whether objectBoundingBox units can be used with it.
bool sj_box_has_area(const sj_box *box);

// --- omit.c ---

// What a picture can lack of what its document asks for.
typedef enum sj_omission {
  SJ_OMIT_TEXT,
  SJ_OMIT_GLYPH,
  SJ_OMIT_FILTER,
  SJ_OMIT_FOREIGN_OBJECT,
  SJ_OMIT_ANIMATION,
  SJ_OMIT_SCRIPT,
  SJ_OMIT_VALUE,
  SJ_OMIT_UNKNOWN_ELEMENT,
  SJ_OMIT_EXTERNAL,  // a reference to another document
  SJ_OMIT_PROPERTY,
  SJ_OMIT_LINEAR_GRADIENT,  // interpolation in linearRGB
  SJ_OMIT_TRANSFORM,
  SJ_OMIT_CLIP_PATH,
  SJ_OMIT_MASK,  // a mask with more than a reference
  SJ_OMISSION_COUNT
} sj_omission;

// Logs a warning, once for each kind and scene. `detail` is the name or value that is told; it may be empty.
void sj_omit(sj_convert *c, sj_omission what, const char *detail, size_t length);
// Warns of a gradient that should be interpolated in linearRGB.
void sj_omit_linear(sj_convert *c, uint32_t gradient);
// Warns of an element that stijl does not draw, if it would be seen. `outer` is what sj_convert_element calls `frame`.
void sj_omit_element(sj_convert *c, const sj_frame *outer, uint32_t element);
// Warns of an element that a fill or stroke refers to, and that is no paint server that stijl knows.
void sj_omit_paint(sj_convert *c, uint32_t server);
// Warns of what the document contains that counts wherever it is, such as scripts.
void sj_omit_document(sj_convert *c);
// Warns of the filter that the style asks for.
void sj_omit_filter(sj_convert *c, const sj_style *style);
// Do what sj_document_by_url and sj_document_by_href do, and warn of references that lead out of the document.
uint32_t sj_find_url(sj_convert *c, const char *url, size_t length);
uint32_t sj_find_href(sj_convert *c, uint32_t element);

// --- attributes.c ---

typedef enum sj_axis { SJ_AXIS_X, SJ_AXIS_Y, SJ_AXIS_DIAGONAL } sj_axis;

// What 100% stands for.
float sj_frame_axis(const sj_frame *frame, sj_axis axis);
float sj_resolve_length(const sj_convert *c, const sj_frame *frame, sj_length length, sj_axis axis);
float sj_resolve_computed(const sj_frame *frame, sj_computed_length length, sj_axis axis);
// Reads a geometry property or plain attribute as a length in user units. False when absent, invalid, or `auto`.
bool sj_length_attribute(const sj_convert *c, const sj_frame *frame, uint32_t element, sj_name name, sj_axis axis,
                         float *out);
// Reads the same without converting it to user units.
bool sj_length_value(const sj_convert *c, uint32_t element, sj_name name, sj_length *out);
// True when the attribute of the element is objectBoundingBox, `fallback` when neither that nor userSpaceOnUse.
bool sj_units_are_box(const sj_attribute *attribute, bool fallback);

// --- shapes.c ---

bool sj_element_is_shape(sj_element element);
// Adds the outline in user units; `frame` is the element's own. False when it is in error or not rendered.
bool sj_shape_path(sj_convert *c, const sj_frame *frame, uint32_t element, stijl_path *path);
// Draws the fill and the stroke of an outline that is not the element's own, with paints for the given box; for text.
void sj_draw_outline(sj_convert *c, const sj_frame *frame, uint32_t element, sj_box *box, const stijl_path *path);
// Draws fill, stroke and markers; `opacity` is the element's where no layer carries it.
void sj_draw_shape(sj_convert *c, const sj_frame *frame, uint32_t element, const stijl_path *path, float opacity);
// The element's stroke without dashes and pen. False: it has none.
bool sj_shape_stroke(const sj_frame *frame, stijl_stroke *out);
// Whether the element is drawn by one draw at most, so that its opacity needs no layer.
bool sj_shape_is_single_draw(const sj_convert *c, const sj_frame *frame, uint32_t element);

// --- text_draw.c ---

// Draws, or measures, a text element.
void sj_convert_text(sj_convert *c, const sj_frame *frame, uint32_t element);
// Adds all outlines of a text element, in its user space. False: there are none.
bool sj_text_path(sj_convert *c, const sj_frame *frame, uint32_t element, stijl_path *path);

// --- extent.c ---

// Adds the box of a stroke's outline; dashes are not looked at. `matrix` is from the space of the path.
void sj_stroke_extent(const stijl_path *path, const stijl_stroke *stroke, const stijl_matrix *matrix, sj_box *box);

// --- paint.c, gradient.c, pattern.c ---

// A paint ready for the scene. Stops belong to it; an image to the conversion.
typedef struct sj_prepared {
  stijl_paint paint;
  SJ_ARRAY(stijl_stop) stops;
} sj_prepared;

// False: nothing is painted. `box` is the painted element's, `frame` its own.
bool sj_prepare_paint(sj_convert *c, const sj_frame *frame, uint32_t element, sj_box *box, const sj_paint_value *value,
                      float opacity, sj_prepared *out);
void sj_finish_paint(sj_convert *c, sj_prepared *prepared);

typedef enum sj_server_result {
  SJ_SERVER_PAINTS,
  SJ_SERVER_NONE,    // paints nothing
  SJ_SERVER_INVALID  // as if the reference were broken: the fallback counts
} sj_server_result;

sj_server_result sj_prepare_gradient(sj_convert *c, uint32_t gradient, const sj_frame *frame, uint32_t element,
                                     sj_box *box, sj_prepared *out);
sj_server_result sj_prepare_pattern(sj_convert *c, uint32_t pattern, const sj_frame *frame, uint32_t element,
                                    sj_box *box, const sj_frame *target, sj_prepared *out);
void sj_finish_tiles(sj_convert *c);

// The elements from which a template-using element takes attributes: itself and those its href leads to.
#define SJ_MAX_TEMPLATES 64
typedef struct sj_templates {
  uint32_t elements[SJ_MAX_TEMPLATES];
  int count;
} sj_templates;

// False when the references go round in a circle.
bool sj_templates_collect(sj_convert *c, uint32_t element, bool (*accepts)(sj_element), sj_templates *out);
// Charges the budget for looking for attributes in all of the elements. False: stop.
bool sj_templates_spend(sj_convert *c, const sj_templates *templates);
// The first of them, of the kinds accepted (NULL: all), that has the attribute; NULL when none has.
const sj_attribute *sj_templates_attribute(const sj_document *document, const sj_templates *templates, sj_name name,
                                           bool (*accepts)(sj_element));

// --- group.c, clip.c, mask.c ---

// Layers around an element, as its opacity, blending, clip path and mask demand.
typedef struct sj_group {
  size_t first;  // in c->pending
} sj_group;

// `opacity` is what the layers have to carry. False: nothing of the element is visible (and no layer was pushed).
bool sj_group_begin(sj_convert *c, const sj_frame *frame, uint32_t element, float opacity, sj_group *group);
// The same where the element's box is known already.
bool sj_group_begin_boxed(sj_convert *c, const sj_frame *frame, uint32_t element, float opacity, sj_box *box,
                          sj_group *group);
void sj_group_end(sj_convert *c, const sj_group *group);
// Pushes a layer that clips to a rectangle in user space.
void sj_push_clip_rect(sj_convert *c, const sj_frame *frame, stijl_rect rect);

// A clip to be applied: a path, or a clipPath whose children have to be drawn as a mask.
typedef struct sj_clip_item {
  stijl_path *path;  // NULL: see element
  stijl_fill_rule rule;
  stijl_matrix matrix;  // of the path
  uint32_t element;
  sj_frame frame;  // of the element that refers to it
  sj_box box;
} sj_clip_item;

typedef struct sj_clip_list {
  SJ_ARRAY(sj_clip_item) items;
} sj_clip_list;

// Adds what a clip-path value asks for. False: all is clipped away.
bool sj_clip_resolve(sj_convert *c, const sj_frame *frame, uint32_t element, const sj_value_text *value, sj_box *box,
                     sj_clip_list *list);
// The layers for a list of clips alone.
bool sj_group_push_clips(sj_convert *c, const sj_clip_list *list, sj_group *group);
void sj_clip_list_finish(sj_convert *c, sj_clip_list *list);
// Draws the children of a clipPath in white.
void sj_draw_clip_mask(sj_convert *c, const sj_frame *frame, sj_box *box, uint32_t clip);

typedef enum sj_mask_use { SJ_MASK_NONE, SJ_MASK_DRAW, SJ_MASK_HIDES_ALL } sj_mask_use;

// What the value of `mask` asks for. `region` (DRAW only) is the mask's region in user space.
sj_mask_use sj_mask_resolve(sj_convert *c, const sj_frame *frame, uint32_t element, const sj_value_text *value,
                            sj_box *box, uint32_t *mask, stijl_rect *region);
void sj_draw_mask(sj_convert *c, const sj_frame *frame, sj_box *box, uint32_t mask);

// --- marker.c, image.c ---

bool sj_has_markers(const sj_convert *c, const sj_style *style, uint32_t element);
void sj_draw_markers(sj_convert *c, const sj_frame *frame, uint32_t element, const stijl_path *path);

void sj_convert_image(sj_convert *c, const sj_frame *frame, uint32_t element, float opacity);
// The document in the file that a URL without fragment names; NULL when it cannot be read, or is none.
const stijl_svg *sj_external_document(sj_convert *c, const char *url, size_t length);
void sj_finish_images(sj_convert *c);

// --- viewport.c ---

// A viewport: of a nested svg element, or of a symbol or svg that a use element shows.
typedef struct sj_viewport {
  float x, y, width, height;
} sj_viewport;

// Enters the viewport: frame->matrix and size become those of the content. False when nothing can be drawn. *clip is
// the rectangle to clip by, in the old user space, when *clips.
bool sj_enter_viewport(sj_convert *c, sj_frame *frame, uint32_t element, const sj_viewport *viewport, bool *clips,
                       stijl_rect *clip);

#endif
