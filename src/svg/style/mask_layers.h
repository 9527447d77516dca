// What `mask` and its longhands say: a list of layers (CSS Masking 1, 7).
#ifndef SJ_SVG_STYLE_MASK_LAYERS_H
#define SJ_SVG_STYLE_MASK_LAYERS_H

#include "base/array.h"
#include "svg/parse/names.h"
#include "svg/style/css_image.h"

#define SJ_MASK_PARTS (SJ_PROPERTY_MASK_SIZE - SJ_PROPERTY_MASK_CLIP + 1)

// The declared values. The shorthand resets the longhands.
typedef struct sj_mask_values {
  sj_value_text all;                   // the shorthand; NULL: `none`
  sj_value_text parts[SJ_MASK_PARTS];  // longhands that were declared behind it, from mask-clip on
} sj_mask_values;

typedef enum sj_mask_mode { SJ_MASK_MATCH, SJ_MASK_MODE_ALPHA, SJ_MASK_MODE_LUMINANCE } sj_mask_mode;
typedef enum sj_mask_repeat { SJ_MASK_REPEAT, SJ_MASK_NO_REPEAT, SJ_MASK_SPACE, SJ_MASK_ROUND } sj_mask_repeat;
// The border box, which is the initial one, is the stroke's as a clip, and in browsers the fill's as an origin.
typedef enum sj_mask_box {
  SJ_MASK_BORDER_BOX,
  SJ_MASK_STROKE_BOX,
  SJ_MASK_FILL_BOX,
  SJ_MASK_VIEW_BOX,
  SJ_MASK_NO_CLIP
} sj_mask_box;
typedef enum sj_mask_fit { SJ_MASK_SIZE_GIVEN, SJ_MASK_CONTAIN, SJ_MASK_COVER } sj_mask_fit;
// How a layer is put together with those below it.
typedef enum sj_mask_composite { SJ_MASK_ADD, SJ_MASK_SUBTRACT, SJ_MASK_INTERSECT, SJ_MASK_EXCLUDE } sj_mask_composite;

typedef struct sj_mask_layer {
  sj_value_text image;  // url() or a gradient; NULL: none
  int mode;             // sj_mask_mode
  int repeat_x, repeat_y;
  int clip, origin;  // sj_mask_box
  int composite;     // sj_mask_composite
  int fit;           // sj_mask_fit
  bool auto_width, auto_height;
  sj_length width, height;
  sj_css_position position;
} sj_mask_layer;

typedef SJ_ARRAY(sj_mask_layer) sj_mask_list;

sj_mask_layer sj_mask_initial(void);
// Reads a longhand's value from parts[0..count). Returns how many it took, 0 where it is something else.
int sj_mask_read(sj_name name, const sj_value_text *parts, int count, sj_mask_layer *out);
// Does so for the first of several longhands of a shorthand that takes some, of which those that were *seen before are
// left out. A size may stand behind a position. Returns -1 where it should and is none.
int sj_mask_read_any(const sj_name *names, unsigned name_count, unsigned *seen, const sj_value_text *parts, int count,
                     sj_mask_layer *out);
// Sets a value if it is valid. *out is that of the same style for all of these properties.
bool sj_mask_apply(sj_name name, const char *text, size_t length, const sj_mask_values *parent, sj_mask_values *out);
// Returns the image if it is all that was said, so that there is one layer and its other values are the initial ones.
bool sj_mask_only_image(const sj_mask_values *values, sj_value_text *out);
// Makes the list of the layers, the topmost first. Returns false when memory is short.
bool sj_mask_list_make(stijl_context *context, const sj_mask_values *values, sj_mask_list *out);

#endif
