// The formats that pictures are written in.
#ifndef STIJL_CLI_FORMAT_H
#define STIJL_CLI_FORMAT_H

#include <stdbool.h>

#include "stijl/image_writer.h"

// In the order of CLI_FORMAT_WORDS.
typedef enum cli_format {
  CLI_FORMAT_NONE = -1,
  CLI_FORMAT_PNG,
  CLI_FORMAT_WEBP,
  CLI_FORMAT_JPEG,
  CLI_FORMAT_PPM,
  CLI_FORMAT_PAM,
  CLI_FORMAT_RGBA,
  CLI_FORMAT_PDF,
  CLI_FORMAT_SVG,
  CLI_FORMATS
} cli_format;

// What --format takes, what that of tiles does, and what --png-level does.
#define CLI_FORMAT_WORDS "png webp jpeg ppm pam rgba pdf svg"
#define CLI_PNG_LEVELS "0 1 2 3 4 5 6 7 8 9 best"
#define CLI_TILE_FORMAT_WORDS "png webp jpeg"

typedef struct cli_format_row {
  const char *name;     // of --format
  const char *endings;  // that names have, the one that is given first, with blanks between
  bool opaque;          // it has no alpha: the picture lies on a background
  bool streams;         // large pictures are written band by band; otherwise they are held whole
  bool lossy;           // it has a quality
  bool vector;          // it has no pixels, and no `file`
  int tile_type;        // of PMTiles; 0: tiles are not written so
  stijl_file_format file;
} cli_format_row;

extern const cli_format_row cli_formats[CLI_FORMATS];

// Returns the format that the ending of a file's name stands for, capitals or not.
cli_format cli_format_of(const char *path);

// Returns the ending of a format's files without the point, such as "jpg": the length of the text is *length.
const char *cli_format_ending(cli_format format, int *length);

#endif
