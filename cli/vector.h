// Drawings as vector files: PDF and SVG.
#ifndef STIJL_CLI_VECTOR_H
#define STIJL_CLI_VECTOR_H

#include "render.h"

bool cli_write_vector(const cli_renderer *renderer, const cli_drawing *drawing, const char *path, cli_failure *failure);

#endif
