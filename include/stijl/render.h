// Renderers: they draw finished scenes into pixels.
#ifndef STIJL_RENDER_H
#define STIJL_RENDER_H

#include "stijl/budget.h"
#include "stijl/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// What draws.
typedef enum stijl_backend {
  STIJL_BACKEND_AUTO,  // the CPU; if the parameters name a device, that one, and the CPU where it fails
  STIJL_BACKEND_CPU,
  STIJL_BACKEND_VULKAN  // a device; STIJL_ERROR_UNSUPPORTED if the build or the machine has none
} stijl_backend;

// The instruction sets of the renderer for the CPU. All of them draw the same bits.
typedef enum stijl_isa {
  STIJL_ISA_AUTO,    // the best that this machine has
  STIJL_ISA_SCALAR,  // plain C, the reference
  STIJL_ISA_SSE,     // SSE2, the baseline of x86-64
  STIJL_ISA_AVX2,
  STIJL_ISA_AVX512,  // AVX-512 with F, BW, DQ and VL
  STIJL_ISA_NEON,
  STIJL_ISA_WASM  // WebAssembly with 128-bit vectors
} stijl_isa;

// Returns the name of an instruction set ("scalar", "sse", ...), or NULL for an unknown value. The text is static.
STIJL_API const char *stijl_isa_name(stijl_isa isa);
// Returns whether this build and this machine have the instruction set.
STIJL_API bool stijl_isa_available(stijl_isa isa);

// A device of Vulkan's: a GPU, or a driver that computes on the CPU.
typedef struct stijl_device {
  size_t size;  // bytes of this struct; set by the initialiser
  int index;    // what stijl_renderer_params.device takes
  char name[256];
  const char *type;   // "discrete", "integrated", "virtual", "cpu" or "other"
  const char *lacks;  // what the device lacks to be used; NULL if it can be
  int api_major, api_minor;
  uint64_t memory_bytes;       // of the device's own memory
  uint64_t max_storage_range;  // bytes of a buffer that a shader can address
  uint32_t shared_memory_bytes;
} stijl_device;

#define STIJL_DEVICE_INIT STIJL_INIT(stijl_device, .name = "", .type = "")
STIJL_API void stijl_device_init(stijl_device *device, size_t size);

// Fills in at most `capacity` devices, and sets *count to how many there are. The caller initialises the first one,
// whose size is that of all. Returns STIJL_ERROR_UNSUPPORTED without Vulkan.
STIJL_API stijl_result stijl_devices(stijl_context *context, stijl_device *devices, size_t capacity, size_t *count,
                                     stijl_message *message);

// What a renderer draws with.
typedef struct stijl_renderer_params {
  size_t size;  // bytes of this struct; set by the initialiser
  stijl_backend backend;
  stijl_isa isa;
  // The number of threads, 1..256. They start with the first frame. The default, 0, stands for one for each processor
  // that this process may use, or for one less if there are 8 or more and a GPU is asked for; these start once there is
  // enough to do for them.
  int threads;
  // Bytes for the pixels of nested layers of all threads together, and as many again for the surfaces of patterns and
  // filters that are needed at the same time. Default 1 GiB.
  uint64_t max_layer_bytes;
  int device;  // Vulkan: an index of stijl_devices; the default, -1, is the best one
  // Vulkan: a part of the device's name, or its type; NULL for any. Only stijl_renderer_create reads it.
  const char *device_name;
} stijl_renderer_params;

#define STIJL_RENDERER_PARAMS_INIT                                                        \
  STIJL_INIT(stijl_renderer_params, .backend = STIJL_BACKEND_AUTO, .isa = STIJL_ISA_AUTO, \
             .max_layer_bytes = (uint64_t)1 << 30, .device = -1)
STIJL_API void stijl_renderer_params_init(stijl_renderer_params *params, size_t size);

// A renderer. It holds the threads and the working memory, which it keeps from frame to frame. A renderer draws one
// frame at a time, but several renderers may draw one scene at the same time.
typedef struct stijl_renderer stijl_renderer;

// Creates a renderer; if `params` is NULL, the defaults apply. Returns STIJL_ERROR_UNSUPPORTED if the instruction set
// or the device is missing.
STIJL_API stijl_result stijl_renderer_create(stijl_context *context, const stijl_renderer_params *params,
                                             stijl_renderer **out, stijl_message *message);
// Frees the renderer. NULL is allowed.
STIJL_API void stijl_renderer_destroy(stijl_renderer *renderer);
// Returns the instruction set that the renderer uses, or its number of threads.
STIJL_API stijl_isa stijl_renderer_isa(const stijl_renderer *renderer);
STIJL_API int stijl_renderer_threads(const stijl_renderer *renderer);
// Returns what draws the next frame: STIJL_BACKEND_CPU or STIJL_BACKEND_VULKAN.
STIJL_API stijl_backend stijl_renderer_backend(const stijl_renderer *renderer);
// Returns the device's name, or "cpu" for the CPU. The text is valid as long as the renderer draws with that.
STIJL_API const char *stijl_renderer_device(const stijl_renderer *renderer);

// The pixels that a frame is drawn into.
typedef struct stijl_target {
  size_t size;  // bytes of this struct; set by the initialiser
  // Size of the whole canvas in pixels, 1..2147483647. A canvas of more than 32767 pixels a side is drawn a region at a
  // time.
  int width, height;
  // The part that is drawn, within the canvas and at most 32767 pixels a side; all zero for the whole.
  stijl_irect region;
  stijl_format format;
  void *pixels;   // of the region, from its first pixel on; they belong to the caller
  size_t stride;  // bytes from row to row, at least the region's width * stijl_format_bytes
} stijl_target;

#define STIJL_TARGET_INIT STIJL_INIT(stijl_target, .format = STIJL_FORMAT_RGBA8)
STIJL_API void stijl_target_init(stijl_target *target, size_t size);

// How a frame is drawn.
typedef struct stijl_render_params {
  size_t size;             // bytes of this struct; set by the initialiser
  stijl_matrix transform;  // from the scene to the canvas, in pixels
  stijl_color background;  // what the target is cleared to before; default transparent
  // Draws over what the target holds instead of clearing it. The target then holds premultiplied pixels. If the scene's
  // outermost layers blend with them, all colours of the region that are above their alpha are first lowered to it.
  bool keep;
  // Bounds the frame, together with whatever else shares the budget, which must have been created with the renderer's
  // context. Working memory that the renderer keeps from earlier frames counts. If it is NULL, a frame of a document's
  // scene has a budget of its own, whose defaults grow with the document, and a frame of a scene that the application
  // recorded is not bounded.
  stijl_budget *budget;
  // The caller's CPU reads the pixels next, to encode or convert them. Targets of 32 MiB and more are otherwise stored
  // past the caches. That takes a quarter less time, but reading the pixels back then takes longer than is saved.
  bool reads;
} stijl_render_params;

#define STIJL_RENDER_PARAMS_INIT STIJL_INIT(stijl_render_params, .transform = STIJL_MATRIX_IDENTITY)
STIJL_API void stijl_render_params_init(stijl_render_params *params, size_t size);

// Draws a scene, which must be finished and without failure. If `params` is NULL, the defaults apply. The pixels of a
// region are exactly those that a frame of the whole canvas has there. On failure the target's content is undefined.
STIJL_API stijl_result stijl_render(stijl_renderer *renderer, const stijl_scene *scene, const stijl_target *target,
                                    const stijl_render_params *params, stijl_message *message);

// --- Many pictures at once ---

// A picture among others that one call draws side by side into a target, such as an atlas of icons. It has exactly the
// pixels that stijl_render draws of its scene on a canvas as large as its place, with its transform and background.
typedef struct stijl_picture {
  size_t size;               // bytes of this struct; set by the initialiser, and the same for all of a call
  const stijl_scene *scene;  // finished and without failure; several pictures may show one scene
  stijl_matrix transform;    // from the scene to the picture, in pixels from its top left corner
  stijl_color background;    // below it; default transparent
  // The pixels of the target that it fills, within the target's region. Places may lie anywhere, but no two of a call
  // overlap.
  stijl_irect place;
} stijl_picture;

#define STIJL_PICTURE_INIT STIJL_INIT(stijl_picture, .transform = STIJL_MATRIX_IDENTITY)
STIJL_API void stijl_picture_init(stijl_picture *picture, size_t size);

// Draws pictures into a target, whose region becomes transparent where there are none. The target has at most 32767
// pixels a side. `budget` bounds all pictures together, as stijl_render_params.budget does; NULL is allowed. Pictures,
// scenes and target are the caller's, and are not needed any more when the call returns.
//
// On a device all pictures are drawn together, as one frame; on the CPU small ones are drawn by a thread each. The
// renderer keeps what it has made of the scenes until a call shows other ones, so that pictures whose transforms and
// places change are drawn sooner the next time. It so keeps the scenes' images, too.
//
// If a picture is not valid, or places overlap, nothing is drawn. If one cannot be drawn, because it is beyond some
// limit, all others are drawn all the same, unless the budget is spent. The message names the first such picture by its
// index. The pixels of its place are undefined; after other failures so are those of the whole region.
STIJL_API stijl_result stijl_render_many(stijl_renderer *renderer, const stijl_picture *pictures, size_t count,
                                         const stijl_target *target, stijl_budget *budget, stijl_message *message);

// --- Figures and measurements ---

#define STIJL_MAX_STAGES 8
#define STIJL_MAX_BUFFERS 20

// A step of a frame on a device, and how many microseconds it took.
typedef struct stijl_stage {
  const char *name;
  double us;
} stijl_stage;

// A buffer on a device, and its size.
typedef struct stijl_buffer_use {
  const char *name;
  uint64_t bytes;
} stijl_buffer_use;

// Figures of a renderer's last frame.
typedef struct stijl_render_stats {
  size_t size;        // bytes of this struct; set by the caller, and never written beyond
  double encode_ms;   // resolving transforms, bounds and paints for the target
  double render_ms;   // everything else
  double flatten_ms;  // turning curves and strokes into lines and bands; part of render_ms
  uint64_t lines;     // that curves and strokes became
  uint32_t draws;     // that lie within the target
  uint32_t bands;
  uint64_t scratch_bytes;  // working memory that the renderer holds
  // Vulkan only, else 0. They count all bands of a canvas that is drawn in bands.
  uint32_t stage_count;
  stijl_stage stages[STIJL_MAX_STAGES];  // by the device's own clock; 0 for a frame that was left in flight
  uint32_t buffer_count;
  stijl_buffer_use buffers[STIJL_MAX_BUFFERS];
  uint32_t dispatches, submits;
  uint32_t retries;  // how often the frame was submitted again because a buffer had to grow
  // Microseconds until the device is done, including copying the pixels, but not converting them by threads.
  double latency_us;
} stijl_render_stats;

STIJL_API void stijl_render_stats_init(stijl_render_stats *stats, size_t size);
// Sets *out to the figures of the last frame. The caller has set out->size; afterwards it tells how much of the struct
// this version fills.
STIJL_API void stijl_renderer_stats(const stijl_renderer *renderer, stijl_render_stats *out);

// Makes the device draw the last frame `frames` times, back to back, into memory of its own that nobody reads, and sets
// *us to the microseconds that each took. It is for measurements. Returns STIJL_ERROR_UNSUPPORTED on the CPU, and
// STIJL_ERROR_INVALID_STATE if the frame took more than one submission or had too little room.
STIJL_API stijl_result stijl_renderer_repeat(stijl_renderer *renderer, uint32_t frames, double *us,
                                             stijl_message *message);

#ifdef __cplusplus
}
#endif
#endif
