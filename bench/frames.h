// What the adapters of all renderers share: their command line, and the timing of frames.
//
//   ADAPTER SCENE SIZE THREADS SECONDS MIN_FRAMES [DUMP.ppm]
//
// prints one JSON line: {"peer", "size", "threads", "first": ms, "wall": [ms, ...], "cpu": [ms, ...]}. A frame is the
// white clear, the transform, all draws and the flush; the paths and paints of the scene are made before, in the
// renderer's own form. What else a frame contains: frames.py. A scene is a display list (.dl) or, of the adapters of
// filters.py, an SVG document.
#ifndef BENCH_FRAMES_H
#define BENCH_FRAMES_H

#include <stddef.h>
#include <stdint.h>

#include "display_list.h"

typedef struct bench_options {
  const char *file;
  dl_list list;  // of a display list
  int size;      // pixels, width and height
  int height;    // where it is another
  int threads;
  double seconds;    // measure at least this long
  int min_frames;    // and at least so many frames
  const char *dump;  // write the last frame here; NULL: do not
} bench_options;

// Reads the positional arguments; ends the program with its usage when they are not there.
bench_options bench_read_options(int argc, char **argv);

void bench_frames(const char *peer, const bench_options *options, void (*frame)(void *user), void *user);

// Writes a binary PPM; r, g, b: the byte of the 4-byte pixel that holds the channel.
void bench_dump(const bench_options *options, const uint8_t *pixels, size_t stride, int r, int g, int b);

#endif
