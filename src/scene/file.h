// Saved scenes. A file is made of 32-bit words, little-endian:
//
//   magic (8 bytes), version
//   canvas: width, height, background (r, g, b, a)
//   the number of points, segments, draws, inner draws, scenes within, strokes, paints, ramps, images,
//     filters of layers, scenes that these draw; from version 2 on outlines, instances, their matrices, glyph runs;
//     from version 4 on pieces of ramps
//   these, in that order, each as its function in file.c lists its fields; a ramp is the number of its pieces, before
//   version
//     4 K_RAMP_SIZE colours. Then the images:
//     width, height and format, and pixels (those of A8 filled up to whole words); then the filters (file_filter.c)
//   CRC-32 of all bytes before
//
// What follows from other fields is not in the file: boxes, nesting, what pops repeat of their pushes.
#ifndef SJ_SCENE_FILE_H
#define SJ_SCENE_FILE_H

#include "scene/scene.h"

#define SJ_FILE_MAGIC "\x89SJS\r\n\x1a\n"
#define SJ_FILE_MAGIC_BYTES 8
#define SJ_FILE_VERSION 4u
#define SJ_FILE_GLYPHS 2u  // the first version that has glyph runs
#define SJ_FILE_LEADS 3u   // and that has sweeps whose turn begins before their gradient
#define SJ_FILE_PIECES 4u  // and whose ramps are pieces

// check.c: checks all arrays of a scene that was read, so that it could have been recorded, and computes what is not in
// the file. STIJL_ERROR_MALFORMED, STIJL_ERROR_LIMIT or STIJL_ERROR_OUT_OF_MEMORY, with a message.
stijl_result sj_scene_check(stijl_scene *scene, stijl_message *message);

// file_filter.c: a filter that is written, or read into an empty one, whose status then tells of memory that is out;
// and whether what was read could have been built.
typedef struct sj_file sj_file;
void sj_file_filter(sj_file *f, stijl_filter *filter);
bool sj_filter_check(const stijl_filter *filter);

#endif
