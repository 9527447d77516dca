// What `stijl render` was asked for.
#ifndef STIJL_CLI_OPTIONS_H
#define STIJL_CLI_OPTIONS_H

#include "fonts.h"
#include "report.h"
#include "stijl/stijl.h"

typedef struct cli_options {
  char **inputs;
  int input_count;
  const char *output;  // file, folder, or "-"
  bool recursive;      // inputs that are folders stand for the documents below them
  bool force;          // inputs may be overwritten
  bool strict;         // a warning is an error
  bool quiet;
  const char *stats;       // NULL: none
  const char *save_scene;  // a file; NULL: none
  int width, height;  // 0: not given
  bool stretch;       // width and height as they are, else the picture fits into them
  double zoom;        // 0: not given
  const char *export_id;  // NULL: the whole document
  const char *background_text;
  stijl_color background;
  int png_level;
  int repeat;
  int threads;                   // 0: one for each processor
  const char *stylesheet;        // a file; NULL: none
  const char *resources_folder;  // NULL: the folder of the document
  const char *device;            // index, part of a name, or type; NULL: not given
  uint64_t max_pixels;           // of the picture
  cli_font_options fonts;
  stijl_svg_params svg;
  stijl_renderer_params renderer;
  stijl_budget_params budget;  // of each file
} cli_options;

// argv[0] is the command's name. False when there is nothing to draw: *status is the exit status then, and what there
// is to say has been said. Reorders argv, which must outlive the options.
bool cli_options_parse(cli_options *options, int argc, char **argv, int *status);

#endif
