// Reads PNG files, whole or row by row.
#ifndef SJ_IMAGE_PNG_DECODE_H
#define SJ_IMAGE_PNG_DECODE_H

#include "image/image.h"

typedef struct sj_png_reader sj_png_reader;

// Reads the head of the file. `decode` and its data have to stay until the reader is closed. An interlaced picture is
// read at once, since its rows are complete at the end only; of others rows are kept by the caller alone.
stijl_result sj_png_open(const sj_decode *decode, sj_png_reader **out, int *width, int *height);
// Reads the next of the rows, RGBA8. Those behind a damage are transparent. Not behind the last row.
stijl_result sj_png_row(sj_png_reader *reader, void *pixels);
void sj_png_close(sj_png_reader *reader);

#endif
