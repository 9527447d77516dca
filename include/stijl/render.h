// Rendering: a finished scene becomes pixels.
#ifndef STIJL_RENDER_H
#define STIJL_RENDER_H

#include "stijl/budget.h"
#include "stijl/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stijl_backend {
  STIJL_BACKEND_AUTO,  // the CPU; where the parameters name a device, that, and the CPU where it fails
  STIJL_BACKEND_CPU,
  STIJL_BACKEND_VULKAN  // STIJL_ERROR_UNSUPPORTED where build or machine lack it
} stijl_backend;

// Instruction sets of the CPU renderer. Every one draws the same bits.
typedef enum stijl_isa {
  STIJL_ISA_AUTO,    // the best of this machine
  STIJL_ISA_SCALAR,  // the reference
  STIJL_ISA_SSE,     // SSE2, the baseline of x86-64
  STIJL_ISA_AVX2,
  STIJL_ISA_AVX512,  // F, BW, DQ, VL
  STIJL_ISA_NEON,
  STIJL_ISA_WASM  // WebAssembly with 128-bit vectors
} stijl_isa;

// "scalar", "sse", ...; NULL for an unknown value.
STIJL_API const char *stijl_isa_name(stijl_isa isa);
// Whether this build and this machine have it.
STIJL_API bool stijl_isa_available(stijl_isa isa);

// A GPU, or what else Vulkan finds.
typedef struct stijl_device {
  size_t size;  // bytes of this struct; set by the initialiser
  int index;
  char name[256];
  const char *type;   // "discrete", "integrated", "virtual", "cpu", "other"
  const char *lacks;  // why it cannot be used; NULL: it can
  int api_major, api_minor;
  uint64_t memory_bytes;       // of its own
  uint64_t max_storage_range;  // bytes of a buffer that a shader can see
  uint32_t shared_memory_bytes;
} stijl_device;

#define STIJL_DEVICE_INIT \
  { sizeof(stijl_device), 0, "", "", NULL, 0, 0, 0, 0, 0 }
STIJL_API void stijl_device_init(stijl_device *device, size_t size);

// Fills up to `capacity` devices, of which the first was initialised and tells the size of all, and sets *count to how
// many there are. STIJL_ERROR_UNSUPPORTED without Vulkan.
STIJL_API stijl_result stijl_devices(stijl_context *context, stijl_device *devices, size_t capacity, size_t *count,
                                     stijl_message *message);

typedef struct stijl_renderer_params {
  size_t size;  // bytes of this struct; set by the initialiser
  stijl_backend backend;
  stijl_isa isa;
  int threads;  // 1..256; 0: one for each processor this process may use, but for one of 8 or more with a GPU; started
                // once there is enough to do for them
  uint64_t max_layer_bytes;  // for the pixels of nested layers, all threads together, and again for the surfaces of
                             // patterns and filters that are needed at a time; default 1 GiB
  int device;                // Vulkan: the index that stijl_devices gives; -1: the best
  const char *device_name;   // Vulkan: part of the device's name, or its type; NULL: any. Read by create only
} stijl_renderer_params;

#define STIJL_RENDERER_PARAMS_INIT \
  { sizeof(stijl_renderer_params), STIJL_BACKEND_AUTO, STIJL_ISA_AUTO, 0, (uint64_t)1 << 30, -1, NULL }
STIJL_API void stijl_renderer_params_init(stijl_renderer_params *params, size_t size);

// Holds the threads and the working memory, kept from frame to frame. One render at a time for each renderer; several
// renderers may draw one scene at the same time.
typedef struct stijl_renderer stijl_renderer;

// `params` NULL: the defaults.
STIJL_API stijl_result stijl_renderer_create(stijl_context *context, const stijl_renderer_params *params,
                                             stijl_renderer **out, stijl_message *message);
STIJL_API void stijl_renderer_destroy(stijl_renderer *renderer);
STIJL_API stijl_isa stijl_renderer_isa(const stijl_renderer *renderer);
STIJL_API int stijl_renderer_threads(const stijl_renderer *renderer);
// What draws the next frame: STIJL_BACKEND_CPU or STIJL_BACKEND_VULKAN.
STIJL_API stijl_backend stijl_renderer_backend(const stijl_renderer *renderer);
// The device's name; "cpu" for the CPU.
STIJL_API const char *stijl_renderer_device(const stijl_renderer *renderer);

typedef struct stijl_target {
  size_t size;  // bytes of this struct; set by the initialiser
  // Of the whole canvas, 1..2147483647. One of more than 32767 pixels a side is drawn a region at a time.
  int width, height;
  stijl_irect region;  // the part to render, within the canvas, at most 32767 pixels a side; all zero: the whole
  stijl_format format;
  void *pixels;   // the first pixel of the region
  size_t stride;  // bytes from row to row, at least the region's width * stijl_format_bytes
} stijl_target;

#define STIJL_TARGET_INIT \
  { sizeof(stijl_target), 0, 0, {0, 0, 0, 0}, STIJL_FORMAT_RGBA8, NULL, 0 }
STIJL_API void stijl_target_init(stijl_target *target, size_t size);

typedef struct stijl_render_params {
  size_t size;             // bytes of this struct; set by the initialiser
  stijl_matrix transform;  // from the scene to the canvas, in pixels
  stijl_color background;  // what the target is cleared to first; default transparent
  // Draw over what the target holds instead of clearing it. It holds premultiplied pixels; where the scene's outermost
  // layers blend with them, all of the region's colours that are above their alpha are lowered to it first.
  bool keep;
  // Bounds the frame, together with what else shares it; was created with the renderer's context. Working memory that
  // the renderer keeps from frames before counts. NULL: a frame of a document's scene has one of its own, whose
  // defaults grow with the document; one of a scene that the application recorded is not bounded.
  stijl_budget *budget;
  // The CPU reads the pixels next, to encode or convert them. Targets of 32 MiB and more are otherwise stored past its
  // caches, which takes a quarter less; reading them back then takes longer than that.
  bool reads;
} stijl_render_params;

#define STIJL_RENDER_PARAMS_INIT \
  { sizeof(stijl_render_params), STIJL_MATRIX_IDENTITY, {0.0f, 0.0f, 0.0f, 0.0f}, false, NULL, false }
STIJL_API void stijl_render_params_init(stijl_render_params *params, size_t size);

// `params` NULL: the defaults. A region's pixels are exactly those of the whole canvas, whatever the others are. On
// failure the target's content is undefined.
STIJL_API stijl_result stijl_render(stijl_renderer *renderer, const stijl_scene *scene, const stijl_target *target,
                                    const stijl_render_params *params, stijl_message *message);

#define STIJL_MAX_STAGES 8
#define STIJL_MAX_BUFFERS 20

typedef struct stijl_stage {
  const char *name;
  double us;
} stijl_stage;

typedef struct stijl_buffer_use {
  const char *name;
  uint64_t bytes;
} stijl_buffer_use;

// Of the last frame of this renderer.
typedef struct stijl_render_stats {
  size_t size;        // bytes of this struct; set by the caller, and never written beyond
  double encode_ms;   // resolving transforms, bounds and paints for the target
  double render_ms;   // all the rest
  double flatten_ms;  // curves and strokes to lines and bands: part of render_ms
  uint64_t lines;     // after flattening
  uint32_t draws;     // within the target
  uint32_t bands;
  uint64_t scratch_bytes;  // working memory held by the renderer
  // Vulkan only, else 0. A canvas that is rendered in bands counts all of them.
  uint32_t stage_count;
  stijl_stage stages[STIJL_MAX_STAGES];  // the device's own clock; 0 for a frame that was left in flight
  uint32_t buffer_count;
  stijl_buffer_use buffers[STIJL_MAX_BUFFERS];
  uint32_t dispatches, submits;
  uint32_t retries;   // because a buffer had to grow
  double latency_us;  // until the device is done, with copying pixels too; not until the threads have converted them
} stijl_render_stats;

STIJL_API void stijl_render_stats_init(stijl_render_stats *stats, size_t size);
// out->size is set by the caller; afterwards it tells how much of the struct this version fills.
STIJL_API void stijl_renderer_stats(const stijl_renderer *renderer, stijl_render_stats *out);

// Vulkan: the device draws the last frame `frames` times over, back to back, into memory of its own, without anybody
// reading it; *us is the time of each. For measurements. STIJL_ERROR_INVALID_STATE where it took more than one
// submission, or had too little room.
STIJL_API stijl_result stijl_renderer_repeat(stijl_renderer *renderer, uint32_t frames, double *us,
                                             stijl_message *message);

#ifdef __cplusplus
}
#endif
#endif
