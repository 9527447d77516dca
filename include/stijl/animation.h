// Writes animated WebP files.
#ifndef STIJL_ANIMATION_H
#define STIJL_ANIMATION_H

#include "stijl/image.h"

#ifdef __cplusplus
extern "C" {
#endif

// How an animation is written.
typedef struct stijl_webp_animation_params {
  size_t size;        // bytes of this struct; set by the initialiser
  int width, height;  // of every frame, in pixels; 1..16383
  uint32_t loops;     // how often the animation is shown, at most 65535; the default, 0, repeats it for ever
  float quality;      // 0 (smallest) to 100; the default, -1, is lossless
} stijl_webp_animation_params;

#define STIJL_WEBP_ANIMATION_PARAMS_INIT STIJL_INIT(stijl_webp_animation_params, .quality = -1.0f)
STIJL_API void stijl_webp_animation_params_init(stijl_webp_animation_params *params, size_t size);

// An animated WebP file that is being made. One thread at a time may use it. Its encoded frames are held until it is
// finished, in memory of libwebp's own, which no budget counts.
typedef struct stijl_webp_animation stijl_webp_animation;

// Begins an animation. Returns STIJL_ERROR_UNSUPPORTED if this build or machine lacks libwebpmux, and STIJL_ERROR_LIMIT
// for a size that WebP cannot hold.
STIJL_API stijl_result stijl_webp_animation_create(stijl_context *context, const stijl_webp_animation_params *params,
                                                   stijl_webp_animation **out, stijl_message *message);
// Adds a frame of the animation's size, whose rows are `stride` bytes apart. It is shown from `time` on, in
// milliseconds, which must be 0 or more, and later than that of the frame before. The pixels are copied.
STIJL_API stijl_result stijl_webp_animation_add(stijl_webp_animation *animation, stijl_format format,
                                                const void *pixels, size_t stride, int time, stijl_message *message);
// Writes the file, whose last frame is shown until `end`, in milliseconds, later than that frame's time. `write`
// receives the file and returns false where it cannot store it; the result is then STIJL_ERROR_IO.
STIJL_API stijl_result stijl_webp_animation_finish(stijl_webp_animation *animation, int end,
                                                   bool (*write)(void *user, const void *data, size_t bytes),
                                                   void *user, stijl_message *message);
// Frees the animation, finished or not. NULL is allowed.
STIJL_API void stijl_webp_animation_destroy(stijl_webp_animation *animation);

#ifdef __cplusplus
}
#endif
#endif
