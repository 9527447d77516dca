// What the options of drawing name, and all files share: the style sheet and the fonts.
#ifndef STIJL_CLI_RESOURCES_H
#define STIJL_CLI_RESOURCES_H

#include "options.h"

typedef struct cli_resources {
  cli_options *options;
  stijl_context *font_context;
  char *sheet;
} cli_resources;

// Sets options->svg.style_sheet and fonts, which are valid until the resources are closed; also where it fails.
bool cli_resources_open(cli_options *options, cli_resources *out, cli_failure *failure);
void cli_resources_close(cli_resources *resources);

#endif
