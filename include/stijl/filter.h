// Filters: graphs of effects that a layer's picture goes through before it is composited (stijl_layer.filter).
//
// A filter is built by calls that mirror SVG's filter primitives (W3C Filter Effects Module 1). Each returns the number
// of its result, 0 or more, which later calls take as their input; the last result is what is drawn. Like recording,
// building has a sticky error: a call that fails, and all calls after it, return STIJL_FILTER_NOTHING and do nothing,
// and the scene that takes the filter reports the error. Numbers have to be finite. What is pointed to is copied.
//
//   stijl_filter *glow;
//   stijl_filter_create(NULL, &glow);
//   int soft = stijl_filter_blur(glow, NULL, STIJL_FILTER_SOURCE_ALPHA, 4.0f, 4.0f, STIJL_FILTER_EDGE_NONE);
//   int tinted = stijl_filter_composite(glow, NULL, stijl_filter_flood(glow, NULL, color), soft, STIJL_FILTER_IN);
//   stijl_filter_merge(glow, NULL, (int[]){tinted, STIJL_FILTER_SOURCE}, 2);
//
// Lengths are in the user space of the layer (stijl_layer.filter_transform). Under a rotation or a skew the filter
// works in a space of the target's scale whose axes are those of user space; its result is then drawn with bilinear
// sampling.
#ifndef STIJL_FILTER_H
#define STIJL_FILTER_H

#include "stijl/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// Inputs beside the results 0, 1, ...
enum {
  STIJL_FILTER_SOURCE = -1,        // the layer's picture
  STIJL_FILTER_SOURCE_ALPHA = -2,  // its alpha, black
  STIJL_FILTER_NOTHING = -3        // transparent black
};

// What all primitives have. NULL stands for the defaults.
typedef struct stijl_filter_options {
  size_t size;               // bytes of this struct; set by the initialiser
  bool linear;               // colours are computed in linear light (SVG's default); else in sRGB. Default false
  const stijl_rect *region;  // outside of it the result is transparent; NULL: as far as the effect reaches
} stijl_filter_options;

#define STIJL_FILTER_OPTIONS_INIT \
  { sizeof(stijl_filter_options), false, NULL }
STIJL_API void stijl_filter_options_init(stijl_filter_options *options, size_t size);

// An empty filter, which draws nothing; the caller destroys it. STIJL_ERROR_OUT_OF_MEMORY, and *out is NULL, without
// memory.
STIJL_API stijl_result stijl_filter_create(stijl_context *context, stijl_filter **out);
// Layers that were given the filter keep what they need of it.
STIJL_API void stijl_filter_destroy(stijl_filter *filter);
// The sticky error, and what it was, in one line.
STIJL_API stijl_result stijl_filter_status(const stijl_filter *filter);
STIJL_API const char *stijl_filter_message(const stijl_filter *filter);

typedef enum stijl_filter_edge {
  STIJL_FILTER_EDGE_NONE,       // transparent black beyond the region
  STIJL_FILTER_EDGE_DUPLICATE,  // the nearest pixel of it
  STIJL_FILTER_EDGE_WRAP        // the region, repeated
} stijl_filter_edge;

// Standard deviations along x and y, >= 0; 0 leaves that axis as it is. Beyond 8192 pixels of the target they count as
// that.
STIJL_API int stijl_filter_blur(stijl_filter *filter, const stijl_filter_options *options, int in, float x, float y,
                                stijl_filter_edge edge);
// Moves by whole pixels of the target.
STIJL_API int stijl_filter_offset(stijl_filter *filter, const stijl_filter_options *options, int in, float dx,
                                  float dy);
// The input's alpha, black.
STIJL_API int stijl_filter_alpha(stijl_filter *filter, const stijl_filter_options *options, int in);
// The whole of the region, or of what is asked for, in one colour.
STIJL_API int stijl_filter_flood(stijl_filter *filter, const stijl_filter_options *options, stijl_color color);
// Straight colours times four rows of five: red, green, blue, alpha, one.
STIJL_API int stijl_filter_color_matrix(stijl_filter *filter, const stijl_filter_options *options, int in,
                                        const float matrix[20]);

typedef enum stijl_transfer_kind {
  STIJL_TRANSFER_IDENTITY,
  STIJL_TRANSFER_TABLE,     // linear between `values`
  STIJL_TRANSFER_DISCRETE,  // steps of `values`
  STIJL_TRANSFER_LINEAR,    // a c + b
  STIJL_TRANSFER_GAMMA      // a c^exponent + b
} stijl_transfer_kind;

typedef struct stijl_transfer {
  stijl_transfer_kind kind;
  const float *values;  // of a table; none: identity
  size_t count;
  float a, b, exponent;
} stijl_transfer;

// Functions of straight red, green, blue and alpha.
STIJL_API int stijl_filter_transfer(stijl_filter *filter, const stijl_filter_options *options, int in,
                                    const stijl_transfer functions[4]);

typedef enum stijl_filter_operator {
  STIJL_FILTER_OVER,
  STIJL_FILTER_IN,
  STIJL_FILTER_OUT,
  STIJL_FILTER_ATOP,
  STIJL_FILTER_XOR,
  STIJL_FILTER_LIGHTER
} stijl_filter_operator;

// Porter and Duff's operators, of `in` on `in2`; lighter is the sum of both.
STIJL_API int stijl_filter_composite(stijl_filter *filter, const stijl_filter_options *options, int in, int in2,
                                     stijl_filter_operator op);
// k[0] in in2 + k[1] in + k[2] in2 + k[3], of premultiplied colours.
STIJL_API int stijl_filter_arithmetic(stijl_filter *filter, const stijl_filter_options *options, int in, int in2,
                                      const float k[4]);
// `in` blended onto `in2`.
STIJL_API int stijl_filter_blend(stijl_filter *filter, const stijl_filter_options *options, int in, int in2,
                                 stijl_blend mode);
// One over the other, the first at the bottom.
STIJL_API int stijl_filter_merge(stijl_filter *filter, const stijl_filter_options *options, const int *inputs,
                                 size_t count);
// The input over its shadow.
STIJL_API int stijl_filter_drop_shadow(stijl_filter *filter, const stijl_filter_options *options, int in, float dx,
                                       float dy, float deviation_x, float deviation_y, stijl_color color);

// The smallest (or with `dilate` the largest) of each channel among the pixels within the radii, >= 0, on each side.
STIJL_API int stijl_filter_morphology(stijl_filter *filter, const stijl_filter_options *options, int in, bool dilate,
                                      float radius_x, float radius_y);

typedef struct stijl_convolution {
  size_t size;             // bytes of this struct; set by the initialiser
  int columns, rows;       // of the kernel, 1..1024 each
  const float *kernel;     // row after row, as SVG has it: turned by 180 degrees when it is applied
  float divisor;           // 0: the sum of the kernel, or 1
  float bias;              // is added to the alpha, and times the alpha of the result to colours
  int target_x, target_y;  // the kernel's cell over the pixel; -1: the middle
  stijl_filter_edge edge;
  bool preserve_alpha;  // straight colours alone
} stijl_convolution;

#define STIJL_CONVOLUTION_INIT \
  { sizeof(stijl_convolution), 3, 3, NULL, 0.0f, 0.0f, -1, -1, STIJL_FILTER_EDGE_DUPLICATE, false }
STIJL_API void stijl_convolution_init(stijl_convolution *convolution, size_t size);

// Works on the pixels of the target.
STIJL_API int stijl_filter_convolve(stijl_filter *filter, const stijl_filter_options *options, int in,
                                    const stijl_convolution *convolution);

typedef enum stijl_channel { STIJL_CHANNEL_R, STIJL_CHANNEL_G, STIJL_CHANNEL_B, STIJL_CHANNEL_A } stijl_channel;

// Each pixel of `in`, from scale (channel - 1/2) away, by two channels of `map`.
STIJL_API int stijl_filter_displace(stijl_filter *filter, const stijl_filter_options *options, int in, int map,
                                    float scale, stijl_channel x, stijl_channel y);
// What of `in` lies within `tile`, repeated.
STIJL_API int stijl_filter_tile(stijl_filter *filter, const stijl_filter_options *options, int in, stijl_rect tile);

typedef struct stijl_turbulence {
  size_t size;                     // bytes of this struct; set by the initialiser
  float frequency_x, frequency_y;  // >= 0
  int octaves;                     // more than 12 add nothing that 8 bits could show
  int seed;
  bool fractal;              // fractalNoise; else turbulence
  const stijl_rect *stitch;  // the tile at whose borders the noise joins; NULL: none
} stijl_turbulence;

#define STIJL_TURBULENCE_INIT \
  { sizeof(stijl_turbulence), 0.0f, 0.0f, 1, 0, false, NULL }
STIJL_API void stijl_turbulence_init(stijl_turbulence *turbulence, size_t size);

// Perlin's noise as the specification has it, of the region or as far as is asked for.
STIJL_API int stijl_filter_turbulence(stijl_filter *filter, const stijl_filter_options *options,
                                      const stijl_turbulence *turbulence);

typedef enum stijl_light_kind { STIJL_LIGHT_DISTANT, STIJL_LIGHT_POINT, STIJL_LIGHT_SPOT } stijl_light_kind;

typedef struct stijl_light {
  size_t size;  // bytes of this struct; set by the initialiser
  stijl_light_kind kind;
  stijl_color color;         // opaque
  float azimuth, elevation;  // degrees; distant
  float x, y, z;             // point, spot
  float at_x, at_y, at_z;    // where a spot points
  float focus;               // a spot's exponent
  float cone;                // degrees from the axis that a spot reaches; negative: no limit
  float surface_scale;
  float constant;  // kd or ks, >= 0
  float exponent;  // of specular light, 0..128
} stijl_light;

#define STIJL_LIGHT_INIT                                                                                          \
  {                                                                                                               \
    sizeof(stijl_light), STIJL_LIGHT_DISTANT, {1.0f, 1.0f, 1.0f, 1.0f}, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, \
        0.0f, 1.0f, -1.0f, 1.0f, 1.0f, 1.0f                                                                       \
  }
STIJL_API void stijl_light_init(stijl_light *light, size_t size);

// A surface whose height is the input's alpha times surface_scale, lit by the light. Diffuse light is opaque, and
// specular light has the alpha of its strongest channel.
STIJL_API int stijl_filter_diffuse_light(stijl_filter *filter, const stijl_filter_options *options, int in,
                                         const stijl_light *light);
STIJL_API int stijl_filter_specular_light(stijl_filter *filter, const stijl_filter_options *options, int in,
                                          const stijl_light *light);

// What a finished scene draws; `transform` (NULL: identity) takes it to the filter's user space.
STIJL_API int stijl_filter_scene(stijl_filter *filter, const stijl_filter_options *options, const stijl_scene *scene,
                                 const stijl_matrix *transform);

// What was drawn below the layer: everything before it in the layer around it, or in the scene. That layer, or scene,
// is then isolated, as one with an opacity is: what it holds is drawn on transparent pixels first, so that neither the
// target's background nor what the target held is seen. Layers that read what is below them come before the masks of
// the layer around them. What CSS's backdrop-filter does:
//
//   int below = stijl_filter_blur(glass, NULL, stijl_filter_backdrop(glass, NULL), 8.0f, 8.0f, STIJL_FILTER_EDGE_NONE);
//   int pane = stijl_filter_composite(glass, NULL, below, STIJL_FILTER_SOURCE_ALPHA, STIJL_FILTER_IN);
//   stijl_filter_merge(glass, NULL, (int[]){pane, STIJL_FILTER_SOURCE}, 2);
STIJL_API int stijl_filter_backdrop(stijl_filter *filter, const stijl_filter_options *options);

// The functions of CSS, in sRGB, on the result of `in`. Amounts: 1 is 100 %.
STIJL_API int stijl_filter_brightness(stijl_filter *filter, int in, float amount);
STIJL_API int stijl_filter_contrast(stijl_filter *filter, int in, float amount);
STIJL_API int stijl_filter_grayscale(stijl_filter *filter, int in, float amount);
STIJL_API int stijl_filter_hue_rotate(stijl_filter *filter, int in, float degrees);
STIJL_API int stijl_filter_invert(stijl_filter *filter, int in, float amount);
STIJL_API int stijl_filter_opacity(stijl_filter *filter, int in, float amount);
STIJL_API int stijl_filter_saturate(stijl_filter *filter, int in, float amount);
STIJL_API int stijl_filter_sepia(stijl_filter *filter, int in, float amount);
// The colour matrices of SVG's feColorMatrix, for stijl_filter_color_matrix.
STIJL_API void stijl_color_matrix_saturate(float amount, float out[20]);
STIJL_API void stijl_color_matrix_hue_rotate(float degrees, float out[20]);
STIJL_API void stijl_color_matrix_luminance_to_alpha(float out[20]);

#ifdef __cplusplus
}
#endif
#endif
