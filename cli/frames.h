// What `stijl frames` was asked for, and what its files share.
#ifndef STIJL_CLI_FRAMES_H
#define STIJL_CLI_FRAMES_H

#include <stdint.h>

#include "render.h"

// In the order of the words of --format, behind none.
typedef enum cli_frames_format {
  CLI_FRAMES_BY_NAME,  // of the output
  CLI_FRAMES_PNG,      // a folder of files
  CLI_FRAMES_APNG,
  CLI_FRAMES_WEBP,
  CLI_FRAMES_RGBA,  // bytes R G B A, not premultiplied, frame after frame
  CLI_FRAMES_Y4M
} cli_frames_format;

typedef enum cli_chroma { CLI_CHROMA_420, CLI_CHROMA_444 } cli_chroma;
typedef enum cli_luma { CLI_LUMA_709, CLI_LUMA_601 } cli_luma;

typedef struct cli_frames_options {
  cli_options render;  // with the document, its drawing and its limits
  cli_size size;
  const char *rate_text;
  uint32_t rate, scale;   // rate / scale frames in a second
  double from, duration;  // duration 0: that of the animations
  cli_frames_format format;
  cli_chroma chroma;
  cli_luma luma;
  uint32_t loops;  // of APNG and WebP; 0: for ever
  double quality;  // of WebP; -1: lossless
} cli_frames_options;

// Frames, as many as there are, and how large.
typedef struct cli_frames {
  const cli_frames_options *options;
  uint64_t count;
  int digits;  // of the numbers in names
  cli_picture_size size;
  stijl_color background;
  stijl_format format;  // of pixels
  bool opaque;
} cli_frames;

// Returns the time of a frame, in seconds.
static inline double cli_frame_time(const cli_frames *f, uint64_t frame) {
  return f->options->from + (double)frame * f->options->scale / f->options->rate;
}

// A block of bytes that grows.
typedef struct cli_block {
  unsigned char *data;
  size_t count, room;
} cli_block;
// Adds to a block, as a callback for encoders; `user` is a cli_block.
bool cli_block_add(void *user, const void *data, size_t bytes);

// --- formats ---
//
// Frames are encoded by any thread, several at a time, and written by one, in order.

// Writes one of a folder's files.
bool cli_frame_png(const cli_renderer *renderer, const cli_frames *frames, uint64_t frame, const uint32_t *pixels,
                   cli_failure *failure);
// Makes the chunks of a frame; `before` are the pixels of the one before, NULL for the first.
bool cli_frame_apng(const cli_renderer *renderer, const cli_frames *frames, uint64_t frame, const uint32_t *pixels,
                    const uint32_t *before, cli_block *out, cli_failure *failure);
// Makes what stands behind the last frame.
bool cli_apng_end(cli_block *out);
// Makes the file's head, or a frame.
bool cli_y4m_head(const cli_frames *frames, cli_block *out);
bool cli_frame_y4m(const cli_frames *frames, const uint32_t *pixels, cli_block *out, cli_failure *failure);

// --- drawing ---

// Draws all frames with threads of their own and writes them. `first` has loaded `svg`, the document of `data`.
bool cli_frames_draw(const cli_frames *frames, cli_renderer *first, stijl_svg *svg, const char *input,
                     const unsigned char *data, size_t bytes, cli_failure *failure);

#endif
