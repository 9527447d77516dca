// Computes the values of an element's properties, inherited from its parent in the rendering tree.
#ifndef SJ_SVG_STYLE_STYLE_H
#define SJ_SVG_STYLE_STYLE_H

#include <stddef.h>

#include "svg/parse/document.h"
#include "svg/parse/values.h"
#include "svg/style/font.h"
#include "svg/style/mask_layers.h"

// A reference to another element, or none.
typedef struct sj_reference {
  const char *url;  // NULL: none
  uint32_t length;
  uint16_t owner;  // as that of sj_paint_value
} sj_reference;

// A list of lengths as text, which is parsed where it is used, and the font size that its `em` refers to.
typedef struct sj_length_list {
  const char *text;  // NULL: none
  size_t length;
  float font_size;
} sj_length_list;

typedef enum sj_visibility { SJ_VISIBILITY_VISIBLE, SJ_VISIBILITY_HIDDEN, SJ_VISIBILITY_COLLAPSE } sj_visibility;
typedef enum sj_overflow {
  SJ_OVERFLOW_UNSET,  // by the element's kind: hidden for those that make a viewport
  SJ_OVERFLOW_VISIBLE,
  SJ_OVERFLOW_HIDDEN  // also scroll
} sj_overflow;
typedef enum sj_line_join {
  SJ_LINE_JOIN_MITER,
  SJ_LINE_JOIN_MITER_CLIP,
  SJ_LINE_JOIN_ROUND,
  SJ_LINE_JOIN_BEVEL,
  SJ_LINE_JOIN_ARCS
} sj_line_join;
typedef enum sj_interpolation { SJ_INTERPOLATION_SRGB, SJ_INTERPOLATION_LINEAR } sj_interpolation;
typedef enum sj_image_rendering { SJ_IMAGE_SMOOTH, SJ_IMAGE_NEAREST } sj_image_rendering;
typedef enum sj_transform_box {
  SJ_TRANSFORM_BOX_VIEW,
  SJ_TRANSFORM_BOX_FILL,
  SJ_TRANSFORM_BOX_STROKE
} sj_transform_box;

// A colour that may be currentColor.
typedef struct sj_style_color {
  sj_color_kind kind;
  stijl_color color;
} sj_style_color;

typedef struct sj_style {
  // What is inherited comes first: see SJ_INHERITED_BYTES.
  stijl_color color;
  sj_paint_value fill, stroke;
  float fill_opacity, stroke_opacity;
  int fill_rule, clip_rule;  // stijl_fill_rule
  sj_computed_length stroke_width, dash_offset;
  sj_length_list dashes, text_shadow;
  int line_cap;   // stijl_cap
  int line_join;  // sj_line_join
  float miter_limit;
  int visibility;  // sj_visibility
  sj_reference marker_start, marker_mid, marker_end;
  unsigned char paint_order[3];  // sj_paint_layer
  int image_rendering;           // sj_image_rendering
  int shape_rendering;           // 1: no anti-aliasing
  int text_rendering;            // 1: no anti-aliasing
  int color_interpolation;       // sj_interpolation
  int filter_interpolation;      // sj_interpolation, of color-interpolation-filters
  float font_size;               // pixels
  sj_font_values font;           // its last fields are not inherited
  // What is not inherited.
  int background_kind;     // sj_color_kind
  stijl_color background;  // of the root element
  bool display_none;
  float opacity;
  int overflow;             // sj_overflow
  sj_value_text clip_path;  // url() or a basic shape
  sj_mask_values mask;
  sj_value_text filter;     // url() or filter functions
  int mask_type;            // stijl_mask
  int blend;                // stijl_blend
  int isolate;              // bool
  int non_scaling_stroke;   // bool
  sj_value_text transform;  // from a style declaration; the attribute is read where it is used
  sj_value_text translate, rotate, scale;
  sj_value_text origin;  // transform-origin
  sj_value_text offset_path, offset_distance, offset_rotate, offset_anchor;
  int transform_box;    // sj_transform_box
  int stop_color_kind;  // sj_color_kind
  stijl_color stop_color;
  float stop_opacity;
  sj_style_color flood_color, lighting_color;
  float flood_opacity;
} sj_style;

// The bytes at the beginning of a style that are inherited, and the rest are not: the order of the fields alone says
// it.
#define SJ_INHERITED_BYTES (offsetof(sj_style, font) + offsetof(sj_font_values, alignment_baseline))

static inline bool sj_has_mask(const sj_style *style) {
  return style->mask.all.text || style->mask.parts[SJ_PROPERTY_MASK_IMAGE - SJ_PROPERTY_MASK_CLIP].text;
}

// What style computation needs to know of the rendering.
typedef struct sj_style_context {
  const sj_document *document;
  sj_length_base base;          // of the root; its font_size is ignored, and the style of its font_units
  float font_size;              // which the root inherits; 0: the initial one
  struct stijl_budget *budget;  // charged for computing styles; NULL: none
} sj_style_context;

// Sets the initial values, which are those of a root without declarations.
void sj_style_initial(sj_style *style);
// Computes the style of an element in a copy (SJ_NO_COPY: in the document); `parent` is NULL for the root.
void sj_style_compute(const sj_style_context *context, uint32_t copy, uint32_t element, const sj_style *parent,
                      sj_style *out);
// Sets the initial values of all that is not inherited, and what is to the parent's.
void sj_style_inherit(const sj_style *parent, sj_style *out);
// Counts in the document the declarations whose value is not understood.
void sj_document_check_values(sj_document *document);
// Computes the style that the element has by its place in the document, from the root down. An element that a reference
// shows may inherit from elsewhere, but not here.
void sj_style_in_document(const sj_style_context *context, uint32_t element, sj_style *out);
// Finds the stijl_blend of that name.
bool sj_parse_blend(const char *text, size_t length, int *out);
// Returns what relative units of lengths refer to on an element with this style.
sj_length_base sj_style_base(const sj_style_context *context, const sj_style *style);

#endif
