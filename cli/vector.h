// Drawings as vector files: PDF and SVG.
#ifndef STIJL_CLI_VECTOR_H
#define STIJL_CLI_VECTOR_H

#include "file.h"
#include "render.h"
#include "stijl/export.h"

// A PDF file that has a page for each drawing of a run.
typedef struct cli_pages {
  cli_output output;
  stijl_pdf *pdf;  // NULL: there was no page yet
  size_t count;
  char *broken_by;  // the file whose page could not be written whole: no other can follow it
} cli_pages;

bool cli_write_vector(const cli_renderer *renderer, const cli_drawing *drawing, const char *path, cli_failure *failure);

// Adds the drawing as a page.
bool cli_pages_add(const cli_renderer *renderer, const cli_drawing *drawing, const char *path, cli_failure *failure);
// Puts the file in its place, if it has a page. Must come before the renderer's context goes.
bool cli_pages_finish(cli_pages *pages, cli_failure *failure);

#endif
