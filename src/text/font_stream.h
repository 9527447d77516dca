// Reads the bytes of fonts for FreeType, and opens FreeType's faces.
#ifndef SJ_TEXT_FONT_STREAM_H
#define SJ_TEXT_FONT_STREAM_H

#include "libraries/freetype.h"
#include "text/face.h"
#include FT_SYSTEM_H

// What FreeType reads through: an open file, or memory.
typedef struct sj_font_stream {
  FT_StreamRec ft;
  sj_ft *freetype;  // holds the face
  stijl_context *context;
  int fd;                     // -1: the font is in memory
  const unsigned char *data;  // the font in memory
  unsigned char *own;         // the same, if it was unpacked for this stream, which then frees it
  uint64_t mapped;            // how many bytes of a file are mapped at `data`; 0: none
  bool only_locate;           // reading only sets `located`
  const unsigned char *located;
  uint32_t reads, max_reads;  // how often FreeType has read, and may read; 0 as the maximum: any number of times
} sj_font_stream;

// Opens a face of a font, and the stream that it reads through; packed fonts (WOFF, WOFF2) are unpacked. The library's
// lock is held. Closing the stream closes the face. False, with a message: it is no font that can be read, too large,
// or memory is short.
bool sj_font_stream_open(sj_font_library *library, const sj_font_bytes *bytes, uint32_t index, sj_font_stream **stream,
                         sj_ft_face *out, stijl_message *message);
// Returns false, with a message that says why the stream's FreeType was refused memory.
bool sj_font_stream_fail(const sj_font_stream *stream, stijl_message *message);
void sj_font_stream_close(sj_font_stream *stream);

#endif
