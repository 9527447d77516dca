// Writing animated pictures.
#ifndef STIJL_ANIMATION_H
#define STIJL_ANIMATION_H

#include "stijl/image.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stijl_webp_animation_params {
  size_t size;        // bytes of this struct; set by the initialiser
  int width, height;  // 1..16383
  uint32_t loops;     // how often it is shown, at most 65535; default 0: for ever
  float quality;      // 0 (smallest) .. 100; default -1: lossless
} stijl_webp_animation_params;

#define STIJL_WEBP_ANIMATION_PARAMS_INIT \
  { sizeof(stijl_webp_animation_params), 0, 0, 0, -1.0f }
STIJL_API void stijl_webp_animation_params_init(stijl_webp_animation_params *params, size_t size);

// An animated WebP file that is being made, for one thread at a time. Its encoded frames are held until it is finished,
// in memory of libwebp's own, which no budget counts.
typedef struct stijl_webp_animation stijl_webp_animation;

// STIJL_ERROR_UNSUPPORTED: this build or machine lacks libwebpmux.
STIJL_API stijl_result stijl_webp_animation_create(stijl_context *context, const stijl_webp_animation_params *params,
                                                   stijl_webp_animation **out, stijl_message *message);
// Adds a frame that is shown from `time` on, in milliseconds, later than that of the one before.
STIJL_API stijl_result stijl_webp_animation_add(stijl_webp_animation *animation, stijl_format format,
                                                const void *pixels, size_t stride, int time, stijl_message *message);
// Writes the file, whose last frame is shown up to `end`. `write` returns false to stop: STIJL_ERROR_IO.
STIJL_API stijl_result stijl_webp_animation_finish(stijl_webp_animation *animation, int end,
                                                   bool (*write)(void *user, const void *data, size_t bytes),
                                                   void *user, stijl_message *message);
// Frees it, finished or not. NULL is allowed.
STIJL_API void stijl_webp_animation_destroy(stijl_webp_animation *animation);

#ifdef __cplusplus
}
#endif
#endif
