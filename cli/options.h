// The options of `stijl render`.
#ifndef STIJL_CLI_OPTIONS_H
#define STIJL_CLI_OPTIONS_H

#include "report.h"
#include "stijl/stijl.h"

typedef struct cli_options {
  char **inputs;
  int input_count;
  const char *output;  // file, folder, or "-"
  const char *stats;   // NULL: none
  int width, height;   // 0: not given
  double zoom;         // 0: not given
  stijl_color background;
  int png_level;
  int repeat;
  int threads;  // 0: one for each processor
  bool quiet;
  const char *stylesheet;        // a file; NULL: none
  const char *resources_folder;  // NULL: the folder of the document
  uint64_t max_pixels;           // of the picture
  stijl_svg_params svg;
  stijl_renderer_params renderer;
} cli_options;

typedef enum cli_parsed { CLI_PARSED, CLI_PARSED_HELP, CLI_PARSED_WRONG } cli_parsed;

// argv[0] is "render". On CLI_PARSED_WRONG *failure says why. Reorders argv, which must outlive the options.
cli_parsed cli_options_parse(cli_options *options, int argc, char **argv, cli_failure *failure);

#endif
