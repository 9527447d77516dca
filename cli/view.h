// `stijl view`.
#ifndef STIJL_CLI_VIEW_H
#define STIJL_CLI_VIEW_H

#include <stdbool.h>

typedef struct cli_view_options {
  int width, height, threads;
  int backend;  // of the words
  const char *device;
  double time;
  bool plays;
} cli_view_options;

#endif
