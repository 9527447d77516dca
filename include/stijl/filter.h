// Filters: graphs of effects that a layer's picture goes through before it is composited (stijl_layer.filter).
//
// A filter is built by calls that follow SVG's filter primitives (W3C Filter Effects Module 1). Each call returns the
// number of its result, 0 or more, which later calls take as their input; what is drawn is the last result. As with a
// scene, the first failure sticks: the call that fails and all calls after it do nothing and return
// STIJL_FILTER_NOTHING, and the scene that is given the filter fails with the same error. All numbers must be finite.
// What is pointed to is copied. A filter may have 100000 primitives.
//
//   stijl_filter *glow;
//   stijl_filter_create(NULL, &glow);
//   int soft = stijl_filter_blur(glow, NULL, STIJL_FILTER_SOURCE_ALPHA, 4.0f, 4.0f, STIJL_FILTER_EDGE_NONE);
//   int tinted = stijl_filter_composite(glow, NULL, stijl_filter_flood(glow, NULL, color), soft, STIJL_FILTER_IN);
//   stijl_filter_merge(glow, NULL, (int[]){tinted, STIJL_FILTER_SOURCE}, 2);
//
// Lengths are in the user space of the layer (stijl_layer.filter_transform). If that is rotated or skewed, the filter
// works in a space with its axes and the scale of the target, and the result is drawn with bilinear sampling.
#ifndef STIJL_FILTER_H
#define STIJL_FILTER_H

#include "stijl/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a primitive may take as its input instead of an earlier result.
enum {
  STIJL_FILTER_SOURCE = -1,        // the layer's picture
  STIJL_FILTER_SOURCE_ALPHA = -2,  // the alpha of the layer's picture, in black
  STIJL_FILTER_NOTHING = -3        // transparent black
};

// What all primitives have in common. NULL stands for the defaults.
typedef struct stijl_filter_options {
  size_t size;  // bytes of this struct; set by the initialiser
  bool linear;  // whether colours are computed in linear light, SVG's default, or in sRGB; default false, sRGB
  const stijl_rect *region;  // the result is transparent outside of it; NULL: as far as the effect reaches
} stijl_filter_options;

#define STIJL_FILTER_OPTIONS_INIT STIJL_INIT(stijl_filter_options, .linear = false)
STIJL_API void stijl_filter_options_init(stijl_filter_options *options, size_t size);

// Creates an empty filter, which draws nothing. The caller destroys it. Returns STIJL_ERROR_OUT_OF_MEMORY, with *out
// NULL, when memory is short.
STIJL_API stijl_result stijl_filter_create(stijl_context *context, stijl_filter **out);
// Destroys the filter. Layers that were given it keep what they need of it. NULL is allowed.
STIJL_API void stijl_filter_destroy(stijl_filter *filter);
// Returns the failure that stuck, or in one line what it was. Without one that is STIJL_OK or "".
STIJL_API stijl_result stijl_filter_status(const stijl_filter *filter);
STIJL_API const char *stijl_filter_message(const stijl_filter *filter);

// What lies beyond the edges of a primitive's input.
typedef enum stijl_filter_edge {
  STIJL_FILTER_EDGE_NONE,       // transparent black
  STIJL_FILTER_EDGE_DUPLICATE,  // the nearest pixel of the region
  STIJL_FILTER_EDGE_WRAP        // the region, repeated
} stijl_filter_edge;

// Blurs by a Gaussian function with the standard deviations x and y, 0 or more; 0 does not blur along that axis. A
// deviation of more than 8192 pixels of the target counts as 8192.
STIJL_API int stijl_filter_blur(stijl_filter *filter, const stijl_filter_options *options, int in, float x, float y,
                                stijl_filter_edge edge);
// Moves the input. The distance is rounded to whole pixels of the target.
STIJL_API int stijl_filter_offset(stijl_filter *filter, const stijl_filter_options *options, int in, float dx,
                                  float dy);
// Takes the input's alpha, in black.
STIJL_API int stijl_filter_alpha(stijl_filter *filter, const stijl_filter_options *options, int in);
// Fills the region, or without one all that the filter draws, with one colour.
STIJL_API int stijl_filter_flood(stijl_filter *filter, const stijl_filter_options *options, stijl_color color);
// Multiplies straight colours by a matrix. Its four rows give the new red, green, blue and alpha; its five columns are
// the factors of the old ones and of 1.
STIJL_API int stijl_filter_color_matrix(stijl_filter *filter, const stijl_filter_options *options, int in,
                                        const float matrix[20]);

// The kinds of functions that feComponentTransfer has, of a channel c of 0..1.
typedef enum stijl_transfer_kind {
  STIJL_TRANSFER_IDENTITY,
  STIJL_TRANSFER_TABLE,     // linear between `values`, which are spread evenly
  STIJL_TRANSFER_DISCRETE,  // steps, one for each of `values`
  STIJL_TRANSFER_LINEAR,    // a c + b
  STIJL_TRANSFER_GAMMA      // a c^exponent + b
} stijl_transfer_kind;

// A function of one channel. Its results are limited to 0..1.
typedef struct stijl_transfer {
  stijl_transfer_kind kind;
  const float *values;  // of a table or steps; without any the channel stays as it is
  size_t count;
  float a, b, exponent;
} stijl_transfer;

// Changes straight red, green, blue and alpha by a function of each.
STIJL_API int stijl_filter_transfer(stijl_filter *filter, const stijl_filter_options *options, int in,
                                    const stijl_transfer functions[4]);

// The operators of feComposite.
typedef enum stijl_filter_operator {
  STIJL_FILTER_OVER,
  STIJL_FILTER_IN,
  STIJL_FILTER_OUT,
  STIJL_FILTER_ATOP,
  STIJL_FILTER_XOR,
  STIJL_FILTER_LIGHTER
} stijl_filter_operator;

// Composites `in` with `in2` by one of Porter and Duff's operators; STIJL_FILTER_LIGHTER is the sum of both.
STIJL_API int stijl_filter_composite(stijl_filter *filter, const stijl_filter_options *options, int in, int in2,
                                     stijl_filter_operator op);
// Computes k[0] in in2 + k[1] in + k[2] in2 + k[3] of premultiplied colours.
STIJL_API int stijl_filter_arithmetic(stijl_filter *filter, const stijl_filter_options *options, int in, int in2,
                                      const float k[4]);
// Blends `in` onto `in2`.
STIJL_API int stijl_filter_blend(stijl_filter *filter, const stijl_filter_options *options, int in, int in2,
                                 stijl_blend mode);
// Draws the inputs over one another, the first at the bottom.
STIJL_API int stijl_filter_merge(stijl_filter *filter, const stijl_filter_options *options, const int *inputs,
                                 size_t count);
// Draws the input over its shadow, which is its alpha, moved by (dx, dy), blurred and coloured.
STIJL_API int stijl_filter_drop_shadow(stijl_filter *filter, const stijl_filter_options *options, int in, float dx,
                                       float dy, float deviation_x, float deviation_y, stijl_color color);

// Takes the smallest (with `dilate` the largest) value of each channel among the pixels within the radii, 0 or more, on
// each side.
STIJL_API int stijl_filter_morphology(stijl_filter *filter, const stijl_filter_options *options, int in, bool dilate,
                                      float radius_x, float radius_y);

// What feConvolveMatrix multiplies the pixels around each pixel with.
typedef struct stijl_convolution {
  size_t size;             // bytes of this struct; set by the initialiser
  int columns, rows;       // of the kernel; 1..1024 each, else STIJL_ERROR_LIMIT
  const float *kernel;     // row after row; as in SVG, it is turned by 180 degrees when it is applied
  float divisor;           // what the sum is divided by; 0 stands for the sum of the kernel, or 1 where that is 0
  float bias;              // added to the result's alpha, and its product with that alpha to the colours
  int target_x, target_y;  // the kernel's cell that lies on the pixel; -1 stands for the middle
  stijl_filter_edge edge;
  bool preserve_alpha;  // only straight colours change, and alpha stays
} stijl_convolution;

#define STIJL_CONVOLUTION_INIT                                                           \
  STIJL_INIT(stijl_convolution, .columns = 3, .rows = 3, .target_x = -1, .target_y = -1, \
             .edge = STIJL_FILTER_EDGE_DUPLICATE)
STIJL_API void stijl_convolution_init(stijl_convolution *convolution, size_t size);

// Convolves the pixels of the target with a kernel.
STIJL_API int stijl_filter_convolve(stijl_filter *filter, const stijl_filter_options *options, int in,
                                    const stijl_convolution *convolution);

// The channel of a map that displaces pixels.
typedef enum stijl_channel { STIJL_CHANNEL_R, STIJL_CHANNEL_G, STIJL_CHANNEL_B, STIJL_CHANNEL_A } stijl_channel;

// Takes each pixel of `in` from another place: scale (c - 1/2) away, where c, 0..1, is the channel `x` of `map` along x
// and `y` along y.
STIJL_API int stijl_filter_displace(stijl_filter *filter, const stijl_filter_options *options, int in, int map,
                                    float scale, stijl_channel x, stijl_channel y);
// Repeats the part of `in` that lies within `tile`.
STIJL_API int stijl_filter_tile(stijl_filter *filter, const stijl_filter_options *options, int in, stijl_rect tile);

// The parameters of feTurbulence.
typedef struct stijl_turbulence {
  size_t size;                     // bytes of this struct; set by the initialiser
  float frequency_x, frequency_y;  // 0 or more
  int octaves;                     // more than 12 count as 12, since further ones add nothing that 8 bits could show
  int seed;
  bool fractal;              // SVG's fractalNoise; else its turbulence
  const stijl_rect *stitch;  // the tile at whose borders the noise joins; NULL for none
} stijl_turbulence;

#define STIJL_TURBULENCE_INIT STIJL_INIT(stijl_turbulence, .octaves = 1)
STIJL_API void stijl_turbulence_init(stijl_turbulence *turbulence, size_t size);

// Draws Perlin's noise by the algorithm of Filter Effects Module 1 in the region, or without one in all that the filter
// draws.
STIJL_API int stijl_filter_turbulence(stijl_filter *filter, const stijl_filter_options *options,
                                      const stijl_turbulence *turbulence);

// The light sources of SVG.
typedef enum stijl_light_kind { STIJL_LIGHT_DISTANT, STIJL_LIGHT_POINT, STIJL_LIGHT_SPOT } stijl_light_kind;

// A light and the surface that it falls on.
typedef struct stijl_light {
  size_t size;  // bytes of this struct; set by the initialiser
  stijl_light_kind kind;
  stijl_color color;         // of the light; its alpha should be 1
  float azimuth, elevation;  // direction to a distant light, in degrees
  float x, y, z;             // place of a point or spot light
  float at_x, at_y, at_z;    // point at which a spot aims
  float focus;               // a spot's exponent, 0 or more: how narrow its light is; more than 128 counts as 128
  float cone;                // degrees from the axis that a spot reaches; negative for no limit
  // Height of the surface where the input is opaque.
  float surface_scale;
  float constant;  // kd of diffuse or ks of specular light, 0 or more
  float exponent;  // of specular light, 0 or more; more than 128 counts as 128
} stijl_light;

#define STIJL_LIGHT_INIT                                                                                 \
  STIJL_INIT(stijl_light, .kind = STIJL_LIGHT_DISTANT, .color = {1.0f, 1.0f, 1.0f, 1.0f}, .focus = 1.0f, \
             .cone = -1.0f, .surface_scale = 1.0f, .constant = 1.0f, .exponent = 1.0f)
STIJL_API void stijl_light_init(stijl_light *light, size_t size);

// Lights a surface whose height is the input's alpha times surface_scale. Diffuse light is opaque, and specular light
// has the alpha of its strongest channel.
STIJL_API int stijl_filter_diffuse_light(stijl_filter *filter, const stijl_filter_options *options, int in,
                                         const stijl_light *light);
STIJL_API int stijl_filter_specular_light(stijl_filter *filter, const stijl_filter_options *options, int in,
                                          const stijl_light *light);

// Draws a scene, which must be finished. `transform` takes it to the filter's user space; NULL stands for the identity.
STIJL_API int stijl_filter_scene(stijl_filter *filter, const stijl_filter_options *options, const stijl_scene *scene,
                                 const stijl_matrix *transform);

// Takes what was drawn below the layer: everything before it in the layer around, or else in the scene. The layer
// around, or the scene, is then isolated as if it had an opacity: what it holds is drawn on transparent pixels first,
// so that the filter sees neither the target's background nor what the target held. Layers that read what is below them
// must come before the masks of the layer around. CSS's backdrop-filter is this:
//
//   int below = stijl_filter_blur(glass, NULL, stijl_filter_backdrop(glass, NULL), 8.0f, 8.0f, STIJL_FILTER_EDGE_NONE);
//   int pane = stijl_filter_composite(glass, NULL, below, STIJL_FILTER_SOURCE_ALPHA, STIJL_FILTER_IN);
//   stijl_filter_merge(glass, NULL, (int[]){pane, STIJL_FILTER_SOURCE}, 2);
STIJL_API int stijl_filter_backdrop(stijl_filter *filter, const stijl_filter_options *options);

// Applies a filter function of CSS (Filter Effects Module 1, 6.1) to `in`, in sRGB. An amount of 1 is 100 %.
STIJL_API int stijl_filter_brightness(stijl_filter *filter, int in, float amount);
STIJL_API int stijl_filter_contrast(stijl_filter *filter, int in, float amount);
STIJL_API int stijl_filter_grayscale(stijl_filter *filter, int in, float amount);
STIJL_API int stijl_filter_hue_rotate(stijl_filter *filter, int in, float degrees);
STIJL_API int stijl_filter_invert(stijl_filter *filter, int in, float amount);
STIJL_API int stijl_filter_opacity(stijl_filter *filter, int in, float amount);
STIJL_API int stijl_filter_saturate(stijl_filter *filter, int in, float amount);
STIJL_API int stijl_filter_sepia(stijl_filter *filter, int in, float amount);
// Sets `out` to the matrix of a type that SVG's feColorMatrix has, for stijl_filter_color_matrix.
STIJL_API void stijl_color_matrix_saturate(float amount, float out[20]);
STIJL_API void stijl_color_matrix_hue_rotate(float degrees, float out[20]);
STIJL_API void stijl_color_matrix_luminance_to_alpha(float out[20]);

#ifdef __cplusplus
}
#endif
#endif
