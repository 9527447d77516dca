// Saved scenes. A file is made of 32-bit words, little-endian:
//
//   magic (8 bytes), version
//   canvas: width, height, background (r, g, b, a)
//   the number of points, segments, draws, inner draws, scenes within, strokes, paints, ramps, images,
//     filters of layers, scenes that these draw; from version 2 on outlines, instances, their matrices, glyph runs;
//     from version 4 on pieces of ramps
//   these, in that order, each as its function in file.c lists its fields. A ramp is the number of its pieces, and
//   before
//     version 4 it was K_RAMP_SIZE colours
//   the images: width, height, format and pixels (those of A8 filled up to whole words)
//   the filters (file_filter.c)
//   CRC-32 of all bytes before
//
// The file does not hold what follows from other fields: boxes, nesting, and what pops repeat of their pushes.
#ifndef SJ_SCENE_FILE_H
#define SJ_SCENE_FILE_H

#include "scene/scene.h"

#define SJ_FILE_MAGIC "\x89SJS\r\n\x1a\n"
#define SJ_FILE_MAGIC_BYTES 8
#define SJ_FILE_VERSION 4u
#define SJ_FILE_GLYPHS 2u  // the first version that has glyph runs
#define SJ_FILE_LEADS 3u   // and that has sweeps whose turn begins before their gradient
#define SJ_FILE_PIECES 4u  // and whose ramps are pieces

// Checks all arrays of a scene that was read, so that it could have been recorded, and computes what is not in the file
// (check.c). Returns STIJL_ERROR_MALFORMED, STIJL_ERROR_LIMIT or STIJL_ERROR_OUT_OF_MEMORY with a message on failure.
stijl_result sj_scene_check(stijl_scene *scene, stijl_message *message);

// Writes a filter, or reads one into an empty filter, whose status then tells if memory is short (file_filter.c). The
// second function returns whether a filter that was read could have been built.
typedef struct sj_file sj_file;
void sj_file_filter(sj_file *f, stijl_filter *filter);
bool sj_filter_check(const stijl_filter *filter);

#endif
