// One SVG file, or saved scene, to a picture, or to one for each size.
#ifndef STIJL_CLI_RENDER_H
#define STIJL_CLI_RENDER_H

#include <stdatomic.h>

#include "jobs.h"
#include "json.h"

// What became of a job at one of its sizes.
typedef struct cli_picture {
  char *output;  // to be freed
  bool drawn;
  int width, height;    // when drawn
  unsigned warnings;    // so far, of this file
  double ms;            // the first one's time is also that of reading the file
  cli_failure failure;  // when not drawn
} cli_picture;

// What a thread keeps from file to file.
typedef struct cli_renderer {
  const cli_options *options;
  stijl_context *context;
  stijl_renderer *renderer;
  stijl_budget *budget;  // of the file at work
  int threads;           // of the renderer and of the encoder
  bool watched;          // by cli_watch_begin: no other file is drawn, and once
  void *pixels;          // of the last picture, which the next one takes over
  size_t pixel_bytes;
  const char *subject;   // the file at work, for the warnings
  atomic_uint warnings;  // of this file
  cli_failure first_warning;
  // Whether a line of the log is new to those who share `heard_user`; NULL: each one is.
  bool (*heard)(void *user, const char *line);
  void *heard_user;
  struct cli_pages *pages;  // that drawings become; NULL: each is a file
} cli_renderer;

// The picture's size: the document's exact size is scaled, then rounded up to whole pixels. The drawing keeps the exact
// size, so that both axes have one scale; what the last row and column hold beyond it stays empty.
typedef struct cli_picture_size {
  float exact_width, exact_height;
  int width, height;
} cli_picture_size;

// What is drawn, at a size, and on what.
typedef struct cli_drawing {
  stijl_scene *scene;
  cli_picture_size size;
  stijl_matrix transform;
  stijl_color background;
} cli_drawing;

typedef struct cli_load_times {
  double parse_ms, style_ms;
} cli_load_times;

// Reads a document or a saved scene, and makes what is drawn of it at the first size; renderer->budget and subject are
// set. Where it is watched, the watch goes on. The scene is to be destroyed, also on failure.
bool cli_drawing_make(const cli_renderer *renderer, const char *input, cli_drawing *out, cli_load_times *times,
                      cli_failure *failure);

// Loads a document, by its bytes; renderer->budget is set.
bool cli_document_load(const cli_renderer *renderer, const char *input, const unsigned char *data, size_t bytes,
                       stijl_svg **svg, cli_failure *failure);
// Chooses the picture's size for what is so many CSS pixels large.
bool cli_choose_size(const cli_options *options, const cli_size *asked, float width, float height,
                     cli_picture_size *size, cli_failure *failure);

bool cli_renderer_create(const cli_options *options, int threads, cli_renderer *out, cli_failure *failure);
void cli_renderer_destroy(cli_renderer *renderer);

// Fills as many pictures as there are sizes; true when all are drawn. `json` (may be NULL) takes an object of
// statistics for each that is.
bool cli_render(cli_renderer *renderer, const cli_jobs *jobs, const cli_job *job, cli_picture *pictures,
                cli_json *json);

int cli_usable_processors(void);

#endif
