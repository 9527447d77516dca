// What `stijl render` was asked for.
#ifndef STIJL_CLI_OPTIONS_H
#define STIJL_CLI_OPTIONS_H

#include "fonts.h"
#include "format.h"
#include "report.h"
#include "stijl/stijl.h"

// A size that is asked for; each picture of a document has another one.
typedef struct cli_size {
  int width, height;  // 0: not given
  double zoom;        // 0: not given
} cli_size;

typedef struct cli_options {
  char **inputs;
  int input_count;
  const char *output;  // file, folder, or "-"
  bool recursive;      // inputs that are folders stand for the documents below them
  bool force;          // inputs may be overwritten
  bool strict;         // a warning is an error
  bool quiet;
  const char *files_from;  // a list of inputs; NULL: none
  bool null_separated;     // that list
  const char *shard_text;
  uint64_t shard, shards;  // the shard from 1 to `shards`
  const char *journal;     // a file; NULL: none
  bool resume;             // what the journal holds is done
  char *described;         // the options that pictures depend on, to be freed; NULL without a journal
  const char *results;     // NULL: none
  const char *stats;       // NULL: none
  const char *save_scene;  // a file; NULL: none
  cli_numbers widths, heights, zooms;
  cli_size sizes[CLI_NUMBERS_MAX];  // which these three make
  int size_count;                   // at least 1
  bool stretch;                     // width and height as they are, else the picture fits into them
  const char *export_id;            // NULL: the whole document
  const char *background_text;
  stijl_color background;
  bool tiles;                // no picture is held as a whole
  bool pages;                // each picture is a page of one PDF file
  cli_format format;         // CLI_FORMAT_NONE until it is known
  const char *quality_text;  // NULL: not given
  float raster_dpi;          // of what vector formats show as images
  double quality;            // of a lossy format; 0: its default
  int png_level;             // -1 until it is known
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

cli_options cli_options_defaults(void);

// Sets how many pixels there may be, and how far default limits grow with them.
void cli_options_limit_pixels(cli_options *options);

// Reads and checks what is text (the background, the device), and whether the instruction set is there.
bool cli_options_check_drawing(cli_options *options, cli_failure *failure);

// Reads and checks what is of some formats alone. The format is known.
bool cli_options_check_format(cli_options *options, cli_failure *failure);

// Parses a command line, of which argv[0] is the command's name. Returns false when there is nothing to draw: *status
// is the exit status then, and what there is to say has been said. Reorders argv, which must outlive the options.
bool cli_options_parse(cli_options *options, int argc, char **argv, int *status);

// Returns whether there may be several inputs.
bool cli_is_batch(const cli_options *options);

#endif
