// Rendering: a finished scene becomes pixels.
#ifndef STIJL_RENDER_H
#define STIJL_RENDER_H

#include "stijl/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stijl_backend {
  STIJL_BACKEND_AUTO,  // today the CPU
  STIJL_BACKEND_CPU,
  STIJL_BACKEND_VULKAN  // not in this version: STIJL_ERROR_UNSUPPORTED
} stijl_backend;

// Instruction sets of the CPU renderer. Every one draws the same bits.
typedef enum stijl_isa {
  STIJL_ISA_AUTO,    // the best of this machine
  STIJL_ISA_SCALAR,  // the reference
  STIJL_ISA_SSE,     // SSE2, the baseline of x86-64
  STIJL_ISA_AVX2,
  STIJL_ISA_AVX512,  // F, BW, DQ, VL, VBMI
  STIJL_ISA_NEON
} stijl_isa;

// "scalar", "sse", ...; NULL for an unknown value.
STIJL_API const char *stijl_isa_name(stijl_isa isa);
// Whether this build and this machine have it.
STIJL_API bool stijl_isa_available(stijl_isa isa);

typedef struct stijl_renderer_params {
  size_t size;  // bytes of this struct; set by the initialiser
  stijl_backend backend;
  stijl_isa isa;
  int threads;  // 1..256; 0: one for each processor this process may use
  uint64_t max_layer_bytes;  // for the pixels of nested layers, all threads together; default 1 GiB
} stijl_renderer_params;

#define STIJL_RENDERER_PARAMS_INIT {.size = sizeof(stijl_renderer_params), .max_layer_bytes = (uint64_t)1 << 30}

// Holds the threads and the working memory, kept from frame to frame. One render at a time for each renderer; several
// renderers may draw one scene at the same time.
typedef struct stijl_renderer stijl_renderer;

// `params` NULL: the defaults.
STIJL_API stijl_result stijl_renderer_create(stijl_context *context, const stijl_renderer_params *params,
                                             stijl_renderer **out, stijl_message *message);
STIJL_API void stijl_renderer_destroy(stijl_renderer *renderer);
STIJL_API stijl_isa stijl_renderer_isa(const stijl_renderer *renderer);
STIJL_API int stijl_renderer_threads(const stijl_renderer *renderer);

typedef struct stijl_target {
  int width, height;  // of the whole canvas, 1..32767
  stijl_irect region; // the part to render, within the canvas; all zero: the whole
  stijl_format format;
  void *pixels;   // the first pixel of the region
  size_t stride;  // bytes from row to row, at least the region's width * stijl_format_bytes
} stijl_target;

typedef struct stijl_render_params {
  size_t size;             // bytes of this struct; set by the initialiser
  stijl_matrix transform;  // from the scene to the canvas, in pixels
  stijl_color background;  // what the target is cleared to first; default transparent
  bool keep;               // draw over what the target holds instead of clearing it
} stijl_render_params;

#define STIJL_RENDER_PARAMS_INIT {.size = sizeof(stijl_render_params), .transform = STIJL_MATRIX_IDENTITY}

// `params` NULL: the defaults. A region's pixels are exactly those of the whole canvas. On failure the target's content
// is undefined.
STIJL_API stijl_result stijl_render(stijl_renderer *renderer, const stijl_scene *scene, const stijl_target *target,
                                    const stijl_render_params *params, stijl_message *message);

// Of the last frame of this renderer.
typedef struct stijl_render_stats {
  size_t size;        // bytes of this struct; set by the caller
  double encode_ms;   // resolving transforms, bounds and paints for the target
  double render_ms;   // all the rest
  double flatten_ms;  // curves and strokes to lines and bands: part of render_ms
  uint64_t lines;     // after flattening
  uint32_t draws;     // within the target
  uint32_t bands;
  uint64_t scratch_bytes;  // working memory held by the renderer
} stijl_render_stats;

STIJL_API void stijl_renderer_stats(const stijl_renderer *renderer, stijl_render_stats *out);

#ifdef __cplusplus
}
#endif
#endif
