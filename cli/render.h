// One SVG file, or saved scene, to one PNG file.
#ifndef STIJL_CLI_RENDER_H
#define STIJL_CLI_RENDER_H

#include <stdatomic.h>

#include "jobs.h"

// What a thread keeps from file to file.
typedef struct cli_renderer {
  const cli_options *options;
  stijl_context *context;
  stijl_renderer *renderer;
  stijl_budget *budget;  // of the file at work
  int threads;           // of the renderer and of the encoder
  bool watched;          // by cli_watch_begin: no other file is drawn, and once
  const char *subject;   // the file at work, for the warnings
  atomic_uint warnings;  // of this file
  cli_failure first_warning;
} cli_renderer;

bool cli_renderer_create(const cli_options *options, int threads, cli_renderer *out, cli_failure *failure);
void cli_renderer_destroy(cli_renderer *renderer);

// `json` (may be NULL) takes an object of statistics.
bool cli_render(cli_renderer *renderer, const cli_job *job, cli_json *json, cli_failure *failure);

int cli_usable_processors(void);

#endif
